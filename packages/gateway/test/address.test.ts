import dns from "node:dns";
import { describe, expect, test, vi } from "vitest";
import { createGateway } from "../src/index.ts";
import { readUpstreamUrl } from "../src/upstream/url.ts";
import { chatText, json, startService } from "./service.ts";
import { post } from "./start.ts";

/** Where names lead in these tests. */
const names = { addresses: [] as { readonly address: string; readonly family: number }[] };
const lookup = dns.lookup as (...args: readonly unknown[]) => void;
vi.spyOn(dns, "lookup").mockImplementation(((name: string, ...rest: readonly unknown[]) => {
  if (name === "models.test") (rest.at(-1) as (error: null, found: readonly object[]) => void)(null, names.addresses);
  else lookup(name, ...rest);
}) as typeof dns.lookup);

const ask = { model: "m", messages: [{ role: "user", content: "go" }] };

/** Asks by way of a gateway before a service under a name that leads to the given addresses. */
async function askAt(port: number, found: readonly string[]) {
  names.addresses = found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  const gateway = await createGateway({ to: `http://models.test:${port}/v1`, timeouts: { connect: 500 } });
  const { url } = await gateway.listen();
  const answer = await post(url, "/v1/chat/completions", ask);
  const text = await answer.text();
  await gateway.close();
  return { status: answer.status, text };
}

describe("addresses of cloud metadata", () => {
  test.each([
    "http://169.254.169.254/v1",
    "http://169.254.170.2/v1",
    "http://0xa9fea9fe/v1",
    "http://169.254.43518/v1",
    "http://100.100.100.200/v1",
    "http://192.0.0.192/v1",
    "http://[fd00:ec2::254]/v1",
    "http://[fd20:ce::254]/v1",
    "http://[fe80::1]/v1",
    "http://[::ffff:a9fe:a9fe]/v1",
    "http://[64:ff9b::a9fe:a9fe]/v1",
    "http://metadata.google.internal/v1",
    "http://METADATA.google.internal./v1",
    "http://instance-data/latest/v1",
  ])("%s is refused before anything is sent", (address) => {
    expect(() => readUpstreamUrl(address)).toThrow("an address of cloud metadata or links");
  });

  test.each(["http://127.0.0.1:8080/v1", "http://10.0.0.7/v1", "http://192.168.1.9:11434/v1", "http://[fd00::1]/v1"])(
    "%s is not: models are served at home as well",
    (address) => {
      expect(readUpstreamUrl(address).href).toBe(address);
    },
  );

  test.each([
    [["169.254.169.254"]],
    [["fd00:ec2::254"]],
    [["::ffff:169.254.169.254"]],
    [["169.254.169.254", "fe80::1"]],
  ])("a name that leads to %j is refused", async (found) => {
    const service = await startService((_r, response) => json(response, 200, chatText("ok")));
    const { status, text } = await askAt(Number(new URL(service.origin).port), found);
    await service.close();
    expect(status).toBe(502);
    for (const address of found) expect(text).not.toContain(address);
    expect(service.received).toEqual([]);
  });

  test("a name that leads elsewhere too is followed there alone", async () => {
    const service = await startService((_r, response) => json(response, 200, chatText("ok")));
    const { status } = await askAt(Number(new URL(service.origin).port), ["169.254.169.254", "127.0.0.1"]);
    await service.close();
    expect(status).toBe(200);
    expect(service.received).toHaveLength(1);
  });
});
