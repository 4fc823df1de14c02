import { expect, test } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import type { ImageInput, ImageOptions } from "../../../src/models/index.ts";
import { json } from "../service.ts";
import { png, startOpenAi } from "./draw.ts";

const one = { data: [{ b64_json: png }] };
const input: ImageInput = { prompt: "a lighthouse" };

test("no model of another kind is asked", async () => {
  const { models, model, service } = await startOpenAi((_request, response) => json(response, 200, one));
  const chat = { type: "chat", id: "m", provider: "openai", api: "openai-chat" } as const;
  // @ts-expect-error a chat model draws no images
  await expect(models.generateImages(chat, input)).rejects.toThrow(
    "openai/m is no image model: it is asked by stream() and complete()",
  );
  // @ts-expect-error a classifier draws no images
  await expect(models.generateImages({ ...chat, type: "classifier" }, input)).rejects.toBeInstanceOf(ConfigError);
  // @ts-expect-error there is no such type
  await expect(models.generateImages({ ...chat, type: "constructor" }, input)).rejects.toThrow("nothing here");
  await expect(models.generateImages({ ...model, api: "openai-chat" }, input)).rejects.toMatchObject({
    path: "/model/api",
  });
  await expect(models.generateImages({ ...model, provider: "none" }, input)).rejects.toMatchObject({
    path: "/provider",
  });
  expect(service.received).toEqual([]);
});

test.each([
  [{ prompt: " " }, {}, "/prompt"],
  [{ prompt: "x", n: 0 }, {}, "/n"],
  [{ prompt: "x", n: 1.5 }, {}, "/n"],
  [{ prompt: "x", size: 1024 }, {}, "/size"],
  [{ prompt: "x", images: [{ data: "", mediaType: "image/png" }] }, {}, "/images/0/data"],
  [{ prompt: "x", images: [{ data: png, mediaType: "text/html" }] }, {}, "/images/0/mediaType"],
  [{ prompt: "x", seed: 1 }, {}, "/seed"],
  [{ prompt: "x" }, { temperature: 1 }, "/temperature"],
  [{ prompt: "x" }, { onExchange: () => undefined }, "/onExchange"],
])("what cannot be asked is told at once: %j %j", async (stated, options, path) => {
  const { models, model, service } = await startOpenAi((_request, response) => json(response, 200, one));
  await expect(models.generateImages(model, stated as ImageInput, options as ImageOptions)).rejects.toMatchObject({
    code: "config",
    path,
  });
  expect(service.received).toEqual([]);
});

test("fetch is the caller's own, and limits of all calls count", async () => {
  const asked: string[] = [];
  const fetch = async (url: string) => {
    asked.push(url);
    return new Response(JSON.stringify(one), { headers: { "content-type": "application/json" } });
  };
  const { models, model, service } = await startOpenAi(() => undefined, {}, { fetch, onExchange: () => undefined });
  expect((await models.generateImages(model, input)).stopReason).toBe("stop");
  expect(asked).toEqual([`${service.origin}/v1/images/generations`]);

  const provider = models.getProvider("openai");
  if (provider === undefined) throw new Error("no provider");
  models.setProvider({ ...provider, fetch: async () => new Response("{}", { status: 404 }) });
  expect(await models.generateImages(model, input)).toMatchObject({ error: { status: 404 } });

  const slow = await startOpenAi(() => undefined, {}, { timeouts: { totalMs: 20 } });
  expect(await slow.models.generateImages(slow.model, input)).toMatchObject({
    error: { providerCode: "totalTimeout" },
  });
});
