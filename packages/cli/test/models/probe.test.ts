import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { atTerminal, rolecall } from "../command.ts";
import type { Body } from "./server.ts";
import { json, serve } from "./server.ts";

const refuse = (response: ServerResponse, status: number, message: string): void => {
  json(response, status, { error: { message, type: "invalid_request_error", code: null, param: null } });
};

/** A small server: it knows no role developer, no schema, no strict tools and no images, and calls one tool at a time. */
function answerSmall(body: Body, response: ServerResponse) {
  if (body.messages.some(({ role }: Body) => role === "developer"))
    return refuse(response, 400, "unknown role: developer");
  if (JSON.stringify(body.messages).includes("image_url")) return refuse(response, 400, "this model sees nothing");
  if (body.reasoning_effort !== undefined) return refuse(response, 422, "no reasoning_effort");
  if (body.tools?.some((tool: Body) => tool.function.strict !== undefined))
    return refuse(response, 400, "unknown key: strict");
  const [tool] = body.tools ?? [];
  const call = tool && {
    id: "c1",
    type: "function",
    function: { name: tool.function.name, arguments: '{"city":"Bergen"}' },
  };
  const message = tool
    ? { role: "assistant", content: null, tool_calls: [call] }
    : { role: "assistant", content: "ready \u001b[2J" };
  const finish = tool ? "tool_calls" : "stop";
  const base = { id: "c", created: 1, model: "m" };
  if (body.stream !== true) {
    response.writeHead(200, { "content-type": "application/json" });
    const usage = { prompt_tokens: 5, completion_tokens: 2, total_tokens: 7 };
    response.end(
      JSON.stringify({
        ...base,
        object: "chat.completion",
        choices: [{ index: 0, message, finish_reason: finish }],
        usage,
      }),
    );
    return;
  }
  const delta = tool ? { ...message, tool_calls: [{ index: 0, ...call }] } : message;
  response.writeHead(200, { "content-type": "text/event-stream" });
  for (const choice of [
    { index: 0, delta, finish_reason: null },
    { index: 0, delta: {}, finish_reason: finish },
  ])
    response.write(`data: ${JSON.stringify({ ...base, object: "chat.completion.chunk", choices: [choice] })}\n\n`);
  response.end("data: [DONE]\n\n");
}

describe("rolecall probe", () => {
  test("finds out what a server does, and says what it saw", async () => {
    const { url } = await serve((response, body) => answerSmall(body, response));
    const { status, stdout, stderr } = await atTerminal(["probe", url, "--model", "m", "--json"]);
    expect(status).toBe(0);
    const { results, compat, input, date } = JSON.parse(stdout);
    const outcomes = Object.fromEntries(results.map(({ name, outcome }: Body) => [name, outcome]));
    expect(outcomes).toEqual({
      answer: "yes",
      stream: "yes",
      "usage in streams": "no",
      instructions: "yes",
      "developer role": "no",
      tools: "yes",
      "forced tool choice": "yes",
      "parallel calls": "unclear",
      "strict tools": "no",
      "structured output": "no",
      images: "no",
      "reasoning effort": "no",
      sampling: "yes",
    });
    expect(compat).toEqual({
      supportsStreamOptions: false,
      supportsDeveloperRole: false,
      supportsStrictTools: false,
      supportsStructuredOutput: false,
      supportsEffort: false,
      supportsSampling: true,
    });
    expect(input).toEqual(["text"]);
    expect(date).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(stderr).toContain("refused: unknown role: developer");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: this is what must not be there
    expect(stdout + stderr).not.toMatch(/\u001b/);
  });

  test("prints a block that models.json takes", async () => {
    const { url } = await serve((response, body) => answerSmall(body, response));
    const { stdout } = await atTerminal(["probe", url, "-m", "m"]);
    expect(JSON.parse(stdout)).toMatchObject({ id: "m", input: ["text"], compat: { supportsDeveloperRole: false } });
  });

  test.each([
    [401, "bad key"],
    [404, "no such model"],
    [500, "down"],
  ])(
    "ends where a server answers nothing but %i",
    async (status, message) => {
      const { url } = await serve((response) => refuse(response, status, message));
      const result = await atTerminal(["probe", url, "--model", "m"]);
      expect([result.status, result.stdout]).toEqual([1, ""]);
      expect(result.stderr).toContain(message);
    },
    60_000,
  );

  test.each([
    [["probe"], "state the base URL"],
    [["probe", "http://127.0.0.1:9/v1"], "state which model is tried"],
    [["probe", "nonsense", "--model", "m"], "the base URL is not a URL"],
    [["probe", "http://127.0.0.1:9/v1", "--model", "m", "--api", "openai"], '--api cannot be "openai"'],
  ])("%j is a mistake that is told", (args, message) => {
    const { status, stderr } = rolecall(args);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("rolecall doctor", () => {
  const env = {
    HTTPS_PROXY: "",
    https_proxy: "",
    HTTP_PROXY: "",
    http_proxy: "",
    NODE_EXTRA_CA_CERTS: "",
    OPENAI_API_KEY: "",
  };

  test("says where keys are, and shows none", () => {
    const key = "sk-ant-0123456789abcdef";
    const { status, stdout } = rolecall(["doctor"], { env: { ...env, ANTHROPIC_API_KEY: key } });
    expect(status).toBe(0);
    expect(stdout).toContain("ok   key anthropic     in ANTHROPIC_API_KEY\n");
    expect(stdout).toContain("-    key openai        OPENAI_API_KEY is not set\n");
    expect(stdout).not.toContain(key);
  });

  test.each<[Record<string, string>, string]>([
    [{ OPENAI_API_KEY: " sk-0123456789" }, "OPENAI_API_KEY begins or ends with white space"],
    [{ OPENAI_API_KEY: '"sk-0123456789"' }, "OPENAI_API_KEY stands in quotes"],
    [{ OPENAI_API_KEY: "Bearer sk-0123456789" }, 'OPENAI_API_KEY begins with "Bearer"'],
    [{ HTTPS_PROXY: "http://proxy.test:3128" }, "HTTPS_PROXY is set, and "],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, "trusts everybody"],
    [{ NODE_EXTRA_CA_CERTS: "/no/such/file.pem" }, "which is not there"],
  ])("finds what is wrong: %j", (odd, message) => {
    const { status, stdout } = rolecall(["doctor"], { env: { ...env, ...odd } });
    expect(status).toBe(1);
    expect(stdout).toContain(message);
    expect(stdout).not.toContain("sk-0123456789");
  });

  test("asks services when it may", async () => {
    const { url } = await serve((response, _body, request) => {
      if (request.headers.authorization !== "Bearer sk-good-0123456789") return refuse(response, 401, "bad key");
      response.writeHead(200, { "content-type": "application/json" });
      response.end(JSON.stringify({ data: [{ id: "a" }, { id: "b" }] }));
    });
    for (const [key, status, message] of [
      ["sk-good-0123456789", 0, "2 models in"],
      ["sk-bad-0123456789", 1, "bad key"],
    ] as const) {
      process.env["PROBE_KEY"] = key;
      const result = await atTerminal([
        "doctor",
        "--live",
        "--provider",
        "groq",
        "--base-url",
        url,
        "--key-env",
        "PROBE_KEY",
      ]);
      delete process.env["PROBE_KEY"];
      expect(result.status).toBe(status);
      expect(result.stdout).toContain(message);
    }
  });

  test("gives its checks as JSON", () => {
    const checks = JSON.parse(rolecall(["doctor", "--json", "--provider", "ollama"], { env }).stdout);
    expect(checks.map(({ name }: Body) => name)).toEqual(["versions", "proxy", "certificates"]);
  });
});
