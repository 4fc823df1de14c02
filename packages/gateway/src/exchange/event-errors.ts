import { isJsonObject } from "@rolecall/core";
import { scrubJson } from "../http/secrets.ts";

type Secrets = readonly (string | undefined)[];

/** An event with all that belongs to it, up to its blank line or the end. */
const wholeEvent = /[\s\S]*?(?:\r\n\r\n|\n\n|\r\r|$)/g;
const dataLine = /^data: ?(.*)$/gm;

/** Whether an event tells of a failure. */
function isError(event: string, value: unknown): boolean {
  if (/^event: ?error\s*$/m.test(event)) return true;
  if (!isJsonObject(value)) return false;
  const { choices, error, object, type } = value;
  const inChoice =
    Array.isArray(choices) && choices.some((choice) => isJsonObject(choice) && isStated(choice["error"]));
  return type === "error" || object === "error" || isStated(error) || inChoice;
}

const isStated = (error: unknown): boolean => error !== undefined && error !== null && error !== false;

/** Replaces keys in an event that tells of a failure. What a model says is left as it is, whatever it looks like. */
function scrubEvent(event: string, secrets: Secrets): string {
  if (!event.includes("error")) return event;
  const lines = Array.from(event.matchAll(dataLine), ([, line]) => line);
  // A whole answer under the header of a stream has none.
  const data = lines.length === 0 ? event : lines.join("\n");
  let value: unknown = data;
  try {
    value = JSON.parse(data);
  } catch {
    // Text that is no JSON is looked at as text.
  }
  if (!isError(event, value)) return event;
  const clean = scrubJson(value, secrets);
  if (clean === value) return event;
  const text = typeof clean === "string" ? clean : JSON.stringify(clean);
  if (lines.length === 0) return text;
  const [first = ""] = event.split(/^data:/m);
  return `${first}${text.replace(/^/gm, "data: ")}\n\n`;
}

/** Text of whole events, without keys in those that tell of a failure. */
export function scrubEvents(text: string, secrets: Secrets): string {
  if (!text.includes("error")) return text;
  return text.replace(wholeEvent, (event) => scrubEvent(event, secrets));
}

/** The same for bytes. Where nothing is replaced they are the same object. */
export function scrubEventBytes(bytes: Buffer, secrets: Secrets): Buffer {
  if (!bytes.includes("error")) return bytes;
  // Each byte is one character here, so that what is no error keeps its bytes, also where they are cut.
  const text = bytes.toString("latin1");
  const clean = text.replace(wholeEvent, (event) => {
    const read = Buffer.from(event, "latin1").toString("utf8");
    const scrubbed = scrubEvent(read, secrets);
    return scrubbed === read ? event : Buffer.from(scrubbed, "utf8").toString("latin1");
  });
  return clean === text ? bytes : Buffer.from(clean, "latin1");
}
