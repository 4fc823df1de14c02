import { request as httpRequest } from "node:http";
import { describe, expect, test } from "vitest";
import { families } from "./families/index.ts";
import { json } from "./service.ts";
import { start } from "./start.ts";

interface Told {
  readonly status: number;
  readonly headers: Record<string, string | string[] | undefined>;
}

/** A request as a browser makes it, with headers that `fetch` would not send. */
function ask(url: string, method: string, headers: Record<string, string>, body?: object): Promise<Told> {
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve({ status: response.statusCode ?? 0, headers: response.headers }));
    });
    sent.on("error", reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}

const shared = (told: Told): string[] => Object.keys(told.headers).filter((name) => name.startsWith("access-control-"));

describe.each(families)("web pages that ask by $protocol", (family) => {
  const { protocol } = family;
  const page = "https://app.test";
  const begin = (options: object = {}) =>
    start({
      protocol,
      origins: [page],
      answer: (_request, response) => json(response, 200, family.text("ok")),
      ...options,
    });
  const preflight = {
    "access-control-request-method": "POST",
    "access-control-request-headers":
      "authorization,Content-Type, x-stainless-os,x-api-key,x-goog-api-key,anthropic-version,x-evil,cookie",
  };

  test("an allowed one is told what it may send, and gets the answer", async () => {
    const { url, service } = await begin({ clientKeys: ["gw-secret-123456"] });
    const address = url + family.path();
    // A browser asks without a key.
    const told = await ask(address, "OPTIONS", { origin: page, ...preflight });
    expect(told.status).toBe(204);
    expect(told.headers).toMatchObject({
      "access-control-allow-origin": page,
      vary: "Origin",
      "access-control-allow-methods": "POST",
      "access-control-allow-headers":
        "authorization, content-type, x-stainless-os, x-api-key, x-goog-api-key, anthropic-version",
    });
    expect(told.headers).not.toHaveProperty("access-control-allow-credentials");
    expect(service.received).toEqual([]);
    const headers = { origin: page, "content-type": "application/json", authorization: "Bearer gw-secret-123456" };
    const answer = await ask(address, "POST", headers, family.body("hi"));
    expect(answer.status).toBe(200);
    expect(answer.headers["access-control-allow-origin"]).toBe(page);
    expect(answer.headers["vary"]).toBe("Origin");
    expect(answer.headers["access-control-expose-headers"]).toContain("rolecall-losses");
  });

  test.each([{ "content-type": "text/plain" }, { "content-type": "application/json", authorization: "Bearer wrong" }])(
    "an allowed one can read why it is refused with %o",
    async (headers) => {
      const { url } = await begin({ clientKeys: ["gw-secret-123456"] });
      const answer = await ask(url + family.path(), "POST", { origin: page, ...headers }, family.body("hi"));
      expect(answer.status).toBeGreaterThanOrEqual(400);
      expect(answer.headers["access-control-allow-origin"]).toBe(page);
    },
  );

  test.each(["https://evil.test", "https://app.test.evil.test", "http://app.test", "null", "https://APP.test"])(
    "%s is told nothing",
    async (origin) => {
      const { url } = await begin();
      const address = url + family.path();
      const told = await ask(address, "OPTIONS", { origin, ...preflight });
      expect([told.status, shared(told)]).toEqual([403, []]);
      const answer = await ask(address, "POST", { origin, "content-type": "application/json" }, family.body("hi"));
      expect([answer.status, shared(answer)]).toEqual([403, []]);
    },
  );

  test("no method but those that are served, and no name of a host that is not known", async () => {
    const { url } = await begin();
    const address = url + family.path();
    const deleted = await ask(address, "OPTIONS", {
      origin: page,
      ...preflight,
      "access-control-request-method": "PUT",
    });
    expect(deleted.headers).not.toHaveProperty("access-control-allow-methods");
    expect((await ask(address, "OPTIONS", { origin: page, ...preflight, host: "evil.test" })).status).toBe(403);
  });

  test("without an origin there is nothing of it", async () => {
    const { url } = await begin();
    const answer = await ask(url + family.path(), "POST", { "content-type": "application/json" }, family.body("hi"));
    expect([answer.status, shared(answer)]).toEqual([200, []]);
    const { url: closed } = await begin({ origins: undefined });
    const told = await ask(closed + family.path(), "OPTIONS", { origin: page, ...preflight });
    expect([told.status, shared(told)]).toEqual([403, []]);
  });
});
