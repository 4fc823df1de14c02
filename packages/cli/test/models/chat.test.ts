import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { atTerminal, rolecall, temporaryFolder } from "../command.ts";
import type { Body } from "./server.ts";
import { serve, spawned } from "./server.ts";

const files = temporaryFolder();
const chunk = (delta: object, finish: string | null = null) =>
  `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m-2026", choices: [{ index: 0, delta, finish_reason: finish }] })}\n\n`;
const usage = { prompt_tokens: 1200, completion_tokens: 7, total_tokens: 1207, cost: 0.0042 };
const last = `data: ${JSON.stringify({ id: "c", object: "chat.completion.chunk", created: 1, model: "m-2026", choices: [], usage })}\n\ndata: [DONE]\n\n`;

function say(response: ServerResponse, ...deltas: object[]): void {
  response.writeHead(200, { "content-type": "text/event-stream" });
  response.end(deltas.map((delta) => chunk(delta)).join("") + chunk({}, "stop") + last);
}

describe("rolecall chat", () => {
  test("shows the text on standard output, and all else on standard error", async () => {
    const { url, asked } = await serve((response) =>
      say(response, { reasoning_content: "Hm." }, { content: "Hello" }, { content: " there" }),
    );
    const args = ["chat", "-m", "own/m", "--base-url", url, "--key-env", "OWN_KEY", "-s", "Be brief.", "hi"];
    const { status, stdout, stderr } = await spawned(args, { OWN_KEY: "sk-own-0123456789" }).ended;
    expect(stdout).toBe("Hello there\n");
    expect(stderr).toMatch(/^Hm\.\n/);
    expect(stderr).toMatch(/own\/m \(m-2026\) · 1,200 tokens in · 7 out · \$0\.004200 billed · \d+\.\d s\n$/);
    expect(status).toBe(0);
    expect(asked[0]?.headers["authorization"]).toBe("Bearer sk-own-0123456789");
    expect(asked[0]?.body.messages).toEqual([
      { role: "system", content: "Be brief." },
      { role: "user", content: "hi" },
    ]);
  });

  test("lets no escape sequence of a model through, wherever it is cut", async () => {
    const { url } = await serve((response) =>
      say(
        response,
        { reasoning_content: "\u001b[2J" },
        { content: "a\u001b" },
        { content: "]52;c;aGk=\u0007b\u009b1m\u202e \ud83d" },
        { content: "\ude00\r" },
        { content: "\n👩‍🚀\tend" },
        {
          tool_calls: [
            { index: 0, id: "c1", type: "function", function: { name: "x\u001b[0m", arguments: '{"a":"\u009b"}' } },
          ],
        },
      ),
    );
    const { stdout, stderr, status } = await atTerminal(["chat", "--model", "own/m", "--base-url", url, "hi"]);
    expect(stdout).toBe("a\\u001b]52;c;aGk=\\u0007b\\u009b1m\\u202e 😀\n👩‍🚀\tend\n");
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not be there
    expect(stdout + stderr).not.toMatch(/[\u001b\u009b\u0007]/);
    expect(stderr).toContain("\\u001b[2J\n");
    expect(stderr).toContain("call x\\u001b[0m");
    expect(status).toBe(0);
  });

  test("dims what the model thinks, where colour is wanted", async () => {
    const { url } = await serve((response) => say(response, { reasoning_content: "Hm." }, { content: "Yes" }));
    const { stderr, stdout } = await atTerminal(["chat", "-m", "own/m", "--base-url", url, "hi"], { color: true });
    expect(stderr).toContain("\u001b[2mHm.\u001b[0m\n");
    expect(stdout).toBe("Yes\n");
  });

  test("sends files, what is piped in, and the prompt, in this order", async () => {
    const { url, asked } = await serve((response) => say(response, { content: "ok" }));
    const text = files.write("note.txt", "a note");
    const png = files.path("dot.png");
    const { writeFileSync } = await import("node:fs");
    const bytes = Buffer.from(
      "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
      "base64",
    );
    writeFileSync(png, bytes);
    const args = ["chat", "-m", "own/m", "--base-url", url, "-f", text, "-f", png, "--max-tokens", "9", "what is it?"];
    expect((await spawned(args, {}, "from a pipe").ended).status).toBe(0);
    const sent = JSON.stringify(asked[0]?.body);
    const places = ["a note", bytes.toString("base64"), "from a pipe", "what is it?"].map((piece) =>
      sent.indexOf(piece),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect([...places].sort((left, right) => left - right)).toEqual(places);
    expect(asked[0]?.body.max_tokens ?? asked[0]?.body.max_completion_tokens).toBe(9);
  });

  test("prints the message and its losses as JSON", async () => {
    const { url } = await serve((response) => say(response, { content: "\u001b[1mok" }));
    const { stdout } = await spawned(["chat", "--json", "-m", "own/m", "--base-url", url, "hi"]).ended;
    const { message, losses } = JSON.parse(stdout);
    expect(message).toMatchObject({ stopReason: "stop", content: [{ text: "\u001b[1mok" }], usage: { input: 1200 } });
    expect(losses).toEqual([]);
  });

  test("ends with 1 where the answer fails, and says why", async () => {
    const { url, asked } = await serve((response) => {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { message: "no model \u001b[31mm" } }));
    });
    const { status, stdout, stderr } = await spawned(["chat", "-m", "own/m", "--base-url", url, "hi"]).ended;
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("no model \\u001b[31mm\n");
    expect(asked).toHaveLength(1);
  });

  test("can be tried without a network or a key", () => {
    const { status, stdout, stderr } = rolecall(["chat", "-m", "scripted/scripted", "hello"]);
    expect([status, stdout]).toEqual([0, "[scripted, not a language model] You said: hello\n"]);
    expect(stderr).toContain("scripted/scripted · ");
  });

  test("keeps what came when it is interrupted", async () => {
    const { url } = await serve((response) => {
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(chunk({ content: "begun" }));
    });
    const { child, ended, texts } = spawned(["chat", "-m", "own/m", "--base-url", url, "hi"]);
    await expect.poll(() => texts.stdout).toBe("begun");
    child.kill("SIGINT");
    const { status, stdout, stderr } = await ended;
    expect([status, stdout]).toEqual([130, "begun\n"]);
    expect(stderr).toContain("given up");
  });

  test.each([
    [["chat", "hi"], "state which model is asked: --model SERVICE/MODEL"],
    [["chat", "-m", "gpt", "hi"], "--model gpt: state SERVICE/MODEL"],
    [["chat", "-m", "antropic/x", "hi"], 'did you mean "anthropic"?'],
    [["chat", "-m", "google/gemini-3-pro-image", "hi"], "a model of type image; ask it with rolecall image"],
    [["chat", "-m", "anthropic/x", "hi"], "no key for provider anthropic: set ANTHROPIC_API_KEY"],
    [["chat", "-m", "anthropic/x", "--key-env", "NOT_SET", "hi"], "that variable is not set, or empty"],
    [["chat", "-m", "own/x", "--base-url", "ftp://x", "hi"], "a base URL begins with https:// or http://"],
    [["chat", "-m", "anthropic/x", "-f", "no-such-file", "hi"], "cannot read no-such-file: there is no such file"],
    [["chat", "-m", "anthropic/x"], "nothing is asked"],
    [["chat", "-m", "anthropic/x", "--max-tokens", "0", "hi"], "--max-tokens must be a whole number from 1"],
  ])("%j is a mistake that is told", (args, message) => {
    const { status, stdout, stderr } = rolecall(args, { env: { ANTHROPIC_API_KEY: "", NOT_SET: "" } });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split("\n").at(-1)).toMatch(/^rolecall chat: /);
  });
});

describe("a models.json of the user", () => {
  const config = (value: unknown) => {
    files.write("models.json", value);
    return { ROLECALL_CONFIG_DIR: files.folder };
  };

  /** How a file names a variable. */
  const reference = (name: string): string => `$${"{"}${name}}`;

  test("adds services and models, which are listed and asked", async () => {
    const { url, asked } = await serve((response) => say(response, { content: "ok" }));
    const env = {
      ...config({
        providers: {
          mine: {
            baseUrl: url,
            api: "openai-completions",
            apiKey: reference("MINE_KEY"),
            models: [{ id: "small", contextWindow: 8192 }],
          },
        },
      }),
      MINE_KEY: "sk-mine-0123456789",
    };
    expect(rolecall(["models", "small", "--provider", "mine"], { env }).stdout).toMatch(/mine\/small +chat +Chat +8k/);
    const { status, stdout } = await spawned(["chat", "-m", "mine/small", "hi"], env).ended;
    expect([status, stdout]).toEqual([0, "ok\n"]);
    expect(asked[0]?.headers["authorization"]).toBe("Bearer sk-mine-0123456789");
    expect(rolecall(["models", "mine/"], { env }).stdout).toContain("mine/small");
  });

  test("that is wrong is told with its place, and no key", () => {
    const env = {
      ...config({ providers: { mine: { baseUrl: "http://127.0.0.1:9", apiKey: reference("NOT_SET_9"), models: [] } } }),
      NOT_SET_9: "",
    };
    const { status, stderr } = rolecall(["models", "--provider", "mine"], { env });
    expect(status).toBe(2);
    expect(stderr).toContain("models.json");
    expect(stderr).toContain("NOT_SET_9");
  });
});

describe("rolecall models", () => {
  test("lists models with windows and prices", () => {
    const { status, stdout } = rolecall(["models", "--provider", "anthropic", "sonnet-4-6"]);
    expect(status).toBe(0);
    expect(stdout).toMatch(/^model +type +asked in +window +answer +\$ in +\$ out +takes\n/);
    expect(stdout).toMatch(/anthropic\/claude-sonnet-4-6 +chat +Messages +1M +128k +~3 +~15 +text image pdf\n/);
  });

  test("gives JSON with sources, and only what is asked for", () => {
    const all = JSON.parse(rolecall(["models", "--json"]).stdout);
    expect(all.length).toBeGreaterThan(500);
    for (const model of all)
      expect(model).toMatchObject({ source: expect.stringMatching(/./), date: expect.any(String) });
    const images = JSON.parse(rolecall(["models", "--type", "image", "--json"]).stdout);
    expect(new Set(images.map(({ type }: Body) => type))).toEqual(new Set(["image"]));
  });

  test("asks a service which it has", async () => {
    const { url } = await serve((response, _body, request) => {
      expect(request.url).toBe("/v1/models");
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ data: [{ id: "llama\u001b[0m" }] }));
    });
    const args = ["models", "--provider", "ollama", "--base-url", url, "--refresh"];
    const { status, stdout } = await spawned(args).ended;
    expect(stdout).toContain("ollama/llama\\u001b[0m");
    expect(status).toBe(0);
  });

  test.each([
    [["models", "--provider", "anthropc"], 2, 'did you mean "anthropic"?'],
    [["models", "--refresh"], 2, "state it with --provider"],
    [["models", "no-such-model"], 1, "no model is known by that"],
    [["models", "--provider", "openai", "--refresh"], 1, "no key for provider openai: set OPENAI_API_KEY"],
  ])("%j ends with %i", (args, status, message) => {
    const result = rolecall(args, { env: { OPENAI_API_KEY: "" } });
    expect(result.status).toBe(status);
    expect(result.stderr).toContain(message);
  });
});
