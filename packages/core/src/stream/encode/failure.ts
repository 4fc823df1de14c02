import { errorBodyLosses } from "../../codec/errors/envelope.ts";
import type { Json, Pointer } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import type { ErrorEvent } from "../events.ts";

/** Reports what a failure says and the body that is sent for it does not. In a stream there are no headers. */
export function loseFailure({ at, path, error }: ErrorEvent, sent: unknown, report: Report): void {
  if (error.raw === undefined) return;
  // The words of a failure stand below `error`, also where its frame is all of them.
  const root = path.endsWith("/error") ? path.slice(0, -"/error".length) : path;
  const placeOf = (pointer: Pointer): Pointer =>
    pointer === "/error" || pointer.startsWith("/error/")
      ? `/events/${at}${path}${pointer.slice("/error".length)}`
      : `/events/${at}${root}${pointer}`;
  report.drafts.push(...errorBodyLosses(error.raw, error.message, { body: sent as Json, headers: {} }, placeOf));
}
