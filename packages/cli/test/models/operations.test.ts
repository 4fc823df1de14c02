import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { rolecall, temporaryFolder } from "../command.ts";
import { json, serve, spawned } from "./server.ts";

const files = temporaryFolder();
const chat = (content: string) => ({
  id: "c",
  object: "chat.completion",
  created: 1,
  model: "m",
  choices: [{ index: 0, message: { role: "assistant", content }, finish_reason: "stop" }],
  usage: { prompt_tokens: 40, completion_tokens: 8, total_tokens: 48 },
});
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";

describe("rolecall classify", () => {
  const questions = ["--choice", "What is wanted?=refund, advice", "--score", "How angry?=1-5", "--bool", "Urgent?"];

  test("answers questions about what is piped in", async () => {
    const { url, asked } = await serve((response) => json(response, 200, chat('{"q1":"refund","q2":4,"q3":true}')));
    const args = ["classify", "-m", "own/m", "--base-url", url, ...questions];
    const { status, stdout, stderr } = await spawned(args, {}, '{"text":"broken lamp"}').ended;
    expect(stdout).toBe("What is wanted?  refund\nHow angry?  4\nUrgent?  true\n");
    expect(stderr).toMatch(/own\/m.* · 40 tokens in · 8 out · \d+\.\d s\n$/);
    expect(status).toBe(0);
    expect(JSON.stringify(asked[0]?.body)).toContain("broken lamp");
  });

  test("takes a file, and prints JSON", async () => {
    const { url } = await serve((response) => json(response, 200, chat('{"q1":false}')));
    const args = [
      "classify",
      "-m",
      "own/m",
      "--base-url",
      url,
      "--bool",
      "Urgent?",
      "--json",
      files.write("a.txt", "later"),
    ];
    const { stdout } = await spawned(args).ended;
    expect(JSON.parse(stdout)).toMatchObject({
      stopReason: "stop",
      answers: { q1: { value: false } },
      usage: { input: 40 },
    });
  });

  test("ends with 1 where the answer does not fit", async () => {
    const { url } = await serve((response) => json(response, 200, chat(JSON.stringify({ q1: "maybe \u001b[2J" }))));
    const args = ["classify", "-m", "own/m", "--base-url", url, "--choice", "What?=yes,no"];
    const { status, stdout, stderr } = await spawned(args, {}, "text").ended;
    expect([status, stdout]).toEqual([1, ""]);
    expect(stderr).toContain("q1");
    expect(stderr).not.toContain("\u001b");
  });

  test.each([
    [["-m", "own/m"], "state a question"],
    [["-m", "own/m", "--choice", "What?"], 'state the question, "="'],
    [["-m", "own/m", "--score", "What?=5"], "the least and the greatest number"],
    [["--bool", "x"], "nothing to look at"],
    [["-m", "openai/gpt-image-1", "--bool", "x", "FILE"], "a model of type image; ask it with rolecall image"],
  ])("%j is a mistake that is told", (args, message) => {
    const file = files.write("b.txt", "text");
    const { status, stderr } = rolecall(["classify", ...args.map((word) => (word === "FILE" ? file : word))]);
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});

describe("rolecall image", () => {
  const answer = (count: number) => ({ created: 1, data: Array.from({ length: count }, () => ({ b64_json: png })) });

  test("writes what was drawn, and says where", async () => {
    const { url, asked } = await serve((response) => json(response, 200, answer(2)));
    const file = files.path("house.png");
    const args = ["image", "-m", "own/m", "--base-url", url, "-o", file, "--n", "2", "--size", "1024x1024", "A house"];
    const { status, stdout } = await spawned(args).ended;
    const second = files.path("house-2.png");
    expect([status, stdout]).toEqual([0, `${file}\n${second}\n`]);
    for (const name of [file, second]) expect(readFileSync(name).toString("base64")).toBe(png);
    expect(asked[0]).toMatchObject({
      url: "/v1/images/generations",
      body: { prompt: "A house", n: 2, size: "1024x1024" },
    });
  });

  test("asks nothing where the file is there already", async () => {
    const { url, asked } = await serve((response) => json(response, 200, answer(1)));
    const file = files.write("kept.png", "kept");
    const args = ["image", "-m", "own/m", "--base-url", url, "-o", file, "A house"];
    const refused = await spawned(args).ended;
    expect(refused.status).toBe(2);
    expect(refused.stderr).toContain("--force writes over it");
    expect([asked.length, readFileSync(file, "utf8")]).toEqual([0, "kept"]);
    expect((await spawned([...args, "--force"]).ended).status).toBe(0);
    expect(readFileSync(file).toString("base64")).toBe(png);
  });

  test("prints JSON without the data", async () => {
    const { url } = await serve((response) => json(response, 200, answer(1)));
    const file = files.path("json.png");
    const { stdout } = await spawned(["image", "-m", "own/m", "--base-url", url, "-o", file, "--json", "A house"])
      .ended;
    expect(JSON.parse(stdout)).toMatchObject({ stopReason: "stop", images: [{ mediaType: "image/png", file }] });
    expect(stdout).not.toContain(png);
  });

  test("ends with 1 where there is none", async () => {
    const { url } = await serve((response) => json(response, 400, { error: { message: "no such size" } }));
    const args = ["image", "-m", "own/m", "--base-url", url, "-o", files.path("none.png"), "A house"];
    const { status, stderr } = await spawned(args).ended;
    expect(status).toBe(1);
    expect(stderr).toContain("no such size");
  });

  test.each([
    [["-m", "own/m", "A house"], "--output FILE"],
    [["-m", "anthropic/claude-sonnet-4-6", "-o", "x.png", "A house"], "a model of type chat"],
    [["-m", "openai/gpt-image-1", "-o", "x.png", "A house"], "no key for provider openai"],
    [["-m", "own/m", "-o", "x.png"], "nothing is asked"],
  ])("%j is a mistake that is told", (args, message) => {
    const { status, stderr } = rolecall(["image", ...args], { env: { OPENAI_API_KEY: "" } });
    expect(status).toBe(2);
    expect(stderr).toContain(message);
  });
});
