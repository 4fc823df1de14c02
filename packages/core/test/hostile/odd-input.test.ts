import { describe, expect, test } from "vitest";
import type { Json } from "../../src/index.ts";
import {
  checkDepth,
  convertRequest,
  createFrameParser,
  createSseParser,
  DecodeError,
  EncodeError,
  readJson,
  readJsonBytes,
  StreamError,
} from "../../src/index.ts";
import type { BodyCase, BodyOutcome, TextCase } from "./odd-input.ts";
import { bodyOf, inputOf, oddInput } from "./odd-input.ts";

function read(input: string | Uint8Array): Pick<TextCase, "gives" | "refused"> {
  try {
    return { gives: typeof input === "string" ? readJson(input) : readJsonBytes(input) };
  } catch (error) {
    if (!(error instanceof DecodeError)) throw error;
    const { line, column, message } = error;
    return { refused: line === undefined ? message.split(":", 1)[0]! : `line ${line}, column ${column}` };
  }
}

describe.each(oddInput.texts)("as JSON: $area", ({ cases }) => {
  test.each(cases)("$what", (one) => {
    const input = inputOf(one);
    const { gives, refused } = read(input);
    if (one.refused !== undefined) expect(refused).toBe(one.refused);
    else if (one.tooDeep === true) expect(() => checkDepth(gives)).toThrow(DecodeError);
    else if (one.keeps === true) expect(JSON.stringify(gives) === input).toBe(true);
    else expect(JSON.stringify(gives)).toBe(JSON.stringify(one.gives));
  });
});

async function outcome(one: BodyCase, to: "openai-chat" | "anthropic-messages"): Promise<BodyOutcome> {
  try {
    const { value, losses } = await convertRequest(bodyOf(one), { from: "openai-chat", to });
    const sent = JSON.parse(value) as {
      readonly model: Json;
      readonly messages: readonly { readonly content: Json }[];
    };
    const { model: _model, messages, ...rest } = sent;
    return {
      losses: losses.filter(({ code }) => code !== "setting.synthesized").map(({ code, path }) => `${code} ${path}`),
      sent: one.content === undefined ? rest : messages[0]!.content,
    };
  } catch (error) {
    if (error instanceof DecodeError || error instanceof EncodeError) return { refused: `${error.name} ${error.path}` };
    throw error;
  }
}

describe.each(oddInput.bodies)("in a body: $area", ({ cases }) => {
  test.each(cases)("$what", async (one) => {
    const own = await outcome(one, "openai-chat");
    const { sent, ...stated } = one.own;
    expect({ losses: own.losses, refused: own.refused }).toEqual({ losses: stated.losses, refused: stated.refused });
    if (sent !== undefined) expect(JSON.stringify(own.sent)).toBe(JSON.stringify(sent));
    const { sent: _sent, ...other } = await outcome(one, "anthropic-messages");
    expect(other).toEqual(one.other);
  });

  test("leaves no mark on the objects of the language", () => {
    expect(Object.keys(Object.prototype)).toEqual([]);
    expect(({} as { readonly polluted?: unknown }).polluted).toBeUndefined();
  });
});

describe("limits of streams", () => {
  const mebibyte = "a".repeat(1 << 20);

  test("an event, and an element of a list, may have 64 Mi characters", () => {
    for (const [parser, begin] of [
      [createSseParser(), "data: "],
      [createFrameParser(), '[{"a":"'],
    ] as const) {
      parser.push(begin);
      for (let count = 0; count < 63; count++) parser.push(mebibyte);
      expect(() => parser.push(mebibyte)).toThrow(StreamError);
    }
  });

  test("many short lines of one event count as much as a long one", () => {
    const parser = createSseParser({ maximumLength: 1000 });
    expect(() => parser.push("data: a\n".repeat(200))).toThrow(StreamError);
  });

  test("white space before the first event is not held without end", () => {
    const parser = createFrameParser();
    for (let count = 0; count < 100; count++) expect(parser.push("\n".repeat(1024))).toEqual([]);
    expect(parser.push("data: a\n\n")).toEqual([{ data: "a" }]);
  });
});
