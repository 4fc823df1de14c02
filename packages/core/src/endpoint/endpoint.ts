import type { WireRequest } from "../codec/protocol.ts";
import type { JsonObject } from "../ir/index.ts";

/** What of a request stands in its URL, for a protocol that puts it there. */
export type UrlTarget = NonNullable<WireRequest["url"]>;

/** A model as services list it. */
export interface ModelEntry {
  readonly id: string;
  /** Unix seconds; 0 where the service does not tell. */
  readonly created: number;
  readonly owner: string;
  readonly name: string;
  /** Whether it generates; absent where the service does not tell. */
  readonly isChat?: boolean;
  /** As the service says it. */
  readonly raw?: JsonObject;
}

/** How a service is asked which models it has. */
export interface ModelListing {
  /** Below the base URL. */
  readonly path: string;
  read(list: JsonObject): readonly ModelEntry[];
  /** Where the page that follows stands; undefined behind the last. */
  next?(list: JsonObject): string | undefined;
}

/** Where the services of a protocol are asked, and how they are shown a key. */
export interface Endpoint {
  /** Where requests for generation go, below the base URL. Throws a DecodeError for a URL that cannot be written. */
  generatePath(url: UrlTarget | undefined): string;
  /** The base URL of a service as its vendor's SDK takes it, with what the paths leave out. */
  baseUrl?(url: URL): URL;
  /** The headers that bring a key to a service; `version` is that of the protocol, where it has any. */
  keyHeaders(key: string, version?: string): { readonly [name: string]: string };
  readonly models: ModelListing;
  /** Where an answer stands that the service keeps, below the base URL; absent where services keep none. */
  storedPath?(id: string): string;
}
