import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { recipeFor, recipeNames, runGateway, runLaunch } from "../src/command/index.ts";
import { chatText, json } from "./service.ts";
import { post, serviceKey, start } from "./start.ts";

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "rolecall-test-"));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  return path;
}

describe("recipes", () => {
  test.each(recipeNames)("%s is pointed at the gateway, and at nothing of the user's", (name) => {
    const recipe = recipeFor(name, "http://127.0.0.1:4141/", { model: "some-model", key: "k" });
    const text = JSON.stringify(recipe);
    expect(text).toContain("http://127.0.0.1:4141");
    expect(text).not.toContain("4141//");
    expect(text).toContain("some-model");
    for (const path of Object.keys(recipe.files)) expect(path).not.toMatch(/^[/~]|\.\./);
    for (const file of Object.values(recipe.files)) JSON.parse(file);
  });

  test("unknown clients", () => {
    expect(() => recipeFor("nobody", "http://x")).toThrow(
      'no recipe for "nobody": use one of claude, codex, opencode, gemini, qwen, pi',
    );
    expect(() => recipeFor("__proto__", "http://x")).toThrow("no recipe");
  });
});

describe("rolecall gateway", () => {
  async function running(argv: string[], env: Record<string, string> = {}) {
    const controller = new AbortController();
    let text = "";
    const code = runGateway(["--port", "0", ...argv], {
      env,
      signal: controller.signal,
      write: (piece) => {
        text += piece;
      },
    });
    onTestFinished(() => controller.abort());
    await expect.poll(() => text).toContain("listens on");
    return { url: /http:\/\/(?:\[::1\])?[\d.:]+/.exec(text)![0], code, controller, text: () => text };
  }

  test("answers by script without options, notes each exchange, and ends", async () => {
    const { url, code, controller, text } = await running([]);
    expect(text()).toContain("no language model is asked");
    await post(url, "/v1/chat/completions", { model: "m", messages: [{ role: "user", content: "hi" }] });
    expect(text()).toMatch(/\d\d:\d\d:\d\d {2}\S+ → scripted \(chat\) .*nothing lost/);
    controller.abort();
    expect(await code).toBe(0);
  });

  test("asks a service with a mapped model", async () => {
    const { service } = await start({
      protocol: "openai-chat",
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    const { url, text } = await running(
      ["--to", `${service.origin}/v1`, "--key-env", "KEY", "--map", "claude-*=big-*@100", "--verbose"],
      { KEY: serviceKey },
    );
    await post(url, "/v1/messages", {
      model: "claude-1",
      max_tokens: 900,
      messages: [{ role: "user", content: "hi" }],
    });
    expect(service.received[0]).toMatchObject({
      body: { model: "big-1", max_completion_tokens: 100 },
      headers: { authorization: `Bearer ${serviceKey}` },
    });
    expect(text()).toContain("(messages → chat)");
    expect(text()).toContain("setting.clamped");
    expect(text()).not.toContain(serviceKey);
  });

  test.each([
    [["--nothing"], "nothing"],
    [["--port", "x"], '"x" is no port'],
    [["--map", "x"], "no NAME=MODEL"],
    [["--protocol", "soap"], "unknown protocol"],
    [["--on-loss", "maybe"], "report or fail"],
    [["--accept", "/does/not/exist"], "cannot read"],
    [["--client-key-env", "NONE"], "holds no key"],
    [["--to", "http://x/v1", "--key-env", "NONE"], "holds no key"],
    [["http://x/v1"], "did you mean --to http://x/v1?"],
    [["openai"], 'takes options alone, not "openai"'],
    [["--", "http://x/v1"], "did you mean --to"],
    [["--allow-origin", "foo"], '"foo" is no origin'],
    [["--allow-origin", "https://example.com/path"], "is no origin"],
    [["--allow-host", "http://box"], "is no name of a host"],
    [["--allow-host", "box:80"], "is no name of a host"],
    [["--key-env", "KEY"], "with --to"],
    [["--to", "https://api.openai.com/v1"], "with --key-env"],
    [["--to", "http://x/v1", "--key-env", "KEY", "--pass-key"], "a key or --pass-key"],
    [["--to", "http://x/y"], "state --protocol"],
  ])("%o is refused", async (argv, message) => {
    await expect(runGateway(argv, { env: { KEY: "k" }, write: () => {} })).rejects.toThrow(message);
  });

  test("what is wrong is told in flags by launch, too", async () => {
    await expect(runLaunch(["pi", "--key-env", "KEY"], { env: { KEY: "k" }, write: () => {} })).rejects.toThrow("--to");
  });

  test("--on-loss fail refuses what would be lost", async () => {
    const { url } = await running(["--on-loss", "fail"]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
  });

  test.each(["0.0.0.0", "::"])("on %s it names an address that it answers under", async (host) => {
    const { url, text } = await running(["--host", host]);
    expect((await fetch(`${url}/health`)).status).toBe(200);
    expect(text()).toContain("--allow-host");
    expect(text()).not.toContain("key");
  });

  test("others are warned of where there is a key to use", async () => {
    const { text } = await running(["--host", "0.0.0.0", "--to", "http://127.0.0.1:9/v1", "--key-env", "KEY"], {
      KEY: serviceKey,
    });
    expect(text()).toContain("--client-key-env");
  });
});

describe("rolecall launch", () => {
  test("--print shows how a client is started, and starts none", async () => {
    let text = "";
    const environment = {
      write: (words: string) => {
        text += words;
      },
      env: { PATH: "" },
    };
    expect(await runLaunch(["pi", "--print", "--port", "5000", "--model", "it's"], environment)).toBe(0);
    expect(text).toBe(
      `directory=$(mktemp -d)\ncat > "$directory"/models.json <<'END'\n{"providers":{"rolecall":{"baseUrl":"http://127.0.0.1:5000","apiKey":"rolecall","api":"anthropic-messages","models":[{"id":"it's"}]}}}\nEND\n` +
        `export PI_CODING_AGENT_DIR="$directory"\npi --provider rolecall --model 'it'\\''s'\n`,
    );
    // A shell can follow it.
    const shown = text.replace(/^pi .*\n$/m, 'cat "$PI_CODING_AGENT_DIR/models.json"; rm -r "$directory"\n');
    expect(JSON.parse(execFileSync("sh", ["-c", shown], { encoding: "utf8" }))).toHaveProperty("providers");
    text = "";
    expect(await runLaunch(["claude", "--print"], environment)).toBe(0);
    expect(text).toContain("unset ANTHROPIC_API_KEY\n");
    expect(text).toMatch(/\nclaude\n$/);
  });

  /** A program in the place of a client, which asks as that client would. */
  function client(name: string, program: string): { readonly PATH: string; readonly out: string } {
    const path = folder();
    const file = join(path, name);
    // A manifest above the folder of temporary files must not say what its programs are.
    writeFileSync(join(path, "package.json"), '{"type":"commonjs"}');
    writeFileSync(file, `#!${process.execPath}\n${program}`);
    chmodSync(file, 0o755);
    return { PATH: `${path}:${process.env["PATH"]}`, out: join(path, "out.json") };
  }

  test("runs a client with its environment, without the service's key, and passes its exit code on", async () => {
    const { PATH, out } = client(
      "claude",
      `(async () => {
        const { ANTHROPIC_BASE_URL: url, ANTHROPIC_AUTH_TOKEN: token, OUT } = process.env;
        const answer = await fetch(url + "/v1/messages", {
          method: "POST",
          headers: { "content-type": "application/json", authorization: "Bearer " + token },
          body: JSON.stringify({ model: "m", max_tokens: 50, messages: [{ role: "user", content: "hi" }] }),
        });
        require("node:fs").writeFileSync(OUT, JSON.stringify({ body: await answer.json(), argv: process.argv.slice(2), env: process.env }));
        process.exit(7);
      })();`,
    );
    const { service } = await start({
      protocol: "openai-chat",
      answer: (_r, response) => json(response, 200, chatText("ok")),
    });
    const log = join(folder(), "log.txt");
    let text = "";
    const argv = [
      "claude",
      "--to",
      `${service.origin}/v1`,
      "--key-env",
      "KEY",
      "--log",
      log,
      "--",
      "-p",
      "--model",
      "x",
    ];
    const env = { PATH, OUT: out, KEY: serviceKey, ANTHROPIC_API_KEY: "mine" };
    const write = (piece: string) => {
      text += piece;
    };
    const code = await runLaunch(argv, { env, write });
    expect(code).toBe(7);
    const seen = JSON.parse(readFileSync(out, "utf8")) as { body: object; argv: string[]; env: Record<string, string> };
    expect(seen.body).toMatchObject({ content: [{ type: "text", text: "ok" }] });
    expect(seen.argv).toEqual(["-p", "--model", "x"]);
    expect(JSON.stringify(seen.env)).not.toContain(serviceKey);
    expect(seen.env).not.toHaveProperty("ANTHROPIC_API_KEY");
    expect(text).toMatch(/^rolecall: 1 exchange, /);
    expect(readFileSync(log, "utf8")).toContain("(messages → chat)");
  });

  test("gives a client its files, and takes them away", async () => {
    const { PATH, out } = client(
      "pi",
      `const { PI_CODING_AGENT_DIR: directory, OUT } = process.env;
       const fs = require("node:fs");
       fs.writeFileSync(OUT, JSON.stringify({ directory, models: JSON.parse(fs.readFileSync(directory + "/models.json", "utf8")) }));`,
    );
    expect(await runLaunch(["pi", "--model", "m1"], { env: { PATH, OUT: out }, write: () => {} })).toBe(0);
    const seen = JSON.parse(readFileSync(out, "utf8")) as { directory: string; models: object };
    expect(seen.models).toMatchObject({ providers: { rolecall: { models: [{ id: "m1" }] } } });
    expect(existsSync(seen.directory)).toBe(false);
  });

  test.each([
    [[], "name a client"],
    [["nobody"], "no recipe"],
    [["claude", "x"], "behind --"],
    [["qwen"], "not installed"],
  ])("%o is refused", async (argv, message) => {
    await expect(runLaunch(argv, { env: { PATH: folder() }, write: () => {} })).rejects.toThrow(message);
  });
});
