import { readFileSync, statSync } from "node:fs";
import { createModels, createRecorder } from "@rolecall/core/models";
import { openaiCompatibleProvider } from "@rolecall/core/providers/openai-compatible";
import { beforeAll, describe, expect, test } from "vitest";
import { atTerminal, rolecall, temporaryFolder } from "../command.ts";

const files = temporaryFolder();
const exchanges = files.path("exchanges.jsonl");
const lines: string[] = [];
const tool = { name: "read", description: "Reads a file.", parameters: { type: "object" as const } };
const call = { type: "toolCall" as const, id: "call_1", name: "read", arguments: { path: "a\u001b[2J" } };

const answer = {
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m-2026",
  choices: [{ index: 0, message: { role: "assistant", content: "Done." }, finish_reason: "stop" }],
  usage: { prompt_tokens: 30, completion_tokens: 2, total_tokens: 32 },
};

beforeAll(async () => {
  const models = createModels({
    fetch: async () => new Response(JSON.stringify(answer), { headers: { "content-type": "application/json" } }),
    onExchange: createRecorder((line) => lines.push(line)),
  });
  models.setProvider(
    openaiCompatibleProvider({ id: "own", baseUrl: "https://own.test/v1", apiKey: "sk-own-0123456789" }),
  );
  const model = { type: "chat", id: "m", provider: "own", api: "openai-chat" } as const;
  const asked = { systemPrompt: "Be brief.", tools: [tool], messages: [{ role: "user" as const, content: "Read a." }] };
  await models.complete(model, asked, { stream: false });
  await models.complete(
    model,
    {
      ...asked,
      messages: [
        ...asked.messages,
        {
          role: "assistant",
          content: [{ type: "text", text: "I read." }, call],
          api: "anthropic-messages",
          provider: "x",
          model: "y",
          stopReason: "toolUse",
        },
        { role: "toolResult", toolCallId: "call_1", toolName: "read", content: "no such file", isError: true },
      ],
    },
    { stream: false, topK: 3 },
  );
  files.write("exchanges.jsonl", lines.join(""));
});

const env = { ROLECALL_EXCHANGES: exchanges };

describe("rolecall show", () => {
  test("shows what the last exchange was, in the order of the questions", () => {
    const { status, stdout } = rolecall(["show"], { env });
    expect(status).toBe(0);
    const headings = stdout.split("\n").filter((line) => /^[A-Z]/.test(line));
    expect(headings).toEqual([
      "Instructions in force",
      "Tools declared",
      "Messages sent",
      "Calls and results",
      "Answer",
      "End",
      "Not sent as it was",
    ]);
    expect(stdout).toMatch(/^own\/m · Chat · \d{4}-\d\d-\d\dT/);
    expect(stdout).toContain("Be brief.  (message 0)");
    expect(stdout).toContain("read  Reads a file.  (message 0)");
    expect(stdout).toContain('text "I read." · call read {"path":"a\\u001b[2J"}');
    expect(stdout).toMatch(/read call_1 {2}message 2 → message 3/);
    expect(stdout).toContain('text "Done."');
    expect(stdout).toContain("stop reason stop (stop)");
    expect(stdout).toContain("model asked m, used m-2026");
    expect(stdout).toMatch(/\d+ loss(es)?: --losses lists them/);
    expect(stdout).not.toContain("\u001b");
  });

  test("lists losses when asked", () => {
    expect(rolecall(["show", "last", "--losses"], { env }).stdout).toContain("setting.no_counterpart");
  });

  test("finds an exchange by the beginning of its id, and one in a file", () => {
    const [first] = lines.map((line) => JSON.parse(line).exchange);
    expect(rolecall(["show", first.id], { env }).stdout).toContain(first.id);
    const one = files.write("one.jsonl", lines[0] as string);
    expect(rolecall(["show", one]).stdout).toContain(first.id);
  });

  test("dims what the model had received before", async () => {
    const first = JSON.parse(lines[0] as string).exchange.id;
    const { stdout } = await atTerminal(
      ["show", files.write("two.jsonl", lines[1] as string), "--diff", files.write("one.jsonl", lines[0] as string)],
      { color: true },
    );
    expect(first).toBeDefined();
    expect(stdout).toContain("the first 2 as before, 2 messages new or changed");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the colour is what is looked for
    expect(stdout).toMatch(/\u001b\[2m {4,}0 system/);
  });

  test("gives all of it as JSON", () => {
    const shown = JSON.parse(rolecall(["show", "--json"], { env }).stdout);
    expect(shown.calls).toMatchObject([{ id: "call_1", index: 2, result: { index: 3 } }]);
    expect(shown.exchange.message.responseModel).toBe("m-2026");
    expect(JSON.stringify(shown)).not.toContain("sk-own");
  });

  test.each([
    [["show", "nothing-such"], "is no file, and no exchange in"],
    [["show", "last"], "holds no exchange"],
  ])("%j is a mistake that is told", (args, message) => {
    const { status, stderr } = rolecall(args, { env: { ROLECALL_EXCHANGES: files.path("not-there.jsonl") } });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });

  test.each([
    ["{", "line 1 is not valid JSON"],
    ["{}", "line 1 is no recorded exchange"],
    ['{"version":2,"exchange":{}}', "of a version that this release does not read"],
    ['{"version":1,"exchange":{"id":"a"}}', "lacks provider, model, api"],
    [`${"[".repeat(600)}${"]".repeat(600)}`, "512"],
  ])("a file with %s is told with its line", (text, message) => {
    const { status, stderr } = rolecall(["show", files.write("bad.jsonl", text)]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

test("what is recorded on the command line is the owner's alone to read", async () => {
  const file = files.path("state/own.jsonl");
  const { createServer } = await import("node:http");
  const server = createServer((request, response) => {
    request
      .resume()
      .on("end", () => response.setHeader("content-type", "application/json").end(JSON.stringify(answer)));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as { port: number };
  process.env["ROLECALL_EXCHANGES"] = file;
  try {
    const args = ["chat", "-m", "own/m", "--base-url", `http://127.0.0.1:${port}/v1`, "--record", "hi"];
    expect((await atTerminal(args)).status).toBe(0);
  } finally {
    delete process.env["ROLECALL_EXCHANGES"];
    server.close();
  }
  expect(readFileSync(file, "utf8")).toContain('"content":"hi"');
  if (process.platform !== "win32") expect(statSync(file).mode & 0o777).toBe(0o600);
});
