import { ConfigError } from "../../errors/index.ts";
import type { Json } from "../../ir/index.ts";
import { escapeSegment, isJsonObject } from "../../ir/index.ts";
import { redactedHeaders, redactedUrl, scrubbed, secretsOf } from "../../models/chat/redact.ts";
import type { FetchInit } from "../../models/index.ts";

/** Rises with each change that an older reader would misread. */
const version = 1;

/** What identifies a request: all that changes its answer, and no credential. */
export interface RecordedRequest {
  readonly method: string;
  /** Path and query of the URL; the service's place is left out, so that it may move. */
  readonly path: string;
  /** Version and betas of the protocol, where it states them. */
  readonly headers: { readonly [name: string]: string };
  readonly body: Json;
}

/** An exchange as it went over the wire. */
export interface Recording {
  readonly request: RecordedRequest;
  readonly status: number;
  /** Of the answer, without credentials and without what belongs to the connection. */
  readonly headers: { readonly [name: string]: string };
  /** The body in the pieces in which it came. */
  readonly chunks: readonly string[];
  /** How the pieces are written: as text, or in base64 where they are cut within characters or are none. */
  readonly form: "text" | "base64";
}

/** Lines that are kept: a file of the host, or an array in a test. */
export interface RecordingStore {
  /** All lines so far. */
  read(): readonly string[] | Promise<readonly string[]>;
  /** Puts one behind them, without a line break. */
  append(line: string): void | Promise<void>;
}

/** A store that is gone with the process. */
export function memoryStore(lines: readonly string[] = []): RecordingStore {
  const kept = [...lines];
  return {
    read: () => kept,
    append(line) {
      kept.push(line);
    },
  };
}

/** Headers that change an answer. */
const telling = ["anthropic-version", "anthropic-beta"] as const;

export function requestOf(
  url: string,
  { method, headers, body }: Pick<FetchInit, "method" | "headers" | "body">,
): RecordedRequest {
  const shown = new URL(redactedUrl(new URL(url)));
  return {
    method,
    path: shown.pathname + shown.search,
    headers: Object.fromEntries(
      telling.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
    ),
    body: body === undefined ? null : scrubbed(JSON.parse(body) as Json, secretsOf(headers)),
  };
}

/** How the bytes went over one connection, which is another one when they are given again. */
const ofConnection = /^(?:connection|content-encoding|content-length|date|keep-alive|set-cookie|transfer-encoding)$/;

export function keptHeaders(headers: { forEach(visit: (value: string, name: string) => void): void }): {
  readonly [name: string]: string;
} {
  const kept: { [name: string]: string } = {};
  headers.forEach((value, name) => {
    if (!ofConnection.test(name.toLowerCase())) kept[name.toLowerCase()] = value;
  });
  return redactedHeaders(kept);
}

/** The same text for requests that differ in nothing but the order of their keys. */
export function keyOf(request: RecordedRequest): string {
  return JSON.stringify(sorted(request as unknown as Json));
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted);
  if (!isJsonObject(value)) return value;
  const names = Object.keys(value).sort();
  return Object.fromEntries(names.map((name) => [name, sorted(value[name] as Json)]));
}

export function writeRecording(recording: Recording): string {
  return JSON.stringify({ version, ...recording });
}

/** Throws a ConfigError with the number of a line that is no recording. */
export function readRecordings(lines: readonly string[]): readonly Recording[] {
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [readRecording(line, index + 1)]));
}

function readRecording(line: string, number: number): Recording {
  const fail = (what: string): ConfigError =>
    new ConfigError(`/${number - 1}`, `line ${number} of the recordings ${what}`);
  let value: Json;
  try {
    value = JSON.parse(line) as Json;
  } catch {
    throw fail("is not valid JSON: it may have been cut off when it was written");
  }
  if (!isJsonObject(value)) throw fail("is no recording");
  if (value["version"] !== version) throw fail("is of a version that this release does not read");
  const { request, status, headers, chunks, form } = value;
  const isRequest =
    isJsonObject(request) && typeof request["method"] === "string" && typeof request["path"] === "string";
  const isAnswer = typeof status === "number" && Number.isInteger(status) && status >= 200 && status <= 599;
  const isBody = Array.isArray(chunks) && chunks.every((chunk: Json) => isChunk(chunk, form));
  if (!isRequest || !isAnswer || !isJsonObject(headers) || !isBody)
    throw fail("lacks a part of its request or its answer");
  if (!Object.values(headers).every((text) => typeof text === "string")) throw fail("has headers that are no texts");
  return value as unknown as Recording;
}

function isChunk(chunk: Json, form: Json | undefined): boolean {
  if (typeof chunk !== "string") return false;
  return (
    form === "text" ||
    (form === "base64" && /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(chunk))
  );
}

/** The first place at which two values differ, as a pointer; undefined where they do not. */
export function firstDifference(left: Json | undefined, right: Json | undefined, place = ""): string | undefined {
  if (Array.isArray(left) && Array.isArray(right)) {
    const most = Math.max(left.length, right.length);
    for (let index = 0; index < most; index++) {
      const found = firstDifference(left[index], right[index], `${place}/${index}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isJsonObject(left) && isJsonObject(right)) {
    for (const name of new Set([...Object.keys(left), ...Object.keys(right)])) {
      const found = firstDifference(
        Object.hasOwn(left, name) ? left[name] : undefined,
        Object.hasOwn(right, name) ? right[name] : undefined,
        `${place}/${escapeSegment(name)}`,
      );
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return left === right ? undefined : place || "/";
}
