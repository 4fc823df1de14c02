import type { ProtocolId } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { families } from "./families/index.ts";
import type { Received } from "./service.ts";
import { anthropicText, chatText, events, json } from "./service.ts";
import { post, start } from "./start.ts";

/** A body with a spelling that no writer of JSON would choose. */
const odd: { readonly [P in ProtocolId]?: (stream: boolean) => string } = {
  "openai-responses": (stream) => inBody(stream, "max_output_tokens"),
  "gemini-generate-content": () =>
    `{ "generationConfig" : {"maxOutputTokens" : 1e2},\n"contents":[{"parts":[{"text":"a \\"model\\": \\u00e9 é"}]}],"unknown":{"model":"x"} }`,
};
const inBody = (stream: boolean, limit = "max_tokens") =>
  `{ "${limit}" : 1e2,\n"model":"m\\u0061p",  "messages":[{"role":"user","content":"a \\"model\\": \\u00e9 é"}]${stream ? ',"stream":true' : ""},"unknown":{"model":"x"} }`;

describe.each(families)("$protocol on both sides", (family) => {
  const { protocol } = family;
  const whole = family.text("ok");
  const stream = family.events(family.text("ok ok"));
  const request = odd[protocol] ?? inBody;
  const asked = family.path().includes(":") ? "m" : "map";
  const ask = (url: string, isStream = false) => post(url, family.path(isStream), request(isStream));

  test("passes the bytes of a request and of its answer", async () => {
    const text = ` ${JSON.stringify(whole, null, 2)}\n`;
    const { service, url } = await start({ protocol, answer: (_request, response) => json(response, 200, text) });
    const answer = await ask(url);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(text);
    expect(service.received[0]!.text).toBe(request(false));
    expect(answer.headers.get("rolecall-losses")).toMatch(
      /^total=0, groups=0, new=0, accepted=0, safety=0, authority=0, report="lr_\w+"$/,
    );
  });

  test("passes the bytes of a stream, comments and all", async () => {
    const list = [": hello\n\n", ...stream.slice(0, 2), ": still here\n\n", ...stream.slice(2)];
    const { service, url } = await start({ protocol, answer: (_request, response) => events(response, list) });
    const answer = await ask(url, true);
    expect(answer.headers.get("content-type")).toBe("text/event-stream");
    expect(await answer.text()).toBe(list.join(""));
    expect(service.received[0]!.text).toBe(request(true));
    expect(service.received[0]!.url).toBe(family.path(true));
  });

  test("replaces a mapped model name and nothing else, and cuts a limit down with a report", async () => {
    const { service, url, records } = await start({
      protocol,
      modelMap: { "m*": { model: 'new "name"-*', maxTokens: 50 } },
      answer: (_request, response) => json(response, 200, whole),
    });
    const answer = await ask(url);
    const [received] = service.received;
    const sent = request(false).replace('"m\\u0061p"', '"new \\"name\\"-ap"').replace("1e2", "50");
    expect(received!.text).toBe(sent);
    if (asked === "m") expect(received!.url).toBe("/v1beta/models/new%20%22name%22-:generateContent");
    expect(answer.headers.get("rolecall-losses")).toMatch(/^worst=warning, total=1, /);
    const path = asked === "m" ? "/generationConfig/maxOutputTokens" : `/${/max_\w+/.exec(sent)?.[0]}`;
    expect(records[0]!.losses).toMatchObject([{ code: "setting.clamped", path }]);
    expect(records[0]).toMatchObject({ model: asked, sentModel: `new "name"-${asked.slice(1)}` });
  });

  test.each(["\r\n", "\r"])("passes lines that end in %j", async (end) => {
    const text = stream.join("").replaceAll("\r\n", "\n").replaceAll("\n", end);
    const { url } = await start({ protocol, answer: (_request, response) => events(response, [text]) });
    expect(await (await ask(url, true)).text()).toBe(text);
  });

  test("splits of the bytes do not matter", async () => {
    const bytes = Buffer.from(stream.join(""));
    const { url } = await start({
      protocol,
      answer: async (_request, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (let at = 0; at < bytes.length; at += 7) {
          response.write(bytes.subarray(at, at + 7));
          if (at % 70 === 0) await new Promise((resolve) => setTimeout(resolve, 1));
        }
        response.end();
      },
    });
    const answer = await ask(url, true);
    expect(await answer.text()).toBe(stream.join(""));
  });
});

test("a body that is no JSON, no object, or says a thing twice goes nowhere", async () => {
  const { service, url } = await start({
    protocol: "openai-chat",
    modelMap: { b: "c" },
    answer: (_r, response) => json(response, 200, {}),
  });
  for (const body of ['{"model":"a"', "[]", '{"model":"a","model":"b","messages":[]}', "", '{"mod\\u0065l":"a"}']) {
    const answer = await post(url, "/v1/chat/completions", body);
    expect(answer.status, body).toBe(400);
    expect(((await answer.json()) as { error: { type: string } }).error.type).toBe("invalid_request_error");
  }
  expect(service.received).toEqual([]);
});

test("where nothing depends on the model, what stands behind it is for the service to read", async () => {
  const { service, url, records } = await start({
    protocol: "openai-chat",
    answer: (_r, response) => json(response, 400, { error: { message: "no JSON", type: "invalid_request_error" } }),
  });
  const bodies = [
    '{"model":"a","messages":[],}',
    '{"model":"a","model":"b"}',
    ` {"model":"a","x":"${"y".repeat(200_000)}`,
  ];
  for (const body of bodies) {
    const answer = await post(url, "/v1/chat/completions", body);
    expect(await answer.json()).toEqual({ error: { message: "no JSON", type: "invalid_request_error" } });
  }
  expect(service.received.map(({ text }) => text)).toEqual(bodies);
  expect(records.map(({ model }) => model)).toEqual(["a", "a", "a"]);
});

test("a profile that denies something sends a body through the codecs only where it matters", async () => {
  const { service, url } = await start({
    protocol: "openai-chat",
    profile: "ollama",
    answer: (_request, response) => json(response, 200, chatText("ok")),
  });
  const plain = '{"model":"m", "messages":[{"role":"user","content":"hi"}]}';
  await post(url, "/v1/chat/completions", plain);
  await post(url, "/v1/chat/completions", {
    model: "m",
    messages: [
      { role: "developer", content: "Be brief." },
      { role: "user", content: "hi" },
    ],
  });
  const [first, second] = service.received as [Received, Received];
  expect(first.text).toBe(plain);
  expect(second.body.messages[0]).toEqual({ role: "system", content: "Be brief." });
});

test("headers of the client go on only where the service needs them", async () => {
  const { service, url } = await start({
    protocol: "anthropic-messages",
    answer: (_request, response) =>
      json(response, 200, anthropicText("ok"), {
        "request-id": "req_9",
        "anthropic-ratelimit-requests-remaining": "7",
        "set-cookie": "a=b",
        "x-internal": "1",
      }),
  });
  const answer = await post(url, "/v1/messages?beta=true", inBody(false), {
    "anthropic-version": "2023-06-01",
    "anthropic-beta": "effort-2025-11-24",
    "x-forwarded-for": "1.2.3.4",
    cookie: "c=d",
  });
  const { headers, url: path } = service.received[0]!;
  expect(path).toBe("/v1/messages?beta=true");
  expect(headers).toMatchObject({ "anthropic-version": "2023-06-01", "anthropic-beta": "effort-2025-11-24" });
  expect(headers).not.toHaveProperty("cookie");
  expect(headers).not.toHaveProperty("x-forwarded-for");
  expect(answer.headers.get("request-id")).toBe("req_9");
  expect(answer.headers.get("anthropic-ratelimit-requests-remaining")).toBe("7");
  expect(answer.headers.get("set-cookie")).toBeNull();
  expect(answer.headers.get("x-internal")).toBeNull();
});
