import type { DecodeProgress } from "../codec/course.ts";
import type { StatedError } from "../codec/errors/envelope.ts";
import type {
  Decoded,
  Encoded,
  EncodedRequest,
  EncodeOptions,
  History,
  RedundancyRule,
  WireError,
  WireRequest,
} from "../codec/protocol.ts";
import type { ProviderError } from "../errors/index.ts";
import type { AssistantMessage, Conversation, Exchange, Json, JsonObject, Profile, ProtocolId } from "../ir/index.ts";
import type { FieldPointer, LossDraft } from "../loss/index.ts";
import type { StreamEvent, StreamFailure, TextDeltaEvent, ThinkingDeltaEvent, ToolCallDeltaEvent } from "./events.ts";
import type { StreamSource } from "./source.ts";
import type { SseFrame } from "./sse.ts";

/** A piece of something that grows. */
export type DeltaEvent = TextDeltaEvent | ThinkingDeltaEvent | ToolCallDeltaEvent;

/**
 * Frames that differ in nothing but their piece of a text, as long as nothing else comes between them. They are read and written around their
 * pieces, and their codec is told afterwards.
 */
export interface FrameRun {
  /** Name of the SSE events; absent where they have none. */
  readonly event?: string;
  /** What stands before the piece in the JSON of a frame, with its opening quotation mark, and after it. */
  readonly before: string;
  readonly after: string;
  /** So many frames were read or written, whose pieces together are `text`. */
  note(text: string, frames: number): void;
}

/** Turns the frames of one stream into neutral events. A push machine: no clock, no network, memory for one frame and the open parts. */
export interface StreamDecoder {
  /** The events of one frame. Those of one frame belong together; after `done` or `error` there are none. */
  push(frame: SseFrame): readonly StreamEvent[];
  /** The end of the stream. A stream without a terminal signal ends in an error. */
  finish(): readonly StreamEvent[];
  /** The run that the last frame may belong to, and the event of that frame: those of the others differ in `text` and `at`. */
  run?(): { readonly frames: FrameRun; readonly event: DeltaEvent } | undefined;
  /** What decoding had to change, oldest first. Whoever reads them may remove them. */
  readonly losses: LossDraft[];
}

/** A frame as it is written. */
export interface StreamFrame {
  readonly event?: string;
  readonly data: string;
  /** Nothing but further terminal frames follows. */
  readonly terminal?: true;
}

/** Turns neutral events into the frames of one stream, in the grammar that the official client of the protocol enforces. */
export interface StreamEncoder {
  /** The frames for some events; those of one source frame should come together. */
  push(events: readonly StreamEvent[]): readonly StreamFrame[];
  /** What is left when the events end, also where they ended early. */
  finish(): readonly StreamFrame[];
  /** How events that differ from this one in `text` and `at` are written, where each becomes one frame and loses nothing. */
  run?(event: DeltaEvent): FrameRun | undefined;
  /** How the answer failed, where its end says so. */
  readonly failure?: StreamFailure | undefined;
  /** What encoding changed, oldest first. Whoever reads them may remove them. */
  readonly losses: LossDraft[];
}

export interface StreamDecodeOptions {
  /**
   * False: events need not carry the frames that they came in, which only an encoder of the same protocol writes again. A copy of the frame for
   * each piece of a text is a third of what its event costs.
   */
  readonly frames?: boolean;
}

/** One wire format, both directions. Functions without state: no clock, no random numbers, no network; inputs are never changed. */
export interface Protocol {
  readonly id: ProtocolId;
  readonly redundancy: readonly RedundancyRule[];
  /** Profiles of known servers by name. */
  readonly profiles: { readonly [name: string]: Profile };
  /** False where clients fail at a comment within a stream. */
  readonly comments?: false;
  /** Where a field of an IR node stands in a body. */
  readonly fieldPointer: FieldPointer;
  readonly history: History;
  /** Throws a DecodeError for a body that is not one of this protocol. */
  decodeRequest(wire: WireRequest, source?: Profile, progress?: DecodeProgress): Decoded<Conversation>;
  /** Throws an UnsupportedError for what the target cannot do at all. */
  encodeRequest(conversation: Conversation, target?: Profile, options?: EncodeOptions): EncodedRequest;
  /** What an answer says again of its request, where answers of the protocol do. */
  echoOf?(wire: WireRequest): JsonObject;
  decodeResponse(wire: Json, exchange?: Exchange): Decoded<AssistantMessage>;
  encodeResponse(message: AssistantMessage, exchange?: Exchange, options?: EncodeOptions): Encoded<JsonObject>;
  createStreamDecoder(exchange?: Exchange, options?: StreamDecodeOptions): StreamDecoder;
  createStreamEncoder(exchange?: Exchange, options?: EncodeOptions): StreamEncoder;
  /** The message that a whole stream gives. A stream that fails gives a message with `stopReason` "error". */
  decodeStream(source: StreamSource, exchange?: Exchange): Promise<Decoded<AssistantMessage>>;
  /** The whole stream that gives a message. */
  encodeStream(
    message: AssistantMessage,
    exchange?: Exchange,
    options?: EncodeOptions,
  ): Encoded<readonly StreamFrame[]>;
  decodeError(status: number, headers: { readonly [name: string]: string | undefined }, body: unknown): ProviderError;
  /** The error that an answer states although its status says that all is well. */
  findError(answer: Json): StatedError | undefined;
  encodeError(error: ProviderError, exchange?: Exchange): Encoded<WireError>;
}
