import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { families } from "./families/index.ts";
import { sendRaw } from "./raw.ts";
import { json } from "./service.ts";
import { post, start } from "./start.ts";

const chat = families[0]!;
const setup = () =>
  start({
    protocol: "openai-chat",
    async answer(request, response) {
      await setTimeout(30);
      json(response, 200, chat.text(String(request.body.messages[0].content)));
    },
  });

function requestOf(url: string, text: string, more = "", target = chat.path()): string {
  const body = JSON.stringify(chat.body(text));
  const { host } = new URL(url);
  const head = `POST ${target} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n${more}`;
  return `${head}content-length: ${body.length}\r\n\r\n${body}`;
}

test("a target with scheme and host is one without, under the name in it", async () => {
  const { url, service } = await setup();
  const close = "connection: close\r\n";
  expect(await sendRaw(url, requestOf(url, "hi", close, url + chat.path()))).toMatch(/^HTTP\/1\.1 200 [\s\S]*"hi"/);
  for (const target of [`http://evil.test${chat.path()}`, `http://user@127.0.0.1${chat.path()}`])
    expect(await sendRaw(url, requestOf(url, "hi", close, target))).toMatch(/^HTTP\/1\.1 403 /);
  const evil = requestOf(url, "hi", close, url + chat.path()).replace(/host: .*/, "host: evil.test");
  expect(await sendRaw(url, evil)).toMatch(/^HTTP\/1\.1 200 /);
  expect(service.received).toHaveLength(2);
});

test("an expectation that nobody knows is passed over", async () => {
  const { url } = await setup();
  const answer = await sendRaw(url, requestOf(url, "hi", "expect: a miracle\r\nconnection: close\r\n"));
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"hi"/);
});

describe("what was asked before garbage is answered first", () => {
  test.each(["\0\u0001GARBAGE / / /\r\n\r\n", "POST /x HTTP/1.1\r\ncontent-length: 5\r\ncontent-length: 6\r\n\r\n"])(
    "%j",
    async (garbage) => {
      const { url } = await setup();
      const answers = await sendRaw(url, requestOf(url, "one") + requestOf(url, "two") + garbage);
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 200", "HTTP/1.1 400"]);
      expect(answers.match(/"content":"\w+"/g)).toEqual(['"content":"one"', '"content":"two"']);
    },
  );
});

test.each(families)("a body in bad chunks is refused in the words of the protocol: $protocol", async (from) => {
  const { url, service } = await setup();
  const { host } = new URL(url);
  const head = `POST ${from.path()} HTTP/1.1\r\nhost: ${host}\r\ncontent-type: application/json\r\n`;
  const answer = await sendRaw(url, `${head}transfer-encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`);
  expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]*connection: close/i);
  const { error } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n"))) as { error: Record<string, unknown> };
  expect(error["message"]).toBe("the request is no well-formed HTTP");
  expect(from.kinds("invalid_request")).toContain(from.kindOf(error));
  expect(service.received).toEqual([]);
});

test("requests that came before the gateway closes are answered, whether it has read them or not", async () => {
  const { url, gateway } = await setup();
  const port = Number(new URL(url).port);
  const kept = connect(port, "127.0.0.1");
  await once(kept, "connect");
  const asked = Array.from({ length: 20 }, (_, index) => sendRaw(url, requestOf(url, `hi ${index}`)));
  const socket = connect(port, "127.0.0.1");
  await once(socket, "connect");
  socket.destroy();
  // On a connection that is there, and nothing was asked on until now.
  let answer = "";
  kept.setEncoding("utf8").on("data", (piece) => {
    answer += piece;
  });
  kept.write(requestOf(url, "late"));
  const closed = gateway.close();
  for (const [index, text] of (await Promise.all(asked)).entries()) {
    expect(text).toMatch(/^HTTP\/1\.1 200 [\s\S]*connection: close/i);
    expect(text).toContain(`"hi ${index}"`);
  }
  await closed;
  expect(answer).toMatch(/^HTTP\/1\.1 200 [\s\S]*"late"/);
  await expect(post(url, chat.path(), chat.body("x"))).rejects.toThrow();
});
