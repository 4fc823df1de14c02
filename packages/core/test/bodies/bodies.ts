import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Json, ProtocolId, WireRequest } from "@rolecall/core";
import { detectProtocol, readModelPath } from "@rolecall/core";
import { hasCodec } from "../protocols.ts";

/** A recorded or captured request. `path` is relative to the corpus. */
export interface RecordedRequest {
  readonly path: string;
  readonly protocol: ProtocolId;
  readonly wire: WireRequest;
  /** The path of its URL, where it was recorded. */
  readonly url: string | undefined;
}

export interface RecordedResponse {
  readonly path: string;
  readonly protocol: ProtocolId;
  readonly body: Json;
}

export interface RecordedError extends RecordedResponse {
  readonly status: number;
  readonly headers: Headers;
}

type Headers = { readonly [name: string]: string | undefined };

interface Exchange {
  readonly path: string;
  readonly protocol: string;
  readonly request?: { readonly path?: string; readonly headers?: Headers; readonly body?: Json } | null;
  readonly response?: { readonly status?: number | null; readonly headers?: Headers; readonly body?: Json } | null;
}

/** Whoever changes an input of a test fails there. */
function frozen<T>(value: T): T {
  if (typeof value === "object" && value !== null) Object.values(Object.freeze(value)).forEach(frozen);
  return value;
}

const readJson = (file: string): unknown => frozen(JSON.parse(readFileSync(file, "utf8")));

/** All recorded exchanges of the corpus, of any protocol. */
export function readExchanges(folder: string): Exchange[] {
  const [, ...rows] = readFileSync(join(folder, "recordings/INDEX.tsv"), "utf8").trim().split("\n");
  return rows.map((row) => {
    const [path = "", protocol = ""] = row.split("\t");
    return { ...(readJson(join(folder, "recordings", path)) as Exchange), path: `recordings/${path}`, protocol };
  });
}

/** Version and betas are headers of Anthropic's. */
function wireOf(body: Json, headers: Headers = {}, path = ""): WireRequest {
  const url = readModelPath(path);
  if (url !== undefined) return { body, url };
  const lower = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]));
  const { "anthropic-version": version, "anthropic-beta": betas } = lower;
  if (version === undefined && betas === undefined) return { body };
  return {
    body,
    headers: {
      ...(version !== undefined && { version }),
      ...(betas !== undefined && { betas: betas.split(",").map((beta) => beta.trim()) }),
    },
  };
}

function readCaptures(folder: string): RecordedRequest[] {
  return readdirSync(join(folder, "captures"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.endsWith(".json"))
    .sort()
    .flatMap((file) => {
      const capture = readJson(join(folder, "captures", file)) as { path: string; headers: Headers; body: Json };
      const protocol = detectProtocol(undefined, capture.path);
      if (protocol === undefined || typeof capture.body !== "object" || capture.body === null) return [];
      return [
        {
          path: `captures/${file}`,
          protocol,
          wire: wireOf(capture.body, capture.headers, capture.path),
          url: capture.path,
        },
      ];
    });
}

/** What the corpus holds of the protocols that have codecs. */
export interface Corpus {
  /** Recordings and captures. */
  readonly requests: readonly RecordedRequest[];
  /** Answers that are no errors. */
  readonly responses: readonly RecordedResponse[];
  /** Answers with a status from 400 on. */
  readonly errors: readonly RecordedError[];
}

export function readCorpus(folder: string): Corpus {
  const exchanges = readExchanges(folder).filter(({ protocol }) => hasCodec(protocol));
  const requests: RecordedRequest[] = [];
  const responses: RecordedResponse[] = [];
  const errors: RecordedError[] = [];
  for (const { path, protocol, request, response } of exchanges as (Exchange & { readonly protocol: ProtocolId })[]) {
    if (request?.body)
      requests.push({ path, protocol, wire: wireOf(request.body, request.headers, request.path), url: request.path });
    if (!response?.body) continue;
    const { body, headers = {} } = response;
    const status = response.status ?? 200;
    if (status >= 400) errors.push({ path, protocol, body, status, headers });
    else responses.push({ path, protocol, body });
  }
  requests.push(...readCaptures(folder).filter(({ protocol }) => hasCodec(protocol)));
  return { requests, responses, errors };
}

/** The requests of agent loops: consecutive numbers of one recorded name. */
export function loopsOf(requests: readonly RecordedRequest[]): RecordedRequest[][] {
  const loops = new Map<string, RecordedRequest[]>();
  for (const request of requests) {
    const name = /^(.*)\.\d{2,}\.json$/.exec(request.path)?.[1];
    if (name === undefined) continue;
    const loop = loops.get(name);
    if (loop === undefined) loops.set(name, [request]);
    else loop.push(request);
  }
  return [...loops.values()]
    .filter((loop) => loop.length > 1)
    .map((loop) => loop.sort((left, right) => (left.path < right.path ? -1 : 1)));
}
