import type { JsonObject } from "@rolecall/core";
import { convertRequest, valueAt } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const location = { cited_text: "x", document_index: 0, document_title: "t", start_char_index: 0, end_char_index: 1 };
const cited: JsonObject = { type: "text", text: "a", citations: [{ type: "char_location", ...location }] };
const odd: JsonObject = { type: "text", text: "a", citations: [{ type: "later_location" }] };
const sources: readonly JsonObject[] = [
  { type: "text", media_type: "text/plain", data: "D" },
  { type: "content", content: "D" },
  { type: "content", content: [{ type: "text", text: "D" }] },
  { type: "base64", media_type: "application/pdf", data: "JVBERi0=" },
  { type: "url", url: "https://example.com/a.pdf" },
];

const body = (user: JsonObject, answer: JsonObject): JsonObject => ({
  model: "claude-x",
  max_tokens: 5,
  messages: [
    { role: "user", content: [user] },
    { role: "assistant", content: [{ type: "text", text: "b" }, answer] },
    { role: "user", content: "c" },
  ],
});
const convert = (request: JsonObject, apiVersion?: string) =>
  convertRequest(request, {
    from: "anthropic-messages",
    to: "anthropic-messages",
    ...(apiVersion !== undefined && { target: { apiVersion } }),
  });

describe.each([cited, odd])("citations of a user and a document of an answer %#", (user) => {
  test.each(sources)("%j", async (source) => {
    const request = body(user, { type: "document", title: "T", source, x_later: 1 });
    for (const version of [undefined, "2023-06-01"]) {
      const { value, losses } = await convert(request, version);
      expect([value, losses]).toEqual([request, []]);
    }
    const { value, losses } = await convert(request, "2026-10-21");
    expect(valueAt(value, "/messages/0/content/0/citations")).toBeUndefined();
    const isText = source["type"] === "text" || source["type"] === "content";
    expect(valueAt(value, "/messages/1/content/1")).toEqual(
      isText ? { type: "text", text: "Document: T\n\nD" } : undefined,
    );
    const places = losses.map(({ code, path }) => `${code} ${path}`);
    expect(places).toContain("citation.foreign /messages/0/content/0/citations");
    if (isText) expect(places).toContain("field.no_counterpart /messages/1/content/1/x_later");
    else expect(places).toContain("media.unsupported /messages/1/content/1");
  });
});
