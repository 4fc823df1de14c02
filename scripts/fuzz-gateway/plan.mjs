// What happens in each exchange. Client, service and judge work it out from its number, so that all of them know.
import { protocols } from "../traffic/protocols.mjs";
import { createRandom, pickOf } from "../traffic/random.mjs";
import { clientTricks } from "./client-tricks.mjs";
import { variants } from "./exchange.mjs";
import { serviceTricks } from "./service-tricks.mjs";

/** @typedef {import("./exchange.mjs").Expected} Expected */
/** @typedef {import("./exchange.mjs").Plan} Plan */

/** @param {Expected} client @param {Expected} service @returns {Expected} */
function together(client, service) {
  if (client === "exact") return service;
  if (service === "exact" || client === "refused") return client;
  return "any";
}

const names = { client: Object.keys(clientTricks), service: Object.keys(serviceTricks) };

/** @param {number} seed @param {number} number @returns {Plan} */
export function planOf(seed, number) {
  const random = createRandom(seed * 1_000_003 + number * 7919);
  const kind = random();
  // A third is plain, a third has an odd client, and a third an odd service; now and then both are.
  const hasClient = kind >= 0.33 && (kind < 0.66 || kind > 0.95);
  const hasService = kind >= 0.66;
  const client = pickOf(protocols, random());
  const service = pickOf(protocols, random());
  const serviceTrick = hasService ? pickOf(names.service, random()) : "plain";
  const drawn = hasClient ? pickOf(names.client, random()) : "plain";
  // What is small comes at once.
  const clientTrick = serviceTricks[serviceTrick]?.early === true ? "a large body" : drawn;
  const mark = `fz-${number}-z`;
  const stream = random() < 0.5;
  return {
    number,
    mark,
    client,
    service,
    stream,
    variant: Math.floor(random() * variants.length),
    clientTrick,
    serviceTrick,
    key: `sk-client-${number}-0123456789`,
    expected: together(
      read(clientTricks[clientTrick]?.expected ?? "exact", client === service),
      expectedOf(serviceTricks[serviceTrick]?.expected ?? "exact", stream),
    ),
  };
}

/** @param {Expected} expected @param {boolean} isSame @returns {Expected} */
const read = (expected, isSame) => (expected !== "unread" ? expected : isSame ? "any" : "refused");

/** @param {Expected | { stream: Expected, whole: Expected }} expected @param {boolean} stream @returns {Expected} */
const expectedOf = (expected, stream) =>
  typeof expected === "string" ? expected : stream ? expected.stream : expected.whole;

/** @param {Plan} plan */
export const isHostile = ({ clientTrick, serviceTrick }) => clientTrick !== "plain" || serviceTrick !== "plain";
