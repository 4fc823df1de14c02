import type { Endpoint, Json, JsonObject, ModelEntry, ModelListing, UrlTarget } from "@rolecall/core";

/** Lists of models in the shape of a protocol. */
export interface ModelLists extends ModelListing {
  writeOne(model: ModelEntry): JsonObject;
  /** The page that a query asks for; all of them where it does not say how many. Throws a DecodeError for a page that there is none of. */
  write(models: readonly ModelEntry[], query: URLSearchParams): JsonObject;
}

/** How the clients of a protocol ask for the tokens of a prompt. */
export interface TokenCount {
  /** Where services count, below the base URL. */
  path(url: UrlTarget | undefined): string;
  /** What is to be counted; undefined for a body that states nothing. */
  counted(body: JsonObject): JsonObject | undefined;
  /** What a body without it is told. */
  readonly missing: string;
  /** What services at a base URL are asked for the tokens of a whole request; `model` is its model, where the URL says it. */
  ask(request: JsonObject, base: URL, model: string | undefined): JsonObject;
  /** The tokens that a service counted. */
  read(answer: JsonObject): Json | undefined;
  write(tokens: number): JsonObject;
}

/** The last word of a stream, or that the model stopped: behind that, only figures may follow. */
export type Ending = "last" | "stop";

/** What a service keeps and a gateway does not, and how a client is told so. */
export interface Stored {
  readonly message: string;
  readonly param: string;
  readonly code: string;
}

/** What a gateway has to know of a protocol beside its bodies: paths, headers, and how its streams end. */
export interface Family extends Endpoint {
  /** Of the client's headers these reach a service of the same protocol. Nothing else does, credentials least of all. */
  readonly forwarded: readonly string[];
  /** The header in which clients look for the id of an exchange. */
  readonly requestId: "request-id" | "x-request-id";
  /** Protocols of one vendor share the words of their errors. */
  readonly vendor: string;
  /** The status of a service that has too much to do. */
  readonly overloaded: 503 | 529;
  /** Fields that limit what may be generated, each by its keys from the top. */
  readonly limits: readonly (readonly string[])[];
  /** Thinking that counts toward the limit: a body whose budget is not below it is refused. */
  readonly budget?: {
    readonly keys: readonly [object: string, budget: string];
    readonly least: number;
    /** The object where no thinking fits. */
    readonly off: JsonObject;
  };
  /** Parameters of the query that services document; all others go nowhere. */
  readonly query?: readonly string[];
  /** How an event of a stream says that the stream ends; `value` is its data as JSON. Errors end it in all families. */
  endingOf(data: string, value: unknown): Ending | undefined;
  /** The body of an error that goes out under another status than its kind has. */
  withStatus?(body: Json, status: number): Json;
  /** What a request names that only the service of an earlier answer has; other services are not asked then. */
  findStored?(body: JsonObject): Stored | undefined;
  readonly models: ModelLists;
  readonly count?: TokenCount;
}
