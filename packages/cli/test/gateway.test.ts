import { spawn } from "node:child_process";
import { createServer } from "node:net";
import { afterEach, describe, expect, test } from "vitest";
import { anthropicRequest, main, rolecall, temporaryFolder } from "./command.ts";

const { write } = temporaryFolder();

const running: { readonly kill: () => unknown }[] = [];
afterEach(() => {
  for (const child of running.splice(0)) child.kill();
});

/** Starts `rolecall gateway` and waits until it listens. */
async function gateway(args: readonly string[]) {
  const child = spawn(process.execPath, [main, "gateway", "--port", "0", ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.push(child);
  let output = "";
  const exit = new Promise<number | null>((resolve) => child.on("exit", (code) => resolve(code)));
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      const found = /ANTHROPIC_BASE_URL=(\S+)/.exec(output);
      if (found?.[1] !== undefined) resolve(found[1]);
    });
    exit.then((code) => reject(new Error(`ended with ${code}`)));
  });
  return { url, child, exit, output: () => output };
}

describe("rolecall gateway", () => {
  test("answers by script, shows a line for the exchange, and ends when it is told to", async () => {
    const { url, child, exit, output } = await gateway([]);
    const answer = await fetch(`${url}/v1/messages`, {
      method: "POST",
      headers: { "content-type": "application/json", "anthropic-version": "2023-06-01" },
      body: JSON.stringify(anthropicRequest),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ type: "message", role: "assistant" });
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
    expect(output()).toMatch(/→ scripted \(messages\) .* 1 tool · 3 messages · .*nothing lost/);
  });

  test("--help lists its options", () => {
    const { status, stdout } = rolecall(["gateway", "--help"]);
    expect(status).toBe(0);
    for (const option of ["--to", "--protocol", "--key-env", "--map", "--model-map", "--port"])
      expect(stdout).toContain(`  ${option} `);
  });

  test("says in one line that the port is in use", async () => {
    const server = createServer();
    const port = await new Promise<number>((resolve) =>
      server.listen(0, "127.0.0.1", () => resolve((server.address() as { port: number }).port)),
    );
    const { status, stderr } = rolecall(["gateway", "--port", String(port)]);
    server.close();
    expect(stderr).toBe(
      "rolecall gateway: cannot listen: the port is in use; state another with --port, or 0 for any\n",
    );
    expect(status).toBe(2);
  });

  test.each([
    [["gateway", "--port", "x"], 'rolecall gateway: "x" is no port: 0 to 65535'],
    [["gateway", "--nope"], "rolecall gateway: Unknown option '--nope'"],
    [["gateway", "--to", "ftp://x"], "rolecall gateway: a base URL starts with https:// or http://"],
    [["launch"], "rolecall launch: name a client: claude"],
    [["launch", "nope"], 'rolecall launch: no recipe for "nope"'],
    [["gateway", "--model-map", "/does/not/exist"], "rolecall gateway: cannot read /does/not/exist: no such file"],
    [
      ["gateway", "--model-map", write("models.json", { a: { model: "b", tokens: 5 } })],
      'models.json: "a": there is no "tokens"; it has model and maxTokens (at /a/tokens)',
    ],
  ])("%j is one line on standard error and exit 2", (args, line) => {
    const { status, stdout, stderr } = rolecall(args);
    expect(stderr).toContain(line);
    expect(stderr.trimEnd().split("\n")).toHaveLength(1);
    expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  });
});

describe("rolecall launch", () => {
  test("--print shows how a client is started", () => {
    const { status, stdout } = rolecall(["launch", "claude", "--print"]);
    expect(stdout).toContain("export ANTHROPIC_BASE_URL=http://127.0.0.1:4141\n");
    expect(status).toBe(0);
  });
});
