import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import type { ProtocolId } from "@rolecall/core";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { createGateway } from "../src/index.ts";
import { json, startService } from "./service.ts";
import { post, start } from "./start.ts";

const schema = { type: "object" as const, properties: { path: { type: "string" } } };

/** The same prompt, as the vendors' clients ask for its tokens. */
const clients = {
  "anthropic-messages": async (baseURL: string) => {
    const { messages } = new Anthropic({ baseURL, apiKey: "x", maxRetries: 0 });
    const { input_tokens } = await messages.countTokens({
      model: "m",
      system: "Be brief.",
      messages: [{ role: "user", content: "Hello" }],
      tools: [{ name: "read", input_schema: schema }],
    });
    return input_tokens;
  },
  "openai-responses": async (url: string) => {
    const { responses } = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
    const { input_tokens } = await responses.inputTokens.count({
      model: "m",
      instructions: "Be brief.",
      input: "Hello",
      tools: [{ type: "function", name: "read", parameters: schema, strict: false }],
    });
    return input_tokens;
  },
  "gemini-generate-content": async (baseUrl: string) => {
    const { models } = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl } });
    return (await models.countTokens({ model: "m", contents: "Hello" })).totalTokens;
  },
} as const;
type Counting = keyof typeof clients;
const names = Object.keys(clients) as Counting[];

const instructions = "Be brief.";
/** What each service is asked, and what it says; `whole` is of a client that states instructions and a tool. */
const services: {
  readonly [P in Counting]: { readonly url: string; readonly answer: object; body(whole: boolean): object };
} = {
  "anthropic-messages": {
    url: "/v1/messages/count_tokens",
    answer: { input_tokens: 4711 },
    body: (whole) => ({
      model: "n",
      messages: [{ role: "user", content: expect.anything() }],
      ...(whole && { system: expect.anything(), tools: [{ name: "read", input_schema: schema }] }),
    }),
  },
  "openai-responses": {
    url: "/v1/responses/input_tokens",
    answer: { object: "response.input_tokens", input_tokens: 4711 },
    body: (whole) => ({
      model: "n",
      input: [{ role: "user", content: expect.anything() }],
      ...(whole && {
        instructions,
        tools: [{ type: "function", name: "read", parameters: schema, strict: false }],
      }),
    }),
  },
  "gemini-generate-content": {
    url: "/v1beta/models/n:countTokens",
    answer: { totalTokens: 4711 },
    body: (whole) => ({
      generateContentRequest: {
        model: "models/n",
        contents: [{ role: "user", parts: [{ text: "Hello" }] }],
        ...(whole && {
          systemInstruction: { parts: [{ text: instructions }] },
          tools: [{ functionDeclarations: [{ name: "read", parametersJsonSchema: schema }] }],
        }),
      },
    }),
  },
};

const ways = names.flatMap((from) => names.filter((to) => to !== from).map((to) => ({ from, to })));

describe.each(ways)("a client of $from before a service of $to", ({ from, to }) => {
  const { url: asked, answer, body } = services[to];

  test("is told what the service counts", async () => {
    const { url, service } = await start({
      protocol: to,
      modelMap: { m: "n" },
      answer: (_request, response) => json(response, 200, answer),
    });
    expect(await clients[from](url)).toBe(4711);
    expect(service.received).toMatchObject([{ method: "POST", url: asked }]);
    expect(service.received[0]!.body).toEqual(body(from !== "gemini-generate-content"));
  });

  test("is told in its own words what the service refuses, and what is no count", async () => {
    const answers: readonly (readonly [number, unknown])[] = [
      [401, { error: { type: "authentication_error", status: "UNAUTHENTICATED", message: "no" } }],
      [200, {}],
      [200, "<html>"],
    ];
    let next = 0;
    const { url } = await start({
      protocol: to,
      answer: (_request, response) => json(response, ...(answers[next++] as readonly [number, unknown])),
    });
    await expect(clients[from](url)).rejects.toMatchObject({ status: 401 });
    await expect(clients[from](url)).rejects.toMatchObject({ status: 502 });
    await expect(clients[from](url)).rejects.toMatchObject({ status: 502 });
  });
});

test.each(names)("the tokens of a request that cannot go to %s are estimated", async (to: ProtocolId) => {
  const { url, service } = await start({ protocol: to, answer: (_r, response) => json(response, 200, {}) });
  const stored = { type: "document", source: { type: "file", file_id: "file_1" } };
  const image = { type: "input_image", file_id: "file_1" };
  const answer =
    to === "anthropic-messages"
      ? await post(url, "/v1/responses/input_tokens", { model: "m", input: [{ role: "user", content: [image] }] })
      : await post(url, "/v1/messages/count_tokens", { model: "m", messages: [{ role: "user", content: [stored] }] });
  expect([answer.status, answer.headers.get("rolecall-estimate")]).toEqual([200, "tokens"]);
  expect(service.received).toEqual([]);
});

test("what an earlier answer said is not left out of a count", async () => {
  const { url, service } = await start({ protocol: "anthropic-messages", answer: (_r, r) => json(r, 200, {}) });
  const body = { model: "m", input: "go on", previous_response_id: "resp_7" };
  const answer = await post(url, "/v1/responses/input_tokens", body);
  expect(answer.status).toBe(400);
  expect((await answer.json()).error).toMatchObject({ code: "previous_response_not_found" });
  expect(service.received).toEqual([]);
});

test("Vertex AI takes the fields that it counts, and no whole request", async () => {
  const service = await startService((_request, response) => json(response, 200, { totalTokens: 7 }));
  const project = "/v1/projects/p/locations/l/publishers/google";
  const gateway = await createGateway({ to: service.origin + project, protocol: "gemini-generate-content" });
  const { url } = await gateway.listen();
  expect(await clients["anthropic-messages"](url)).toBe(7);
  expect(service.received[0]!.url).toBe(`${project}/models/m:countTokens`);
  expect(Object.keys(service.received[0]!.body)).toEqual(["contents", "systemInstruction", "tools"]);
  await gateway.close();
  await service.close();
});

describe("what is no count of tokens", () => {
  const ways = names.flatMap((client) => names.map((service) => [client, service] as const));
  test.each(ways)("goes to no client of %s from a service of %s", async (client, service) => {
    const [key = ""] = Object.keys(services[service].answer).slice(-1);
    const wrong = [-5, 1.5, 1e30, "7", null].map((count) => JSON.stringify({ [key]: count }));
    for (const body of [...wrong, "{}", "", "<html>"]) {
      const { url } = await start({
        protocol: service,
        answer: (_request, response) => json(response, 200, body),
      });
      await expect(clients[client](url)).rejects.toMatchObject({ status: 502 });
    }
  });
});

describe.each([200, 201, 203])("an answer of status %i", (status) => {
  const ways = names.flatMap((client) => names.map((service) => [client, service] as const));
  test.each(ways)(
    "is a count for a client of %s from a service of %s, or an error in its words",
    async (client, service) => {
      const good = await start({
        protocol: service,
        answer: (_request, response) => json(response, status, JSON.stringify(services[service].answer)),
      });
      expect(await clients[client](good.url)).toBe(4711);
      const other = { id: "resp_1", object: "response", status: "completed", output: [] };
      const odd = await start({
        protocol: service,
        answer: (_request, response) => json(response, status, JSON.stringify(other)),
      });
      const failure = await clients[client](odd.url).then(
        () => undefined,
        (error: { readonly status: number; readonly message: string }) => error,
      );
      expect(failure?.status).toBe(502);
      expect(failure?.message).not.toContain("resp_1");
    },
  );
});
