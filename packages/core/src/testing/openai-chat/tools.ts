import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../ir/index.ts";
import { anySchema } from "../json.ts";
import { maybe, mostly, oneWord, pick, shape, typed } from "../shape.ts";
import { arbitraryText, plainText, toolName } from "../text.ts";

const functionFields = { description: arbitraryText(), parameters: anySchema };

const functionTool: Arbitrary<JsonObject> = typed(
  "function",
  {
    function: shape({ name: toolName }, { ...functionFields, strict: fc.constantFrom(true, false, null) }, 1),
  },
  { cache_control: typed("ephemeral") },
);

const customTool: Arbitrary<JsonObject> = typed("custom", {
  custom: shape(
    { name: toolName },
    {
      description: plainText,
      format: mostly<JsonObject>(
        typed("grammar", { grammar: shape({ syntax: oneWord("lark", "regex"), definition: arbitraryText() }) }),
        typed("text"),
      ),
    },
    1,
  ),
});

const nameOf = (tool: JsonObject): unknown => {
  const inner = (tool["function"] ?? tool["custom"] ?? tool) as JsonObject;
  return inner["name"] ?? tool["type"];
};

const tools: Arbitrary<JsonObject[]> = fc.uniqueArray(mostly(functionTool, customTool), {
  maxLength: 4,
  selector: nameOf,
});

const functions: Arbitrary<JsonObject[]> = fc.uniqueArray(shape({ name: toolName }, functionFields, 1), {
  maxLength: 2,
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
  const name = tool === undefined ? "missing" : String(nameOf(tool));
  switch (kind) {
    case "named":
      return tool?.["type"] === "custom"
        ? { type: "custom", custom: { name } }
        : { type: "function", function: { name } };
    case "allowed":
      return {
        type: "allowed_tools",
        allowed_tools: {
          mode,
          tools: list
            .filter((entry) => entry["type"] === "function")
            .map((entry) => ({ type: "function", function: { name: String(nameOf(entry)) } })),
        },
      };
    case "unknown":
      return { type: "function", function: { name: "not_declared" } };
    default:
      return kind;
  }
}

/** The fields of a request that are about tools. */
export const toolFields: Arbitrary<JsonObject> = fc
  .tuple(
    maybe(tools, 1),
    maybe(choice),
    maybe(functions, 9),
    maybe(oneWord("auto", "none", "named"), 9),
    maybe(fc.boolean()),
  )
  .map(([list, chosen, old, oldChoice, parallel]) => ({
    ...(list !== undefined && { tools: list }),
    ...(chosen !== undefined && { tool_choice: writeChoice(list ?? [], chosen) }),
    ...(old !== undefined && { functions: old }),
    ...(oldChoice !== undefined && {
      function_call: oldChoice === "named" ? { name: String(old?.[0]?.["name"] ?? "missing") } : oldChoice,
    }),
    ...(parallel !== undefined && { parallel_tool_calls: parallel }),
  }));
