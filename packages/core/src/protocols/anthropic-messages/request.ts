import { createExchange } from "../../codec/exchange.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateSet } from "../../codec/identity/late.ts";
import { createNames } from "../../codec/identity/names.ts";
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
import { unstatedProfile } from "../../codec/profile.ts";
import type { Decoded, EncodedRequest, EncodeOptions, WireRequest } from "../../codec/protocol.ts";
import { refuseForeign } from "../../codec/refuse-foreign.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, restore } from "../../codec/restore.ts";
import { declaredNames } from "../../codec/tools/declarations.ts";
import { reportToolChanges, reportUndeclared, withoutNamesakes } from "../../codec/tools/tool-changes.ts";
import type { Conversation, Json, JsonObject, Message, Profile, SystemMessage } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import type { FieldPointer } from "../../loss/index.ts";
import { createReport, createTrace, lose, sweepForeign } from "../../loss/index.ts";
import type { DeclaredTool } from "../../transcript/index.ts";
import { replayTools, toolName } from "../../transcript/index.ts";
import type { Reader, Writer } from "./context.ts";
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

export function decodeRequest(wire: WireRequest, source: Profile = {}): Decoded<Conversation> {
  const body = expectObject(wire.body, "", "a Messages request");
  const trace = createTrace(fieldPointer);
  const reader: Reader = {
    trace,
    provider: source.provider,
    losses: [],
    callIds: createCallIds(protocol),
    absence: "none",
  };
  const ledger = createLedger(protocol, "null");
  keepUnknown(ledger, body, requestKeys);
  const messages: Message[] = [];
  const head = decodeHead(body, reader, ledger);
  if (head !== undefined) messages.push(head);
  decodeMessages(body["messages"], reader, messages);
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

/** The leading message: top-level instruction and tools, or the tools alone. */
function decodeHead(body: JsonObject, reader: Reader, ledger: Parameters<typeof spell>[0]): SystemMessage | undefined {
  const system = decodeSystem(body["system"], reader);
  if (body["system"] === null) spell(ledger, "system", null);
  const list = body["tools"];
  if (list === undefined || list === null || (Array.isArray(list) && list.length === 0)) {
    if (list !== undefined) spell(ledger, "tools", list as Json);
    return system;
  }
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
  const report = createReport();
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
    names: createNames(
      protocol,
      identifierRule(128, !mends, profile.toolNamePattern),
      // Its own ids may be of any length.
      identifierRule(64, !mends, profile.toolCallIdPattern ?? (faithful && mends ? "[A-Za-z0-9_-]+" : undefined)),
      report,
      faithful && mends,
    ),
    customTools: new LateSet(),
    marked: [],
    requestTtl: faithful ? undefined : knownTtl(conversation.settings.cache?.ttl),
    link: options.link,
    body,
    settings: conversation.settings,
    conversation,
  };
  refuseForeign(conversation, profile, protocol);
  sweepForeign(conversation, target, report);
  const declared = encodeTools(conversation, body, writer);
  encodeTurns(conversation, body, writer);
  encodeSettings(writer, declared);
  limitMarks(body, writer);
  if (mends) orderMarks(body, conversation.settings, writer);
  restore(body, conversation.wire, protocol, staleKeys(conversation));
  options.link?.(conversation, body);
  return {
    value: { body: body as JsonObject, ...headersField(conversation, profile) },
    losses: report.drafts,
    exchange: createExchange(conversation, protocol, profile, writer.names, writer.customTools),
  };
}

/** Tools that the request declares, after all changes within the conversation; the names under which they were declared. */
function encodeTools(conversation: Conversation, body: WireObject, writer: Writer): Set<string> {
  const { messages, settings } = conversation;
  const first = messages[0];
  const declared: DeclaredTool[] = writer.target.toolChanges
    ? (first?.role === "system" ? (first.toolsAdded ?? []) : []).map((tool) => ({ tool, index: 0 }))
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

/** The leading instructions; the rest are the turns. */
function encodeTurns(conversation: Conversation, body: WireObject, writer: Writer): void {
  const { messages } = conversation;
  if (!writer.mends && (writer.target.midConversationSystem || !hasInstructionsWithin(messages))) {
    const head =
      messages[0]?.role === "system" && formOf(messages[0].wire, protocol, "place") !== "messages"
        ? messages[0]
        : undefined;
    if (head !== undefined) {
      reportAuthority(head, writer);
      reportLimits(head, writer);
      for (const reference of head.toolsRemoved ?? []) lose(writer.report, "tool.removed_unknown", reference);
      writeSystem([head], body, writer);
    }
    const turns = head === undefined ? messages : messages.slice(1);
    const { output } = encodeMessages(turns, writer);
    if (!writer.target.prefill) completePrefill(turns, output, writer);
    body["messages"] = output as Json[];
    return;
  }
  const { instructions, moved, turns, lowered } = arrangeInstructions(messages, writer);
  const before = writer.marked.length;
  const encoded = encodeMessages(turns, writer, lowered);
  const { output } = encoded;
  if (writer.mends) completeTurns(turns, output, writer);
  else if (!writer.target.prefill) completePrefill(turns, output, writer);
  const marked = writer.marked.splice(before);
  const front = inOrder([...moved, ...encoded.moved], messages);
  const [changed] = inOrder([...front, ...encoded.displaced], messages);
  if (changed !== undefined) lose(writer.report, "cache.prefix_changed", changed, "role");
  // Blocks of one list: each keeps its text, but they are one instruction.
  for (const message of instructions.slice(1)) lose(writer.report, "turn.merged", message, "role");
  writeSystem([...instructions, ...front], body, writer);
  // The prompt begins with the instructions, so their marks come first.
  writer.marked.push(...marked);
  body["messages"] = output as Json[];
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
