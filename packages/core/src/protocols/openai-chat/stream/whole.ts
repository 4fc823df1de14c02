import type { Encoded, EncodeOptions } from "../../../codec/protocol.ts";
import type { AssistantMessage, Exchange, Json, JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { LossDraft } from "../../../loss/index.ts";
import { cutCall, cutCallsOf, loseCutCall } from "../../../stream/encode/cut-call.ts";
import type { StreamFailure } from "../../../stream/events.ts";
import { failureError, failureOf } from "../../../stream/failure.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
import { encodeError } from "../errors.ts";
import { encodeResponse } from "../response.ts";

/** The whole stream that gives a message. */
export function encodeStream(
  message: AssistantMessage,
  exchange?: Exchange,
  options?: EncodeOptions,
): Encoded<readonly StreamFrame[]> {
  const { value, losses: encoded } = encodeResponse(message, exchange, options);
  const losses = [...encoded, ...unstatedEnds(message)];
  const cut = cutCallsOf(message, "openai-chat");
  for (const part of cut) loseCutCall({ drafts: losses }, part);
  const failure = message.error !== undefined ? failureOf(message) : cut.length > 0 ? cutCall : undefined;
  const { choices, usage, error: _error, ...head } = value;
  const frame = (fields: JsonObject): StreamFrame => ({
    data: JSON.stringify({ ...head, object: "chat.completion.chunk", ...fields }),
  });
  const frames = objectsIn(choices).flatMap((choice) => chunksOf(choice).map((chunk) => frame({ choices: [chunk] })));
  // An error says all that a reason to end could not, and nothing follows it.
  if (failure !== undefined)
    return {
      value: [...failedChunks(choices).map(frame), errorFrame(failure)],
      losses: losses.filter(({ code }) => code !== "response.error"),
    };
  const isAsked = exchange === undefined || exchange.includeUsage === true;
  const unasked: LossDraft = { code: "usage.not_requested", stage: "encode", node: message.usage };
  return {
    value: [
      ...frames,
      ...(isAsked && usage !== undefined ? [frame({ choices: [], usage })] : []),
      { data: "[DONE]", terminal: true },
    ],
    losses: isAsked || usage === undefined ? losses : [...losses, unasked],
  };
}

/** Each candidate of a stream ends with a reason, also where the answer of its own protocol gave none. */
function unstatedEnds(message: AssistantMessage): LossDraft[] {
  if (message.api !== "openai-chat") return [];
  return [message, ...(message.alternatives ?? [])]
    .filter(({ stopReason }) => stopReason === "pending")
    .map((node) => ({
      code: "stop.inferred",
      stage: "encode",
      node,
      field: "rawStopReason",
      values: { sent: "stop" },
    }));
}

/** What the candidates of a failed answer say, without their ends. */
function failedChunks(choices: Json | undefined): JsonObject[] {
  return objectsIn(choices).flatMap(({ error: _error, ...choice }) =>
    chunksOf(choice)
      .slice(0, -1)
      .map((chunk) => ({ choices: [chunk] })),
  );
}

/** The frame that ends a failed stream. */
export function errorFrame(failure: StreamFailure): StreamFrame {
  return { data: JSON.stringify(encodeError(failureError(failure)).value.body), terminal: true };
}

const objectsIn = (value: Json | undefined): JsonObject[] => (Array.isArray(value) ? value.filter(isJsonObject) : []);

/** Clients show what comes as it comes: reasoning is before the answer, and what belongs to a text behind it. */
const rankOf = (field: string): number => (field.startsWith("reasoning") ? 0 : field === "content" ? 1 : 2);

/** The chunks of one candidate: its head, one for each thing that it says, and its end. */
function chunksOf({ message, finish_reason, logprobs = null, ...others }: JsonObject): JsonObject[] {
  const { role = "assistant", tool_calls: calls, ...fields } = isJsonObject(message) ? message : {};
  const said = Object.entries(fields).filter(([, value]) => value !== null);
  const deltas: JsonObject[] = [
    ...said.sort(([left], [right]) => rankOf(left) - rankOf(right)).map(([key, value]) => ({ [key]: value })),
    ...objectsIn(calls).map((call, index) => ({ tool_calls: [{ index, ...call }] })),
  ];
  const open = { ...others, finish_reason: null };
  return [
    { ...open, delta: { role, content: typeof fields["content"] === "string" ? "" : null }, logprobs },
    ...deltas.map((delta) => ({ ...open, delta, logprobs: null })),
    { ...others, delta: {}, logprobs: null, finish_reason: finish_reason ?? "stop" },
  ];
}
