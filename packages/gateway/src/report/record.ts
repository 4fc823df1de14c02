import type { Loss, LossGroup, LossSummary, ProtocolId } from "@rolecall/core";
import { groupsOf, summaryOf } from "./tally.ts";

/** What is remembered of one exchange: figures and places, no content and no keys. */
export interface ExchangeRecord {
  /** Id of the report. */
  readonly id: string;
  /** Unix milliseconds of its start. */
  readonly time: number;
  /** Name of the client's program, as far as it says. */
  readonly client?: string;
  readonly from: ProtocolId;
  readonly to: ProtocolId;
  /** Host of the service, or `scripted`. */
  readonly service: string;
  /** The model that the client asked for. */
  readonly model?: string;
  /** The model that the service was asked for. */
  readonly sentModel?: string;
  readonly stream: boolean;
  /** The bytes of the answer went through as they came. */
  readonly passed: boolean;
  readonly requestBytes: number;
  readonly tools?: number;
  readonly messages?: number;
  /** Which request of its conversation it is, from 1, as far as it is known. */
  readonly turn?: number;
  readonly status?: number;
  /** `running` while the answer's own losses are not known yet. */
  readonly outcome: "running" | "complete" | "failed" | "aborted";
  readonly error?: { readonly stage: string; readonly message: string };
  /** Its losses in detail: the first thousand, and none once later records need the memory. */
  readonly losses: readonly Loss[];
  /** Groups of the losses that are not among them. */
  readonly omitted: readonly LossGroup[];
  /** Losses of codes that the previous request of the conversation did not have, or no answer of it before. */
  readonly fresh: number;
  /** Losses of known codes at new places. */
  readonly more: number;
  readonly firstByteMs?: number;
  readonly totalMs?: number;
}

/** A record as `/rolecall/reports` shows it. Summary and groups count all losses, also those without details. */
export interface Report extends ExchangeRecord {
  readonly summary: LossSummary;
  readonly groups: readonly LossGroup[];
}

export function createReport(record: ExchangeRecord): Report {
  return { ...record, summary: summaryOf(record), groups: groupsOf(record) };
}
