import type { ProtocolId } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import type { GatewayOptions } from "../src/index.ts";
import { createGateway } from "../src/index.ts";
import { families, pairs } from "./families/index.ts";
import type { Answer } from "./service.ts";
import { json } from "./service.ts";
import { post, start } from "./start.ts";

const deep = (open: string, close: string, depth = 20_000): string => `${open.repeat(depth)}1${close.repeat(depth)}`;

/** Values that stand where nobody expects them, as JSON. */
const odd: readonly string[] = [
  "null",
  "1e300",
  "12345678901234567890123",
  '"\\ud800"',
  '"\\u0000"',
  "[]",
  '[[],{},"",0]',
  '{"__proto__":{"x":1},"constructor":null,"toString":1}',
  deep("[", "]"),
  deep('{"a":', "}"),
];

/** A body with an odd value in place of each of its own, at every depth, and beside them. */
function siblings(body: object): string[] {
  const found: string[] = [];
  const visit = (value: unknown, write: (text: string) => string): void => {
    for (const text of odd) found.push(write(text));
    if (typeof value !== "object" || value === null) return;
    const entries = Object.entries(value);
    for (const [index, [, item]] of entries.entries()) {
      visit(item, (text) => {
        const parts = entries.map(([key, other], at) => {
          const written = at === index ? text : JSON.stringify(other);
          return Array.isArray(value) ? written : `${JSON.stringify(key)}:${written}`;
        });
        return write(Array.isArray(value) ? `[${parts.join(",")}]` : `{${parts.join(",")}}`);
      });
    }
  };
  visit(body, (text) => text);
  return found;
}

/** Paths and bodies of all that can be posted. */
const posts: readonly (readonly [string, object])[] = [
  ...families.map(({ path, body }) => [path(), body("hi")] as const),
  ...families.map(({ path, body }) => [path(true), body("hi", true)] as const),
  ["/v1/messages/count_tokens", families[1]!.body("hi")],
  ["/v1beta/models/m:countTokens", { contents: [{ role: "user", parts: [{ text: "hi" }] }] }],
];

const paths: readonly string[] = [
  "/v1/models/%ff",
  "/v1/models/%",
  "/v1/models/%2e%2e",
  "/v1beta/models/%ff",
  "/v1beta/models/%ff:generateContent",
  "/v1/models/",
  "/rolecall/reports/%ff",
  "/rolecall/reports/__proto__",
  "/__proto__",
  "/constructor",
  "//",
  "/%00",
  `/v1/models/${"x".repeat(4000)}`,
  "/v1/models?key=%ff",
  "/health?a=%",
];

async function tell(response: Response): Promise<string> {
  return `${response.status} ${await response.text()}`;
}

async function startFor(protocol: ProtocolId | undefined, answer: Answer, options: GatewayOptions = {}) {
  if (protocol !== undefined) return start({ protocol, answer, ...options });
  const lines: string[] = [];
  const gateway = await createGateway({ log: (line) => lines.push(line), ...options });
  return { url: (await gateway.listen()).url, lines };
}

describe.each([...families.map(({ protocol }) => protocol), undefined])("a gateway before %s", (protocol) => {
  const own = families.find((family) => family.protocol === protocol);
  const ok: Answer = (request, response) =>
    json(response, 200, request.url.includes("ountTokens") ? { totalTokens: 1 } : (own?.text("ok") ?? {}));

  test.each(posts)("no body of %s makes it fail", async (path, body) => {
    const { url, lines } = await startFor(protocol, ok);
    const bodies = [...siblings(body), "", "{", "\ufeff{}", '{"a":1,"a":2}', "\u0000", "[1,2", '{"model":"m"'];
    for (const text of bodies) {
      const answer = await post(url, path, text);
      expect(await tell(answer), text.slice(0, 300)).not.toMatch(/^500|bug of Rolecall/);
    }
    expect(lines.filter((line) => line.includes("the gateway failed"))).toEqual([]);
  });

  test("no path makes it fail", async () => {
    const { url } = await startFor(protocol, ok);
    for (const path of paths) {
      for (const method of ["GET", "HEAD", "POST", "DELETE", "OPTIONS"]) {
        const body = method === "POST" ? "{}" : null;
        const answer = await fetch(url + path, { method, body, headers: { "content-type": "application/json" } });
        expect(await tell(answer), `${method} ${path}`).not.toMatch(/^500|bug of Rolecall/);
      }
    }
  });
});

describe.each(pairs)("$name", ({ from, to }) => {
  test.each([
    [200, to.text("ok")],
    [400, to.refusal("server", "it says no").body],
  ])("no answer under status %i makes it fail", async (status, body) => {
    let text = "";
    const { url, lines } = await start({
      protocol: to.protocol,
      answer: (_request, response) => json(response, status, text),
    });
    for (text of [...siblings(body), "", "<html>", "{", "\ufeff"]) {
      const answer = await post(url, from.path(), from.body("hi"));
      // A number that an error states is its status.
      expect(await tell(answer), text.slice(0, 300)).not.toMatch(/bug of Rolecall/);
    }
    expect(lines.filter((line) => line.includes("the gateway failed"))).toEqual([]);
  });

  test("no list of models makes it fail", async () => {
    let text = "";
    const { url } = await start({ protocol: to.protocol, answer: (_request, response) => json(response, 200, text) });
    const entry = { id: "m", name: "models/m", created: 1, created_at: "2026-01-01T00:00:00Z", display_name: "M" };
    const path = from.path().startsWith("/v1beta") ? "/v1beta/models" : "/v1/models";
    const headers: Record<string, string> =
      from.protocol === "anthropic-messages" ? { "anthropic-version": "2023-06-01" } : {};
    for (text of siblings({ data: [entry], models: [entry] })) {
      const list = await tell(await fetch(url + path, { headers }));
      expect(list, text.slice(0, 300)).not.toMatch(/^500|bug of Rolecall/);
      const one = await tell(await fetch(`${url}${path}/m`, { headers }));
      expect(one, text.slice(0, 300)).not.toMatch(/^500|bug of Rolecall/);
    }
  });
});
