import type { UpstreamRequest } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { createError } from "./errors.ts";
import type { PreparedRequest } from "./prepare.ts";

export async function convertStreamedAnswer(
  _context: ConvertContext,
  _request: UpstreamRequest,
  _prepared: PreparedRequest,
): Promise<void> {
  throw createError("invalid_request", "streams are not converted yet", 501);
}
