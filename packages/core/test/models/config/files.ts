import { fileOf, variable } from "./sample.ts";

/** A file that is wrong, and where. */
export interface WrongFile {
  readonly what: string;
  readonly file: unknown;
  readonly path: string;
  readonly message: string;
  /** Its structure is right: what is wrong depends on other parts of it, or on what is known. */
  readonly isStructured?: true;
}

const own = "/providers/own";
const model = `${own}/models/0`;

const provider = (what: string, stated: object, path: string, message: string): WrongFile => ({
  what,
  file: fileOf(stated),
  path: own + path,
  message,
});

const ofModel = (what: string, stated: object, path: string, message: string): WrongFile => ({
  what,
  file: fileOf({ models: [{ id: "m", ...stated }] }),
  path: model + path,
  message,
});

const structured = (wrong: WrongFile): WrongFile => ({ ...wrong, isStructured: true });

const cost = { input: 1, output: 2 };

export const wrongFiles: readonly WrongFile[] = [
  { what: "no object", file: [], path: "", message: "the file must be an object" },
  { what: "null", file: null, path: "", message: "the file must be an object" },
  { what: "no providers", file: {}, path: "", message: "the file lacks providers" },
  { what: "providers in a list", file: { providers: [] }, path: "/providers", message: "must be an object" },
  {
    what: "a misspelt list of providers",
    file: { provider: {} },
    path: "/provider",
    message: 'the file has no "provider": did you mean "providers"?',
  },
  {
    what: "an id with a slash",
    file: fileOf({}, "a/b"),
    path: "/providers/a~1b",
    message: "without spaces and slashes",
  },
  { what: "an empty id", file: fileOf({}, ""), path: "/providers/", message: "a word" },
  structured({
    what: "a provider without a place",
    file: fileOf({ api: "openai-chat" }, "opnai"),
    path: "/providers/opnai/baseUrl",
    message:
      'it is not known where opnai is: state its baseUrl; of the services that are known: did you mean "openai"?',
  }),
  structured({
    what: "a provider without a protocol",
    file: fileOf({ baseUrl: "https://x.test" }, "x"),
    path: "/providers/x/api",
    message: "state the protocol",
  }),
  provider(
    "a misspelt key",
    { baseURL: "https://x.test" },
    "/baseURL",
    'a provider has no "baseURL": did you mean "baseUrl"?',
  ),
  provider("a key of another tool", { authHeader: true }, "/authHeader", 'a provider has no "authHeader": '),
  provider("a key that nobody knows", { zzzzzzzzzz: 1 }, "/zzzzzzzzzz", ": there are name, baseUrl, api, apiKey,"),
  provider("a key named as a prototype", JSON.parse('{"__proto__":{"name":"x"}}') as object, "/__proto__", "has no"),
  provider(
    "a protocol that does not exist",
    { api: "openai" },
    "/api",
    "must be one of openai-chat, openai-completions,",
  ),
  provider("a protocol by a variable", { api: variable("A") }, "/api", "must be one of openai-chat"),
  provider("a base URL that is none", { baseUrl: "own.test/v1" }, "/baseUrl", "the base URL is not a URL"),
  provider("a base URL of another kind", { baseUrl: "ftp://own.test" }, "/baseUrl", "begins with https:// or http://"),
  provider("a base URL with a password", { baseUrl: "https://u:p@own.test" }, "/baseUrl", "no user or password"),
  provider("a base URL that is a number", { baseUrl: 1 }, "/baseUrl", "this must be a string"),
  provider(
    "a host by a variable",
    { baseUrl: `https://${variable("A")}/v1` },
    "/baseUrl",
    "no variable stands in the host",
  ),
  provider("an empty key", { apiKey: "" }, "/apiKey", "this is empty"),
  provider("a key that is none", { apiKey: null }, "/apiKey", "this must be a string"),
  provider("a key by a command", { apiKey: "!cat key" }, "/apiKey", "no command is run"),
  provider("a key of two lines", { apiKey: "a\nb" }, "/apiKey", "no line breaks"),
  provider("a variable that is none", { name: variable("1") }, "/name", "a variable is named as"),
  provider("headers in a list", { headers: ["a"] }, "/headers", "headers must be an object"),
  provider("a header that is a number", { headers: { "x-a": 1 } }, "/headers/x-a", "this must be a string"),
  provider("a header with a colon", { headers: { "x:a": "b" } }, "/headers/x:a", "no header can have this name"),
  provider("a header that breaks out", { headers: { "x-a": "b\r\nx-c: d" } }, "/headers/x-a", "no line breaks"),
  provider(
    "a header named as a prototype",
    { headers: JSON.parse('{"__proto__":"x"}') as object },
    "/headers/__proto__",
    "no header",
  ),
  structured(
    provider("a header in two cases", { headers: { "x-a": "b", "X-A": "c" } }, "/headers/X-A", "stands twice"),
  ),
  provider("compat in a list", { compat: [] }, "/compat", "compat must be an object"),
  provider(
    "a misspelt field of compat",
    { compat: { supportTopK: true } },
    "/compat/supportTopK",
    'mean "supportsTopK"?',
  ),
  provider("a service in compat", { compat: { provider: "openai" } }, "/compat/provider", 'compat has no "provider"'),
  provider(
    "a switch that is a text",
    { compat: { supportsTopK: "no" } },
    "/compat/supportsTopK",
    "must be true or false",
  ),
  provider("a choice that is none", { compat: { thinking: "much" } }, "/compat/thinking", "must be one of adaptive"),
  provider(
    "a number too small",
    { compat: { maxOutputTokens: 0 } },
    "/compat/maxOutputTokens",
    "a whole number from 1",
  ),
  provider(
    "a pattern that is none",
    { compat: { toolNamePattern: "(" } },
    "/compat/toolNamePattern",
    "a regular expression",
  ),
  provider("a variable in compat", { compat: { betas: [variable("A")] } }, "/compat/betas", "no variable is read here"),
  provider("models in an object", { models: { m: {} } }, "/models", "models must be a list"),
  provider("a model that is a word", { models: ["m"] }, "/models/0", "a model must be an object"),
  provider("a model without an id", { models: [{ name: "m" }] }, "/models/0", "a model lacks its id"),
  structured(
    provider("a model twice", { models: [{ id: "m" }, { id: "m" }] }, "/models/1", "stands before in this list"),
  ),
  structured(
    provider("a change of nothing", { modelOverrides: { m: {} } }, "/modelOverrides/m", "no such model is known"),
  ),
  structured({
    what: "a change of a misspelt model",
    file: fileOf({ modelOverrides: { "claude-sonet-4-6": {} } }, "anthropic"),
    path: "/providers/anthropic/modelOverrides/claude-sonet-4-6",
    message: 'did you mean "claude-sonnet-4-6"?',
  }),
  structured({
    what: "a change of a model that is stated",
    file: fileOf({ modelOverrides: { "gpt-5": {} }, models: [{ id: "gpt-5" }] }, "openai"),
    path: "/providers/openai/modelOverrides/gpt-5",
    message: "stands in models as well",
  }),
  {
    what: "a change of an id",
    file: fileOf({ modelOverrides: { "gpt-5": { id: "gpt-6" } } }, "openai"),
    path: "/providers/openai/modelOverrides/gpt-5/id",
    message: 'a chat model has no "id"',
  },
  ofModel("a model of no kind", { type: "embedding" }, "/type", "must be one of chat, classifier, image"),
  ofModel(
    "a key of a chat model of another tool",
    { thinkingLevelMap: {} },
    "/thinkingLevelMap",
    'mean "thinkingLevels"?',
  ),
  ofModel(
    "an image model that thinks",
    { type: "image", reasoning: true },
    "/reasoning",
    'an image model has no "reasoning"',
  ),
  ofModel("a chat model asked as one of images", { api: "openai-images" }, "/api", "must be one of openai-chat"),
  ofModel("a classifier asked in no words", { type: "classifier", api: "A B" }, "/api", "the name of a protocol"),
  ofModel("a window of no tokens", { contextWindow: 0 }, "/contextWindow", "a whole number from 1"),
  ofModel("half a token", { maxTokens: 1.5 }, "/maxTokens", "a whole number from 1"),
  ofModel("more tokens than are counted", { maxTokens: 2 ** 53 }, "/maxTokens", "a whole number from 1"),
  ofModel("a window in words", { contextWindow: "128k" }, "/contextWindow", "a whole number from 1"),
  ofModel("input that nothing is", { input: ["smell"] }, "/input/0", "must be one of text, image"),
  ofModel("input that stands twice", { input: ["text", "text"] }, "/input/1", "stands twice"),
  ofModel("input that is no list", { input: "text" }, "/input", "this must be a list"),
  ofModel("reasoning in words", { reasoning: "yes" }, "/reasoning", "true or false"),
  ofModel("a level that does not exist", { thinkingLevels: { hihg: "x" } }, "/thinkingLevels/hihg", 'mean "high"?'),
  ofModel("a level of half a token", { thinkingLevels: { high: 0.5 } }, "/thinkingLevels/high", "a whole number"),
  ofModel(
    "a level that is a switch",
    { thinkingLevels: { high: true } },
    "/thinkingLevels/high",
    "this must be a string",
  ),
  ofModel("a price without output", { cost: { input: 1 } }, "/cost", "cost lacks output"),
  ofModel("a price below nothing", { cost: { ...cost, input: -1 } }, "/cost/input", "a number from 0"),
  ofModel("a price in words", { cost: { ...cost, cacheRead: "1" } }, "/cost/cacheRead", "a number from 0"),
  ofModel("a tier without its bound", { cost: { ...cost, tiers: [cost] } }, "/cost/tiers/0", "a tier lacks above"),
  structured(
    ofModel(
      "tiers that fall",
      {
        cost: {
          ...cost,
          tiers: [
            { ...cost, above: 2 },
            { ...cost, above: 1 },
          ],
        },
      },
      "/cost/tiers/1",
      "in rising order",
    ),
  ),
];

/** Files that are right. */
export const rightFiles: readonly (readonly [what: string, file: unknown])[] = [
  ["nothing", { providers: {} }],
  ["a place of its schema", { $schema: "./models.schema.json", providers: {} }],
  ["a server of one's own", fileOf({})],
  [
    "a dollar that names no variable",
    fileOf({ name: "$5", headers: { "x-a": `$$\{A}` }, compat: { toolNamePattern: "^a$" } }),
  ],
  ["a variable in a path", fileOf({ baseUrl: `https://own.test/${variable("A")}/v1?v=${variable("A")}` })],
  ["a variable in a key", fileOf({ apiKey: `Key ${variable("A")}` })],
  [
    "an encrypted and an unencrypted place",
    fileOf({ baseUrl: "HTTP://127.0.0.1:8080", models: [{ id: "m", baseUrl: "https://[::1]/v1" }] }),
  ],
  [
    "names of protocols of another tool",
    fileOf({ api: "openai-completions", models: [{ id: "m", api: "google-generative-ai" }] }),
  ],
  ["a known service", fileOf({ apiKey: "k" }, "openai")],
  [
    "a change of a known model",
    fileOf({ modelOverrides: { "gpt-5": { maxTokens: 5, cost, reasoning: false } } }, "openai"),
  ],
  [
    "an image model",
    fileOf({ models: [{ id: "m", type: "image", api: "openai-images", cost: { ...cost, perImage: 0.1 } }] }),
  ],
  [
    "levels of every kind",
    fileOf({ models: [{ id: "m", thinkingLevels: { off: 0, low: null, high: "deep", max: 9 } }] }),
  ],
  [
    "tiers that rise",
    fileOf({
      models: [
        {
          id: "m",
          cost: {
            ...cost,
            tiers: [
              { ...cost, above: 1 },
              { ...cost, above: 2 },
            ],
          },
        },
      ],
    }),
  ],
  [
    "everything of compat that is a number, a list or an object",
    fileOf({ compat: { maxCacheBreakpoints: 0, betas: ["a"], fallbacks: { media: "drop" } } }),
  ],
];
