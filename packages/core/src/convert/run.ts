import { readString } from "../stream/decode/repetition.ts";
import type { FrameRun, StreamDecoder, StreamEncoder } from "../stream/protocol.ts";
import { writeSse } from "../stream/sse.ts";

/**
 * Most of a stream is one text in pieces, each in a frame like the one before. Where both sides know how such a frame looks, a piece is taken out
 * of one and put into the other. The frames are those that decoder and encoder would give, which then need not be asked for each of them.
 */
export interface TextRun {
  /** Converts frames of the run as far as the text consists of them. Gives how far that is. */
  push(text: string): number;
  /** What the last push gave. */
  readonly written: string;
}

/** The run that goes on with the frame that was converted last, where it belongs to one. */
export function findRun(decoder: StreamDecoder, encoder: StreamEncoder): TextRun | undefined {
  const found = decoder.run?.();
  const target = found === undefined ? undefined : encoder.run?.(found.event);
  return found === undefined || target === undefined ? undefined : createRun(found.frames, target);
}

/** What stands before and after the piece in the text of the stream. */
function around({ event, before, after }: FrameRun): readonly [before: string, after: string] {
  const frame = writeSse(event === undefined ? { data: before + after } : { event, data: before + after });
  const end = frame.length - after.length - 2;
  return [frame.slice(0, end), frame.slice(end)];
}

function createRun(source: FrameRun, target: FrameRun): TextRun {
  const [before, after] = around(source);
  const [sentBefore, sentAfter] = around(target);
  /** The text of the piece in the frame from `start` to `end`; undefined for any other frame. */
  const pieceOf = (text: string, start: number, end: number): string | undefined => {
    const [from, to] = [start + before.length, end - after.length];
    // Slices are compared in blocks, which `startsWith` does not do.
    const isLike = from <= to && text.slice(start, from) === before && text.slice(to, end) === after;
    return isLike ? text.slice(from, to) : undefined;
  };
  const run = {
    written: "",
    push(text: string): number {
      let at = 0;
      let said = "";
      let frames = 0;
      run.written = "";
      for (let end = text.indexOf("\n\n"); end >= 0; end = text.indexOf("\n\n", at)) {
        const piece = pieceOf(text, at, end + 2);
        const read = piece === undefined ? undefined : readString(piece);
        if (read === undefined) break;
        run.written += sentBefore + (read === piece ? piece : JSON.stringify(read).slice(1, -1)) + sentAfter;
        said += read;
        frames++;
        at = end + 2;
      }
      if (frames > 0) {
        source.note(said, frames);
        target.note(said, frames);
      }
      return at;
    },
  };
  return run;
}
