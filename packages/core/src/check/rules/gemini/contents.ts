import { isJsonObject } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";
import { contentsOf, declarationsOf, either, partsOf, within } from "./reading.ts";

/** What a part holds: one of these. */
const dataFields = [
  "text",
  "inlineData",
  "fileData",
  "functionCall",
  "functionResponse",
  "executableCode",
  "codeExecutionResult",
  "toolCall",
  "toolResponse",
];

const isModel = (content: Placed | undefined): boolean => content?.object["role"] === "model";
const answers = (content: Placed | undefined): boolean =>
  content !== undefined && within(content, "functionResponse").length > 0;

/** Models that demand the signature of a call: Gemini 3 and later. */
const demandsSignature = (model: string | undefined): boolean => /(?:^|\/)gemini-(?:[3-9]|\d\d)/.test(model ?? "");

/** The contents of the current turn: all behind the last words of the user. */
function currentTurn(request: RequestView): readonly Placed[] {
  const contents = contentsOf(request);
  const said = contents.findLastIndex(
    (content) => !isModel(content) && partsOf(content).some(({ object }) => typeof object["text"] === "string"),
  );
  return contents.slice(said + 1);
}

/** Neighbouring contents of one side, which the service joins into one turn. */
interface Turn {
  readonly isModel: boolean;
  readonly contents: readonly Placed[];
}

function turnsOf(request: RequestView): readonly Turn[] {
  const turns: { isModel: boolean; contents: Placed[] }[] = [];
  for (const content of contentsOf(request)) {
    const last = turns.at(-1);
    if (last !== undefined && last.isModel === isModel(content)) last.contents.push(content);
    else turns.push({ isModel: isModel(content), contents: [content] });
  }
  return turns;
}

/** Each turn with calls, with the results in the turn behind it. */
function exchanges(request: RequestView) {
  const turns = turnsOf(request);
  return turns.flatMap((turn, index) => {
    const calls = turn.isModel ? turn.contents.flatMap((content) => within(content, "functionCall")) : [];
    const answer = turns[index + 1]?.contents ?? [];
    const results = answer.flatMap((content) => within(content, "functionResponse"));
    const first = turn.contents[0] as Placed;
    return calls.length === 0 ? [] : [{ first, calls, results, isFirst: index === 0 }];
  });
}

/** Contents and their parts. */
export const geminiContentRules: readonly Rule<RequestView>[] = [
  {
    id: "G1a",
    severity: "error",
    evidence: "recording",
    source: 'recorded answer: "Please use a valid role: user, model."',
    description: "Contents have the role `user` or `model`; those with results may say `function`.",
    check: (request, flag) => {
      for (const content of contentsOf(request)) {
        const { role } = content.object;
        if (!isStated(role) || role === "user" || role === "model" || (role === "function" && answers(content)))
          continue;
        flag(`${content.path}/role`, "write user or model; instructions stand in systemInstruction");
      }
    },
  },
  {
    id: "G1b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/songquanpeng/one-api/issues/836",
    description: "The last content is of the user, or holds results.",
    check: (request, flag) => {
      const last = contentsOf(request).at(-1);
      if (last !== undefined && isModel(last)) flag(`${last.path}/role`, "end with a turn of the user");
    },
  },
  {
    id: "G2",
    severity: "error",
    evidence: "issue",
    source:
      "https://github.com/google-gemini/gemini-cli/issues/26486; https://github.com/diegosouzapw/OmniRoute/issues/13573",
    description: "A turn with calls comes after one of the user, or one with results.",
    check: (request, flag) => {
      for (const { first, isFirst } of exchanges(request))
        if (isFirst) flag(first.path, "put a turn of the user before the calls");
    },
  },
  {
    id: "G3a",
    severity: "error",
    evidence: "issue",
    source:
      "https://github.com/google-gemini/gemini-cli/issues/4217; https://github.com/anomalyco/opencode/issues/43479",
    description: "The turn behind calls holds as many results as there are calls, where it holds any.",
    check: (request, flag) => {
      for (const { first, calls, results } of exchanges(request))
        if (results.length > 0 && results.length !== calls.length)
          flag(first.path, `${calls.length} calls and ${results.length} results behind them: answer each call once`);
    },
  },
  {
    id: "G3b",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "Results have the names of the calls that they answer.",
    check: (request, flag) => {
      for (const { calls, results } of exchanges(request)) {
        const names = new Set(calls.map(({ inner }) => inner.object["name"]));
        for (const { inner } of results)
          if (!names.has(inner.object["name"])) flag(`${inner.path}/name`, "no call before has this name");
      }
    },
  },
  {
    id: "G3c",
    severity: "warning",
    evidence: "issue",
    source: "https://github.com/google-gemini/gemini-cli/issues/4217",
    unenforced: "recorded requests of gemini-2.0-flash with calls and no results at all were answered",
    description: "Calls have results behind them.",
    check: (request, flag) => {
      for (const { first, results } of exchanges(request))
        if (results.length === 0) flag(first.path, "the calls have no results: put them into the turn behind them");
    },
  },
  {
    id: "G4",
    severity: "error",
    evidence: "documentation",
    source:
      "https://ai.google.dev/gemini-api/docs/thought-signatures; https://github.com/lbjlaq/Antigravity-Manager/issues/3202",
    description: "Gemini 3 and later: the first call of each step of the current turn has its thought signature.",
    check: (request, flag) => {
      if (!demandsSignature(request.profile.model)) return;
      for (const content of currentTurn(request)) {
        const [first] = isModel(content) ? within(content, "functionCall") : [];
        if (first !== undefined && !isStated(either(first.part.object, "thoughtSignature").value))
          flag(first.part.path, "send the call with the thoughtSignature that it came with");
      }
    },
  },
  {
    id: "G5a",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, FunctionResponse",
    description: "A result has a name, and its response is an object.",
    check: (request, flag) => {
      for (const { inner } of contentsOf(request).flatMap((content) => within(content, "functionResponse"))) {
        const { name, response } = inner.object;
        if (typeof name !== "string" || name === "") flag(inner.path, "state the name of the function");
        if (!isJsonObject(response)) flag(inner.path, 'write the response as an object, such as {"output": …}');
      }
    },
  },
  {
    id: "G6a",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, Part: exactly one field within a Part should be set",
    description: "A part holds one kind of data.",
    check: (request, flag) => {
      for (const { object, path } of contentsOf(request).flatMap(partsOf)) {
        const held = dataFields.filter((field) => isStated(either(object, field).value));
        if (held.length > 1) flag(path, "make a part of each kind of data");
      }
    },
  },
  {
    id: "G6b",
    severity: "error",
    evidence: "types",
    source: "@google/genai 3.3.0, Content.parts",
    description: "A content has parts.",
    check: (request, flag) => {
      const { contents } = request.body;
      const counts = request.path?.includes(":countTokens") === true;
      if (!counts && (!Array.isArray(contents) || contents.length === 0))
        flag("/contents", "there is no content: add what the user says");
      for (const { object, path } of contentsOf(request))
        if (!Array.isArray(object["parts"]) || object["parts"].length === 0)
          flag(`${path}/parts`, "there are no parts: leave the content out");
    },
  },
  {
    id: "G5b",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    unenforced: "recorded requests with calls of other functions in their history were answered",
    description: "What is called in the history is declared, where any function is.",
    check: (request, flag) => {
      const names = new Set(declarationsOf(request).map(({ object }) => object["name"]));
      if (names.size === 0) return;
      for (const { inner } of contentsOf(request).flatMap((content) => within(content, "functionCall")))
        if (!names.has(inner.object["name"])) flag(`${inner.path}/name`, "declare the function that was called");
    },
  },
];
