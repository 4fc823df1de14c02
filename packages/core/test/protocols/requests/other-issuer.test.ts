import type { JsonObject, Profile, ProtocolId, WireRequest } from "@rolecall/core";
import { convertRequest, loadProtocol, UnsupportedError, valueAt } from "@rolecall/core";
import { previewSwitch } from "@rolecall/core/check";
import { describe, expect, test } from "vitest";

const text = { type: "text", text: "Sum it up" };

/** Requests that name a file which their service has stored, with the place of the part. */
const files: { readonly [P in ProtocolId]: readonly [request: WireRequest, place: string, from: string, to: string] } =
  {
    "openai-chat": [
      {
        body: {
          model: "m",
          messages: [{ role: "user", content: [text, { type: "file", file: { file_id: "file-1" } }] }],
        },
      },
      "/messages/0/content/1",
      "openai",
      "openrouter",
    ],
    "openai-responses": [
      {
        body: {
          model: "m",
          input: [
            {
              role: "user",
              content: [
                { type: "input_text", text: "?" },
                { type: "input_file", file_id: "file-1" },
              ],
            },
          ],
        },
      },
      "/input/0/content/1",
      "openai",
      "azure",
    ],
    "anthropic-messages": [
      {
        body: {
          model: "m",
          max_tokens: 9,
          messages: [{ role: "user", content: [text, { type: "image", source: { type: "file", file_id: "file_1" } }] }],
        },
      },
      "/messages/0/content/1",
      "anthropic",
      "bedrock",
    ],
    "gemini-generate-content": [
      {
        body: {
          contents: [
            {
              role: "user",
              parts: [
                { text: "?" },
                {
                  fileData: {
                    fileUri: "https://generativelanguage.googleapis.com/v1beta/files/a",
                    mimeType: "image/png",
                  },
                },
              ],
            },
          ],
        },
        url: { model: "m" },
      },
      "/contents/0/parts/1",
      "google",
      "google-vertex",
    ],
  };

const cases = (Object.keys(files) as ProtocolId[]).map((protocol) => ({ protocol, file: files[protocol] }));
const drop = { fallbacks: { media: "drop" } } as const;

describe.each(cases)("a file that a service of $protocol has stored", ({ protocol, file }) => {
  const [request, place, from, to] = file;
  const convert = (target: Profile, source: Profile = { provider: from }) =>
    convertRequest(request, { from: protocol, to: protocol, source, target });

  test("is refused toward another service of the same protocol, with its place", async () => {
    await expect(convert({ provider: to })).rejects.toThrow(UnsupportedError);
    await expect(convert({ provider: to })).rejects.toMatchObject({ feature: "media", path: place });
  });

  test("is left out where the profile asks for that, which is told", async () => {
    const { value, losses } = await convert({ provider: to, ...drop });
    expect(losses.map(({ code, kind, path }) => `${kind} ${code} ${path}`)).toEqual([
      `dropped media.unsupported ${place}`,
    ]);
    expect(JSON.stringify(value)).not.toMatch(/file[-_]1|files\/a/);
    expect(JSON.stringify(value).length).toBeGreaterThan(50);
  });

  test("goes to its own service, and where nobody says whose it is", async () => {
    for (const [target, source] of [[{ provider: from }], [{ provider: to }, {}], [{}]] as const) {
      const { value, losses } = await convert(target, source);
      expect(value).toEqual(request);
      expect(losses).toEqual([]);
    }
  });

  test("is found before the switch, of a request and of a conversation", async () => {
    const { value } = (await loadProtocol(protocol)).decodeRequest(request);
    for (const input of [request, value]) {
      const old = { protocol, provider: from };
      const { findings } = await previewSwitch(input, old, { protocol, provider: to });
      expect(findings.map(({ message }) => message)).toEqual([expect.stringContaining("a file id of another service")]);
      const left = await previewSwitch(input, old, { protocol, provider: to, ...drop });
      expect(left.losses).toMatchObject([{ code: "media.unsupported" }]);
    }
  });
});

test("several files of one turn are left out, and nothing else", async () => {
  const document = (id: string) => ({ type: "document", source: { type: "file", file_id: id } });
  const content = [document("file_1"), text, document("file_2"), { type: "text", text: "both" }];
  const body = { model: "m", max_tokens: 9, messages: [{ role: "user", content }] };
  const { value } = await convertRequest(body, {
    from: "anthropic-messages",
    to: "anthropic-messages",
    source: { provider: "anthropic" },
    target: { provider: "bedrock", ...drop },
  });
  expect(valueAt(value, "/messages/0/content")).toEqual([text, { type: "text", text: "both" }]);
});

test.each<readonly [name: string, protocol: ProtocolId, body: JsonObject, path: string]>([
  ["response", "openai-responses", { input: "x", previous_response_id: "resp_1" }, "/previous_response_id"],
  ["conversation", "openai-responses", { input: "x", conversation: "conv_1" }, "/conversation"],
  ["prompt", "openai-responses", { input: "x", prompt: { id: "pmpt_1" } }, "/prompt"],
  ["item", "openai-responses", { input: [{ type: "item_reference", id: "msg_1" }] }, "/input/0"],
  [
    "file of a container",
    "anthropic-messages",
    { max_tokens: 9, messages: [{ role: "user", content: [{ type: "container_upload", file_id: "file_1" }] }] },
    "/messages/0/content/0",
  ],
])("a stored %s is refused toward another service of the same protocol", async (_name, protocol, body, path) => {
  const convert = (provider: string) =>
    convertRequest(
      { model: "m", ...body },
      { from: protocol, to: protocol, source: { provider: "one" }, target: { provider } },
    );
  await expect(convert("two")).rejects.toMatchObject({ code: "unsupported", path });
  expect((await convert("one")).losses).toEqual([]);
});
