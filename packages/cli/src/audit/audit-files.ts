import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Protocol, ProtocolId } from "@rolecall/core";
import { isConversation, loadProtocol, protocolIds, readJsonBytes } from "@rolecall/core";
import type { Body, Operation } from "../input/body.ts";
import { bodiesIn, protocolOf } from "../input/body.ts";
import { fileReason } from "../input/file.ts";
import { Mistake } from "../mistake.ts";
import type { Progress } from "../terminal/progress.ts";
import type { AuditOptions, BodyAuditor } from "./audit-body.ts";
import { createBodyAuditor } from "./audit-body.ts";
import type { PairAudit, PairCollector } from "./findings.ts";
import { createCollector } from "./findings.ts";
import type { Pair } from "./pair.ts";
import { besideOf, converterOf } from "./pair.ts";

export interface AuditPlan extends AuditOptions {
  /** Absent: detected for each body. */
  readonly from?: ProtocolId;
  /** Absent: every protocol. */
  readonly to?: ProtocolId;
  /** Absent: requests and responses. */
  readonly operation?: Operation;
}

/** A file in which there was nothing to audit. */
export interface UnreadFile {
  readonly file: string;
  readonly reason: string;
}

export interface FilesAudit {
  readonly pairs: readonly PairAudit[];
  readonly unread: readonly UnreadFile[];
}

/** The JSON files that are named, and all below the folders that are. */
export function listFiles(operands: readonly string[]): string[] {
  return operands.flatMap((operand) => {
    try {
      if (!statSync(operand).isDirectory()) return [operand];
      return readdirSync(operand, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile() && entry.name.endsWith(".json"))
        .map((entry) => join(entry.parentPath, entry.name))
        .sort();
    } catch (error) {
      const reason = fileReason(error);
      throw reason === undefined ? error : new Mistake(`cannot read ${operand}: ${reason}`);
    }
  });
}

/** Audits every body of some files. */
export async function auditFiles(files: readonly string[], plan: AuditPlan, progress: Progress): Promise<FilesAudit> {
  const protocols = new Map<ProtocolId, Protocol>();
  for (const id of protocolIds) protocols.set(id, await loadProtocol(id));
  const targets = [...protocols.values()].filter(({ id }) => plan.to === undefined || id === plan.to);
  const unread: UnreadFile[] = [];
  const pairs = new Map<string, { readonly auditor: BodyAuditor; readonly collector: PairCollector }>();
  const pairOf = (pair: Pair, source: Protocol): { auditor: BodyAuditor; collector: PairCollector } => {
    const key = `${pair.operation}\n${pair.from}\n${pair.to}`;
    const known = pairs.get(key);
    if (known !== undefined) return known;
    const created = {
      auditor: createBodyAuditor(pair, source.redundancy, plan),
      collector: createCollector(pair),
    };
    pairs.set(key, created);
    return created;
  };
  for (const [index, file] of files.entries()) {
    const read = readBodies(file, plan);
    if ("reason" in read) unread.push(read);
    else {
      for (const { body, from } of read.bodies) {
        const source = protocols.get(from);
        if (source === undefined) continue;
        for (const target of targets) {
          progress.show(`${index + 1} of ${files.length} files   ${body.operation} ${from} → ${target.id}   ${file}`);
          const { auditor, collector } = pairOf({ operation: body.operation, from, to: target.id }, source);
          const beside = besideOf(body);
          collector.add(file, auditor.audit(body.value, converterOf(body, source, target, plan.target), beside));
        }
      }
    }
  }
  progress.end();
  return { pairs: [...pairs.values()].map(({ collector }) => collector.sum()).sort(byPair), unread };
}

const byPair = (left: Pair, right: Pair): number => {
  const words = ({ operation, from, to }: Pair): string => `${operation} ${from} ${to}`;
  return words(left) < words(right) ? -1 : 1;
};

type ReadBodies = UnreadFile | { readonly bodies: readonly { readonly body: Body; readonly from: ProtocolId }[] };

function readBodies(file: string, plan: AuditPlan): ReadBodies {
  try {
    const all = bodiesIn(readJsonBytes(readFileSync(file)));
    if (all.length === 0) return { file, reason: "no body as JSON in it" };
    if (all.every(({ value }) => isConversation(value))) return { file, reason: decodedReason };
    const wanted = all.filter(({ operation }) => plan.operation === undefined || operation === plan.operation);
    const bodies = wanted.flatMap((body) => {
      const from = plan.from ?? protocolOf(body);
      return from !== undefined && protocolIds.includes(from) ? [{ body, from }] : [];
    });
    if (wanted.length > 0 && bodies.length === 0) return { file, reason: unknownReason(wanted) };
    return { bodies };
  } catch (error) {
    return { file, reason: fileReason(error) ?? (error instanceof Error ? error.message : String(error)) };
  }
}

const decodedReason = "a conversation that is decoded, no body of a protocol";

function unknownReason(bodies: readonly Body[]): string {
  const protocol = bodies.map(protocolOf).find((id) => id !== undefined);
  if (protocol !== undefined) return `${protocol} is not spoken by this version`;
  return "of no protocol for certain; say which with --from";
}
