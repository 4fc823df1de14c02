// Rows of the catalogue, from what the pinned source says and the overrides beside this file.
import { readFileSync } from "node:fs";
import { additions, overrides } from "./overrides.mjs";

/** @typedef {import("../../packages/catalog/src/row.ts").CatalogRow} CatalogRow */
/** @typedef {import("../../packages/catalog/src/row.ts").ChatRow} ChatRow */

/** @typedef {{ input: number, output: number, cacheRead?: number, cacheWrite?: number }} SourceTier */

/**
 * @typedef {object} SourceModel
 * @property {"chat" | "classifier" | "image"} type
 * @property {string} id
 * @property {string} name
 * @property {boolean} [reasoning]
 * @property {("text" | "image")[]} input
 * @property {("text" | "image")[]} [output]
 * @property {number} [contextWindow]
 * @property {number} [maxTokens]
 * @property {SourceTier & { tiers?: (SourceTier & { inputTokensAbove: number })[] }} cost
 * @property {CatalogRow["thinkingLevels"]} [thinkingLevelMap]
 * @property {{ maxRequestBytes?: number, images?: { maxPerRequest?: number } }} [inputLimits]
 */

const packageName = "@earendil-works/pi-ai";

/**
 * The providers of the catalogue, each with its name in the source and the protocol that its service is asked in. Services that the library knows
 * by name are asked as it asks them; the others as the source does.
 * @type {Readonly<Record<string, { file?: string, api: ChatRow["api"] }>>}
 */
const providers = {
  "ant-ling": { api: "openai-chat" },
  anthropic: { api: "anthropic-messages" },
  baseten: { api: "openai-chat" },
  cerebras: { api: "openai-chat" },
  "cloudflare-workers-ai": { api: "openai-chat" },
  deepseek: { api: "openai-chat" },
  fireworks: { api: "openai-chat" },
  google: { api: "gemini-generate-content" },
  "google-vertex": { api: "gemini-generate-content" },
  groq: { api: "openai-chat" },
  huggingface: { api: "openai-chat" },
  meta: { api: "openai-responses" },
  minimax: { api: "anthropic-messages" },
  mistral: { api: "openai-chat" },
  moonshot: { file: "moonshotai", api: "openai-chat" },
  nvidia: { api: "openai-chat" },
  openai: { api: "openai-responses" },
  openrouter: { api: "openai-chat" },
  together: { api: "openai-chat" },
  "vercel-ai-gateway": { api: "anthropic-messages" },
  xai: { api: "openai-chat" },
  xiaomi: { api: "openai-chat" },
  zai: { api: "openai-chat" },
};

const dist = new URL(".", import.meta.resolve(packageName));

/**
 * @param {string} name below the source's folder `dist`
 * @returns {unknown}
 */
const readSource = (name) => JSON.parse(readFileSync(new URL(name, dist), "utf8"));

const { version } = /** @type {{ version: string }} */ (readSource("../package.json"));
const { generatedAt } = /** @type {{ generatedAt: string }} */ (readSource("providers/data/.manifest.json"));

/** Where most of the catalogue is from, and the day on which that was made. */
export const source = `npm:${packageName}@${version}`;
export const date = generatedAt.slice(0, 10);

/**
 * @param {string} file
 * @returns {SourceModel[]}
 */
function modelsOf(file) {
  const groups = /** @type {Record<string, Record<string, SourceModel>>} */ (readSource(`providers/data/${file}.json`));
  // Classifiers are asked in protocols of their own.
  return Object.values(groups).flatMap((models) => Object.values(models).filter(({ type }) => type !== "classifier"));
}

/** The windows that OpenRouter tells of OpenAI's models. */
const windows = new Map(modelsOf("openrouter").map(({ id, contextWindow }) => [id, contextWindow]));

/**
 * The source ends the window of a model of OpenAI where its higher prices begin, which is the choice of one client.
 * @param {string} provider
 * @param {SourceModel} model
 */
function windowOf(provider, { id, contextWindow, cost }) {
  if (provider !== "openai" || contextWindow !== cost.tiers?.[0]?.inputTokensAbove) return contextWindow;
  return windows.get(`openai/${id}`);
}

/**
 * Of a price for caching, 0 says that there is none or that nobody knows it.
 * @param {SourceTier} tier
 */
const tierOf = ({ input, output, cacheRead, cacheWrite }) => ({
  input,
  output,
  ...(cacheRead && { cacheRead }),
  ...(cacheWrite && { cacheWrite }),
});

/**
 * @param {SourceModel} model
 * @returns {CatalogRow["cost"]}
 */
function priceOf({ id, cost }) {
  if (cost.input === 0 && cost.output === 0 && !id.endsWith(":free")) return undefined;
  const tiers = cost.tiers
    ?.map((tier) => ({ above: tier.inputTokensAbove, ...tierOf(tier) }))
    .sort((a, b) => a.above - b.above);
  return { ...tierOf(cost), ...(tiers && { tiers }), source, date };
}

/**
 * The two highest levels exist only where the source names them; of the others, one that it does not name is unknown.
 * @param {SourceModel} model
 */
const levelsOf = ({ reasoning, thinkingLevelMap }) =>
  reasoning ? { thinkingLevels: inOrder({ xhigh: null, max: null, ...thinkingLevelMap }) } : {};

/** @param {NonNullable<CatalogRow["thinkingLevels"]>} levels */
function inOrder(levels) {
  const order = /** @type {const} */ (["off", "minimal", "low", "medium", "high", "xhigh", "max"]);
  return Object.fromEntries(order.flatMap((level) => (levels[level] === undefined ? [] : [[level, levels[level]]])));
}

/** @param {SourceModel} model */
function mediaOf({ inputLimits }) {
  const maxImages = inputLimits?.images?.maxPerRequest;
  const maxRequestBytes = inputLimits?.maxRequestBytes;
  const media = { ...(maxImages && { maxImages }), ...(maxRequestBytes && { maxRequestBytes }) };
  return Object.keys(media).length > 0 ? { media } : {};
}

/**
 * @param {string} provider
 * @param {SourceModel} model
 * @returns {CatalogRow}
 */
function rowOf(provider, model) {
  const api = /** @type {{ api: ChatRow["api"] }} */ (providers[provider]).api;
  const { id, name, type, maxTokens, input, output, reasoning } = model;
  const contextWindow = windowOf(provider, model);
  const cost = priceOf(model);
  return {
    id,
    name,
    type,
    provider,
    api,
    ...(contextWindow && { contextWindow }),
    ...(maxTokens && { maxTokens }),
    input,
    ...(output && { output }),
    ...mediaOf(model),
    ...(cost && { cost }),
    ...(reasoning !== undefined && { reasoning }),
    ...levelsOf(model),
    source,
    date,
  };
}

/**
 * @param {CatalogRow} row
 * @returns {CatalogRow}
 */
function overridden(row) {
  let known = row;
  for (const { provider, models, facts, source, date } of overrides) {
    if (provider !== row.provider || !models.test(row.id)) continue;
    const thinkingLevels = facts.thinkingLevels && inOrder({ ...known.thinkingLevels, ...facts.thinkingLevels });
    known = {
      ...known,
      ...facts,
      ...(thinkingLevels && { thinkingLevels }),
      source: `${known.source} ${source}`,
      date,
    };
  }
  return known;
}

/**
 * All rows by provider, sorted by id. A model that the source lists for several operations is one row, that of the first.
 * @returns {Map<string, CatalogRow[]>}
 */
export function catalog() {
  return new Map(
    Object.entries(providers).map(([provider, { file = provider }]) => {
      /** @type {Map<string, CatalogRow>} */
      const rows = new Map();
      const listed = modelsOf(file).map((model) => overridden(rowOf(provider, model)));
      for (const row of [...listed, ...additions.filter((addition) => addition.provider === provider)])
        if (!rows.has(row.id)) rows.set(row.id, row);
      return [provider, [...rows.values()].sort((a, b) => (a.id < b.id ? -1 : 1))];
    }),
  );
}
