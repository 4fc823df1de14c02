import { describe, expect, test } from "vitest";
import { createGateway } from "../src/index.ts";
import { families, family } from "./families/index.ts";
import type { RawService } from "./raw.ts";
import { answerOf, startRaw } from "./raw.ts";
import { chatText, json } from "./service.ts";
import { post, start } from "./start.ts";

const chat = family("openai-chat");
const good = answerOf(JSON.stringify(chatText("ok")));

async function before({ origin }: RawService) {
  const gateway = await createGateway({ to: `${origin}/v1`, protocol: "openai-chat" });
  const { url } = await gateway.listen();
  return { url, close: () => gateway.close() };
}

const ask = async (url: string) => {
  const answer = await post(url, chat.path(), chat.body("hi"));
  return [answer.status, await answer.text()] as const;
};

describe("a request on a connection that the service took for idle and closed", () => {
  test.each([
    ["closed", "destroy"],
    ["reset", "resetAndDestroy"],
  ] as const)("is asked once more on a fresh one: %s", async (_name, how) => {
    const service = await startRaw((socket, request) => {
      if (request === 1) socket[how]();
      else socket.write(good);
    });
    const { url, close } = await before(service);
    expect((await ask(url))[0]).toBe(200);
    expect((await ask(url))[0]).toBe(200);
    expect(service.received).toHaveLength(3);
    expect(service.received[2]).toContain(service.received[1]?.split("\r\n\r\n")[1]);
    await close();
  });

  test("is not asked a third time", async () => {
    const service = await startRaw((socket, request) => {
      if (request > 0) socket.destroy();
      else socket.write(good);
    });
    const { url, close } = await before(service);
    await ask(url);
    expect(await ask(url)).toEqual([502, expect.stringContaining("it closed the connection without an answer")]);
    expect(service.received).toHaveLength(3);
    await close();
  });

  test("is not asked again where the connection was its own, a byte of an answer came, or it was worked on", async () => {
    const fresh = await startRaw((socket) => socket.destroy());
    const own = await before(fresh);
    expect((await ask(own.url))[0]).toBe(502);
    expect(fresh.received).toHaveLength(1);

    const begun = await startRaw((socket, request) => {
      if (request === 1) socket.end("HTTP/1.1 2");
      else socket.write(good);
    });
    const other = await before(begun);
    await ask(other.url);
    await ask(other.url);
    expect(begun.received).toHaveLength(2);

    const late = await startRaw((socket, request) => {
      if (request === 1) setTimeout(() => socket.destroy(), 1100);
      else socket.write(good);
    });
    const third = await before(late);
    await ask(third.url);
    expect((await ask(third.url))[0]).toBe(502);
    expect(late.received).toHaveLength(2);
    for (const { close } of [own, other, third]) await close();
  });
});

test("what is no HTTP is told as such", async () => {
  const service = await startRaw((socket) => socket.end("SSH-2.0-OpenSSH_9.6\r\n"));
  const { url, close } = await before(service);
  expect(await ask(url)).toEqual([502, expect.stringContaining("its answer is not HTTP")]);
  await close();
});

test.each(families)("an answer that cannot be read takes no other's time limit: $protocol", async (to) => {
  let waits = 0;
  const { url } = await start({
    protocol: to.protocol,
    timeouts: { firstByte: 300, connect: 100 },
    answer(request, response) {
      if (request.text.includes("wait")) waits++;
      else json(response, 200, "<html>");
    },
  });
  const waiting = ["wait 1", "wait 2", "wait 3"].map((text) => post(url, chat.path(), chat.body(text)));
  await expect.poll(() => waits).toBe(3);
  for (let count = 0; count < 3; count++) expect((await post(url, chat.path(), chat.body("x"))).status).toBe(502);
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([504, 504, 504]);
});
