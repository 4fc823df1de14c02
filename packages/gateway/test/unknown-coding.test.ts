import type { ServerResponse } from "node:http";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { pairs } from "./families/index.ts";
import { post, serviceKey, start } from "./start.ts";

/** The magic number of Zstandard, then bytes that nobody here can expand; and what says that it is compressed, and is not. */
const codings: readonly (readonly [name: string, encode: (text: string) => Buffer])[] = [
  ["zstd", (text) => Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), Buffer.from(text)])],
  ["zstd", (text) => Buffer.from(text)],
  ["gzip, zstd", (text) => gzipSync(text)],
  ["x-unheard-of", (text) => Buffer.from(text)],
];

const send = (
  response: ServerResponse,
  status: number,
  type: string,
  [coding, encode]: (typeof codings)[number],
  text: string,
) => {
  response.writeHead(status, { "content-type": type, "content-encoding": coding });
  response.end(encode(text));
};

describe.each(pairs)("$name, in a coding that cannot be read", ({ from, to }) => {
  test.each(codings)("no error in %s shows a key, and none was asked for", async (...coding) => {
    const { body } = to.refusal("authentication", `bad key ${serviceKey}`);
    const { url, service } = await start({
      protocol: to.protocol,
      answer: (_request, response) => send(response, 401, "application/json", coding, JSON.stringify(body)),
    });
    for (const stream of [false, true]) {
      const answer = await post(url, from.path(stream), from.body("hi", stream), { "accept-encoding": "gzip, zstd" });
      const text = await answer.text();
      expect(answer.status).toBe(401);
      expect(answer.headers.get("content-encoding")).toBeNull();
      expect(text).not.toContain(serviceKey);
      expect(JSON.parse(text)).toHaveProperty("error.message");
    }
    expect(service.received.map(({ headers }) => headers["accept-encoding"])).toEqual(["identity", "identity"]);
  });

  test.each(codings.slice(0, 1))("no stream in %s is one", async (...coding) => {
    const { url, records } = await start({
      protocol: to.protocol,
      answer: (_request, response) =>
        send(response, 200, "text/event-stream", coding, to.events(to.text("x")).join("")),
    });
    const answer = await post(url, from.path(true), from.body("hi", true));
    expect(answer.status).toBe(502);
    expect(await answer.text()).toContain("unknown content-encoding");
    await expect.poll(() => records[0]).toMatchObject({ outcome: "failed" });
  });
});
