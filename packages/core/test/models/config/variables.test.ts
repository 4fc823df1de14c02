import { describe, expect, test } from "vitest";
import { errorOf, everythingOf, fileOf, providerOf, variable } from "./sample.ts";

const environment = {
  KEY: "sk-0123456789",
  HOST: "evil.test",
  PATH_PART: "team/a",
  EMPTY: "",
  OPENAI_API_KEY: "sk-openai-1234",
};

test("stand in keys, headers, names, ids and the paths of URLs", () => {
  const provider = providerOf(
    fileOf({
      name: `A ${variable("PATH_PART")}`,
      baseUrl: `https://own.test/${variable("PATH_PART")}/v1?v=${variable("KEY")}`,
      apiKey: variable("KEY"),
      headers: { authorization: `Basic ${variable("KEY")}${variable("KEY")}` },
      models: [{ id: variable("PATH_PART"), headers: { "x-key": variable("KEY") } }],
    }),
    { environment },
  );
  expect(provider).toMatchObject({
    name: "A team/a",
    baseUrl: "https://own.test/team/a/v1?v=sk-0123456789",
    apiKey: "sk-0123456789",
    headers: { authorization: "Basic sk-0123456789sk-0123456789" },
    models: [{ id: "team/a", headers: { "x-key": "sk-0123456789" } }],
  });
});

test.each([
  ["a literal brace", `$$\{KEY}`, `$\{KEY}`],
  ["a dollar alone", "$5 and $KEY", "$5 and $KEY"],
  ["a value that names a variable", variable("NESTED"), variable("KEY")],
])("%s", (_, text, expected) => {
  const options = { environment: { ...environment, NESTED: variable("KEY") } };
  expect(providerOf(fileOf({ headers: { "x-a": text } }), options).headers).toEqual({ "x-a": expected });
});

test.each([
  ["one that is not set", variable("MISSING"), "the variable MISSING is not set: set it, or leave this out"],
  ["one that is empty", variable("EMPTY"), "the variable EMPTY is empty: set it, or leave this out"],
  ["one that all objects have", variable("toString"), "the variable toString is not set: set it, or leave this out"],
  ["one that is inherited", variable("constructor"), "the variable constructor is not set"],
  ["one without a name", variable(""), "a variable is named as"],
  ["one with a default, as shells have", variable("KEY:-x"), "a variable is named as"],
  ["one without an end", `$\{KEY`, "a variable is named as"],
  ["one in another", `$\{A$\{KEY}}`, "a variable is named as"],
])("%s is an error", (_, text, message) => {
  const error = errorOf(fileOf({ apiKey: text }), { environment, file: "models.json" });
  expect(error).toMatchObject({ path: "/providers/own/apiKey", file: "models.json" });
  expect(error.message).toContain(message);
  expect(everythingOf(error)).not.toContain("sk-");
});

test("those that the environment inherits do not count", () => {
  const inherited = Object.create({ INHERITED: "sk-inherited" }) as Record<string, string>;
  const error = errorOf(fileOf({ apiKey: variable("INHERITED") }), { environment: inherited });
  expect(error.message).toContain("the variable INHERITED is not set");
});

test.each([
  ["a command", "!pass show key", "no command is run for a key"],
  ["a variable without braces", "$KEY", "with braces"],
  ["a text of two lines", variable("LINES"), "a key has no line breaks"],
  ["nothing", "", "this is empty"],
])("%s is no key", (_, apiKey, message) => {
  const error = errorOf(fileOf({ apiKey }), { environment: { ...environment, LINES: "sk-first\r\nx-sk: 1" } });
  expect(error.message).toContain(message);
  expect(everythingOf(error)).not.toContain("sk-");
});

test("a value that begins as a command does is a key, if a variable holds it", () => {
  expect(providerOf(fileOf({ apiKey: variable("ODD") }), { environment: { ODD: "!odd" } }).apiKey).toBe("!odd");
});

describe("the host of a base URL", () => {
  test.each([
    `https://${variable("HOST")}/v1`,
    `https://own.test.${variable("HOST")}/v1`,
    `https://own.test${variable("HOST")}`,
    `https://own.test:${variable("PORT")}/v1`,
    `https:/${variable("HOST")}`,
    `https:///${variable("HOST")}/v1`,
    `https:/\n/${variable("HOST")}/v1`,
    `https://\n/${variable("HOST")}/v1`,
    `https:\\\\${variable("HOST")}/v1`,
    `https://user@${variable("HOST")}/v1`,
    `https://own.test#${variable("HOST")}`,
    ` https://own.test${variable("HOST")}/v1`,
    `${variable("HOST")}://own.test/v1`,
    variable("HOST"),
  ])("%j has no variable", (baseUrl) => {
    for (const file of [fileOf({ baseUrl }), fileOf({ models: [{ id: "m", baseUrl }] })]) {
      const error = errorOf(file, { environment: { ...environment, PORT: "1" } });
      expect(error.message).toContain("no variable stands in the host name of a base URL");
      expect(error.path).toMatch(/\/baseUrl$/);
      expect(everythingOf(error)).not.toContain("evil");
    }
  });

  test.each([
    "@evil.test",
    "//evil.test",
    "../../evil.test",
    "\\\\evil.test",
    "?@evil.test",
    "#@evil.test",
    ":80@evil.test",
  ])("does not become another one by a path of %j", (text) => {
    const { baseUrl } = providerOf(fileOf({ baseUrl: `https://own.test/${variable("TEXT")}` }), {
      environment: { TEXT: text },
    });
    expect(new URL(baseUrl).origin).toBe("https://own.test");
  });
});

describe("the key of a known service", () => {
  test("goes to the places of that service", () => {
    const stated = { apiKey: variable("OPENAI_API_KEY") };
    expect(providerOf(fileOf(stated, "openai"), { environment }).apiKey).toBe("sk-openai-1234");
    const own = { ...stated, baseUrl: "https://api.openai.com/v1" };
    expect(providerOf(fileOf(own), { environment }).apiKey).toBe("sk-openai-1234");
  });

  const text = variable("OPENAI_API_KEY");
  test.each([
    ["a server of one's own", fileOf({ apiKey: text }), "/providers/own/apiKey"],
    [
      "its own provider in another place",
      fileOf({ apiKey: text, baseUrl: "https://x.test" }, "openai"),
      "/providers/openai/apiKey",
    ],
    [
      "its own host, unencrypted",
      fileOf({ apiKey: text, baseUrl: "http://api.openai.com/v1" }, "openai"),
      "/providers/openai/apiKey",
    ],
    ["another known service", fileOf({ headers: { "x-key": text } }, "groq"), "/providers/groq/headers/x-key"],
    ["a path", fileOf({ baseUrl: `https://own.test/${text}` }), "/providers/own/baseUrl"],
    [
      "a header of a model",
      fileOf({ models: [{ id: "m", headers: { "x-key": text } }] }),
      "/providers/own/models/0/headers/x-key",
    ],
    [
      "a model in another place",
      fileOf({ apiKey: text, models: [{ id: "m", baseUrl: "https://x.test/v1" }] }, "openai"),
      "/providers/openai/apiKey",
    ],
    [
      "a known model in another place",
      fileOf({ modelOverrides: { "gpt-5": { baseUrl: "https://x.test/v1", headers: { "x-key": text } } } }, "openai"),
      "/providers/openai/modelOverrides/gpt-5/headers/x-key",
    ],
  ])("does not go to %s", (_, file, path) => {
    const error = errorOf(file, { environment });
    expect(error.path).toBe(path);
    expect(error.message).toMatch(/^OPENAI_API_KEY is the key of openai and is not sent to https?:\/\//);
    expect(everythingOf(error)).not.toContain("sk-");
  });

  test("goes with a model that is at home, beside one that is not", () => {
    const models = [
      { id: "a", headers: { "x-key": text } },
      { id: "b", baseUrl: "https://x.test/v1" },
    ];
    expect(providerOf(fileOf({ models }, "openai"), { environment }).models.find(({ id }) => id === "a")).toMatchObject(
      {
        headers: { "x-key": "sk-openai-1234" },
      },
    );
  });

  test("is not that of Azure in another provider", () => {
    const stated = { apiKey: variable("AZURE_OPENAI_API_KEY") };
    const error = errorOf(fileOf(stated), { environment: { AZURE_OPENAI_API_KEY: "sk-azure" } });
    expect(error.message).toContain("AZURE_OPENAI_API_KEY is the key of azure and is not sent to https://own.test");
  });
});
