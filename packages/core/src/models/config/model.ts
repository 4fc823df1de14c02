import type { ChatModel, ModelType, Price, PriceTier } from "../model.ts";
import { thinkingLevels } from "../model.ts";
import type { Entry, Fields, Read } from "./entry.ts";
import { entriesOf, itemsOf, readFields, wrong } from "./entry.ts";
import {
  readAmount,
  readApi,
  readCompat,
  readCount,
  readHeaders,
  readProtocol,
  readSwitch,
  readUrl,
  readWord,
  readWords,
} from "./fields.ts";
import { readText } from "./variable.ts";

/** What a file may say of a model that is known; the last two of a chat model alone. */
export interface ModelChange
  extends Partial<
      Pick<
        ChatModel,
        "name" | "baseUrl" | "headers" | "contextWindow" | "maxTokens" | "input" | "output" | "cost" | "compat"
      >
    >,
    Partial<Pick<ChatModel, "reasoning" | "thinkingLevels">> {
  readonly api?: string;
}

/** A model as a file states it, where it may be one that is known. */
export interface StatedModel {
  readonly type: ModelType;
  readonly id: string;
  readonly change: ModelChange;
  readonly entry: Entry;
}

const modalities = ["text", "image", "audio", "video", "pdf"] as const;

type Tier = PriceTier & { readonly above: number };

const tierFields: Fields<PriceTier> = {
  input: readAmount,
  output: readAmount,
  cacheRead: readAmount,
  cacheWrite: readAmount,
  cacheWrite1h: readAmount,
};

const readTiers: Read<readonly Tier[]> = (entry) => {
  const items = itemsOf(entry, "tiers");
  const tiers = items.map((item) => priced<Tier>(item, "a tier", { ...tierFields, above: readCount }, ["above"]));
  const place = tiers.findIndex(({ above }, index) => index > 0 && above <= (tiers[index - 1] as Tier).above);
  if (place >= 0) throw wrong(items[place] as Entry, "tiers stand in rising order of above");
  return tiers;
};

const readPrice: Read<Price> = (entry) =>
  priced<Price>(entry, "cost", {
    ...tierFields,
    tiers: readTiers,
    perImage: readAmount,
    source: readText,
    date: readText,
  });

function priced<T extends PriceTier>(entry: Entry, what: string, fields: Fields<T>, more: readonly string[] = []): T {
  const price = readFields<T>(entry, what, fields);
  for (const name of ["input", "output", ...more])
    if (!Object.hasOwn(price, name)) throw wrong(entry, `${what} lacks ${name}`);
  return price as T;
}

const readLevel: Read<string | number | null> = (entry) => {
  const { value } = entry;
  if (value === null || value === 0) return value;
  return typeof value === "number" ? readCount(entry) : readText(entry);
};

type Levels = NonNullable<ChatModel["thinkingLevels"]>;

const levelFields = Object.fromEntries(thinkingLevels.map((level) => [level, readLevel])) as Fields<Levels>;

const commonFields = {
  name: readText,
  api: readApi,
  baseUrl: readUrl,
  headers: readHeaders,
  contextWindow: readCount,
  maxTokens: readCount,
  input: readWords(modalities),
  output: readWords(modalities),
  cost: readPrice,
  compat: readCompat,
};

const chatFields: Fields<ModelChange> = {
  ...commonFields,
  api: readProtocol,
  reasoning: readSwitch,
  thinkingLevels: (entry) => readFields<Levels>(entry, "thinkingLevels", levelFields),
};

function fieldsOf(type: ModelType): Fields<ModelChange> {
  return type === "chat" ? chatFields : (commonFields as unknown as Fields<ModelChange>);
}

const whatIs: { readonly [T in ModelType]: string } = {
  chat: "a chat model",
  classifier: "a classifier",
  image: "an image model",
};

/** What a file changes of a model of some kind. */
export function readChange(entry: Entry, type: ModelType): ModelChange {
  return readFields<ModelChange>(entry, whatIs[type], fieldsOf(type));
}

const readType = readWord<ModelType>(["chat", "classifier", "image"]);

/** The model of an item of `models`. */
export const readModel: Read<StatedModel> = (entry) => {
  const stated = new Map(entriesOf(entry, "a model"));
  const typeEntry = stated.get("type");
  const type = typeEntry === undefined ? "chat" : readType(typeEntry);
  if (!stated.has("id")) throw wrong(entry, "a model lacks its id");
  const fields = { ...fieldsOf(type), id: readText, type: readType };
  const {
    id,
    type: _,
    ...change
  } = readFields<ModelChange & { id: string; type: ModelType }>(entry, whatIs[type], fields);
  return { type, id: id as string, change, entry };
};
