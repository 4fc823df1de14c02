import { describe, expect, test } from "vitest";
import type { ImageInput, ImageOptions } from "../../../src/models/index.ts";
import { json } from "../service.ts";
import { key } from "../start.ts";
import { jpeg, png, startOpenAi, webp } from "./draw.ts";

const input: ImageInput = { prompt: "a lighthouse at dusk" };
const usage = {
  total_tokens: 1072,
  input_tokens: 16,
  output_tokens: 1056,
  input_tokens_details: { text_tokens: 16, image_tokens: 0 },
};
const one = { created: 1_764_000_000, data: [{ b64_json: png }], output_format: "png", usage };

describe("a request", () => {
  test("asks for data where it has to", async () => {
    const { models, model, service } = await startOpenAi((_request, response) => json(response, 200, one));
    await models.generateImages(model, {
      ...input,
      n: 2,
      size: "1024x1536",
      quality: "low",
      background: "opaque",
      format: "webp",
    });
    await models.generateImages({ ...model, id: "dall-e-3" }, input, {
      apiKey: "sk-another-key-1234",
      headers: { "x-a": "b" },
    });
    const [first, second] = service.received;
    expect(first).toMatchObject({ method: "POST", url: "/v1/images/generations" });
    expect(first?.headers).toMatchObject({ authorization: `Bearer ${key}`, "content-type": "application/json" });
    expect(first?.body).toEqual({
      model: "gpt-image-1.5",
      prompt: "a lighthouse at dusk",
      n: 2,
      size: "1024x1536",
      quality: "low",
      background: "opaque",
      output_format: "webp",
    });
    expect(second?.headers).toMatchObject({ authorization: "Bearer sk-another-key-1234", "x-a": "b" });
    expect(second?.body).toEqual({ model: "dall-e-3", prompt: "a lighthouse at dusk", response_format: "b64_json" });
  });

  test("that changes images holds them", async () => {
    const { models, model, service } = await startOpenAi((_request, response) => json(response, 200, one));
    const images = [{ data: jpeg, mediaType: "image/jpeg" }];
    await models.generateImages(model, { ...input, images });
    expect(service.received).toMatchObject([
      { url: "/v1/images/edits", body: { images: [{ image_url: `data:image/jpeg;base64,${jpeg}` }] } },
    ]);
    await expect(models.generateImages({ ...model, id: "dall-e-2" }, { ...input, images })).rejects.toMatchObject({
      code: "config",
      path: "/images",
    });
    expect(service.received).toHaveLength(1);
  });
});

describe("an answer", () => {
  test("gives images with what they took", async () => {
    const price = { input: 5, output: 40, date: "2026-11-01" };
    const { models, model } = await startOpenAi((_request, response) => json(response, 200, one), { cost: price });
    const result = await models.generateImages(model, input);
    expect(result).toMatchObject({
      stopReason: "stop",
      images: [{ data: png, mediaType: "image/png" }],
      links: [],
      provider: "openai",
      model: "gpt-image-1.5",
      losses: [],
      usage: { input: 16, output: 1056, totalTokens: 1072, unreported: ["cacheWrite", "cacheRead"], raw: usage },
      cost: { basis: "list", priceDate: "2026-11-01" },
    });
    expect(result.cost?.total).toBeCloseTo((16 * 5 + 1056 * 40) / 1e6, 12);
    expect(result.durationMs).toBeGreaterThanOrEqual(0);
  });

  test("knows an image by its bytes, and only else by what is said of it", async () => {
    const data = [
      { b64_json: jpeg, revised_prompt: "A lighthouse." },
      { b64_json: webp },
      { b64_json: "AAAA" },
      { b64_json: "AAAA", mime_type: "image/avif" },
      { b64_json: "AAAA", mime_type: 'x" onload="' },
      { url: `data:image/bmp;base64,${jpeg}` },
    ];
    const { models, model } = await startOpenAi((_request, response) =>
      json(response, 200, { data, output_format: "jpeg" }),
    );
    const { images } = await models.generateImages(model, input);
    expect(images.map(({ mediaType }) => mediaType)).toEqual([
      "image/jpeg",
      "image/webp",
      "image/jpeg",
      "image/avif",
      "application/octet-stream",
      "image/jpeg",
    ]);
    expect(images[0]).toEqual({ data: jpeg, mediaType: "image/jpeg", revisedPrompt: "A lighthouse." });
  });

  test("that gives URLs tells them and fetches none", async () => {
    const { models, model, service } = await startOpenAi((_request, response) =>
      json(response, 200, {
        data: [{ url: `${service.origin}/image.png`, revised_prompt: "A lighthouse." }, { b64_json: png }],
        usage: { cost_in_usd_ticks: 200_000_000 },
      }),
    );
    const result = await models.generateImages(model, input);
    expect(result).toMatchObject({
      stopReason: "stop",
      images: [{ data: png }],
      links: [{ url: `${service.origin}/image.png`, revisedPrompt: "A lighthouse." }],
      cost: { total: 0.02, basis: "billed" },
    });
    expect(service.received).toHaveLength(1);
  });

  test("is priced by the image where there is such a price, as an estimate", async () => {
    const cost = { input: 5, output: 40, perImage: 0.04, date: "2026-11-01" };
    const data = [{ b64_json: png }, { b64_json: png }];
    const { models, model } = await startOpenAi(
      (_request, response, number) => json(response, 200, number === 0 ? { data } : { data, usage }),
      { cost },
    );
    expect((await models.generateImages(model, input)).cost).toMatchObject({
      input: 0,
      output: 0.08,
      total: 0.08,
      basis: "list",
    });
    expect((await models.generateImages(model, input)).cost?.total).toBeCloseTo(0.08 + (16 * 5) / 1e6, 12);
  });

  test("counts what was read from a cache apart, and never more than there was", async () => {
    const counts = (cached_tokens: number) => ({ ...usage, input_tokens_details: { cached_tokens } });
    const { models, model } = await startOpenAi((_request, response, number) =>
      json(response, 200, { ...one, usage: counts(number === 0 ? 10 : 999) }),
    );
    const asked = async () => (await models.generateImages(model, input)).usage;
    expect(await asked()).toMatchObject({ input: 6, cacheRead: 10, output: 1056, unreported: ["cacheWrite"] });
    expect(await asked()).toMatchObject({ input: 0, cacheRead: 16, totalTokens: 1072 });
  });

  test("without counts and prices has no cost", async () => {
    const { models, model } = await startOpenAi(
      (_request, response, number) =>
        json(response, 200, {
          data: [{ b64_json: png }],
          ...(number === 1 && { usage: { input_tokens: -1, output_tokens: "7" } }),
        }),
      { cost: { input: 5, output: 40 } },
    );
    for (let call = 0; call < 2; call++) {
      const { cost, usage: counted } = await models.generateImages(model, input);
      expect(cost).toBeUndefined();
      expect(counted).toMatchObject({ input: 0, output: 0 });
      expect(counted.unreported).toEqual(expect.arrayContaining(["input", "output", "totalTokens"]));
    }
  });
});

describe("an answer that is none is an error with what came:", () => {
  test.each([
    [{ data: [] }, "no image"],
    [{}, "no image"],
    [{ data: { length: 1 } }, "no image"],
    [{ data: [null] }, "something else than an image"],
    [{ data: [{}] }, "without data"],
    [{ data: [{ b64_json: png }, { url: 7 }] }, "without data"],
    [{ data: [{ b64_json: "<svg onload=x>" }] }, "no base64"],
    [{ data: [{ b64_json: "" }] }, "no base64"],
    [{ data: [{ url: "data:image/png;base64,!!!!" }] }, "no base64"],
  ])("%j", async (body, words) => {
    const { models, model, service } = await startOpenAi((_request, response) => json(response, 200, body));
    const result = await models.generateImages(model, input);
    expect(result).toMatchObject({
      stopReason: "error",
      images: [],
      links: [],
      error: { type: "answer", kind: "server", retryable: false },
      errorMessage: expect.stringContaining(words),
    });
    if (result.stopReason === "error") expect(result.error).toHaveProperty("raw");
    expect(service.received).toHaveLength(1);
  });

  test("with the counts that it tells all the same", async () => {
    const { models, model } = await startOpenAi(
      (_request, response) => json(response, 200, { data: [{ b64_json: "!" }], usage }),
      { cost: { input: 5, output: 40 } },
    );
    const result = await models.generateImages(model, input);
    expect(result).toMatchObject({ stopReason: "error", error: { raw: "!" }, usage: { input: 16, output: 1056 } });
    expect(result.cost?.total).toBeCloseTo((16 * 5 + 1056 * 40) / 1e6, 12);
  });

  test("an error with a good status", async () => {
    const { models, model } = await startOpenAi((_request, response) =>
      json(response, 200, {
        error: { message: "blocked", type: "image_generation_user_error", code: "moderation_blocked" },
      }),
    );
    expect(await models.generateImages(model, input)).toMatchObject({ stopReason: "error", errorMessage: "blocked" });
  });

  test("a page", async () => {
    const { models, model, service } = await startOpenAi((_request, response) => {
      response.writeHead(200, { "content-type": "text/html" });
      response.end("<html>");
    });
    expect(await models.generateImages(model, input)).toMatchObject({
      stopReason: "error",
      errorMessage: "not an answer of a model, but <html>",
    });
    expect(service.received).toHaveLength(3);
  });
});

describe("a service that fails", () => {
  test("is asked again where that may help", async () => {
    const error = { error: { message: "slow down", type: "rate_limit_error", code: null, param: null } };
    const { models, model, service } = await startOpenAi((_request, response, number) =>
      number < 2 ? json(response, 429, error) : json(response, 200, one),
    );
    expect((await models.generateImages(model, input)).stopReason).toBe("stop");
    expect(service.received).toHaveLength(3);
    expect((await models.generateImages(model, input)).stopReason).toBe("stop");
  });

  test("is not where it may not, and its words hold no key", async () => {
    const error = {
      error: { message: `wrong key ${key}`, type: "invalid_request_error", code: "invalid_api_key", param: null },
    };
    const { models, model, service } = await startOpenAi((_request, response) => json(response, 401, error));
    const result = await models.generateImages(model, input);
    expect(result).toMatchObject({
      stopReason: "error",
      error: { kind: "authentication", status: 401, retryable: false },
    });
    expect(JSON.stringify(result)).not.toContain(key);
    expect(service.received).toHaveLength(1);
  });

  test("that leads elsewhere is not followed", async () => {
    const { models, model, service } = await startOpenAi((_request, response) => {
      response.writeHead(307, { location: `${service.origin}/v1/other` });
      response.end();
    });
    expect(await models.generateImages(model, input)).toMatchObject({
      stopReason: "error",
      error: { kind: "invalid_request" },
    });
    expect(service.received).toHaveLength(1);
  });

  test.each([
    [{ firstByteMs: 20 }, "firstByteTimeout", 0],
    [{ idleMs: 20 }, "idleTimeout", 1],
    [{ totalMs: 60 }, "totalTimeout", 0],
  ] as const)("to answer in time is told by its kind: %j", async (timeouts, providerCode, begins) => {
    const { models, model } = await startOpenAi((_request, response) => {
      if (begins === 1) response.writeHead(200, { "content-type": "application/json" }).write("{");
    });
    const result = await models.generateImages(model, input, { timeouts, retry: { maxRetries: 0 } });
    expect(result).toMatchObject({ stopReason: "error", error: { type: "transport", kind: "timeout", providerCode } });
  });

  test("to hurry may take its time, as long as it goes on", async () => {
    const { models, model } = await startOpenAi((_request, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const pieces = [...(JSON.stringify(one).match(/.{1,40}/g) ?? [])];
      const write = (): void => {
        const piece = pieces.shift();
        if (piece === undefined) response.end();
        else response.write(piece, () => setTimeout(write, 120));
      };
      write();
    });
    const options = { timeouts: { idleMs: 400 }, retry: { maxRetries: 0 } };
    expect((await models.generateImages(model, input, options)).stopReason).toBe("stop");
  });

  test("to be reached is told by its kind", async () => {
    const { models, model } = await startOpenAi(() => undefined);
    const away = { ...model, baseUrl: "http://no-such-host.invalid/v1" };
    expect(await models.generateImages(away, input, { retry: { maxRetries: 0 } })).toMatchObject({
      error: { type: "transport", providerCode: "dns" },
    });
  });

  test("without a key is not asked", async () => {
    const { models, model, service } = await startOpenAi(() => undefined);
    const provider = models.getProvider("openai");
    if (provider === undefined) throw new Error("no provider");
    const { apiKey: _own, ...keyless } = provider;
    models.setProvider(keyless);
    expect(await models.generateImages(model, input)).toMatchObject({ error: { kind: "authentication" } });
    expect(service.received).toEqual([]);
  });
});

describe("images that are given up", () => {
  test("before, while the service draws, and while it is waited for again", async () => {
    expect(await given("before")).toBe(0);
    expect(await given("drawing")).toBe(1);
    expect(await given("waiting")).toBe(1);
  });

  async function given(when: "before" | "drawing" | "waiting"): Promise<number> {
    const control = new AbortController();
    const { models, model, service } = await startOpenAi(
      (_request, response) => {
        if (when === "drawing") control.abort();
        else json(response, 500, {});
        if (when === "waiting") setTimeout(() => control.abort(), 30);
      },
      { cost: { input: 5, output: 40, perImage: 0.04 } },
    );
    if (when === "before") control.abort();
    const options: ImageOptions = { signal: control.signal, retry: { baseDelayMs: 60_000 } };
    const result = await models.generateImages(model, input, options);
    expect(result).toMatchObject({ stopReason: "aborted", errorMessage: "the images were given up", images: [] });
    expect(result).not.toHaveProperty("error");
    expect(result.cost).toBeUndefined();
    return service.received.length;
  }
});
