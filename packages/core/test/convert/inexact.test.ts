import type { Json } from "@rolecall/core";
import { convertRequest, convertResponse, inexactPlaces, LossError } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const turn = { role: "user", content: "q" };
const seen = (losses: readonly { readonly code: string; readonly path: string }[]): string[] =>
  losses
    .filter(({ code }) => code === "field.precision" || code === "field.repeated_key")
    .map(({ code, path }) => `${code} ${path}`);

describe("what a JSON text says beyond its value", () => {
  test.each<[text: string, places: readonly string[]]>([
    ['{"a":12345678901234567890}', ["number /a"]],
    ["12345678901234567890", ["number "]],
    ['{"a":[1,{"b/c":1e400},-9007199254740993]}', ["number /a/1/b~1c", "number /a/2"]],
    ['{"a":1e-400}', ["number /a"]],
    ['{"a":1,"b":{"a":2},"a":3}', ["key /a"]],
    ['{"a":1,"\\u0061":2,"a":3}', ["key /a"]],
    ['[[],{"x":{"k":1,"k":[12345678901234567890]}}]', ["key /1/x/k", "number /1/x/k/0"]],
    ['{"a":"12345678901234567890","b":"{\\"a\\":1e400}","c":9007199254740992,"d":1.50,"e":1e3}', []],
    ['[{"a":1},{"a":1}]', []],
    [`${"[".repeat(600)}12345678901234567890${"]".repeat(600)}`, []],
  ])("%s", (text, places) => {
    expect(inexactPlaces(text, JSON.parse(text) as Json).map(({ what, path }) => `${what} ${path}`)).toEqual(places);
  });
});

describe.each(["text", "bytes"])("a body as %s", (kind) => {
  const given = (text: string): string | Uint8Array => (kind === "text" ? text : new TextEncoder().encode(text));

  test.each(["openai-chat", "anthropic-messages"] as const)(
    "toward %s a number of a tool's input is reported",
    async (to) => {
      const text = `{"model":"m","max_tokens":9,"messages":[{"role":"user","content":"q"},{"role":"assistant","content":[{"type":"tool_use","id":"t","name":"f","input":{"id":12345678901234567890}}]},{"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":"r"}]}]}`;
      const { losses } = await convertRequest(given(text), { from: "anthropic-messages", to });
      expect(seen(losses)).toEqual(["field.precision /messages/1/content/0/input/id"]);
      expect(losses[0]).toMatchObject({ severity: "warning", effect: "content" });
    },
  );

  test("a repeated key is reported, also within one protocol", async () => {
    const text = '{"model":"m","messages":[{"role":"user","content":"a","content":"b"}]}';
    for (const to of ["openai-chat", "anthropic-messages"] as const) {
      const { losses } = await convertRequest(given(text), { from: "openai-chat", to });
      expect(seen(losses)).toEqual(["field.repeated_key /messages/0/content"]);
    }
  });

  test.each(["openai-chat", "anthropic-messages"] as const)("a response toward %s", async (to) => {
    const text =
      '{"id":"i","type":"message","role":"assistant","model":"m","content":[{"type":"tool_use","id":"t","name":"f","input":{"tweet_id":1790000000000000001}}],"stop_reason":"tool_use","stop_sequence":null,"usage":{"input_tokens":1,"output_tokens":1}}';
    const { losses } = await convertResponse(given(text), { from: "anthropic-messages", to });
    expect(seen(losses)).toEqual(["field.precision /content/0/input/tweet_id"]);
  });
});

test("a policy refuses what reading lost", async () => {
  const text = JSON.stringify({ model: "m", messages: [turn] }).replace("{", '{"seed":12345678901234567890,');
  const options = { from: "openai-chat", to: "openai-chat", onLoss: "throw" } as const;
  await expect(convertRequest(text, options)).rejects.toThrow(LossError);
  await expect(convertRequest(text.replace("567890,", "5,"), options)).resolves.toMatchObject({ losses: [] });
});

test("who read the text tells what it found", async () => {
  const body = { model: "m", seed: 12345678901234567000, messages: [turn] };
  const inexact = [{ path: "/seed", what: "number" }] as const;
  const { losses } = await convertRequest(body, { from: "openai-chat", to: "openai-chat", inexact });
  expect(seen(losses)).toEqual(["field.precision /seed"]);
});
