import { scalarText } from "../../../codec/table.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, messagesOf, objectsOf, partsOf, repeated } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

/** Neighbouring messages of one role, which the service joins into one turn before it looks at calls. */
interface Turn {
  readonly role: unknown;
  readonly blocks: readonly Placed[];
}

/** A message whose content is a string counts as one block of text. */
const blocksOf = (message: Placed): readonly Placed[] => {
  const { content } = message.object;
  if (typeof content !== "string" || content === "") return partsOf(message);
  return [{ object: { type: "text", text: content }, path: `${message.path}/content` }];
};

function turnsOf(request: RequestView): Turn[] {
  const turns: { role: unknown; blocks: Placed[] }[] = [];
  for (const message of messagesOf(request)) {
    const { role } = message.object;
    const last = turns.at(-1);
    if (last !== undefined && last.role === role) last.blocks.push(...blocksOf(message));
    else turns.push({ role, blocks: [...blocksOf(message)] });
  }
  return turns;
}

const ofType = ({ blocks }: Turn, type: string): readonly Placed[] =>
  blocks.filter(({ object }) => object["type"] === type);

/** Each turn of the assistant with the turn of the user behind it; system messages in between do not count. */
function exchanges(request: RequestView): { readonly calls: readonly Placed[]; readonly answer: Turn | undefined }[] {
  const turns = turnsOf(request).filter(({ role }) => role !== "system");
  return turns.flatMap((turn, index) =>
    turn.role === "assistant" ? [{ calls: ofType(turn, "tool_use"), answer: turns[index + 1] }] : [],
  );
}

const idsOf = (blocks: readonly Placed[], key: string): Set<unknown> =>
  new Set(blocks.map(({ object }) => object[key]));

/** Declarations with a name that the client gave. */
const namedTools = ({ body }: RequestView): readonly Placed[] =>
  objectsOf(body["tools"], "/tools").filter(({ object }) => typeof object["name"] === "string");

/** Calls, their results, and the tools that are called. */
export const anthropicCallRules: readonly Rule<RequestView>[] = [
  {
    id: "A4a",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/anthropics/claude-code/issues/5060",
    description: "Each `tool_use` is answered by a `tool_result` in the user turn directly after its turn.",
    check: (request, flag) => {
      for (const { calls, answer } of exchanges(request)) {
        const answered = idsOf(answer === undefined ? [] : ofType(answer, "tool_result"), "tool_use_id");
        for (const { object, path } of calls)
          if (!answered.has(object["id"]))
            flag(path, "the call has no result in the next turn: put its result there, or write one that says so");
      }
    },
  },
  {
    id: "A4b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/anthropics/claude-code/issues/5060",
    description: "The results of a turn come before its other blocks.",
    check: (request, flag) => {
      for (const { calls, answer } of exchanges(request)) {
        if (calls.length === 0 || answer === undefined) continue;
        const first = answer.blocks.findIndex(({ object }) => object["type"] !== "tool_result");
        if (first < 0) continue;
        for (const { object, path } of answer.blocks.slice(first))
          if (object["type"] === "tool_result") flag(path, "move the result before the other blocks of its turn");
      }
    },
  },
  {
    id: "A4c",
    severity: "error",
    evidence: "recording",
    source: 'recorded answer: "unexpected `tool_use_id` found in `tool_result` blocks"',
    description: "Each `tool_result` answers a call of the turn directly before.",
    check: (request, flag) => {
      const turns = turnsOf(request).filter(({ role }) => role !== "system");
      turns.forEach((turn, index) => {
        const before = turns[index - 1];
        const calls = idsOf(before === undefined ? [] : ofType(before, "tool_use"), "id");
        for (const { object, path } of ofType(turn, "tool_result"))
          if (!calls.has(object["tool_use_id"]))
            flag(
              `${path}/tool_use_id`,
              "the turn before has no such call: leave the result out, or put it to its call",
            );
      });
    },
  },
  {
    id: "A4d",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "Each call has one result.",
    check: (request, flag) => {
      for (const turn of turnsOf(request))
        for (const { path } of repeated(ofType(turn, "tool_result"), ({ object }) => scalarText(object["tool_use_id"])))
          flag(`${path}/tool_use_id`, "the call is answered before: leave the second result out");
    },
  },
  {
    id: "A4e",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/anthropics/claude-code/issues/20901",
    description: "No two calls have the same id.",
    check: (request, flag) => {
      const calls = messagesOf(request)
        .flatMap(partsOf)
        .filter(({ object }) => object["type"] === "tool_use");
      for (const { path } of repeated(calls, ({ object }) => scalarText(object["id"])))
        flag(`${path}/id`, "an earlier call has this id: give call and result another");
    },
  },
  {
    id: "A5a",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/BlockRunAI/ClawRouter/issues/17",
    description: "Ids of calls are letters, digits, underscores and hyphens.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request).flatMap(partsOf)) {
        const key = object["type"] === "tool_use" ? "id" : object["type"] === "tool_result" ? "tool_use_id" : undefined;
        if (key !== undefined && !/^[A-Za-z0-9_-]+$/.test(scalarText(object[key] ?? "")))
          flag(`${path}/${key}`, "write letters, digits, underscores and hyphens only, in call and result alike");
      }
    },
  },
  {
    id: "A5b",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, ToolUseBlockParam.input; Messages API: input must be an object",
    description: "The input of a call is an object.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request).flatMap(partsOf))
        if (object["type"] === "tool_use" && !isJsonObject(object["input"]))
          flag(`${path}/input`, "the input is no object: write the arguments as one");
    },
  },
  {
    id: "A13",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    unenforced: "a recorded request with a pending call of the service in its history was answered",
    description: "A `server_tool_use` has its result in the same turn, unless the turn is the last one.",
    check: (request, flag) => {
      const turns = turnsOf(request).filter(({ role }) => role !== "system");
      turns.forEach((turn, index) => {
        if (turn.role !== "assistant" || index === turns.length - 1) return;
        const answered = idsOf(turn.blocks, "tool_use_id");
        for (const { object, path } of ofType(turn, "server_tool_use"))
          if (!answered.has(object["id"])) flag(path, "its result is missing: send the turn as the service gave it");
      });
    },
  },
  {
    id: "A19",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/home-assistant/core/issues/147760; https://github.com/BerriAI/litellm/pull/26788",
    description: "Names of tools are 1 to 128 letters, digits, underscores and hyphens.",
    check: (request, flag) => {
      for (const { object, path } of namedTools(request))
        if (!/^[A-Za-z0-9_-]{1,128}$/.test(scalarText(object["name"])))
          flag(`${path}/name`, "write 1 to 128 letters, digits, underscores or hyphens");
    },
  },
  {
    id: "A20a",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "The tool that `tool_choice` names is declared.",
    check: (request, flag) => {
      const choice = request.body["tool_choice"];
      if (!isJsonObject(choice) || choice["type"] !== "tool") return;
      if (!namedTools(request).some(({ object }) => object["name"] === choice["name"]))
        flag("/tool_choice/name", "the chosen tool is not declared: declare it, or choose another");
    },
  },
  {
    id: "A20b",
    severity: "warning",
    evidence: "knowledge",
    source: "https://github.com/ayunis-core/ayunis-core/pull/813: a review says so, no answer of the service is shown",
    description: "`tool_choice` stands only beside `tools`.",
    check: ({ body: { tool_choice: choice, tools } }, flag) => {
      const declares = Array.isArray(tools) && tools.length > 0;
      if (isStated(choice) && !declares)
        flag("/tool_choice", "there are no tools to choose from: leave the choice out");
    },
  },
  {
    id: "X1",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/danny-avila/LibreChat/issues/13162",
    description: "Names of tools are unique.",
    check: (request, flag) => {
      for (const { path } of repeated(namedTools(request), ({ object }) => scalarText(object["name"])))
        flag(`${path}/name`, "an earlier tool has this name: leave one of them out");
    },
  },
];
