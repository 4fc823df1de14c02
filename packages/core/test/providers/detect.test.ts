import { expect, test } from "vitest";
import type { Fetch } from "../../src/models/index.ts";
import { detectServers } from "../../src/providers/index.ts";

test("servers that run are found with their models, and only those", async () => {
  const asked: string[] = [];
  const fetch: Fetch = async (url, { headers, signal }) => {
    asked.push(url);
    expect(Object.keys(headers)).not.toContain("authorization");
    if (url.startsWith("http://127.0.0.1:11434/")) return Response.json({ data: [{ id: "llama" }, { id: "qwen" }] });
    if (url.startsWith("http://127.0.0.1:8000/")) return new Response("<html>some other server</html>");
    if (url.startsWith("http://127.0.0.1:1234/"))
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    throw Object.assign(new TypeError("fetch failed"), { cause: { code: "ECONNREFUSED" } });
  };
  const found = await detectServers({ fetch, timeouts: { firstByteMs: 50 } });
  expect(found.map(({ id, models }) => [id, models.map((model) => model.id)])).toEqual([["ollama", ["llama", "qwen"]]]);
  expect(asked.sort()).toEqual([
    "http://127.0.0.1:11434/v1/models",
    "http://127.0.0.1:1234/v1/models",
    "http://127.0.0.1:8000/v1/models",
    "http://127.0.0.1:8080/v1/models",
  ]);
});
