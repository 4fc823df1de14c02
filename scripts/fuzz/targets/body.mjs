import { protocolIds } from "../core.mjs";
import { attempt, demand, firstDifference } from "../finding.mjs";

/** @import { Core, Id } from "../core.mjs" */
/** @import { Converter } from "@rolecall/core" */

const shown = (/** @type {unknown} */ value) => JSON.stringify(value)?.slice(0, 300);

/**
 * A request or response of a protocol, to each protocol. What has its URL or headers beside it is taken as a request over HTTP.
 * @param {Core} core
 * @param {Id} id
 * @param {"request" | "response"} kind
 * @returns {(input: Uint8Array) => void}
 */
export function bodyTarget({ createConverter, jsonEqual, protocols, readJsonBytes }, id, kind) {
  const converters = protocolIds.map((other) =>
    kind === "request"
      ? createConverter(protocols[id], protocols[other])
      : createConverter(protocols[other], protocols[id]),
  );
  /** @type {(converter: Converter, body: any) => { value: any, losses: readonly import("@rolecall/core").Loss[] }} */
  const convert = (converter, body) =>
    kind === "request" ? converter.convertRequest(body) : converter.convertResponse(body);

  return (input) => {
    const read = attempt(() => readJsonBytes(input));
    // Which target is looked at twice depends on the input alone.
    const turn = input.length % protocolIds.length;
    if (read.error !== undefined) {
      const refused = attempt(() => convert(/** @type {Converter} */ (converters[turn]), input));
      demand(refused.error?.message === read.error.message, "unread", () => "bytes that are no JSON are converted");
      return;
    }
    // A text would be read as JSON once more.
    const body = /** @type {any} */ (typeof read.value === "string" ? input : read.value);
    const before = JSON.stringify(body);
    const own = attempt(() => convert(/** @type {Converter} */ (converters[protocolIds.indexOf(id)]), body));
    // What cannot be decoded is refused whatever the target is.
    const isRefused = own.error?.code === "decode";
    for (const [index, converter] of converters.entries()) {
      if (isRefused && index !== turn) continue;
      const result = protocolIds[index] === id ? own : attempt(() => convert(converter, body));
      demand(!isRefused || result.error !== undefined, "refused", () => "refused toward one protocol alone");
      if (result.error !== undefined) {
        demand(
          result.error.message.length < 2000,
          "message",
          () => `a message of ${result.error.message.length} characters`,
        );
        continue;
      }
      const { value, losses } = result.value;
      const written = JSON.stringify(value);
      const isHttp = kind === "request" && typeof body === "object" && "body" in body;
      if (protocolIds[index] === id && losses.length === 0) {
        // Of what stands beside a body only what belongs to a protocol is read.
        const [left, right] = isHttp ? [value.body, body.body] : [value, body];
        demand(jsonEqual(left, right), "silent", () => `changed in silence: ${shown(left)}`);
      }
      if (index !== turn) continue;
      if (kind === "response") attempt(() => converter.streamResponse(body));
      // The second time as the bytes that a service sends, where the input may be these.
      const again = attempt(() => convert(converter, isHttp ? JSON.parse(before) : input));
      demand(again.error === undefined, "again", () => `the second time it is refused: ${again.error?.message}`);
      const text = isHttp ? JSON.stringify(again.value?.value) : new TextDecoder().decode(again.value?.value);
      demand(
        text === written,
        "again",
        () => `the second time it gives something else: ${firstDifference(text, written)}`,
      );
    }
    demand(JSON.stringify(body) === before, "input", () => "the input was changed");
  };
}
