import { identifierRule, isAcceptable } from "../../../codec/identity/identifiers.ts";
import { scalarText } from "../../../codec/table.ts";
import type { JsonObject, Pointer } from "../../../ir/index.ts";
import { isJsonObject, readArguments } from "../../../ir/index.ts";
import { resolveProfile } from "../../../protocols/openai-chat/profile.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, messagesOf, objectsOf, repeated } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

const callsOf = ({ object, path }: Placed): readonly Placed[] => objectsOf(object["tool_calls"], `${path}/tool_calls`);

interface Answers {
  /** Calls that are not answered before another message comes. */
  readonly open: readonly Pointer[];
  /** Results of which no call is open. */
  readonly orphans: readonly Pointer[];
}

/** The function or free-text tool of a declaration or call. */
const innerOf = (object: JsonObject): { readonly key: string; readonly inner: JsonObject } | undefined => {
  const key = object["type"] === "custom" ? "custom" : "function";
  const inner = object[key];
  return isJsonObject(inner) ? { key, inner } : undefined;
};

/** Which results answer which calls: only those directly behind their message do. */
function answersOf(messages: readonly Placed[]): Answers {
  const missing: Pointer[] = [];
  const orphans: Pointer[] = [];
  let open = new Map<string, Placed>();
  const close = (): void => {
    // A call of a kind that nobody knows may need no result.
    for (const { object, path } of open.values()) if (innerOf(object) !== undefined) missing.push(path);
  };
  for (const message of messages) {
    const { role, tool_call_id: id } = message.object;
    if (role === "tool") {
      if (!open.delete(scalarText(id))) orphans.push(message.path);
      continue;
    }
    close();
    open = new Map(role === "assistant" ? callsOf(message).map((call) => [scalarText(call.object["id"]), call]) : []);
  }
  close();
  return { open: missing, orphans };
}

/** The declarations of a request that have a name, with its place. */
export function namedTools({ body }: RequestView): readonly { readonly name: string; readonly path: Pointer }[] {
  return objectsOf(body["tools"], "/tools").flatMap(({ object, path }) => {
    const found = innerOf(object);
    const name = found?.inner["name"];
    return typeof name === "string" ? [{ name, path: `${path}/${found?.key}/name` }] : [];
  });
}

/** The names that calls of the history call. */
function calledNames(request: RequestView): readonly { readonly name: string; readonly path: Pointer }[] {
  return messagesOf(request)
    .flatMap(callsOf)
    .flatMap(({ object, path }) => {
      const found = innerOf(object);
      const name = found?.inner["name"];
      return typeof name === "string" ? [{ name, path: `${path}/${found?.key}/name` }] : [];
    });
}

/** Call ids, in calls of known kinds and in results, with their places. */
function idsOf(request: RequestView): readonly { readonly id: string; readonly path: Pointer }[] {
  return messagesOf(request).flatMap((message) => {
    const ids = callsOf(message)
      .filter(({ object }) => innerOf(object) !== undefined)
      .map(({ object, path }) => ({ id: object["id"], path: `${path}/id` }));
    ids.push({ id: message.object["tool_call_id"], path: `${message.path}/tool_call_id` });
    return ids.flatMap(({ id, path }) => (typeof id === "string" ? [{ id, path }] : []));
  });
}

/** Calls, their results, and the tools that are called. */
export const chatCallRules: readonly Rule<RequestView>[] = [
  {
    id: "C2",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/BerriAI/litellm/issues/10083",
    description: "Each call is answered by a `tool` message directly after its message, before any other role.",
    check: (request, flag) => {
      for (const path of answersOf(messagesOf(request)).open)
        flag(
          path,
          "the call has no result directly after its message: put its result there, or write one that says so",
        );
    },
  },
  {
    id: "C3",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/miurla/morphic/issues/136",
    description: "Each `tool` message answers a call of the message of the assistant before it, and each call once.",
    check: (request, flag) => {
      for (const path of answersOf(messagesOf(request)).orphans)
        flag(
          `${path}/tool_call_id`,
          "no call directly before has this id: leave the result out, or put it to its call",
        );
    },
  },
  {
    id: "C6a",
    severity: "warning",
    evidence: "types",
    source: "openai 7.59.0, ChatCompletionMessageFunctionToolCall: the model does not always generate valid JSON",
    description: "The arguments of a function call are the text of a JSON object.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request).flatMap(callsOf)) {
        const text = isJsonObject(object["function"]) ? object["function"]["arguments"] : undefined;
        if (typeof text === "string" && "error" in readArguments(text))
          flag(`${path}/function/arguments`, "the arguments are no JSON object: servers that read them refuse it");
      }
    },
  },
  {
    id: "C6b",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ChatCompletionMessageFunctionToolCall.Function.arguments",
    description: "The arguments of a function call are text.",
    check: (request, flag) => {
      for (const { object, path } of messagesOf(request).flatMap(callsOf)) {
        const call = object["function"];
        if (isJsonObject(call) && isStated(call["arguments"]) && typeof call["arguments"] !== "string")
          flag(`${path}/function/arguments`, "write the arguments as JSON text");
      }
    },
  },
  {
    id: "C10a",
    severity: "warning",
    evidence: "issue",
    source:
      "https://github.com/microsoft/autogen/issues/6377; not reproduced in https://github.com/vercel/ai/pull/17233",
    description: "Call ids have 40 characters at most.",
    check: (request, flag) => {
      for (const { id, path } of idsOf(request))
        if (id.length > 40 && id.length <= 64) flag(path, `${id.length} characters: some models refuse more than 40`);
    },
  },
  {
    id: "C10b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/openclaw/openclaw/pull/875; https://github.com/archestra-ai/archestra/issues/401",
    description: "Call ids have 64 characters at most.",
    check: (request, flag) => {
      for (const { id, path } of idsOf(request))
        if (id.length > 64) flag(path, `${id.length} characters: give call and result a shorter id`);
    },
  },
  {
    id: "C10c",
    severity: "error",
    evidence: "recording",
    source: 'the profile; recorded answer of Mistral: "Tool call id has to be defined"',
    description: "Call ids are as the profile of the server says (Mistral: 9 letters or digits).",
    check: (request, flag) => {
      const { toolCallIdPattern } = resolveProfile(request.profile, true);
      if (toolCallIdPattern === undefined) return;
      const rule = identifierRule(64, true, toolCallIdPattern);
      for (const { id, path } of idsOf(request))
        if (!isAcceptable(id, rule)) flag(path, "this server takes other ids: write one, in call and result alike");
    },
  },
  {
    id: "C12a",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/mcp-use/mcp-use/issues/90; openai 7.59.0, FunctionDefinition.name",
    description: "Names of tools are 1 to 64 letters, digits, underscores and hyphens, in declarations and in calls.",
    check: (request, flag) => {
      for (const { name, path } of [...namedTools(request), ...calledNames(request)])
        if (!/^[A-Za-z0-9_.-]{1,64}$/.test(name)) flag(path, "write 1 to 64 letters, digits, underscores or hyphens");
    },
  },
  {
    id: "C12b",
    severity: "warning",
    evidence: "issue",
    source: "https://github.com/danishjsheikh/swagger-mcp/issues/13: later models take dots",
    description: "Names of tools hold no dots.",
    check: (request, flag) => {
      for (const { name, path } of [...namedTools(request), ...calledNames(request)])
        if (name.includes(".")) flag(path, "only some models take dots in names: write an underscore");
    },
  },
  {
    id: "X1",
    severity: "warning",
    evidence: "knowledge",
    source: "https://github.com/danny-avila/LibreChat/issues/13162: Anthropic refuses it, OpenAI does not",
    description: "Names of tools are unique.",
    check: (request, flag) => {
      for (const { path } of repeated(namedTools(request), ({ name }) => name))
        flag(path, "an earlier tool has this name: the model cannot tell them apart, so leave one out");
    },
  },
];
