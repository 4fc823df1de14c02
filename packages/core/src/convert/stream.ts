import { placed } from "../codec/refuse.ts";
import type { ProviderError } from "../errors/index.ts";
import { StreamError } from "../errors/index.ts";
import type { Exchange, Loss, Profile } from "../ir/index.ts";
import type { Acceptance, LossDraft, LossPolicy } from "../loss/index.ts";
import { acceptLosses, enforcePolicy, groupLosses, resolveLosses, summarizeLosses } from "../loss/index.ts";
import type { StreamEvent, StreamFailure } from "../stream/events.ts";
import { brokenSource, describeFailure } from "../stream/failure.ts";
import { createFrameParser } from "../stream/frames.ts";
import type { Places } from "../stream/places.ts";
import { createPlaces } from "../stream/places.ts";
import type { Protocol, StreamDecoder, StreamEncoder, StreamFrame } from "../stream/protocol.ts";
import type { StreamSource } from "../stream/source.ts";
import { readChunks } from "../stream/source.ts";
import { writeComment, writeSse } from "../stream/sse.ts";
import { strayFrame } from "../stream/stray.ts";
import { wholeText } from "../stream/utf8.ts";
import { checkAnswerOptions } from "./options.ts";
import type { TextRun } from "./run.ts";
import { findRun } from "./run.ts";

export interface ConvertStreamOptions {
  /** Of the request that the stream answers. */
  readonly exchange?: Exchange;
  /** What the client understands beyond its protocol. */
  readonly target?: Profile;
  /** When the answer came, in milliseconds since 1970: what a client is told whose protocol has a time, where the service tells none. */
  readonly receivedAt?: number;
  readonly onLoss?: LossPolicy;
  readonly accept?: readonly Acceptance[];
  /** Ends the conversion, and the reading of the source, with the reason of the signal. */
  readonly signal?: AbortSignal;
}

/**
 * The text of the converted stream, chunk by chunk, as it is asked for. Once the stream has ended, `report` gives its losses, and `failure` why
 * the answer failed, where it did.
 */
export interface ConvertedStream extends AsyncIterable<string> {
  readonly report: Promise<readonly Loss[]>;
  readonly failure: Promise<StreamFailure | undefined>;
}

/** How a stream ended. */
interface Outcome {
  readonly losses: readonly Loss[];
  readonly failure: StreamFailure | undefined;
}

/**
 * One stream on its way from one protocol to another, pushed piece by piece: for callers that have no source to loop over. A source that
 * cannot be read is told to the client in its own protocol, and ends the conversion. Losses that the policy refuses are thrown.
 */
export interface StreamConversion {
  /** The text that the next piece of the source gives. */
  push(chunk: string | Uint8Array): string;
  /** What is left when the source has ended. */
  finish(): string;
  /**
   * The text for a source that broke off: none behind a complete answer. `told` is the error that the client shall read. Without it what is the
   * caller's own error is thrown; so is an error where the client cannot be told.
   */
  fail(cause: unknown, told?: ProviderError): string;
  /** Nothing follows: the source has ended or failed. */
  readonly over: boolean;
  /** The losses so far. */
  readonly losses: readonly Loss[];
  /** What the source said of its failure, how it broke off, or why the client cannot have the answer. */
  readonly failure: StreamFailure | undefined;
}

/** Converts a stream between two protocols that are already loaded. */
export function convertStreamWith(
  source: Protocol,
  target: Protocol,
  input: StreamSource,
  options: ConvertStreamOptions = {},
): ConvertedStream {
  const conversion = createStreamConversion(source, target, options);
  return reported(async function* (settle) {
    try {
      yield* runConversion(conversion, input, options);
    } finally {
      settle(conversion);
    }
  });
}

/** A stream that settles its report however it ends, also when it is abandoned. */
export function reported(generate: (settle: (outcome: Outcome) => void) => AsyncGenerator<string>): ConvertedStream {
  let settle: (outcome: Outcome) => void = () => {};
  const outcome = new Promise<Outcome>((resolve) => {
    settle = ({ losses, failure }) => resolve({ losses, failure });
  });
  const chunks = generate(settle);
  const iterator: AsyncIterator<string> = {
    next: () => chunks.next(),
    async return() {
      const end = await chunks.return(undefined);
      // A stream that was never begun has lost nothing.
      settle({ losses: [], failure: undefined });
      return end;
    },
  };
  return {
    report: outcome.then(({ losses }) => losses),
    failure: outcome.then(({ failure }) => failure),
    [Symbol.asyncIterator]: () => iterator,
  };
}

/** The text of a whole source, as it is asked for. */
export async function* runConversion(
  conversion: StreamConversion,
  input: StreamSource,
  options: ConvertStreamOptions,
): AsyncGenerator<string> {
  try {
    for await (const chunk of readChunks(input, options.signal)) {
      const text = conversion.push(chunk);
      if (text !== "") yield text;
      if (conversion.over) return;
    }
  } catch (error) {
    options.signal?.throwIfAborted();
    if (conversion.over) throw error;
    const text = conversion.fail(error);
    if (text !== "") yield text;
    return;
  }
  const text = conversion.finish();
  if (text !== "") yield text;
}

/** `collect` sees each event of the source, where the stream is read into a whole response at once; then nothing is converted without events. */
export function createStreamConversion(
  source: Protocol,
  target: Protocol,
  options: ConvertStreamOptions = {},
  collect?: (event: StreamEvent) => void,
): StreamConversion {
  checkAnswerOptions(options, source.id);
  return new Conversion(source, target, options, collect);
}

/** A class, because each open stream has one, and each function within a function takes memory for it. */
class Conversion implements StreamConversion {
  readonly losses: Loss[] = [];
  over = false;
  failure: StreamFailure | undefined;
  readonly #source: Protocol;
  readonly #target: Protocol;
  readonly #options: ConvertStreamOptions;
  readonly #collect: ((event: StreamEvent) => void) | undefined;
  readonly #parser = createFrameParser();
  readonly #decoder: StreamDecoder;
  readonly #encoder: StreamEncoder;
  readonly #places: Places;
  #told = false;
  /** The answer is whole: nothing that happens to its source makes it another. */
  #complete = false;
  /** What the next frame may go on with. */
  #run: TextRun | undefined;

  constructor(
    source: Protocol,
    target: Protocol,
    options: ConvertStreamOptions,
    collect: ((event: StreamEvent) => void) | undefined,
  ) {
    this.#source = source;
    this.#target = target;
    this.#options = options;
    this.#collect = collect;
    this.#decoder = source.createStreamDecoder(options.exchange, { frames: source.id === target.id });
    this.#encoder = target.createStreamEncoder(options.exchange, {
      ...(options.target !== undefined && { profile: options.target }),
      ...(options.receivedAt !== undefined && { receivedAt: options.receivedAt }),
      ...(collect !== undefined && { collected: true as const }),
    });
    this.#places = createPlaces(source.fieldPointer);
  }

  push(chunk: string | Uint8Array): string {
    const [begun, rest] = this.#run === undefined ? ["", chunk] : goOn(this.#run, chunk);
    if (rest === "") return begun;
    this.#run = undefined;
    let text = begun;
    try {
      for (const frame of this.#parser.push(rest)) text += this.#convert(this.#decoder.push(frame));
      if (this.#collect === undefined && this.#parser.idle) this.#run = findRun(this.#decoder, this.#encoder);
      return text;
    } catch (error) {
      return text + this.fail(error);
    }
  }

  finish(): string {
    let text = "";
    try {
      for (const frame of this.#parser.finish()) text += this.#convert(this.#decoder.push(frame));
      const stray = strayFrame(this.#parser, this.#source.findError);
      if (stray !== undefined) text += this.#convert(this.#decoder.push(stray));
      text += this.#convert(this.#decoder.finish());
      const rest = this.#encoder.finish();
      this.#settle();
      this.over = true;
      return text + this.#write(rest);
    } catch (error) {
      return text + this.fail(error);
    }
  }

  fail(cause: unknown, told?: ProviderError): string {
    this.over = true;
    this.#run = undefined;
    const thrown = placed(cause, this.#places.locate);
    if (told === undefined && isOwnError(thrown)) throw thrown;
    if (this.#complete) return "";
    const error = told === undefined ? brokenSource : describeFailure(told);
    const text = this.#convert([{ type: "error", at: 0, path: "", error }]);
    if (text === "") throw new StreamError(error.message, [], { cause });
    return text;
  }

  #convert(events: readonly StreamEvent[]): string {
    for (const event of events) {
      this.#places.note(event);
      this.#collect?.(event);
      if (event.type === "error") this.failure = event.error;
      if (event.type === "done") this.#complete = true;
    }
    const frames = this.#encoder.push(events);
    this.failure ??= this.#encoder.failure;
    this.#settle();
    return this.#write(frames);
  }

  #settle(): void {
    const { losses: decoded } = this.#decoder;
    const { losses: encoded } = this.#encoder;
    if (decoded.length === 0 && encoded.length === 0) return;
    const drafts: LossDraft[] = [...decoded.splice(0), ...encoded.splice(0)];
    const resolved = resolveLosses(drafts, this.#source.id, this.#target.id, {
      locate: this.#places.locate,
      locateIr: () => undefined,
    });
    const fresh = acceptLosses(resolved, this.#options.accept ?? []);
    for (const loss of fresh) this.losses.push(loss);
    enforcePolicy(fresh, this.#options.onLoss ?? "report");
  }

  #write(frames: readonly StreamFrame[]): string {
    let text = "";
    for (const frame of frames) {
      if (frame.terminal === true && !this.#told) {
        this.#told = true;
        if (this.losses.length > 0 && this.#target.comments !== false) text += writeComment(figures(this.losses));
      }
      text += writeSse(frame);
    }
    return text;
  }
}

/** What a chunk gives as far as it goes on with a run, and what is left of it. */
function goOn(run: TextRun, chunk: string | Uint8Array): readonly [written: string, rest: string | Uint8Array] {
  const text = typeof chunk === "string" ? chunk : wholeText(chunk);
  const end = text === undefined ? 0 : run.push(text);
  return text === undefined || end === 0 ? ["", chunk] : [run.written, text.slice(end)];
}

/** Errors that say that the conversion is not wanted, or not possible. They are the caller's, not the client's. */
export function isOwnError(error: unknown): boolean {
  return error instanceof Error && "isRolecallError" in error && !(error instanceof StreamError);
}

/** The figures of a report as they may be sent: codes, and no content. */
function figures(losses: readonly Loss[]): string {
  const { worst, total, groups, accepted, safety, authority } = summarizeLosses(losses);
  const codes = groupLosses(losses)
    .slice(0, 20)
    .map((group) => `${group.code};n=${group.count}`);
  return `rolecall-losses worst=${worst ?? "none"}, total=${total}, groups=${groups}, accepted=${accepted}, safety=${safety}, authority=${authority}, codes=(${codes.join(" ")})`;
}
