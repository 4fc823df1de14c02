import { request as httpRequest } from "node:http";
import { connect } from "node:net";
import { describe, expect, test } from "vitest";
import { anthropicText, chatText, json } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

const body = { model: "m", max_tokens: 10, messages: [{ role: "user", content: "go" }] };
const chat = "/v1/chat/completions";
const clientSecret = "gw-secret-123456";

/** A request with headers that `fetch` would not send. */
function raw(url: string, headers: Record<string, string>, path = chat): Promise<number> {
  const { hostname, port } = new URL(url);
  return new Promise((resolve, reject) => {
    const text = JSON.stringify(body);
    const sent = httpRequest(
      { hostname, port, path, method: "POST", headers: { "content-type": "application/json", ...headers } },
      (response) => {
        response.resume();
        resolve(response.statusCode ?? 0);
      },
    );
    sent.on("error", reject);
    sent.end(text);
  });
}

describe("who may ask", () => {
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
      protocol: "openai-chat",
      hosts: ["gateway.internal"],
      origins: ["https://app.test"],
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    expect(await raw(url, headers as Record<string, string>)).toBe(status);
    expect(service.received).toHaveLength(status === 200 ? 1 : 0);
  });

  test("its own page may", async () => {
    const { url } = await start({
      protocol: "openai-chat",
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    expect(await raw(url, { origin: url })).toBe(200);
  });

  test("only clients with a known key, where keys are stated", async () => {
    const { url, service } = await start({
      protocol: "openai-chat",
      clientKeys: [clientSecret],
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    expect((await post(url, chat, body)).status).toBe(401);
    expect((await post(url, chat, body, { authorization: "Bearer wrong" })).status).toBe(401);
    expect((await post(url, chat, body, { authorization: `Bearer ${clientSecret}` })).status).toBe(200);
    expect((await post(url, chat, body, { "x-api-key": clientSecret })).status).toBe(200);
    expect((await fetch(`${url}/rolecall/reports`)).status).toBe(401);
    expect(service.received).toHaveLength(2);
  });

  test("it listens on the loopback", async () => {
    const { gateway } = await start({ protocol: "openai-chat", answer: () => {} });
    expect((await gateway.listen()).host).toBe("127.0.0.1");
  });
});

describe.each(["openai-chat", "anthropic-messages"] as const)("keys, toward %s", (protocol) => {
  const whole = protocol === "openai-chat" ? chatText("ok") : anthropicText("ok");
  const credentials = {
    authorization: `Bearer ${clientSecret}`,
    "x-api-key": clientSecret,
    "x-goog-api-key": clientSecret,
    "api-key": clientSecret,
    "xi-api-key": clientSecret,
    cookie: `a=${clientSecret}`,
  };

  test.each([chat, "/v1/messages"])("the client's key ends here (%s)", async (path) => {
    const { url, service } = await start({ protocol, answer: (_r, response) => json(response, 200, whole) });
    await post(url, path, body, credentials);
    const { headers, text } = service.received[0]!;
    expect(JSON.stringify(headers) + text).not.toContain(clientSecret);
    const sent = [headers["x-api-key"], headers.authorization].filter((value) => value !== undefined);
    expect(sent).toEqual([`Bearer ${serviceKey}`]);
  });

  test("an older version of Messages gets the key in its older header", async () => {
    if (protocol !== "anthropic-messages") return;
    const { url, service } = await start({ protocol, answer: (_r, response) => json(response, 200, whole) });
    await post(url, "/v1/messages", body, { "anthropic-version": "2023-06-01" });
    expect(service.received[0]!.headers).toMatchObject({ "x-api-key": serviceKey });
    expect(service.received[0]!.headers).not.toHaveProperty("authorization");
  });

  test("with passKey it goes on, in the service's header", async () => {
    const { url, service } = await start({
      protocol,
      passKey: true,
      answer: (_r, response) => json(response, 200, whole),
    });
    await post(url, chat, body, { "x-api-key": clientSecret });
    expect(service.received[0]!.headers.authorization).toBe(`Bearer ${clientSecret}`);
    expect(service.received[0]!.headers).not.toHaveProperty("x-api-key");
  });

  test.each([chat, "/v1/messages"])("no key stands in answers, logs and reports (%s)", async (path) => {
    const leak = `Incorrect key ${serviceKey}, client ${clientSecret}, see https://x.test/?key=AIzaSyA0123456789abcdefghij0123 or sk-proj-abcdefgh12345678`;
    const { url, records, lines } = await start({
      protocol,
      verbose: true,
      answer: (_r, response) =>
        json(response, 401, {
          type: "error",
          error: { type: "authentication_error", message: leak, code: serviceKey, nested: { key: serviceKey } },
        }),
    });
    const answer = await post(url, path, { ...body, model: "m" }, credentials);
    const reports = await (await fetch(`${url}/rolecall/reports`)).text();
    const report = await (await fetch(`${url}/rolecall/reports/${records[0]!.id}`)).text();
    for (const text of [await answer.text(), reports, report, lines.join("\n"), JSON.stringify(records)]) {
      expect(text).not.toBe("");
      for (const secret of [serviceKey, clientSecret, "AIzaSyA0123456789abcdefghij0123", "sk-proj-abcdefgh12345678"])
        expect(text).not.toContain(secret);
    }
    expect(lines.join("\n")).toContain("Incorrect key [key]");
  });

  test("no address in a body is ever asked", async () => {
    const { url, service } = await start({ protocol, answer: (_r, response) => json(response, 200, whole) });
    const { service: other } = await start({ protocol, answer: () => {} });
    for (const path of [chat, "/v1/messages"]) {
      await post(url, path, {
        ...body,
        api_base: other.origin,
        base_url: other.origin,
        extra_body: { api_base: other.origin },
      });
    }
    expect(service.received).toHaveLength(2);
    expect(other.received).toEqual([]);
  });
});

describe("limits", () => {
  test("a body that is too large, stated or not", async () => {
    const { url, service } = await start({ protocol: "openai-chat", limits: { body: 1000 }, answer: () => {} });
    const large = { ...body, messages: [{ role: "user", content: "x".repeat(2000) }] };
    for (const path of [chat, "/v1/messages"]) {
      const answer = await post(url, path, large);
      expect(answer.status).toBe(413);
      expect(await answer.json()).toHaveProperty("error.message", "the body is larger than 1000 bytes");
    }
    const chunked = await fetch(url + chat, {
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
      answer: (_r, response) => json(response, 200, chatText("x".repeat(5000))),
    });
    expect((await post(url, "/v1/messages", body)).status).toBe(502);
  });
});
