import { protocolIds } from "../core.mjs";
import { attempt, demand } from "../finding.mjs";

/** @import { Core, Id } from "../core.mjs" */

/**
 * The body of an HTTP error of a protocol, toward each protocol: as bytes and, where it is JSON, as a value.
 * @param {Core} core
 * @param {Id} id
 * @returns {(input: Uint8Array) => void}
 */
export function checkErrorBody({ createConverter, jsonEqual, protocols, readJsonBytes }, id) {
  const converters = protocolIds.map((other) => createConverter(protocols[other], protocols[id]));
  return (input) => {
    const status = 400 + (input.length % 130);
    const headers = { "retry-after": String(input.length), "x-request-id": "r1", "content-type": "application/json" };
    const read = attempt(() => readJsonBytes(input));
    const before = JSON.stringify(read.value);
    for (const [index, converter] of converters.entries()) {
      const result = attempt(() => converter.convertError({ status, headers, body: input }));
      if (index === input.length % protocolIds.length) {
        const again = attempt(() => converter.convertError({ status, headers, body: input }));
        demand(
          JSON.stringify(result.value) === JSON.stringify(again.value),
          "again",
          () => "the same error gives something else the second time",
        );
      }
      if (read.error !== undefined || protocolIds[index] !== id) continue;
      const own = attempt(() => converter.convertError({ status, headers, body: read.value }));
      if (typeof read.value === "object" && read.value !== null && own.value !== undefined)
        demand(jsonEqual(own.value.value.body, read.value), "silent", () => "an error of the same protocol is changed");
    }
    demand(JSON.stringify(read.value) === before, "input", () => "the input was changed");
  };
}
