import type { JsonObject, Loss } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { readDataUrl, writeDataUrl } from "../../src/codec/media/data-url.ts";

const request = (part: JsonObject): JsonObject => ({
  model: "m",
  max_tokens: 9,
  messages: [{ role: "user", content: [{ type: "text", text: "q" }, part] }],
});
const image = (url: string): JsonObject => request({ type: "image_url", image_url: { url } });

interface Outcome {
  readonly block: JsonObject | undefined;
  readonly losses: readonly Loss[];
}

async function toMessages(body: JsonObject): Promise<Outcome> {
  const { value, losses } = await convertRequest(body, { from: "openai-chat", to: "anthropic-messages" });
  const messages = (value as unknown as { messages: { content: JsonObject[] }[] }).messages;
  return { block: messages[0]?.content[1], losses };
}

const odd: readonly (readonly [url: string, mediaType: string, data: string, parameters: boolean])[] = [
  ["Data:image/png;base64,AAAA", "image/png", "AAAA", false],
  ["data:image/PNG;base64,AAAA", "image/png", "AAAA", false],
  ["DATA:IMAGE/WEBP;BASE64,AAAA", "image/webp", "AAAA", false],
  ["data:image/png,x%20", "image/png", "eCA=", false],
  ["data:image/png,%00%ffé", "image/png", "AP/DqQ==", false],
  ["data:image/png;base64,AA%2B%3D", "image/png", "AA+=", false],
  ["data:image/png;name=a.png;base64,AAAA", "image/png", "AAAA", true],
  ["data:image/gif;name=a.gif,x", "image/gif", "eA==", true],
];

describe("data URLs are read in every spelling", () => {
  test.each(odd)("%s toward Messages", async (url, mediaType, data, parameters) => {
    const { block, losses } = await toMessages(image(url));
    expect(block).toEqual({ type: "image", source: { type: "base64", media_type: mediaType, data } });
    expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual(
      parameters ? ["media.parameters /messages/0/content/1/image_url/url"] : [],
    );
  });

  test.each(odd)("%s within Chat as it is", async (url) => {
    const body = image(url);
    const { value, losses } = await convertRequest(body, { from: "openai-chat", to: "openai-chat" });
    expect(value).toEqual(body);
    expect(losses).toEqual([]);
  });

  test("of files, too", async () => {
    const file_data = "Data:application/PDF;name=a.pdf;Base64,AAAA";
    const { block, losses } = await toMessages(request({ type: "file", file: { filename: "a.pdf", file_data } }));
    expect(block).toEqual({
      type: "document",
      title: "a.pdf",
      source: { type: "base64", media_type: "application/pdf", data: "AAAA" },
    });
    expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual([
      "media.parameters /messages/0/content/1/file/file_data",
    ]);
  });

  test.each(["data:image/png,%zz", "data:;base64,AAAA", "data:image/png"])("%s is no link", async (url) => {
    const { block, losses } = await toMessages(image(url));
    expect(block).toBeUndefined();
    expect(losses.map(({ code }) => code)).toEqual(["media.unsupported"]);
  });
});

test("another URL is none of data", () => {
  expect(readDataUrl("https://example.test/data:image/png;base64,AAAA")).toBeUndefined();
});

test.each(odd)("the spelling %s goes where the data is edited, unless it still fits", (url, mediaType) => {
  const read = readDataUrl(url);
  const written = writeDataUrl(mediaType, "BBBB", read?.spelling);
  expect(readDataUrl(written)).toMatchObject({ mediaType, data: "BBBB" });
  expect(writeDataUrl("image/bmp", "BBBB", read?.spelling)).toBe("data:image/bmp;base64,BBBB");
});
