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
  keepUnknown,
  plainWire,
  readString,
  spell,
  wireOf,
} from "../../codec/ledger.ts";
import { unstatedProfile } from "../../codec/profile.ts";
import type { Decoded, Encoded, EncodeOptions } from "../../codec/protocol.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, isStated } from "../../codec/restore.ts";
import { scalarText } from "../../codec/table.ts";
import { isUnreported } from "../../codec/usage.ts";
import { DecodeError } from "../../errors/index.ts";
import type { AssistantMessage, Exchange, Json, JsonObject, Part, Pointer, Usage } from "../../ir/index.ts";
import { isJsonObject, isToolCall } from "../../ir/index.ts";
import { createReport, createTrace, lose, sweepForeign } from "../../loss/index.ts";
import { describeFailure, failedEnd } from "../../stream/failure.ts";
import { encodeCandidate, isBlocked, restoreCandidate } from "./candidate.ts";
import type { Reader, Writer } from "./context.ts";
import { findError, readStated } from "./errors.ts";
import { blockedForm, fieldPointer, primaryForm } from "./fields.ts";
import { decodeParts } from "./parts/block.ts";
import { citedTexts, keepGrounding, readGrounding, withCitations } from "./parts/citations.ts";
import { resolveProfile } from "./profile.ts";
import { decodeBlock, decodeStop, unstated } from "./stop-reason.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";
import { candidateKeys, contentKeys, feedbackKeys, responseKeys } from "./wire.ts";

const protocol = "gemini-generate-content";

/** Facts of the whole response that each candidate shares. */
type Head = Pick<AssistantMessage, "api" | "provider" | "model" | "responseModel" | "timestamp">;

export function createReader(exchange: Exchange | undefined, trace: Reader["trace"]): Reader {
  return {
    trace,
    provider: exchange?.provider,
    losses: [],
    callIds: createCallIds(protocol),
    namedCalls: new LateMap(),
    callNames: new LateMap(),
    latestRecord: undefined,
    absence: "empty",
  };
}

export function decodeResponse(wire: Json, exchange?: Exchange): Decoded<AssistantMessage> {
  const body = expectObject(wire, "", "a generateContent response");
  const trace = createTrace(fieldPointer);
  const reader = createReader(exchange, trace);
  const candidates = candidatesOf(body);
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, body, responseKeys);
  const id = readString(ledger, body, "responseId");
  const responseModel = readString(ledger, body, "modelVersion");
  const timestamp = readTime(ledger, body);
  const usage = decodeUsage(body["usageMetadata"]);
  if (!isJsonObject(body["usageMetadata"])) keepOdd(ledger, "usageMetadata", body["usageMetadata"]);
  if (isJsonObject(body["usageMetadata"])) trace.pointers.set(usage, "/usageMetadata");
  const head: Head = {
    api: protocol,
    provider: exchange?.provider ?? "unknown",
    model: exchange?.model ?? responseModel ?? "unknown",
    ...(responseModel !== undefined && { responseModel }),
    timestamp,
  };
  if (body["candidates"] === undefined) spell(ledger, "candidates", "omitted");
  else if (candidates.length === 0) keepOdd(ledger, "candidates", body["candidates"]);
  const at = primaryPosition(candidates);
  if (at > 0) spell(ledger, primaryForm, at);
  const first = candidates[at];
  const blocked = readFeedback(body["promptFeedback"], first === undefined, ledger);
  const primary =
    first === undefined
      ? (blocked ?? emptyCandidate)
      : decodeCandidate(first, at, 0, `candidates/${at}/`, ledger, reader);
  const alternatives: AssistantMessage[] = [];
  candidates.forEach((candidate, position) => {
    if (position !== at)
      alternatives.push(decodeAlternative(candidate, position, alternatives.length + 1, head, usage, reader));
  });
  const stated = findError(body);
  const value: AssistantMessage = {
    role: "assistant",
    ...head,
    ...(stated === undefined ? primary : { content: [], ...failedEnd(describeFailure(readStated(stated))) }),
    ...(id !== undefined && { responseId: id }),
    usage,
    ...(alternatives.length > 0 && { alternatives }),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  trace.pointers.set(value, "");
  return { value: restoreClientTerms(value, exchange, trace, reader.losses), losses: reader.losses, trace };
}

/** An answer has candidates, or says why it has none. */
function candidatesOf(body: JsonObject): readonly Json[] {
  const { candidates } = body;
  if (candidates !== undefined && candidates !== null) return expectArray(candidates, "/candidates", "candidates");
  const isAnswer = isJsonObject(body["promptFeedback"]) || "responseId" in body;
  if (!isAnswer) throw new DecodeError("/candidates", "a generateContent response has candidates (at /candidates)");
  return [];
}

/** The candidate of index 0 is the answer, wherever it stands, as in a stream; the first one where none says so. */
function primaryPosition(candidates: readonly Json[]): number {
  const position = candidates.findIndex((candidate) => isJsonObject(candidate) && candidate["index"] === 0);
  return Math.max(position, 0);
}

/** A time in RFC 3339 as milliseconds; finer digits are spelling. */
function readTime(ledger: Ledger, body: JsonObject): number {
  const stated = readString(ledger, body, "createTime");
  if (stated === undefined) return 0;
  const time = /^\d{4}-\d\d-\d\dT/.test(stated) ? Date.parse(stated) : Number.NaN;
  if (Number.isNaN(time) || time === 0) {
    keep(ledger, "createTime", stated);
    return 0;
  }
  if (new Date(time).toISOString() !== stated) spell(ledger, "time", stated);
  return time;
}

type Candidate = Pick<AssistantMessage, "content" | "stopReason" | "stopDetail" | "rawStopReason">;
const emptyCandidate: Candidate = { content: [], ...unstated };

/** A prompt that was blocked has no candidates. */
function readFeedback(value: Json | undefined, isEmpty: boolean, ledger: Ledger): Candidate | undefined {
  const reason = isJsonObject(value) && isEmpty ? value["blockReason"] : undefined;
  if (!isJsonObject(value) || typeof reason !== "string") return keepOdd(ledger, "promptFeedback", value);
  keepUnknown(ledger, value, feedbackKeys, "promptFeedback/");
  spell(ledger, blockedForm, true);
  return { content: [], ...decodeBlock(reason), rawStopReason: reason };
}

function decodeCandidate(
  value: Json,
  position: number,
  index: number,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
): Candidate {
  const pointer = `/candidates/${position}`;
  const candidate = expectObject(value, pointer, "a candidate");
  keepUnknown(ledger, candidate, candidateKeys, prefix);
  for (const key of ["index", "finishReason"]) if (candidate[key] === undefined) spell(ledger, prefix + key, "omitted");
  if (candidate["index"] !== undefined && candidate["index"] !== index)
    keepOdd(ledger, "index", candidate["index"], prefix);
  const read = decodeContent(candidate["content"], `${pointer}/content`, `${prefix}content`, ledger, reader);
  const raw = readString(ledger, candidate, "finishReason", prefix);
  const stop = raw === undefined ? unstated : decodeStop(raw, read.some(isToolCall));
  const content = decodeGrounding(candidate["groundingMetadata"], read, pointer, prefix, ledger, reader);
  return {
    content: [...content, ...readMessage(candidate, stop.stopDetail === "refusal", pointer, prefix, ledger, reader)],
    ...stop,
    ...(raw !== undefined && { rawStopReason: raw }),
  };
}

function decodeContent(
  value: Json | undefined,
  pointer: Pointer,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
): readonly Part[] {
  if (!isJsonObject(value)) {
    if (value === undefined) spell(ledger, prefix, "omitted");
    else keepOdd(ledger, prefix, value);
    return [];
  }
  keepUnknown(ledger, value, contentKeys, `${prefix}/`);
  const { role, parts } = value;
  if (role === undefined) spell(ledger, `${prefix}/role`, "omitted");
  else if (role !== "model") keepOdd(ledger, `${prefix}/role`, role);
  if (parts === undefined) {
    spell(ledger, `${prefix}/parts`, "omitted");
    return [];
  }
  if (!Array.isArray(parts)) {
    keepOdd(ledger, `${prefix}/parts`, parts);
    return [];
  }
  if (parts.length === 0) spell(ledger, `${prefix}/parts`, []);
  return decodeParts(parts, `${pointer}/parts`, reader);
}

function decodeGrounding(
  value: Json | undefined,
  parts: readonly Part[],
  pointer: Pointer,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
): readonly Part[] {
  if (value === undefined) return parts;
  const place = `${pointer}/groundingMetadata`;
  const found = isJsonObject(value) ? readGrounding(value, place, citedTexts(parts)) : [];
  if (!isJsonObject(value) || found.length === 0) {
    keepOdd(ledger, "groundingMetadata", value, prefix);
    return parts;
  }
  keepGrounding(ledger, value, `${prefix}groundingMetadata/`, found);
  const { groundingChunks, groundingSupports } = value;
  spell(ledger, `${prefix}grounding`, { groundingChunks, groundingSupports } as JsonObject);
  const cited = withCitations(parts, found);
  found.forEach(({ citation, support }) => {
    reader.trace.pointers.set(citation, `${place}/groundingSupports/${support}`);
  });
  const at = `${pointer}/content/parts`;
  cited.forEach((part, index) => {
    if (part !== parts[index]) reader.trace.pointers.set(part, at, index);
  });
  return cited;
}

/** What the API says about a refusal is its text. */
function readMessage(
  candidate: JsonObject,
  isRefusal: boolean,
  pointer: Pointer,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
): readonly Part[] {
  const text = candidate["finishMessage"];
  if (!isRefusal || typeof text !== "string" || text === "") {
    keepOdd(ledger, "finishMessage", text, prefix);
    return [];
  }
  const refusal: Part = { type: "refusal", text };
  reader.trace.pointers.set(refusal, `${pointer}/finishMessage`);
  return [refusal];
}

function decodeAlternative(
  value: Json,
  position: number,
  index: number,
  head: Head,
  usage: Usage,
  reader: Reader,
): AssistantMessage {
  const ledger = createLedger(protocol, "empty");
  const candidate = decodeCandidate(value, position, index, "", ledger, reader);
  const alternative: AssistantMessage = {
    role: "assistant",
    ...head,
    ...candidate,
    usage: isUnreported(usage) ? usage : decodeUsage(undefined),
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  reader.trace.pointers.set(alternative, `/candidates/${position}`);
  return alternative;
}

/** What encoding of an answer shares. The client gets names and ids as they are: its own, or the server's. */
export function createResponseWriter(
  faithful: boolean,
  options: EncodeOptions,
  report: Writer["report"] = createReport(),
): Writer {
  const open = identifierRule(Number.POSITIVE_INFINITY, true, undefined);
  return {
    target: resolveProfile(options.profile ?? unstatedProfile),
    faithful,
    mends: !faithful,
    response: true,
    report,
    names: createNames(protocol, open, open, report),
    customTools: new LateSet(),
    callNames: new LateMap(),
    unnamedCalls: new LateSet(),
    link: options.link,
  };
}

export function encodeResponse(
  message: AssistantMessage,
  _exchange?: Exchange,
  options: EncodeOptions = {},
): Encoded<JsonObject> {
  const writer = createResponseWriter(message.api === protocol, options);
  const { report } = writer;
  sweepForeign(message, writer.target, report);
  const { alternatives = [], wire } = message;
  const body: WireObject = {};
  if (isBlocked(message)) {
    const raw = message.api === protocol ? message.rawStopReason : undefined;
    body["promptFeedback"] = { blockReason: raw ?? "SAFETY" };
  } else {
    const stated = formOf(wire, protocol, primaryForm);
    const candidates = alternatives.map((alternative, index) => {
      const candidate = encodeCandidate(alternative, index + 1, "", writer);
      restoreCandidate(candidate, alternative, "", writer);
      writer.link?.(alternative, candidate);
      return candidate as JsonObject;
    });
    const isEmpty =
      message.content.length === 0 &&
      (isStated(wire, protocol, "candidates") || formOf(wire, protocol, "candidates") === "omitted");
    const at = typeof stated === "number" && stated <= candidates.length ? stated : 0;
    if (!isEmpty) candidates.splice(at, 0, encodeCandidate(message, 0, `candidates/${at}/`, writer) as JsonObject);
    if (candidates.length > 0) body["candidates"] = candidates;
  }
  writeHead(body, message, writer);
  restoreCandidate(body, message, `candidates/${scalarText(formOf(wire, protocol, primaryForm) ?? 0)}/`, writer);
  options.link?.(message, body);
  return { value: body as JsonObject, losses: report.drafts };
}

/** Everything of an answer but its candidates. */
function writeHead(body: WireObject, message: AssistantMessage, writer: Writer): void {
  if (!isUnreported(message.usage)) body["usageMetadata"] = encodeUsage(message.usage, writer.report);
  writeIdentity(body, message, writer);
}

/** Which answer it is, and when it came. */
export function writeIdentity(body: WireObject, message: AssistantMessage, writer: Writer): void {
  const { timestamp, wire } = message;
  const model = message.responseModel ?? (wire === undefined ? message.model : undefined);
  if (model !== undefined && model !== "unknown") body["modelVersion"] = model;
  if (message.responseId !== undefined) body["responseId"] = message.responseId;
  if (timestamp === 0) return;
  if (message.api !== protocol) {
    // Only Vertex AI tells the time.
    lose(writer.report, "response.time", message, "timestamp");
    return;
  }
  const form = formOf(wire, protocol, "time");
  body["createTime"] =
    typeof form === "string" && Date.parse(form) === timestamp ? form : new Date(timestamp).toISOString();
}
