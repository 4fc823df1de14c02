import { describe, expect, test } from "vitest";
import { createEventScrubber } from "../src/exchange/event-errors.ts";
import { scrub, scrubJson } from "../src/http/secrets.ts";
import { chatEvents, chatText, events } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

const looks = [
  "sk-proj-abcdefgh0123456789",
  "sk-or-v1-0123456789abcdef",
  "sk-ant-api03-0123456789abcdef",
  "gsk_0123456789abcdefABCDEF",
  "hf_abcdefghijABCDEFGHIJ0123",
  "AKIAIOSFODNN7EXAMPLE",
  "ASIAIOSFODNN7EXAMPLE",
  "xai-0123456789abcdef",
  "AIzaSyA0123456789abcdefghijklmno",
  "r8_0123456789abcdefABCDEF",
  "nvapi-0123456789abcdef",
  "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJl",
];

describe("keys", () => {
  test.each(looks)("%s is one", (key) => {
    expect(scrub(`Incorrect API key provided: ${key}.`, [])).toBe("Incorrect API key provided: [key].");
    expect(scrub(`"${key}"`, [])).toBe('"[key]"');
  });

  test.each(["task-oriented", "ask_a_question", "half_of_it", "risk-free", "the model gpt-5-mini", "hf_hub", "r8_x"])(
    "%s is none",
    (text) => expect(scrub(text, [])).toBe(text),
  );

  test("a stated one is found as it is, however it is spelled", () => {
    const key = 'p"lain\\se/cret';
    expect(scrub(`it is ${key}`, [key])).toBe("it is [key]");
    expect(scrub(`https://x/?k=${encodeURIComponent(key)}`, [key])).toBe("https://x/?k=[key]");
    const value = { message: `it is ${key}`, [key]: [key, 1] };
    expect(scrubJson(value, [key])).toEqual({ message: "it is [key]", "[key]": ["[key]", 1] });
    const clean = { message: ["nothing"] };
    expect(scrubJson(clean, [key])).toBe(clean);
  });
});

const data = (value: unknown) => `data: ${JSON.stringify(value)}\n\n`;
const said = data({ choices: [{ index: 0, delta: { content: `"error" with ${serviceKey}` } }] });
const failures = [
  data({ error: { message: `bad key ${serviceKey}` } }),
  data({ type: "error", error: { type: "authentication_error", message: `bad key Bearer ${serviceKey}` } }),
  data({ object: "error", message: `bad key ${serviceKey}`, code: 401 }),
  data({ choices: [{ index: 0, delta: {}, finish_reason: "error", error: { message: `bad key ${serviceKey}` } }] }),
  `event: error\n${data({ message: `bad key ${serviceKey}` })}`,
  `event: error\ndata: bad key ${serviceKey}\n\n`,
  `event: error\r\ndata: {"message":\r\ndata: "bad key ${serviceKey}"}\r\n\r\n`,
  JSON.stringify({ error: { message: `bad key ${serviceKey}` } }),
];

describe("events", () => {
  test.each(failures)("of a failure lose their keys: %s", (failure) => {
    const ofText = createEventScrubber([serviceKey]);
    const text = ofText.text(said + failure);
    expect(text.startsWith(said)).toBe(true);
    expect(text.slice(said.length)).not.toContain(serviceKey);
    expect(text.slice(said.length)).toContain("bad key");
    const ofBytes = createEventScrubber([serviceKey]);
    expect(ofBytes.bytes(Buffer.from(said + failure)).toString()).toBe(text);
    for (const { failure: told } of [ofText, ofBytes]) expect(told).toMatch(/^bad key (?!.*service)/);
  });

  test("of anything else keep their bytes", () => {
    const bytes = Buffer.concat([Buffer.from(said), Buffer.from([0xff, 0xfe]), Buffer.from('data: "error" é\n\n')]);
    const scrubber = createEventScrubber([serviceKey]);
    expect(scrubber.bytes(bytes)).toBe(bytes);
    expect(scrubber.failure).toBeUndefined();
    const mixed = Buffer.concat([bytes, Buffer.from(failures[0] as string)]);
    expect(scrubber.bytes(mixed).subarray(0, bytes.length)).toEqual(bytes);
  });
});

describe("a failure within a stream", () => {
  const { head, list } = { head: chatEvents(chatText("hi")).slice(0, 2), list: failures.slice(0, 6) };
  const calls = [
    ["converted", "/v1/messages", true],
    ["asked for as a whole", "/v1/messages", false],
    ["passed", "/v1/chat/completions", true],
  ] as const;
  test.each(calls)("shows no key when it is %s", async (_name, path, stream) => {
    for (const failure of list) {
      const { url, records, lines } = await start({
        protocol: "openai-chat",
        answer: (_request, response) => events(response, [...head, failure]),
      });
      const body = { model: "m", max_tokens: 9, stream, messages: [{ role: "user", content: "x" }] };
      const text = await (await post(url, path, body)).text();
      expect(text).toMatch(/error/);
      expect(text).not.toContain(serviceKey);
      expect(records[0]).toMatchObject({ outcome: "failed", error: { message: expect.stringContaining("bad key") } });
      expect(JSON.stringify([records, lines])).not.toContain(serviceKey);
      expect(await (await fetch(`${url}/rolecall/reports`)).text()).not.toContain(serviceKey);
    }
  });
});
