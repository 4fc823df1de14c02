import { runThread } from "../watch.mjs";
import { instrumentCore } from "./instrument.mjs";
import { keep, keptFolder } from "./kept.mjs";

/** @import { createReport } from "../report.mjs" */
/** @import { Search } from "./worker.mjs" */

/** Inputs of the search are not longer than this. */
export const longestInput = 4_096;

/**
 * Searches for inputs that reach code which no other has reached, keeps the least of them, and says so.
 * @param {{ names: readonly string[], seed: number, minutes: number, longest: number, report: ReturnType<typeof createReport> }} options
 * @returns {Promise<string>}
 */
export async function search({ names, seed, minutes, longest, report }) {
  if (!(minutes > 0)) return "no search";
  const { folder, branches, remove } = instrumentCore();
  let tried = 0;
  let kept = 0;
  for (const name of names) {
    const at = new Int32Array(new SharedArrayBuffer(4));
    at[0] = -1;
    const current = new Uint8Array(new SharedArrayBuffer(longestInput + 4));
    /** @type {Search} */
    const work = { name, seed, folder, branches, milliseconds: (minutes * 60_000) / names.length, at, current };
    await runThread(new URL("worker.mjs", import.meta.url), work, at, {
      longest: () => longest,
      onMessage(message) {
        if (message.found !== undefined) report.add(message.found);
        if (message.tried === undefined) return;
        tried += message.tried;
        kept += message.kept.length;
        for (const input of message.kept) keep(name, input);
        console.log(
          `  ${name}: ${message.tried} tried, ${message.reached} branches reached, ${message.kept.length} kept anew`,
        );
      },
      onHang() {
        const length = new DataView(current.buffer).getUint32(longestInput);
        const input = current.slice(0, length);
        report.add({ target: name, kind: "hang", message: "no result", origin: "found by the search", input });
      },
    });
  }
  remove();
  return `${tried} inputs of a guided search, ${kept} of them kept in ${keptFolder}`;
}
