import type { Json, JsonObject } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";

/** Keys of Chat under which servers take one thing, each with the one that stands for them all. */
const names: { readonly [key: string]: string | undefined } = {
  max_tokens: "max_completion_tokens",
  random_seed: "seed",
  reasoning: "reasoning_content",
};

/** A cache mark as OpenAI spells it. */
function spelledMark(mark: JsonObject): JsonObject {
  const { type, ...rest } = mark;
  return type === "ephemeral" ? { mode: "explicit", ...rest } : mark;
}

const isNothing = (value: Json | undefined): boolean =>
  value === null || value === "" || (typeof value === "object" && Object.keys(value).length === 0);

const hasTwoNames = new Set(Object.entries(names).flat());

function spelledFields(object: JsonObject): JsonObject {
  const { cache_control: mark, ...rest } = object;
  // Nothing under one name says nothing beside the other.
  const fields = Object.entries(rest).filter(([key, value]) => !hasTwoNames.has(key) || !isNothing(value));
  const said = new Set(fields.map(([key]) => key));
  // What stands under both names says something of its own under each.
  const entries = fields.map(([key, value]) => {
    const name = names[key];
    return [name === undefined || said.has(name) ? key : name, value];
  });
  const takesMark = isJsonObject(mark) && rest["prompt_cache_breakpoint"] === undefined;
  return {
    ...Object.fromEntries(entries),
    ...(takesMark && { prompt_cache_breakpoint: spelledMark(mark) }),
    ...(!takesMark && mark !== undefined && { cache_control: mark }),
  };
}

const mapped = (list: Json | undefined, change: (object: JsonObject) => JsonObject): Json | undefined =>
  Array.isArray(list) ? list.map((item: Json) => (isJsonObject(item) ? change(item) : item)) : list;

/** A Chat body with one name for what servers call differently, so that only what it says is compared. */
export function withOneSpelling(body: JsonObject): JsonObject {
  const messages = mapped(body["messages"], (message) => {
    const content = mapped(message["content"], spelledFields);
    const { prefix, ...rest } = message;
    // The mark of a started answer, which one server wants and others do not know.
    const marked = prefix === undefined || (prefix === true && message["role"] === "assistant") ? {} : { prefix };
    return spelledFields({ ...rest, ...marked, ...(content !== undefined && { content }) });
  });
  const tools = mapped(body["tools"], spelledFields);
  return spelledFields({
    ...body,
    ...(messages !== undefined && { messages }),
    ...(tools !== undefined && { tools }),
  });
}
