import { expect, test } from "vitest";
import type { AssistantMessageEvent } from "../../src/models/index.ts";
import { samples } from "./answers.ts";
import { events, frame } from "./service.ts";
import { start } from "./start.ts";

const context = { messages: [{ role: "user", content: "hi" } as const] };
const sample = samples[0] as (typeof samples)[number];

async function collect(stream: AsyncIterable<AssistantMessageEvent>): Promise<AssistantMessageEvent[]> {
  const list: AssistantMessageEvent[] = [];
  for await (const event of stream) list.push(event);
  return list;
}

test("all consumers see all events, also those that come late", async () => {
  const { models, model } = await start(sample, (_request, response) => events(response, sample.stream));
  const stream = models.stream(model, context);
  const [first, second] = await Promise.all([collect(stream), collect(stream)]);
  expect(second).toEqual(first);
  expect(await collect(stream)).toEqual(first);
  expect(first.at(-1)).toMatchObject({ type: "done" });
});

test("a snapshot is what came so far, and stays it", async () => {
  const { models, model } = await start(sample, (_request, response) => events(response, sample.stream));
  const stream = models.stream(model, context);
  const snapshots: string[] = [];
  for await (const event of stream)
    if (event.type === "text_delta") snapshots.push(JSON.stringify(stream.snapshot().content));
  expect(snapshots.map((text) => JSON.parse(text)[0].text)).toEqual(["Hello", "Hello there"]);
});

test("leaving the last loop gives the answer up, unless its result was asked for", async () => {
  const closed: number[] = [];
  const { models, model } = await start(sample, (_request, response, number) => {
    response.on("close", () => closed.push(number));
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const item of sample.stream.slice(0, 2)) response.write(frame(item));
    if (number === 1) setTimeout(() => response.end(sample.stream.slice(2).map(frame).join("")), 30);
  });
  const left = models.stream(model, context);
  for await (const event of left) if (event.type === "text_delta") break;
  expect(await left.result()).toMatchObject({ stopReason: "aborted", content: [{ type: "text", text: "Hello" }] });
  await expect.poll(() => closed).toEqual([0]);

  const wanted = models.stream(model, context);
  const result = wanted.result();
  for await (const event of wanted) if (event.type === "text_delta") break;
  expect(await result).toMatchObject({ stopReason: "toolUse" });
});

test("nothing is read from the service before somebody asks", async () => {
  let written = 0;
  const { models, model } = await start(sample, (_request, response) => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const item of sample.stream.slice(0, 2)) response.write(frame(item));
    const piece = frame(sample.stream[1] as object).repeat(500);
    const pump = (): void => {
      while (response.write(piece)) written += piece.length;
      written += piece.length;
      response.once("drain", pump);
    };
    pump();
  });
  const stream = models.stream(model, context);
  const iterator = stream[Symbol.asyncIterator]();
  await iterator.next();
  await new Promise((resolve) => setTimeout(resolve, 300));
  const before = written;
  await new Promise((resolve) => setTimeout(resolve, 200));
  expect(written).toBe(before);
  await iterator.return?.();
  expect((await stream.result()).stopReason).toBe("aborted");
});

test("two sets of models share nothing", async () => {
  const one = await start(sample, (_request, response) => events(response, sample.stream));
  const other = await start(sample, (_request, response) => events(response, sample.stream));
  await Promise.all([one.models.complete(one.model, context), other.models.complete(other.model, context)]);
  expect([one.service.received.length, other.service.received.length]).toEqual([1, 1]);
  expect(one.models.getModels()).not.toBe(other.models.getModels());
});
