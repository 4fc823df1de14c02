import { restoreClientTerms } from "../../codec/client-terms.ts";
import { inferStop } from "../../codec/content/inferred-stop.ts";
import { createCallIds } from "../../codec/identity/call-ids.ts";
import { identifierRule } from "../../codec/identity/identifiers.ts";
import { LateMap, LateSet } from "../../codec/identity/late.ts";
import { createNames } from "../../codec/identity/names.ts";
import type { Ledger, Open } from "../../codec/ledger.ts";
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
import { millisecondsOf, readSeconds } from "../../codec/time.ts";
import { isUnreported, unreportedUsage } from "../../codec/usage.ts";
import type { AssistantMessage, Exchange, Json, JsonObject, StopDetail, Usage } from "../../ir/index.ts";
import { isJsonObject, valueAt } from "../../ir/index.ts";
import { createReport, createTrace, lose, sweepForeign } from "../../loss/index.ts";
import type { StreamFailure } from "../../stream/events.ts";
import { describeFailure, failedEnd } from "../../stream/failure.ts";
import type { Reader, Writer } from "./context.ts";
import { findStated, readStated } from "./errors.ts";
import { fieldPointer, primaryForm } from "./fields.ts";
import { decodeAssistant } from "./messages/assistant.ts";
import { encodeAssistantParts, staleKeys } from "./messages/turn.ts";
import { resolveProfile } from "./profile.ts";
import { decodeStop, encodeStop } from "./stop-reason.ts";
import { decodeUsage, encodeUsage } from "./usage.ts";
import { choiceKeys, responseKeys } from "./wire.ts";

const protocol = "openai-chat";
/** Keys that every response has, each choice of it, and the message in that; those that one lacks are noted. */
const always = ["id", "object", "created", "model", "usage"] as const;
const alwaysOfChoice = ["index", "finish_reason", "logprobs"] as const;
const alwaysOfMessage = ["role", "refusal"] as const;
/** The client gets names and ids as they are: its own, or the server's. */
const anyIdentifier = identifierRule(64, true, undefined);

/** Facts of the whole response that each candidate shares. */
interface Head {
  readonly provider: string;
  readonly model: string;
  readonly responseModel: string | undefined;
  readonly timestamp: number;
}

export function decodeResponse(wire: Json, exchange?: Exchange): Decoded<AssistantMessage> {
  const body = expectObject(wire, "", "a Chat Completions response");
  const trace = createTrace(fieldPointer);
  const reader: Reader = {
    trace,
    provider: exchange?.provider,
    losses: [],
    callIds: createCallIds(protocol),
    functionCalls: new LateMap(),
    response: true,
  };
  const choices = expectArray(body["choices"], "/choices", "choices");
  const ledger = createLedger(protocol, "empty");
  keepUnknown(ledger, body, responseKeys);
  noteOmitted(ledger, body, always, "");
  if (body["object"] !== undefined && body["object"] !== "chat.completion") keepOdd(ledger, "object", body["object"]);
  const id = readString(ledger, body, "id");
  const responseModel = readString(ledger, body, "model");
  const timestamp = readSeconds(ledger, body, "created");
  const usage = decodeUsage(body["usage"]);
  if (!isJsonObject(body["usage"])) keepOdd(ledger, "usage", body["usage"]);
  if (usage !== unreportedUsage) trace.pointers.set(usage, "/usage");
  const head: Head = {
    provider: exchange?.provider ?? "unknown",
    model: exchange?.model ?? responseModel ?? "unknown",
    responseModel,
    timestamp,
  };
  if (choices.length === 0) spell(ledger, "choices", []);
  const at = primaryPosition(choices);
  if (at > 0) spell(ledger, primaryForm, at);
  const first = choices[at];
  const primary = first === undefined ? emptyChoice : decodeChoice(first, at, 0, `choices/${at}/`, ledger, reader);
  const alternatives: AssistantMessage[] = [];
  for (let position = 0; position < choices.length; position++) {
    if (position === at) continue;
    const choice = choices[position] as Json;
    alternatives.push(decodeAlternative(choice, position, alternatives.length + 1, head, reader));
  }
  const stated = findStated(body);
  const choice = stated === undefined ? primary : failedChoice(primary, describeFailure(readStated(stated)));
  const value = messageOf(choice, head, usage, ledger);
  if (id !== undefined) value.responseId = id;
  if (alternatives.length > 0) value.alternatives = alternatives;
  trace.pointers.set(value, "");
  return { value: restoreClientTerms(value, exchange, trace, reader.losses), losses: reader.losses, trace };
}

/** A message of what a choice says. */
function messageOf(choice: Choice, head: Head, usage: Usage, ledger: Ledger): Open<AssistantMessage> {
  const { stopReason, stopDetail, rawStopReason, name, errorMessage, error } = choice;
  const { provider, model, responseModel, timestamp } = head;
  const message: Open<AssistantMessage> = {
    role: "assistant",
    content: choice.content,
    api: protocol,
    provider,
    model,
    timestamp,
    usage,
    stopReason,
    wire: wireOf(ledger) ?? plainWire(protocol),
  };
  if (name !== undefined) message.name = name;
  if (stopDetail !== undefined) message.stopDetail = stopDetail;
  if (rawStopReason !== undefined) message.rawStopReason = rawStopReason;
  if (errorMessage !== undefined) message.errorMessage = errorMessage;
  if (error !== undefined) message.error = error;
  if (responseModel !== undefined) message.responseModel = responseModel;
  return message;
}

/** The choice of index 0 is the answer, wherever it stands, as in a stream; the first one where none says so. */
function primaryPosition(choices: readonly Json[]): number {
  return Math.max(choices.findIndex(isPrimary), 0);
}

const isPrimary = (choice: Json): boolean => isJsonObject(choice) && choice["index"] === 0;

interface Choice extends Pick<AssistantMessage, "content" | "stopReason" | "errorMessage" | "error"> {
  readonly name: string | undefined;
  readonly stopDetail: StopDetail | undefined;
  readonly rawStopReason: string | undefined;
}
const emptyChoice: Choice = {
  content: [],
  name: undefined,
  stopReason: "stop",
  stopDetail: "unknown",
  rawStopReason: undefined,
};

/** A failed answer keeps what came, and the service's own word. */
function failedChoice(choice: Choice, failure: StreamFailure): Choice {
  return { ...choice, stopDetail: undefined, ...failedEnd(failure) };
}

/** Keys that every response has; those that one lacks are noted with their place. */
function noteOmitted(ledger: Ledger, source: JsonObject, keys: readonly string[], prefix: string): void {
  for (const key of keys) if (source[key] === undefined) spell(ledger, `${prefix}${key}`, "omitted");
}

function decodeChoice(
  value: Json,
  position: number,
  index: number,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
): Choice {
  const pointer = `/choices/${position}`;
  const choice = expectObject(value, pointer, "a choice");
  keepUnknown(ledger, choice, choiceKeys, prefix);
  noteOmitted(ledger, choice, alwaysOfChoice, prefix);
  if (choice["index"] !== undefined && choice["index"] !== index) keepOdd(ledger, "index", choice["index"], prefix);
  if (choice["message"] === undefined) {
    // A filtered answer may come without any message.
    spell(ledger, `${prefix}message`, "omitted");
    const raw = readString(ledger, choice, "finish_reason", prefix);
    const { stopReason, stopDetail } = decodeStop(raw, []);
    return { content: [], name: undefined, stopReason, stopDetail, rawStopReason: raw };
  }
  const message = expectObject(choice["message"], `${pointer}/message`, "message");
  noteOmitted(ledger, message, alwaysOfMessage, `${prefix}message/`);
  if (message["role"] !== undefined && message["role"] !== "assistant")
    keepOdd(ledger, "message/role", message["role"], prefix);
  const { content, name } = decodeAssistant(message, `${pointer}/message`, `${prefix}message/`, ledger, reader);
  const raw = readString(ledger, choice, "finish_reason", prefix);
  const { stopReason, stopDetail } = decodeStop(raw, content);
  return { content, name, stopReason, stopDetail, rawStopReason: raw };
}

function decodeAlternative(value: Json, position: number, index: number, head: Head, reader: Reader): AssistantMessage {
  const ledger = createLedger(protocol, "empty");
  const choice = decodeChoice(value, position, index, "", ledger, reader);
  const alternative = messageOf(choice, head, unreportedUsage, ledger);
  reader.trace.pointers.set(alternative, `/choices/${position}`);
  return alternative;
}

export function encodeResponse(
  message: AssistantMessage,
  exchange?: Exchange,
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
    forOpenAi: false,
    response: true,
    functionCalls: !faithful && exchange?.functionCalls === true,
    report,
    names: createNames(protocol, anyIdentifier, anyIdentifier, report),
    customTools: new LateSet(),
    functionNames: new LateMap(),
    link: options.link,
  };
  const omitted = (key: string): boolean => formOf(message.wire, protocol, key) === "omitted";
  const body: WireObject = {};
  if (!omitted("id") || message.responseId !== undefined) body["id"] = message.responseId ?? "chatcmpl-unknown";
  if (!omitted("object")) body["object"] = "chat.completion";
  if (!omitted("created") || message.timestamp !== 0)
    body["created"] = faithful ? message.timestamp / 1000 : secondsOf(message.timestamp || options.receivedAt);
  if (!omitted("model") || message.responseModel !== undefined)
    body["model"] = message.responseModel ?? (message.wire === undefined ? message.model : "unknown");
  const isEmpty =
    message.wire?.protocol === protocol &&
    Array.isArray(message.wire.form?.["choices"]) &&
    message.content.length === 0;
  const choices = (message.alternatives ?? []).map((alternative, index) =>
    encodeAlternative(alternative, index + 1, writer),
  );
  const stated = formOf(message.wire, protocol, primaryForm);
  const at = typeof stated === "number" && stated <= choices.length ? stated : 0;
  if (!isEmpty) choices.splice(at, 0, encodeChoice(message, 0, `choices/${at}/`, writer));
  body["choices"] = choices;
  writeUsage(body, message, writer);
  clearStated(body, message);
  restore(
    body,
    message.wire,
    protocol,
    staleKeys(valueAt(body, `choices/${at}/message`), message, `choices/${at}/message/`),
  );
  options.link?.(message, body);
  return { value: body as JsonObject, losses: report.drafts };
}

/** A time in milliseconds as whole seconds. A time that nobody knows is zero: the field must be there. */
export const secondsOf = (time: number | undefined): number => Math.floor((time ?? 0) / 1000);

/** Values that the encoder makes up where the source stated another give way to it. */
function clearStated(body: WireObject, message: AssistantMessage): void {
  const stated = (key: string): boolean => isStated(message.wire, protocol, key);
  if (stated("object")) delete body["object"];
  if (message.responseId === undefined && stated("id")) delete body["id"];
  if (message.responseModel === undefined && stated("model")) delete body["model"];
  if (stated("created") && message.timestamp === millisecondsOf(message.wire?.rest?.["created"]))
    delete body["created"];
  if (isUnreported(message.usage) && stated("usage")) delete body["usage"];
}

function encodeAlternative(alternative: AssistantMessage, index: number, writer: Writer): JsonObject {
  const choice = encodeChoice(alternative, index, "", writer) as WireObject;
  restore(choice, alternative.wire, protocol, staleKeys(choice["message"], alternative, "message/"));
  writer.link?.(alternative, choice);
  return choice as JsonObject;
}

function encodeChoice(message: AssistantMessage, index: number, prefix: string, writer: Writer): JsonObject {
  const stop = encodeStop(writer.faithful ? message : inferStop(message, writer.report), writer.functionCalls);
  if (!stop.exact) {
    const code =
      message.stopDetail === "unknown"
        ? "stop.unknown"
        : message.stopReason === "error" && message.stopDetail === undefined
          ? "response.error"
          : "stop.approximated";
    lose(writer.report, code, message, "stopReason", {
      values: { raw: message.rawStopReason ?? "", sent: String(stop.raw) },
    });
  }
  if (message.stopSequence !== undefined) lose(writer.report, "stop.sequence", message, "stopSequence");
  const form = (key: string): Json | undefined => formOf(message.wire, protocol, prefix + key);
  const stated = (key: string): boolean => isStated(message.wire, protocol, prefix + key);
  const inner = encodeAssistantParts(message, writer, `${prefix}message/`);
  if (message.name !== undefined) inner["name"] = message.name;
  if (form("message/role") === "omitted" || stated("message/role")) delete inner["role"];
  if (inner["content"] === undefined && form("message/content") === undefined) inner["content"] = null;
  if (inner["refusal"] === undefined && form("message/refusal") === undefined && !stated("message/refusal"))
    inner["refusal"] = null;
  const choice: WireObject = {};
  if (form("message") !== "omitted" || message.content.length > 0) choice["message"] = inner as JsonObject;
  if (form("index") !== "omitted" && !stated("index")) choice["index"] = index;
  if (stop.raw !== null || (form("finish_reason") !== "omitted" && !stated("finish_reason")))
    choice["finish_reason"] = stop.raw;
  if (form("logprobs") === undefined && !stated("logprobs")) choice["logprobs"] = null;
  return choice as JsonObject;
}

function writeUsage(body: WireObject, message: AssistantMessage, writer: Writer): void {
  if (!isUnreported(message.usage)) {
    body["usage"] = encodeUsage(message.usage, writer.report);
    return;
  }
  if (writer.faithful) return;
  lose(writer.report, "usage.synthesized", undefined, "", { targetPath: "/usage", values: { to: protocol } });
  body["usage"] = { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 };
}
