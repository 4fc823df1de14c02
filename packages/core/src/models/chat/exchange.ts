import type { AssistantMessage, Json, Loss, ProtocolId } from "../../ir/index.ts";

/** One request and its answer, as they went over the wire. It is plain JSON, and holds no key. */
export interface ModelExchange {
  /** A name of its own, for those who look it up later. */
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly api: ProtocolId;
  /** Unix milliseconds of the first attempt. */
  readonly startedAt: number;
  /** Milliseconds until the first event of the answer, and until its end. */
  readonly firstEventMs?: number;
  readonly totalMs: number;
  readonly attempts: number;
  readonly request: {
    readonly method: "POST";
    readonly url: string;
    /** Credentials are replaced by "[redacted]". */
    readonly headers: { readonly [name: string]: string };
    readonly body: Json;
  };
  /** Absent where the service could not be reached. */
  readonly response?: { readonly status: number; readonly headers: { readonly [name: string]: string } };
  readonly losses: readonly Loss[];
  readonly message: AssistantMessage;
}
