import type { Loss, ProtocolId } from "@rolecall/core";
import { isJsonObject } from "@rolecall/core";
import type { JsonFile } from "../input/file.ts";
import { readJsonFile } from "../input/file.ts";
import { Mistake } from "../mistake.ts";
import type { FileConversion } from "./convert-file.ts";

/**
 * The losses of the previous request of a conversation: out of its report, out of what `--json` printed, or by converting its body again.
 */
export async function previousLosses(
  file: string,
  from: ProtocolId,
  to: ProtocolId,
  convert: (file: JsonFile) => Promise<FileConversion>,
): Promise<readonly Loss[]> {
  const read = await readJsonFile(file);
  const { value } = read;
  if (!isJsonObject(value) || !Array.isArray(value["losses"])) return (await convert(read)).losses;
  const losses: readonly unknown[] = value["losses"];
  const mistaken = losses.findIndex((loss) => !isLoss(loss));
  if (mistaken >= 0) throw new Mistake(`${file}: not a loss (at /losses/${mistaken})`);
  const known = losses as readonly Loss[];
  const other = known.find((loss) => loss.from !== from || loss.to !== to);
  const pair = other ?? (value as { readonly from?: unknown; readonly to?: unknown });
  if ((pair.from ?? from) !== from || (pair.to ?? to) !== to) {
    throw new Mistake(`${file}: a report of ${pair.from} → ${pair.to}; give one of ${from} → ${to}`);
  }
  return known;
}

function isLoss(value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  const { code, path, kind } = value;
  return typeof code === "string" && typeof path === "string" && typeof kind === "string";
}
