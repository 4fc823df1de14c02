import { describe, expect, test } from "vitest";
import { samples } from "./answers.ts";
import { json } from "./service.ts";
import { key, start } from "./start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };
const responses = samples[1] as (typeof samples)[number];
const whole = responses.whole as { readonly output: readonly object[]; readonly usage: object };
const queued = { ...whole, status: "queued", background: true, output: [], usage: null };

/** A service that makes its answers in the background: they are there when they are asked for the third time. */
async function background() {
  return start(responses, (request, response, number) => {
    if (request.method === "POST" && !request.url.endsWith("/cancel")) return json(response, 200, queued);
    if (request.url.endsWith("/cancel")) return json(response, 200, { ...queued, status: "cancelled" });
    json(response, 200, number < 2 ? { ...queued, status: "in_progress" } : whole);
  });
}

describe("an answer in the background", () => {
  test("is deferred, and fetched when it is there", async () => {
    const { service, models, model } = await background();
    const message = await models.complete(model, context, { deferred: true });
    expect(message).toMatchObject({
      stopReason: "deferred",
      rawStopReason: "queued",
      responseId: "resp_1",
      content: [],
    });
    expect(service.received[0]?.body).toMatchObject({ background: true, store: true });
    expect(service.received[0]?.body.stream).not.toBe(true);
    expect(await models.fetchDeferred(model, message)).toMatchObject({
      stopReason: "deferred",
      rawStopReason: "in_progress",
    });
    expect(await models.fetchDeferred(model, message)).toMatchObject({
      stopReason: "toolUse",
      model: "m",
      responseModel: "m-2026",
      content: [{ type: "text", text: "Hello there" }, { type: "toolCall" }],
      usage: { input: 12, output: 7 },
    });
    expect(service.received.slice(1).map(({ method, url }) => [method, url])).toEqual([
      ["GET", "/v1/responses/resp_1"],
      ["GET", "/v1/responses/resp_1"],
    ]);
    expect(service.received[1]?.headers["authorization"]).toBe(`Bearer ${key}`);
  });

  test("is given up", async () => {
    const { service, models, model } = await background();
    const message = await models.complete(model, context, { deferred: true });
    expect(await models.cancelDeferred(model, message)).toMatchObject({
      stopReason: "aborted",
      rawStopReason: "cancelled",
    });
    expect(service.received[1]).toMatchObject({ method: "POST", url: "/v1/responses/resp_1/cancel" });
  });

  test("ends as done", async () => {
    const { models, model } = await background();
    const list = [];
    for await (const event of models.stream(model, context, { deferred: true })) list.push(event);
    expect(list.at(-1)).toMatchObject({ type: "done", reason: "deferred" });
  });

  test("that is not there is told as what the service says", async () => {
    const { models, model } = await start(responses, (_request, response) =>
      json(response, 404, {
        error: { message: "no such response", type: "invalid_request_error", code: null, param: null },
      }),
    );
    await expect(models.fetchDeferred(model, { responseId: "resp_9" })).rejects.toMatchObject({
      message: "no such response",
      details: { kind: "not_found", status: 404 },
    });
  });

  test("is asked for by no name that leads elsewhere", async () => {
    const { service, models, model } = await background();
    await models.fetchDeferred(model, { responseId: "../models?x=" });
    expect(service.received[0]?.url).toBe("/v1/responses/..%2Fmodels%3Fx%3D");
    await expect(models.fetchDeferred(model, {})).rejects.toMatchObject({ code: "config", path: "/responseId" });
  });

  test("can be waited for no longer than is stated", async () => {
    const { models, model } = await start(responses, () => {});
    const waited = models.fetchDeferred(model, { responseId: "resp_1" }, { timeouts: { firstByteMs: 30 } });
    await expect(waited).rejects.toMatchObject({ kind: "firstByteTimeout" });
    const controller = new AbortController();
    const given = models.fetchDeferred(model, { responseId: "resp_1" }, { signal: controller.signal });
    setTimeout(() => controller.abort(new Error("no more")), 20);
    await expect(given).rejects.toThrow("no more");
  });

  test.each(samples.filter(({ api }) => api !== "openai-responses"))("is none of a service of $api", async (sample) => {
    const { service, models, model } = await start(sample, (_request, response) => json(response, 200, sample.whole));
    expect(await models.complete(model, context, { deferred: true })).toMatchObject({
      stopReason: "error",
      error: { type: "config", kind: "invalid_request" },
    });
    await expect(models.fetchDeferred(model, { responseId: "x" })).rejects.toMatchObject({ code: "config" });
    expect(service.received).toEqual([]);
  });
});

test("an answer that came whole without a reason for its end has one", async () => {
  const chat = samples[0] as (typeof samples)[number];
  const { choices, ...rest } = chat.whole as { readonly choices: readonly { readonly message: object }[] };
  for (const [message, reason] of [
    [choices[0]?.message, "toolUse"],
    [{ role: "assistant", content: "Hello" }, "stop"],
  ] as const) {
    const { models, model } = await start(chat, (_request, response) =>
      json(response, 200, { ...rest, choices: [{ index: 0, message }] }),
    );
    const answer = await models.complete(model, context, { stream: false });
    expect(answer.stopReason).toBe(reason);
    expect(answer.rawStopReason).toBeUndefined();
  }
});
