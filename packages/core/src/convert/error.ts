import { errorBodyLosses, errorObject } from "../codec/errors/envelope.ts";
import type { Encoded, WireError } from "../codec/protocol.ts";
import type { ProviderError } from "../errors/index.ts";
import { DecodeError } from "../errors/index.ts";
import type { Converted, Exchange, Json, Pointer } from "../ir/index.ts";
import { escapeSegment } from "../ir/index.ts";
import type { InexactPlace } from "../json/inexact.ts";
import { inexactDrafts, inexactPlaces } from "../json/inexact.ts";
import { readText } from "../json/json-text.ts";
import { checkDepth, checkJson } from "../json/survey.ts";
import type { LossDraft } from "../loss/index.ts";
import { acceptLosses, enforcePolicy, resolveLosses } from "../loss/index.ts";
import type { Protocol } from "../stream/protocol.ts";
import type { ConvertResponseOptions } from "./converter.ts";
import { checkAnswerOptions } from "./options.ts";

type Headers = { readonly [name: string]: string | undefined };

/** An HTTP error answer. The body may be a value, JSON text or its bytes; text of another kind is taken as the message. */
export interface ErrorInput {
  readonly status: number;
  readonly headers?: Headers;
  readonly body?: unknown;
}

export function convertErrorWith(
  source: Protocol,
  target: Protocol,
  input: ErrorInput,
  options: ConvertResponseOptions = {},
): Converted<WireError> {
  checkAnswerOptions(options, source.id);
  const { status, headers = {} } = input;
  if (!(Number.isInteger(status) && status >= 100 && status <= 999))
    throw new DecodeError(
      "/status",
      `the status of an error answer must be a whole number from 100 to 999, not ${status}`,
    );
  const { body, inexact } = readErrorBody(input.body);
  checkDepth(body);
  checkJson(body);
  const error = source.decodeError(status, headers, body);
  const encoded =
    source === target
      ? ownError(error, target, { status, headers, body }, options.exchange)
      : target.encodeError(error, options.exchange);
  const found = errorObject(body);
  const drafts = [
    ...inexactDrafts(options.inexact ?? inexact(), "/body"),
    ...encoded.losses,
    ...(encoded.value.body === body
      ? []
      : errorBodyLosses(body, error.message, encoded.value, (pointer) => `/body${pointer}`)),
    ...headerLosses(headers, encoded.value.headers),
    ...(encoded.value.status === status ? [] : [draft("error.rewritten", "/status")]),
  ];
  const locate = (_node: object, field: string): string =>
    `/body${found?.at ?? ""}/${field === "providerCode" ? "code" : field}`;
  const losses = acceptLosses(
    resolveLosses(drafts, source.id, target.id, { locate, locateIr: () => undefined }),
    options.accept ?? [],
  );
  enforcePolicy(losses, options.onLoss ?? "report");
  return { value: encoded.value, losses };
}

const draft = (code: LossDraft["code"], path: Pointer, kind?: LossDraft["kind"]): LossDraft => ({
  code,
  stage: "encode",
  path,
  ...(kind !== undefined && { kind }),
});

/** What is no JSON came from a proxy, not from the service: it is kept as text. */
function readErrorBody(input: unknown): { readonly body: Json; readonly inexact: () => readonly InexactPlace[] } {
  const exact = (): readonly InexactPlace[] => [];
  if (typeof input !== "string" && !(input instanceof Uint8Array)) return { body: input as Json, inexact: exact };
  let text = "";
  try {
    text = typeof input === "string" ? input : readText(input);
    const body = JSON.parse(text) as Json;
    return { body, inexact: () => inexactPlaces(text, body) };
  } catch {
    return { body: text, inexact: exact };
  }
}

/** An error within one protocol stays as it is; only what is no JSON gets the envelope that clients read. */
function ownError(
  error: ProviderError,
  target: Protocol,
  { status, headers, body }: { readonly status: number; readonly headers: Headers; readonly body: Json },
  exchange: Exchange | undefined,
): Encoded<WireError> {
  const { value } = target.encodeError(error, exchange);
  const kept: Record<string, string> = {};
  for (const [name, text] of Object.entries(headers)) {
    if (text !== undefined && !transfer.test(name)) kept[name] = text;
  }
  const isValue = typeof body === "object" && body !== null;
  return { value: { status, headers: kept, body: isValue ? body : value.body }, losses: [] };
}

/** Headers that say how the bytes of the body came. The body is written anew, so they would be wrong. */
const transfer =
  /^(?:connection|keep-alive|te|trailer|transfer-encoding|upgrade|content-(?:type|length|encoding)|proxy-[a-z-]+)$/i;

function headerLosses(headers: Headers, sent: WireError["headers"]): LossDraft[] {
  const lower = new Map(Object.entries(sent).map(([name, value]) => [name.toLowerCase(), value]));
  const ids = new Set(Object.entries(sent).flatMap(([name, value]) => (/request-id$/i.test(name) ? [value] : [])));
  const losses: LossDraft[] = [];
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || transfer.test(name)) continue;
    const as = lower.get(name.toLowerCase());
    if (as === value || (/request-id$/i.test(name) && ids.has(value))) continue;
    const path = `/headers/${escapeSegment(name)}`;
    losses.push(as === undefined ? draft("error.header", path) : draft("error.header", path, "approximated"));
  }
  return losses;
}
