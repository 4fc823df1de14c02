import type { CacheBreakpoint } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";

/** The API caches by itself, or what was stored beforehand. It takes no marks. */
export function reportMark(node: object & { readonly cacheBreakpoint?: CacheBreakpoint }, writer: Writer): void {
  if (node.cacheBreakpoint !== undefined) lose(writer.report, "cache.mark", node, "cacheBreakpoint");
}
