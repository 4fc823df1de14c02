import { expect } from "vitest";
import { anthropicText, chatText, isMessages, json } from "../service.ts";
import { post, start } from "../start.ts";
import type { Body } from "./fault.ts";
import { testGatewayFaults } from "./fault.ts";

const count = "/v1/messages/count_tokens";
const tool = (name: string): Body => ({
  name,
  description: "Get the weather of a city",
  input_schema: { type: "object", properties: { city: { type: "string" } } },
});
const pdf = { type: "document", source: { type: "base64", media_type: "application/pdf", data: "JVBERi0xLjQK" } };
const image = { type: "image", source: { type: "url", url: "https://a.test/b.png" } };
const counted = (content: Body, more: Body = {}): Body => ({
  model: "m",
  max_tokens: 256,
  messages: [{ role: "user", content }],
  system: "You are terse.",
  tools: [tool("get_weather")],
  ...more,
});

testGatewayFaults("requests of a client", {
  "previous-response-id": {
    siblings: [
      { input: { model: "m", previous_response_id: "resp_1", input: "go on" } },
      { input: { model: "m", previous_response_id: "resp_1", input: [], stream: true, store: true } },
    ],
    async check(input) {
      for (const protocol of ["openai-chat", "anthropic-messages", "gemini-generate-content"] as const) {
        const { url, service } = await start({ protocol, answer: () => {} });
        const answer = await post(url, "/v1/responses", input);
        expect([answer.status, await answer.json()]).toMatchObject([
          400,
          { error: { code: "previous_response_not_found", param: "previous_response_id" } },
        ]);
        expect(service.received).toEqual([]);
      }
    },
  },

  "empty-user-turn": {
    siblings: [[], [{ type: "text", text: "" }], null, " \n", [{ type: "text", text: " " }]].map((content) => ({
      input: { model: "m", messages: [{ role: "user", content }] },
    })),
    async check(input) {
      const { url, service } = await start({ protocol: "anthropic-messages", answer: () => {} });
      for (const stream of [false, true]) {
        const answer = await post(url, "/v1/chat/completions", { ...input, stream });
        expect(answer.status).toBe(400);
        expect(await answer.json()).toMatchObject({
          error: { type: "invalid_request_error", message: expect.stringContaining("/messages") },
        });
      }
      expect(service.received).toEqual([]);
    },
  },

  "count-tokens-ignores-tools": {
    siblings: [
      counted("foo"),
      counted([{ type: "text", text: "foo" }, pdf]),
      counted([image, { type: "text", text: "foo" }]),
      counted("foo", { tools: [tool("a"), tool("b")], system: [{ type: "text", text: "You are terse." }] }),
      counted([
        { type: "text", text: "foo" },
        { ...pdf, title: "A", citations: { enabled: true } },
      ]),
    ].map((input) => ({ input })),
    async check(input) {
      for (const protocol of ["openai-chat", "anthropic-messages"] as const) {
        const { url } = await start({ protocol, answer: (_r, response) => json(response, 404, {}) });
        const tokens = async (body: Body): Promise<number> => {
          const answer = await post(url, count, body);
          expect(answer.status).toBe(200);
          expect(answer.headers.get("rolecall-estimate")).toBe("tokens");
          const { input_tokens: number, ...rest } = (await answer.json()) as Body;
          expect(rest).toEqual({});
          return number;
        };
        const whole = await tokens(input);
        const { tools: _tools, ...withoutTools } = input;
        const { system: _system, ...withoutSystem } = input;
        expect(whole).toBeGreaterThan(await tokens(withoutTools));
        expect(whole).toBeGreaterThan(await tokens(withoutSystem));
        expect(whole).toBeGreaterThan(await tokens({ ...input, messages: [{ role: "user", content: "" }] }));
      }
    },
  },

  "gateway-ssrf-base-url": {
    siblings: [
      "http://169.254.169.254/latest/meta-data/",
      "http://[fd00:ec2::254]/",
      "http://metadata.google.internal/",
      "file:///etc/passwd",
      "//evil.test/v1",
    ].map((address) => ({
      input: {
        model: "m",
        max_tokens: 9,
        messages: [{ role: "user", content: "go" }],
        ...Object.fromEntries(
          ["api_base", "base_url", "baseURL", "api_url", "endpoint", "url", "host", "proxy", "webhook"].map((key) => [
            key,
            address,
          ]),
        ),
        extra_body: { api_base: address, base_url: address },
      },
    })),
    async check(input) {
      for (const protocol of ["openai-chat", "anthropic-messages"] as const) {
        const { service: other } = await start({ protocol, answer: () => {} });
        const { url, service } = await start({
          protocol,
          answer: (received, response) =>
            json(response, 200, isMessages(received) ? anthropicText("ok") : chatText("ok")),
        });
        const mine = { ...input, api_base: other.origin, extra_body: { base_url: `${other.origin}/v1` } };
        for (const path of ["/v1/chat/completions", "/v1/messages"]) {
          for (const body of [input, mine]) {
            const answer = await post(url, path, { max_tokens: 9, ...body });
            expect([200, 400]).toContain(answer.status);
          }
        }
        expect(service.received.length).toBeGreaterThan(0);
        expect(new Set(service.received.map(({ headers }) => headers.host))).toEqual(
          new Set([new URL(service.origin).host]),
        );
        expect(other.received).toEqual([]);
      }
    },
  },
});
