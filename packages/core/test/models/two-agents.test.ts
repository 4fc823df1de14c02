import { expect, test } from "vitest";
import type { ModelExchange, StreamFunction } from "../../src/models/index.ts";
import { samples } from "./answers.ts";
import { frame, json } from "./service.ts";
import { start } from "./start.ts";

/** An agent of two turns that knows nothing but how to ask. */
async function run(stream: StreamFunction, model: Parameters<StreamFunction>[0], word: string): Promise<string> {
  const seen: string[] = [];
  const messages: Parameters<StreamFunction>[1]["messages"][number][] = [{ role: "user", content: `${word}-question` }];
  for (let turn = 0; turn < 2; turn++) {
    const answer = stream(model, { messages } as Parameters<StreamFunction>[1]);
    for await (const event of answer) if (event.type === "text_delta") seen.push(event.delta);
    const message = await answer.result();
    messages.push(message);
    for (const part of message.content)
      if (part.type === "toolCall")
        messages.push({ role: "toolResult", toolCallId: part.id, content: `${word}-result`, isError: false });
  }
  return seen.join("");
}

test("two agents in one process never touch", async () => {
  const [one, other] = [samples[0], samples[2]] as [(typeof samples)[number], (typeof samples)[number]];
  const told: Record<string, ModelExchange[]> = { one: [], other: [] };
  const begin = (sample: typeof one, word: "one" | "other", isBusy: boolean) =>
    start(
      sample,
      (_request, response, number) => {
        // One of them is too busy at first, and is asked again.
        if (isBusy && number === 0) return json(response, 429, sample.error, { "retry-after-ms": "5" });
        response.writeHead(200, { "content-type": "text/event-stream" });
        const frames = sample.stream.map((item) => frame(item).replaceAll("Hello", `${word}-hello`));
        const write = (): void => {
          const next = frames.shift();
          if (next === undefined) response.end();
          else {
            response.write(next);
            setTimeout(write, 2);
          }
        };
        write();
      },
      { environment: { SHARED: word }, onExchange: (exchange) => told[word]?.push(exchange) },
      { apiKey: `sk-${word}-0123456789` },
    );
  const first = await begin(one, "one", true);
  const second = await begin(other, "other", false);
  const [said, answered] = await Promise.all([
    run(first.models.stream, first.model, "one"),
    run(second.models.stream, second.model, "other"),
  ]);
  expect(said).toBe("one-hello thereone-hello there");
  expect(answered).toBe("other-hello thereother-hello there");
  expect([first.service.received.length, second.service.received.length]).toEqual([3, 2]);
  for (const [started, own, foreign] of [
    [first, "one", "other"],
    [second, "other", "one"],
  ] as const) {
    const all = JSON.stringify([started.service.received, told[own]]);
    expect(all).toContain(`${own}-question`);
    expect(all).not.toContain(`${foreign}-`);
    expect(told[own]).toHaveLength(2);
  }
});
