import { ProviderError } from "../errors/index.ts";
import type { Json } from "../ir/index.ts";
import { scrubbed, secretsOf } from "../models/chat/redact.ts";
import type { Fetch, Provider } from "../models/index.ts";
import { readChunks } from "../stream/source.ts";
import type { Recording, RecordingStore } from "./replay/recording.ts";
import { firstDifference, keptHeaders, keyOf, readRecordings, requestOf, writeRecording } from "./replay/recording.ts";

export { memoryStore, type RecordingStore } from "./replay/recording.ts";

/** Milliseconds that what follows an answer is waited for, when its reader has all that it wants. */
const REST = 1000;

/**
 * A `fetch` that keeps what services answer, for `replayed`. What it keeps are the request without its headers, the status, and the body in the pieces
 * in which it came; it is kept as soon as the service has sent all of it. An answer that is given up is not kept.
 */
export function recordingFetch(store: RecordingStore, fetch?: Fetch): Fetch {
  const ask: Fetch = fetch ?? ((url, init) => globalThis.fetch(url, init as RequestInit) as ReturnType<Fetch>);
  return async (url, init) => {
    const request = requestOf(url, init);
    const secrets = secretsOf(init.headers);
    const connection = new AbortController();
    let isRead = false;
    let isKept = false;
    const giveUp = (): void => {
      if (!isRead) connection.abort(init.signal.reason);
    };
    if (init.signal.aborted) giveUp();
    else init.signal.addEventListener("abort", giveUp, { once: true });
    const response = await ask(url, { ...init, signal: connection.signal });
    const { status, headers, body } = response;
    const chunks: Uint8Array[] = [];
    const source = body === null ? undefined : readChunks(body)[Symbol.asyncIterator]();
    /** The next piece; behind the last one the exchange is kept. */
    const next = async (): Promise<Uint8Array | undefined> => {
      const { done, value } = source === undefined ? { done: true, value: undefined } : await source.next();
      if (done === true || value === undefined) {
        // The piece behind the last one is asked for by the stream itself, and by whoever cancels it meanwhile.
        if (!isKept) {
          isKept = true;
          await store.append(
            writeRecording({
              request,
              status,
              headers: scrubbed(keptHeaders(headers), secrets),
              ...written(chunks, secrets),
            }),
          );
        }
        return undefined;
      }
      const chunk = typeof value === "string" ? new TextEncoder().encode(value) : value;
      chunks.push(chunk);
      return chunk;
    };
    const shown = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const chunk = await next();
        if (chunk === undefined) controller.close();
        else controller.enqueue(chunk);
      },
      // A reader that saw the end of an answer does not wait for that of the connection.
      async cancel() {
        if (init.signal.aborted) return;
        isRead = true;
        const timer = setTimeout(() => connection.abort(), REST);
        try {
          while ((await next()) !== undefined);
        } catch {
          // Not all of it came: it is not kept.
        } finally {
          clearTimeout(timer);
        }
      },
    });
    return { status, headers, body: shown };
  };
}

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** A service may say a key again anywhere, also where two pieces meet. */
function written(chunks: readonly Uint8Array[], secrets: readonly string[]): Pick<Recording, "chunks" | "form"> {
  try {
    const texts = chunks.map((chunk) => strict.decode(chunk));
    const whole = texts.join("");
    return {
      chunks: secrets.some((secret) => whole.includes(secret)) ? [scrubbed(whole, secrets)] : texts,
      form: "text",
    };
  } catch {
    return { chunks: chunks.map(toBase64), form: "base64" };
  }
}

function toBase64(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return btoa(text);
}

function toBytes(chunk: string, form: Recording["form"]): Uint8Array {
  return form === "text"
    ? new TextEncoder().encode(chunk)
    : Uint8Array.from(atob(chunk), (character) => character.charCodeAt(0));
}

/**
 * A service whose answers are those that were recorded, and which is asked nothing. Recordings of the same request are given in their order, and the
 * last of them again and again. A request that was not recorded fails, with the place at which it differs from the one that is most like it.
 */
export function replayed(provider: Provider, store: RecordingStore): Provider {
  let known: Promise<Map<string, Recording[]>> | undefined;
  const fetch: Fetch = async (url, init) => {
    init.signal.throwIfAborted();
    known ??= read(store);
    const recordings = await known;
    const request = requestOf(url, init);
    const found = recordings.get(keyOf(request));
    if (found === undefined) throw missing(request, [...recordings.values()].flat());
    const recording = (found.length > 1 ? found.shift() : found[0]) as Recording;
    const { status, headers, form } = recording;
    const chunks = [...recording.chunks];
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        const chunk = chunks.shift();
        if (chunk === undefined) controller.close();
        else controller.enqueue(toBytes(chunk, form));
      },
    });
    // Such a status has no body, and a Response says so.
    const isEmpty = recording.chunks.length === 0 || status === 204 || status === 205 || status === 304;
    return new Response(isEmpty ? null : body, { status, headers });
  };
  return { ...provider, fetch, isKeyless: true };
}

async function read(store: RecordingStore): Promise<Map<string, Recording[]>> {
  const byKey = new Map<string, Recording[]>();
  for (const recording of readRecordings(await store.read())) {
    const key = keyOf(recording.request);
    const same = byKey.get(key);
    if (same === undefined) byKey.set(key, [recording]);
    else same.push(recording);
  }
  return byKey;
}

/** No error of the network: asking again would not help. */
function missing(request: Recording["request"], recordings: readonly Recording[]): ProviderError {
  const key = keyOf(request);
  let nearest: { readonly recording: Recording; readonly number: number; readonly shared: number } | undefined;
  recordings.forEach((recording, index) => {
    if (recording.request.path !== request.path || recording.request.method !== request.method) return;
    const shared = sharedLength(keyOf(recording.request), key);
    if (shared > (nearest?.shared ?? -1)) nearest = { recording, number: index + 1, shared };
  });
  const place = nearest && (firstDifference(nearest.recording.request.body, request.body as Json) ?? "its headers");
  const hint =
    nearest === undefined ? "none of its kind was" : `the nearest one, number ${nearest.number}, differs at ${place}`;
  return new ProviderError(`this request was not recorded: ${hint}`, { kind: "not_found", retryable: false });
}

function sharedLength(left: string, right: string): number {
  let at = 0;
  while (at < left.length && left[at] === right[at]) at++;
  return at;
}
