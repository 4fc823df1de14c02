import { ProviderError } from "../../errors/index.ts";
import type { Json } from "../../ir/index.ts";
import { survey } from "../../json/survey.ts";
import { readChunks } from "../../stream/source.ts";
import type { Deadlines } from "./clock.ts";
import { readFailure } from "./failure.ts";
import type { FetchResponse } from "./fetch.ts";

/** Bytes of an answer that is no stream. */
const LONGEST = 64 * 1024 * 1024;

export type AnswerHeaders = { readonly [name: string]: string };

export function headersOf(response: FetchResponse): AnswerHeaders {
  const headers: { [name: string]: string } = Object.create(null);
  response.headers.forEach((value, name) => {
    headers[name.toLowerCase()] = value;
  });
  return headers;
}

/** What a service sends, as it comes. Throws a TransportError where it cannot be read to its end, and what its deadlines throw. */
export async function* readBody(
  response: FetchResponse,
  host: string,
  deadlines: Deadlines,
): AsyncGenerator<string | Uint8Array> {
  try {
    yield* readChunks(response.body ?? "", deadlines.signal);
  } catch (error) {
    if (deadlines.signal.aborted) throw deadlines.signal.reason;
    throw readFailure(host, error);
  }
}

/** Puts the pieces of an answer together that is no stream. */
export interface TextCollector {
  /** Throws a ProviderError where it has more bytes than any answer. */
  push(chunk: string | Uint8Array): void;
  end(): string;
}

export function createTextCollector(status: number, host: string): TextCollector {
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  return {
    push(chunk) {
      length += chunk.length;
      if (length > LONGEST)
        throw new ProviderError(`${host} sent an answer of more than ${LONGEST} bytes`, {
          status,
          kind: "server",
          retryable: false,
        });
      text += typeof chunk === "string" ? chunk : decoder.decode(chunk, { stream: true });
    },
    end: () => text + decoder.decode(),
  };
}

/** The text of an answer that is no stream; `idleMs` may pass between two pieces of it. Throws what its collector and `readBody` throw. */
export async function readText(
  response: FetchResponse,
  host: string,
  deadlines: Deadlines,
  idleMs: number,
): Promise<string> {
  const collector = createTextCollector(response.status, host);
  deadlines.start("idleTimeout", idleMs);
  for await (const chunk of readBody(response, host, deadlines)) {
    collector.push(chunk);
    deadlines.start("idleTimeout", idleMs);
  }
  deadlines.stop("idleTimeout");
  return collector.end();
}

/** A body as JSON, or the text that it is where it is none or nests deeper than anything that is meant to be read. */
export function bodyOf(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return survey(value).tooDeep ? text : value;
  } catch {
    return text;
  }
}

/** Something else than an answer, such as a page of a proxy. */
export function notAnAnswer(status: number, text: string): ProviderError {
  const begun = text.slice(0, 200).replace(/\s+/g, " ");
  return new ProviderError(`not an answer of a model, but ${begun}`, { status, kind: "server", retryable: true });
}

/** An answer that leads elsewhere is refused: nobody said that keys and conversations may go there. */
export function refuseRedirect({ status }: FetchResponse, headers: AnswerHeaders, url: URL): void {
  // A browser tells nothing of it, not even its status.
  if (status !== 0 && (status < 300 || status > 399)) return;
  const { location } = headers;
  const target = location !== undefined && URL.canParse(location, url) ? new URL(location, url) : undefined;
  const where = target === undefined ? "elsewhere" : `to ${target.origin}${target.pathname}`;
  throw new ProviderError(`${url.host} leads ${where}, where nothing is sent: state the base URL that answers itself`, {
    ...(status !== 0 && { status }),
    kind: "invalid_request",
    retryable: false,
  });
}
