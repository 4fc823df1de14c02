import type { Family } from "../families/family.ts";
import type { Call } from "../http/sink.ts";

/** Keys end at the gateway, and the form of an answer is chosen for each side. */
const own: ReadonlySet<string> = new Set(["key", "alt", "$alt"]);
/** These choose a variant of one protocol, and mean nothing to others. */
const variants: ReadonlySet<string> = new Set(["beta", "api-version"]);

export interface Query {
  /** Goes behind the path at the service. */
  readonly sent: readonly string[];
  /** Names of what goes nowhere. */
  readonly lost: readonly string[];
}

const nothing: Query = { sent: [], lost: [] };

/** What a client's query says to a service: of the client's own protocol, if a family is given. */
export function readQuery({ query }: Pick<Call, "query">, family: Family | undefined): Query {
  if (query.length < 2) return nothing;
  const sent: string[] = [];
  const lost: string[] = [];
  for (const part of query.slice(1).split("&")) {
    const [name] = new URLSearchParams(part).keys();
    if (name === undefined || own.has(name)) continue;
    if (family?.query?.includes(name) === true) sent.push(part);
    else if (family !== undefined || !variants.has(name)) lost.push(name);
  }
  return { sent, lost };
}

/** A path with more behind its query. */
export function withQuery(path: string, { sent }: Query): string {
  return sent.length === 0 ? path : `${path}${path.includes("?") ? "&" : "?"}${sent.join("&")}`;
}
