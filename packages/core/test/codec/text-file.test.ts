import type { JsonObject } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import { describe, expect, test } from "vitest";

const base64 = (bytes: readonly number[]): string => btoa(String.fromCharCode(...bytes));
const textBytes = (text: string): number[] => [...new TextEncoder().encode(text)];

/** What a file becomes in Messages, and what is told of it. */
async function sent(url: string): Promise<{ readonly blocks: unknown; readonly losses: readonly string[] }> {
  const file = { type: "input_file", file_data: url, filename: "a.txt" };
  const body: JsonObject = {
    model: "m",
    input: [{ role: "user", content: [{ type: "input_text", text: "?" }, file] }],
  };
  const options = { from: "openai-responses", to: "anthropic-messages" } as const;
  const { value, losses } = await convertRequest(body, options);
  const [message] = (value as { readonly messages: readonly { readonly content: readonly unknown[] }[] }).messages;
  return {
    blocks: message?.content.slice(1),
    losses: losses.flatMap(({ code, kind, path }) => (path.includes("/content/1") ? [`${kind} ${code}`] : [])),
  };
}

describe("a file of plain text toward Messages", () => {
  test.each(["The river is 90 km long.", "Ω ≠ ω\r\n", "\uFEFFa", "a\u0000b"])("goes as the text %j", async (text) => {
    expect(await sent(`data:text/plain;base64,${base64(textBytes(text))}`)).toEqual({
      blocks: [{ type: "document", source: { type: "text", media_type: "text/plain", data: text }, title: "a.txt" }],
      losses: ["rewritten document.decoded"],
    });
  });

  test.each([
    ["bytes that are no UTF-8", `data:text/plain;base64,${base64([0xe9, 0x20])}`],
    ["no base64", "data:text/plain;base64,*"],
    ["base64 that another spelling means", "data:text/plain;base64,YR=="],
    ["white space alone", `data:text/plain;base64,${base64(textBytes(" \n"))}`],
    ["another type", `data:application/zip;base64,${base64(textBytes("a"))}`],
  ])("is told as lost where it is %s", async (_, url) => {
    expect(await sent(url)).toEqual({ blocks: [], losses: ["dropped media.unsupported"] });
  });
});
