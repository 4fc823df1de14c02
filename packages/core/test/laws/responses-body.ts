import type { Json, JsonObject } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";

const objects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];

/** What Responses would refuse of a request that was made for it: a result without its call, a call without result, ids and names. */
export function responsesProblems(body: JsonObject): string[] {
  const problems: string[] = [];
  const items = objects(body["input"]);
  if (items.length === 0) problems.push("no input");
  const open = new Set<string>();
  const seen = new Set<string>();
  items.forEach((item, index) => {
    const { type, content, call_id: id } = item;
    const at = `input/${index}`;
    if (Array.isArray(content) && content.length === 0) problems.push(`${at}: empty content`);
    if (type === "function_call" || type === "custom_tool_call") {
      if (seen.has(String(id))) problems.push(`${at}: call id ${String(id)} twice`);
      open.add(String(id));
      seen.add(String(id));
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(id))) problems.push(`${at}: call id`);
      if (!/^[A-Za-z0-9_-]{1,128}$/.test(String(item["name"]))) problems.push(`${at}: name of a call`);
    }
    if (String(type).endsWith("_call_output") && !open.delete(String(id)))
      problems.push(`${at}: result without a call before`);
  });
  if (open.size > 0) problems.push("a call without a result");
  return problems;
}
