import { placed } from "../codec/refuse.ts";
import { StreamError } from "../errors/index.ts";
import type { Exchange, Loss, Profile } from "../ir/index.ts";
import type { Acceptance, LossDraft, LossPolicy } from "../loss/index.ts";
import { acceptLosses, enforcePolicy, groupLosses, resolveLosses, summarizeLosses } from "../loss/index.ts";
import type { StreamEvent, StreamFailure } from "../stream/events.ts";
import { brokenSource } from "../stream/failure.ts";
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

/** The text of the converted stream, chunk by chunk, as it is asked for. `report` gives its losses once the stream has ended. */
export interface ConvertedStream extends AsyncIterable<string> {
  readonly report: Promise<readonly Loss[]>;
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
   * The text for a source that broke off: none behind a complete answer. Throws what is the caller's own error, and where the client cannot be
   * told.
   */
  fail(cause: unknown): string;
  /** Nothing follows: the source has ended or failed. */
  readonly over: boolean;
  /** The losses so far. */
  readonly losses: readonly Loss[];
  /** What the source said of its failure, or how it broke off. */
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
      settle(conversion.losses);
    }
  });
}

/** A stream that settles its report however it ends, also when it is abandoned. */
export function reported(
  generate: (settle: (losses: readonly Loss[]) => void) => AsyncGenerator<string>,
): ConvertedStream {
  let settle: (losses: readonly Loss[]) => void = () => {};
  const report = new Promise<readonly Loss[]>((resolve) => {
    settle = resolve;
  });
  const chunks = generate(settle);
  const iterator: AsyncIterator<string> = {
    next: () => chunks.next(),
    async return() {
      const end = await chunks.return(undefined);
      // A stream that was never begun has lost nothing.
      settle([]);
      return end;
    },
  };
  return { report, [Symbol.asyncIterator]: () => iterator };
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

/** `watch` sees each event of the source; then nothing is converted without events. */
export function createStreamConversion(
  source: Protocol,
  target: Protocol,
  options: ConvertStreamOptions = {},
  watch?: (event: StreamEvent) => void,
): StreamConversion {
  checkAnswerOptions(options, source.id);
  const parser = createFrameParser();
  const decoder = source.createStreamDecoder(options.exchange, { frames: source.id === target.id });
  const encoder = target.createStreamEncoder(options.exchange, {
    ...(options.target !== undefined && { profile: options.target }),
    ...(options.receivedAt !== undefined && { receivedAt: options.receivedAt }),
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
    const resolved = resolveLosses(drafts, source.id, target.id, places.locate, () => undefined);
    const fresh = acceptLosses(resolved, options.accept ?? []);
    for (const loss of fresh) losses.push(loss);
    enforcePolicy(fresh, options.onLoss ?? "report");
  };
  const write = (frames: readonly StreamFrame[]): string => {
    let text = "";
    for (const frame of frames) {
      if (frame.terminal === true && !told) {
        told = true;
        if (losses.length > 0) text += writeComment(figures(losses));
      }
      text += writeSse(frame);
    }
    return text;
  };
  const convert = (events: readonly StreamEvent[]): string => {
    for (const event of events) {
      places.note(event);
      watch?.(event);
      if (event.type === "error") conversion.failure = event.error;
      if (event.type === "done") complete = true;
    }
    const frames = encoder.push(events);
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
        if (watch === undefined && parser.idle) run = findRun(decoder, encoder);
        return text;
      } catch (error) {
        return text + conversion.fail(error);
      }
    },
    finish(): string {
      let text = "";
      try {
        for (const frame of parser.finish()) text += convert(decoder.push(frame));
        if (parser.stray !== undefined) text += convert(decoder.push(strayFrame(parser.stray, source.findError)));
        text += convert(decoder.finish());
        const rest = encoder.finish();
        settle();
        conversion.over = true;
        return text + write(rest);
      } catch (error) {
        return text + conversion.fail(error);
      }
    },
    fail(cause: unknown): string {
      conversion.over = true;
      run = undefined;
      const error = placed(cause, places.locate);
      if (isOwnError(error)) throw error;
      if (complete) return "";
      const text = convert([{ type: "error", at: 0, path: "", error: brokenSource }]);
      if (text === "") throw new StreamError(brokenSource.message, [], { cause });
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
