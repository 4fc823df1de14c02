import { convertRequest, protocolIds } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const messages = [{ role: "user", content: "hi" }];
const bodies = {
  "openai-chat": { model: "m", stream: true, messages },
  "anthropic-messages": { model: "m", max_tokens: 5, stream: true, messages },
};
const to = "gemini-generate-content" as const;
const url = { model: "m", stream: true };
const inputs: readonly (readonly [string, (body: object) => object | string | Uint8Array])[] = [
  ["an object", (body) => body],
  ["text", (body) => JSON.stringify(body)],
  ["bytes", (body) => new TextEncoder().encode(JSON.stringify(body))],
];

describe.each(Object.entries(bodies))("what Gemini has in its URL, from %s", (from, body) => {
  test.each(inputs)("is reported where the input is a body as %s", async (_kind, of) => {
    const { value, losses, exchange } = await convertRequest(of(body) as object, { from: from as "openai-chat", to });
    const told = losses.filter(({ code }) => code === "url.missing");
    expect(told.map(({ path, kind }) => `${kind} ${path}`)).toEqual(["dropped /model", "dropped /stream"]);
    expect(value).not.toHaveProperty("model");
    expect(exchange).toMatchObject(url);
  });

  test("is in the URL of a request, and nothing is lost", async () => {
    const { value, losses } = await convertRequest({ body }, { from: from as "openai-chat", to });
    expect(value).toMatchObject({ url });
    expect(losses).toEqual([]);
  });
});

test("no other protocol has anything there", async () => {
  for (const target of protocolIds.filter((id) => id !== to)) {
    const { losses } = await convertRequest(bodies["openai-chat"], { from: "openai-chat", to: target });
    expect(losses.map(({ code }) => code)).not.toContain("url.missing");
  }
});
