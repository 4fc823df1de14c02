import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import { configDirectory } from "../../../src/models/config/directory.ts";
import type { ModelExchange, ModelsFileOptions } from "../../../src/models/index.ts";
import { createModels, createRecorder } from "../../../src/models/index.ts";
import { loadProviders } from "../../../src/providers/index.ts";
import { samples } from "../answers.ts";
import { events, json, startService } from "../service.ts";
import { everythingOf, fileOf, variable } from "./sample.ts";
import { isValid } from "./schema.ts";

function folder(): string {
  const place = mkdtempSync(join(tmpdir(), "rolecall-models-"));
  onTestFinished(() => rmSync(place, { recursive: true, force: true }));
  return place;
}

/** A file below a folder, by its path. */
function write(place: string, names: readonly string[], content: string | Uint8Array | object): string {
  const file = join(place, ...names);
  mkdirSync(join(file, ".."), { recursive: true });
  writeFileSync(file, typeof content === "string" || content instanceof Uint8Array ? content : JSON.stringify(content));
  return file;
}

async function failureOf(options: ModelsFileOptions): Promise<ConfigError> {
  const error: unknown = await loadProviders({ environment: {}, ...options }).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConfigError);
  return error as ConfigError;
}

const idsOf = async (options: ModelsFileOptions) => (await loadProviders(options)).map(({ id }) => id);
const named = (id: string): object => ({ providers: { [id]: { baseUrl: "https://x.test", api: "openai-chat" } } });

describe("the file of the user", () => {
  test("stands where the variables say, and else below the home", async () => {
    const place = folder();
    const environment: Record<string, string> = { HOME: place };
    expect(await loadProviders({ environment })).toEqual([]);
    write(place, [".config", "rolecall", "models.json"], named("home"));
    expect(await idsOf({ environment })).toEqual(["home"]);
    write(place, ["xdg", "rolecall", "models.json"], named("xdg"));
    environment["XDG_CONFIG_HOME"] = join(place, "xdg");
    expect(await idsOf({ environment })).toEqual(["xdg"]);
    write(place, ["own", "models.json"], named("own"));
    environment["ROLECALL_CONFIG_DIR"] = `${join(place, "own")}/`;
    expect(await idsOf({ environment })).toEqual(["own"]);
    const path = write(place, ["stated.json"], named("stated"));
    expect(await idsOf({ environment, path })).toEqual(["stated"]);
  });

  test("is none in the working directory", async () => {
    const [home, place] = [folder(), folder()];
    for (const names of [["models.json"], ["rolecall", "models.json"], [".config", "rolecall", "models.json"]])
      write(place, names, named("evil"));
    const before = process.cwd();
    onTestFinished(() => process.chdir(before));
    process.chdir(place);
    for (const relative of ["", ".", "./", "rolecall", ".config"]) {
      const environment = { HOME: home, XDG_CONFIG_HOME: relative, ROLECALL_CONFIG_DIR: relative };
      expect(await loadProviders({ environment })).toEqual([]);
    }
  });

  test("is a mistake where something else stands in its place", async () => {
    const place = folder();
    mkdirSync(join(place, "models.json"));
    const error = await failureOf({ environment: { ROLECALL_CONFIG_DIR: place } });
    expect(error).toMatchObject({ path: "", file: join(place, "models.json") });
    expect(error.message).toContain("it is a directory");
  });
});

test.each([
  ["linux", { ROLECALL_CONFIG_DIR: "/a", XDG_CONFIG_HOME: "/b", HOME: "/c" }, "/a"],
  ["linux", { ROLECALL_CONFIG_DIR: "a", XDG_CONFIG_HOME: "/b/", HOME: "/c" }, "/b/rolecall"],
  ["darwin", { XDG_CONFIG_HOME: "b", HOME: "/c", APPDATA: "/d" }, "/c/.config/rolecall"],
  ["linux", { HOME: "c" }, "/home/u/.config/rolecall"],
  ["win32", { ROLECALL_CONFIG_DIR: "D:\\a", APPDATA: "C:\\d" }, "D:\\a"],
  ["win32", { APPDATA: "C:\\d\\", XDG_CONFIG_HOME: "C:\\b" }, "C:\\d\\rolecall"],
  ["win32", { APPDATA: "\\\\server\\d" }, "\\\\server\\d\\rolecall"],
  ["win32", { APPDATA: "C:d", USERPROFILE: "C:\\u" }, "C:\\u\\AppData\\Roaming\\rolecall"],
])("the directory on %s with %j", (platform, environment, expected) => {
  expect(configDirectory(environment, { platform, home: platform === "win32" ? "C:\\h" : "/home/u" })).toBe(expected);
});

test("there is no directory for somebody without a home", () => {
  expect(configDirectory({}, { platform: "linux", home: undefined })).toBeUndefined();
  expect(configDirectory(Object.create({ HOME: "/c" }), { platform: "linux", home: "" })).toBeUndefined();
});

describe("a file that cannot be taken", () => {
  const secret = "sk-0123456789abcdef";

  test("is not there, though it was stated", async () => {
    const path = join(folder(), "models.json");
    expect(await failureOf({ path })).toMatchObject({
      file: path,
      path: "",
      message: `cannot read ${path}: there is no such file`,
    });
  });

  test.each([
    [
      "is broken",
      `{"providers": {\n  "x": {"apiKey": "${secret}" "name": 1}}}`,
      "",
      "unexpected character at line 2, column 41",
    ],
    ["is cut off", `{"providers": {"x": {"apiKey": "${secret}`, "", "the text ends too early at line 1"],
    ["is empty", "", "", "the text ends too early at line 1, column 1"],
    ["has comments", `// ${secret}\n{}`, "", "unexpected character at line 1, column 1"],
    [
      "says a thing twice",
      `{"providers": {"a/b": {"apiKey": "a", "apiKey": "${secret}"}}}`,
      "/providers/a~1b/apiKey",
      "this key stands twice",
    ],
    ["is no UTF-8", Uint8Array.of(0x22, 0xff, 0x22), "", "not valid UTF-8"],
    ["is wrong", { providers: { x: { apiKey: secret, api: secret } } }, "/providers/x/api", "must be one of"],
    [
      "has a number that is infinite",
      `{"providers": {"x": {"models": [{"id": "m", "maxTokens": 1e999}]}}}`,
      "/providers/x/models/0/maxTokens",
      "a whole number",
    ],
    ["is as deep as no file is", `${"[".repeat(100_000)}${"]".repeat(100_000)}`, "", "the file must be an object"],
  ] as const)("%s", async (_, content, pointer, message) => {
    const path = write(folder(), ["models.json"], content);
    const error = await failureOf({ path });
    expect(error).toMatchObject({ file: path, path: pointer });
    expect(error.message).toContain(message);
    expect(everythingOf(error)).not.toContain("0123456789");
  });

  test("begins with a mark of its encoding, and is taken", async () => {
    const path = write(folder(), ["models.json"], `\ufeff${JSON.stringify(named("x"))}`);
    expect(await idsOf({ path })).toEqual(["x"]);
  });
});

test("the sample of the documentation is taken, by the schema as well", async () => {
  const page = readFileSync(new URL("../../../../../docs/models-file.md", import.meta.url), "utf8");
  const text = /```json\n([\s\S]*?)```/.exec(page)?.[1] ?? "";
  expect(isValid(JSON.parse(text))).toBe(true);
  const path = write(folder(), ["models.json"], text);
  const [local, anthropic] = await loadProviders({ path, environment: { TEAM_KEY: "k" } });
  expect(local).toMatchObject({ id: "local", models: [{ id: "llama3.2", contextWindow: 131_072 }] });
  expect(anthropic).toMatchObject({ id: "anthropic", apiKey: "k" });
  expect(anthropic?.models.find(({ id }) => id === "claude-sonnet-4-6")?.maxTokens).toBe(32_000);
});

test("a service that is known is changed, and the key of one that the file does not name stays with it", async () => {
  const place = folder();
  const path = write(place, ["known.json"], {
    providers: { groq: { apiKey: "k" }, ollama: {}, anthropic: { name: "A" } },
  });
  const providers = await loadProviders({ path, environment: {} });
  expect(providers.map(({ id, name }) => `${id} ${name}`)).toEqual(["groq Groq", "ollama Ollama", "anthropic A"]);
  expect(providers.map(({ models }) => models.length > 0)).toEqual([true, false, true]);

  const environment = { XAI_API_KEY: "xai-0123456789", GEMINI_API_KEY: "gem-0123456789" };
  for (const name of Object.keys(environment)) {
    const error = await failureOf({
      path: write(place, ["own.json"], fileOf({ apiKey: variable(name) })),
      environment,
    });
    expect(error.message).toContain(`${name} is the key of`);
    expect(error.message).toContain("is not sent to https://own.test");
    expect(everythingOf(error)).not.toContain("0123456789");
  }
});

test("a key from a variable is sent, and stands in no file, no record and no message", async () => {
  const key = "sk-live-0123456789abcdef";
  const [sample] = samples;
  const service = await startService((_, response, number) =>
    number === 0
      ? events(response, sample!.stream)
      : json(response, 401, { error: { message: `no such key: ${key}` } }),
  );
  const api = sample!.api;
  const value = fileOf({
    baseUrl: service.origin + sample!.base,
    api,
    apiKey: variable("OWN_KEY"),
    models: [{ id: "m" }],
  });
  const path = write(folder(), ["models.json"], value);
  const before = readFileSync(path);

  const lines: string[] = [];
  const record = createRecorder((line) => lines.push(line));
  const models = createModels({ environment: {}, onExchange: (exchange: ModelExchange) => record(exchange) });
  for (const provider of await loadProviders({ path, environment: { OWN_KEY: key } })) models.setProvider(provider);
  const model = models.getModel("own", "m");
  const context = { messages: [{ role: "user", content: "hi" } as const] };
  const messages = [await models.complete(model!, context), await models.complete(model!, context)];

  expect(messages.map(({ stopReason }) => stopReason)).toEqual(["toolUse", "error"]);
  expect(service.received[0]?.headers["authorization"]).toBe(`Bearer ${key}`);
  expect(lines).toHaveLength(2);
  expect(JSON.stringify([messages, models.getModels(), await models.checkAuth("own")]) + lines).not.toContain(key);
  expect(readFileSync(path).equals(before)).toBe(true);
});
