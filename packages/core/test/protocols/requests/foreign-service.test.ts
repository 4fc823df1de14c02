import { describe, expect, test } from "vitest";
import type { JsonObject, ProtocolId } from "../../../src/index.ts";
import { convertRequest, UnsupportedError } from "../../../src/index.ts";
import { protocols } from "../../protocols.ts";

const responses = "openai-responses";
const anthropic = "anthropic-messages";
const question = { role: "user", content: "Go on." };
const answer = (...content: readonly JsonObject[]): JsonObject => ({
  role: "assistant",
  content: [...content, { type: "text", text: "Done." }],
});

/** What only one service can do, each in the least request that asks for it. */
const cases: readonly {
  readonly from: ProtocolId;
  readonly feature: string;
  readonly path: string;
  readonly body: JsonObject;
  readonly fallback?: string;
}[] = [
  { from: responses, feature: "background", path: "/background", body: { background: true }, fallback: "drop" },
  {
    from: responses,
    feature: "maxTokens",
    path: "/prompt_cache_options/prewarm",
    body: { prompt_cache_options: { prewarm: true } },
    fallback: "one",
  },
  {
    from: responses,
    feature: "toolChoice",
    path: "/tool_choice",
    body: { tools: [{ type: "code_interpreter", container: "c1" }], tool_choice: { type: "code_interpreter" } },
    fallback: "auto",
  },
  ...(
    [
      ["compaction", { type: "compaction", encrypted_content: "c2VhbGVk" }],
      ["storedItem", { type: "item_reference", id: "msg_1" }],
      ["program", { type: "program", id: "p1", call_id: "c1", code: "f()", fingerprint: "f1" }],
      ["approval", { type: "mcp_approval_response", approval_request_id: "r1", approve: true }],
    ] as const
  ).map(([feature, item]) => ({
    from: responses as ProtocolId,
    feature,
    path: "/input/0",
    body: { input: [item, question] },
    fallback: "drop",
  })),
  {
    from: anthropic,
    feature: "thread",
    path: "/thread",
    body: { thread: { type: "continue", previous_message_id: "m1" } },
  },
  { from: anthropic, feature: "maxTokens", path: "/max_tokens", body: { max_tokens: 0 }, fallback: "one" },
  {
    from: anthropic,
    feature: "toolChoice",
    path: "/tool_choice",
    body: {
      tools: [{ type: "web_search_20250305", name: "web_search" }],
      tool_choice: { type: "tool", name: "web_search" },
    },
    fallback: "auto",
  },
  {
    from: anthropic,
    feature: "compaction",
    path: "/messages/1/content/0",
    body: { messages: [question, answer({ type: "compaction", content: "They spoke." }), question] },
    fallback: "drop",
  },
  {
    from: anthropic,
    feature: "containerFile",
    path: "/messages/0/content/0",
    body: {
      messages: [
        {
          role: "user",
          content: [
            { type: "container_upload", file_id: "file_1" },
            { type: "text", text: "Go on." },
          ],
        },
      ],
    },
    fallback: "drop",
  },
] as const;

const least: { readonly [protocol: string]: JsonObject } = {
  [responses]: { model: "m", input: [question] },
  [anthropic]: { model: "m", max_tokens: 100, messages: [question] },
};

const pairs = cases.flatMap((found) =>
  protocols.filter(({ id }) => id !== found.from).map(({ id }) => [found.feature, found.from, id, found] as const),
);

describe("what only the service of a body can do", () => {
  test.each(pairs)("is refused: %s of %s toward %s", async (_feature, from, to, { feature, path, body, fallback }) => {
    const refused = await convertRequest({ body: { ...least[from], ...body } }, { from, to }).catch((error) => error);
    expect(refused).toBeInstanceOf(UnsupportedError);
    expect(refused).toMatchObject({
      feature,
      path,
      fallbacks: fallback === undefined ? [] : [`${feature}: ${fallback}`],
    });
  });

  const ways = pairs.filter(([, , , { fallback }]) => fallback !== undefined);
  test.each(ways)(
    "is reported where its fallback is asked for: %s of %s toward %s",
    async (_feature, from, to, found) => {
      const { feature, path, body, fallback } = found;
      const target = { fallbacks: { [feature]: fallback! } };
      const { losses } = await convertRequest({ body: { ...least[from], ...body } }, { from, to, target });
      expect(losses.some((loss) => loss.path.startsWith(path) || path.startsWith(loss.path))).toBe(true);
    },
  );

  test.each(cases)("goes on to its own service: $feature of $from", async ({ from, body }) => {
    const wire = { ...least[from], ...body };
    const { value, losses } = await convertRequest({ body: wire }, { from, to: from });
    expect({ value: value.body, losses }).toEqual({ value: wire, losses: [] });
  });

  test("names of what runs programs go to nobody else", async () => {
    const tools = [{ name: "read", input_schema: { type: "object" }, allowed_callers: ["code_execution_20250825"] }];
    const body = { ...least[anthropic], tools };
    const { value, losses } = await convertRequest({ body }, { from: anthropic, to: responses });
    expect(JSON.stringify(value)).not.toContain("code_execution");
    expect(losses.map(({ code, kind, path }) => [code, kind, path])).toEqual([
      ["tool.field", "dropped", "/tools/0/allowed_callers"],
    ]);
  });

  test("a tool of the caller that has the name of none is chosen as before", async () => {
    const body = {
      ...least[anthropic],
      tools: [
        { type: "web_search_20250305", name: "web_search" },
        { name: "read", input_schema: { type: "object" } },
      ],
      tool_choice: { type: "tool", name: "read" },
    };
    const { value } = await convertRequest({ body }, { from: anthropic, to: "openai-chat" });
    expect(value.body).toMatchObject({ tool_choice: { type: "function", function: { name: "read" } } });
  });
});
