import type { Acceptance, Loss } from "@rolecall/core";
import { acceptLosses, ConfigError, readAcceptances } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { createLoss } from "./loss.ts";

const mark = createLoss("cache.mark", "/messages/3/content/0/cache_control");
const authority = createLoss("instruction.authority", "/messages/0/role");
const synthesized = createLoss("setting.synthesized", "", { targetPath: "/max_tokens" });

const accepted = (loss: Loss, entry: Omit<Acceptance, "reason">): boolean =>
  acceptLosses([loss], [{ ...entry, reason: "known" }])[0]?.accepted === "known";

describe("a loss is accepted by", () => {
  test.each<[entry: Omit<Acceptance, "reason">, expected: boolean]>([
    [{ code: "cache.mark" }, true],
    [{ code: "cache.*" }, true],
    [{ code: "*" }, true],
    [{ code: "cache.ttl" }, false],
    [{ code: "cache" }, false],
    [{ code: "cache.mark", from: "anthropic-messages", to: "openai-chat" }, true],
    [{ code: "cache.mark", to: "gemini-generate-content" }, false],
    [{ code: "cache.mark", path: "/messages/3/content/0/cache_control" }, true],
    [{ code: "cache.mark", path: "/messages/*/content/*/cache_control" }, true],
    [{ code: "cache.mark", path: "/messages/**" }, true],
    [{ code: "cache.mark", path: "/messages/*" }, false],
    [{ code: "cache.mark", path: "/system/**" }, false],
    [{ code: "cache.mark", path: "/messages/3/content/0/cache_control/ttl" }, false],
  ])("%j: %s", (entry, expected) => {
    expect(accepted(mark, entry)).toBe(expected);
  });
});

test("authority and safety are accepted by their own name only", () => {
  expect(accepted(authority, { code: "instruction.authority" })).toBe(true);
  expect(accepted(authority, { code: "instruction.*" })).toBe(false);
  expect(accepted(authority, { code: "*", path: "/messages/0/role" })).toBe(false);
});

test("what was made up is accepted by its place in the target", () => {
  expect(accepted(synthesized, { code: "setting.synthesized", path: "/max_tokens" })).toBe(true);
});

test("an accepted loss stays in the report, with the first reason that fits", () => {
  const list = [
    { code: "cache.*", reason: "caching is off" },
    { code: "cache.mark", reason: "too late" },
  ];
  expect(acceptLosses([mark, authority], list)).toEqual([{ ...mark, accepted: "caching is off" }, authority]);
});

test("without a list the report is the same object", () => {
  const losses = [mark];
  expect(acceptLosses(losses, [])).toBe(losses);
});

describe("a list is read from", () => {
  const entry = { code: "cache.mark", path: "/messages/**", reason: "known" };

  test("an array, or an object with the array", () => {
    expect(readAcceptances([entry])).toEqual([entry]);
    expect(readAcceptances({ accept: [entry], other: 1 })).toEqual([entry]);
  });

  test.each(["", "/", "/max_tokens", "/messages/*/content", "/tools/0/a~1b~0c", "/**"])(
    "an entry with the path %j",
    (path) => {
      expect(readAcceptances([{ ...entry, path }])).toEqual([{ ...entry, path }]);
    },
  );

  test.each(["*", "cache.*", "cache.m*"])("an entry with the code %j", (code) => {
    expect(readAcceptances([{ ...entry, code }])).toEqual([{ ...entry, code }]);
  });

  test.each<[value: unknown, path: string, message: string]>([
    ["cache.mark", "", "an array"],
    [{ accept: {} }, "", "an array"],
    [{ accept: ["cache.mark"] }, "/accept/0", "must be an object"],
    [[{ reason: "x" }], "/0/code", "code"],
    [[entry, { code: "cache.marks", reason: "x" }], "/1/code", "no loss has this code"],
    [[{ code: "cache.mark" }], "/0/reason", "reason"],
    [[{ code: "cache.mark", reason: "" }], "/0/reason", "reason"],
    [{ accept: [{ ...entry, to: 7 }] }, "/accept/0/to", "must be a string"],
    [[{ ...entry, pth: "/x" }], "/0/pth", 'an entry has no "pth"; it has code, from, to, path, reason'],
    [[{ ...entry, "a/b": 1 }], "/0/a~1b", 'no "a/b"'],
    [[{ ...entry, path: "max_tokens" }], "/0/path", 'begin with "/"'],
    [[{ ...entry, path: "**" }], "/0/path", 'begin with "/"'],
    [[{ ...entry, path: "/a~b" }], "/0/path", '"~0"'],
    [[{ ...entry, path: "/messages/**/cache_control" }], "/0/path", "must be the last segment"],
    [[{ ...entry, code: "cache.*k" }], "/0/code", 'one "*" at most'],
    [[{ ...entry, code: "*.mark*" }], "/0/code", 'one "*" at most'],
    [[{ ...entry, code: "cahce.*" }], "/0/code", "no loss has a code that begins so"],
  ])("%j is refused at %j: %s", (value, path, message) => {
    let error: unknown;
    try {
      readAcceptances(value, "accept.json");
    } catch (caught) {
      error = caught;
    }
    expect(error).toBeInstanceOf(ConfigError);
    expect(error).toMatchObject({ path, file: "accept.json", message: expect.stringContaining(message) });
  });
});
