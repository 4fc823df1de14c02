import type { DecodeProgress } from "../../codec/course.ts";
import { Course } from "../../codec/course.ts";
import { createExchange } from "../../codec/exchange.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateMap, LateSet } from "../../codec/identity/late.ts";
import { copyNames, createNames } from "../../codec/identity/names.ts";
import type { Ledger } from "../../codec/ledger.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  keepOdd,
  keepUnknown,
  plainWire,
  spell,
  wireOf,
} from "../../codec/ledger.ts";
import { pairResults } from "../../codec/pairing.ts";
import { unstatedProfile } from "../../codec/profile.ts";
import type { Decoded, EncodedRequest, EncodeOptions, History, WireRequest } from "../../codec/protocol.ts";
import { refuseForeign } from "../../codec/refuse-foreign.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, restore } from "../../codec/restore.ts";
import { isForOpenAi } from "../../codec/schema/strict.ts";
import { declaredNames } from "../../codec/tools/declarations.ts";
import { reportToolChanges, withoutNamesakes } from "../../codec/tools/tool-changes.ts";
import { EncodeError } from "../../errors/index.ts";
import type { Conversation, Form, Json, JsonObject, Message, Profile, Settings, Tool } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";
import { createTrace, lose } from "../../loss/index.ts";
import type { DeclaredTool } from "../../transcript/index.ts";
import { replayTools } from "../../transcript/index.ts";
import type { Reader } from "./context.ts";
import { copyReader } from "./context.ts";
import { fieldPointer } from "./fields.ts";
import { decodeMessages } from "./messages/decode.ts";
import { encodeMessages } from "./messages/encode.ts";
import { resolveProfile } from "./profile.ts";
import { decodeSettings, staleKeys } from "./settings/decode.ts";
import { encodeSettings } from "./settings/encode.ts";
import { orphanedResidue } from "./settings/residue.ts";
import type { SettingsWriter } from "./settings/writer.ts";
import { decodeFunction, decodeTool, encodeTool } from "./tools.ts";
import { requestKeys } from "./wire.ts";

const protocol = "openai-chat";

export const history: History = {
  key: "messages",
  heads: ["tools", "functions"],
  isOfModel: ({ role }) => role === "assistant",
  isOfOthers: ({ role }) => role === "user" || role === "tool",
};

export function decodeRequest(
  wire: WireRequest,
  source: Profile = {},
  progress?: DecodeProgress,
): Decoded<Conversation> {
  const body = expectObject(wire.body, "", "a Chat Completions request");
  const before = progress?.from?.reader as Reader | undefined;
  const reader: Reader =
    before === undefined
      ? {
          trace: createTrace(fieldPointer),
          provider: source.provider,
          losses: [],
          callIds: createCallIds(protocol),
          functionCalls: new LateMap(),
          response: false,
        }
      : copyReader(before);
  const { trace } = reader;
  const ledger = createLedger(protocol, "null");
  keepUnknown(ledger, body, requestKeys);
  const tools = decodeTools(body, ledger, reader, before !== undefined);
  const messages = decodeMessages(body["messages"], tools, reader, progress);
  const settings = decodeSettings(body, ledger);
  const value: Conversation = { messages, settings, wire: wireOf(ledger) ?? plainWire(protocol) };
  trace.pointers.set(value, "");
  trace.pointers.set(settings, "");
  const spelled = spelledSettings(settings, value.wire?.form);
  return { value, losses: reader.losses, trace: { ...trace, fieldPointer: spelled } };
}

/** Settings that have two keys, and the form that says which of them the client used. */
const twoKeys: { readonly [field: string]: string | undefined } = {
  toolChoice: "toolChoice",
  "toolChoice/mode": "toolChoice",
  "toolChoice/names": "toolChoice",
  maxTokens: "maxTokens",
  seed: "seedField",
  userId: "userId",
};

/** Where a field stands in this body: a loss must not name the key that the client did not use. */
function spelledSettings(settings: Settings, form: Form = {}): FieldPointer {
  return (node, field, base) => {
    const key = node === settings ? form[twoKeys[field] ?? ""] : undefined;
    return typeof key === "string" ? key : fieldPointer(node, field, base);
  };
}

/** `known`: they are what they were in the request before, so that only their spelling is of interest. */
function decodeTools(body: JsonObject, ledger: Ledger, reader: Reader, known: boolean): readonly Tool[] {
  const { tools, functions } = body;
  const list = Array.isArray(tools) && tools.length > 0 ? tools : undefined;
  if (list === undefined) {
    if (tools !== undefined && tools !== null && !Array.isArray(tools)) expectArray(tools, "/tools", "tools");
    if (tools !== undefined) spell(ledger, "tools", tools);
  }
  const decoded = known ? [] : (list ?? []).map((tool: Json, index) => decodeTool(tool, `/tools/${index}`, reader));
  if (Array.isArray(functions) && functions.length === 0) spell(ledger, "functions", functions);
  else if (!Array.isArray(functions)) keepOdd(ledger, "functions", functions as Json | undefined);
  else if (!known)
    decoded.push(...functions.map((tool: Json, index) => decodeFunction(tool, `/functions/${index}`, reader)));
  return decoded;
}

export function encodeRequest(
  conversation: Conversation,
  profile: Profile = unstatedProfile,
  options: EncodeOptions = {},
): EncodedRequest {
  const course = new Course<Kept>(conversation, options.progress);
  const { report, from } = course;
  const faithful = conversation.wire?.protocol === protocol;
  const mends = !faithful || options.mend === true;
  const target = resolveProfile(profile, faithful);
  const body: WireObject = {};
  const writer: SettingsWriter = {
    target,
    faithful,
    mends,
    forOpenAi: isForOpenAi(conversation),
    response: false,
    report,
    names:
      from === undefined
        ? createNames(
            protocol,
            identifierRule(64, !mends, target.toolNamePattern),
            // Ids of its own servers may hold any character.
            identifierRule(64, !mends, target.toolCallIdPattern ?? (faithful && mends ? "[^]{0,64}" : undefined)),
            report,
          )
        : copyNames(from.state.names, report),
    customTools: from?.state.customTools.copy() ?? new LateSet(),
    functionNames: from?.state.functionNames.copy() ?? new LateMap(),
    link: options.link,
    body,
    settings: conversation.settings,
    conversation,
    declared: from?.state.declared.copy() ?? new LateSet(),
  };
  refuseForeign(course.rest, profile, protocol);
  course.sweep(target);
  if (from === undefined) {
    course.enter("head");
    encodeTools(writer);
  } else Object.assign(body, from.body);
  const messages = course.write(
    from === undefined ? instructionsFirst(conversation.messages, writer) : course.messages,
    {
      history,
      order: (some) => (mends ? pairResults(some, report) : some),
      encode: (ordered, some) => encodeMessages(ordered, some, writer),
      copyState: () => copyKept(writer),
    },
  );
  course.close(body);
  if (messages.length === 0 && mends) {
    throw new EncodeError(
      "/messages",
      `${protocol} needs at least one message, and nothing of the conversation gives one: add a user message`,
    );
  }
  body["messages"] = messages;
  encodeSettings(writer);
  const gone = [...staleKeys(conversation), ...orphanedResidue(conversation, body, writer)];
  restore(body, conversation.wire, protocol, gone);
  options.link?.(conversation, body);
  return {
    value: { body: body as JsonObject },
    losses: course.losses(),
    exchange: createExchange(conversation, protocol, profile, writer.names, writer.customTools),
  };
}

/** What an encoding knows that goes on where another one stopped. */
type Kept = Pick<SettingsWriter, "names" | "customTools" | "functionNames" | "declared">;

function copyKept({ names, report, customTools, functionNames, declared }: SettingsWriter): Kept {
  return {
    names: copyNames(names, report),
    customTools: customTools.copy(),
    functionNames: functionNames.copy(),
    declared: declared.copy(),
  };
}

/** For a server that takes instructions only before the turns: those among the turns move there. */
function instructionsFirst(messages: readonly Message[], writer: SettingsWriter): readonly Message[] {
  const turn = messages.findIndex(({ role }) => role !== "system");
  if (writer.target.midConversationSystem || turn < 0) return messages;
  const moved = messages.slice(turn).filter((message) => message.role === "system");
  moved.forEach((message, index) => {
    lose(writer.report, "instruction.moved", message, "role");
    if (index === 0) lose(writer.report, "cache.prefix_changed", message, "role");
  });
  return [...messages.slice(0, turn), ...moved, ...messages.slice(turn).filter(({ role }) => role !== "system")];
}

/** Chat declares tools with the request: those in force after all changes within the conversation. */
function encodeTools(writer: SettingsWriter): void {
  const { body } = writer;
  const { messages } = writer.conversation;
  const declared: DeclaredTool[] = replayTools(messages);
  reportToolChanges(messages, declared, writer.report);
  const tools: JsonObject[] = [];
  const functions: JsonObject[] = [];
  for (const { tool } of writer.mends ? withoutNamesakes(declared, writer.report) : declared) {
    const list = formOf(tool.wire, protocol, "functions") === true ? functions : tools;
    const encoded = encodeTool(tool, writer);
    if (tool.type !== "server") for (const name of declaredNames(tool)) writer.declared.add(name);
    list.push(...encoded);
  }
  if (tools.length > 0) body["tools"] = tools;
  if (functions.length > 0) body["functions"] = functions;
}
