import type { ServerResponse } from "node:http";
import { loadProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { createListGuard } from "../src/upstream/list-guard.ts";
import { geminiCall, geminiList, geminiText } from "./families/gemini.ts";
import { families, family } from "./families/index.ts";
import { events, json } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

const path = "/v1beta/models/m:streamGenerateContent";
const gemini = family("gemini-generate-content");
const { protocol } = gemini;
const list = geminiList(geminiText("hello there, and more"));
const text = list.join("");

/** What the parts of a list say. */
const saidBy = (chunks: { candidates?: { content: { parts: { text?: string }[] } }[] }[]) =>
  chunks.map(({ candidates }) => candidates?.[0]?.content.parts.map((part) => part.text).join("")).join("");

describe.each(families.filter((to) => to.protocol !== protocol))("a list out of a stream of $protocol", (to) => {
  test("is JSON, comes piece by piece, and says the same", async () => {
    const { url, records } = await start({
      protocol: to.protocol,
      answer: (_request, response) => events(response, to.events(to.text("hello there"))),
    });
    const answer = await post(url, path, gemini.body("hi"));
    expect(answer.headers.get("content-type")).toBe("application/json; charset=UTF-8");
    expect(answer.headers.get("rolecall-losses")).toContain("report=");
    const body = await answer.text();
    expect(saidBy(JSON.parse(body))).toBe("hello there");
    const { value } = await (await loadProtocol(protocol)).decodeStream(body);
    expect(value).toMatchObject({ stopReason: "stop", usage: { input: 12, output: 7 } });
    expect(records).toMatchObject([{ outcome: "complete", stream: true }]);
  });

  test("does not wait for its end", async () => {
    let finish = () => {};
    const { url } = await start({
      protocol: to.protocol,
      answer: (_request, response: ServerResponse) => {
        const pieces = to.events(to.text("hello there"));
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const piece of pieces.slice(0, -3)) response.write(piece);
        finish = () => response.end(pieces.slice(-3).join(""));
      },
    });
    const answer = await post(url, path, gemini.body("hi"));
    const reader = answer.body!.getReader();
    const first = new TextDecoder().decode((await reader.read()).value);
    expect(first).toMatch(/^\[\{/);
    expect(first).toContain("hello");
    finish();
    while (!(await reader.read()).done);
  });

  test("ends with the error that ended the stream", async () => {
    const { url, records } = await start({
      protocol: to.protocol,
      answer: (_request, response) => {
        const failure = `event: error\ndata: ${JSON.stringify(to.refusal("overloaded", `bad ${serviceKey}`).body)}\n\n`;
        events(response, [...to.events(to.text("hello there")).slice(0, 3), failure]);
      },
    });
    const body = await (await post(url, path, gemini.body("hi"))).text();
    expect(JSON.parse(body).at(-1)).toMatchObject({
      error: { status: expect.stringMatching(/UNAVAILABLE|INTERNAL/), message: "bad [key]" },
    });
    expect(records).toMatchObject([{ outcome: "failed" }]);
  });

  test("holds a whole answer where the service gives one", async () => {
    const { url } = await start({
      protocol: to.protocol,
      answer: (_r, response) => json(response, 200, to.text("ok")),
    });
    const body = await (await post(url, path, gemini.body("hi"))).json();
    expect(body).toMatchObject([{ candidates: [{ content: { parts: [{ text: "ok" }] } }] }]);
  });
});

/** A service that writes pieces of a list, and then ends or breaks. */
const serve = (pieces: readonly string[], breaks = false, headers: Record<string, string> = {}) =>
  start({
    protocol,
    answer: (_request, response) => {
      response.writeHead(200, { "content-type": "application/json; charset=UTF-8", ...headers });
      for (const piece of pieces) response.write(piece);
      if (breaks) setTimeout(() => response.destroy(), 30);
      else response.end();
    },
  });

describe("a list of a service of Gemini", () => {
  test("goes through as it came", async () => {
    const { url, service, records } = await serve(
      [...Buffer.from(text).toString("latin1")]
        .map((_byte, index, all) => all.slice(index * 7, index * 7 + 7).join(""))
        .filter((piece) => piece !== ""),
    );
    const answer = await post(url, path, gemini.body("hi"));
    expect(await answer.text()).toBe(text);
    expect(service.received[0]!.url).toBe(`${path}?alt=json`);
    expect(records).toMatchObject([{ outcome: "complete", passed: true, stream: true }]);
  });

  test.each([
    ["is cut within an element", list.slice(0, 2).join("") + list[2]!.slice(0, 20), true, 2],
    ["is cut between elements", `${list.slice(0, 3).join("")}\n,`, true, 3],
    ["ends before it is closed", list.slice(0, 3).join(""), false, 3],
  ])("that %s ends in an error", async (_what, begun, breaks, whole) => {
    const { url, records } = await serve([begun], breaks);
    const chunks = JSON.parse(await (await post(url, path, gemini.body("hi"))).text());
    expect(chunks).toHaveLength(whole + 1);
    expect(chunks.at(-1)).toMatchObject({ error: { code: 502, status: "INTERNAL" } });
    await expect.poll(() => records[0]?.outcome).toBe("failed");
  });

  test("whose connection breaks behind its end is complete", async () => {
    const { url, records } = await serve([text], true);
    expect(await (await post(url, path, gemini.body("hi"))).text()).toBe(text);
    await expect.poll(() => records[0]?.outcome).toBe("complete");
  });

  test("shows no key where an element tells of a failure", async () => {
    const element = JSON.stringify({ error: { code: 401, message: `bad ${serviceKey}`, status: "UNAUTHENTICATED" } });
    const said = JSON.stringify(geminiText(`no "error" with ${serviceKey}`));
    const body = `[${said}\n,\r\n${element}\n]\n`;
    const { url, records } = await serve([body], false, { "content-length": String(Buffer.byteLength(body)) });
    const answer = await (await post(url, path, gemini.body("hi"))).text();
    expect(answer).toBe(body.replace(`bad ${serviceKey}`, "bad [key]"));
    expect(records).toMatchObject([{ outcome: "failed", error: { message: "bad [key]" } }]);
  });

  test("that is an error alone has its status", async () => {
    const { body } = gemini.refusal("rate_limit", "slow down");
    const { url } = await serve([JSON.stringify([body])]);
    const answer = await post(url, path, gemini.body("hi"));
    expect([answer.status, await answer.json()]).toEqual([429, [body]]);
  });

  test.each(families.filter((from) => from.protocol !== protocol))(
    "is read for a client of $protocol",
    async (from) => {
      const called = geminiList(geminiCall("read_file", { path: "a" })).join("");
      for (const stream of [true, false]) {
        const { url, records } = await serve([called]);
        const answer = await post(url, from.path(stream), from.body("hi", stream));
        expect(answer.status).toBe(200);
        expect(await answer.text()).toContain("read_file");
        expect(records).toMatchObject([{ outcome: "complete", stream }]);
      }
    },
  );
});

test("brackets and quotes within texts end no element", () => {
  const elements = ['{"a":"]}\\"}\\\\"}', '{"é🌍":[["["]]}', "{}"];
  const bytes = Buffer.from(`[${elements.join(",")}]`);
  for (let at = 1; at < bytes.length; at++) {
    const seen: string[] = [];
    const guard = createListGuard((element) => {
      seen.push(element.toString());
      return element;
    });
    const sent = [guard.push(bytes.subarray(0, at)), guard.push(bytes.subarray(at))].filter(
      (part) => part !== undefined,
    );
    expect(seen).toEqual(elements);
    expect(Buffer.concat(sent)).toEqual(bytes);
    expect([guard.finish(), guard.complete]).toEqual([undefined, true]);
  }
});

test("an answer in another form than JSON or events is refused", async () => {
  const { url, service } = await serve([text]);
  const answer = await post(url, `${path}?alt=proto`, gemini.body("hi"));
  expect([answer.status, await answer.json()]).toMatchObject([
    400,
    { error: { code: 400, status: "INVALID_ARGUMENT" } },
  ]);
  expect(service.received).toEqual([]);
});
