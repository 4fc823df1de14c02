import type { AssistantTurn, Json, JsonObject, OpaqueState, ProtocolId } from "../ir/index.ts";
import { isJsonObject, signatureFields } from "../ir/index.ts";

/** Who asked the model, as far as the message says. */
export type Producer = Pick<AssistantTurn, "api" | "provider">;

/** What a string holds that a protocol wrote: the fields that it gives to the part. Undefined where it is not what that protocol writes. */
type Reading = JsonObject | undefined;
type Reader = (value: string, state: StateOf, part: JsonObject) => Reading;
type StateOf = (kind: OpaqueState["kind"], value: Json, binding?: Pick<OpaqueState, "bindsTo">) => Json;

const base64 = /^[A-Za-z0-9+/_-]+={0,2}$/;

function readObject(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Gemini signs any part. */
const thoughtSignature: Reader = (value, state) =>
  base64.test(value) ? { state: [state("signature", value, { bindsTo: "node" })] } : undefined;

/** The id of the item that a text of Responses stood in, alone or with the phase of the answer. */
const textItem: Reader = (value, state) => {
  const item = readObject(value);
  if (item === undefined) return value.startsWith("msg_") ? { state: [state("itemId", value)] } : undefined;
  const { id, phase } = item;
  if (typeof id !== "string") return undefined;
  const isPhase = phase === "commentary" || phase === "final_answer";
  return { ...(isPhase && { phase }), state: [state("itemId", id)] };
};

/** A whole reasoning item of Responses. */
const reasoningItem: Reader = (value, state) => {
  const item = readObject(value);
  if (item?.["type"] !== "reasoning") return undefined;
  const { id, encrypted_content: sealed, content } = item;
  const states = [
    ...(typeof id === "string" ? [state("itemId", id)] : []),
    ...(typeof sealed === "string" ? [state("encrypted", sealed, { bindsTo: "prefix" })] : []),
  ];
  const isFull = Array.isArray(content) && content.length > 0;
  return states.length === 0 ? undefined : { kind: isFull ? "full" : "summary", state: states };
};

/** The signature of a thinking block of Anthropic, or, where the text is redacted, all that there is of it. */
const thinkingBlock: Reader = (value, state, part) => {
  if (value === "") return undefined;
  if (part["redacted"] !== true) return { state: [state("signature", value, { bindsTo: "prefix" })] };
  // What stands there as text is a remark of the host.
  return { thinking: "", state: [state("encrypted", value, { bindsTo: "prefix" })] };
};

/** The field of a Chat message that the text stood in, or details beside it. */
const reasoningField: Reader = (value, state) => {
  if (value === "reasoning_content" || value === "reasoning" || value === "reasoning_text")
    return { wire: { protocol: "openai-chat", form: { field: value } } };
  if (!value.startsWith("[")) return undefined;
  const details = readObject(`{"details":${value}}`)?.["details"];
  return Array.isArray(details) ? { state: [state("details", details)] } : undefined;
};

type Field = (typeof signatureFields)[number];

/** Which strings each protocol writes into which field. */
const readers: { readonly [P in ProtocolId]: { readonly [F in Field]?: Reader } } = {
  "openai-chat": { thinkingSignature: reasoningField },
  "openai-responses": { textSignature: textItem, thinkingSignature: reasoningItem },
  "anthropic-messages": { thinkingSignature: thinkingBlock },
  "gemini-generate-content": {
    textSignature: thoughtSignature,
    thinkingSignature: thoughtSignature,
    thoughtSignature,
  },
};

/**
 * The part with its signature as `state`, where the message says which protocol wrote it, and the string is what that protocol writes. Else the
 * string stays where it is: whose it is would be a guess, and a signature that comes to another service is forgery. No encoder sends the field,
 * and each reports it; it stays in transcripts, and is read once the message states its `api`.
 */
export function withState(part: JsonObject, { api, provider }: Producer): JsonObject {
  if (api === undefined) return part;
  const state: StateOf = (kind, value, binding) => ({
    protocol: api,
    ...(provider !== undefined && { provider }),
    kind,
    value,
    ...binding,
    ...(binding !== undefined && { replay: "required" }),
  });
  for (const field of signatureFields) {
    const value = part[field];
    if (typeof value !== "string") continue;
    const reading = readers[api][field]?.(value, state, part);
    if (reading === undefined) continue;
    const { [field]: _, ...others } = part;
    const states = [...((part["state"] as readonly Json[] | undefined) ?? []), ...((reading["state"] as Json[]) ?? [])];
    return { ...others, ...reading, ...(states.length > 0 && { state: states }) };
  }
  return api === "openai-responses" && part["type"] === "toolCall" ? withItemId(part, state) : part;
}

/** Two ids of Responses that a host joined: ours is both, so that results find their call, and the service gets back its own. */
function withItemId(call: JsonObject, state: StateOf): JsonObject {
  const id = call["id"];
  if (typeof id !== "string" || call["state"] !== undefined) return call;
  const bar = id.indexOf("|");
  if (bar <= 0 || bar === id.length - 1) return call;
  return { ...call, state: [state("itemId", id.slice(bar + 1)), state("callId", id.slice(0, bar))] };
}
