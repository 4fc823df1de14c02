import type { ProviderErrorKind } from "../../errors/index.ts";
import type {
  AssistantMessage,
  JsonObject,
  Message,
  OpaqueState,
  Part,
  ProtocolId,
  Settings,
  StopReason,
  Usage,
} from "../../ir/index.ts";

/** A call that a scripted answer makes. */
export interface ScriptedCall {
  /** Made up from the number of the answer where it is not stated. */
  readonly id?: string;
  readonly name: string;
  readonly arguments?: JsonObject;
  /** The text of the arguments instead, which need not be JSON. */
  readonly argumentsText?: string;
}

/** What a scripted model says once. */
export interface ScriptedAnswer {
  /** A text, or several of them. */
  readonly text?: string | readonly string[];
  readonly thinking?: string;
  /** What the service seals of the thought; it has to come back with it as it is. Chat has no such thing. */
  readonly signature?: string;
  /** Gemini has no words for one. */
  readonly refusal?: string;
  /** Several of them are made at once. */
  readonly toolCalls?: readonly ScriptedCall[];
  /** "toolUse" with calls, and "stop" without, unless stated. */
  readonly stopReason?: Extract<StopReason, "stop" | "length" | "toolUse">;
  readonly usage?: Partial<Usage>;
  /** Instead of an answer: a status that is no success, with what it says. A body of text goes as HTML. */
  readonly error?: {
    readonly status: number;
    readonly message?: string;
    readonly kind?: ProviderErrorKind;
    readonly retryAfterMs?: number;
    readonly body?: string;
  };
  /**
   * A stream that does not come to its end: after so many frames the connection is cut, nothing more comes, or an error is told in it. Of an answer
   * that is no stream, nothing of it comes before that, and an error is a cut.
   */
  readonly breaks?: {
    readonly after: number;
    readonly how: "cut" | "stall" | "error";
    /** Of an error; "overloaded" unless stated. */
    readonly kind?: ProviderErrorKind;
    readonly message?: string;
  };
  /** Milliseconds before each frame. */
  readonly delayMs?: number;
  /** The most characters of a piece; 12 unless stated. */
  readonly pieceLength?: number;
}

/** What a scripted model was asked, as its service read it. */
export interface ScriptedRequest {
  readonly api: ProtocolId;
  readonly model: string;
  readonly messages: readonly Message[];
  readonly settings: Settings;
  /** The body as it came. */
  readonly body: JsonObject;
  /** How many requests came before it. */
  readonly call: number;
  /** Fires when whoever asks gives up. */
  readonly signal: AbortSignal;
}

/** An answer in the words of the representation. */
export function scriptedMessage(
  answer: ScriptedAnswer,
  { api, model, call }: Pick<ScriptedRequest, "api" | "model" | "call">,
): AssistantMessage {
  const { text = [], thinking, signature, refusal, toolCalls = [], stopReason, usage } = answer;
  const content: Part[] = [];
  if (thinking !== undefined || signature !== undefined)
    content.push({
      type: "thinking",
      thinking: thinking ?? "",
      ...(api === "openai-responses" && { kind: "summary" }),
      ...(api === "openai-chat" && { wire: { protocol: api, form: { field: "reasoning_content" } } }),
      ...(signature !== undefined && api !== "openai-chat" && { state: [stateOf(signature, api)] }),
    });
  for (const piece of [text].flat()) content.push({ type: "text", text: piece });
  if (refusal !== undefined) content.push({ type: "refusal", text: refusal });
  toolCalls.forEach(({ id = `call_${call}_${content.length}`, name, arguments: given = {}, argumentsText }) => {
    const own = argumentsText === undefined ? { arguments: given } : { argumentsText };
    content.push({ type: "toolCall", kind: "function", id, name, ...own });
  });
  const input = usage?.input ?? 10;
  const output = usage?.output ?? 10;
  const { cacheRead = 0, cacheWrite = 0 } = usage ?? {};
  return {
    role: "assistant",
    content,
    api,
    provider: "scripted",
    model,
    responseModel: model,
    responseId: `scripted_${call}`,
    usage: { input, output, cacheRead, cacheWrite, totalTokens: input + output + cacheRead + cacheWrite, ...usage },
    stopReason: stopReason ?? (toolCalls.length > 0 ? "toolUse" : "stop"),
    ...(refusal !== undefined && { stopDetail: "refusal" as const }),
    timestamp: 0,
  };
}

function stateOf(value: string, protocol: ProtocolId): OpaqueState {
  const kind = protocol === "openai-responses" ? "encrypted" : "signature";
  return { protocol, kind, value, bindsTo: "prefix", replay: "required" };
}
