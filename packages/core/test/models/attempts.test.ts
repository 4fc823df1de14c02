import { getEventListeners } from "node:events";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import type { ModelExchange } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import { openaiCompatibleProvider } from "../../src/providers/openai-compatible.ts";
import type { Sample } from "./answers.ts";
import { samples } from "./answers.ts";
import { events, frame, json } from "./service.ts";
import { start } from "./start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };

/** Events of which the first says a number that no double holds, which reading it has to report. */
function inexact({ stream }: Sample): string {
  const [first = "", ...others] = stream.map(frame);
  return [first.replace(/\}\n\n$/, ',"odd":12345678901234567891}\n\n'), ...others].join("");
}

describe.each(samples)("an answer of $api", (sample) => {
  test("that the policy refuses is not asked for again", async () => {
    const { service, models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.end(inexact(sample));
    });
    const message = await models.complete(model, context, { onLoss: "throw", maxTokens: 64 });
    expect(message).toMatchObject({ stopReason: "error", error: { type: "loss", retryable: false } });
    expect(service.received).toHaveLength(1);
  });

  test("that broke off leaves no report behind", async () => {
    const { service, models, model } = await start(sample, (_request, response, number) => {
      if (number > 0) return events(response, sample.stream);
      response.writeHead(200, { "content-type": "text/event-stream" });
      // The first event of Gemini has content.
      const [first] = inexact({ ...sample, stream: [{ modelVersion: "m" }] }).split("\n\n");
      const [own] = inexact(sample).split("\n\n");
      response.write(`${sample.api === "gemini-generate-content" ? first : own}\n\n`);
      setTimeout(() => response.destroy(), 20);
    });
    const stream = models.stream(model, context);
    expect((await stream.result()).stopReason).toBe("toolUse");
    expect(service.received).toHaveLength(2);
    expect(stream.losses.filter(({ code }) => code === "field.precision")).toEqual([]);
  });

  test("as a whole is reported as exactly as a stream", async () => {
    const text = JSON.stringify(sample.whole).replace(/\}$/, ',"odd":12345678901234567891,"odd":1}');
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      response.end(text);
    });
    const stream = models.stream(model, context, { stream: false });
    expect((await stream.result()).stopReason).toBe("toolUse");
    expect(stream.losses.map(({ code, path }) => `${code} ${path}`)).toContain("field.repeated_key /odd");
  });

  test("that nests without end is refused, and not asked for again where it is no refusal", async () => {
    const deep = `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`;
    for (const [status, kind] of [
      [200, "server"],
      [400, "invalid_request"],
    ] as const) {
      const { service, models, model } = await start(sample, (_request, response) => {
        response.writeHead(status, { "content-type": "application/json" });
        response.end(deep);
      });
      const message = await models.complete(model, context, { stream: false, retry: { maxRetries: 0 } });
      expect(message).toMatchObject({ stopReason: "error", error: { kind } });
      expect(service.received).toHaveLength(1);
    }
  });

  test("whose refusal breaks off is refused", async () => {
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(403, { "content-type": "application/json", "content-length": "100" });
      response.write("{");
      setTimeout(() => response.destroy(), 20);
    });
    expect(await models.complete(model, context)).toMatchObject({ error: { kind: "permission", status: 403 } });
  });

  test("that leads elsewhere is refused once, with the mend", async () => {
    for (const location of ["https://other.example/v1?key=secret", "/elsewhere", undefined]) {
      const { service, models, model } = await start(sample, (_request, response) => {
        response.writeHead(307, location === undefined ? {} : { location });
        response.end();
      });
      const message = await models.complete(model, context);
      expect(message).toMatchObject({ stopReason: "error", error: { kind: "invalid_request", retryable: false } });
      expect(message.errorMessage).toContain("state the base URL");
      expect(message.errorMessage).not.toContain("secret");
      await expect(models.refresh(model.provider)).rejects.toThrow("state the base URL");
      expect(service.received).toHaveLength(2);
    }
  });

  test("is not late because its reader is", async () => {
    const { models, model } = await start(sample, (_request, response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(sample.stream.slice(0, -1).map(frame).join(""));
      setTimeout(() => response.end(frame(sample.stream.at(-1) as object)), 50);
    });
    const stream = models.stream(model, context, { timeouts: { idleMs: 120 } });
    for await (const _event of stream) await new Promise((resolve) => setTimeout(resolve, 40));
    expect((await stream.result()).stopReason).toBe("toolUse");
  });
});

const sample = samples[0] as Sample;

test("a signal that lives long holds nothing of the calls that are over", async () => {
  const { models, model } = await start(sample, (_request, response, number) => {
    if (number % 2 === 0) events(response, sample.stream);
    else json(response, 400, sample.error);
  });
  const { signal } = new AbortController();
  for (let call = 0; call < 4; call++) await models.complete(model, context, { signal });
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("an answer that nobody reads to its end is told, and lets go of all it holds", async () => {
  const exchanges: ModelExchange[] = [];
  const { signal } = new AbortController();
  const { models, model } = await start(sample, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const item of sample.stream.slice(0, 3)) response.write(frame(item));
  });
  const stream = models.stream(model, context, { signal, onExchange: (exchange) => exchanges.push(exchange) });
  for await (const event of stream) if (event.type === "text_delta") break;
  await expect.poll(() => exchanges.map(({ message }) => message.stopReason)).toEqual(["aborted"]);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});

test("what looks on and fails is an uncaught error, and no matter of the answer", async () => {
  const thrown: unknown[] = [];
  const { queueMicrotask: queue } = globalThis;
  vi.stubGlobal("queueMicrotask", (task: () => void) =>
    queue(() => {
      try {
        task();
      } catch (error) {
        thrown.push(error);
      }
    }),
  );
  onTestFinished(() => void vi.unstubAllGlobals());
  const { models, model } = await start(sample, (_request, response) => events(response, sample.stream));
  const message = await models.complete(model, context, {
    onExchange: () => {
      throw new Error("a fault of the host");
    },
  });
  expect(message.stopReason).toBe("toolUse");
  expect(thrown).toMatchObject([{ message: "a fault of the host" }]);
});

test("an answer without an end is not read without an end", async () => {
  let asked = 0;
  const piece = new Uint8Array(1 << 20);
  const models = createModels({
    environment: {},
    retry: { baseDelayMs: 1 },
    fetch: async () => {
      asked++;
      const body = new ReadableStream<Uint8Array>({ pull: (controller) => controller.enqueue(piece) });
      return new Response(body, { headers: { "content-type": "application/json" } });
    },
  });
  models.setProvider(openaiCompatibleProvider({ id: "own", baseUrl: "https://own.test/v1" }));
  const model = { type: "chat", id: "m", provider: "own", api: "openai-chat" } as const;
  const message = await models.complete(model, context, { stream: false });
  expect(message).toMatchObject({ stopReason: "error", error: { retryable: false, kind: "server" } });
  expect(message.errorMessage).toContain("more than 67108864 bytes");
  expect(asked).toBe(1);
});

test("a fault of what gives the key is nobody else's", async () => {
  const { models, model } = await start(
    sample,
    (_request, response) => events(response, sample.stream),
    {},
    {
      apiKey: () => {
        throw new TypeError("no keychain");
      },
    },
  );
  expect(await models.complete(model, context)).toMatchObject({
    stopReason: "error",
    errorMessage: "TypeError: no keychain",
    error: { kind: "unknown", retryable: false },
  });
});
