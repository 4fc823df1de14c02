import type { CustomTool, JsonObject } from "../../ir/index.ts";

/** A free-text tool as a function with one text argument: the grammar, which nobody enforces then, is told in the description. */
export function asFunction(tool: CustomTool): { readonly description?: string; readonly parameters: JsonObject } {
  const grammar = tool.format?.type === "grammar" ? tool.format : undefined;
  const told = grammar === undefined ? "" : `The input follows this ${grammar.syntax} grammar:\n${grammar.definition}`;
  const description = [tool.description ?? "", told].filter((text) => text !== "").join("\n\n");
  return {
    ...(description !== "" && { description }),
    parameters: { type: "object", properties: { input: { type: "string" } }, required: ["input"] },
  };
}
