import type { ProtocolId } from "../../ir/index.ts";
import type { Model } from "../model.ts";
import type { Entry } from "./entry.ts";
import { hintOf, wrong } from "./entry.ts";
import type { ModelChange, StatedModel } from "./model.ts";
import { readChange } from "./model.ts";

/** What a file says of the models of one provider. */
export interface StatedModels {
  readonly models?: readonly StatedModel[];
  readonly modelOverrides?: readonly (readonly [id: string, entry: Entry])[];
  /** The protocol of the provider, where the file says it. */
  readonly api?: ProtocolId;
}

/** The models of a provider: those that are known, with what the file changes of them, and behind them those that it adds. */
export function mergedModels(
  stated: StatedModels,
  row: { readonly id: string; readonly api: ProtocolId },
  known: readonly Model[],
): readonly Model[] {
  const items = itemsByName(stated.models ?? []);
  const overrides = overridesById(stated, known);
  const kept = known.map((model): Model => {
    const placed = model.type === "chat" && stated.api !== undefined ? { ...model, api: stated.api } : model;
    const item = items.get(nameOf(model));
    const override = overrides.get(model.id);
    if (item !== undefined) return changed(placed, item.change);
    return override === undefined ? placed : changed(placed, readChange(override, model.type));
  });
  const names = new Set(known.map(nameOf));
  const added = [...items].flatMap(([name, { id, type, change }]) =>
    names.has(name) ? [] : [{ type, id, provider: row.id, api: row.api, ...change } as Model],
  );
  return [...kept, ...added];
}

/** Models of several kinds may have one id. */
function nameOf({ type, id }: Pick<Model, "type" | "id">): string {
  return `${type} ${id}`;
}

function itemsByName(models: readonly StatedModel[]): ReadonlyMap<string, StatedModel> {
  const items = new Map<string, StatedModel>();
  for (const model of models) {
    const name = nameOf(model);
    if (items.has(name)) throw wrong(model.entry, "a model of this id and type stands before in this list");
    items.set(name, model);
  }
  return items;
}

function overridesById(
  { models = [], modelOverrides = [] }: StatedModels,
  known: readonly Model[],
): ReadonlyMap<string, Entry> {
  const ids = new Set(known.map(({ id }) => id));
  const items = new Set(models.map(({ id }) => id));
  for (const [id, entry] of modelOverrides) {
    if (!ids.has(id))
      throw wrong(entry, `no such model is known, and a new one stands in models${hintOf(id, [...ids])}`);
    if (items.has(id)) throw wrong(entry, "this model stands in models as well: say there what is other");
  }
  return new Map(modelOverrides);
}

/** A known model with what a file says of it. Headers, levels and what is known of its server are changed one by one. */
function changed(model: Model, change: ModelChange): Model {
  const { headers, compat, thinkingLevels } = change;
  const levels = model.type === "chat" ? model.thinkingLevels : undefined;
  return {
    ...model,
    ...change,
    ...(headers !== undefined && { headers: withHeaders(model.headers, headers) }),
    ...(compat !== undefined && { compat: { ...model.compat, ...compat } }),
    ...(thinkingLevels !== undefined && { thinkingLevels: { ...levels, ...thinkingLevels } }),
  } as Model;
}

/** Headers with others in the place of those of the same name, whatever their case. */
export function withHeaders(
  known: { readonly [name: string]: string } = {},
  stated: { readonly [name: string]: string } = {},
): { readonly [name: string]: string } {
  const names = new Set(Object.keys(stated).map((name) => name.toLowerCase()));
  const kept = Object.entries(known).filter(([name]) => !names.has(name.toLowerCase()));
  return { ...Object.fromEntries(kept), ...stated };
}
