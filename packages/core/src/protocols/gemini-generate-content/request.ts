import type { DecodeProgress } from "../../codec/course.ts";
import { Course, decodedBefore } from "../../codec/course.ts";
import { createExchange } from "../../codec/exchange.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import type { IdentifierRule } from "../../codec/identity/identifiers.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateMap, LateSet } from "../../codec/identity/late.ts";
import { copyNames, createNames } from "../../codec/identity/names.ts";
import type { Ledger } from "../../codec/ledger.ts";
import { createLedger, expectObject, isStringArray, keepUnknown, plainWire, spell } from "../../codec/ledger.ts";
import { unstatedProfile } from "../../codec/profile.ts";
import type { Decoded, EncodedRequest, EncodeOptions, History, WireRequest } from "../../codec/protocol.ts";
import { refuseForeign } from "../../codec/refuse-foreign.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf } from "../../codec/restore.ts";
import { declaredNames } from "../../codec/tools/declarations.ts";
import { reportToolChanges, withoutNamesakes } from "../../codec/tools/tool-changes.ts";
import type { Conversation, Json, JsonObject, Message, Pointer, Profile, SystemMessage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";
import { createTrace, lose } from "../../loss/index.ts";
import type { DeclaredTool } from "../../transcript/index.ts";
import { replayTools } from "../../transcript/index.ts";
import type { Reader, Writer } from "./context.ts";
import { copyReader } from "./context.ts";
import { fieldPointer } from "./fields.ts";
import { arrangeInstructions, completeTurns } from "./messages/arrange.ts";
import { decodeContents } from "./messages/decode.ts";
import { encodeContents, inPairs } from "./messages/encode.ts";
import { decodeSystem, writeSystem } from "./messages/system.ts";
import { resolveProfile } from "./profile.ts";
import { decodeSettings } from "./settings/decode.ts";
import { encodeSettings } from "./settings/encode.ts";
import { finishObject, inCamelCase, spelledWire, spellPointer } from "./spelling.ts";
import { decodeTools, encodeTools } from "./tools.ts";
import { requestKeys, requestShape } from "./wire.ts";

const protocol = "gemini-generate-content";

export const history: History = {
  key: "contents",
  heads: ["systemInstruction", "system_instruction", "tools"],
  isOfModel: ({ role }) => role === "model",
  isOfOthers: ({ role }) => role === "user" || role === "function",
};

export function decodeRequest(
  wire: WireRequest,
  source: Profile = {},
  progress?: DecodeProgress,
): Decoded<Conversation> {
  const { value: body, snake } = inCamelCase(expectObject(wire.body, "", "a generateContent request"), requestShape);
  const before = progress?.from?.reader as Reader | undefined;
  const reader: Reader =
    before === undefined
      ? {
          trace: createTrace(fieldPointer),
          provider: source.provider,
          losses: [],
          callIds: createCallIds(protocol),
          namedCalls: new LateMap(),
          callNames: new LateMap(),
          latestRecord: undefined,
          absence: "none",
        }
      : copyReader(before);
  const { trace } = reader;
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, body, requestKeys);
  const messages: Message[] = decodedBefore(progress);
  const head = decodeHead(body, snake, reader, ledger, before !== undefined);
  if (head !== undefined) messages.push(head);
  decodeContents(body["contents"], reader, messages, progress);
  if (isJsonObject(body["contents"])) spell(ledger, "contents", "object");
  const settings = decodeSettings(body, wire.url, ledger);
  const own = spelledWire(ledger, snake) ?? plainWire(protocol);
  const value: Conversation = { messages, settings, wire: own };
  trace.pointers.set(value, "");
  trace.pointers.set(settings, "");
  const located: FieldPointer = (node, field, base) => {
    const pointer = fieldPointer(node, field, base);
    const isSetting = node === settings && pointer !== undefined;
    return isSetting ? spellPointer(snake, settingPlace(pointer, field, value)) : pointer;
  };
  return { value, losses: reader.losses, trace: { ...trace, fieldPointer: located } };
}

/** Where a schema stands whose key depends on its dialect. */
function settingPlace(pointer: Pointer, field: string, { settings, wire }: Conversation): Pointer {
  const key = wire?.form?.["responseSchema:dialect"] === undefined ? "responseJsonSchema" : "responseSchema";
  // A format with a schema is its schema; the type beside it says no more.
  if (field === "responseFormat" && settings.responseFormat?.type === "jsonSchema") return `generationConfig/${key}`;
  return field.startsWith("responseFormat/schema") ? pointer.replace("responseJsonSchema", key) : pointer;
}

/**
 * The leading message: the system instruction and tools, or the tools alone. `known`: it is what it was in the request before, so that only the
 * spelling of the request is of interest.
 */
function decodeHead(
  body: JsonObject,
  snake: readonly Pointer[] | undefined,
  reader: Reader,
  ledger: Ledger,
  known: boolean,
): SystemMessage | undefined {
  const { systemInstruction, tools: list } = body;
  if (systemInstruction === null) spell(ledger, "systemInstruction", null);
  const isEmpty = list === undefined || list === null || (Array.isArray(list) && list.length === 0);
  if (isEmpty && list !== undefined) spell(ledger, "tools", list as Json);
  if (known) return undefined;
  const place = `/${spellPointer(snake, "systemInstruction")}`;
  const system = decodeSystem(systemInstruction, place, reader);
  if (isEmpty) return system;
  const tools = decodeTools(list, reader);
  if (system === undefined) return { role: "system", authority: "system", content: [], toolsAdded: tools };
  const head: SystemMessage = { ...system, toolsAdded: tools };
  reader.trace.pointers.set(head, place);
  return head;
}

/** The model that is asked says what it takes, unless the profile names another, such as one that stands behind an alias. */
function withModel(profile: Profile, model: string | undefined): Profile {
  return profile.model !== undefined || model === undefined ? profile : { ...profile, model };
}

/** Names begin with a letter or an underscore; points and colons are allowed behind it. */
function nameRule(mends: boolean, pattern: string | undefined): IdentifierRule {
  if (!mends || pattern !== undefined) return identifierRule(maximumName, !mends, pattern);
  return { maximum: maximumName, pattern: namePattern };
}

const maximumName = 128;
const namePattern = /^[a-zA-Z_][a-zA-Z0-9_.:-]{0,127}$/;

export function encodeRequest(
  conversation: Conversation,
  profile: Profile = unstatedProfile,
  options: EncodeOptions = {},
): EncodedRequest {
  const course = new Course<Kept>(conversation, options.progress);
  const { report, from } = course;
  const faithful = conversation.wire?.protocol === protocol;
  const mends = !faithful || options.mend === true;
  const target = resolveProfile(faithful ? profile : withModel(profile, conversation.settings.model), faithful);
  const calls = identifierRule(Number.POSITIVE_INFINITY, faithful, profile.toolCallIdPattern);
  const writer: Writer = {
    target,
    faithful,
    mends,
    response: false,
    report,
    names:
      from === undefined
        ? createNames(protocol, nameRule(mends, profile.toolNamePattern), calls, report)
        : copyNames(from.state.names, report),
    customTools: from?.state.customTools.copy() ?? new LateSet(),
    callNames: from?.state.callNames.copy() ?? new LateMap(),
    unnamedCalls: from?.state.unnamedCalls.copy() ?? new LateSet(),
    link: options.link,
  };
  refuseForeign(course.rest, profile, protocol);
  course.sweep(target);
  course.enter("head");
  const body: WireObject = {};
  const declared = from?.state.declared ?? writeTools(conversation, body, writer);
  const arranged = from === undefined ? arrangeInstructions(conversation.messages, writer) : undefined;
  const system = arranged && writeSystem(arranged.instructions, writer);
  if (system !== undefined) body["systemInstruction"] = system;
  if (from !== undefined) Object.assign(body, from.body);
  const turns = arranged?.turns ?? course.messages;
  const contents = course.write(turns, {
    history,
    order: (some) => inPairs(some, writer),
    encode: (ordered) => encodeContents(ordered, writer, arranged?.lowered ?? noMessages),
    copyState: () => copyKept(writer, declared),
  });
  course.enter("finish");
  if (mends) completeTurns(turns, contents, writer);
  course.close(body);
  const isSingle = formOf(conversation.wire, protocol, "contents") === "object" && contents.length === 1;
  body["contents"] = (isSingle ? contents[0] : contents) as Json;
  encodeSettings(conversation, body, writer, declared);
  finishObject(body, conversation.wire, idleNames(conversation));
  options.link?.(conversation, body);
  return {
    value: { body: body as JsonObject, ...urlField(conversation) },
    losses: course.losses(),
    exchange: createExchange(conversation, protocol, profile, writer.names, writer.customTools),
  };
}

const noMessages: ReadonlySet<Message> = new Set();

/** What an encoding knows that goes on where another one stopped. */
interface Kept extends Pick<Writer, "names" | "customTools" | "callNames" | "unnamedCalls"> {
  readonly declared: Set<string>;
}

function copyKept({ names, report, customTools, callNames, unnamedCalls }: Writer, declared: Set<string>): Kept {
  return {
    names: copyNames(names, report),
    customTools: customTools.copy(),
    callNames: callNames.copy(),
    unnamedCalls: unnamedCalls.copy(),
    declared,
  };
}

/** Tools that the request declares, after all changes within the conversation; the names under which they were declared. */
function writeTools(conversation: Conversation, body: WireObject, writer: Writer): Set<string> {
  const { messages } = conversation;
  const declared: readonly DeclaredTool[] = replayTools(messages);
  reportToolChanges(messages, declared, writer.report);
  const sent = (writer.mends ? withoutNamesakes(declared, writer.report) : declared).map(({ tool }) => tool);
  for (const message of messages) {
    if (message.role !== "system") continue;
    for (const part of message.content) if (part.type === "toolReference") lose(writer.report, "tool.reference", part);
  }
  const list = encodeTools(sent, writer);
  if (list.length > 0) body["tools"] = list;
  return new Set(sent.flatMap((tool) => (tool.type === "server" ? [] : declaredNames(tool))));
}

const namesPlace = "toolConfig/functionCallingConfig/allowedFunctionNames";

/** Names beside a mode that allows no calls: without that mode they would allow some. */
function idleNames({ settings, wire }: Conversation): readonly Pointer[] {
  const names = settings.toolChoice?.mode === "none" ? undefined : wire?.rest?.[namesPlace];
  return isStringArray(names) && names.length > 0 ? [namesPlace] : [];
}

function urlField({ settings, wire }: Conversation): Pick<WireRequest, "url"> {
  const { model, stream } = settings;
  const alt = formOf(wire, protocol, "alt");
  const isInBody = formOf(wire, protocol, "model") === "body";
  const url = {
    ...(model !== undefined && !isInBody && { model }),
    ...(stream !== undefined && { stream }),
    ...(typeof alt === "string" && { alt }),
  };
  return Object.keys(url).length === 0 ? {} : { url };
}
