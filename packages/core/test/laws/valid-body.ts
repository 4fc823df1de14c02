import type { Json, JsonObject } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";

/** What a service would refuse in a request body that was made for it: pairs of calls and results, ids, names, places, limits. */
export const problemsOf: { readonly [P in BodyProtocol]: (body: JsonObject, callId?: RegExp) => string[] } = {
  "openai-chat": chatProblems,
  "anthropic-messages": anthropicProblems,
  "gemini-generate-content": geminiProblems,
};

const objects = (value: Json | undefined): readonly JsonObject[] =>
  Array.isArray(value) ? (value as readonly Json[]).filter(isJsonObject) : [];

const duplicates = (names: readonly string[]): string[] => names.filter((name, index) => names.indexOf(name) !== index);

function chatProblems(body: JsonObject, callId = /^[A-Za-z0-9_-]{1,64}$/): string[] {
  const problems: string[] = [];
  const messages = objects(body["messages"]);
  if (messages.length === 0) problems.push("no messages");
  const open = new Set<string>();
  const seen: string[] = [];
  messages.forEach((message, index) => {
    const { role, content, tool_call_id: answered } = message;
    const at = `messages/${index}`;
    if (Array.isArray(content) && content.length === 0) problems.push(`${at}: empty content`);
    problems.push(...chatContentProblems(message, at));
    if (role === "tool") {
      if (!open.delete(String(answered))) problems.push(`${at}: result without a call directly before`);
      return;
    }
    if (open.size > 0) problems.push(`${at}: call without a result directly after`);
    open.clear();
    for (const call of objects(message["tool_calls"])) {
      const inner = call["function"] ?? call["custom"];
      if (!isJsonObject(inner)) continue;
      open.add(String(call["id"]));
      seen.push(String(call["id"]));
      if (!callId.test(String(call["id"]))) problems.push(`${at}: call id`);
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(String(inner["name"]))) problems.push(`${at}: name of a call`);
    }
  });
  if (open.size > 0) problems.push("end: call without a result");
  if (duplicates(seen).length > 0) problems.push("call ids stand twice");
  const names = objects(body["tools"]).flatMap((tool) => {
    const inner = tool["function"] ?? tool["custom"];
    return isJsonObject(inner) ? [String(inner["name"])] : [];
  });
  problems.push(...nameProblems(names, /^[A-Za-z0-9_-]{1,64}$/));
  const { tool_choice: choice, stop, response_format: format } = body;
  const named = isJsonObject(choice) ? ((choice["function"] ?? choice["custom"]) as JsonObject | undefined) : undefined;
  if (choice !== undefined && choice !== "none" && body["tools"] === undefined) problems.push("choice without tools");
  if (named !== undefined && !names.includes(String(named["name"])))
    problems.push("choice of a tool that is not declared");
  if (Array.isArray(stop) && (stop.length > 4 || stop.length === 0)) problems.push("stop sequences");
  const schema = isJsonObject(format) ? format["json_schema"] : undefined;
  if (isJsonObject(schema) && !/^[A-Za-z0-9_-]{1,64}$/.test(String(schema["name"]))) problems.push("name of a schema");
  return problems;
}

/** Kinds of content; others are passed on to the protocol that they came from. */
const known: ReadonlySet<string> = new Set(["text", "image_url", "input_audio", "file", "refusal"]);

function chatContentProblems({ role, content, ...message }: JsonObject, at: string): string[] {
  const allowed =
    role === "user"
      ? ["text", "image_url", "input_audio", "file"]
      : role === "assistant"
        ? ["text", "refusal"]
        : ["text"];
  const odd = objects(content).filter(
    (part) => known.has(String(part["type"])) && !allowed.includes(String(part["type"])),
  );
  const isEmpty =
    role === "assistant" &&
    (content === null || content === undefined) &&
    !["tool_calls", "function_call", "refusal", "audio"].some((key) => isPresent(message[key]));
  return [
    ...odd.map((part) => `${at}: ${String(part["type"])} in a message of ${String(role)}`),
    ...(isEmpty ? [`${at}: assistant without content`] : []),
  ];
}

const isPresent = (value: Json | undefined): boolean => value !== undefined && value !== null;

function nameProblems(names: readonly string[], pattern: RegExp): string[] {
  return [
    ...names.filter((name) => !pattern.test(name)).map(() => "name of a tool"),
    ...duplicates(names).map(() => "tool name stands twice"),
  ];
}

function anthropicProblems(body: JsonObject, callId = /^[A-Za-z0-9_-]{1,64}$/): string[] {
  const problems: string[] = [];
  const messages = objects(body["messages"]);
  if (messages[0]?.["role"] !== "user") problems.push("the first message is not of the user");
  if (typeof body["max_tokens"] !== "number") problems.push("no max_tokens");
  let open: string[] = [];
  const seen: string[] = [];
  messages.forEach((message, index) => {
    const at = `messages/${index}`;
    const { role } = message;
    const blocks = objects(message["content"]);
    if (Array.isArray(message["content"]) && message["content"].length === 0) problems.push(`${at}: empty content`);
    const results = blocks
      .filter((block) => block["type"] === "tool_result")
      .map((block) => String(block["tool_use_id"]));
    if (role === "assistant" || results.length > 0 || open.length > 0) {
      if (results.toSorted().join() !== open.toSorted().join())
        problems.push(`${at}: results are not those of the calls before`);
      const first = blocks.slice(0, results.length);
      if (role === "user" && first.some((block) => block["type"] !== "tool_result"))
        problems.push(`${at}: results are not first`);
    }
    const calls = blocks.filter((block) => block["type"] === "tool_use");
    open = calls.map((call) => String(call["id"]));
    seen.push(...open);
    for (const call of calls) {
      if (!callId.test(String(call["id"]))) problems.push(`${at}: call id`);
      if (!/^[A-Za-z0-9_-]{1,128}$/.test(String(call["name"]))) problems.push(`${at}: name of a call`);
      if (!isJsonObject(call["input"])) problems.push(`${at}: input`);
    }
    if (role === "system") problems.push(...systemProblems(messages, index));
    if (index > 0 && role === messages[index - 1]?.["role"]) problems.push(`${at}: two turns of one role`);
  });
  if (open.length > 0) problems.push("end: call without a result");
  if (duplicates(seen).length > 0) problems.push("call ids stand twice");
  const tools = objects(body["tools"]);
  const names = tools.flatMap((tool) => (typeof tool["name"] === "string" ? [tool["name"]] : []));
  const own = tools.filter((tool) => tool["type"] === undefined).map((tool) => String(tool["name"]));
  problems.push(...nameProblems(own, /^[A-Za-z0-9_-]{1,128}$/));
  const { tool_choice: choice } = body;
  if (choice !== undefined && body["tools"] === undefined) problems.push("choice without tools");
  if (isJsonObject(choice) && choice["type"] === "tool" && !names.includes(String(choice["name"])))
    problems.push("choice of a tool that is not declared");
  if (countOf(body, "cache_control") > 4) problems.push("more than four cache marks");
  problems.push(...textProblems(body), ...thinkingProblems(body));
  return problems;
}

function geminiProblems(body: JsonObject): string[] {
  const problems: string[] = [];
  const contents = objects(body["contents"]);
  if (contents.length === 0) problems.push("no contents");
  let open: string[] = [];
  contents.forEach(({ role, parts: list }, index) => {
    const at = `contents/${index}`;
    const parts = objects(list);
    if (parts.length === 0) problems.push(`${at}: no parts`);
    if (role !== "user" && role !== "model") problems.push(`${at}: role`);
    const namesIn = (key: string): string[] =>
      parts.flatMap(({ [key]: inner }) => (isJsonObject(inner) ? [String(inner["name"])] : []));
    if (namesIn("functionResponse").toSorted().join() !== open.toSorted().join())
      problems.push(`${at}: results are not those of the calls before`);
    open = namesIn("functionCall");
    problems.push(...nameProblems([...new Set(open)], geminiName));
    for (const { functionResponse: result } of parts)
      if (isJsonObject(result) && !isJsonObject(result["response"])) problems.push(`${at}: result`);
  });
  if (open.length > 0) problems.push("end: call without a result");
  const declared = objects(body["tools"]).flatMap((tool) =>
    objects(tool["functionDeclarations"]).map(({ name }) => String(name)),
  );
  problems.push(...nameProblems(declared, geminiName));
  return problems;
}

const geminiName = /^[A-Za-z_][A-Za-z0-9_.:-]{0,127}$/;

function systemProblems(messages: readonly JsonObject[], index: number): string[] {
  const before = messages[index - 1]?.["role"];
  const after = messages[index + 1]?.["role"];
  const isPlaced = before === "user" && (after === undefined || after === "assistant");
  return isPlaced ? [] : [`messages/${index}: place of an instruction`];
}

/** How often a key stands in a body, tool schemas and arguments aside. */
function countOf(value: Json | undefined, key: string): number {
  if (Array.isArray(value))
    return (value as readonly Json[]).reduce((sum: number, item) => sum + countOf(item, key), 0);
  if (!isJsonObject(value)) return 0;
  return Object.entries(value).reduce((sum, [name, item]) => {
    if (name === "input" || name === "input_schema" || name === "schema" || name === "input_examples") return sum;
    return sum + (name === key ? 1 : 0) + countOf(item, key);
  }, 0);
}

function textProblems(body: JsonObject): string[] {
  const problems: string[] = [];
  const blocksOf = (value: Json | undefined): readonly JsonObject[] =>
    objects(value).flatMap((block) => [block, ...(block["type"] === "tool_result" ? blocksOf(block["content"]) : [])]);
  const messages = objects(body["messages"]);
  for (const block of [...blocksOf(body["system"]), ...messages.flatMap((message) => blocksOf(message["content"]))]) {
    if (block["type"] === "text" && block["text"] === "") problems.push("empty text block");
  }
  const last = messages.at(-1);
  const end = last?.["role"] === "assistant" ? objects(last["content"]).at(-1) : undefined;
  if (end?.["type"] === "text" && /\s$/.test(String(end["text"])))
    problems.push("a started answer ends in white space");
  return problems;
}

function thinkingProblems({ thinking, tool_choice: choice, max_tokens: maximum }: JsonObject): string[] {
  if (!isJsonObject(thinking) || thinking["type"] !== "enabled") return [];
  const budget = Number(thinking["budget_tokens"]);
  const isForced = isJsonObject(choice) && (choice["type"] === "any" || choice["type"] === "tool");
  return [
    ...(isForced ? ["thinking with a forced tool"] : []),
    ...(budget < 1024 || budget >= Number(maximum) ? ["budget of thinking"] : []),
  ];
}
