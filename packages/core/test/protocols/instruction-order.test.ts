import type { Conversation, JsonObject, Message, Profile } from "@rolecall/core";
import { convertRequest, loadProtocol } from "@rolecall/core";
import fc from "fast-check";
import { describe, expect, test } from "vitest";

const chat = "openai-chat";
const anthropic = "anthropic-messages";
const current: Profile = { model: "claude-opus-4-8" };
const user: JsonObject = { role: "user", content: "q" };
const model: JsonObject = { role: "assistant", content: "z" };
const system = (content: string): JsonObject => ({ role: "system", content });
const text = (words: string): JsonObject => ({ type: "text", text: words });
const call = (...ids: string[]): JsonObject => ({
  role: "assistant",
  content: null,
  tool_calls: ids.map((id) => ({ id, type: "function", function: { name: "f", arguments: "{}" } })),
});
const result = (id: string): JsonObject => ({ role: "tool", tool_call_id: id, content: "r" });

async function convert(messages: JsonObject[], target: Profile = current) {
  const { value, losses } = await convertRequest(
    { model: "claude-opus-4-8", messages },
    { from: chat, to: anthropic, target },
  );
  return {
    body: value as JsonObject,
    messages: value["messages"] as JsonObject[],
    codes: losses.map(({ code }) => code),
  };
}

/** The texts of all instructions in the order in which the model reads them. */
function instructions(body: JsonObject): string[] {
  const among = (body["messages"] as JsonObject[]).filter(({ role }) => role === "system");
  const blocks = [
    ...((body["system"] ?? []) as JsonObject[]),
    ...among.flatMap(({ content }) => content as JsonObject[]),
  ];
  return blocks.map((block) => block["text"] as string);
}

describe("instructions within the conversation", () => {
  test("that are neighbours share one system message", async () => {
    const { body, messages, codes } = await convert([user, system("A"), system("B"), model, user]);
    expect(body["system"]).toBeUndefined();
    expect(messages[1]).toEqual({ role: "system", content: [text("A"), text("B")] });
    expect(codes).not.toContain("instruction.moved");
    expect(codes).toContain("turn.merged");
  });

  test("that stand between results and after them share one system message", async () => {
    const { body, messages, codes } = await convert([
      user,
      call("a", "b"),
      result("a"),
      system("A"),
      result("b"),
      system("B"),
      model,
      user,
    ]);
    expect(body["system"]).toBeUndefined();
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "system", "assistant", "user"]);
    expect(messages[3]).toEqual({ role: "system", content: [text("A"), text("B")] });
    expect(codes).not.toContain("instruction.moved");
  });

  test("that a user turn overtakes are followed by those behind it", async () => {
    const { messages, codes } = await convert([user, system("A"), user, system("B"), model, user]);
    expect(messages[1]).toEqual({ role: "system", content: [text("A"), text("B")] });
    expect(codes.filter((code) => code === "instruction.deferred")).toHaveLength(1);
  });

  test("that cannot stay join the one before, and are reported with the prefix", async () => {
    const { body, messages, codes } = await convert([user, system("A"), model, system("B"), model, user]);
    expect(body["system"]).toBeUndefined();
    expect(messages[1]).toEqual({ role: "system", content: [text("A"), text("B")] });
    expect(codes).toContain("instruction.moved");
    expect(codes).toContain("cache.prefix_changed");
  });

  test("that cannot stay and have none before go to the front", async () => {
    const { body, codes } = await convert([user, model, system("B"), model, user]);
    expect(body["system"]).toEqual([text("B")]);
    expect(codes).toContain("instruction.moved");
  });

  test("share an end only where all of them have it", async () => {
    const target = await loadProtocol(anthropic);
    const say = (words: string, more: object): Message => ({
      role: "system",
      authority: "system",
      content: [{ type: "text", text: words }],
      ...more,
    });
    const encode = (...between: Message[]) => {
      const conversation: Conversation = {
        messages: [
          { role: "user", content: [{ type: "text", text: "q" }] },
          ...between,
          { role: "assistant", content: [{ type: "text", text: "z" }] },
          { role: "user", content: [{ type: "text", text: "q" }] },
        ],
        settings: {},
      };
      const { value, losses } = target.encodeRequest(conversation, current);
      const messages = (value.body as JsonObject)["messages"] as JsonObject[];
      return { message: messages[1], codes: losses.map(({ code }) => code) };
    };
    const turn = { lifetime: "nextUserTurn" };
    const both = encode(say("A", turn), say("B", turn));
    expect(both.message).toMatchObject({ content: [text("A"), text("B")], clear_at: "next_user_message" });
    expect(both.codes).not.toContain("instruction.lifetime");
    for (const mixed of [encode(say("A", turn), say("B", {})), encode(say("A", {}), say("B", turn))]) {
      expect(mixed.message).toEqual({ role: "system", content: [text("A"), text("B")] });
      expect(mixed.codes).toContain("instruction.lifetime");
    }
    const efforts = encode(say("A", { effort: "low" }), say("B", { effort: "high" }));
    expect(efforts.message).toMatchObject({ output_config: { effort: "high" } });
    expect(efforts.codes).toContain("instruction.effort");
  });

  test("keep their order, whatever stands between them", async () => {
    const kinds = fc.array(fc.constantFrom("system", "user", "model", "call", "parted"), {
      minLength: 1,
      maxLength: 12,
    });
    await fc.assert(
      fc.asyncProperty(kinds, fc.constantFrom(current, {}), async (kindsOfTurns, target) => {
        let count = 0;
        const say = () => system(`s${count++}`);
        const turns = kindsOfTurns.flatMap((kind, index) => {
          if (kind === "system") return [say()];
          if (kind === "call") return [call(`c${index}`), result(`c${index}`)];
          if (kind === "parted")
            return [call(`c${index}`, `d${index}`), result(`c${index}`), say(), result(`d${index}`)];
          return [kind === "user" ? user : model];
        });
        const { body } = await convert([user, ...turns], target);
        expect(instructions(body)).toEqual(Array.from({ length: count }, (_, index) => `s${index}`));
        const roles = (body["messages"] as JsonObject[]).map(({ role }) => role);
        roles.forEach((role, index) => {
          if (role === "system")
            expect([roles[index - 1], roles[index + 1] ?? "assistant"]).toEqual(["user", "assistant"]);
        });
      }),
      { numRuns: 300 },
    );
  });
});
