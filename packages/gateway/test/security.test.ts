import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { families, family, pairs } from "./families/index.ts";
import type { Answer, Received } from "./service.ts";
import { json } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

const clientSecret = "gw-secret-123456";
const chat = family("openai-chat");

/** A request with headers that `fetch` would not send. */
function raw(url: string, headers: Record<string, string>, from = chat): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(from.body("go"));
    const sent = httpRequest(
      {
        hostname,
        port,
        path: from.path(),
        method: "POST",
        headers: { "content-type": "application/json", ...headers },
      },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

describe.each(families)("who may ask by $protocol", (from) => {
  const answer: Answer = (_r, response) => json(response, 200, from.text("ok"));
  const { protocol } = from;

  test.each([
    [{ host: "evil.test" }, 403],
    [{ host: "evil.test:80" }, 403],
    [{ host: "localhost.evil.test" }, 403],
    [{ host: "localhost" }, 200],
    [{ host: "LOCALHOST:1234" }, 200],
    [{ host: "[::1]:80" }, 200],
    [{ host: "gateway.internal" }, 200],
    [{ origin: "https://evil.test" }, 403],
    [{ origin: "null" }, 403],
    [{ origin: "http://localhost:1" }, 403],
    [{ origin: "https://app.test" }, 200],
    [{ "content-type": "text/plain" }, 415],
    [{ "content-type": "application/x-www-form-urlencoded" }, 415],
    [{ "content-type": "application/json; charset=utf-8" }, 200],
    [{ "content-encoding": "gzip" }, 415],
  ])("%o gets %i", async (headers, status) => {
    const { url, service } = await start({
      protocol,
      hosts: ["gateway.internal"],
      origins: ["https://app.test"],
      answer,
    });
    expect(await raw(url, headers as Record<string, string>, from)).toBe(status);
    expect(service.received).toHaveLength(status === 200 ? 1 : 0);
  });

  test("its own page may", async () => {
    const { url } = await start({ protocol, answer });
    expect(await raw(url, { origin: url }, from)).toBe(200);
  });

  test("only clients with a known key, where keys are stated", async () => {
    const { url, service } = await start({ protocol, clientKeys: [clientSecret], answer });
    const ask = async (headers: Record<string, string>, query = "") =>
      (await post(url, from.path() + query, from.body("go"), headers)).status;
    expect(await ask({})).toBe(401);
    expect(await ask({ authorization: "Bearer wrong" })).toBe(401);
    expect(await ask({}, "?key=wrong")).toBe(401);
    expect(await ask({ authorization: `Bearer ${clientSecret}` })).toBe(200);
    expect(await ask({ "x-api-key": clientSecret })).toBe(200);
    expect(await ask({ "x-goog-api-key": clientSecret })).toBe(200);
    expect(await ask({}, `?key=${clientSecret}`)).toBe(200);
    expect((await fetch(`${url}/rolecall/reports`)).status).toBe(401);
    expect(service.received).toHaveLength(4);
    for (const { url: asked } of service.received) expect(asked).not.toContain(clientSecret);
  });

  test("it listens on the loopback", async () => {
    const { gateway } = await start({ protocol, answer });
    expect((await gateway.listen()).host).toBe("127.0.0.1");
  });
});

describe.each(pairs)("keys, $name", ({ from, to }) => {
  const { protocol } = to;
  const answer: Answer = (_r, response) => json(response, 200, to.text("ok"));
  const leaked = "AIzaSyA0123456789abcdefghij0123";
  const credentials = {
    authorization: `Bearer ${clientSecret}`,
    "x-api-key": clientSecret,
    "x-goog-api-key": clientSecret,
    "api-key": clientSecret,
    "xi-api-key": clientSecret,
    cookie: `a=${clientSecret}`,
  };
  const keysOf = ({ headers }: Received) =>
    ["authorization", "x-api-key", "x-goog-api-key"].flatMap((name) =>
      headers[name] === undefined ? [] : [[name, headers[name]]],
    );

  test("the client's key ends here", async () => {
    const { url, service } = await start({ protocol, answer });
    await post(url, `${from.path()}?key=${clientSecret}`, from.body("go"), credentials);
    const received = service.received[0]!;
    expect(JSON.stringify(received)).not.toContain(clientSecret);
    expect(keysOf(received)).toEqual([to.keyHeader(serviceKey)]);
  });

  test.each([
    [{ "x-api-key": clientSecret }, ""],
    [{ "x-goog-api-key": clientSecret }, ""],
    [{ authorization: `Bearer ${clientSecret}` }, ""],
    [{}, `?key=${clientSecret}`],
  ] as const)("with passKey it goes on from %o%s, in the service's header", async (headers, query) => {
    const { url, service } = await start({ protocol, passKey: true, answer });
    await post(url, from.path() + query, from.body("go"), headers);
    const received = service.received[0]!;
    expect(keysOf(received)).toEqual([to.keyHeader(clientSecret)]);
    expect(received.url).not.toContain(clientSecret);
  });

  test("a key that no header can carry is none", async () => {
    const { url, service } = await start({ protocol, passKey: true, answer });
    const sent = await post(url, `${from.path()}?key=a%0d%0ax-other:%20b`, from.body("go"));
    expect(sent.status).toBe(200);
    expect(keysOf(service.received[0]!)).toEqual([]);
    expect(service.received[0]!.headers).not.toHaveProperty("x-other");
  });

  test("no key stands in answers, logs and reports", async () => {
    const leak = `Incorrect key ${serviceKey}, client ${clientSecret}, see https://x.test/?key=${leaked} or sk-proj-abcdefgh12345678`;
    const { url, records, lines } = await start({
      protocol,
      verbose: true,
      answer: (_r, response) => {
        const { status, body } = to.refusal("authentication", leak);
        const { error, ...envelope } = body as { error: object };
        json(response, status, { ...envelope, error: { ...error, nested: { key: serviceKey } } });
      },
    });
    const refused = await post(url, `${from.path()}?key=${clientSecret}`, from.body("go"), credentials);
    const reports = await (await fetch(`${url}/rolecall/reports`)).text();
    const report = await (await fetch(`${url}/rolecall/reports/${records[0]!.id}`)).text();
    for (const text of [await refused.text(), reports, report, lines.join("\n"), JSON.stringify(records)]) {
      expect(text).not.toBe("");
      for (const secret of [serviceKey, clientSecret, leaked, "sk-proj-abcdefgh12345678"])
        expect(text).not.toContain(secret);
    }
    expect(lines.join("\n")).toContain("Incorrect key [key]");
  });

  test("no address in a body is ever asked", async () => {
    const { url, service } = await start({ protocol, answer });
    const { service: other } = await start({ protocol, answer: () => {} });
    await post(url, from.path(), {
      ...from.body("go"),
      api_base: other.origin,
      base_url: other.origin,
      extra_body: { api_base: other.origin },
    });
    expect(service.received).toHaveLength(1);
    expect(other.received).toEqual([]);
  });
});

test("an older version of Messages gets the key in its older header", async () => {
  const messages = family("anthropic-messages");
  const { protocol } = messages;
  const { url, service } = await start({
    protocol,
    answer: (_r, response) => json(response, 200, messages.text("ok")),
  });
  await post(url, messages.path(), messages.body("go"), { "anthropic-version": "2023-06-01" });
  expect(service.received[0]!.headers).toMatchObject({ "x-api-key": serviceKey });
  expect(service.received[0]!.headers).not.toHaveProperty("authorization");
});

test("an access token of OAuth reaches a service of Gemini as one", async () => {
  const gemini = family("gemini-generate-content");
  const { protocol } = gemini;
  const { url, service } = await start({
    protocol,
    key: "ya29.token",
    answer: (_r, response) => json(response, 200, gemini.text("ok")),
  });
  await post(url, gemini.path(), gemini.body("go"));
  expect(service.received[0]!.headers.authorization).toBe("Bearer ya29.token");
  expect(service.received[0]!.headers).not.toHaveProperty("x-goog-api-key");
});

test.each(["..", ".", "a/../../b", "models/../x", "a%2F..%2Fb"])("the name %s leads nowhere else", async (name) => {
  const gemini = family("gemini-generate-content");
  const { protocol } = gemini;
  const { url, service } = await start({ protocol, answer: (_r, response) => json(response, 200, gemini.text("ok")) });
  expect((await post(url, chat.path(), { ...chat.body("go"), model: decodeURIComponent(name) })).status).toBe(400);
  expect(service.received).toEqual([]);
});

describe("limits", () => {
  test("a body that is too large, stated or not", async () => {
    const { url, service } = await start({ protocol: "openai-chat", limits: { body: 1000 }, answer: () => {} });
    for (const from of families) {
      const answer = await post(url, from.path(), from.body("x".repeat(2000)));
      expect(answer.status).toBe(413);
      expect(await answer.json()).toHaveProperty("error.message", "the body is larger than 1000 bytes");
    }
    const large = chat.body("x".repeat(2000));
    const chunked = await fetch(url + chat.path(), {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: new Blob([JSON.stringify(large)]).stream(),
      duplex: "half",
    } as RequestInit).catch(() => undefined);
    if (chunked !== undefined) expect(chunked.status).toBe(413);
    expect(service.received).toEqual([]);
  });

  test("headers that are too large", async () => {
    const { url } = await start({ protocol: "openai-chat", limits: { headers: 4096 }, answer: () => {} });
    const { hostname, port } = new URL(url);
    const text = await new Promise<string>((resolve) => {
      const socket = connect(Number(port), hostname, () =>
        socket.write(`GET /health HTTP/1.1\r\nhost: localhost\r\nx: ${"y".repeat(10_000)}\r\n\r\n`),
      );
      let all = "";
      socket.on("data", (chunk) => {
        all += chunk;
      });
      socket.on("close", () => resolve(all));
      socket.on("error", () => {});
    });
    expect(text).toMatch(/^HTTP\/1\.1 431 /);
  });

  test("an answer that is too large to be converted", async () => {
    const { url } = await start({
      protocol: "openai-chat",
      limits: { answer: 1000 },
      answer: (_r, response) => json(response, 200, chat.text("x".repeat(5000))),
    });
    const { path, body } = family("anthropic-messages");
    expect((await post(url, path(), body("go"))).status).toBe(502);
  });
});
