import Anthropic from "@anthropic-ai/sdk";
import { GoogleGenAI } from "@google/genai";
import OpenAI from "openai";
import { describe, expect, test } from "vitest";
import type { Answer } from "./service.ts";
import { json } from "./service.ts";
import { start } from "./start.ts";

const ids = ["a", "b", "c", "d", "e"];

/** Services that give two models on each page, whatever is asked. */
const services: { readonly [protocol: string]: Answer } = {
  "anthropic-messages": ({ url }, response) => {
    const after = new URL(url, "http://x").searchParams.get("after_id");
    const from = after === null ? 0 : ids.indexOf(after) + 1;
    const page = ids.slice(from, from + 2);
    const data = page.map((id) => ({ type: "model", id, display_name: id, created_at: "2026-01-02T00:00:00Z" }));
    json(response, 200, { data, has_more: from + 2 < ids.length, first_id: page[0], last_id: page.at(-1) });
  },
  "gemini-generate-content": ({ url }, response) => {
    const from = Number(new URL(url, "http://x").searchParams.get("pageToken") ?? 0);
    const models = ids.slice(from, from + 2).map((id) => ({ name: `models/${id}`, displayName: id }));
    json(response, 200, { models, ...(from + 2 < ids.length && { nextPageToken: String(from + 2) }) });
  },
};

async function collect<T>(pages: AsyncIterable<T>, idOf: (entry: T) => string | undefined): Promise<unknown[]> {
  const all: unknown[] = [];
  for await (const entry of pages) all.push(idOf(entry));
  return all;
}

describe.each(["anthropic-messages", "gemini-generate-content"] as const)("a service of %s with pages", (protocol) => {
  const setup = () => start({ protocol, answer: services[protocol] as Answer });

  test("is read to its last page, and its models are there for every client, page by page", async () => {
    const { url } = await setup();
    const openai = new OpenAI({ baseURL: `${url}/v1`, apiKey: "x" });
    expect(await collect(openai.models.list(), ({ id }) => id)).toEqual(ids);
    const anthropic = new Anthropic({ baseURL: url, apiKey: "x" });
    const google = new GoogleGenAI({ apiKey: "x", httpOptions: { baseUrl: url } });
    for (const size of [1, 2, 5, 1000]) {
      expect(await collect(anthropic.models.list({ limit: size }), ({ id }) => id)).toEqual(ids);
      const pages = await google.models.list({ config: { pageSize: size } });
      expect(await collect(pages, ({ name }) => name)).toEqual(ids.map((id) => `models/${id}`));
    }
    expect((await openai.models.retrieve("e")).id).toBe("e");
    expect((await anthropic.models.retrieve("e")).id).toBe("e");
    expect((await google.models.get({ model: "e" })).name).toBe("models/e");
  });

  test("backwards, and with what is asked for alone", async () => {
    const { url } = await setup();
    const { models } = new Anthropic({ baseURL: url, apiKey: "x", maxRetries: 0 });
    const page = await models.list({ limit: 2, before_id: "d" });
    expect([page.data.map(({ id }) => id), page.has_more, page.first_id]).toEqual([["b", "c"], true, "b"]);
    const first = await models.list({ limit: 2, before_id: "b" });
    expect([first.data.map(({ id }) => id), first.has_more]).toEqual([["a"], false]);
    for (const query of [{ limit: 0 }, { limit: 1001 }, { after_id: "nobody" }])
      await expect(models.list(query)).rejects.toMatchObject({ status: 400 });
  });
});

test("pages that lead in a circle have an end", async () => {
  const list = { models: [{ name: "models/a" }], nextPageToken: "again" };
  const { url, service } = await start({
    protocol: "gemini-generate-content",
    answer: (_request, response) => json(response, 200, list),
  });
  expect((await (await fetch(`${url}/v1/models`)).json()).data).toMatchObject([{ id: "a" }]);
  expect(service.received).toHaveLength(2);
});

test("a list that goes on beyond what is read says so", async () => {
  let page = 0;
  const { url, lines } = await start({
    protocol: "anthropic-messages",
    answer: (_request, response) => {
      const id = `m${page++}`;
      const entry = { type: "model", id, display_name: id, created_at: "2026-01-02T00:00:00Z" };
      json(response, 200, { data: [entry], has_more: true, first_id: id, last_id: id });
    },
  });
  const list = await fetch(`${url}/v1/models`);
  expect(list.headers.get("rolecall-models")).toBe("first 100 pages");
  expect(((await list.json()) as { data: unknown[] }).data).toHaveLength(100);
  expect(lines.join("\n")).toContain("lists models beyond 100 pages");
  const none = await fetch(`${url}/v1/models/nobody`);
  expect([none.status, await none.text()]).toEqual([404, expect.stringContaining("on the first 100 pages")]);
});
