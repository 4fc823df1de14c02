import fc from "fast-check";
import { variable } from "./sample.ts";

/** Keys and values of variables that no error may tell. */
export const secrets = {
  literal: "sk-literal-4f9a1c",
  variable: "sk-variable-7be203",
  odd: "sk-odd\r\n\u{1f511}-55d0",
} as const;

export const environment = {
  KEY: secrets.variable,
  ODD: secrets.odd,
  EMPTY: "",
  OPENAI_API_KEY: `${secrets.variable}-o`,
};

/** One of what is right, and rarely one of what is wrong. */
function among(right: readonly unknown[], wrong: readonly unknown[]): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 60, arbitrary: fc.constantFrom(...right) },
    { weight: 1, arbitrary: fc.constantFrom(...wrong) },
  );
}

const text = among(
  ["a", "$5", variable("KEY"), `x ${variable("KEY")}`, `$$\{KEY}`, secrets.literal],
  ["", variable("ODD"), variable("EMPTY"), variable("NONE"), variable("OPENAI_API_KEY"), `$\{KEY`, "!x", "$KEY", "("],
);
const place = among(
  [
    "https://own.test",
    "http://127.0.0.1:1/v1",
    `https://own.test/${variable("KEY")}`,
    `https://own.test?v=${variable("KEY")}`,
  ],
  [
    `https://own.test/${variable("OPENAI_API_KEY")}`,
    `https://${variable("KEY")}/v1`,
    "https:\\\\own.test\\@x",
    "https:own.test",
    "nowhere",
  ],
);
const api = among(
  ["openai-chat", "openai-completions", "anthropic-messages", "google-generative-ai"],
  ["openai-images"],
);
const count = among([1, 1000], [0, -1, 0.5, 2 ** 53]);
const amount = among([0, 0.25, 3], [-1]);
const flag = fc.boolean();
const modalities = among([[], ["text"], ["text", "image", "pdf"]], [["smell"], ["text", "text"]]);

/** Now and then something quite different, in which a secret may stand as well. */
const anything = fc.oneof(
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom(secrets.literal, [secrets.literal], { a: secrets.literal }),
);
const mostly = (arbitrary: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 200, arbitrary }, { weight: 1, arbitrary: anything });

/** An object of some of these fields, and rarely of one that is not known. */
function object(
  fields: { [name: string]: fc.Arbitrary<unknown> },
  required: readonly string[] = [],
): fc.Arbitrary<unknown> {
  const values = Object.fromEntries(Object.entries(fields).map(([name, value]) => [name, mostly(value)]));
  const known = fc.record(values, { requiredKeys: [...required] });
  const odd = fc.tuple(known, fc.constantFrom("apikey", "__proto__", "constructor", "x/y", "Models"), anything);
  return fc.oneof(
    { weight: 100, arbitrary: known },
    { weight: 1, arbitrary: odd.map(([base, name, value]) => ({ ...base, [name]: value })) },
  );
}

const headers = fc.oneof(
  { weight: 60, arbitrary: fc.dictionary(fc.constantFrom("x-a", "x-b", "authorization"), text, { maxKeys: 2 }) },
  { weight: 1, arbitrary: fc.dictionary(fc.oneof(fc.string(), fc.constantFrom("x-a", "X-A")), text, { maxKeys: 3 }) },
);
const compat = object({
  supportsTopK: flag,
  maxOutputTokens: count,
  betas: among([[], ["a"]], [[variable("KEY")], "a"]),
  toolNamePattern: among(["^a$", secrets.literal], ["(", `(${secrets.literal}`, variable("KEY")]),
  thinking: fc.constantFrom("adaptive", "none"),
  fallbacks: among([{ media: "drop" }], [{ media: 1 }, []]),
});
const tier = object({ above: count, input: amount, output: amount }, ["above", "input", "output"]);
const cost = object(
  {
    input: amount,
    output: amount,
    cacheRead: amount,
    perImage: amount,
    tiers: fc.array(tier, { maxLength: 2 }),
    date: text,
  },
  ["input", "output"],
);
const thinkingLevels = object({ off: fc.constant(null), low: count, high: text });

const change = {
  name: text,
  api,
  baseUrl: place,
  headers,
  contextWindow: count,
  maxTokens: count,
  input: modalities,
  output: modalities,
  cost,
  reasoning: flag,
  thinkingLevels,
  compat,
};
const model = object({ id: text, type: among(["chat"], ["classifier", "image", "none"]), ...change }, ["id"]);
const overrides = fc.oneof(
  { weight: 4, arbitrary: fc.constant({}) },
  {
    weight: 1,
    arbitrary: fc.dictionary(fc.constantFrom("gpt-5", "claude-sonnet-4-6"), object(change), { maxKeys: 1 }),
  },
);
const provider = object({
  name: text,
  baseUrl: place,
  api,
  apiKey: text,
  headers,
  compat,
  models: fc.oneof(
    { weight: 4, arbitrary: fc.array(model, { maxLength: 1 }) },
    { weight: 1, arbitrary: fc.array(model, { maxLength: 2 }) },
  ),
  modelOverrides: overrides,
});

/** Files that are right in many places, and wrong in some. */
export const arbitraryFile: fc.Arbitrary<unknown> = object(
  {
    providers: fc.dictionary(fc.constantFrom("openai", "anthropic", "groq", "own"), provider, {
      minKeys: 1,
      maxKeys: 2,
    }),
  },
  ["providers"],
);
