import type { Conversation, Loss } from "@rolecall/core";
import { valueAt } from "@rolecall/core";
import type { ModelReference } from "@rolecall/core/check";
import { previewSwitch } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";
import { protocolOf } from "../protocols.ts";

const request = {
  model: "claude-opus-4-8",
  max_tokens: 100,
  system: [{ type: "text", text: "Be brief.", cache_control: { type: "ephemeral" } }],
  messages: [
    { role: "user", content: "Read a.txt" },
    {
      role: "assistant",
      content: [
        { type: "thinking", thinking: "I read it.", signature: "c2ln" },
        { type: "tool_use", id: "toolu_1", name: "read", input: {} },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: "toolu_1", content: "text" }] },
  ],
  tools: [
    { name: "read", input_schema: { type: "object", properties: {} } },
    { type: "web_search_20250305", name: "web_search" },
  ],
};

const claude: ModelReference = { protocol: "anthropic-messages", provider: "anthropic", model: "claude-opus-4-8" };
const conversation: Conversation = protocolOf("anthropic-messages").decodeRequest({ body: request }).value;
const listed = (losses: readonly Loss[]): string[] => losses.map(({ code, path }) => `${code} ${path}`);

describe("another protocol", () => {
  const to: ModelReference = { protocol: "openai-chat", provider: "openai", model: "example" };

  test("of a conversation: what is lost, with places in the conversation", async () => {
    const { losses, groups, findings } = await previewSwitch(conversation, claude, to);
    expect(listed(losses)).toEqual(
      expect.arrayContaining(["reasoning.foreign /messages/2/content/0", "tool.server /messages/0/toolsAdded/1"]),
    );
    for (const { path } of losses) if (path !== "") expect(valueAt(conversation, path)).toBeDefined();
    expect(groups.map(({ code }) => code)).toContain("reasoning.foreign");
    expect(findings).toEqual([]);
  });

  test("of a request: the same, with places in the request", async () => {
    const { losses } = await previewSwitch(request, claude, to);
    const inConversation = await previewSwitch(conversation, claude, to);
    expect(losses.map(({ code }) => code).sort()).toEqual(inConversation.losses.map(({ code }) => code).sort());
    expect(listed(losses)).toContain("tool.server /tools/1");
    for (const { path } of losses) if (path !== "") expect(valueAt(request, path)).toBeDefined();
  });

  test("that cannot do what is asked for: a finding, and no losses", async () => {
    const chat = { model: "m", n: 2, messages: [{ role: "user", content: "hi" }] };
    const from: ModelReference = { protocol: "openai-chat" };
    const { losses, findings } = await previewSwitch(chat, from, { protocol: "anthropic-messages" });
    expect(losses).toEqual([]);
    expect(findings).toMatchObject([{ rule: "X8", severity: "error", path: "/n" }]);
    const value = protocolOf("openai-chat").decodeRequest({ body: chat }).value;
    const again = await previewSwitch(value, from, { protocol: "anthropic-messages" });
    expect(again.findings).toMatchObject([{ rule: "X8", path: "/settings/n" }]);
  });
});

describe("another model of the same service", () => {
  const to: ModelReference = { ...claude, model: "claude-sonnet-5" };

  test("may refuse reasoning that is bound to what came before it", async () => {
    const { losses, findings } = await previewSwitch(conversation, claude, to);
    expect(losses).toEqual([]);
    expect(findings).toMatchObject([{ rule: "A9", severity: "warning", path: "/messages/2/content/0" }]);
    expect((await previewSwitch(request, claude, to)).findings).toMatchObject([
      { rule: "A9", path: "/messages/1/content/0" },
    ]);
  });

  test("is no switch where it is the same", async () => {
    expect(await previewSwitch(request, claude, claude)).toEqual({ losses: [], groups: [], findings: [] });
  });

  test("may refuse a setting", async () => {
    const sampled = { ...request, model: "claude-sonnet-4-5", temperature: 1 };
    const from = { ...claude, model: "claude-sonnet-4-5", supportsSampling: true };
    const { losses, findings } = await previewSwitch(sampled, from, to);
    const told = [...listed(losses), ...findings.map(({ rule, path }) => `${rule} ${path}`)];
    expect(told).toContain("setting.no_counterpart /temperature");
  });
});

describe("another service of the same protocol", () => {
  const to: ModelReference = { protocol: "anthropic-messages", provider: "another" };

  test("gets no opaque state, also where only the reference names the issuer", async () => {
    for (const input of [conversation, request]) {
      const { losses, findings } = await previewSwitch(input, claude, to);
      expect(losses.map(({ code }) => code)).toEqual(["reasoning.foreign"]);
      expect(findings.filter(({ rule }) => rule === "A9")).toEqual([]);
    }
  });

  test("gets no payloads in fields of no protocol", async () => {
    const body = {
      model: "m",
      messages: [
        { role: "user", content: "hi" },
        { role: "assistant", content: "hello", reasoning_opaque: "c2ln" },
        { role: "user", content: "go on" },
      ],
    };
    const from: ModelReference = { protocol: "openai-chat", provider: "one" };
    const other: ModelReference = { protocol: "openai-chat", provider: "two" };
    const value = protocolOf("openai-chat").decodeRequest({ body }).value;
    expect(listed((await previewSwitch(value, from, other)).losses)).toEqual(["state.foreign /messages/1"]);
    expect(listed((await previewSwitch(body, from, other)).losses)).toEqual([
      "state.foreign /messages/1/reasoning_opaque",
    ]);
    expect((await previewSwitch(value, from, from)).losses).toEqual([]);
  });

  test("changes no input", async () => {
    const before = JSON.stringify(conversation);
    await previewSwitch(conversation, claude, to);
    expect(JSON.stringify(conversation)).toBe(before);
  });
});
