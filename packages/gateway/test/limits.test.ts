import { once } from "node:events";
import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { estimateText } from "../src/routes/estimate.ts";
import { family, pairs } from "./families/index.ts";
import { anthropicText, chatText, events, json } from "./service.ts";
import { post, start } from "./start.ts";

const messages = family("anthropic-messages");

describe("a budget of thinking tokens", () => {
  const ask = (budget: number, tokens = 8000) => ({
    model: "m",
    max_tokens: tokens,
    thinking: { type: "enabled", budget_tokens: budget },
    messages: [{ role: "user", content: "hi" }],
  });

  test("stays below a limit that is lowered, as bytes and by way of the codecs", async () => {
    for (const [most, budget, sent] of [
      [1500, 4000, { type: "enabled", budget_tokens: 1499 }],
      [1500, 1500, { type: "enabled", budget_tokens: 1499 }],
      [1500, 1200, { type: "enabled", budget_tokens: 1200 }],
      [1025, 4000, { type: "enabled", budget_tokens: 1024 }],
      [1024, 4000, { type: "disabled" }],
      [100, 2000, { type: "disabled" }],
    ] as const) {
      for (const profile of [{}, { maxOutputTokens: most }]) {
        const { service, url, records } = await start({
          protocol: "anthropic-messages",
          profile,
          modelMap: { "*": { model: "x", maxTokens: most } },
          answer: (_request, response) => json(response, 200, anthropicText("ok")),
        });
        expect((await post(url, "/v1/messages", ask(budget))).status).toBe(200);
        const { max_tokens, thinking = { type: "disabled" } } = service.received[0]!.body;
        expect({ max_tokens, thinking }).toEqual({ max_tokens: most, thinking: sent });
        const lowered = records[0]!.losses.map(({ path }) => path);
        expect(lowered).toContain("/max_tokens");
        const isKept = "budget_tokens" in sent && sent.budget_tokens === budget;
        expect(lowered.some((path) => path.startsWith("/thinking"))).toBe(!isKept);
      }
    }
  });

  test("is the client's own where nothing is lowered", async () => {
    const { service, url } = await start({
      protocol: "anthropic-messages",
      modelMap: { "*": { model: "x", maxTokens: 9000 } },
      answer: (_request, response) => json(response, 200, anthropicText("ok")),
    });
    await post(url, "/v1/messages", ask(9000));
    expect(service.received[0]!.body).toMatchObject({ max_tokens: 8000, thinking: { budget_tokens: 9000 } });
  });

  test("what the gateway lowers is refused where losses are", async () => {
    const { service, url } = await start({
      protocol: "anthropic-messages",
      onLoss: "throw",
      modelMap: { "*": { model: "x", maxTokens: 1500 } },
      answer: (_request, response) => json(response, 200, anthropicText("ok")),
    });
    const answer = await post(url, "/v1/messages", ask(4000));
    expect([answer.status, service.received.length]).toEqual([400, 0]);
    expect(answer.headers.get("rolecall-losses")).toMatch(/^worst=warning, total=2, /);
  });
});

describe.each(pairs)("queries, $name", ({ from, to }) => {
  test("go to a service that documents them, and are reported otherwise", async () => {
    const { service, url, records } = await start({
      protocol: to.protocol,
      answer: (_request, response) => json(response, 200, to.text("ok")),
    });
    const query = "beta=true&api-version=2026-01-01&fields=a%2Fb&foo=1&foo=2&ba%2Fr&key=client-key-1234";
    const path = from.path();
    await (await post(url, `${path}?${query}`, from.body("hi"))).text();
    const received = new URL(service.received[0]!.url, "http://x").searchParams;
    const known: Readonly<Record<string, string>> = {
      "anthropic-messages": "beta=true",
      "openai-chat": "api-version=2026-01-01",
      "openai-responses": "api-version=2026-01-01",
      "gemini-generate-content": "fields=a%2Fb",
    };
    received.delete("alt");
    expect(received.toString()).toBe(from === to ? known[to.protocol] : "");
    const reported = records[0]!.losses.map(({ path: place }) => place).filter((place) => place.startsWith("/url/"));
    expect(reported).toEqual(expect.arrayContaining(["/url/foo", "/url/ba~1r"]));
    expect(reported).not.toContain("/url/key");
    expect(reported.includes("/url/fields")).toBe(from !== to || to.protocol !== "gemini-generate-content");
  });
});

describe.each(pairs)("an overloaded service, $name", ({ from, to }) => {
  test.each([503, 529])("that says so by status %i, whatever type it gives", async (status) => {
    for (const error of [
      { message: "x", type: "server_error" },
      { message: "x", type: "api_error" },
      { message: "x" },
      "x",
    ]) {
      const { url } = await start({
        protocol: to.protocol,
        answer: (_request, response) => json(response, status, { error }),
      });
      const answer = await post(url, from.path(), from.body("hi"));
      // Between equal protocols, and those of one vendor, the service's own words go through.
      const isSibling = [from, to].every(({ protocol }) => protocol.startsWith("openai-"));
      if (from !== to && !isSibling) {
        const { error: told } = (await answer.json()) as { error: Record<string, unknown> };
        expect(answer.status).toBe(from.refusal("overloaded", "").status);
        // Where the service names no type, a client of OpenAI may be told none.
        expect([...from.kinds("overloaded"), ...(from.protocol.startsWith("openai-") ? [undefined] : [])]).toContain(
          from.kindOf(told),
        );
      } else if (from === to) expect(answer.status).toBe(status);
    }
  });
});

describe.each(pairs)("losses that are refused, $name", ({ from, to }) => {
  test("of an answer are told by one status, in the report and in the header", async () => {
    if (from === to) return;
    const odd = JSON.stringify(to.text("ok")).replace(/^\{/, '{"x_unknown":1,');
    const list = to.events(to.text("ok")).map((event) => event.replace(/\{"/, '{"x_unknown":1,"'));
    for (const isStream of [false, true]) {
      for (const streams of [false, true]) {
        const { url, records } = await start({
          protocol: to.protocol,
          onLoss: (loss) => loss.path.includes("x_unknown") === false,
          answer: (_request, response) => (streams ? events(response, list) : json(response, 200, odd)),
        });
        const answer = await post(url, from.path(isStream), from.body("hi", isStream));
        expect([answer.status, await answer.text()]).toEqual([
          502,
          expect.stringContaining("refused by the loss policy"),
        ]);
        expect(answer.headers.get("rolecall-losses")).toMatch(/total=[1-9]/);
        expect(records[0]!.losses.length).toBeGreaterThan(0);
        expect(records[0]).toMatchObject({ outcome: "failed", status: 502 });
      }
    }
  });
});

describe.each(pairs)("a client that reads slowly, $name", ({ from, to }) => {
  test("is not the service's fault", async () => {
    const [first = "", ...others] = to.events(to.text("hello"));
    const piece = others.find((event) => event.includes("hello")) ?? first;
    const large = piece.replace("hello", "x".repeat(50_000));
    const { url, records } = await start({
      protocol: to.protocol,
      timeouts: { idle: 100 },
      answer: async (_request, response) => {
        const gone = once(response, "close");
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const event of [first, ...others]) {
          const repeated = event === piece ? 400 : 0;
          for (let index = 0; index < repeated; index++) {
            if (response.write(large)) continue;
            await Promise.race([once(response, "drain"), gone]);
          }
          response.write(event);
        }
        response.end();
      },
    });
    const body = JSON.stringify(from.body("hi", true));
    const ended = await new Promise<boolean>((resolve, reject) => {
      const sent = httpRequest(
        url + from.path(true),
        { method: "POST", headers: { "content-type": "application/json", "content-length": body.length } },
        (response) => {
          let last = "";
          let found = false;
          response.pause();
          response.on("data", (chunk: Buffer) => {
            const latest = last + chunk.toString();
            found ||= from.end.test(latest);
            last = latest.slice(-2000);
          });
          response.on("end", () => resolve(found));
          response.on("error", reject);
          void setTimeout(600).then(() => response.resume());
        },
      );
      sent.on("error", reject);
      sent.end(body);
    });
    expect(ended).toBe(true);
    expect(records).toMatchObject([{ outcome: "complete" }]);
  });
});

test.each([
  ["a foreign name", "Host: evil.test\r\n", 403],
  ["a foreign page", "Host: localhost\r\nOrigin: https://evil.test\r\n", 403],
  ["too large a body", "Host: localhost\r\nContent-Length: 9999\r\n", 413],
])("what stands behind a request that is refused for %s is not answered", async (_name, headers, status) => {
  const { url, service } = await start({
    protocol: "openai-chat",
    limits: { body: 1000 },
    answer: (_request, response) => json(response, 200, chatText("ok")),
  });
  const body = JSON.stringify(messages.body("hi"));
  const next = `POST /v1/messages HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
  const refused = `POST /v1/messages HTTP/1.1\r\nContent-Type: application/json\r\n${headers}${headers.includes("Length") ? "" : "Content-Length: 2\r\n"}\r\n`;
  const filling = headers.includes("Length") ? " ".repeat(9999) : "{}";
  const text = await new Promise<string>((resolve) => {
    const socket = connect(Number(new URL(url).port), "127.0.0.1");
    let all = "";
    socket.on("data", (chunk) => {
      all += chunk.toString();
    });
    socket.on("close", () => resolve(all));
    socket.on("error", () => undefined);
    socket.write(refused + filling + next + next);
  });
  await setTimeout(50);
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual([`HTTP/1.1 ${status}`]);
  expect(service.received).toEqual([]);
});

describe("a count of tokens", () => {
  test.each(['{"model":"a","model":"b","messages":[]}', '{"mod\\u0065l":"a","messages":[]}'])(
    "of a body that states its model twice or hidden goes nowhere: %s",
    async (body) => {
      const { url, service } = await start({
        protocol: "anthropic-messages",
        modelMap: { a: "mapped" },
        answer: (_request, response) => json(response, 200, { input_tokens: 3 }),
      });
      const counted = await post(url, "/v1/messages/count_tokens", body);
      const generated = await post(url, "/v1/messages", body);
      expect([counted.status, generated.status, service.received]).toEqual([400, 400, []]);
    },
  );

  test.each([
    ["Chinese", "人工智能模型正在改变世界"],
    ["Japanese", "これは日本語のテキストです。"],
    ["Korean", "이것은한국어문장입니다"],
    ["beyond the basic plane", "𠮷𠮷𠮷𠮷"],
  ])("of %s is about one for each character", (_name, text) => {
    const characters = Array.from(text).length;
    expect(estimateText(text.repeat(100))).toBeGreaterThanOrEqual(characters * 95);
    expect(estimateText(text.repeat(100))).toBeLessThanOrEqual(characters * 105);
  });

  test("of other scripts is by their length", () => {
    expect(estimateText("abcd".repeat(900))).toBe(1000);
    expect(estimateText("日本".repeat(10) + "abcd".repeat(9))).toBe(30);
  });
});
