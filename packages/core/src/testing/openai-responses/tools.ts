import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../ir/index.ts";
import { anySchema } from "../json.ts";
import { few, maybe, mostly, oneWord, pick, shape, typed } from "../shape.ts";
import { arbitraryText, plainText, toolName } from "../text.ts";

const loading = { defer_loading: fc.boolean(), allowed_callers: few(oneWord("direct", "programmatic"), 2) };

export const functionTool: Arbitrary<JsonObject> = typed(
  "function",
  {
    name: toolName,
    parameters: mostly<Json>(anySchema, fc.constant(null)),
    strict: fc.constantFrom(true, false, null),
  },
  { description: mostly<Json>(arbitraryText(), fc.constant(null)), output_schema: anySchema, ...loading },
);

const customTool: Arbitrary<JsonObject> = typed(
  "custom",
  { name: toolName },
  {
    description: plainText,
    format: mostly<JsonObject>(
      typed("grammar", { syntax: oneWord("lark", "regex"), definition: arbitraryText() }),
      typed("text"),
    ),
    ...loading,
  },
);

const namespaceTool: Arbitrary<JsonObject> = typed("namespace", {
  name: toolName,
  description: plainText,
  tools: few(mostly(functionTool, customTool), 2),
});

const serverTool: Arbitrary<JsonObject> = mostly(
  typed("web_search", {}, { search_context_size: oneWord("low", "high") }),
  typed("mcp", { server_label: plainText, server_url: plainText }, { require_approval: oneWord("never", "always") }),
  typed("code_interpreter", { container: typed("auto") }),
);

const nameOf = (tool: JsonObject): unknown => tool["name"] ?? tool["type"];

const tools: Arbitrary<JsonObject[]> = fc.uniqueArray(mostly(functionTool, customTool, namespaceTool, serverTool), {
  maxLength: 4,
  selector: nameOf,
});

interface Choice {
  readonly kind: "auto" | "none" | "required" | "named" | "allowed" | "unknown";
  readonly index: number;
  readonly mode: "auto" | "required";
}

const choice: Arbitrary<Choice> = shape<Choice>({
  kind: oneWord("auto", "none", "required", "named", "allowed", "unknown"),
  index: fc.nat(9),
  mode: oneWord("auto", "required"),
});

function writeChoice(list: readonly JsonObject[], { kind, index, mode }: Choice): Json {
  const tool = pick(list, index);
  const type = tool?.["type"] === "custom" ? "custom" : "function";
  switch (kind) {
    case "named":
      return { type, name: tool === undefined ? "missing" : String(nameOf(tool)) };
    case "allowed":
      return {
        type: "allowed_tools",
        mode,
        tools: list
          .filter((entry) => entry["type"] === "function" || entry["type"] === "custom")
          .map((entry) => ({ type: entry["type"] as Json, name: String(nameOf(entry)) })),
      };
    case "unknown":
      return { type: "function", name: "not_declared" };
    default:
      return kind;
  }
}

/** The fields of a request that are about tools. */
export const toolFields: Arbitrary<JsonObject> = fc
  .tuple(maybe(tools, 1), maybe(choice), maybe(fc.boolean()))
  .map(([list, chosen, parallel]) => ({
    ...(list !== undefined && { tools: list }),
    ...(chosen !== undefined && { tool_choice: writeChoice(list ?? [], chosen) }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  }));
