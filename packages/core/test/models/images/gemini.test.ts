import { describe, expect, test } from "vitest";
import type { ModelExchange } from "../../../src/models/index.ts";
import { json } from "../service.ts";
import { key } from "../start.ts";
import { drawn, jpeg, png, startGoogle } from "./draw.ts";

const input = { prompt: "a lighthouse at dusk" };
const inline = (data: string, mimeType = "image/png", more = {}) => ({ inlineData: { mimeType, data }, ...more });

test("a request asks for images as parts of an answer", async () => {
  const { models, model, service } = await startGoogle((_request, response) =>
    json(response, 200, drawn([inline(png)])),
  );
  await models.generateImages(model, { ...input, n: 2, images: [{ data: jpeg, mediaType: "image/jpeg" }] });
  expect(service.received).toMatchObject([
    {
      url: "/v1beta/models/gemini-image:generateContent",
      headers: { "x-goog-api-key": key },
      body: {
        contents: [{ role: "user", parts: [inline(jpeg, "image/jpeg"), { text: "a lighthouse at dusk" }] }],
        generationConfig: { responseModalities: ["IMAGE", "TEXT"], candidateCount: 2 },
      },
    },
  ]);
});

test("an answer gives its images, without those of its thoughts, and its text", async () => {
  const told: ModelExchange[] = [];
  const { models, model } = await startGoogle(
    (_request, response) =>
      json(
        response,
        200,
        drawn([
          { text: "First a sketch.", thought: true },
          inline(jpeg, "image/jpeg", { thought: true }),
          { text: "Here it is." },
          inline(jpeg),
        ]),
      ),
    { cost: { input: 0.3, output: 30 } },
  );
  const result = await models.generateImages(model, input, { onExchange: (exchange) => told.push(exchange) });
  expect(result).toMatchObject({
    stopReason: "stop",
    rawStopReason: "STOP",
    images: [{ data: jpeg, mediaType: "image/jpeg" }],
    links: [],
    text: "Here it is.",
    provider: "google",
    model: "gemini-image",
    responseModel: "gemini-image-002",
    usage: { input: 12, output: 1290 },
  });
  expect(result.images).toHaveLength(1);
  expect(result.cost?.total).toBeCloseTo((12 * 0.3 + 1290 * 30) / 1e6, 12);
  expect(told).toMatchObject([{ api: "gemini-generate-content", response: { status: 200 } }]);
});

test("a price for an image counts in place of its tokens", async () => {
  const { models, model } = await startGoogle((_request, response) => json(response, 200, drawn([inline(png)])), {
    cost: { input: 0.3, output: 30, perImage: 0.039 },
  });
  const { cost } = await models.generateImages(model, input);
  expect(cost).toMatchObject({ output: 0.039, basis: "list" });
  expect(cost?.total).toBeCloseTo(0.039 + (12 * 0.3) / 1e6, 12);
});

test("an image under a URL is told and not fetched", async () => {
  const { models, model, service } = await startGoogle((_request, response) =>
    json(response, 200, drawn([{ fileData: { mimeType: "image/png", fileUri: `${service.origin}/a.png` } }])),
  );
  expect(await models.generateImages(model, input)).toMatchObject({
    stopReason: "stop",
    images: [],
    links: [{ url: `${service.origin}/a.png`, mediaType: "image/png" }],
  });
  expect(service.received).toHaveLength(1);
});

test("what it has no word for is a loss, which may be refused", async () => {
  const { models, model, service } = await startGoogle((_request, response) =>
    json(response, 200, drawn([inline(png)])),
  );
  const asked = { ...input, size: "1024x1024", quality: "low" };
  const result = await models.generateImages(model, asked);
  expect(result.losses).toMatchObject([
    { code: "setting.no_counterpart", path: "/size" },
    { code: "setting.no_counterpart", path: "/quality" },
  ]);
  expect(service.received).toHaveLength(1);
  expect(await models.generateImages(model, asked, { onLoss: "throw" })).toMatchObject({
    stopReason: "error",
    error: { type: "loss", kind: "invalid_request" },
    losses: [{ path: "/size" }, { path: "/quality" }],
  });
  expect(service.received).toHaveLength(1);
});

describe("an answer without an image is an error with what came:", () => {
  test.each([
    [drawn([{ text: "I only talk." }]), { kind: "server", type: "answer", raw: "I only talk." }],
    [drawn([], "IMAGE_SAFETY"), { kind: "content_filter", type: "answer" }],
    [drawn([], "NO_IMAGE"), { kind: "server" }],
    [{ promptFeedback: { blockReason: "PROHIBITED_CONTENT" } }, { kind: "content_filter" }],
    [drawn([inline("<svg onload=x>")]), { kind: "server", type: "answer", raw: "<svg onload=x>" }],
    [drawn([inline(png), inline("!!!!")]), { kind: "server", type: "answer", raw: "!!!!" }],
  ])("%j", async (body, error) => {
    const { models, model } = await startGoogle((_request, response) => json(response, 200, body));
    const result = await models.generateImages(model, input, { retry: { maxRetries: 0 } });
    expect(result).toMatchObject({ stopReason: "error", images: [], links: [], error });
  });

  test("a refusal with a bad status, which is asked again where that may help", async () => {
    const error = { error: { code: 503, message: "overloaded", status: "UNAVAILABLE" } };
    const { models, model, service } = await startGoogle((_request, response, number) =>
      number === 0 ? json(response, 503, error) : json(response, 200, drawn([inline(png)])),
    );
    expect(await models.generateImages(model, input, { retry: { maxRetries: 0 } })).toMatchObject({
      stopReason: "error",
      error: { status: 503 },
    });
    expect((await models.generateImages(model, input)).stopReason).toBe("stop");
    expect(service.received).toHaveLength(2);
  });

  test("what is given up", async () => {
    const control = new AbortController();
    const { models, model } = await startGoogle(() => control.abort());
    expect(await models.generateImages(model, input, { signal: control.signal })).toMatchObject({
      stopReason: "aborted",
      images: [],
    });
  });
});
