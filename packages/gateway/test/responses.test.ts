import { request as httpRequest } from "node:http";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import { createGateway } from "../src/index.ts";
import { families, family } from "./families/index.ts";
import type { Answer } from "./service.ts";
import { events, json } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

const responses = family("openai-responses");
const path = responses.path();
const others = families.filter((to) => to !== responses);

/** Requests that name what only the service of an earlier answer has, and what OpenAI says where it does not have it. */
const stored = [
  [{ previous_response_id: "resp_7" }, "previous_response_id", "previous_response_not_found", "resp_7"],
  [{ conversation: "conv_7" }, "conversation", "unsupported_parameter", "conv_7"],
  [{ conversation: { id: "conv_7" } }, "conversation", "unsupported_parameter", "conv_7"],
  [{ prompt: { id: "pmpt_7" } }, "prompt", "unsupported_parameter", "pmpt_7"],
  [{ background: true }, "background", "unsupported_parameter", "background"],
  [{ input: [{ type: "item_reference", id: "msg_7" }] }, "input[0].id", "unsupported_parameter", "msg_7"],
] as const;

describe.each(stored)("a request with %o", (fields, param, code, word) => {
  const body = { ...responses.body("go on"), ...fields };

  test.each(others.map((to) => to.protocol))("is refused before a service of %s", async (protocol) => {
    const { url, service, records } = await start({ protocol, answer: () => {} });
    for (const stream of [false, true]) {
      const answer = await post(url, path, { ...body, stream });
      expect(answer.status).toBe(400);
      const { error } = await answer.json();
      expect(error).toMatchObject({ type: "invalid_request_error", param, code });
      expect(error.message).toContain(word);
    }
    expect(service.received).toEqual([]);
    expect(records).toMatchObject([{ outcome: "failed", status: 400 }, { outcome: "failed" }]);
  });

  test("is refused by the scripted model, and passes to a service of Responses as it is", async () => {
    const gateway = await createGateway();
    const scripted = await gateway.fetch(`http://localhost${path}`, {
      method: "POST",
      headers: { "content-type": "application/json", host: "localhost" },
      body: JSON.stringify(body),
    });
    expect([scripted.status, await scripted.json()]).toMatchObject([400, { error: { param, code } }]);
    await gateway.close();
    const { protocol } = responses;
    const { url, service } = await start({
      protocol,
      answer: (_r, response) => json(response, 200, responses.text("ok")),
    });
    expect((await post(url, path, body)).status).toBe(200);
    expect(service.received[0]!.body).toEqual(body);
  });
});

test("what is stated and says nothing is not refused", async () => {
  const { url } = await start({
    protocol: "openai-chat",
    answer: (_r, response) => json(response, 200, family("openai-chat").text("ok")),
  });
  const body = {
    ...responses.body("hi"),
    previous_response_id: null,
    conversation: null,
    background: false,
    store: true,
  };
  expect((await post(url, path, body)).status).toBe(200);
});

test.each(["/v1/responses", "/v1/anything"])("a WebSocket at %s is told to ask over HTTP", async (place) => {
  const { url } = await start({ protocol: "openai-responses", answer: () => {} });
  const { hostname, port } = new URL(url);
  const headers = {
    connection: "Upgrade",
    upgrade: "websocket",
    "sec-websocket-version": "13",
    "sec-websocket-key": "eA==",
  };
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest({ hostname, port, path: place, headers }, (response) => {
      response.resume();
      resolve([response.statusCode, response.headers.upgrade]);
    });
    request.on("error", reject);
    request.end();
  });
  expect(status).toEqual([426, "HTTP/1.1"]);
});

describe.each(others)("before a service of $protocol", (to) => {
  const answer: Answer = (request, response) =>
    request.url.includes(":stream") || request.body.stream === true
      ? events(response, to.events(to.text("It is hello.")))
      : json(response, 200, to.text("It is hello."));

  test("an answer repeats what the client asked for", async () => {
    const { url } = await start({ protocol: to.protocol, answer });
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x", maxRetries: 0 });
    const asked = { model: "m", input: "hi", instructions: "Be brief.", max_output_tokens: 50 };
    const whole = await client.responses.create(asked);
    const streamed = await client.responses.stream(asked).finalResponse();
    for (const response of [whole, streamed]) {
      expect(response).toMatchObject({
        object: "response",
        status: "completed",
        instructions: "Be brief.",
        max_output_tokens: 50,
      });
      expect(response.output_text).toBe("It is hello.");
      expect(response.usage).toMatchObject({ input_tokens: 12, output_tokens: 7, total_tokens: 19 });
    }
  });
});

describe("a failed response", () => {
  const failed = {
    ...responses.text(`I say ${serviceKey}`),
    status: "failed",
    error: { code: "server_error", message: `bad ${serviceKey}` },
  };
  const last = `event: response.failed\ndata: ${JSON.stringify({ type: "response.failed", response: failed })}\n\n`;
  const list = [...responses.events(responses.text("hello there")).slice(0, 6), last];

  test("that passes shows no key in its error, and what the model said as it is", async () => {
    const { url, records } = await start({
      protocol: "openai-responses",
      answer: (_r, response) => events(response, list),
    });
    const text = await (await post(url, path, responses.body("hi", true))).text();
    expect(text).toBe(list.join("").replace(`bad ${serviceKey}`, "bad [key]"));
    await expect.poll(() => records[0]).toMatchObject({ outcome: "failed", error: { message: "bad [key]" } });
  });

  test.each(others)("is an error for a client of $protocol", async (from) => {
    const { url, records } = await start({
      protocol: "openai-responses",
      answer: (_r, response) => events(response, list),
    });
    const text = await (await post(url, from.path(true), from.body("hi", true))).text();
    expect(text).toContain("bad [key]");
    expect(text).not.toMatch(from.end);
    expect(records).toMatchObject([{ outcome: "failed" }]);
  });
});

test("a last event that is longer than all that is looked at is the last", async () => {
  const list = responses.events(responses.text("word ".repeat(20_000)));
  const { url, records } = await start({
    protocol: "openai-responses",
    answer: (_r, response) => events(response, list),
  });
  expect(await (await post(url, path, responses.body("hi", true))).text()).toBe(list.join(""));
  expect(records).toMatchObject([{ outcome: "complete" }]);
});
