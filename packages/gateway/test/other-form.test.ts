import { loadProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import type { TestFamily } from "./families/index.ts";
import { family, pairs } from "./families/index.ts";
import { chatEvents, chatText, events, json } from "./service.ts";
import { post, start } from "./start.ts";

type Form = "whole" | "stream";

const answerOf = (of: TestFamily) => of.call("read_file", { path: "ä.txt" });

/** A gateway before a service that always answers as a whole, or always with a stream. */
const gateway = (to: TestFamily, form: Form) =>
  start({
    protocol: to.protocol,
    answer: (_request, response) => {
      const whole = answerOf(to);
      if (form === "whole") json(response, 200, whole, { "x-request-id": "req_1" });
      else events(response, to.events(whole), { "x-request-id": "req_1" });
    },
  });

/** A question whose answer tells its figures in a stream, too. */
function ask(url: string, from: TestFamily, stream: boolean): Promise<Response> {
  const more = from.protocol === "openai-chat" && stream ? { stream_options: { include_usage: true } } : {};
  return post(url, from.path(stream), { ...from.body("What does a.txt say?", stream), ...more });
}

describe.each(pairs.filter(({ from, to }) => from !== to))("$name", ({ from, to }) => {
  const read = async (answer: Response, stream: boolean) => {
    const text = await answer.text();
    const client = await loadProtocol(from.protocol);
    return stream ? (await client.decodeStream(text)).value : client.decodeResponse(JSON.parse(text)).value;
  };

  test.each([
    ["whole", true],
    ["stream", false],
  ] as const)("a service answers in the form %s where stream was %s", async (form, stream) => {
    const { url, records } = await gateway(to, form);
    const answer = await ask(url, from, stream);
    expect(answer.headers.get("content-type")).toContain(stream ? "text/event-stream" : "application/json");
    expect(await read(answer, stream)).toMatchObject({
      stopReason: "toolUse",
      content: expect.arrayContaining([expect.objectContaining({ type: "toolCall", name: "read_file" })]),
      usage: { input: 12, output: 7 },
    });
    expect(records).toMatchObject([{ outcome: "complete", status: 200, stream }]);
  });

  test.each([
    ["whole", true],
    ["stream", false],
  ] as const)("an answer in the form %s, stream %s: nothing is lost that the form has", async (form, stream) => {
    const losses = async (given: Form) => {
      const { url, records } = await gateway(to, given);
      await (await ask(url, from, stream)).text();
      const told = records[0]!.losses.filter(({ effect }) => effect !== "form");
      return told.map(({ code }) => code).sort();
    };
    expect(await losses(form)).toEqual(await losses(stream ? "stream" : "whole"));
  });
});

describe.each(pairs.filter(({ from, to }) => from === to))("$name", ({ from, to }) => {
  test.each(["whole", "stream"] as const)("the form %s goes through as it came", async (form) => {
    const { url } = await gateway(to, form);
    const text = await (await ask(url, from, form === "whole")).text();
    expect(text).toBe(form === "whole" ? JSON.stringify(answerOf(to)) : to.events(answerOf(to)).join(""));
  });
});

describe("a service that streams where none was asked for", () => {
  const { path, body } = family("anthropic-messages");

  test("that fails is an error with a status, not half an answer", async () => {
    const { url, records } = await start({
      protocol: "openai-chat",
      answer: (_request, response) =>
        events(response, [
          chatEvents(chatText("half"))[0]!,
          `data: ${JSON.stringify({ error: { message: "slow down", type: "rate_limit_error" } })}\n\n`,
        ]),
    });
    const answer = await post(url, path(), body("hi"));
    expect(answer.status).toBe(429);
    expect(await answer.json()).toMatchObject({ type: "error", error: { type: "rate_limit_error" } });
    expect(records).toMatchObject([{ outcome: "failed", status: 429 }]);
  });

  test("that is cut is an error", async () => {
    const { url } = await start({
      protocol: "openai-chat",
      answer: (_request, response) => events(response, chatEvents(chatText("half")).slice(0, 2)),
    });
    expect((await post(url, path(), body("hi"))).status).toBe(502);
  });
});
