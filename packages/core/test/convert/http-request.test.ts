import { convertRequest } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const body = { model: "m", max_tokens: 9, messages: [{ role: "user" as const, content: "q" }] };
const own = { from: "anthropic-messages", to: "anthropic-messages" } as const;

describe("a request as it goes over HTTP", () => {
  test.each<[name: string, headers: object, read: object | undefined]>([
    [
      "lower case",
      { "anthropic-beta": "x, y", "anthropic-version": "2023-06-01" },
      { version: "2023-06-01", betas: ["x", "y"] },
    ],
    ["any case", { "Anthropic-Beta": "x", "X-Api-Key": "k" }, { betas: ["x"] }],
    ["several of a name", { "anthropic-beta": ["x", "y,z"] }, { betas: ["x", "y", "z"] }],
    ["Headers", new Headers({ "Anthropic-Beta": "x" }), { betas: ["x"] }],
    ["the words of a WireRequest", { version: "v", betas: ["x"] }, { version: "v", betas: ["x"] }],
    ["of the transport only", { authorization: "k", "content-type": "application/json" }, undefined],
  ])("headers: %s", async (_name, headers, read) => {
    const { value, losses } = await convertRequest({ method: "POST", path: "/v1/messages", headers, body }, own);
    expect(value).toEqual({ body, ...(read !== undefined && { headers: read }) });
    expect(losses).toEqual([]);
  });

  test("betas are reported where the target has none", async () => {
    const input = { headers: { "anthropic-beta": "x" }, body };
    const { losses } = await convertRequest(input, { from: "anthropic-messages", to: "openai-chat" });
    expect(losses.map(({ code, path }) => `${code} ${path}`)).toContain("header.beta /headers");
  });

  test.each(["path", "url"])("its %s tells the protocol", async (key) => {
    const input = { [key]: "https://api.example/v1/messages", body };
    const { value } = await convertRequest(input, { to: "anthropic-messages" });
    expect(value).toEqual({ body });
  });

  test("a body as text stays text, and is looked at like any text", async () => {
    const text = JSON.stringify(body).replace("9", "12345678901234567890");
    const { value, losses } = await convertRequest({ headers: {}, body: text }, own);
    expect(typeof value.body).toBe("string");
    expect(losses).toMatchObject([{ code: "field.precision", path: "/max_tokens" }]);
  });
});
