import { expect } from "vitest";
import { json } from "../service.ts";
import { post, start } from "../start.ts";
import type { Body, Sibling } from "./fault.ts";
import { testGatewayFaults } from "./fault.ts";

const paths = { "openai-chat": "/v1/chat/completions", "anthropic-messages": "/v1/messages" } as const;
const request = { model: "m", max_tokens: 50, messages: [{ role: "user", content: "hi" }] };

/** What a client of a family gets when the service answers so, without and with a stream. */
async function answers(
  client: keyof typeof paths,
  service: keyof typeof paths,
  status: number,
  body: Body,
  headers = {},
) {
  const { url } = await start({ protocol: service, answer: (_r, response) => json(response, status, body, headers) });
  return Promise.all(
    [false, true].map(async (stream) => {
      const answer = await post(url, paths[client], { ...request, stream });
      return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Body };
    }),
  );
}

/** Each code in each of the places where servers put it. */
const codes = [
  [400, "invalid_request_error"],
  [401, "authentication_error"],
  [403, "permission_error"],
  [404, "not_found_error"],
  [429, "rate_limit_error"],
  [500, "api_error"],
] as const;
const underGoodStatus: readonly Sibling[] = codes.flatMap(([code, type]) =>
  [
    { error: { code, message: "it says no" } },
    { error: { code: String(code), message: "it says no" } },
    { error: { status: code, message: "it says no", type: null } },
    { object: "error", message: "it says no", code },
  ].map((input) => ({ input, expected: { status: code, "body.error.type": type } })),
);

const waits = ["7", "0", "120", "Wed, 21 Oct 2026 07:28:00 GMT"];
const overloaded: readonly Sibling[] = waits.flatMap((wait) =>
  ["overloaded_error", "api_error"].map((type) => ({
    input: {
      status: 529,
      headers: { "retry-after": wait, "request-id": "req_1" },
      body: { type: "error", error: { type, message: "Overloaded" }, request_id: "req_1" },
    },
    // The status says more than the type of every failure.
    expected: { "body.error.type": "overloaded_error", "headers.retry-after": wait },
  })),
);

testGatewayFaults("answers of a service", {
  "error-200-json-body": {
    siblings: underGoodStatus,
    async check(input, expected) {
      const message = input.error?.message ?? input.message;
      for (const { status, body } of await answers("anthropic-messages", "openai-chat", 200, input)) {
        expect(status).toBe(expected.status);
        expect(body).toMatchObject({ type: "error", error: { type: expected["body.error.type"], message } });
      }
    },
  },

  "error-status-529": {
    siblings: overloaded,
    async check({ status, headers, body }, expected) {
      for (const answer of await answers("openai-chat", "anthropic-messages", status, body, headers)) {
        expect([503, 529]).toContain(answer.status);
        expect(answer.body).toMatchObject({
          error: { message: body.error.message, type: expected["body.error.type"], param: null, code: null },
        });
        expect(answer.headers.get("retry-after")).toBe(expected["headers.retry-after"]);
        expect(answer.headers.get("x-request-id")).toBe(headers["request-id"]);
      }
      for (const answer of await answers("anthropic-messages", "anthropic-messages", status, body, headers)) {
        expect(answer.status).toBe(529);
        expect(answer.body).toEqual(body);
        expect(answer.headers.get("retry-after")).toBe(expected["headers.retry-after"]);
      }
    },
  },
});
