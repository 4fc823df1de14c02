import { GoogleGenAI } from "@google/genai";
import { describe, expect, test } from "vitest";
import { createGateway } from "../src/index.ts";
import { families, family } from "./families/index.ts";
import { anthropicText, chatText, json } from "./service.ts";
import { post, start } from "./start.ts";

const anthropicVersion = { "anthropic-version": "2023-06-01" };
const chatModels = {
  object: "list",
  data: [{ id: "gpt-x", object: "model", created: 1700000000, owned_by: "openai" }],
};
const anthropicModels = {
  data: [{ type: "model", id: "claude-x", display_name: "Claude X", created_at: "2026-01-02T00:00:00Z" }],
  has_more: false,
  first_id: "claude-x",
  last_id: "claude-x",
};

const geminiModels = {
  models: [
    {
      name: "models/gemini-x",
      displayName: "Gemini X",
      inputTokenLimit: 1000000,
      supportedGenerationMethods: ["generateContent"],
    },
  ],
};
const google = { "x-goog-api-key": "k" };

describe.each([
  ["openai-chat", chatModels, "gpt-x", "/v1/models"],
  ["anthropic-messages", anthropicModels, "claude-x", "/v1/models?limit=1000"],
  ["gemini-generate-content", geminiModels, "gemini-x", "/v1beta/models?pageSize=1000"],
] as const)("models of %s", (protocol, list, id, path) => {
  const setup = () =>
    start({ protocol, modelMap: { alias: id, "pattern-*": id }, answer: (_r, response) => json(response, 200, list) });

  test("in the shape of OpenAI", async () => {
    const { url, service } = await setup();
    const body = await (await fetch(`${url}/v1/models`)).json();
    expect(body).toMatchObject({
      object: "list",
      data: [
        { id: "alias", object: "model" },
        { id, object: "model" },
      ],
    });
    expect(service.received[0]).toMatchObject({ method: "GET", url: path });
  });

  test("in the shape of Anthropic", async () => {
    const { url } = await setup();
    const body = await (await fetch(`${url}/v1/models`, { headers: anthropicVersion })).json();
    expect(body).toMatchObject({ data: [{ id: "alias", type: "model" }, { id }], has_more: false, last_id: id });
  });

  test.each([
    ["/v1beta/models", {}],
    ["/v1/models", google],
    ["/v1/models?key=k", {}],
  ])("in the shape of Gemini at %s with %o", async (place, headers) => {
    const { url, service } = await setup();
    const body = await (await fetch(url + place, { headers: headers as Record<string, string> })).json();
    expect(body.models).toMatchObject([{ name: "models/alias" }, { name: `models/${id}` }]);
    expect(body.models[0].supportedGenerationMethods).toContain("countTokens");
    expect(service.received[0]!.url).toBe(path);
  });

  test("one by one", async () => {
    const { url } = await setup();
    const ask = async (place: string, headers = {}) => (await fetch(url + place, { headers })).json();
    expect(await ask(`/v1/models/${id}`)).toMatchObject({ id, object: "model" });
    expect(await ask(`/v1/models/${id}`, anthropicVersion)).toMatchObject({ id, type: "model" });
    expect(await ask(`/v1beta/models/${id}`)).toMatchObject({ name: `models/${id}` });
    expect(await ask(`/v1/models/${id}`, google)).toMatchObject({ name: `models/${id}` });
    expect((await fetch(`${url}/v1/models/nobody`)).status).toBe(404);
    expect((await (await fetch(`${url}/v1beta/models/nobody`)).json()).error.status).toBe("NOT_FOUND");
  });
});

test.each([
  ["openai-chat", chatModels, "/v1/models", {}],
  ["anthropic-messages", anthropicModels, "/v1/models", anthropicVersion],
  ["gemini-generate-content", geminiModels, "/v1beta/models", {}],
] as const)("a client of %s reads all that its service says of its models", async (protocol, list, path, headers) => {
  const { url } = await start({ protocol, answer: (_r, response) => json(response, 200, list) });
  expect(await (await fetch(url + path, { headers })).json()).toEqual(list);
});

test.each([
  "/v1beta1/projects/p/locations/l/publishers/google/models/m:generateContent",
  "/v1/publishers/google/models/m:generateContent",
  "/v1alpha/models/m:generateContent",
])("a client asks at %s", async (path) => {
  const { url, service } = await start({
    protocol: "openai-chat",
    answer: (_r, response) => json(response, 200, chatText("ok")),
  });
  const answer = await post(url, path, { contents: [{ role: "user", parts: [{ text: "hi" }] }] });
  expect(await answer.json()).toMatchObject({ candidates: [{ content: { parts: [{ text: "ok" }] } }] });
  expect(service.received[0]!.body.model).toBe("m");
});

test("names of models may hold slashes and colons", async () => {
  const { url, service } = await start({
    protocol: "openai-chat",
    answer: (request, response) =>
      json(response, 200, request.method === "GET" ? { data: [{ id: "openai/m:30b" }] } : chatText("ok")),
  });
  const { models } = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: url } });
  expect(await models.get({ model: "openai/m:30b" })).toMatchObject({ name: "models/openai/m:30b" });
  expect((await models.generateContent({ model: "openai/m:30b", contents: "hi" })).text).toBe("ok");
  expect(service.received.at(-1)!.body.model).toBe("openai/m:30b");
  expect(await (await fetch(`${url}/v1/models/openai/m:30b`)).json()).toMatchObject({ object: "model" });
});

test("a list of models that is no JSON", async () => {
  const { url } = await start({ protocol: "openai-chat", answer: (_r, response) => json(response, 200, "<html>") });
  expect((await fetch(`${url}/v1/models`)).status).toBe(502);
});

const countBody = {
  model: "m",
  messages: [
    {
      role: "user",
      content: [
        { type: "text", text: "foo" },
        { type: "image", source: { type: "base64", media_type: "image/png", data: "AAAA" } },
      ],
    },
  ],
  system: "You are terse.",
  tools: [
    {
      name: "get_weather",
      description: "Get the weather of a city",
      input_schema: { type: "object", properties: { city: { type: "string" } } },
    },
  ],
};

const counters = [
  {
    protocol: "anthropic-messages",
    path: "/v1/messages/count_tokens?beta=true",
    asked: "/v1/messages/count_tokens?beta=true",
    body: countBody,
    sent: { ...countBody, model: "n" },
    answer: { input_tokens: 4711 },
    count: (answer: Record<string, number>) => answer["input_tokens"],
  },
  {
    protocol: "openai-responses",
    path: "/v1/responses/input_tokens",
    asked: "/v1/responses/input_tokens",
    body: { model: "m", input: "foo" },
    sent: { model: "n", input: "foo" },
    answer: { object: "response.input_tokens", input_tokens: 4711 },
    count: (answer: Record<string, number>) => answer["input_tokens"],
  },
  {
    protocol: "gemini-generate-content",
    path: "/v1beta/models/m:countTokens",
    asked: "/v1beta/models/n:countTokens",
    body: { contents: [{ parts: [{ text: "foo" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] }] },
    sent: { contents: [{ parts: [{ text: "foo" }, { inlineData: { mimeType: "image/png", data: "AAAA" } }] }] },
    answer: { totalTokens: 4711 },
    count: (answer: Record<string, number>) => answer["totalTokens"],
  },
] as const;

describe.each(counters)("tokens of $protocol", ({ protocol, path, asked, body, sent, answer: told, count }) => {
  test("are asked of a service that can count", async () => {
    const { url, service } = await start({
      protocol,
      modelMap: { m: "n" },
      answer: (_r, response) => json(response, 200, told),
    });
    const answer = await post(url, path, body);
    expect(await answer.json()).toEqual(told);
    expect(answer.headers.get("rolecall-estimate")).toBeNull();
    expect(service.received[0]).toMatchObject({ url: asked, body: sent });
  });

  test.each(families.map((to) => to.protocol))("are estimated toward %s where that cannot", async (to) => {
    const { url, service } = await start({ protocol: to, answer: (_r, response) => json(response, 404, {}) });
    const estimate = async (asked: unknown) => {
      const answer = await post(url, path, asked);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("rolecall-estimate")).toBe("tokens");
      return count((await answer.json()) as Record<string, number>);
    };
    const longer = JSON.parse(JSON.stringify(body).replace("foo", "foo, and a good deal more of it"));
    expect(await estimate(longer)).toBeGreaterThan((await estimate(body))!);
    // Chat has no such question.
    expect(service.received).toHaveLength(to === "openai-chat" ? 0 : 2);
  });

  test("are refused as the service refuses, and for a body that states nothing", async () => {
    const refusal = family(protocol).refusal("authentication", "no");
    const { url } = await start({ protocol, answer: (_r, response) => json(response, refusal.status, refusal.body) });
    const answer = await post(url, path, body);
    expect([answer.status, await answer.json()]).toEqual([401, refusal.body]);
    expect((await post(url, path, "{")).status).toBe(400);
    expect((await post(url, path, {})).status).toBe(400);
  });
});

test("instructions and tools count, of Google's client as well", async () => {
  const { url } = await start({ protocol: "openai-chat", answer: () => {} });
  const { tools: _tools, ...withoutTools } = countBody;
  const { system: _system, ...withoutSystem } = countBody;
  const count = async (body: object) =>
    ((await (await post(url, "/v1/messages/count_tokens", body)).json()) as { input_tokens: number }).input_tokens;
  expect(await count(countBody)).toBeGreaterThan(await count(withoutTools));
  expect(await count(countBody)).toBeGreaterThan(await count(withoutSystem));
  const { models } = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: url } });
  const short = await models.countTokens({ model: "m", contents: "hi" });
  const long = await models.countTokens({ model: "m", contents: "hi, how is it going over there?" });
  expect(long.totalTokens).toBeGreaterThan(short.totalTokens!);
  const request = { contents: [{ parts: [{ text: "hi" }] }], systemInstruction: { parts: [{ text: "Be brief." }] } };
  const whole = await post(url, "/v1beta/models/m:countTokens", { generateContentRequest: request });
  expect((await whole.json()).totalTokens).toBeGreaterThan(short.totalTokens!);
});

test("health, the root, and what does not exist", async () => {
  const gateway = await createGateway();
  const { url } = await gateway.listen();
  expect((await fetch(url, { method: "HEAD" })).status).toBe(200);
  expect(await (await fetch(`${url}/health`)).json()).toEqual({ status: "ok", service: "scripted" });
  const openai = await fetch(`${url}/v1/nothing`);
  expect(openai.status).toBe(404);
  expect(await openai.json()).toMatchObject({ error: { type: "invalid_request_error", code: null } });
  const anthropic = await fetch(`${url}/v1/nothing`, { headers: anthropicVersion });
  expect(anthropic.status).toBe(404);
  expect(await anthropic.json()).toMatchObject({ type: "error", error: { type: "not_found_error" } });
  const refused = await fetch(`${url}/v1/messages`);
  expect([refused.status, refused.headers.get("allow")]).toEqual([405, "POST"]);
  const google = await fetch(`${url}/v1beta/nothing`);
  expect([google.status, await google.json()]).toMatchObject([404, { error: { code: 404, status: "NOT_FOUND" } }]);
  for (const path of ["/v1beta/models/m:generateContent", "/v1/models/m:streamGenerateContent"]) {
    const read = await fetch(url + path);
    expect([read.status, read.headers.get("allow")]).toEqual([405, "POST"]);
    expect(await read.json()).toMatchObject({ error: { code: 405, status: "INVALID_ARGUMENT" } });
  }
  expect((await post(url, "/v1beta/models/m:embedContent", {})).status).toBe(405);
  for (const path of ["/v1/models", "/v1beta/models", "/v1/models/x", "/health", "/rolecall/reports/x"]) {
    const deleted = await fetch(url + path, { method: "DELETE" });
    expect([deleted.status, deleted.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  }
  for (const path of ["/v1/models", "/health", "/rolecall/reports"]) {
    const head = await fetch(url + path, { method: "HEAD" });
    expect([head.status, await head.text()]).toEqual([200, ""]);
    expect((await gateway.fetch(url + path, { method: "HEAD" })).status).toBe(200);
  }
  expect((await fetch(`${url}/__proto__`)).status).toBe(404);
  expect((await fetch(`${url}/rolecall/reports/lr_none`)).status).toBe(404);
  await gateway.close();
});

describe("reports", () => {
  const request = (text: string, more: object = {}) => ({
    model: "m",
    max_tokens: 10,
    temperature: 0.5,
    top_k: 3,
    messages: [{ role: "user", content: text }],
    ...more,
  });

  test("the header is a dictionary, and what it says is in the report", async () => {
    const { url } = await start({
      protocol: "openai-chat",
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    const answer = await post(url, "/v1/messages", request("a"), { "anthropic-beta": "x-2026-01-01, y-2026-01-01" });
    const header = answer.headers.get("rolecall-losses")!;
    const dictionary = new Map(header.split(", ").map((member) => member.split("=") as [string, string]));
    for (const [key, value] of dictionary) {
      expect(key).toMatch(/^[a-z*][a-z0-9_.*-]*$/);
      expect(value).toMatch(/^(?:\d+|[A-Za-z*][\w!#$%&'*+.^`|~:/-]*|"[ !#-[\]-~]*")$/);
    }
    expect([...dictionary.keys()]).toEqual([
      "worst",
      "total",
      "groups",
      "new",
      "accepted",
      "safety",
      "authority",
      "report",
    ]);
    const id = dictionary.get("report")!.slice(1, -1);
    const report = (await (await fetch(`${url}/rolecall/reports/${id}`)).json()) as Record<string, never>;
    expect(report).toMatchObject({ id, from: "anthropic-messages", to: "openai-chat", outcome: "complete", turn: 1 });
    expect(report["losses"]).toHaveLength(Number(dictionary.get("total")));
    expect(report["groups"]).toHaveLength(Number(dictionary.get("groups")));
    const list = (await (await fetch(`${url}/rolecall/reports`)).json()) as { reports: { id: string }[] };
    expect(list.reports.map((entry) => entry.id)).toEqual([id]);
  });

  test("the second request of a conversation repeats nothing as new", async () => {
    const { url, records, lines } = await start({
      protocol: "openai-chat",
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    const fresh = (answer: Response) => Number(/new=(\d+)/.exec(answer.headers.get("rolecall-losses")!)![1]);
    const first = fresh(await post(url, "/v1/messages", request("a")));
    expect(first).toBeGreaterThan(0);
    expect(fresh(await post(url, "/v1/messages", request("a")))).toBe(0);
    expect(fresh(await post(url, "/v1/messages", request("another")))).toBe(first);
    expect(fresh(await post(url, "/v1/messages", request("a"), { "x-api-key": "other" }))).toBe(first);
    expect(records.map(({ turn }) => turn)).toEqual([1, 2, 1, 1]);
    expect(lines[1]).toContain("as before");
    expect(lines[1]).not.toContain("\n");
  });

  test("what an answer loses is new once in a conversation", async () => {
    const answers = [{}, { system_fingerprint: "a" }, { system_fingerprint: "b" }];
    const { url, records, lines } = await start({
      protocol: "openai-chat",
      answer: (_r, response) => json(response, 200, { ...chatText("ok"), ...answers.shift() }),
    });
    for (let turn = 0; turn < 3; turn++) await post(url, "/v1/messages", request("a"));
    const [first, second, third] = records;
    expect(first?.fresh).toBe(first?.losses.length);
    expect(second?.fresh).toBe(1);
    expect(lines[1]).toMatch(/as before · 1 new/);
    expect(third?.losses.length).toBe(second?.losses.length);
    expect(third?.fresh).toBe(0);
  });

  test("content that an answer loses is new each time", async () => {
    const picture = { inlineData: { mimeType: "image/png", data: "AAAA" } };
    const said = { parts: [{ text: "ok" }, picture], role: "model" };
    const { url, records } = await start({
      protocol: "gemini-generate-content",
      answer: (_r, response) => json(response, 200, { candidates: [{ content: said, finishReason: "STOP" }] }),
    });
    for (let turn = 0; turn < 3; turn++) await post(url, "/v1/messages", request("a"));
    expect(records.map(({ losses }) => losses.filter(({ severity }) => severity === "error").length)).toEqual([
      1, 1, 1,
    ]);
    expect(records.map(({ fresh }) => fresh).slice(1)).toEqual([1, 1]);
  });

  test("known losses are accepted, and a policy may refuse", async () => {
    const { url, service } = await start({
      protocol: "openai-chat",
      accept: [{ code: "setting.*", reason: "known" }],
      onLoss: "throw",
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    const answer = await post(url, "/v1/messages", { ...request("a"), unknown_field: 1 });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ type: "error", error: { type: "invalid_request_error" } });
    expect(service.received).toEqual([]);
  });

  test("only the latest are kept", async () => {
    const { url } = await start({
      protocol: "anthropic-messages",
      limits: { reports: 3 },
      answer: (_r, response) => json(response, 200, anthropicText("ok")),
    });
    for (let index = 0; index < 5; index++) await post(url, "/v1/messages", request(String(index)));
    const list = (await (await fetch(`${url}/rolecall/reports`)).json()) as { reports: object[] };
    expect(list.reports).toHaveLength(3);
  });
});
