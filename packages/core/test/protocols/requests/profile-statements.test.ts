import type { Json, JsonObject, Profile, ProtocolId } from "@rolecall/core";
import { convertRequest, jsonEqual } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { profileShapes } from "../../../src/codec/profile.ts";
import { fallbacks } from "../../protocols.ts";

const schema: JsonObject = { type: "object", properties: {}, required: [], additionalProperties: false };
const pdf = "JVBERi0=";

/** A request of each protocol that uses whatever a profile may deny. */
const bodies: { readonly [protocol in ProtocolId]?: JsonObject } = {
  "anthropic-messages": {
    model: "claude-opus-4-6",
    max_tokens: 5000,
    stream: true,
    temperature: 0.5,
    top_k: 3,
    thinking: { type: "enabled", budget_tokens: 2000 },
    output_config: { effort: "high", format: { type: "json_schema", schema } },
    system: [{ type: "text", text: "s", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "f", strict: true, input_schema: schema }],
    tool_choice: { type: "auto", disable_parallel_tool_use: true },
    messages: [
      {
        role: "user",
        content: [{ type: "document", source: { type: "base64", media_type: "application/pdf", data: pdf } }],
      },
      { role: "assistant", content: [{ type: "tool_use", id: "t1", name: "f", input: {} }] },
      {
        role: "user",
        content: [
          {
            type: "tool_result",
            tool_use_id: "t1",
            content: [{ type: "image", source: { type: "url", url: "https://example.com/a.png" } }],
          },
        ],
      },
      {
        role: "system",
        content: [
          { type: "text", text: "mid" },
          { type: "tool_addition", tool: { type: "tool_definition", definition: { name: "g", input_schema: schema } } },
        ],
      },
      { role: "assistant", content: "pre" },
    ],
  },
  "openai-chat": {
    model: "claude-opus-4-6",
    max_completion_tokens: 5000,
    stream: true,
    stream_options: { include_usage: true },
    temperature: 0.5,
    top_k: 3,
    n: 2,
    reasoning_effort: "high",
    parallel_tool_calls: false,
    response_format: { type: "json_schema", json_schema: { name: "n", strict: true, schema } },
    tools: [
      { type: "function", function: { name: "f", strict: true, parameters: schema } },
      { type: "custom", custom: { name: "c" } },
    ],
    messages: [
      { role: "developer", content: [{ type: "text", text: "s", prompt_cache_breakpoint: { mode: "explicit" } }] },
      {
        role: "user",
        content: [
          { type: "text", text: "a" },
          { type: "file", file: { filename: "f.pdf", file_data: `data:application/pdf;base64,${pdf}` } },
        ],
      },
      {
        role: "assistant",
        content: null,
        tool_calls: [{ id: "t1", type: "function", function: { name: "f", arguments: "{}" } }],
      },
      {
        role: "tool",
        tool_call_id: "t1",
        content: [{ type: "image_url", image_url: { url: "https://example.com/a.png" } }],
      },
      { role: "system", content: "mid" },
      { role: "assistant", content: "pre" },
    ],
  },
};

/** Fields that a protocol has no use for, with the reason. The docs of `Profile` say the same. */
const meaningless: { readonly [protocol in ProtocolId]?: { readonly [field: string]: string } } = {
  "anthropic-messages": {
    supportsDeveloperRole: "it has no such role",
    supportsCustomTools: "it has no free-text tools",
    supportsContentParts: "its content is always blocks",
    supportsStreamOptions: "it has no such field",
    supportsChoices: "it never gives several answers",
  },
  "openai-chat": {
    supportsToolChanges: "its tools come with the request only",
    maxCacheBreakpoints: "its services count marks themselves",
  },
};

/** Denials that lose nothing: what is sent in the place says the same. */
const harmless = ["supportsDeveloperRole", "supportsContentParts", "supportsStreamOptions"];

/** What only a body of another protocol can ask of a target. */
const unasked: { readonly [way: string]: readonly string[] } = {
  "openai-chat to anthropic-messages": ["supportsToolChanges"],
  "anthropic-messages to openai-chat": ["supportsCustomTools", "supportsChoices", "supportsDeveloperRole"],
};

const statements = Object.entries(profileShapes).flatMap(([field, shape]): [string, Json, Json][] => {
  if (shape === "switch") return [[field, true, false]];
  if (shape === "number") return [[field, 9000, field === "maxCacheBreakpoints" ? 0 : 1500]];
  return field === "thinking" ? [[field, "both", "none"]] : [];
});

const ids = Object.keys(bodies) as ProtocolId[];

/** Settings that exclude each other show one at a time. */
function variants(body: JsonObject): JsonObject[] {
  const messages = body["messages"] as readonly Json[];
  const answered = { ...body, messages: messages.slice(0, -1) };
  const { thinking: _thinking, reasoning_effort: _effort, ...calm } = answered as JsonObject;
  const short = { ...body, messages: messages.slice(0, 2) };
  return [body, answered, calm, short];
}

describe.each(ids.flatMap((from) => ids.map((to): [ProtocolId, ProtocolId] => [from, to])))("%s to %s", (from, to) => {
  const outcome = async (body: JsonObject, stated: Profile) => {
    const target = { apiVersion: "2023-06-01", ...stated, fallbacks };
    const { value, losses } = await convertRequest(body, { from, to, target });
    return { value, losses: losses.map(({ code, path }) => `${code} ${path}`).sort() };
  };

  test.each(statements)("%s", async (field, granted, denied) => {
    const effects: string[] = [];
    for (const body of variants(bodies[from] as JsonObject)) {
      const given = await outcome(body, { [field]: granted });
      const withheld = await outcome(body, { [field]: denied });
      const isTold = !jsonEqual(withheld.losses, given.losses);
      if (!jsonEqual(withheld.value, given.value)) effects.push(isTold ? "changed and told" : "changed in silence");
      else if (isTold) effects.push("told alone");
    }
    const isIdle = meaningless[to]?.[field] !== undefined || unasked[`${from} to ${to}`]?.includes(field) === true;
    if (isIdle) expect(effects).toEqual([]);
    else if (harmless.includes(field)) expect(effects).not.toEqual([]);
    else expect(new Set(effects)).toEqual(new Set(["changed and told"]));
  });
});
