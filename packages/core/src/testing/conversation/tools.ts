import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { CustomTool, FunctionTool, NamespaceTool, ServerTool, Tool, ToolReference } from "../../ir/index.ts";
import { anySchema, jsonObject, objectSchema } from "../json.ts";
import { few, maybe, mostly, oneWord, shape, typed, weighted } from "../shape.ts";
import { arbitraryText, plainText, toolName } from "../text.ts";
import { cacheBreakpoint } from "./text.ts";

const common = {
  cacheBreakpoint: maybe(cacheBreakpoint, 2),
  deferLoading: maybe(fc.boolean(), 2),
  allowedCallers: maybe(few(oneWord("direct", "code_execution_20260120"), 2, 0), 2),
};

const functionTool: Arbitrary<FunctionTool> = typed(
  "function",
  { name: toolName },
  {
    ...common,
    description: arbitraryText(),
    parameters: mostly(objectSchema, anySchema),
    strict: fc.boolean(),
    inputExamples: maybe(few(jsonObject, 2, 0), 2),
    outputSchema: maybe(objectSchema, 2),
  },
  1,
);

const customTool: Arbitrary<CustomTool> = typed(
  "custom",
  { name: toolName },
  {
    ...common,
    description: plainText,
    format: mostly<NonNullable<CustomTool["format"]>>(
      typed("grammar", { syntax: oneWord("lark", "regex"), definition: arbitraryText() }),
      typed("text"),
    ),
  },
);

const nameOf = (tool: Tool): unknown => (tool.type === "server" ? (tool.name ?? tool.value["type"]) : tool.name);

const namespaceTool: Arbitrary<NamespaceTool> = typed("namespace", {
  name: toolName,
  description: plainText,
  tools: fc.uniqueArray(mostly<FunctionTool | CustomTool>(functionTool, customTool), {
    minLength: 1,
    maxLength: 2,
    selector: nameOf,
  }),
});

/** Tools that a service runs, declared as its protocol does. */
const serverTool: Arbitrary<ServerTool> = fc
  .constantFrom<ServerTool>(
    {
      type: "server",
      protocol: "anthropic-messages",
      name: "web_search",
      value: { type: "web_search_20260318", name: "web_search", max_uses: 2 },
    },
    {
      type: "server",
      protocol: "anthropic-messages",
      name: "bash",
      value: { type: "bash_20250124", name: "bash", cache_control: { type: "ephemeral" } },
    },
    {
      type: "server",
      protocol: "openai-responses",
      name: "file_search",
      value: { type: "file_search", vector_store_ids: ["vs"] },
    },
    { type: "server", protocol: "gemini-generate-content", value: { googleSearch: {} } },
    { type: "server", protocol: "openai-chat", name: "browser", value: { type: "browser" } },
  )
  .map((tool) => ({ ...tool }));

/** Tools with different names. */
export const tools: Arbitrary<readonly Tool[]> = fc.uniqueArray(
  weighted<Tool>([6, functionTool], [2, customTool], [1, namespaceTool], [1, serverTool]),
  { minLength: 1, maxLength: 4, selector: nameOf },
);

export const toolReferences: Arbitrary<readonly ToolReference[]> = few(shape<ToolReference>({ name: toolName }), 2);
