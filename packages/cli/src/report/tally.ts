import type { Loss, LossGroup, ProtocolId } from "@rolecall/core";
import { groupLosses } from "@rolecall/core";

/** The losses of many conversions, as far as they can be told without keeping them. */
export interface Tally {
  /** What was read, converted or not. */
  readonly lines: number;
  readonly bytes: number;
  readonly losses: number;
  readonly sources: ReadonlySet<ProtocolId>;
  /** Accepted losses are not among them. The gravest first. */
  groups(): readonly LossGroup[];
}

export interface OpenTally extends Tally {
  /** Counts a body of so many bytes. */
  read(bytes: number): void;
  add(from: ProtocolId, losses: readonly Loss[]): void;
}

export function createTally(): OpenTally {
  const examples = new Map<string, { readonly loss: Loss; count: number }>();
  const sources = new Set<ProtocolId>();
  const tally = {
    lines: 0,
    bytes: 0,
    losses: 0,
    sources,
    read(bytes: number): void {
      tally.lines++;
      tally.bytes += bytes;
    },
    add(from: ProtocolId, losses: readonly Loss[]): void {
      sources.add(from);
      tally.losses += losses.length;
      for (const loss of losses) {
        if (loss.accepted !== undefined) continue;
        const key = `${loss.code}\n${loss.to}\n${loss.severity}\n${loss.kind}`;
        const known = examples.get(key);
        if (known === undefined) examples.set(key, { loss, count: 1 });
        else known.count++;
      }
    },
    groups(): readonly LossGroup[] {
      const counts = new Map<string, number>();
      for (const { loss, count } of examples.values()) counts.set(loss.code, (counts.get(loss.code) ?? 0) + count);
      const groups = groupLosses([...examples.values()].map(({ loss }) => loss));
      return groups.map((group) => ({ ...group, count: counts.get(group.code) ?? group.count }));
    },
  };
  return tally;
}
