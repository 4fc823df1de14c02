import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, ProtocolId } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { changesOf, createToken } from "../../src/audit/change.ts";
import type { ContentKind } from "../../src/audit/content.ts";
import { createContentReader } from "../../src/audit/content.ts";
import { editAt } from "../../src/audit/edit.ts";
import { createRandom, sample, survey } from "../../src/audit/leaves.ts";
import { lossesAt, pathsWith } from "../../src/audit/outcome.ts";
import { matches, patternOf } from "../../src/audit/pattern.ts";
import { placeKind } from "../../src/audit/place-kind.ts";
import { createExcuses } from "../../src/audit/redundancy.ts";
import { repository } from "../command.ts";

describe("patterns", () => {
  test.each([
    ["/a/*/c", "a/b/c", true],
    ["/a/*/c", "a/b/d", false],
    ["/a/*", "a", false],
    ["/a/**", "a", true],
    ["/a/**", "a/b/c", true],
    ["/**", "", true],
    ["/**/c", "a/b/c", true],
    ["/**/c", "c/b", false],
    ["/a/**/c/*", "a/x/y/c/z", true],
    ["/a~1b", "a/b", false],
  ])("%s on %s: %j", (pattern, path, expected) => {
    expect(matches(patternOf(pattern), path === "" ? [] : path.split("/"))).toBe(expected);
  });

  test("know escaped segments", () => {
    expect(matches(patternOf("/a~1b"), ["a/b"])).toBe(true);
  });
});

describe("edits", () => {
  const root = { a: [1, { b: 2 }, 3], c: null };
  test("change, remove and share", () => {
    expect(editAt(root, ["a", "1", "b"], () => 9)).toEqual({ a: [1, { b: 9 }, 3], c: null });
    expect(editAt(root, ["a", "1"], () => undefined)).toEqual({ a: [1, 3], c: null });
    expect(editAt(root, ["c"], () => undefined)).toEqual({ a: [1, { b: 2 }, 3] });
    expect(root).toEqual({ a: [1, { b: 2 }, 3], c: null });
  });
  test("keep a key __proto__ what it is", () => {
    const odd: Json = JSON.parse('{"__proto__":{"x":1}}');
    expect(JSON.stringify(editAt(odd, ["__proto__", "x"], () => 2))).toBe('{"__proto__":{"x":2}}');
    expect(JSON.stringify(editAt(odd, ["__proto__"], () => "y"))).toBe('{"__proto__":"y"}');
  });
});

describe("changes", () => {
  const token = "ZqABCDEF";
  const values = (value: Json, content = false) => changesOf(value, token, content).map((change) => change.value);
  test("keep the type", () => {
    expect(values(true)).toEqual([false]);
    expect(values(3)).toEqual([4, 60]);
    expect(values(0.5)).toEqual([0.25, 1.5]);
    expect(values(null)).toEqual([token]);
    expect(values([])).toEqual([[token]]);
    expect(values({})).toEqual([{ [token]: token }]);
    expect(values("x")).toEqual([`x${token}`]);
    expect(values("x", true)).toEqual([`x${token}`, `${token}x`]);
  });
  test.each(['{"a":1}', " { } ", "[]", '[{"a":"]"}]', '{"a":"\\u007b"}'])("keep %s JSON text", (text) => {
    const [changed] = values(text);
    expect(() => JSON.parse(changed as string)).not.toThrow();
    expect(changed).toContain(token);
  });
  test("keep Base64 and data URLs", () => {
    const data = Buffer.from("a picture of some bytes, more or less").toString("base64");
    for (const prefix of ["", "data:image/png;base64,"]) {
      const changed = (values(prefix + data)[0] as string).slice(prefix.length);
      expect(changed).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
      expect(changed.length % 4).toBe(0);
      expect(changed).toContain(token);
    }
  });
  test("take a token that stands nowhere", () => {
    const first = createToken(1, "");
    expect(first).toMatch(/^[A-Za-z]{8}$/);
    expect(createToken(1, `x${first}x`)).not.toBe(first);
  });
});

describe("samples", () => {
  test("hold every kind first", () => {
    const items = [..."aaaaaaaaab"];
    expect([...sample(items, 2, (item) => item, createRandom(1))].sort()).toEqual(["a", "b"]);
    expect(sample(items, 20, (item) => item, createRandom(1))).toBe(items);
  });
});

describe("excuses", () => {
  const rule = { path: "/**", operation: "response", covers: "always", values: [null, []], reason: "" } as const;
  const removal = { path: "/a", operation: "response", covers: "removal", reason: "" } as const;
  test("depend on operation, place and value", () => {
    const excuse = createExcuses([rule, removal], "response");
    expect(excuse(["x"], null, {})).toBe("always");
    expect(excuse(["x"], 1, {})).toBe("none");
    expect(excuse(["a"], 1, {})).toBe("removal");
    expect(excuse(["a"], [], {})).toBe("always");
    expect(createExcuses([rule, removal], "request")(["x"], null, {})).toBe("none");
  });

  test("of a copy depend on what it is a copy of", () => {
    const copy = { path: "/*/a", operation: "request", covers: "removal", sameAs: "b", reason: "" } as const;
    const excuse = createExcuses([copy], "request");
    expect(excuse(["x", "a"], 1, { x: { a: 1, b: 1 } })).toBe("removal");
    expect(excuse(["x", "a"], 1, { x: { a: 1, b: 2 } })).toBe("none");
    expect(excuse(["x", "a"], 1, { x: { a: 1 }, b: 1 })).toBe("none");
  });
});

describe("losses at a place", () => {
  const at = (path: string) => ({ path }) as never;
  test("are those there and above, never of the whole body", () => {
    const losses = [at(""), at("/a"), at("/a/b"), at("/a/bc"), at("/a/b/c")];
    expect(lossesAt(losses, "/a/b").map(({ path }) => path)).toEqual(["/a", "/a/b"]);
  });
});

test("texts are found in values and keys", () => {
  expect(pathsWith({ a: ["x", "yTy"], T1: { b: "T" } }, "T")).toEqual([["a", "1"], ["T1"], ["T1", "b"]]);
});

describe("what a place is to a model", () => {
  const folder = join(repository, "fixtures/parallel");
  const protocols: ProtocolId[] = ["openai-chat", "openai-responses", "anthropic-messages", "gemini-generate-content"];
  const compared: ContentKind[] = ["text", "instruction", "reasoning", "description"];

  /** The texts of each kind in a body, in the order of the body. */
  function contents(body: Json, protocol: ProtocolId, operation: "request" | "response"): Map<ContentKind, string[]> {
    const read = createContentReader(protocol, operation);
    const found = new Map<ContentKind, string[]>(compared.map((kind) => [kind, []]));
    for (const { path, value } of survey(body).leaves) {
      const kind = read(body, path);
      if (kind !== undefined && typeof value === "string" && value !== "") found.get(kind)?.push(value);
    }
    return found;
  }

  test.each(["request", "response"] as const)(
    "is the same in the %s of all protocols that mean the same",
    (operation) => {
      let count = 0;
      for (const name of readdirSync(folder)) {
        // Where a protocol cannot say the same, there is a list of differences.
        const files = readdirSync(join(folder, name));
        const bodies = protocols.flatMap((protocol) => {
          const file = join(folder, name, `${protocol}.${operation}.json`);
          if (!existsSync(file) || files.includes(`${protocol}.differs.json`)) return [];
          const read = JSON.parse(readFileSync(file, "utf8"));
          return [
            { protocol, found: contents(operation === "request" ? (read.body ?? read) : read, protocol, operation) },
          ];
        });
        for (const kind of compared) {
          const spoken = bodies.map(({ protocol, found }) => [protocol, (found.get(kind) ?? []).sort()]);
          const [first] = spoken;
          if (first === undefined) continue;
          count += (first[1] as string[]).length;
          for (const other of spoken.slice(1)) expect(other[1], `${name} ${other[0]} ${kind}`).toEqual(first[1]);
        }
      }
      expect(count).toBeGreaterThan(operation === "request" ? 80 : 10);
    },
  );
});

describe("kinds of places", () => {
  test.each([
    ["messages/0/content/1/input/path/deep", "/messages/*<assistant>/content/*<tool_use>/input/**"],
    ["messages/0/content/0/text", "/messages/*<assistant>/content/*<text>/text"],
    ["tools/0/input_schema/properties/secret/type", "/tools/*/input_schema/**/type"],
    ["tools/0/input_schema/properties/type", "/tools/*/input_schema/**"],
    [
      "messages/0/content/2/tool/definition/input_schema/properties/path/type",
      "/messages/*<assistant>/content/*/tool/definition/input_schema/**/type",
    ],
    ["metadata/user", "/metadata/**"],
    ["a key/x", "/*/x"],
  ])("%s", (path, expected) => {
    const body = {
      messages: [
        {
          role: "assistant",
          content: [
            { type: "text", text: "t" },
            { type: "tool_use", input: { path: { deep: 1 } } },
            { tool: { definition: { input_schema: { properties: { path: { type: "string" } } } } } },
          ],
        },
      ],
      metadata: { user: "u" },
      tools: [{ input_schema: { properties: { secret: { type: "string" } } } }],
    };
    expect(placeKind(body, path.split("/"))).toBe(expected);
  });
});
