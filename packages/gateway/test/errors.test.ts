import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { createGateway } from "../src/index.ts";
import type { TestFamily } from "./families/index.ts";
import { family, pairs, saidIn, toldIn } from "./families/index.ts";
import { events, json } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

/** An error as a client of a family is told it. */
async function refused(from: TestFamily, answer: Response) {
  const text = await answer.text();
  const body = JSON.parse(text) as { type?: string; error: { message: string; [key: string]: unknown } };
  expect(typeof body.error.message).toBe("string");
  expect(body.error.message).not.toBe("");
  if (from.protocol === "anthropic-messages") expect(body.type).toBe("error");
  if (from.protocol === "gemini-generate-content") expect(body.error["code"]).toBe(answer.status);
  expect(text).not.toContain(serviceKey);
  return {
    status: answer.status,
    kind: from.kindOf(body.error),
    message: body.error.message,
    headers: answer.headers,
  };
}

describe.each(pairs)("$name", ({ from, to }) => {
  const path = from.path();
  const { protocol } = to;
  const request = from.body("hi");
  const ask = (url: string, stream: boolean) => post(url, from.path(stream), from.body("hi", stream));

  test.each(["authentication", "not_found", "rate_limit", "server"] as const)("what is told of %s", async (kind) => {
    const { status, body } = to.refusal(kind, "it says no");
    const { url, records } = await start({
      protocol,
      answer: (_r, response) => json(response, status, body, { "retry-after": "7" }),
    });
    const error = await refused(from, await post(url, path, request));
    expect(error).toMatchObject({ status, message: "it says no" });
    expect(from.kinds(kind)).toContain(error.kind);
    expect(error.headers.get("retry-after")).toBe("7");
    expect(records[0]).toMatchObject({ outcome: "failed", status });
  });

  test("overloaded has each family's own status", async () => {
    const { status, body } = to.refusal("overloaded", "busy");
    const { url } = await start({
      protocol,
      answer: (_r, response) => json(response, status, body, { "retry-after": "3" }),
    });
    const error = await refused(from, await post(url, path, request));
    expect(error.status).toBe(from.refusal("overloaded", "").status);
    expect(from.kinds("overloaded")).toContain(error.kind);
    expect(error.headers.get("retry-after")).toBe("3");
  });

  test.each(["0", "30", "Wed, 21 Oct 2026 07:28:00 GMT"])("a retry-after of %s is carried", async (wait) => {
    const { url } = await start({
      protocol,
      answer: (_r, response) =>
        json(response, 429, to.refusal("rate_limit", "slow down").body, { "retry-after": wait }),
    });
    for (const stream of [false, true]) {
      const { headers } = await refused(from, await ask(url, stream));
      expect(headers.get("retry-after")).toBe(wait);
    }
  });

  test.each([false, true])("status 413, stream %s", async (stream) => {
    const { url } = await start({
      protocol,
      answer: (_r, response) => {
        const { body } = to.refusal("invalid_request", "too large");
        json(response, 413, JSON.stringify(body).replace('"code":400', '"code":413'));
      },
    });
    expect((await refused(from, await ask(url, stream))).status).toBe(413);
  });

  test.each([
    ["text/html", "<html><body>secret internals</body></html>"],
    ["text/plain", ""],
  ])("a bad gateway in %s", async (type, body) => {
    const { url } = await start({
      protocol,
      answer: (_r, response) => {
        response.writeHead(502, { "content-type": type });
        response.end(body);
      },
    });
    const error = await refused(from, await post(url, path, request));
    expect(error.status).toBe(502);
    expect(error.message).not.toContain("internals");
  });

  test("an error under status 200", async () => {
    const { body } = to.refusal("rate_limit", "slow down");
    const { url } = await start({ protocol, answer: (_r, response) => json(response, 200, body) });
    const error = await refused(from, await post(url, path, request));
    expect(error).toMatchObject({ status: 429, message: "slow down" });
    expect(from.kinds("rate_limit")).toContain(error.kind);
  });

  test("an empty answer under status 200", async () => {
    const { url } = await start({
      protocol,
      answer: (_r, response) => {
        response.writeHead(200, { "content-type": "application/json" });
        response.end();
      },
    });
    expect((await refused(from, await post(url, path, request))).status).toBe(502);
  });

  test("a refused connection", async () => {
    const { service, url, records } = await start({ protocol, answer: () => {} });
    await service.close();
    const error = await refused(from, await post(url, path, request));
    expect(error).toMatchObject({ status: 502, message: "the service: the connection was refused" });
    expect(records[0]).toMatchObject({ outcome: "failed", error: { stage: "connect" } });
  });

  test("no answer in time", async () => {
    const { url, service } = await start({
      protocol,
      timeouts: { firstByte: 60, connect: 60 },
      answer: () => {},
    });
    expect((await refused(from, await post(url, path, request))).status).toBe(504);
    await expect.poll(() => service.cancelled).toBe(1);
  });

  test("a connection that ends without an answer", async () => {
    const { url } = await start({ protocol, answer: (_r, response) => void response.destroy() });
    expect((await refused(from, await post(url, path, request))).status).toBe(502);
  });

  test("an answer that breaks off is no answer", async () => {
    const { url } = await start({
      protocol,
      answer: (_r, response) => {
        response.writeHead(200, { "content-type": "application/json", "content-length": "1000" });
        response.write(`{"id":"x",${" ".repeat(100)}`);
        setTimeout(() => response.destroy(), 20);
      },
    });
    const answer = post(url, path, request).then(async (response) => ({
      status: response.status,
      text: await response.text(),
    }));
    await expect(
      answer.then(({ status, text }) => (status === 200 ? JSON.parse(text) : Promise.reject(text))),
    ).rejects.toBeDefined();
  });

  const stream = to.events(to.text("hello there, and more"));
  /** Behind some of the text. */
  const some = stream.findIndex((piece) => saidIn(piece, to) !== "") + 2;

  test.each([
    ["is cut within an event", (list: string[]) => [...list.slice(0, some), list[some]!.slice(0, 20)], true],
    ["is cut between events", (list: string[]) => list.slice(0, some), true],
    ["ends before it is complete", (list: string[]) => list.slice(0, some), false],
  ])("a stream that %s ends in an error event", async (_what, shorten, destroy) => {
    const { url, records } = await start({
      protocol,
      answer: (_r, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const piece of shorten(stream)) response.write(piece);
        if (destroy) setTimeout(() => response.destroy(), 30);
        else response.end();
      },
    });
    const text = await (await ask(url, true)).text();
    expect(toldIn(text)).toEqual({ errors: [expect.stringMatching(/./)], last: "error" });
    // What came whole is told, also where it came together with the end.
    const whole = shorten(stream).filter((piece) => /\n\r?\n$/.test(piece));
    expect(saidIn(text, from)).toBe(saidIn(whole.join(""), to));
    if (from.protocol === "anthropic-messages") expect(text).toContain("event: error\n");
    expect(text).not.toMatch(from.end);
    await expect.poll(() => records[0]?.outcome).toBe("failed");
  });

  test("a stream whose connection breaks behind its end is complete", async () => {
    const answer = (breaks: boolean) => (_r: unknown, response: ServerResponse) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for (const piece of stream) response.write(piece);
      if (breaks) setTimeout(() => response.destroy(), 30);
      else response.end();
    };
    const [whole, broken] = [
      await start({ protocol, answer: answer(false) }),
      await start({ protocol, answer: answer(true) }),
    ];
    const textFrom = async ({ url }: { readonly url: string }) => {
      const text = await (await ask(url, true)).text();
      return text
        .replace(/"created":\d+/g, '"created":0')
        .replace(/"createTime":"[^"]+"/g, "")
        .replace(/"created_at":\d+/g, "");
    };
    expect(await textFrom(broken)).toBe(await textFrom(whole));
    await expect.poll(() => broken.records[0]?.outcome).toBe("complete");
  });

  test("a stream that stalls ends in an error event; comments are no progress", async () => {
    let timer: ReturnType<typeof setInterval> | undefined;
    const { url, service } = await start({
      protocol,
      timeouts: { idle: 100 },
      answer: (_r, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const piece of stream.slice(0, some)) response.write(piece);
        timer = setInterval(() => response.write(": ping\n\n"), 20);
        response.on("close", () => clearInterval(timer));
      },
    });
    const text = await (await ask(url, true)).text();
    expect(text).toContain("nothing new for 100 ms");
    await expect.poll(() => service.cancelled).toBe(1);
  });

  test("a client that goes away cancels the request of the service", async () => {
    const { url, service, records } = await start({
      protocol,
      answer: (_r, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const piece of stream.slice(0, some)) response.write(piece);
      },
    });
    const controller = new AbortController();
    const answer = await post(url, from.path(true), from.body("hi", true), {}, controller.signal);
    const reader = answer.body!.getReader();
    await reader.read();
    controller.abort();
    await expect.poll(() => service.cancelled).toBe(1);
    await expect.poll(() => records[0]?.outcome).toBe("aborted");
  });

  test("a client that goes away before the answer cancels it too", async () => {
    const { url, service } = await start({ protocol, answer: () => {} });
    const controller = new AbortController();
    const answer = post(url, path, request, {}, controller.signal);
    await expect.poll(() => service.received.length).toBe(1);
    controller.abort();
    await expect(answer).rejects.toThrow();
    await expect.poll(() => service.cancelled).toBe(1);
  });

  test("a redirect is not followed", async () => {
    const { url, service } = await start({
      protocol,
      answer: (_r, response) => {
        response.writeHead(307, { location: "/v1/elsewhere" });
        response.end();
      },
    });
    expect((await refused(from, await post(url, path, request))).status).toBe(502);
    expect(service.received).toHaveLength(1);
  });
});

const chat = family("openai-chat");

test("running exchanges are finished before the gateway closes", async () => {
  const service = await start({
    protocol: "openai-chat",
    answer: async (_r, response) => {
      await new Promise((resolve) => setTimeout(resolve, 100));
      events(response, chat.events(chat.text("late")));
    },
  });
  const answer = post(service.url, chat.path(), chat.body("hi", true));
  await expect.poll(() => service.service.received.length).toBe(1);
  const closed = service.gateway.close();
  // What has come by then is taken still.
  await new Promise((resolve) => setTimeout(resolve, 20));
  await expect(post(service.url, chat.path(), chat.body("hi"))).rejects.toThrow();
  expect(await (await answer).text()).toContain("[DONE]");
  await closed;
});

test.each([
  [{ to: "http://169.254.169.254/latest", protocol: "openai-chat" }, "/to"],
  [{ to: "http://[::ffff:169.254.169.254]/v1" }, "/to"],
  [{ to: "http://2852039166/v1" }, "/to"],
  [{ to: "http://metadata.google.internal/v1" }, "/to"],
  [{ to: "ftp://example.com/v1" }, "/to"],
  [{ to: "https://user:pass@example.com/v1" }, "/to"],
  [{ to: "https://example.com/x" }, "/protocol"],
  [{ to: "https://example.com/v1", protocol: "soap" }, "/protocol"],
  [{ to: "https://api.openai.com/v1" }, "/key"],
  [{ to: "https://example.com/v1", keyEnv: "NO_SUCH" }, "/keyEnv"],
  [{ to: "https://example.com/v1", profile: "nobody" }, "/profile"],
  [{ to: "https://example.com/v1", profile: { toolCallIdPattern: "(" } }, "/profile/toolCallIdPattern"],
  [{ to: "https://example.com/v1", profile: { maxOutputTokens: 0 } }, "/profile/maxOutputTokens"],
  [{ to: "https://example.com/v1", profile: { protocol: "anthropic-messages" } }, "/profile/protocol"],
  [{ to: "https://example.com/v1", key: "a", passKey: true }, "/passKey"],
  [{ key: "a" }, "/key"],
  [{ modelMap: { "a*b*": "c" } }, "/modelMap/a*b*"],
] as const)("options %o are refused at %s", async (options, place) => {
  await expect(createGateway({ env: {}, ...options } as never)).rejects.toMatchObject({ code: "config", path: place });
});

test("connections on which nothing was asked do not hold up the end", async () => {
  const { gateway, url } = await start({ protocol: "openai-chat", answer: () => {} });
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  await fetch(`${url}/health`);
  const before = performance.now();
  await gateway.close();
  expect(performance.now() - before).toBeLessThan(2000);
});
