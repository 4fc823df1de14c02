import type { CatalogRow, PriceTier } from "../src/index.ts";

const TYPES = ["chat", "classifier", "image"];
const APIS = ["openai-chat", "openai-responses", "anthropic-messages", "gemini-generate-content", "openai-images"];
const MODALITIES = ["text", "image", "audio", "video", "pdf"];
const LEVELS = ["off", "minimal", "low", "medium", "high", "xhigh", "max"];

const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && Number(value) > 0;
const isPrice = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value) && value >= 0;
const isFlag = (value: unknown): boolean => typeof value === "boolean";
const isOneOf = (values: readonly string[]) => (value: unknown) => values.includes(String(value));

const isDate = (value: unknown): boolean =>
  typeof value === "string" &&
  /^\d{4}-\d{2}-\d{2}$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);

const isSource = (value: unknown): boolean =>
  typeof value === "string" &&
  value.split(" ").every((part) => /^(npm:(@[\w-]+\/)?[\w.-]+@\d[\w.-]*|https:\/\/\S+)$/.test(part));

const isListOf = (values: readonly string[]) => (value: unknown) =>
  Array.isArray(value) && value.length > 0 && new Set(value).size === value.length && value.every(isOneOf(values));

type Shape = Readonly<Record<string, (value: unknown) => boolean>>;

/** Whether a value has the members of a shape and no others; those whose name ends with `?` may be absent. */
function hasShape(value: unknown, shape: Shape): value is object {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return false;
  const members = new Map(Object.entries(value));
  const known = Object.entries(shape).every(([key, check]) => {
    const name = key.replace("?", "");
    const isThere = members.has(name);
    const member = members.get(name);
    members.delete(name);
    return isThere ? check(member) : key.endsWith("?");
  });
  return known && members.size === 0;
}

const TIER: Shape = { input: isPrice, output: isPrice, "cacheRead?": isPrice, "cacheWrite?": isPrice };

function isTiers(value: unknown): boolean {
  if (!Array.isArray(value) || value.length === 0) return false;
  const tiers: (PriceTier & { above: number })[] = value;
  return tiers.every(
    (tier, index) => hasShape(tier, { ...TIER, above: isCount }) && tier.above > (tiers[index - 1]?.above ?? 0),
  );
}

const isCost = (value: unknown): boolean =>
  hasShape(value, {
    ...TIER,
    "cacheWrite1h?": isPrice,
    "perImage?": isPrice,
    "tiers?": isTiers,
    source: isSource,
    date: isDate,
  });

const isMedia = (value: unknown): boolean =>
  hasShape(value, { "maxImages?": isCount, "maxImageBytes?": isCount, "maxRequestBytes?": isCount }) &&
  Object.keys(value).length > 0;

const isLevels = (value: unknown): boolean =>
  typeof value === "object" &&
  value !== null &&
  Object.keys(value).length > 0 &&
  Object.entries(value).every(
    ([level, word]) =>
      LEVELS.includes(level) && (word === null || isText(word) || (Number.isSafeInteger(word) && word >= 0)),
  );

const ROW: Shape = {
  id: isText,
  "name?": isText,
  type: isOneOf(TYPES),
  provider: isText,
  api: isOneOf(APIS),
  "contextWindow?": isCount,
  "maxTokens?": isCount,
  "input?": isListOf(MODALITIES),
  "output?": isListOf(MODALITIES),
  "media?": isMedia,
  "cost?": isCost,
  "reasoning?": isFlag,
  "thinkingLevels?": isLevels,
  "released?": isDate,
  "deprecated?": isDate,
  source: isSource,
  date: isDate,
} satisfies { readonly [K in keyof Required<CatalogRow> as K | `${K}?`]?: (value: unknown) => boolean };

/** Whether a value is a row of the catalogue: every member of its kind, none that the type does not have. */
export function isRow(value: unknown): value is CatalogRow {
  return hasShape(value, ROW);
}
