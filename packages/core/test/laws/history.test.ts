import type { ConvertRequestOptions, Json, JsonObject, Profile } from "@rolecall/core";
import { HistoryCache, RolecallError } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { arbitraryRequestBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe, expect } from "vitest";
import { converterOf, crossPairs, protocols } from "./conversion.ts";
import { law } from "./law.ts";

/** What an agent adds to a history with a turn: what the model said, and what it gets for that. */
interface Turn {
  readonly said: string;
  readonly calls: number;
  readonly answered: number;
  readonly next: string | undefined;
}

const words = fc.constantFrom("", "Yes.", "é\u{1f600}", 'a "quote" and a \\', "x".repeat(300), "{}", "]");
const turn: fc.Arbitrary<Turn> = fc.record({
  said: words,
  calls: fc.nat({ max: 2 }),
  answered: fc.constantFrom(2, 2, 2, 1, 0),
  next: fc.option(words, { nil: undefined }),
});

/** The items of a turn; ids repeat now and then, as some services number their calls anew. */
const itemsOf: { readonly [P in BodyProtocol]: (turn: Turn, number: number) => readonly JsonObject[] } = {
  "openai-chat": ({ said, calls, answered, next }, number) => [
    {
      role: "assistant",
      content: said,
      ...(calls > 0 && {
        tool_calls: idsOf(calls, number).map((id) => ({
          id,
          type: "function",
          function: { name: "read", arguments: '{"path":"a"}' },
        })),
      }),
    },
    ...idsOf(Math.min(calls, answered), number).map((id) => ({ role: "tool", tool_call_id: id, content: said })),
    ...(next === undefined ? [] : [{ role: "user", content: next }]),
  ],
  "anthropic-messages": ({ said, calls, answered, next }, number) => [
    {
      role: "assistant",
      content: [
        { type: "text", text: said || "." },
        ...idsOf(calls, number).map((id) => ({ type: "tool_use", id, name: "read", input: { path: "a" } })),
      ],
    },
    {
      role: "user",
      content: [
        ...idsOf(Math.min(calls, answered), number).map((id) => ({
          type: "tool_result",
          tool_use_id: id,
          content: said,
        })),
        { type: "text", text: next || "." },
      ],
    },
  ],
  "gemini-generate-content": ({ said, calls, answered, next }, number) => [
    {
      role: "model",
      parts: [
        { text: said || "." },
        ...idsOf(calls, number).map((id) => ({
          functionCall: { ...(id.length % 2 > 0 && { id }), name: "read", args: {} },
        })),
      ],
    },
    {
      role: "user",
      parts: [
        ...idsOf(Math.min(calls, answered), number).map((id) => ({
          functionResponse: { ...(id.length % 2 > 0 && { id }), name: "read", response: { output: said } },
        })),
        { text: next || "." },
      ],
    },
  ],
  "openai-responses": ({ said, calls, answered, next }, number) => [
    { type: "reasoning", id: `rs_${number}`, summary: [], encrypted_content: "c2VhbGVk" },
    { type: "message", role: "assistant", content: [{ type: "output_text", text: said || ".", annotations: [] }] },
    ...idsOf(calls, number).map((id) => ({ type: "function_call", call_id: id, name: "read", arguments: "{}" })),
    ...idsOf(Math.min(calls, answered), number).map((id) => ({
      type: "function_call_output",
      call_id: id,
      output: said,
    })),
    ...(next === undefined ? [] : [{ role: "user", content: next }]),
  ],
};

const idsOf = (calls: number, number: number): readonly string[] =>
  Array.from({ length: calls }, (_, index) => `call_${number % 3}${"0".repeat(number % 4)}${index}`);

/** What changes in a body that is sent again, beside what is new. */
interface Change {
  readonly kind: "none" | "mark" | "edit" | "setting" | "other" | "odd" | "shorter" | "space";
  readonly place: number;
}

const change: fc.Arbitrary<Change> = fc.record({
  kind: fc.constantFrom<Change["kind"]>(
    "none",
    "none",
    "none",
    "mark",
    "edit",
    "setting",
    "other",
    "odd",
    "shorter",
    "space",
  ),
  place: fc.nat({ max: 30 }),
});

function changed(body: JsonObject, key: string, { kind, place }: Change, odd: readonly Json[]): JsonObject {
  const list = body[key] as readonly JsonObject[];
  const index = Math.max(0, list.length - 1 - (place % 5));
  const item = list[index] ?? {};
  const withItem = (other: Json): JsonObject => ({
    ...body,
    [key]: list.map((one, at) => (at === index ? other : one)),
  });
  switch (kind) {
    case "mark":
      return withItem({ ...item, cache_control: { type: "ephemeral" } });
    case "edit":
      return withItem({ ...item, content: `changed ${place}` });
    case "setting":
      return { ...body, temperature: (place % 10) / 10 };
    case "other":
      return { ...body, client_metadata: { turn: `turn ${place}` } };
    case "odd":
      return { ...body, [key]: [...list.slice(0, index), ...odd.slice(0, 2), ...list.slice(index)] };
    case "shorter":
      return { ...body, [key]: list.slice(0, Math.max(1, list.length - place)) };
    default:
      return body;
  }
}

/** What a conversion gives or refuses, in a form that can be compared. */
function outcome(
  run: () => { readonly value: unknown; readonly losses: unknown; readonly exchange: unknown },
): unknown {
  try {
    const { value, losses, exchange } = run();
    return { value: value instanceof Uint8Array ? new TextDecoder().decode(value) : value, losses, exchange };
  } catch (error) {
    if (!(error instanceof RolecallError)) throw error;
    return { name: error.name, message: error.message, path: (error as { path?: unknown }).path };
  }
}

const profiles: { readonly [P in BodyProtocol]: readonly Profile[] } = {
  "openai-chat": [{}, { provider: "mistral" }, { provider: "deepseek" }],
  "openai-responses": [{}, { provider: "openai" }],
  "anthropic-messages": [{}, { model: "claude-opus-4-8" }, { apiVersion: "2023-06-01" }],
  "gemini-generate-content": [{}, { provider: "google" }],
};

describe.each(crossPairs)("%s → %s", (from, to) => {
  const converter = converterOf(from, to);
  const { key } = protocols[from].history;
  let continued = 0;

  law(
    "what is converted on from the request before it is what is converted as a whole",
    60,
    fc.property(
      fc.array(arbitraryRequestBody(from), { minLength: 1, maxLength: 2 }),
      fc.array(fc.tuple(turn, change), { minLength: 2, maxLength: 8 }),
      fc.boolean(),
      fc.constantFrom(...profiles[to]),
      (bodies, turns, isText, target) => {
        const cache = new HistoryCache({ minimumLength: 0 });
        const [first = {}] = bodies;
        const odd = bodies.flatMap((body) => (Array.isArray(body[key]) ? (body[key] as readonly Json[]) : []));
        const start: readonly Json[] = turns.length % 2 > 0 || odd.length === 0 ? [userItem(from)] : odd;
        let history: readonly Json[] = start;
        turns.forEach(([added, edit], number) => {
          history = [...history, ...itemsOf[from](added, number)];
          const body = changed(
            { temperature: 1, ...first, [key]: history, client_metadata: { turn: "first" } },
            key,
            edit,
            odd,
          );
          const text = JSON.stringify(body, undefined, edit.kind === "space" ? 1 : undefined);
          const input = (isText ? text : new TextEncoder().encode(text)) as string;
          const options: ConvertRequestOptions = { target };
          const whole = outcome(() => converter.convertRequest(input, options));
          expect(outcome(() => converter.convertRequest(input, { ...options, cache }))).toEqual(whole);
        });
        continued += cache.continued;
      },
    ),
  );

  law(
    "does go on",
    1,
    fc.property(fc.constant(0), () => {
      expect(continued).toBeGreaterThan(20);
    }),
  );
});

function userItem(protocol: BodyProtocol): JsonObject {
  return protocol === "gemini-generate-content"
    ? { role: "user", parts: [{ text: "Go." }] }
    : { role: "user", content: "Go." };
}
