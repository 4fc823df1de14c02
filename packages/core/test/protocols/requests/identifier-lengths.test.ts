import type { JsonObject } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const messages = [{ role: "user", content: "q" }];
const codes = (losses: readonly { readonly code: string; readonly path: string }[]) =>
  losses.map(({ code, path }) => `${code} ${path}`);

const toChat = (id: string, provider?: string) =>
  convertRequest(
    { model: "m", max_tokens: 5, metadata: { user_id: id }, messages },
    { from: "anthropic-messages", to: "openai-chat", ...(provider !== undefined && { target: { provider } }) },
  );

describe("an identifier of the user toward OpenAI", () => {
  test.each([1, 63, 64])("goes as it is with %i characters", async (length) => {
    const { value, losses } = await toChat("ü".repeat(length));
    expect(value).toMatchObject({ safety_identifier: "ü".repeat(length) });
    expect(losses).toEqual([]);
  });

  test.each([65, 84, 1000])("is shortened with %i, the same each time and unlike that of others", async (length) => {
    const ids = ["a", "b"].map((end) => `{"device_id":"${"0".repeat(length)}`.slice(0, length - 1) + end);
    const sent: unknown[] = [];
    for (const id of [...ids, ...ids]) {
      const { value, losses } = await toChat(id, "openai");
      const { safety_identifier: short } = value as { readonly safety_identifier?: string };
      expect(short).toMatch(/^[A-Za-z0-9_-]{1,64}$/);
      expect(codes(losses)).toEqual(["setting.identifier /metadata/user_id"]);
      expect(losses[0]?.replacement).toBe(short);
      sent.push(short);
    }
    expect(sent.slice(2)).toEqual(sent.slice(0, 2));
    expect(sent[0]).not.toBe(sent[1]);
  });

  test("goes as it is to a server of another name", async () => {
    const { value } = await toChat("u".repeat(65), "vllm");
    expect(value).toMatchObject({ safety_identifier: "u".repeat(65) });
  });
});

describe("within Chat, where it is asked to mend", () => {
  const long = "k".repeat(65);
  const pairs = Object.fromEntries(Array.from({ length: 17 }, (_, index) => [`key${index}`, "v"]));

  test.each<[body: JsonObject, places: readonly string[]]>([
    [{ user: long }, ["setting.identifier /user"]],
    [{ safety_identifier: long }, ["setting.identifier /safety_identifier"]],
    [{ prompt_cache_key: long }, ["setting.identifier /prompt_cache_key"]],
    [{ metadata: { [long]: "v" } }, [`setting.no_counterpart /metadata/${long}`]],
    [{ metadata: { key: "v".repeat(513) } }, ["setting.no_counterpart /metadata/key"]],
    [{ metadata: pairs }, ["setting.no_counterpart /metadata/key16"]],
    [{ user: "u", prompt_cache_key: "k", metadata: { "a/b": "v".repeat(512) } }, []],
  ])("%j", async (more, places) => {
    const body = { model: "m", messages, ...more };
    const mended = await convertRequest(body, { from: "openai-chat", to: "openai-chat", mend: true });
    expect(codes(mended.losses)).toEqual(places);
    const again = await convertRequest(mended.value, { from: "openai-chat", to: "openai-chat", mend: true });
    expect([again.value, again.losses]).toEqual([mended.value, []]);
    const kept = await convertRequest(body, { from: "openai-chat", to: "openai-chat" });
    expect([kept.value, kept.losses]).toEqual([body, []]);
  });
});
