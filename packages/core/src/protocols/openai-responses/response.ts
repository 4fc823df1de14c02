import { restoreClientTerms } from "../../codec/client-terms.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateMap, LateSet } from "../../codec/identity/late.ts";
import { createNames } from "../../codec/identity/names.ts";
import type { Ledger } from "../../codec/ledger.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  keep,
  keepOdd,
  knownKeys,
  plainWire,
  readString,
  spell,
  wireOf,
} from "../../codec/ledger.ts";
import { unstatedProfile } from "../../codec/profile.ts";
import type { Decoded, Encoded, EncodeOptions } from "../../codec/protocol.ts";
import type { WireObject } from "../../codec/restore.ts";
import { assignOwn, formOf, isStated, restore } from "../../codec/restore.ts";
import { millisecondsOf, readSeconds } from "../../codec/time.ts";
import { isUnreported, unreportedUsage } from "../../codec/usage.ts";
import type { AssistantMessage, Exchange, Json, JsonObject, Part } from "../../ir/index.ts";
import { escapeSegment, isJsonObject } from "../../ir/index.ts";
import { createReport, createTrace, lose, sweepForeign } from "../../loss/index.ts";
import { describeFailure, failedEnd, failureOf } from "../../stream/failure.ts";
import type { Reader, Writer } from "./context.ts";
import { findError, readStated, responseCode } from "./errors.ts";
import { fieldPointer } from "./fields.ts";
import { encodeItems } from "./messages/items.ts";
import { decodeItem } from "./messages/turn.ts";
import { resolveProfile } from "./profile.ts";
import { decodeStop, encodeStop, rawStop } from "./stop-reason.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";
import { echoKeys, responseKeys } from "./wire.ts";

const protocol = "openai-responses";
/** Keys that every response has; those that one lacks are noted. */
const always = ["id", "object", "created_at", "status", "incomplete_details", "model", "output", "usage"] as const;
const detailsKeys = knownKeys("reason");

/** What a response says of its request, where that is not known: what the API takes where nothing is stated. */
const usualEcho: JsonObject = {
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: null,
  tool_choice: "auto",
  tools: [],
  top_p: null,
};

export function decodeResponse(wire: Json, exchange?: Exchange): Decoded<AssistantMessage> {
  const body = expectObject(wire, "", "a Responses response");
  const trace = createTrace(fieldPointer);
  const reader: Reader = {
    trace,
    provider: exchange?.provider,
    losses: [],
    callIds: createCallIds(protocol),
    response: true,
    namespaces: undefined,
    absence: "empty",
  };
  const ledger = createLedger(protocol, "empty");
  for (const key of always) if (body[key] === undefined) spell(ledger, key, key === "status" ? "absent" : "omitted");
  readEcho(body, ledger);
  if (body["object"] !== undefined && body["object"] !== "response") keepOdd(ledger, "object", body["object"]);
  const content = decodeOutput(body, ledger, reader);
  const id = readString(ledger, body, "id");
  const model = readString(ledger, body, "model");
  const timestamp = readSeconds(ledger, body, "created_at");
  const usage = decodeUsage(body["usage"]);
  if (!isJsonObject(body["usage"])) keepOdd(ledger, "usage", body["usage"]);
  if (usage !== unreportedUsage) trace.pointers.set(usage, "/usage");
  const raw = readStop(body, ledger);
  const stated = isJsonObject(body["error"]) || body["status"] === "failed" ? findError(body) : undefined;
  const value: AssistantMessage = {
    role: "assistant",
    content,
    api: protocol,
    provider: exchange?.provider ?? "unknown",
    model: exchange?.model ?? model ?? "unknown",
    ...(model !== undefined && { responseModel: model }),
    ...(id !== undefined && { responseId: id }),
    usage,
    ...(stated === undefined ? decodeStop(raw, content) : failedEnd(describeFailure(readStated(stated)))),
    ...(raw !== undefined && { rawStopReason: raw }),
    timestamp,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  trace.pointers.set(value, "");
  return { value: restoreClientTerms(value, exchange, trace, reader.losses), losses: reader.losses, trace };
}

/** What a response repeats of its request is no part of the answer: it is set aside together. Everything else that is not known is kept. */
function readEcho(body: JsonObject, ledger: Ledger): void {
  const echo: { [key: string]: Json } = {};
  for (const key in body) {
    const value = body[key] as Json;
    if (responseKeys[key] !== undefined) continue;
    if (echoKeys[key] !== undefined) echo[key] = value;
    else if (value === null) spell(ledger, escapeSegment(key), null);
    else keep(ledger, escapeSegment(key), value);
  }
  if (Object.keys(echo).length > 0) spell(ledger, "echo", echo);
}

function decodeOutput(body: JsonObject, ledger: Ledger, reader: Reader): readonly Part[] {
  const { output } = body;
  // A response that was not begun, or that failed, may have none.
  if (output === undefined || output === null) {
    keepOdd(ledger, "output", output);
    if (body["object"] !== "response") expectArray(output, "/output", "output");
    return [];
  }
  const items = expectArray(output, "/output", "output");
  const parts: Part[] = [];
  for (let index = 0; index < items.length; index++)
    parts.push(...decodeItem(items[index] as Json, `/output/${index}`, reader));
  return parts;
}

function readStop(body: JsonObject, ledger: Ledger): string | undefined {
  const status = readString(ledger, body, "status");
  const details = body["incomplete_details"];
  if (!isJsonObject(details) || typeof details["reason"] !== "string" || status !== "incomplete") {
    keepOdd(ledger, "incomplete_details", details);
    return rawStop(status, undefined);
  }
  spell(ledger, "incomplete_details", "reason");
  for (const key in details)
    if (detailsKeys[key] === undefined) keep(ledger, `incomplete_details/${escapeSegment(key)}`, details[key] as Json);
  return rawStop(status, details["reason"]);
}

export function encodeResponse(
  message: AssistantMessage,
  exchange?: Exchange,
  options: EncodeOptions = {},
): Encoded<JsonObject> {
  const report = createReport();
  const target = resolveProfile(options.profile ?? unstatedProfile);
  const faithful = message.api === protocol;
  sweepForeign(message, target, report);
  const writer = responseWriter(message, faithful, target, report, options.link);
  const body: WireObject = {
    id: responseIdOf(message),
    object: "response",
    created_at: faithful
      ? message.timestamp / 1000
      : Math.floor((message.timestamp || (options.receivedAt ?? 0)) / 1000),
  };
  writeStop(body, message, writer);
  body["model"] = message.responseModel ?? (message.wire === undefined ? message.model : "unknown");
  body["output"] = encodeItems(message, writer);
  if (!faithful) markIncomplete(body);
  writeUsage(body, message, writer);
  for (const alternative of message.alternatives ?? []) lose(report, "response.alternatives", alternative);
  if (message.stopSequence !== undefined) lose(report, "stop.sequence", message, "stopSequence");
  clearFilled(body, message);
  assignOwn(body, echoFor(message, exchange));
  restore(body, message.wire, protocol);
  options.link?.(message, body);
  return { value: body as JsonObject, losses: report.drafts };
}

/** An id that begins as those of the service do. */
function responseIdOf(message: AssistantMessage): string {
  return message.responseId ?? "resp_unknown";
}

export function responseWriter(
  message: AssistantMessage,
  faithful: boolean,
  target: Writer["target"],
  report: Writer["report"],
  link?: Writer["link"],
): Writer {
  return {
    target,
    faithful,
    mends: !faithful,
    stored: false,
    forOpenAi: false,
    response: true,
    report,
    // The client gets names and ids as they are: its own, or the server's.
    names: createNames(protocol, identifierRule(128, true, undefined), identifierRule(64, true, undefined), report),
    customTools: new LateSet(),
    callTypes: new LateMap(),
    reasoning: new WeakMap(),
    seed: message.responseId ?? "",
    made: { items: 0 },
    link,
  };
}

/** What the answer repeats of its request: as the service said it, else as the client sent it. */
function echoFor(message: AssistantMessage, exchange: Exchange | undefined): JsonObject {
  const stated = formOf(message.wire, protocol, "echo");
  if (message.api === protocol) return isJsonObject(stated) ? stated : {};
  return { ...usualEcho, ...exchange?.echo };
}

function writeStop(body: WireObject, message: AssistantMessage, { report }: Writer): void {
  const stop = encodeStop(message);
  if (!stop.exact) {
    const code = message.stopDetail === "unknown" ? "stop.unknown" : "stop.approximated";
    const values = { raw: message.rawStopReason ?? "", sent: stop.reason ?? stop.status };
    lose(report, code, message, "stopReason", { values });
  }
  body["status"] = stop.status;
  body["incomplete_details"] = stop.reason === undefined ? null : { reason: stop.reason };
  if (message.api === protocol) return;
  const failure = stop.status === "failed" ? failureOf(message) : undefined;
  body["error"] =
    failure === undefined ? null : { code: responseCode(failure.kind, failure.providerCode), message: failure.message };
}

/** The last item of an answer that was cut off is incomplete. */
function markIncomplete(body: WireObject): void {
  if (body["status"] !== "incomplete") return;
  const last = (body["output"] as readonly WireObject[]).at(-1);
  if (last?.["status"] !== undefined) last["status"] = "incomplete";
}

function writeUsage(body: WireObject, message: AssistantMessage, writer: Writer): void {
  if (!isUnreported(message.usage)) body["usage"] = encodeUsage(message.usage, writer.report);
}

/** Takes back what the encoder filled in by itself, where the source left the field out or stated something else. */
function clearFilled(body: WireObject, message: AssistantMessage): void {
  const { responseId, responseModel, timestamp, usage, wire, content, rawStopReason, stopReason } = message;
  const isStopless = rawStopReason === undefined && (stopReason === "pending" || stopReason === "error");
  const filled: { readonly [K in (typeof always)[number]]: boolean } = {
    id: responseId === undefined,
    object: true,
    created_at: timestamp === millisecondsOf(wire?.rest?.["created_at"]),
    status: isStopless,
    incomplete_details: body["incomplete_details"] === null,
    model: responseModel === undefined,
    output: content.length === 0,
    usage: isUnreported(usage),
  };
  for (const key of always) {
    const form = formOf(wire, protocol, key);
    if (filled[key] && (form === "omitted" || form === "absent" || isStated(wire, protocol, key))) delete body[key];
  }
}
