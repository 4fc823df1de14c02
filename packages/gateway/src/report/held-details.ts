import type { Loss } from "@rolecall/core";

/** What a loss takes beside its texts. */
const LOSS = 150;

function sizeOf({ path, irPath, targetPath, detail, replacement }: Loss): number {
  const texts = [path, irPath, targetPath, detail, replacement];
  return texts.reduce((size, text) => size + (text?.length ?? 0), LOSS);
}

/** How much memory lists of losses take, estimated: each is counted once, however many hold it. */
export interface HeldDetails {
  readonly bytes: number;
  hold(losses: readonly Loss[]): void;
  release(losses: readonly Loss[]): void;
}

export function createHeldDetails(): HeldDetails {
  const lists = new Map<readonly Loss[], { holders: number; readonly bytes: number }>();
  const held = {
    bytes: 0,
    hold(losses: readonly Loss[]): void {
      if (losses.length === 0) return;
      const known = lists.get(losses);
      if (known !== undefined) {
        known.holders++;
        return;
      }
      const bytes = losses.reduce((sum, loss) => sum + sizeOf(loss), 0);
      lists.set(losses, { holders: 1, bytes });
      held.bytes += bytes;
    },
    release(losses: readonly Loss[]): void {
      const known = lists.get(losses);
      if (known === undefined || --known.holders > 0) return;
      lists.delete(losses);
      held.bytes -= known.bytes;
    },
  };
  return held;
}
