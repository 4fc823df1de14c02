import { placed } from "../codec/refuse.ts";
import type { ProviderError } from "../errors/index.ts";
import { StreamError } from "../errors/index.ts";
import type { Exchange, Loss, Profile } from "../ir/index.ts";
import type { Acceptance, LossDraft, LossPolicy } from "../loss/index.ts";
import { acceptLosses, enforcePolicy, groupLosses, resolveLosses, summarizeLosses } from "../loss/index.ts";
import type { StreamEvent, StreamFailure } from "../stream/events.ts";
import { brokenSource, describeFailure } from "../stream/failure.ts";
import { createFrameParser } from "../stream/frames.ts";
import { createPlaces } from "../stream/places.ts";
import type { Protocol, StreamFrame } from "../stream/protocol.ts";
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
  const parser = createFrameParser();
  const decoder = source.createStreamDecoder(options.exchange, { frames: source.id === target.id });
  const encoder = target.createStreamEncoder(options.exchange, {
    ...(options.target !== undefined && { profile: options.target }),
    ...(options.receivedAt !== undefined && { receivedAt: options.receivedAt }),
    ...(collect !== undefined && { collected: true as const }),
  });
  const places = createPlaces(source.fieldPointer);
  const losses: Loss[] = [];
  let told = false;
  /** The answer is whole: nothing that happens to its source makes it another. */
  let complete = false;
  /** What the next frame may go on with. */
  let run: TextRun | undefined;

  const settle = (): void => {
    if (decoder.losses.length === 0 && encoder.losses.length === 0) return;
    const drafts: LossDraft[] = [...decoder.losses.splice(0), ...encoder.losses.splice(0)];
    const resolved = resolveLosses(drafts, source.id, target.id, {
      locate: places.locate,
      locateIr: () => undefined,
    });
    const fresh = acceptLosses(resolved, options.accept ?? []);
    for (const loss of fresh) losses.push(loss);
    enforcePolicy(fresh, options.onLoss ?? "report");
  };
  const write = (frames: readonly StreamFrame[]): string => {
    let text = "";
    for (const frame of frames) {
      if (frame.terminal === true && !told) {
        told = true;
        if (losses.length > 0 && target.comments !== false) text += writeComment(figures(losses));
      }
      text += writeSse(frame);
    }
    return text;
  };
  const convert = (events: readonly StreamEvent[]): string => {
    for (const event of events) {
      places.note(event);
      collect?.(event);
      if (event.type === "error") conversion.failure = event.error;
      if (event.type === "done") complete = true;
    }
    const frames = encoder.push(events);
    conversion.failure ??= encoder.failure;
    settle();
    return write(frames);
  };

  const conversion = {
    losses,
    over: false,
    failure: undefined as StreamFailure | undefined,
    push(chunk: string | Uint8Array): string {
      const [begun, rest] = run === undefined ? ["", chunk] : goOn(run, chunk);
      if (rest === "") return begun;
      run = undefined;
      let text = begun;
      try {
        for (const frame of parser.push(rest)) text += convert(decoder.push(frame));
        if (collect === undefined && parser.idle) run = findRun(decoder, encoder);
        return text;
      } catch (error) {
        return text + conversion.fail(error);
      }
    },
    finish(): string {
      let text = "";
      try {
        for (const frame of parser.finish()) text += convert(decoder.push(frame));
        const stray = strayFrame(parser, source.findError);
        if (stray !== undefined) text += convert(decoder.push(stray));
        text += convert(decoder.finish());
        const rest = encoder.finish();
        settle();
        conversion.over = true;
        return text + write(rest);
      } catch (error) {
        return text + conversion.fail(error);
      }
    },
    fail(cause: unknown, told?: ProviderError): string {
      conversion.over = true;
      run = undefined;
      const thrown = placed(cause, places.locate);
      if (told === undefined && isOwnError(thrown)) throw thrown;
      if (complete) return "";
      const error = told === undefined ? brokenSource : describeFailure(told);
      const text = convert([{ type: "error", at: 0, path: "", error }]);
      if (text === "") throw new StreamError(error.message, [], { cause });
      return text;
    },
  };
  return conversion;
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
