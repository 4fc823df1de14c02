import { restoreClientTerms } from "../../codec/client-terms.ts";
import { inferStop } from "../../codec/content/inferred-stop.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateSet } from "../../codec/identity/late.ts";
import type { Names } from "../../codec/identity/names.ts";
import { createNames } from "../../codec/identity/names.ts";
import {
  createLedger,
  expectArray,
  expectObject,
  keepOdd,
  keepUnknown,
  plainWire,
  readString,
  spell,
  wireOf,
} from "../../codec/ledger.ts";
import { unstatedProfile } from "../../codec/profile.ts";
import type { Decoded, Encoded, EncodeOptions } from "../../codec/protocol.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, isStated, restore } from "../../codec/restore.ts";
import { isUnreported } from "../../codec/usage.ts";
import type { AssistantMessage, Exchange, Json, JsonObject, Part, RefusalPart } from "../../ir/index.ts";
import { isJsonObject, isToolCall } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { createReport, createTrace, lose, sweepForeign } from "../../loss/index.ts";
import { describeFailure, failedEnd } from "../../stream/failure.ts";
import type { Reader, Writer } from "./context.ts";
import { findError, readStated } from "./errors.ts";
import { fieldPointer } from "./fields.ts";
import { decodeBlocks, encodeBlock } from "./parts/block.ts";
import { resolveProfile } from "./profile.ts";
import { decodeStop, encodeStop } from "./stop-reason.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";
import { responseKeys, stopDetailsKeys } from "./wire.ts";

const protocol = "anthropic-messages";
/** Keys that every response has; those that one lacks are noted. */
const always = ["id", "type", "role", "model", "stop_reason", "stop_sequence", "usage"] as const;

export function decodeResponse(wire: Json, exchange?: Exchange): Decoded<AssistantMessage> {
  const body = expectObject(wire, "", "a Messages response");
  const trace = createTrace(fieldPointer);
  const reader: Reader = {
    trace,
    provider: exchange?.provider,
    losses: [],
    callIds: createCallIds(protocol),
    absence: "empty",
  };
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, body, responseKeys);
  const omitted = always.filter((key) => body[key] === undefined);
  if (omitted.length > 0) spell(ledger, "omitted", omitted);
  for (const [key, constant] of [
    ["type", "message"],
    ["role", "assistant"],
  ] as const) {
    if (body[key] !== undefined && body[key] !== constant) keepOdd(ledger, key, body[key]);
  }
  const content: Part[] = decodeBlocks(expectArray(body["content"], "/content", "content"), "/content", reader);
  const id = readString(ledger, body, "id");
  const model = readString(ledger, body, "model");
  const raw = readString(ledger, body, "stop_reason");
  const stopSequence = readString(ledger, body, "stop_sequence");
  const refusal = decodeStopDetails(body["stop_details"], ledger);
  if (refusal !== undefined) {
    trace.pointers.set(refusal, "/stop_details");
    content.push(refusal);
  }
  const usage = decodeUsage(body["usage"]);
  if (!isJsonObject(body["usage"])) keepOdd(ledger, "usage", body["usage"]);
  trace.pointers.set(usage, "/usage");
  const stated = findError(body);
  const value: AssistantMessage = {
    role: "assistant",
    content,
    api: protocol,
    provider: exchange?.provider ?? "unknown",
    model: exchange?.model ?? model ?? "unknown",
    ...(model !== undefined && { responseModel: model }),
    ...(id !== undefined && { responseId: id }),
    usage,
    ...(stated === undefined
      ? decodeStop(raw, content.some(isToolCall))
      : failedEnd(describeFailure(readStated(stated)))),
    ...(raw !== undefined && { rawStopReason: raw }),
    ...(stopSequence !== undefined && { stopSequence }),
    timestamp: 0,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  trace.pointers.set(value, "");
  return { value: restoreClientTerms(value, exchange, trace, reader.losses), losses: reader.losses, trace };
}

/** What the API says about a refusal: its explanation is the refusal's text. */
export function decodeStopDetails(
  value: Json | undefined,
  ledger: Parameters<typeof keepOdd>[0],
): RefusalPart | undefined {
  if (!isJsonObject(value) || value["type"] !== "refusal") return keepOdd(ledger, "stop_details", value);
  const { explanation, category } = value;
  if (typeof explanation !== "string" && typeof category !== "string") return keepOdd(ledger, "stop_details", value);
  const own = createLedger(protocol, "empty");
  keepUnknown(own, value, stopDetailsKeys);
  readString(own, value, "explanation");
  if (explanation === undefined) spell(own, "explanation", "omitted");
  readString(own, value, "category");
  return {
    type: "refusal",
    text: typeof explanation === "string" ? explanation : "",
    ...(typeof category === "string" && { category }),
    wire: wireOf(own) ?? plainWire(protocol),
  };
}

export function encodeResponse(
  message: AssistantMessage,
  _exchange?: Exchange,
  options: EncodeOptions = {},
): Encoded<JsonObject> {
  const report = createReport();
  const faithful = message.api === protocol;
  const target = resolveProfile(options.profile ?? unstatedProfile);
  sweepForeign(message, target, report);
  const writer: Writer = {
    target,
    faithful,
    mends: !faithful,
    response: true,
    report,
    names: responseNames(report),
    customTools: new LateSet(),
    marked: [],
    link: options.link,
  };
  const refusals: RefusalPart[] = [];
  const blocks: JsonObject[] = [];
  for (const part of message.content) {
    if (part.type === "refusal") {
      refusals.push(part);
      continue;
    }
    const block = encodeBlock(part, writer);
    if (block !== undefined) blocks.push(block);
  }
  const stop = encodeStop(faithful ? message : inferStop(message, report));
  if (!stop.exact) {
    const code =
      message.stopDetail === "unknown"
        ? "stop.unknown"
        : message.stopReason === "error" && message.stopDetail === undefined
          ? "response.error"
          : "stop.approximated";
    lose(report, code, message, "stopReason", { values: { raw: message.rawStopReason ?? "", sent: String(stop.raw) } });
  }
  const body: WireObject = {
    id: message.responseId ?? "msg_unknown",
    type: "message",
    role: "assistant",
    model: message.responseModel ?? (message.wire === undefined ? message.model : "unknown"),
    content: blocks,
    stop_reason: stop.raw,
    stop_sequence: message.stopSequence ?? null,
  };
  writeRefusal(body, refusals, writer);
  writeUsage(body, message, report);
  if (message.timestamp !== 0) lose(report, "response.time", message, "timestamp");
  for (const alternative of message.alternatives ?? []) lose(report, "response.alternatives", alternative);
  clearFilled(body, message, stop.raw);
  restore(body, message.wire, protocol);
  options.link?.(message, body);
  return { value: body as JsonObject, losses: report.drafts };
}

/** Takes back what the encoder filled in by itself, where the source left the field out or stated something else. */
function clearFilled(body: WireObject, message: AssistantMessage, stop: string | null): void {
  const { responseId, responseModel, stopSequence, usage, wire } = message;
  if (wire?.protocol !== protocol) return;
  const filled: { readonly [K in (typeof always)[number]]: boolean } = {
    id: responseId === undefined,
    type: true,
    role: true,
    model: responseModel === undefined,
    stop_reason: stop === null,
    stop_sequence: stopSequence === undefined,
    usage: isUnreported(usage),
  };
  const omitted = formOf(wire, protocol, "omitted");
  for (const key of always) {
    const isAbsent = Array.isArray(omitted) && omitted.includes(key);
    if (filled[key] && (isAbsent || isStated(wire, protocol, key))) delete body[key];
  }
}

/** The client gets names and ids as they are: its own, or the server's. */
function responseNames(report: Report): Names {
  return createNames(protocol, anyIdentifier, anyIdentifier, report);
}

const anyIdentifier = identifierRule(64, true, undefined);

function writeRefusal(body: WireObject, refusals: readonly RefusalPart[], writer: Writer): void {
  const first = refusals[0];
  if (first === undefined) return;
  const own = first.wire?.protocol === protocol;
  const explanation = refusals.map((part) => part.text).join("");
  const details: WireObject = { type: "refusal" };
  const isFilled =
    explanation === "" &&
    (formOf(first.wire, protocol, "explanation") === "omitted" || isStated(first.wire, protocol, "explanation"));
  if (!isFilled) details["explanation"] = explanation;
  if (first.category !== undefined) details["category"] = first.category;
  else if (!own) details["category"] = null;
  restore(details, first.wire, protocol);
  if (!own)
    for (const part of refusals)
      lose(writer.report, "refusal.text", part, "", { values: { sent: "stop_details.explanation" } });
  body["stop_details"] = details as JsonObject;
  writer.link?.(first, details);
}

function writeUsage(body: WireObject, message: AssistantMessage, report: Report): void {
  if (isUnreported(message.usage) && message.api !== protocol) {
    lose(report, "usage.synthesized", undefined, "", { targetPath: "/usage", values: { to: protocol } });
  }
  body["usage"] = isUnreported(message.usage)
    ? { input_tokens: 0, output_tokens: 0 }
    : encodeUsage(message.usage, report);
}
