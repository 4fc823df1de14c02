import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Json } from "@rolecall/core";
import { valueAt } from "@rolecall/core";
import { describe, expect, onTestFinished, test } from "vitest";
import { readCommandArguments } from "../src/command/arguments.ts";
import { createGateway, readModelMap } from "../src/index.ts";
import { createModelLookup } from "../src/model/map.ts";
import { pairs } from "./families/index.ts";
import { json } from "./service.ts";
import { post, start } from "./start.ts";

function fileWith(text: string): string {
  const folder = mkdtempSync(join(tmpdir(), "rolecall-test-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const file = join(folder, "models.json");
  writeFileSync(file, text);
  return file;
}

const modelMapOf = (...argv: string[]) => readCommandArguments(argv, {}).gateway.modelMap;

describe("a model map", () => {
  test("an exact name wins, then the longest pattern, then the name itself", () => {
    const lookup = createModelLookup({
      "claude-*": "big",
      "claude-haiku-*": { model: "small-*", maxTokens: 100 },
      "claude-opus-4-8": "huge",
      "*-mini": "tiny",
    });
    expect(
      ["claude-opus-4-8", "claude-opus-5", "claude-haiku-5", "claude-mini", "gpt-mini", "other"].map(lookup),
    ).toEqual([
      { model: "huge" },
      { model: "big" },
      { model: "small-5", maxTokens: 100 },
      { model: "big" },
      { model: "tiny" },
      { model: "other" },
    ]);
  });

  test.each([
    [null, "", "a map of models is an object"],
    [["a"], "", "a map of models is an object"],
    [{ "": "x" }, "/", "state the name that clients ask for"],
    [{ "a*b*": "c" }, "/a*b*", 'a pattern has one "*"'],
    [{ "a/b": 7 }, "/a~1b", "state the model to ask"],
    [{ a: "" }, "/a", "a name that is not empty"],
    [{ a: {} }, "/a/model", "a name that is not empty"],
    [{ a: "b-*" }, "/a", "the name has none"],
    [{ "a-*": { model: "*-*" } }, "/a-*/model", 'a "*" in the model'],
    [{ a: { model: "b", max_tokens: 5 } }, "/a/max_tokens", "it has model and maxTokens"],
    [{ a: { model: "b", maxTokens: 0 } }, "/a/maxTokens", "a whole number above 0"],
    [{ a: { model: "b", maxTokens: "9" } }, "/a/maxTokens", "a whole number above 0"],
  ])("%j is refused at %s", async (value, path, message) => {
    const refused = (): unknown => {
      try {
        return readModelMap(value, "models.json");
      } catch (error) {
        return error;
      }
    };
    expect(refused()).toMatchObject({ code: "config", path, file: "models.json" });
    expect(refused()).toHaveProperty("message", expect.stringContaining(message));
    await expect(createGateway({ modelMap: value as never })).rejects.toMatchObject({ path: `/modelMap${path}` });
  });
});

describe("--model-map", () => {
  test("reads a file, and --map goes before it", () => {
    const file = fileWith('{"claude-*": {"model": "big", "maxTokens": 9}, "gpt-x": "other"}');
    expect(modelMapOf("--model-map", file)).toEqual({ "claude-*": { model: "big", maxTokens: 9 }, "gpt-x": "other" });
    expect(modelMapOf("--map", "gpt-x=mine@5", "--model-map", file)).toEqual({
      "claude-*": { model: "big", maxTokens: 9 },
      "gpt-x": { model: "mine", maxTokens: 5 },
    });
    expect(modelMapOf()).toBeUndefined();
  });

  test.each([
    ["{", "", "line 1, column"],
    ['{"a": "b", "a": "c"}', "/a", "stands twice"],
    ['{"a": 1}', "/a", "state the model to ask"],
  ])("%s is refused at %j", (text, path, message) => {
    const file = fileWith(text);
    expect(() => modelMapOf("--model-map", file)).toThrow(
      expect.objectContaining({ code: "config", file, path, message: expect.stringContaining(message) }),
    );
  });

  test("a file that is not there", () => {
    expect(() => modelMapOf("--model-map", "/does/not/exist")).toThrow(
      "cannot read /does/not/exist: no such file or directory",
    );
  });
});

describe.each(pairs)("$name", ({ from, to }) => {
  test("asks the model that the map names, for no more than it can generate", async () => {
    const { url, service, records } = await start({
      protocol: to.protocol,
      modelMap: { m: { model: "n", maxTokens: 20 } },
      answer: (_r, response) => json(response, 200, to.text("ok")),
    });
    expect((await post(url, from.path(), from.body("hi"))).status).toBe(200);
    const { url: asked, body } = service.received[0]!;
    expect(body.model ?? /models\/(\w+):/.exec(asked)?.[1]).toBe("n");
    const limits = [...JSON.stringify(body).matchAll(/"max_?(?:completion_|output)?_?tokens":(\d+)/gi)];
    expect(limits.map(([, limit]) => limit)).toEqual(["20"]);
    expect(records).toMatchObject([{ model: "m", sentModel: "n" }]);
    const clamped = records[0]!.losses.filter(({ code }) => code === "setting.clamped");
    expect(clamped).toHaveLength(1);
    expect(valueAt(from.body("hi") as Json, clamped[0]!.path)).toBe(50);
  });
});
