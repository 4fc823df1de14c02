// One exchange of a fuzz test: what it says, and how its request is written.
import { families } from "../traffic/protocols.mjs";

/** @typedef {import("../traffic/protocols.mjs").Protocol} Protocol */
/**
 * What must come of an exchange: `exact` the bytes that a plain exchange gives; `failed` no answer that could be taken for complete; `refused`
 * an error, and the service not asked; `unread` the same, but that a service of the client's own protocol may be asked, which then reads what is
 * wrong; `any` whatever is well-formed.
 * @typedef {"exact" | "failed" | "refused" | "unread" | "any"} Expected
 */
/**
 * @typedef {object} Plan
 * @property {number} number
 * @property {string} mark stands in all that the exchange says, and in nothing else
 * @property {Protocol} client
 * @property {Protocol} service
 * @property {boolean} stream
 * @property {number} variant of what is said
 * @property {string} clientTrick
 * @property {string} serviceTrick
 * @property {Expected} expected
 * @property {string} key of this client
 */

/** Key of the gateway at its services. */
export const serviceKey = "sk-service-0123456789abcdef0123";
/** In each answer of a service that tells what nobody may read. */
export const secrets = /** @type {const} */ ([serviceKey, "sk-proj-9f8e7d6c5b4a39281706"]);

/** What must not go out, and is told in an error of its own. */
export const limits = {
  body: 256 << 10,
  headers: 16 << 10,
  answer: 512 << 10,
  reports: 50,
  reportBytes: 1 << 20,
  // Full before the first look at the memory, so that what is kept of conversations is no growth.
  historyBytes: 2 << 20,
};
export const timeouts = { connect: 2000, firstByte: 1200, idle: 1200, total: 6000, drain: 1000 };

export const variants = [
  ["plain ", "words ", "of a model."],
  ["héllo 🎉 ", '"quoted" \\ back\n', "日本語 \u2028 \u{1f469}\u200d\u{1f680}", "\ttab & <b>"],
  ["lorem ipsum dolor sit amet, ".repeat(40), "consectetur ".repeat(60), "end"],
];

/** The texts that the service says, piece by piece. @param {Plan} plan */
export function textsOf({ mark, variant }) {
  return (variants[variant] ?? []).map((text, index) => `[${mark}:${index}]${text}`);
}

/** What the client asks. @param {Plan} plan */
export function questionOf({ mark, variant }) {
  return `ask ${mark} ${(variants[(variant + 1) % 3] ?? []).join("")}`;
}

/** Mark of the request that is smuggled with another. @param {Plan} plan */
export const smuggledMark = ({ number }) => `sx-${number}-x`;

/** A request that the client sends where nothing is odd. @param {Plan} plan */
export function bodyOf(plan) {
  return JSON.stringify(families[plan.client].body(plan.mark, questionOf(plan), plan.stream));
}

/**
 * The head of a request.
 * @param {Plan} plan @param {string} host @param {readonly string[]} [more] further lines
 * @param {{ method?: string, target?: string, version?: string }} [line]
 */
export function headOf(plan, host, more = [], line = {}) {
  const { method = "POST", target = families[plan.client].path(plan.mark, plan.stream), version = "HTTP/1.1" } = line;
  const lines = [`${method} ${target} ${version}`, `host: ${host}`, `authorization: Bearer ${plan.key}`];
  if (method === "POST") lines.push("content-type: application/json");
  return `${[...lines, ...more].join("\r\n")}\r\n\r\n`;
}

/** The length of a body as a header. @param {string | Buffer} body */
export const lengthOf = (body) => `content-length: ${Buffer.byteLength(body)}`;

/** A whole request. @param {Plan} plan @param {string} host @param {string | Buffer} [body] @param {readonly string[]} [more] */
export function requestOf(plan, host, body = bodyOf(plan), more = []) {
  return Buffer.concat([Buffer.from(headOf(plan, host, [lengthOf(body), ...more])), Buffer.from(body)]);
}
