import { isJsonObject } from "@rolecall/core";
import { scrubJson } from "../http/secrets.ts";

type Secrets = readonly (string | undefined)[];

/** An event with all that belongs to it, up to its blank line or the end. */
const wholeEvent = /[\s\S]*?(?:\r\n\r\n|\n\n|\r\r|$)/g;
const dataLine = /^data: ?(.*)$/gm;

/** The event that ends a stream of Responses that failed. */
const failed = "response.failed";

/** Whether an event tells of a failure. */
function isError(event: string, value: unknown): boolean {
  if (/^event: ?error\s*$/m.test(event)) return true;
  if (!isJsonObject(value)) return false;
  const { choices, error, object, type } = value;
  if (type === failed) return true;
  const inChoice =
    Array.isArray(choices) && choices.some((choice) => isJsonObject(choice) && isStated(choice["error"]));
  return type === "error" || object === "error" || isStated(error) || inChoice;
}

/** What an event says about its failure; undefined where it says nothing that can be read. */
function messageOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return typeof value === "string" && value !== "" ? value : undefined;
  const { message, error, choices, response } = value;
  if (value["type"] === failed && isJsonObject(response)) return messageOf(response["error"]);
  if (typeof message === "string") return message;
  if (isStated(error)) return messageOf(error);
  return Array.isArray(choices) ? choices.map(messageOf).find((said) => said !== undefined) : undefined;
}

const isStated = (error: unknown): boolean => error !== undefined && error !== null && error !== false;

/** Beside its error a failed response holds what the model said until then. */
function scrubFailure(value: unknown, secrets: Secrets): unknown {
  if (!isJsonObject(value) || value["type"] !== failed || !isJsonObject(value["response"]))
    return scrubJson(value, secrets);
  const { response } = value;
  const error = scrubJson(response["error"], secrets);
  return error === response["error"] ? value : { ...value, response: { ...response, error } };
}

/** Replaces keys in the events of one stream that tell of a failure. What a model says is left as it is, whatever it looks like. */
export interface EventScrubber {
  /** Of text of whole events. */
  text(text: string): string;
  /** The same for bytes. Where nothing is replaced they are the same object. */
  bytes(bytes: Buffer): Buffer;
  /** What went wrong, once an event told of it. */
  readonly failure: string | undefined;
}

export function createEventScrubber(secrets: Secrets): EventScrubber {
  const scrubEvent = (event: string): string => {
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
    const clean = scrubFailure(value, secrets);
    scrubber.failure ??= messageOf(clean) ?? "the service failed within its stream";
    if (clean === value) return event;
    const text = typeof clean === "string" ? clean : JSON.stringify(clean);
    if (lines.length === 0) return text;
    const [first = ""] = event.split(/^data:/m);
    return `${first}${text.replace(/^/gm, "data: ")}\n\n`;
  };
  const scrubber = {
    failure: undefined as string | undefined,
    text(text: string): string {
      return text.includes("error") ? text.replace(wholeEvent, scrubEvent) : text;
    },
    bytes(bytes: Buffer): Buffer {
      if (!bytes.includes("error")) return bytes;
      // Each byte is one character here, so that what is no error keeps its bytes, also where they are cut.
      const text = bytes.toString("latin1");
      const clean = text.replace(wholeEvent, (event) => {
        const read = Buffer.from(event, "latin1").toString("utf8");
        const scrubbed = scrubEvent(read);
        return scrubbed === read ? event : Buffer.from(scrubbed, "utf8").toString("latin1");
      });
      return clean === text ? bytes : Buffer.from(clean, "latin1");
    },
  };
  return scrubber;
}
