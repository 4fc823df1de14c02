import type { DecodeProgress } from "../../codec/course.ts";
import { Course, decodedBefore } from "../../codec/course.ts";
import { createExchange } from "../../codec/exchange.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateSet } from "../../codec/identity/late.ts";
import { copyNames, createNames } from "../../codec/identity/names.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  isStringArray,
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
import { declaredNames } from "../../codec/tools/declarations.ts";
import { reportToolChanges, reportUndeclared, withoutNamesakes } from "../../codec/tools/tool-changes.ts";
import type { Conversation, Json, JsonObject, Message, Profile, SystemMessage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";
import { createTrace, lose } from "../../loss/index.ts";
import type { DeclaredTool } from "../../transcript/index.ts";
import { replayTools, toolName } from "../../transcript/index.ts";
import type { Reader, Writer } from "./context.ts";
import { copyReader } from "./context.ts";
import { fieldPointer } from "./fields.ts";
import {
  arrangeInstructions,
  completePrefill,
  completeTurns,
  reportAuthority,
  reportLimits,
} from "./messages/arrange.ts";
import { decodeMessages } from "./messages/decode.ts";
import { encodeMessages } from "./messages/encode.ts";
import { decodeSystem, encodeInstruction } from "./messages/system.ts";
import { knownTtl, limitMarks, orderMarks } from "./parts/cache.ts";
import { resolveProfile } from "./profile.ts";
import { decodeSettings, staleKeys } from "./settings/decode.ts";
import { encodeSettings } from "./settings/encode.ts";
import type { SettingsWriter } from "./settings/writer.ts";
import { decodeTool, encodeTool } from "./tools.ts";
import { requestKeys } from "./wire.ts";

const protocol = "anthropic-messages";

export const history: History = {
  key: "messages",
  heads: ["system", "tools"],
  isOfModel: ({ role }) => role === "assistant",
  isOfOthers: ({ role }) => role === "user",
};

export function decodeRequest(
  wire: WireRequest,
  source: Profile = {},
  progress?: DecodeProgress,
): Decoded<Conversation> {
  const body = expectObject(wire.body, "", "a Messages request");
  const before = progress?.from?.reader as Reader | undefined;
  const reader: Reader =
    before === undefined
      ? {
          trace: createTrace(fieldPointer),
          provider: source.provider,
          losses: [],
          callIds: createCallIds(protocol),
          absence: "none",
        }
      : copyReader(before);
  const { trace } = reader;
  const ledger = createLedger(protocol, "null");
  keepUnknown(ledger, body, requestKeys);
  const messages: Message[] = decodedBefore(progress);
  const head = decodeHead(body, reader, ledger, before !== undefined);
  if (head !== undefined) messages.push(head);
  decodeMessages(body["messages"], reader, messages, progress);
  const settings = decodeSettings(body, ledger);
  const own = wireOf(ledger) ?? plainWire(protocol);
  const stated = wire.headers ?? headersOf(source);
  const headers = stated !== undefined && Object.keys(stated).length > 0 ? stated : undefined;
  const value: Conversation = {
    messages,
    settings,
    wire: headers === undefined ? own : { ...own, form: { ...own.form, headers: headers as Json } },
  };
  trace.pointers.set(value, "");
  trace.pointers.set(settings, "");
  const isOld = formOf(value.wire, protocol, "format") === "output_format";
  return { value, losses: reader.losses, trace: isOld ? { ...trace, fieldPointer: oldFormat } : trace };
}

/** Where a field stands in a body that has the format of its answer under the deprecated key. */
const oldFormat: FieldPointer = (node, field, base) =>
  fieldPointer(node, field, base)?.replace(/^output_config\/format(?=\/|$)/, "output_format");

function headersOf(source: Profile): JsonObject | undefined {
  if (source.apiVersion === undefined && source.betas === undefined) return undefined;
  return {
    ...(source.apiVersion !== undefined && { version: source.apiVersion }),
    ...(source.betas !== undefined && { betas: source.betas }),
  };
}

/**
 * The leading message: top-level instruction and tools, or the tools alone. `known`: it is what it was in the request before, so that only the
 * spelling of the request is of interest.
 */
function decodeHead(
  body: JsonObject,
  reader: Reader,
  ledger: Parameters<typeof spell>[0],
  known: boolean,
): SystemMessage | undefined {
  if (body["system"] === null) spell(ledger, "system", null);
  const list = body["tools"];
  const isEmpty = list === undefined || list === null || (Array.isArray(list) && list.length === 0);
  if (isEmpty && list !== undefined) spell(ledger, "tools", list as Json);
  if (known) return undefined;
  const system = decodeSystem(body["system"], reader);
  if (isEmpty) return system;
  const tools = expectArray(list, "/tools", "tools").map((tool, index) => decodeTool(tool, `/tools/${index}`, reader));
  if (system === undefined) return { role: "system", authority: "system", content: [], toolsAdded: tools };
  const head: SystemMessage = { ...system, toolsAdded: tools };
  reader.trace.pointers.set(head, "/system");
  return head;
}

/** The model that is asked says what it takes, unless the profile names another, such as one that stands behind an alias. */
function withModel(profile: Profile, model: string | undefined): Profile {
  return profile.model !== undefined || model === undefined ? profile : { ...profile, model };
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
  const target = resolveProfile(mends ? withModel(profile, conversation.settings.model) : profile, faithful);
  const body: WireObject = {};
  const writer: SettingsWriter = {
    target,
    faithful,
    mends,
    response: false,
    report,
    names:
      from === undefined
        ? createNames(
            protocol,
            identifierRule(128, !mends, profile.toolNamePattern),
            // Its own ids may be of any length.
            identifierRule(64, !mends, profile.toolCallIdPattern ?? (faithful && mends ? "[A-Za-z0-9_-]+" : undefined)),
            report,
            faithful && mends,
          )
        : copyNames(from.state.names, report),
    customTools: from?.state.customTools.copy() ?? new LateSet(),
    marked: [],
    requestTtl: faithful ? undefined : knownTtl(conversation.settings.cache?.ttl),
    link: options.link,
    body,
    settings: conversation.settings,
    conversation,
  };
  refuseForeign(course.rest, profile, protocol);
  course.sweep(target);
  course.enter("head");
  const declared = from?.state.declared ?? encodeTools(conversation, body, writer);
  if (from !== undefined) Object.assign(body, from.body);
  const { messages } = conversation;
  if (!mends && (target.midConversationSystem || !hasInstructionsWithin(messages)))
    encodeOwnTurns(messages, body, writer);
  else encodeTurns(course, declared, body, writer);
  encodeSettings(writer, declared);
  limitMarks(body, writer);
  if (mends) orderMarks(body, conversation.settings, writer);
  restore(body, conversation.wire, protocol, staleKeys(conversation));
  options.link?.(conversation, body);
  return {
    value: { body: body as JsonObject, ...headersField(conversation, profile) },
    losses: course.losses(),
    exchange: createExchange(conversation, protocol, profile, writer.names, writer.customTools),
  };
}

/** Tools that the request declares, after all changes within the conversation; the names under which they were declared. */
function encodeTools(conversation: Conversation, body: WireObject, writer: Writer): Set<string> {
  const { messages, settings } = conversation;
  const declared: DeclaredTool[] = writer.target.toolChanges
    ? (headOf(messages, writer)?.toolsAdded ?? []).map((tool) => ({ tool, index: 0 }))
    : replayTools(messages);
  if (!writer.target.toolChanges) reportToolChanges(messages, declared, writer.report);
  const allowed =
    settings.toolChoice?.subset === true && !writer.faithful ? new Set(settings.toolChoice.names) : undefined;
  const names = new Set<string>();
  const list: JsonObject[] = [];
  for (const { tool } of writer.mends ? withoutNamesakes(declared, writer.report) : declared) {
    if (allowed !== undefined && !allowed.has(toolName(tool))) {
      reportUndeclared(tool, "tool_choice.subset", writer.report);
      continue;
    }
    const encoded = encodeTool(tool, writer);
    if (encoded.length > 0) for (const name of declaredNames(tool)) names.add(name);
    list.push(...encoded);
  }
  if (list.length > 0) body["tools"] = list;
  return names;
}

/** What an encoding knows that goes on where another one stopped. */
interface Kept extends Pick<Writer, "names" | "customTools"> {
  readonly declared: ReadonlySet<string>;
}

/** The leading message, which is not among the turns. Of a request of this protocol the first turn may be a system message, too. */
function headOf([first]: readonly Message[], { mends, target }: Writer): SystemMessage | undefined {
  if (first?.role !== "system") return undefined;
  return !mends && target.midConversationSystem && formOf(first.wire, protocol, "place") === "messages"
    ? undefined
    : first;
}

/** The leading instructions of a request of this protocol, and the turns, as they are. */
function encodeOwnTurns(messages: readonly Message[], body: WireObject, writer: Writer): void {
  const head = headOf(messages, writer);
  if (head !== undefined) {
    reportAuthority(head, writer);
    reportLimits(head, writer);
    for (const reference of head.toolsRemoved ?? []) lose(writer.report, "tool.removed_unknown", reference);
    writeSystem([head], body, writer);
  }
  const turns = head === undefined ? messages : messages.slice(1);
  const { output } = encodeMessages(inPairs(turns, writer), turns, writer);
  if (!writer.target.prefill) completePrefill(turns, output, writer);
  body["messages"] = output as Json[];
}

/** The instructions, which stand before all else, and the turns. */
function encodeTurns(course: Course<Kept>, declared: ReadonlySet<string>, body: WireObject, writer: Writer): void {
  const { messages, from } = course;
  const arranged = from === undefined ? arrangeInstructions(messages, writer) : undefined;
  const turns = arranged?.turns ?? messages;
  const before = writer.marked.length;
  const moved: SystemMessage[] = [...(arranged?.moved ?? [])];
  const displaced: SystemMessage[] = [];
  let waits = false;
  const output = course.write(turns, {
    history,
    order: (some) => inPairs(some, writer),
    encode: (ordered, some) => {
      const encoded = encodeMessages(ordered, some, writer, arranged?.lowered);
      moved.push(...encoded.moved);
      displaced.push(...encoded.displaced);
      waits = encoded.waits;
      return encoded.output;
    },
    copyState: () => {
      if (waits) course.refuse();
      // The number of marks is limited, and the last ones count: the first ones would have to be looked at again.
      return writer.marked.length > 0 ? undefined : copyKept(writer, declared);
    },
  });
  course.enter("finish");
  if (writer.mends) completeTurns(turns, output, writer);
  else if (!writer.target.prefill) completePrefill(turns, output, writer);
  if (arranged !== undefined) {
    course.enter("front");
    const marked = writer.marked.splice(before);
    const front = inOrder(moved, messages);
    const [changed] = inOrder([...front, ...displaced], messages);
    if (changed !== undefined) lose(writer.report, "cache.prefix_changed", changed, "role");
    // Blocks of one list: each keeps its text, but they are one instruction.
    for (const message of arranged.instructions.slice(1)) lose(writer.report, "turn.merged", message, "role");
    writeSystem([...arranged.instructions, ...front], body, writer);
    // The prompt begins with the instructions, so their marks come first.
    writer.marked.push(...marked);
  }
  if (writer.marked.length > 0) course.forget();
  course.close(body);
  body["messages"] = output as Json[];
}

const inPairs = (messages: readonly Message[], { mends, report, faithful }: Writer): readonly Message[] =>
  mends ? pairResults(messages, report, faithful) : messages;

function copyKept({ names, report, customTools }: Writer, declared: ReadonlySet<string>): Kept {
  return { names: copyNames(names, report), customTools: customTools.copy(), declared };
}

/** True where an instruction stands elsewhere than in front, at the top level. */
const hasInstructionsWithin = (messages: readonly Message[]): boolean =>
  messages.some(
    (message, index) =>
      message.role === "system" && (index > 0 || formOf(message.wire, protocol, "place") === "messages"),
  );

function inOrder(some: readonly SystemMessage[], messages: readonly Message[]): readonly SystemMessage[] {
  if (some.length < 2) return some;
  const places = new Map<Message, number>(messages.map((message, index) => [message, index]));
  return [...some].sort((left, right) => (places.get(left) ?? 0) - (places.get(right) ?? 0));
}

function writeSystem(instructions: readonly SystemMessage[], body: WireObject, writer: Writer): void {
  const blocks = instructions.flatMap((message) => {
    const encoded = encodeInstruction(message, writer);
    if (encoded.length === 0 && !writer.faithful) lose(writer.report, "turn.empty", message, "role");
    writer.link?.(message, encoded);
    return encoded;
  });
  const head = instructions[0];
  const form = formOf(head?.wire, protocol, "system");
  const only = blocks[0];
  if (form === "string" && blocks.length === 1 && only !== undefined && Object.keys(only).length === 2)
    body["system"] = only["text"];
  else if (blocks.length > 0 || (Array.isArray(form) && form.length === 0)) body["system"] = blocks;
}

function headersField(conversation: Conversation, profile: Profile): Pick<WireRequest, "headers"> {
  const stated = formOf(conversation.wire, protocol, "headers");
  const version = profile.apiVersion ?? (isJsonObject(stated) ? stated["version"] : undefined);
  const betas = profile.betas ?? (isJsonObject(stated) ? stated["betas"] : undefined);
  if (typeof version !== "string" && !isStringArray(betas as Json)) return {};
  return {
    headers: {
      ...(typeof version === "string" && { version }),
      ...(isStringArray(betas as Json) && { betas: betas as readonly string[] }),
    },
  };
}
