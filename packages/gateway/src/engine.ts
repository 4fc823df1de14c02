import { setTimeout } from "node:timers/promises";
import { HistoryCache } from "@rolecall/core";
import { passesAll } from "./exchange/prepare.ts";
import type { ModelLookup } from "./model/map.ts";
import { createModelLookup } from "./model/map.ts";
import type { TargetLookup } from "./model/target.ts";
import { createTargetLookup } from "./model/target.ts";
import type { GatewayOptions, Settled } from "./options.ts";
import { settle } from "./options.ts";
import type { ReportStore } from "./report/store.ts";
import { createReportStore } from "./report/store.ts";
import type { Upstream } from "./upstream/upstream.ts";
import { createUpstream } from "./upstream/upstream.ts";

/** What all exchanges of one gateway share. */
export interface Engine {
  readonly settled: Settled;
  /** Host of the service, or `scripted`. */
  readonly service: string;
  readonly lookup: ModelLookup;
  /** Some models have other names at the service, or limits: then a request is looked at as a whole before it goes there. */
  readonly maps: boolean;
  readonly targetOf: TargetLookup;
  readonly reports: ReportStore;
  /** Conversations that are going on. */
  readonly histories: HistoryCache;
  /** Requests in the service's own protocol go to it as they are. */
  readonly passes: boolean;
  /** Absent: the scripted model. */
  readonly upstream?: Upstream;
  /** Exchanges of callers without a socket. */
  readonly running: Set<Promise<unknown>>;
  readonly closed: boolean;
  /** Takes no more callers without a socket, and waits for those that are there, but not for ever. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export async function createEngine(options: GatewayOptions): Promise<Engine> {
  const settled = await settle(options);
  const upstream = settled.service === undefined ? undefined : createUpstream(settled.service, settled.timeouts);
  const running = new Set<Promise<unknown>>();
  const engine = {
    settled,
    service: settled.service?.url.host ?? "scripted",
    lookup: createModelLookup(options.modelMap),
    maps: Object.keys(options.modelMap ?? {}).length > 0,
    targetOf: createTargetLookup(settled.service?.profile ?? {}),
    passes: passesAll(settled.service?.profile ?? {}),
    histories: new HistoryCache({ maximumBytes: settled.limits.historyBytes }),
    reports: createReportStore(settled.limits.reports, settled.limits.reportBytes),
    ...(upstream !== undefined && { upstream }),
    running,
    closed: false,
    async drain() {
      engine.closed = true;
      const late = new AbortController();
      const { signal } = late;
      await Promise.race([
        Promise.allSettled(running),
        setTimeout(settled.timeouts.drain, undefined, { signal }).catch(() => undefined),
      ]);
      late.abort();
    },
    close: async () => upstream?.close(),
  };
  return engine;
}
