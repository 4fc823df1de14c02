import { isJsonObject } from "@rolecall/core";
import { failedType, isErrorEvent, isStated } from "../families/stated-error.ts";
import { scrubJson } from "../http/secrets.ts";

type Secrets = readonly (string | undefined)[];

/** An event with all that belongs to it, up to its blank line or the end. */
const wholeEvent = /[\s\S]*?(?:(?:\r\n|\r(?!\n)|\n){2}|$)/g;
const lineEnd = /\r\n|\r|\n/;

/** Whether the word "error" may stand in a text of JSON, its letters escaped or not. */
const mayTell = /error|\\u00[67]/;

/** What an event says about its failure; undefined where it says nothing that can be read. */
function messageOf(value: unknown): string | undefined {
  if (!isJsonObject(value)) return typeof value === "string" && value !== "" ? value : undefined;
  const { message, error, choices, response } = value;
  if (value["type"] === failedType && isJsonObject(response)) return messageOf(response["error"]);
  if (typeof message === "string") return message;
  if (isStated(error)) return messageOf(error);
  return Array.isArray(choices) ? choices.map(messageOf).find((said) => said !== undefined) : undefined;
}

/** Beside its error a failed response holds what the model said until then. */
function scrubFailure(value: unknown, secrets: Secrets): unknown {
  if (!isJsonObject(value) || value["type"] !== failedType || !isJsonObject(value["response"]))
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
    if (!mayTell.test(event)) return event;
    const lines = event.split(lineEnd);
    const said = lines.filter((line) => line.startsWith("data:")).map((line) => line.slice(line[5] === " " ? 6 : 5));
    // A whole answer under the header of a stream has none.
    const data = said.length === 0 ? event : said.join("\n");
    const name = lines
      .findLast((line) => line.startsWith("event:"))
      ?.slice(6)
      .trim();
    let value: unknown = data;
    try {
      value = JSON.parse(data);
    } catch {
      // Text that is no JSON is looked at as text.
    }
    if (!isErrorEvent(name, value)) return event;
    const clean = scrubFailure(value, secrets);
    scrubber.failure ??= messageOf(clean) ?? "the service failed within its stream";
    if (clean === value) return event;
    const text = typeof clean === "string" ? clean : JSON.stringify(clean);
    if (said.length === 0) return text;
    const others = lines.filter((line) => line !== "" && !line.startsWith("data:"));
    return `${[...others, ...text.split("\n").map((line) => `data: ${line}`)].join("\n")}\n\n`;
  };
  const scrubber = {
    failure: undefined as string | undefined,
    text(text: string): string {
      return mayTell.test(text) ? text.replace(wholeEvent, scrubEvent) : text;
    },
    bytes(bytes: Buffer): Buffer {
      if (!mayHold(bytes)) return bytes;
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

/** So many bytes become a text faster than they are searched. */
const SHORT = 1024;
const BACKSLASH = 0x5c;
/** The end of the word, because a search stops at each first letter, and few letters are as frequent in JSON as an "e". */
const endOfWord = Buffer.from("rror");
const escapes: readonly Buffer[] = ["\\u006", "\\u007"].map((start) => Buffer.from(start));

/** Whether bytes may tell of an error, as JSON does. */
export function mayHold(bytes: Buffer): boolean {
  if (bytes.length <= SHORT) return mayTell.test(bytes.toString("latin1"));
  return bytes.includes(endOfWord) || (bytes.includes(BACKSLASH) && escapes.some((start) => bytes.includes(start)));
}
