import { DecodeError } from "../errors/index.ts";
import type { Json } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { checkDepth } from "../json/survey.ts";
import type { ModelExchange } from "./chat/exchange.ts";

/** Rises with each change that an older reader would misread. */
const version = 1;

/**
 * What `onExchange` may be set to, so that each exchange becomes a line of JSON: `append` puts a line behind those that are there. Whoever reads it
 * sees all that was said; keys are not in it.
 */
export function createRecorder(append: (line: string) => void): (exchange: ModelExchange) => void {
  return (exchange) => append(`${JSON.stringify({ version, exchange })}\n`);
}

/** The exchanges of lines that a recorder wrote, in their order. Throws a DecodeError with the line of one that is none. */
export function readExchanges(text: string): readonly ModelExchange[] {
  return text.split("\n").flatMap((line, index) => (line.trim() === "" ? [] : [readLine(line, index + 1)]));
}

function readLine(text: string, line: number): ModelExchange {
  const fail = (message: string, path = ""): DecodeError => new DecodeError(path, message, { line, column: 1 });
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    throw fail(`line ${line} is not valid JSON: it may have been cut off when it was written`);
  }
  checkDepth(value);
  if (!isJsonObject(value) || !isJsonObject(value["exchange"])) throw fail(`line ${line} is no recorded exchange`);
  if (value["version"] !== version)
    throw fail(`line ${line} is of a version that this release does not read`, "/version");
  const { exchange } = value;
  const { request, message, losses } = exchange;
  const texts = ["id", "provider", "model", "api"].filter((name) => typeof exchange[name] !== "string");
  if (texts.length > 0) throw fail(`line ${line} lacks ${texts.join(", ")}`, `/exchange/${texts[0]}`);
  if (!isJsonObject(request) || typeof request["url"] !== "string")
    throw fail(`line ${line} lacks its request`, "/exchange/request");
  if (!isJsonObject(message) || !Array.isArray(message["content"]))
    throw fail(`line ${line} lacks its message`, "/exchange/message");
  if (!Array.isArray(losses)) throw fail(`line ${line} lacks its losses`, "/exchange/losses");
  return exchange as unknown as ModelExchange;
}
