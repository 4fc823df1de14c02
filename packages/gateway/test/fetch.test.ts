import { setImmediate, setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { createGateway, rolecallFetch } from "../src/index.ts";
import { families, pairs } from "./families/index.ts";
import { events, json } from "./service.ts";
import { post, start } from "./start.ts";

const headers = { "content-type": "application/json" };

/** How a promise ends, or that it does not. */
function settled(promise: Promise<Response>): Promise<string> {
  const told = promise.then(
    (response) => `status ${response.status}`,
    (error: unknown) => (error instanceof Error ? error.name : String(error)),
  );
  return Promise.race([told, setTimeout(2000, "never settles")]);
}

const stages: readonly (readonly [string, (abort: () => void) => Promise<void> | void])[] = [
  ["before it is asked", () => undefined],
  ["in the same tick", (abort) => abort()],
  ...[1, 2, 3, 5, 8, 13, 21].map((count): readonly [string, (abort: () => void) => Promise<void>] => [
    `after ${count} microtasks`,
    async (abort) => {
      for (let index = 0; index < count; index++) await null;
      abort();
    },
  ]),
  ["in the next turn", (abort) => setImmediate().then(abort)],
  ["while the service thinks", (abort) => setTimeout(50).then(abort)],
];

describe.each(pairs)("given up, $name", ({ from, to }) => {
  test.each(stages)("%s", async (name, wait) => {
    const { gateway, records } = await start({
      protocol: to.protocol,
      // Nothing is answered.
      answer: () => undefined,
    });
    const controller = new AbortController();
    const reason = new DOMException("enough", "AbortError");
    if (name.startsWith("before")) controller.abort(reason);
    const answer = gateway.fetch(`http://x${from.path()}`, {
      method: "POST",
      headers,
      body: JSON.stringify(from.body("hi")),
      signal: controller.signal,
    });
    const end = settled(answer);
    await wait(() => controller.abort(reason));
    expect(await end).toBe("AbortError");
    await expect(answer).rejects.toBe(reason);
    await setTimeout(20);
    expect(records.every(({ outcome }) => outcome === "aborted")).toBe(true);
  });
});

test.each(stages)("the scripted model, given up %s", async (name, wait) => {
  if (name.startsWith("while")) return;
  const controller = new AbortController();
  if (name.startsWith("before")) controller.abort();
  const answer = rolecallFetch({})("http://x/v1/chat/completions", {
    method: "POST",
    headers,
    body: JSON.stringify(families[0]!.body("hi", true)),
    signal: controller.signal,
  });
  const end = settled(answer.then((response) => response.text().then(() => response)));
  await wait(() => controller.abort());
  expect(await end).toBe("AbortError");
});

test("a body that never ends can be given up", async () => {
  const controller = new AbortController();
  let reason: unknown;
  const answer = rolecallFetch({})("http://x/v1/chat/completions", {
    method: "POST",
    headers,
    body: new ReadableStream({
      cancel(given) {
        reason = given;
      },
    }),
    duplex: "half",
    signal: controller.signal,
  } as RequestInit);
  const end = settled(answer);
  await setTimeout(20);
  controller.abort("enough");
  expect(await end).toBe("enough");
  expect(reason).toBe("enough");
});

describe.each(pairs)("$name without a socket", ({ from, to }) => {
  const ask = { method: "POST", headers, body: JSON.stringify(from.body("hi")) };

  test.each([204, 205, 304, 600, 700, 999])("status %i of the service is told as 502", async (status) => {
    const { gateway, url } = await start({
      protocol: to.protocol,
      answer: (_request, response) =>
        json(response, status, status < 400 ? "" : to.refusal("server", "it says no").body),
    });
    expect(await settled(gateway.fetch(`http://x${from.path()}`, ask))).toBe("status 502");
    expect((await post(url, from.path(), from.body("hi"))).status).toBe(502);
  });

  test("a body that is too large is answered as by the port", async () => {
    const { gateway, url } = await start({
      protocol: to.protocol,
      limits: { body: 100 },
      answer: (_request, response) => json(response, 200, to.text("ok")),
    });
    const large = from.body("x".repeat(200));
    const plain = await gateway.fetch(`http://x${from.path()}`, { ...ask, body: JSON.stringify(large) });
    const overPort = await post(url, from.path(), large);
    expect([plain.status, await plain.json()]).toEqual([413, await overPort.json()]);
  });

  test("closing waits for the answers that run", async () => {
    const list = to.events(to.text("one two three four"));
    const { gateway, records } = await start({
      protocol: to.protocol,
      answer: async (_request, response) => {
        for (const event of list) {
          if (!response.headersSent) response.writeHead(200, { "content-type": "text/event-stream" });
          response.write(event);
          await setTimeout(5);
        }
        response.end();
      },
    });
    const body = JSON.stringify(from.body("hi", true));
    const answer = await gateway.fetch(`http://x${from.path(true)}`, { ...ask, body });
    const text = answer.text();
    await gateway.close();
    expect(records).toMatchObject([{ outcome: "complete" }]);
    expect(await text).toMatch(from.end);
    await expect(gateway.fetch(`http://x${from.path()}`, ask)).rejects.toThrow("closed");
  });
});

const messages = families.find(({ protocol }) => protocol === "anthropic-messages") as (typeof families)[number];

test("closing does not wait for ever", async () => {
  const { gateway } = await start({
    protocol: "openai-chat",
    timeouts: { drain: 100 },
    answer: () => undefined,
  });
  const answer = settled(
    gateway.fetch("http://x/v1/messages", { method: "POST", headers, body: JSON.stringify(messages.body("hi")) }),
  );
  await setTimeout(20);
  const before = Date.now();
  await gateway.close();
  expect(Date.now() - before).toBeLessThan(1500);
  expect(await answer).toBe("status 502");
});

test("closing does not wait for callers who went away", async () => {
  const { gateway } = await start({
    protocol: "openai-chat",
    answer: (_request, response) => events(response, []),
  });
  const idle = await createGateway();
  await idle.close();
  const answer = gateway.fetch("http://x/v1/models", { signal: AbortSignal.timeout(1) });
  expect(await settled(answer)).toBe("TimeoutError");
  const before = Date.now();
  await gateway.close();
  expect(Date.now() - before).toBeLessThan(1500);
});
