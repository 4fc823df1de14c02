import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { createGateway } from "../src/index.ts";
import { families, family } from "./families/index.ts";
import { events, json } from "./service.ts";
import { serviceKey, start } from "./start.ts";

const responses = family("openai-responses");
const clientOf = (url: string) => new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 }).responses;

/** All that a client can do with a stored response, and what the service is asked then. */
const actions = [
  ["retrieve", (url: string) => clientOf(url).retrieve("resp_7"), "GET /v1/responses/resp_7"],
  [
    "retrieve with more",
    (url: string) => clientOf(url).retrieve("resp_7", { include: ["reasoning.encrypted_content"] }),
    "GET /v1/responses/resp_7?include=reasoning.encrypted_content",
  ],
  ["delete", (url: string) => clientOf(url).delete("resp_7"), "DELETE /v1/responses/resp_7"],
  ["cancel", (url: string) => clientOf(url).cancel("resp_7"), "POST /v1/responses/resp_7/cancel"],
  [
    "list the input",
    async (url: string) => (await clientOf(url).inputItems.list("resp_7", { limit: 2, order: "asc" })).data,
    "GET /v1/responses/resp_7/input_items?limit=2&order=asc",
  ],
] as const;

describe.each(actions)("to %s of a stored response", (_name, act, asked) => {
  const others = families.filter((to) => to !== responses).map(({ protocol }) => protocol);

  test.each(others)("is refused before a service of %s, which has none", async (protocol) => {
    const { url, service } = await start({ protocol, answer: () => {} });
    await expect(act(url)).rejects.toMatchObject({
      status: 404,
      type: "invalid_request_error",
      message: expect.stringContaining("Response with id 'resp_7' not found: the gateway keeps nothing"),
    });
    expect(service.received).toEqual([]);
  });

  test("is refused by the scripted model", async () => {
    const gateway = await createGateway();
    const { url } = await gateway.listen();
    await expect(act(url)).rejects.toMatchObject({ status: 404 });
    await gateway.close();
  });

  test("asks a service of Responses, with its own key", async () => {
    const { url, service } = await start({
      protocol: "openai-responses",
      answer: (_request, response) => json(response, 200, { ...responses.text("kept"), data: [{ id: "msg_1" }] }),
    });
    await act(url);
    expect(service.received.map(({ method, url: path }) => `${method} ${decodeURIComponent(path)}`)).toEqual([
      expect.stringMatching(
        new RegExp(`^${asked.replace(/[?.]/g, "\\$&").replace("include=", "include(?:\\[\\])?=")}$`),
      ),
    ]);
    expect(service.received[0]!.headers.authorization).toBe(`Bearer ${serviceKey}`);
  });

  test("is refused as the service refuses, without keys", async () => {
    const { url } = await start({
      protocol: "openai-responses",
      answer: (_request, response) => json(response, 404, { error: { message: `no such ${serviceKey}` } }),
    });
    await expect(act(url)).rejects.toMatchObject({ status: 404, message: expect.stringContaining("no such [key]") });
  });
});

test("a stored response that failed is no failure of its retrieval, and shows no key", async () => {
  const failed = { ...responses.text("x"), status: "failed", error: { code: "server_error", message: serviceKey } };
  const { url } = await start({ protocol: "openai-responses", answer: (_r, response) => json(response, 200, failed) });
  const response = await clientOf(url).retrieve("resp_7");
  expect(response).toMatchObject({ status: "failed", error: { message: "[key]" } });
});

test("a stored response is read as a stream", async () => {
  const list = responses.events(responses.text("kept"));
  const { url, service, records } = await start({
    protocol: "openai-responses",
    answer: (_request, response) => events(response, list),
  });
  const types: string[] = [];
  for await (const event of await clientOf(url).retrieve("resp_7", { stream: true })) types.push(event.type);
  expect(types.at(-1)).toBe("response.completed");
  expect(service.received[0]).toMatchObject({ method: "GET", url: "/v1/responses/resp_7?stream=true" });
  expect(records).toMatchObject([{ outcome: "complete", stream: true, passed: true }]);
});

test("a service that is gone is told, of a stream as well", async () => {
  const { url, service, records } = await start({ protocol: "openai-responses", answer: () => {} });
  await service.close();
  await expect(clientOf(url).retrieve("resp_7")).rejects.toMatchObject({ status: 502 });
  await expect(clientOf(url).retrieve("resp_7", { stream: true })).rejects.toMatchObject({ status: 502 });
  expect(records).toMatchObject([{ outcome: "failed", status: 502 }]);
});

test("no id leads elsewhere, and no method or parameter that nobody documents", async () => {
  const { url, service } = await start({
    protocol: "openai-responses",
    answer: (_r, response) => json(response, 200, {}),
  });
  const ask = async (method: string, path: string) => (await fetch(`${url}/v1/responses/${path}`, { method })).status;
  expect(await ask("GET", "..%2Ffiles")).toBe(404);
  expect(await ask("GET", "resp_7/output")).toBe(404);
  expect(await ask("GET", "resp_7?expand=all")).toBe(400);
  expect(await ask("PUT", "resp_7")).toBe(405);
  expect(await ask("GET", "resp_7/cancel")).toBe(405);
  expect(await ask("GET", "input_tokens")).toBe(405);
  expect(service.received).toEqual([]);
});
