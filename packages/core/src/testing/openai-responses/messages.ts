import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { Json, JsonObject } from "../../ir/index.ts";
import { argumentText, jsonObject } from "../json.ts";
import { few, maybe, mostly, oneWord, shape, typed, weighted } from "../shape.ts";
import { arbitraryText, base64, callId, identifier, plainText, toolName } from "../text.ts";
import { inputContent, outputContent, textContent } from "./content.ts";
import { functionTool } from "./tools.ts";

const status = oneWord("completed", "incomplete", "in_progress");
const phase = oneWord("commentary", "final_answer");
const itemId = (prefix: string): Arbitrary<string> => identifier.map((id) => `${prefix}_${id}`);

const instruction: Arbitrary<JsonObject> = shape(
  { role: oneWord("system", "developer"), content: textContent },
  { type: oneWord("message") },
  1,
);
const user: Arbitrary<JsonObject> = shape(
  { role: oneWord("user"), content: inputContent },
  { type: oneWord("message"), id: itemId("msg"), status },
  2,
);

/** A message that a service wrote. */
export const outputMessage: Arbitrary<JsonObject> = typed(
  "message",
  { id: itemId("msg"), role: oneWord("assistant"), status, content: outputContent },
  { phase },
);

const saidMessage: Arbitrary<JsonObject> = shape(
  { role: oneWord("assistant"), content: arbitraryText() },
  { type: oneWord("message"), phase },
);

const summary: Arbitrary<JsonObject[]> = few(typed("summary_text", { text: arbitraryText() }), 3, 0);

export const reasoning: Arbitrary<JsonObject> = typed(
  "reasoning",
  { summary },
  {
    id: itemId("rs"),
    encrypted_content: mostly<Json>(base64, fc.constant(null)),
    content: mostly<Json>(fc.constant([]), few(typed("reasoning_text", { text: arbitraryText() }), 2)),
    status,
  },
  1,
);

/** Items of tools that the service runs. */
export const hosted: Arbitrary<JsonObject> = mostly(
  typed("web_search_call", {
    id: itemId("ws"),
    status,
    action: typed("search", { query: plainText }, { sources: few(typed("url", { url: plainText }), 2) }),
  }),
  typed(
    "file_search_call",
    { id: itemId("fs"), status, queries: few(plainText, 2) },
    { results: mostly<Json>(fc.constant(null), few(shape({ file_id: plainText, text: plainText }), 2)) },
  ),
  typed("code_interpreter_call", {
    id: itemId("ci"),
    status,
    code: mostly<Json>(plainText, fc.constant(null)),
    container_id: plainText,
    outputs: mostly<Json>(fc.constant(null), few(typed("logs", { logs: plainText }), 1)),
  }),
  typed("image_generation_call", { id: itemId("ig"), status, result: mostly<Json>(base64, fc.constant(null)) }),
  typed(
    "mcp_call",
    { id: itemId("mcp"), name: toolName, server_label: plainText, arguments: argumentText },
    { output: mostly<Json>(plainText, fc.constant(null)), error: mostly<Json>(plainText, fc.constant(null)) },
  ),
  typed("mcp_list_tools", { id: itemId("mcpl"), server_label: plainText, tools: fc.constant([]) }),
  typed("compaction", { id: itemId("cmp"), encrypted_content: base64 }),
  typed("tool_search_call", {
    call_id: fc.constant(null),
    execution: oneWord("server"),
    arguments: jsonObject,
    status,
  }),
);

/** A call that the client answers, without its id. */
export const openCall: Arbitrary<JsonObject> = mostly(
  typed(
    "function_call",
    { name: toolName, arguments: argumentText },
    { id: itemId("fc"), status, namespace: toolName },
    3,
  ),
  typed("custom_tool_call", { name: toolName, input: arbitraryText() }, { id: itemId("ctc") }),
  typed("shell_call", { action: shape({ commands: few(plainText, 2) }), status }, { environment: typed("local") }),
  typed("apply_patch_call", { operation: typed("delete_file", { path: plainText }), status: oneWord("completed") }),
  typed("computer_call", {
    id: itemId("cu"),
    status,
    action: typed("screenshot"),
    pending_safety_checks: fc.constant([]),
  }),
);

const outputs: { readonly [type: string]: Arbitrary<Json> } = {
  shell_call: few(
    shape({ stdout: plainText, stderr: plainText, outcome: typed("exit", { exit_code: fc.nat(2) }) }),
    2,
  ) as Arbitrary<Json>,
  computer_call: typed("computer_screenshot", { image_url: fc.constant("data:image/png;base64,QQ==") }),
};

interface CallTurn {
  readonly before: readonly JsonObject[];
  readonly calls: readonly {
    readonly call: JsonObject;
    readonly id: string;
    readonly result: Json;
    readonly shell: Json;
    readonly screen: Json;
    readonly failed: boolean;
    readonly place: number;
  }[];
  readonly fault: "none" | "missing" | "orphan" | "reused";
  readonly apart: JsonObject | undefined;
}

function resultOf({ call, result, shell, screen, failed }: CallTurn["calls"][number], call_id: string): JsonObject {
  const type = `${String(call["type"])}_output`;
  switch (type) {
    case "shell_call_output":
      return { type, call_id, output: shell };
    case "computer_call_output":
      return { type, call_id, output: screen };
    case "apply_patch_call_output":
      return { type, call_id, status: failed ? "failed" : "completed", output: "done" };
    default:
      return { type, call_id, output: result };
  }
}

/** Calls of a turn, what stands before them, and the items that answer them; now and then one too few, too many, or apart. */
const callTurn: Arbitrary<readonly JsonObject[]> = shape<CallTurn>({
  before: few(mostly(reasoning, saidMessage, outputMessage), 2, 0),
  calls: few(
    shape({
      call: openCall,
      id: callId,
      result: inputContent,
      shell: outputs["shell_call"] as Arbitrary<Json>,
      screen: outputs["computer_call"] as Arbitrary<Json>,
      failed: fc.boolean(),
      place: fc.nat(9),
    }),
  ),
  fault: mostly(fc.constant("none"), oneWord("missing", "orphan", "reused")),
  apart: maybe(user, 9),
}).map(({ before, calls, fault, apart }) => {
  const named = calls.map((call, index) => ({
    ...call,
    id: fault === "reused" ? "call_same" : `${call.id}${index || ""}`,
  }));
  const results = [...named].sort((left, right) => left.place - right.place).map((entry) => resultOf(entry, entry.id));
  if (fault === "missing") results.pop();
  if (fault === "orphan") results.push({ type: "function_call_output", call_id: "call_of_nobody", output: "lost" });
  return [
    ...before,
    ...named.map(({ call, id }) => ({ call_id: id, ...call })),
    ...(apart === undefined ? [] : [apart]),
    ...results,
  ];
});

const alone = (item: Arbitrary<JsonObject>): Arbitrary<readonly JsonObject[]> => item.map((only) => [only]);

/** Items that change what holds from there on. */
const change: Arbitrary<JsonObject> = mostly(
  typed("additional_tools", { role: oneWord("developer"), tools: few(functionTool, 2) }),
  typed("configuration_update", { reasoning: shape({ effort: oneWord("low", "high") }) }),
  typed("item_reference", { id: itemId("rs") }),
);

/** The input of a request. */
export const input: Arbitrary<Json> = mostly<Json>(
  fc
    .tuple(
      mostly(few(instruction, 1, 0), few(instruction, 2)),
      user,
      fc.array(
        weighted(
          [4, alone(user)],
          [4, alone(mostly(outputMessage, saidMessage))],
          [5, callTurn],
          [2, alone(mostly(reasoning, hosted))],
          [1, alone(instruction)],
          [1, alone(change)],
        ),
        { maxLength: 5 },
      ),
    )
    .map(([head, first, groups]) => [...head, first, ...groups.flat()]),
  arbitraryText(),
);
