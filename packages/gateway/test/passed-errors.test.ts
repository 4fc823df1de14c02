import type { ServerResponse } from "node:http";
import { setTimeout } from "node:timers/promises";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { createEventGuard } from "../src/upstream/event-guard.ts";
import { families, pairs } from "./families/index.ts";
import { json } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

const error = { message: `bad key ${serviceKey}`, code: 429 };

/** An error beside, before, behind and within what an answer says. */
const places: readonly (readonly [string, (answer: object) => object])[] = [
  ["alone", () => ({ error })],
  ["behind an id", () => ({ id: "x", error })],
  ["behind an answer", (answer) => ({ ...answer, error })],
  ["before an answer", (answer) => ({ error, ...answer, ...("error" in answer && { error }) })],
];

const packs: readonly (readonly [string, (text: string, response: ServerResponse) => Promise<void> | void])[] = [
  ["in one piece", (text, response) => json(response, 200, text)],
  ["behind blank space", (text, response) => json(response, 200, `\n \t\r\n${text}`)],
  ["with escaped letters", (text, response) => json(response, 200, text.replace('"error"', '"err\\u006fr"'))],
  ["split anywhere", (text, response) => inPieces(text, response, { "content-type": "application/json" })],
  ["as text", (text, response) => json(response, 200, text, { "content-type": "text/plain" })],
  ["in gzip", (text, response) => packed(response, "gzip", gzipSync(text))],
  ["in br", (text, response) => packed(response, "br", brotliCompressSync(text))],
];

async function inPieces(text: string, response: ServerResponse, headers: Record<string, string>): Promise<void> {
  response.writeHead(200, headers);
  for (let at = 0; at < text.length; at += 9) {
    response.write(text.slice(at, at + 9));
    if (at % 27 === 0) await setTimeout(1);
  }
  response.end();
}

function packed(response: ServerResponse, encoding: string, bytes: Buffer): void {
  response.writeHead(200, { "content-type": "application/json", "content-encoding": encoding });
  response.end(bytes);
}

describe.each(pairs)("$name", ({ from, to }) => {
  const { protocol } = to;

  test.each(packs)("an error under status 200 has its own status, %s", async (_name, send) => {
    // A service of Gemini states an error in place of an answer, not beside one.
    const known = protocol === "gemini-generate-content" ? places.slice(0, 2) : places;
    for (const [, place] of known) {
      const text = JSON.stringify(place(to.text("ok")));
      const { url, records } = await start({ protocol, answer: (_request, response) => send(text, response) });
      for (const isStream of [false, true]) {
        const answer = await post(url, from.path(isStream), from.body("hi", isStream));
        expect([answer.status, await answer.text()]).toEqual([
          429,
          expect.stringMatching(/^(?!.*sk-service).*bad key/s),
        ]);
        expect(records.at(-1)).toMatchObject({ outcome: "failed", status: 429 });
      }
    }
  });

  test.each(["<html>", "oops", "null", '"text"', "", "{", '{"a":1', '{"error":'])(
    "%j is no answer and is not shown",
    async (start_) => {
      const text = start_ === "" ? "" : `${start_} ${serviceKey}`;
      const { url } = await start({
        protocol,
        answer: (_request, response) => json(response, 200, text, { "content-type": "text/html" }),
      });
      for (const isStream of [false, true]) {
        const answer = await post(url, from.path(isStream), from.body("hi", isStream));
        expect([answer.status, await answer.text()]).toEqual([502, expect.not.stringContaining(serviceKey)]);
      }
    },
  );

  test("keys in headers of a service are replaced", async () => {
    for (const status of [200, 429]) {
      const { url } = await start({
        protocol,
        answer: (_request, response) =>
          json(response, status, status === 200 ? to.text("ok") : to.refusal("rate_limit", "slow").body, {
            "x-request-id": serviceKey,
            "request-id": `a ${serviceKey}`,
            "x-ratelimit-key": serviceKey,
            "anthropic-ratelimit-requests-remaining": "7",
          }),
      });
      const { headers } = await post(url, from.path(), from.body("hi"));
      expect([...headers].filter(([, value]) => value.includes(serviceKey))).toEqual([]);
      expect(headers.get("anthropic-ratelimit-requests-remaining")).toBe("7");
      expect(headers.get("x-ratelimit-key")).toBe("[key]");
    }
  });

  test.each(["before", "behind"])("keys are replaced in an error event of 6 MB, %s its filling", async (place) => {
    const filling = "x".repeat(6_000_000);
    const said = { error: place === "before" ? { ...error, filling } : { filling, ...error } };
    const { url } = await start({
      protocol,
      answer: async (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const text = `data: ${JSON.stringify(said)}\n\n`;
        response.write(text.slice(0, 5_000_000));
        await setTimeout(20);
        response.end(text.slice(5_000_000));
      },
    });
    const text = await (await post(url, from.path(true), from.body("hi", true))).text();
    expect(text.includes(serviceKey)).toBe(false);
    expect(text.includes("bad key")).toBe(true);
  });

  test.each(["text/plain", "application/octet-stream", "application/x-ndjson", "application/json", undefined])(
    "a stream under the type %s is one",
    async (type) => {
      const list = to.events(to.text("hello there"));
      const headers: Record<string, string> = type === undefined ? {} : { "content-type": type };
      for (const sent of [list, list.slice(0, 2)]) {
        const { url, records } = await start({
          protocol,
          answer: (_request, response) => inPieces(`\n${sent.join("")}`, response, headers),
        });
        const answer = await post(url, from.path(true), from.body("hi", true));
        const text = await answer.text();
        const pieces = Array.from(text.matchAll(from.piece), ([, piece]) => piece).join("");
        if (sent === list) expect([answer.status, pieces]).toEqual([200, "hello there"]);
        expect(records.at(-1)).toMatchObject({ outcome: sent === list ? "complete" : "failed" });
      }
    },
  );

  test("a stream in gzip under another type is one", async () => {
    const text = to.events(to.text("hello there")).join("");
    const { url } = await start({
      protocol,
      answer: (_request, response) => packed(response, "gzip", gzipSync(text)),
    });
    const answer = await (await post(url, from.path(true), from.body("hi", true))).text();
    expect(Array.from(answer.matchAll(from.piece), ([, piece]) => piece).join("")).toBe("hello there");
  });

  test("an error behind blank space under the header of a stream is told as in one piece", async () => {
    const told: [number, string][] = [];
    for (const pieces of [[], [" "], ["\n"], ["\r\n", " "]]) {
      const { url } = await start({
        protocol,
        answer: async (_request, response) => {
          response.writeHead(200, { "content-type": "text/event-stream" });
          for (const piece of pieces) {
            response.write(piece);
            await setTimeout(10);
          }
          response.end(JSON.stringify({ error }));
        },
      });
      const answer = await post(url, from.path(true), from.body("hi", true));
      told.push([answer.status, (await answer.text()).trim()]);
    }
    for (const one of told) expect(one).toEqual(told[0]);
    expect(told[0]![1]).not.toContain(serviceKey);
  });

  test.each([
    ["message_stop"],
    ["data: [DONE]"],
    ['"finish_reason":"stop","stop_reason":"end_turn","finishReason":"STOP"'],
    ['event: error\ndata: {"error":{"message":"x"}}\n\n'],
  ])("a cut stream is not complete because its text says %j", async (words) => {
    const said = JSON.stringify(words).slice(1, -1);
    const list = to.events(to.text("hello")).map((event) => event.replace("hello", () => said));
    const { url, records } = await start({
      protocol,
      answer: (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
        // All that says how it ends is left out.
        const cut = list.findIndex((event) => /"(?:stop_reason|finish_reason|finishReason)":"/.test(event));
        response.end(list.slice(0, cut < 0 ? -1 : cut).join(""));
      },
    });
    const text = await (await post(url, from.path(true), from.body("hi", true))).text();
    expect(text).toMatch(/ended before (?:it|the answer) was complete/);
    expect(records).toMatchObject([{ outcome: "failed" }]);
  });
});

test("errors that are null in each chunk do not end a stream", async () => {
  const [chat] = families;
  const chunk = { id: "c", object: "chat.completion.chunk", created: 1, model: "m", error: null };
  const { url, records } = await start({
    protocol: "openai-chat",
    answer: (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream", connection: "close" });
      response.end(`data: ${JSON.stringify({ ...chunk, choices: [{ index: 0, delta: { content: "half" } }] })}\n\n`);
    },
  });
  const text = await (await post(url, chat!.path(true), chat!.body("hi", true))).text();
  expect(text).toContain("before it was complete");
  expect(records).toMatchObject([{ outcome: "failed" }]);
});

describe("where an event ends", () => {
  const ends = ["\n", "\r\n", "\r"];
  const blank = ends.flatMap((first) => ends.map((second) => first + second)).filter((two) => two !== "\r\n");

  test.each(blank)("behind %j", (two) => {
    const events = [`data: 1${two}`, `data: 2${two}`, `data: 3${two}`];
    const bytes = Buffer.from(events.join(""));
    // However the bytes are cut, an event is out when the first byte behind it has come, but for a newline behind a return.
    for (let size = 1; size <= bytes.length; size++) {
      const guard = createEventGuard("openai-chat", 1000);
      let out = 0;
      for (let at = 0; at < bytes.length; at += size) {
        out += guard.push(bytes.subarray(at, at + size))?.length ?? 0;
        const seen = Math.min(bytes.length, at + size);
        const whole = Math.floor((seen - 1) / events[0]!.length) * events[0]!.length;
        expect(out).toBeGreaterThanOrEqual(whole - 1);
      }
      expect(out + (guard.finish()?.length ?? 0)).toBe(bytes.length);
    }
  });

  test("one line end is none", () => {
    const guard = createEventGuard("openai-chat", 1000);
    for (const line of ["data: 1\r\n", "data: 2\n", "data: 3\r"]) expect(guard.push(Buffer.from(line))).toBeUndefined();
  });

  test("an event beyond the limit breaks the stream", () => {
    const guard = createEventGuard("openai-chat", 100);
    expect(guard.push(Buffer.from("data: 1\n\n"))?.length).toBe(9);
    guard.push(Buffer.alloc(60, "x"));
    expect(() => guard.push(Buffer.alloc(60, "x"))).toThrow("larger than 100 bytes");
  });

  test("comments alone are no progress, whatever ends their lines", () => {
    const guard = createEventGuard("openai-chat", 1000);
    for (const end of ends) {
      guard.push(Buffer.from(`: still here${end}${end}`));
      expect(guard.progressed).toBe(false);
      guard.push(Buffer.from(`: still here${end}data: 1${end}${end}`));
      expect(guard.progressed).toBe(true);
    }
  });
});
