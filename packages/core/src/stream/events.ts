import type { ProviderErrorKind } from "../errors/index.ts";
import type {
  AssistantMessage,
  Citation,
  Json,
  JsonObject,
  OpaqueState,
  Part,
  Pointer,
  ProtocolId,
  StopDetail,
  StopReason,
  ToolCallPart,
  Usage,
  WireForm,
} from "../ir/index.ts";

/** Where an event comes from. */
export interface Place {
  /** Number of the data frame, from 0. Comments and `[DONE]` are not counted. */
  readonly at: number;
  /** Pointer inside of the frame to what the event says. */
  readonly path: Pointer;
  /** Number of the candidate; absent for the first. */
  readonly choice?: number;
  /**
   * On the first event of a frame: `rest` is what the IR has no word for (pointers count from the frame), `form.frame` the frame itself,
   * `form.events` the number of its events, and `form.late` what of `rest` a whole response holds as well. The others are `joined`. An encoder
   * of the same protocol writes the frame again while all its events are there; what an event says beats what the frame says.
   */
  readonly wire?: WireForm;
}

/** The head of the message: everything that is known before its content. */
export interface StartEvent extends Place {
  readonly type: "start";
  /** Without content, `stopReason` "pending"; the usage is the first count. */
  readonly message: AssistantMessage;
}

/** A part begins. `part` is its skeleton: text, reasoning, refusals and arguments follow as deltas. */
export interface PartStartEvent extends Place {
  readonly type: "part_start";
  /** Position of the part in the content of its candidate. */
  readonly index: number;
  readonly part: Part;
  /** Further pieces of the call's name may come, until its first argument does or it ends. */
  readonly unsettled?: true;
}

/** A further piece of a call's name. */
export interface ToolCallNameEvent extends Place {
  readonly type: "toolcall_name";
  readonly index: number;
  /** The skeleton of the call with its name so far, in place of the one before. */
  readonly part: ToolCallPart;
}

/** A piece of a text or of a refusal. Pieces may be empty and may cut surrogate pairs. */
export interface TextDeltaEvent extends Place {
  readonly type: "text_delta";
  readonly index: number;
  readonly text: string;
}

export interface ThinkingDeltaEvent extends Place {
  readonly type: "thinking_delta";
  readonly index: number;
  readonly text: string;
}

/** A piece of the JSON text of a call's arguments, or of the free text of a custom call. */
export interface ToolCallDeltaEvent extends Place {
  readonly type: "toolcall_delta";
  readonly index: number;
  readonly text: string;
}

export interface CitationEvent extends Place {
  readonly type: "citation";
  readonly index: number;
  readonly citation: Citation;
}

/** Opaque state of a part: a signature, or details of reasoning, which come in pieces. */
export interface StateEvent extends Place {
  readonly type: "state";
  readonly index: number;
  readonly state: OpaqueState;
}

export interface PartEndEvent extends Place {
  readonly type: "part_end";
  readonly index: number;
}

/** The usage so far. Counts are cumulative: the last event holds all of them. */
export interface UsageEvent extends Place {
  readonly type: "usage";
  readonly usage: Usage;
  /** What this frame states, verbatim. */
  readonly stated?: JsonObject;
  /** For each key of `usage.raw` the object in which it was stated last, as a pointer from the root of the stream. */
  readonly origins?: { readonly [key: string]: Pointer };
}

/** Why the answer ends. More may follow: usage, further candidates. */
export interface StopEvent extends Place {
  readonly type: "stop";
  readonly stopReason: StopReason;
  readonly stopDetail?: StopDetail;
  readonly rawStopReason?: string;
  readonly stopSequence?: string;
  readonly errorMessage?: string;
  /** The service gave no reason; all that came is whole, so the usual one is taken. */
  readonly inferred?: true;
}

/** The stream is complete. */
export interface DoneEvent extends Place {
  readonly type: "done";
  /** The end marker was missing; something else showed that the answer is whole. */
  readonly unmarked?: true;
}

export interface StreamFailure {
  readonly message: string;
  readonly kind: ProviderErrorKind;
  readonly retryable: boolean;
  /** The HTTP status that the failure names. */
  readonly status?: number;
  readonly requestId?: string;
  readonly type?: string;
  readonly providerCode?: string;
  readonly param?: string;
  readonly retryAfterMs?: number;
  readonly raw?: Json;
}

/** The answer failed. Nothing follows. */
export interface ErrorEvent extends Place {
  readonly type: "error";
  readonly error: StreamFailure;
}

/** What has no word: an unknown event or delta. Without `value` the frame says nothing beside its residue. */
export interface RawEvent extends Place {
  readonly type: "raw";
  readonly protocol: ProtocolId;
  readonly value?: Json;
  /** The part that it belongs to. */
  readonly index?: number;
}

export type StreamEvent =
  | StartEvent
  | PartStartEvent
  | TextDeltaEvent
  | ThinkingDeltaEvent
  | ToolCallNameEvent
  | ToolCallDeltaEvent
  | CitationEvent
  | StateEvent
  | PartEndEvent
  | UsageEvent
  | StopEvent
  | DoneEvent
  | ErrorEvent
  | RawEvent;

/** The place of an event, or of something below what it says, from the root of the stream. */
export function eventPointer(event: Place, below = ""): Pointer {
  return `/events/${event.at}${event.path}${below === "" ? "" : `/${below}`}`;
}
