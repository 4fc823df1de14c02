import type { WireObject } from "../../../codec/restore.ts";
import { restore } from "../../../codec/restore.ts";
import type { WireForm } from "../../../ir/index.ts";
import { loseResidue } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

const protocol = "openai-chat";

/**
 * Restores the residue of a tool or call that is written in the other form than its own, a free-text one as a function or the other way round.
 * What stood inside of the object that the other form does not have is reported. `except` stays away.
 */
export function restoreInForm(
  object: WireObject,
  node: { readonly wire?: WireForm },
  written: "function" | "custom",
  writer: Writer,
  except: readonly string[] = [],
): void {
  const own = written === "function" ? "custom/" : "function/";
  const { protocol: from, rest = {} } = node.wire ?? {};
  const lost = from === protocol ? Object.keys(rest).filter((key) => key === written || key.startsWith(own)) : [];
  restore(object, node.wire, protocol, [...lost, ...except]);
  loseResidue(writer.report, node, rest, lost);
}
