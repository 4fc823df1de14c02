import type { DecodeProgress } from "../../codec/course.ts";
import { Course } from "../../codec/course.ts";
import { createExchange } from "../../codec/exchange.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateMap, LateSet } from "../../codec/identity/late.ts";
import { copyNames, createNames } from "../../codec/identity/names.ts";
import type { Ledger } from "../../codec/ledger.ts";
import { createLedger, expectArray, expectObject, keepUnknown, plainWire, spell, wireOf } from "../../codec/ledger.ts";
import { unstatedProfile } from "../../codec/profile.ts";
import type { Decoded, EncodedRequest, EncodeOptions, History, WireRequest } from "../../codec/protocol.ts";
import { refuseForeign } from "../../codec/refuse-foreign.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, restore } from "../../codec/restore.ts";
import { isForOpenAi } from "../../codec/schema/strict.ts";
import { scalarText } from "../../codec/table.ts";
import { reportToolChanges, withoutNamesakes } from "../../codec/tools/tool-changes.ts";
import { EncodeError } from "../../errors/index.ts";
import type { Conversation, Json, JsonObject, Message, Profile, Settings, Tool } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";
import { createTrace } from "../../loss/index.ts";
import type { DeclaredTool } from "../../transcript/index.ts";
import { replayTools, toolName } from "../../transcript/index.ts";
import type { Reader, Writer } from "./context.ts";
import { copyReader } from "./context.ts";
import { fieldPointer } from "./fields.ts";
import { decodeInput, decodeInstructions } from "./messages/decode.ts";
import { completeInput, encodeInput, encodeInstructions, inPairs, isInstructions } from "./messages/encode.ts";
import { isOfModel, isOfOthers } from "./messages/items.ts";
import { resolveProfile } from "./profile.ts";
import { decodeSettings, staleKeys } from "./settings/decode.ts";
import { encodeSettings, includePointers } from "./settings/encode.ts";
import { decodeTool, encodeTool } from "./tools.ts";
import { echoKeys, requestKeys } from "./wire.ts";

const protocol = "openai-responses";

export const history: History = {
  key: "input",
  heads: ["instructions", "tools"],
  isOfModel,
  isOfOthers,
};

export function decodeRequest(
  wire: WireRequest,
  source: Profile = {},
  progress?: DecodeProgress,
): Decoded<Conversation> {
  const body = expectObject(wire.body, "", "a Responses request");
  const before = progress?.from?.reader as Reader | undefined;
  const reader: Reader =
    before === undefined
      ? {
          trace: createTrace(fieldPointer),
          provider: source.provider,
          losses: [],
          callIds: createCallIds(protocol),
          response: false,
          namespaces: declaredNamespaces(body),
          absence: "none",
        }
      : copyReader(before);
  const { trace } = reader;
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, body, requestKeys);
  const instructions = decodeInstructions(body["instructions"], ledger, reader);
  // Of a request that goes on they are known, but for the spelling of the request.
  const tools = before === undefined ? decodeTools(body["tools"], ledger, reader) : spellTools(body["tools"], ledger);
  const messages = decodeInput(body["input"], ledger, reader, { instructions, tools }, progress);
  const settings = decodeSettings(body, ledger);
  const value: Conversation = { messages, settings, wire: wireOf(ledger) ?? plainWire(protocol) };
  trace.pointers.set(value, "");
  trace.pointers.set(settings, "");
  const fields = spelledSettings(settings, value);
  return { value, losses: reader.losses, trace: fields === undefined ? trace : { ...trace, fieldPointer: fields } };
}

function declaredNamespaces({ tools, input }: JsonObject): ReadonlySet<string> {
  const names = new Set<string>();
  const lists = [
    tools,
    ...(Array.isArray(input) ? input.map((item: Json) => isJsonObject(item) && item["tools"]) : []),
  ];
  for (const list of lists)
    for (const tool of Array.isArray(list) ? (list as readonly Json[]) : [])
      if (isJsonObject(tool) && tool["type"] === "namespace") names.add(scalarText(tool["name"]));
  return names;
}

/** Where settings stand that the client spelled otherwise than usual: a loss must not name a key that it did not use. */
function spelledSettings(settings: Settings, { wire }: Conversation): FieldPointer | undefined {
  const spelled: { readonly [field: string]: string | undefined } = {
    ...(formOf(wire, protocol, "userId") === "user" && { userId: "user" }),
    ...(formOf(wire, protocol, "summary") === "generate_summary" && {
      "reasoning/summary": "reasoning/generate_summary",
    }),
    ...(settings.logprobs !== undefined && {
      logprobs: `include/${scalarText(formOf(wire, protocol, "include/logprobs"))}`,
    }),
  };
  if (Object.keys(spelled).length === 0) return undefined;
  return (node, field, base) => (node === settings ? spelled[field] : undefined) ?? fieldPointer(node, field, base);
}

const noTools: readonly Tool[] = [];

const isNone = (tools: Json | undefined): boolean =>
  tools === undefined || tools === null || (Array.isArray(tools) && tools.length === 0);

function spellTools(tools: Json | undefined, ledger: Ledger): readonly Tool[] {
  if (tools !== undefined && isNone(tools)) spell(ledger, "tools", tools);
  return noTools;
}

function decodeTools(tools: Json | undefined, ledger: Ledger, reader: Reader): readonly Tool[] {
  if (isNone(tools)) return spellTools(tools, ledger);
  return expectArray(tools, "/tools", "tools").map((tool, index) => decodeTool(tool, `/tools/${index}`, reader));
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
  const writer: Writer = {
    target,
    faithful,
    mends,
    stored: isStored(conversation),
    forOpenAi: isForOpenAi(conversation),
    response: false,
    report,
    names:
      from === undefined
        ? createNames(
            protocol,
            identifierRule(128, !mends, target.toolNamePattern),
            identifierRule(64, !mends, target.toolCallIdPattern ?? (faithful && mends ? "[^]{0,64}" : undefined)),
            report,
          )
        : copyNames(from.state.names, report),
    customTools: from?.state.customTools.copy() ?? new LateSet(),
    callTypes: from?.state.callTypes.copy() ?? new LateMap(),
    reasoning: new WeakMap(),
    seed: "",
    made: { items: from?.state.made.items ?? 0 },
    link: options.link,
  };
  refuseForeign(course.rest, profile, protocol);
  course.sweep(target);
  course.enter("head");
  const body: WireObject = {};
  const tools = from?.state.tools ?? declareTools(conversation.messages, writer);
  if (from !== undefined) Object.assign(body, from.body);
  else if (tools.front.length > 0) body["tools"] = tools.front;
  writeInput(conversation, course, tools, body, writer);
  encodeSettings(conversation, body, writer, tools.declared);
  restore(body, conversation.wire, protocol, [...staleKeys(conversation), ...includePointers(conversation)]);
  options.link?.(conversation, body);
  return {
    value: { body: body as JsonObject },
    losses: course.losses(),
    exchange: createExchange(conversation, protocol, profile, writer.names, writer.customTools),
  };
}

interface Declarations {
  readonly front: readonly JsonObject[];
  /** Tools that are added among the turns. */
  readonly later: ReadonlySet<object>;
  /** Names of all, with the kind of each. */
  readonly declared: ReadonlyMap<string, string>;
}

/** True where calls may be known to the service alone: it has stored them, or they are of its own tools. */
function isStored({ messages, settings, wire }: Conversation): boolean {
  if (settings.previousResponseId !== undefined || isStated(wire?.rest?.["conversation"])) return true;
  return messages.some(({ content }) => content.some(({ type }) => type === "opaque" || type === "serverToolCall"));
}

const isStated = (value: Json | undefined): boolean => value !== undefined && value !== null;

/** Without second tools of a name. Those that a request of this protocol adds among its items are what it had before, or replace it. */
function namedOnce(
  tools: readonly DeclaredTool[],
  head: number,
  { faithful, report }: Writer,
): readonly DeclaredTool[] {
  if (!faithful) return withoutNamesakes(tools, report);
  const front = tools.filter(({ index }) => index <= head);
  return [...withoutNamesakes(front, report), ...tools.filter(({ index }) => index > head)];
}

/** Tools of the first message stand with the request, others at their place among the items, where the server takes them there. */
function declareTools(messages: readonly Message[], writer: Writer): Declarations {
  const { faithful, report } = writer;
  const inPlace = faithful || writer.target.toolChanges;
  const current: readonly DeclaredTool[] = faithful
    ? messages.flatMap((message, index) =>
        message.role === "system" ? (message.toolsAdded ?? []).map((tool) => ({ tool, index })) : [],
      )
    : replayTools(messages);
  reportToolChanges(messages, current, report, inPlace);
  const firstTurn = messages.findIndex((message) => message.role !== "system");
  const head = faithful ? 0 : firstTurn < 0 ? messages.length : firstTurn;
  const front: JsonObject[] = [];
  const later = new Set<object>();
  const declared = new Map<string, string>();
  for (const { tool, index } of writer.mends ? namedOnce(current, head, writer) : current) {
    if (tool.type !== "server" || tool.protocol === protocol) declared.set(toolName(tool), tool.type);
    const isItem = faithful && formOf(messages[index]?.wire, protocol, "tools") === "item";
    if (inPlace && (isItem || index > head)) later.add(tool);
    else front.push(...encodeTool(tool, writer));
  }
  return { front, later, declared };
}

/** What an encoding knows that goes on where another one stopped. */
interface Kept extends Pick<Writer, "names" | "customTools" | "callTypes" | "made"> {
  readonly tools: Declarations;
}

function copyKept({ names, report, customTools, callTypes, made }: Writer, tools: Declarations): Kept {
  return {
    names: copyNames(names, report),
    customTools: customTools.copy(),
    callTypes: callTypes.copy(),
    made: { ...made },
    tools,
  };
}

function writeInput(
  { wire }: Conversation,
  course: Course<Kept>,
  tools: Declarations,
  body: WireObject,
  writer: Writer,
): void {
  const { messages, from } = course;
  const [first] = messages;
  const head = from === undefined && isInstructions(first, writer) ? first : undefined;
  if (head !== undefined) {
    body["instructions"] = encodeInstructions(head, writer);
    writer.link?.(head, body);
  }
  let last: Message | undefined;
  const written = course.write(head === undefined ? messages : messages.slice(1), {
    history,
    order: (some) => inPairs(some, writer),
    encode: (ordered) => {
      last = ordered.at(-1);
      return encodeInput(ordered, tools.later, writer);
    },
    copyState: () => copyKept(writer, tools),
  });
  course.enter("finish");
  const items = completeInput(written, last, writer);
  // What is left out may stand before a stop.
  if (items.length < written.length) course.refuse();
  course.close(body);
  const form = formOf(wire, protocol, "input");
  if (items.length === 0) {
    if (!writer.faithful)
      throw new EncodeError(
        "/messages",
        `${protocol} needs an input, and nothing of the conversation gives one: add a user message`,
      );
    if (form === undefined || form === "string") body["input"] = [];
    return;
  }
  const only = items[0];
  const isString = form === "string" && items.length === 1 && isJsonObject(only) && Object.keys(only).length === 2;
  body["input"] =
    isString && only?.["role"] === "user" && typeof only["content"] === "string" ? only["content"] : items;
}

/** What an answer says again of its request: Responses objects hold all of it. */
export function echoOf({ body }: WireRequest): JsonObject {
  const echo: { [key: string]: Json } = {};
  if (isJsonObject(body)) for (const key in body) if (echoKeys[key] !== undefined) echo[key] = body[key] as Json;
  return echo;
}
