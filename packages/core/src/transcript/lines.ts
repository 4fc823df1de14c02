import { DecodeError, UnsupportedError } from "../errors/index.ts";
import type { Message, Pointer } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { readJson } from "../json/json-text.ts";
import { checkDepth, checkJson } from "../json/survey.ts";
import type { Transcript } from "./messages.ts";
import { messagesOf } from "./messages.ts";
import { normalizeMessage } from "./normalize-message.ts";
import { withDeclarations } from "./tools.ts";

const format = "rolecall-transcript";
/** Rises with each change that an older reader would misread. */
const version = 1;

/** A line of a transcript is not what it should be. What was read before it is not lost: it stands in `messages`. */
export class TranscriptError extends DecodeError {
  /** The messages of the lines before. Of a reader that is pushed, those that it has not returned yet. */
  readonly messages: readonly Message[];
  /** True where the text ends with the line, and no line break does: a write was cut off, and the lines before are all that was written whole. */
  readonly isCutOff: boolean;
  constructor(
    path: Pointer,
    message: string,
    position: { readonly line: number; readonly column: number },
    messages: readonly Message[],
    isCutOff: boolean,
    options?: ErrorOptions,
  ) {
    super(path, message, position, options);
    this.messages = messages;
    this.isCutOff = isCutOff;
  }
}

/** The first line of a transcript, which says what it is. */
export function writeTranscriptHeader(): string {
  return `${JSON.stringify({ format, version })}\n`;
}

/**
 * The line of a message, to be appended to a transcript. Tools are written as their whole declarations, without what runs them. Throws a
 * DecodeError with the place of anything else that JSON cannot state.
 */
export function writeTranscriptMessage(message: Message): string {
  const declared = withDeclarations(message);
  checkDepth(declared);
  checkJson(declared);
  return `${JSON.stringify(declared)}\n`;
}

/** A transcript as lines of JSON: a header, then one message per line. `readTranscript` gives the same messages back. */
export function writeTranscript(transcript: Transcript): string {
  return writeTranscriptHeader() + messagesOf(transcript).map(writeTranscriptMessage).join("");
}

export interface ReadTranscriptOptions {
  /**
   * Goes on without a last line that was cut off, as a crash within a write leaves it, and is told of it here. Remove that line before you
   * append to the transcript. Without this function it is thrown, like every line that is broken elsewhere.
   */
  readonly onCutOff?: (error: TranscriptError) => void;
}

/** Reads a transcript that comes piece by piece. */
export interface TranscriptReader {
  /** The messages that end with this piece, which may begin and end anywhere, also within a character. */
  push(chunk: string | Uint8Array): Message[];
  /** The message of a last line that no line break ends. */
  finish(): Message[];
}

/**
 * A reader of transcripts, however they are cut into pieces. It holds no more than one line. Throws a TranscriptError for a line that is broken, with
 * its number and column, and an UnsupportedError for the format of a later version.
 */
export function createTranscriptReader({ onCutOff }: ReadTranscriptOptions = {}): TranscriptReader {
  let decoder: TextDecoder | undefined;
  let pieces: string[] = [];
  let line = 0;
  let count: number | undefined;

  const read = (text: string, found: Message[], isLast: boolean): void => {
    line++;
    if (text.trim() === "") return;
    const place = count === undefined ? "" : `/messages/${count}`;
    try {
      const value = readJson(text);
      if (count === undefined) {
        checkHeader(value);
        count = 0;
        return;
      }
      checkDepth(value);
      found.push(normalizeMessage(value, place));
      count++;
    } catch (cause) {
      if (!(cause instanceof DecodeError) || cause instanceof TranscriptError) throw cause;
      const { column = 1 } = cause;
      const isText = cause.column !== undefined;
      const isCutOff = isLast && isText && count !== undefined;
      const what = isCutOff
        ? "no line break ends it, and it is no JSON: a write was cut off; `messages` has what was written before"
        : `${isText ? "this is no JSON; mend or remove the line" : cause.message}; \`messages\` has the lines before`;
      throw new TranscriptError(
        cause.path || place,
        `line ${line}, column ${column}: ${what}`,
        { line, column },
        found,
        isCutOff,
        { cause },
      );
    }
  };

  const pushText = (text: string, found: Message[]): void => {
    let start = 0;
    for (let end = text.indexOf("\n"); end >= 0; end = text.indexOf("\n", start)) {
      pieces.push(text.slice(start, end));
      const whole = pieces.join("");
      pieces = [];
      start = end + 1;
      read(whole, found, false);
    }
    if (start < text.length) pieces.push(text.slice(start));
  };

  /** Line by line, so that what stands before a byte that is no text is read. */
  const pushBytes = (bytes: Uint8Array | undefined, found: Message[]): void => {
    decoder ??= new TextDecoder("utf-8", { fatal: true });
    const decode = (part?: Uint8Array): string => {
      try {
        return part === undefined
          ? (decoder as TextDecoder).decode()
          : (decoder as TextDecoder).decode(part, { stream: true });
      } catch (cause) {
        const position = { line: line + 1, column: 1 };
        const what = `line ${position.line}: this is no UTF-8; mend or remove the line, \`messages\` has those before`;
        throw new TranscriptError("", what, position, found, part === undefined && count !== undefined, { cause });
      }
    };
    if (bytes === undefined) pushText(decode(), found);
    for (let start = 0; bytes !== undefined && start < bytes.length; ) {
      const end = bytes.indexOf(10, start) + 1 || bytes.length;
      pushText(decode(bytes.subarray(start, end)), found);
      start = end;
    }
  };

  return {
    push(chunk) {
      const found: Message[] = [];
      if (typeof chunk === "string") pushText(chunk, found);
      else pushBytes(chunk, found);
      return found;
    },
    finish() {
      const found: Message[] = [];
      try {
        if (decoder !== undefined) pushBytes(undefined, found);
        const last = pieces.join("");
        pieces = [];
        if (last !== "") read(last, found, true);
      } catch (error) {
        tell(error, onCutOff);
      }
      if (count === undefined) throw noHeader();
      return found;
    },
  };
}

/** The messages of a transcript that `writeTranscript` wrote. Throws as `createTranscriptReader` says. */
export function readTranscript(text: string, { onCutOff }: ReadTranscriptOptions = {}): Message[] {
  const reader = createTranscriptReader();
  const messages = reader.push(text);
  try {
    messages.push(...reader.finish());
  } catch (error) {
    if (!(error instanceof TranscriptError)) throw error;
    const { path, message, line = 1, column = 1, isCutOff, cause } = error;
    tell(new TranscriptError(path, message, { line, column }, [...messages], isCutOff, { cause }), onCutOff);
  }
  return messages;
}

/** Throws every error but that of a line that was cut off, where somebody wants to know of it and go on. */
function tell(error: unknown, onCutOff: ReadTranscriptOptions["onCutOff"]): void {
  if (onCutOff === undefined || !(error instanceof TranscriptError && error.isCutOff)) throw error;
  onCutOff(error);
}

function noHeader(): TranscriptError {
  const what = `line 1, column 1: a transcript begins with ${writeTranscriptHeader().trim()}; the text has no such line`;
  return new TranscriptError("", what, { line: 1, column: 1 }, [], false);
}

function checkHeader(value: unknown): void {
  if (!isJsonObject(value) || value["format"] !== format || typeof value["version"] !== "number") throw noHeader();
  if (value["version"] === version) return;
  throw new UnsupportedError(
    "transcriptVersion",
    "/version",
    `the transcript has version ${value["version"]}, and this package reads ${version}; read it with a version of @rolecall/core that is as new as the one that wrote it`,
  );
}
