import { createServer as createTlsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { ChatModel } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import { openaiCompatibleProvider } from "../../src/providers/openai-compatible.ts";
import type { Sample } from "./answers.ts";
import { samples } from "./answers.ts";
import { events, frame, json } from "./service.ts";
import { start } from "./start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };
const once = { retry: { maxRetries: 0 } };

/** What a model says whose service stands at a URL. */
function ask(baseUrl: string, options = {}) {
  const models = createModels({ environment: {}, ...once, ...options });
  models.setProvider(openaiCompatibleProvider({ id: "own", baseUrl }));
  const model: ChatModel = { type: "chat", id: "m", provider: "own", api: "openai-chat" };
  return models.complete(model, context);
}

describe("a service that cannot be reached is told by its kind", () => {
  test("no such name", async () => {
    expect(await ask("http://no-such-host.invalid/v1")).toMatchObject({
      stopReason: "error",
      error: { type: "transport", providerCode: "dns", retryable: true },
    });
  });
  test("no server", async () => {
    expect(await ask("http://127.0.0.1:9/v1")).toMatchObject({
      error: { type: "transport", providerCode: expect.stringMatching(/refused|network/) },
    });
  });
  test("no TLS there", async () => {
    const server = createTlsServer({}, () => {});
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    onTestFinished(() => void server.close());
    const message = await ask(`https://127.0.0.1:${(server.address() as AddressInfo).port}/v1`);
    expect(message).toMatchObject({
      stopReason: "error",
      error: { type: "transport", providerCode: "tls", retryable: false },
    });
  });
});

const statuses: readonly (readonly [status: number, kind: string, retryable: boolean])[] = [
  [401, "authentication", false],
  [403, "permission", false],
  [404, "not_found", false],
  [408, "timeout", true],
  [413, "invalid_request", false],
  [429, "rate_limit", true],
  [500, "server", true],
  [529, "overloaded", true],
];

describe.each(samples)("of $api", (sample: Sample) => {
  test.each(statuses)("status %i with no words is %s", async (status, kind, retryable) => {
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(status, { "content-type": "text/html" });
      response.end("<html>no</html>");
    });
    const message = await models.complete(model, context, once);
    expect(message).toMatchObject({ stopReason: "error", error: { status, kind, retryable } });
    expect(message.errorMessage).toContain("no");
  });

  test.each([true, false])("a page in place of an answer, streamed: %s", async (stream) => {
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>Welcome to the proxy</html>");
    });
    const message = await models.complete(model, context, { ...once, stream });
    expect(message.stopReason).toBe("error");
    expect(message.errorMessage).toContain("Welcome to the proxy");
  });

  test.each([true, false])("nothing at all, streamed: %s", async (stream) => {
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": stream ? "text/event-stream" : "application/json" });
      response.end();
    });
    expect(await models.complete(model, context, { ...once, stream })).toMatchObject({
      stopReason: "error",
      error: { retryable: true },
    });
  });

  test("an error in a good answer", async () => {
    const { models, model } = await start(sample, (_request, response) => json(response, 200, sample.error));
    for (const stream of [true, false])
      expect(await models.complete(model, context, { ...once, stream })).toMatchObject({
        stopReason: "error",
        errorMessage: "slow down",
        error: { kind: "rate_limit" },
      });
  });

  test("a cut within an event, before content: asked again", async () => {
    const { service, models, model } = await start(sample, (_request, response, number) => {
      if (number > 0) return events(response, sample.stream);
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame(sample.stream[0] as object).slice(0, 30));
      setTimeout(() => response.destroy(), 10);
    });
    expect((await models.complete(model, context)).stopReason).toBe("toolUse");
    expect(service.received).toHaveLength(2);
  });

  test("comments are no progress", async () => {
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(frame(sample.stream[0] as object));
      const timer = setInterval(() => response.write(": keep-alive\n\n"), 5);
      response.on("close", () => clearInterval(timer));
    });
    const message = await models.complete(model, context, { ...once, timeouts: { idleMs: 80 } });
    expect(message).toMatchObject({ stopReason: "error", error: { kind: "timeout", providerCode: "idleTimeout" } });
  });

  test("no answer, and none that ends, within the limits", async () => {
    const { models, model } = await start(sample, () => {});
    expect(await models.complete(model, context, { ...once, timeouts: { firstByteMs: 50 } })).toMatchObject({
      error: { kind: "timeout", providerCode: "firstByteTimeout" },
    });
    expect(await models.complete(model, context, { timeouts: { totalMs: 50 } })).toMatchObject({
      error: { kind: "timeout", providerCode: "totalTimeout" },
    });
  });

  test("an answer that leads elsewhere is refused", async () => {
    const { service, models, model } = await start(sample, (_request, response) => {
      response.writeHead(307, { location: "/elsewhere" });
      response.end();
    });
    expect(await models.complete(model, context, once)).toMatchObject({ stopReason: "error" });
    expect(service.received).toHaveLength(1);
  });
});
