import type { Json, JsonObject } from "@rolecall/core";
import type { RuleCase } from "./cases.ts";

const user: JsonObject = { role: "user", content: "How is the weather in Paris?" };
const body = (more: JsonObject = {}, input: Json = [user]): JsonObject => ({ model: "example-model", input, ...more });
const items = (...list: readonly Json[]): JsonObject => body({}, list);
const call = (id: string, more: JsonObject = {}): JsonObject => ({
  type: "function_call",
  call_id: id,
  name: "weather",
  arguments: "{}",
  ...more,
});
const output = (id: string): JsonObject => ({ type: "function_call_output", call_id: id, output: "18 degrees" });
const reasoning = (more: JsonObject = {}): JsonObject => ({ type: "reasoning", id: "rs_1", summary: [], ...more });
const says = (role: string, type: string): JsonObject => ({ role, content: [{ type, text: "a" }] });
const tool = (name: string, more: JsonObject = {}): JsonObject => ({
  type: "function",
  name,
  parameters: null,
  ...more,
});
const answer = (more: JsonObject = {}): JsonObject => ({ role: "assistant", content: "a", ...more });
const program = { type: "program", id: "cm_1", call_id: "p", code: "1", fingerprint: "ZmluZ2Vy" };
const open = { type: "object", properties: { city: { type: "string" } } };
const closed = { ...open, required: ["city"], additionalProperties: false };

export const responsesCases: readonly RuleCase[] = [
  { rule: "R1a", bad: items(user, call("a"), user), path: "/input/1", good: items(user, call("a"), user, output("a")) },
  {
    rule: "R1a",
    bad: items({ type: "local_shell_call", id: "a", call_id: "a", action: {}, status: "completed" }),
    path: "/input/0",
    good: body({ previous_response_id: "resp_1" }, [call("a")]),
  },
  {
    rule: "R1b",
    bad: items(user, output("a")),
    path: "/input/1/call_id",
    good: items(user, { type: "tool_search_call", call_id: "a", arguments: {} }, output("a")),
  },
  {
    rule: "R1b",
    bad: items(user, call("a"), output("a"), output("a")),
    path: "/input/3/call_id",
    good: body({ conversation: "conv_1" }, [output("a")]),
  },
  {
    rule: "R2a",
    bad: items(call("x".repeat(65)), output("x".repeat(65))),
    path: "/input/0/call_id",
    good: items(call("x".repeat(64)), output("x".repeat(64))),
  },
  {
    rule: "R2b",
    bad: items(user, call("a", { id: "fc_1" }), output("a"), call("b", { id: "fc_1" }), output("b")),
    path: "/input/3/id",
    good: items(user, call("a", { id: "fc_1" }), output("a"), call("b", { id: "fc_2" }), output("b")),
  },
  {
    rule: "R3",
    bad: items(user, reasoning(), user),
    path: "/input/1",
    good: items(user, reasoning(), { role: "assistant", content: "a" }, user),
  },
  {
    rule: "R4a",
    bad: body({ store: false }, [user, reasoning(), call("a"), output("a")]),
    path: "/input/1",
    good: body({ store: false }, [user, reasoning({ encrypted_content: "c2ln" }), call("a"), output("a")]),
  },
  {
    rule: "R4b",
    bad: body({ store: false }, [user, { type: "item_reference", id: "msg_1" }]),
    path: "/input/1",
    good: body({ store: true }, [user, { type: "item_reference", id: "msg_1" }]),
  },
  {
    rule: "R6",
    bad: body({ previous_response_id: "resp_1", conversation: "conv_1" }),
    path: "/previous_response_id",
    good: body({ previous_response_id: "resp_1", conversation: null }),
  },
  {
    rule: "R7",
    bad: body({ max_output_tokens: 15 }),
    path: "/max_output_tokens",
    good: body({ max_output_tokens: 16 }),
  },
  {
    rule: "R8",
    bad: items({ type: "compaction_trigger" }, user),
    path: "/input/0",
    good: items(user, { type: "compaction_trigger" }),
  },
  {
    rule: "R9",
    bad: items({ type: "additional_tools", role: "user", tools: [] }, user),
    path: "/input/0/role",
    good: items({ type: "additional_tools", role: "developer", tools: [] }, user),
  },
  {
    rule: "R10",
    bad: items(user, { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true }),
    path: "/input/1/approval_request_id",
    good: items(
      user,
      { type: "mcp_approval_request", id: "mcpr_1", name: "a", server_label: "b", arguments: "{}" },
      { type: "mcp_approval_response", approval_request_id: "mcpr_1", approve: true },
    ),
  },
  {
    rule: "R12",
    bad: body({ stream: true, background: true, background_options: {} }),
    path: "/background_options",
    good: body({ background: true, background_options: {} }),
  },
  {
    rule: "R13a",
    bad: items(user, says("assistant", "input_text"), user),
    path: "/input/1/content/0/type",
    good: items(user, says("assistant", "output_text"), user),
  },
  {
    rule: "R13b",
    bad: items(says("user", "output_text")),
    path: "/input/0/content/0/type",
    good: items(says("developer", "input_text"), { ...says("user", "input_text"), type: "message" }),
  },
  {
    rule: "R17",
    bad: body({ tools: [tool("weather", { strict: true, parameters: open })] }),
    path: "/tools/0/parameters",
    good: body({ tools: [tool("weather", { strict: true, parameters: closed }), tool("time", { parameters: open })] }),
  },
  {
    rule: "R17",
    bad: body({ text: { format: { type: "json_schema", name: "a", strict: true, schema: open } } }),
    path: "/text/format/schema",
    good: body({ text: { format: { type: "json_schema", name: "a", strict: true, schema: closed } } }),
  },
  { rule: "R18", bad: body({ temperature: -1 }), path: "/temperature", good: body({ temperature: 0, top_p: 1 }) },
  {
    rule: "R19",
    bad: body({ tools: [tool("get.weather")] }),
    path: "/tools/0/name",
    good: body({ tools: [tool("get_weather"), { type: "web_search" }] }),
  },
  {
    rule: "R20",
    bad: body({ text: { format: { type: "json_schema", name: "my answer", schema: {} } } }),
    path: "/text/format/name",
    good: body({ text: { format: { type: "json_object" } } }),
  },
  {
    rule: "R21",
    bad: items(user, call("a", { arguments: {} }), output("a")),
    path: "/input/1/arguments",
    good: body({}, "How is the weather?"),
  },
  {
    rule: "R5",
    bad: items(user, reasoning({ encrypted_content: "c2ln", status: "in_progress" }), answer()),
    path: "/input/1/encrypted_content",
    good: items(user, reasoning({ encrypted_content: "c2ln", status: "completed" }), answer(), user),
  },
  {
    rule: "R11a",
    bad: items(user, { type: "program", id: "cm_1", call_id: "p", code: "1" }),
    path: "/input/1",
    good: items(user, program),
  },
  {
    rule: "R11b",
    bad: items(user, program, { type: "program_output", id: "po_1", call_id: "q", result: "1", status: "completed" }),
    path: "/input/2/call_id",
    good: items(user, program, { type: "program_output", id: "po_1", call_id: "p", result: "1", status: "completed" }),
  },
  {
    rule: "R11b",
    bad: items(user, program, call("a", { caller: { type: "program", caller_id: "q" } }), output("a")),
    path: "/input/2/caller/caller_id",
    good: items(user, program, call("a", { caller: { type: "program", caller_id: "p" } }), output("a")),
  },
  {
    rule: "R14",
    bad: items(user, answer({ phase: "commentary" }), answer(), user),
    path: "/input/2",
    good: items(user, answer({ phase: "commentary" }), answer({ phase: "final_answer" }), user),
  },
  {
    rule: "R15",
    bad: items(user, answer({ status: "incomplete" }), answer()),
    path: "/input/1/status",
    good: items(user, answer({ status: "incomplete" }), user),
  },
  {
    rule: "R22",
    bad: items({ role: "user", content: [{ type: "input_file", file_data: "data:audio/mpeg;base64,AAAA" }] }),
    path: "/input/0/content/0/file_data",
    good: items({ role: "user", content: [{ type: "input_file", file_data: "data:application/pdf;base64,AAAA" }] }),
  },
  {
    rule: "R22",
    bad: items(user, call("a"), {
      ...output("a"),
      output: [{ type: "input_file", file_url: "https://example.com/a.mp3?b=c" }],
    }),
    path: "/input/2/output/0/file_url",
    good: items(user, call("a"), {
      ...output("a"),
      output: [{ type: "input_file", file_url: "https://example.com/a.pdf" }],
    }),
  },
  {
    rule: "X1",
    bad: body({ tools: [tool("weather"), tool("weather")] }),
    path: "/tools/1/name",
    good: body({ tools: [tool("weather"), tool("time")] }),
  },
];
