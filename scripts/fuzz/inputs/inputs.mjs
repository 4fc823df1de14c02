import { mutate, mutateText, writeJson } from "./mutate.mjs";
import { Random } from "./random.mjs";
import { mutateStream, writeBytes } from "./streams.mjs";

/** @import { Json } from "@rolecall/core" */
/** @import { Seeds } from "./seeds.mjs" */
/** @import { Target } from "../targets/targets.mjs" */

const profiles = /** @type {Json[]} */ ([
  {
    provider: "mistral",
    model: "m",
    maxOutputTokens: 10,
    toolNamePattern: "^[a-z]+$",
    betas: ["b"],
    thinking: "budget",
  },
  {
    supportsTopK: false,
    supportsStrictTools: false,
    refusedFields: ["top_k"],
    maxCacheBreakpoints: 0,
    fallbacks: { media: "drop" },
  },
  {
    protocol: "openai-chat",
    provider: "openrouter",
    cacheMarks: "none",
    reasoningField: "none",
    toolCallIdPattern: "^[A-Za-z0-9]{9}$",
  },
]);

/**
 * The bodies that inputs of a target are made of.
 * @param {Target} target
 * @param {Seeds} seeds
 * @returns {readonly Json[]}
 */
export function bodiesFor({ kind, id }, seeds) {
  if (kind === "profile") return profiles;
  if (id !== undefined && kind in seeds) return seeds[/** @type {"request"} */ (kind)][id];
  return Object.values(seeds[kind === "json" ? "request" : "stream"]).flat();
}

/**
 * Makes the input of a number: always the same for the same seeds and the same number.
 * @param {readonly Target[]} targets
 * @param {Seeds} seeds
 * @param {number} seed
 * @returns {(index: number) => { target: Target, input: Uint8Array }}
 */
export function createInputs(targets, seeds, seed) {
  const ids = /** @type {(keyof Seeds["request"])[]} */ (Object.keys(seeds.request));
  const kinds = /** @type {const} */ (["request", "response", "stream"]);
  const bodies = new Map(targets.map((target) => [target, bodiesFor(target, seeds)]));
  return (index) => {
    const random = new Random(seed, index);
    const target = /** @type {Target} */ (targets[index % targets.length]);
    // Small ones more often: what goes wrong with a large body mostly goes wrong with a small one, in less time.
    const one = (/** @type {readonly Json[]} */ list) =>
      /** @type {Json} */ (list[random.below(1 + random.below(1 + random.below(list.length)))]);
    // What is grafted on comes from any protocol and any kind of body.
    const other = () => one(seeds[random.of(kinds)][random.of(ids)]);
    const { kind } = target;
    const body = one(/** @type {readonly Json[]} */ (bodies.get(target)));
    if (kind === "stream" || kind === "sse")
      return { target, input: writeBytes(mutateStream(body, other, random), random) };
    let text = writeJson(mutate(body, other, random));
    if (random.below(kind === "json" ? 2 : 8) === 0) text = mutateText(text, random);
    return { target, input: random.below(16) === 0 ? writeBytes(text, random) : new TextEncoder().encode(text) };
  };
}
