// What is done with each input, and what must hold of it. The targets are named after what they decode.

import { protocolIds } from "../core.mjs";
import { bodyTarget } from "./body.mjs";
import { checkTarget } from "./check.mjs";
import { checkErrorBody } from "./error.mjs";
import { checkJsonText } from "./json.mjs";
import { checkProfileValue } from "./profile.mjs";
import { checkSse } from "./sse.mjs";
import { streamTarget } from "./stream.mjs";

/** @import { Core, Id } from "../core.mjs" */
/** @import { Kind } from "../inputs/seeds.mjs" */

/**
 * @typedef {object} Target
 * @property {string} name
 * @property {Kind | "sse" | "json" | "profile"} kind of the input
 * @property {Id} [id] the protocol that the input is in
 * @property {(input: Uint8Array) => void | Promise<void>} check throws a `Finding`
 */

/**
 * @param {Core} core
 * @returns {readonly Target[]}
 */
export function createTargets(core) {
  return [
    ...protocolIds.flatMap((id) => [
      { name: `${id}-request`, kind: /** @type {const} */ ("request"), id, check: bodyTarget(core, id, "request") },
      { name: `${id}-response`, kind: /** @type {const} */ ("response"), id, check: bodyTarget(core, id, "response") },
      { name: `${id}-stream`, kind: /** @type {const} */ ("stream"), id, check: streamTarget(core, id) },
      { name: `${id}-check`, kind: /** @type {const} */ ("request"), id, check: checkTarget(core, id) },
      { name: `${id}-error`, kind: /** @type {const} */ ("error"), id, check: checkErrorBody(core, id) },
    ]),
    { name: "sse", kind: "sse", check: checkSse(core) },
    { name: "json", kind: "json", check: checkJsonText(core) },
    { name: "profile", kind: "profile", check: checkProfileValue(core) },
  ];
}
