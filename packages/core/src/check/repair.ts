import type { RequestInput, SameKind } from "../convert/input.ts";
import { readRequest } from "../convert/input.ts";
import { loadProtocol, protocolIds } from "../convert/load.ts";
import { convertRequestWith } from "../convert/request.ts";
import { pathOfRequest, protocolOfRequest } from "../convert/request-protocol.ts";
import { DecodeError, EncodeError, UnsupportedError } from "../errors/index.ts";
import type { Loss, Profile } from "../ir/index.ts";
import type { Finding } from "./finding.ts";
import type { LintOptions } from "./lint-request.ts";
import { lintWire, statedProfile } from "./lint-request.ts";

export interface Repaired<T> {
  /** The input itself where nothing was mended, else a request of the same kind. */
  readonly value: T | SameKind<T>;
  /** What was mended, each place under the code that a conversion to another protocol reports it with. */
  readonly losses: readonly Loss[];
  /** What is still refused, or may be. */
  readonly findings: readonly Finding[];
}

/**
 * Mends what the services of a request's own protocol would refuse, as far as nothing has to be made up that only its author can know: results
 * are put behind their calls, calls without one are answered by an error, empty texts and second tools of a name left out, and so on. A
 * request without findings is given back as it is. Throws a DecodeError for what is no JSON object, or where the protocol cannot be told.
 */
export async function repair<T extends RequestInput>(input: T, options: LintOptions = {}): Promise<Repaired<T>> {
  const id = options.protocol ?? protocolOfRequest(input, "protocol");
  const path = pathOfRequest(input);
  const { wire } = readRequest(input);
  const findings = lintWire(wire, id, options.profile, path);
  const untouched = { value: input, losses: [], findings };
  // Rules need no codec, and mends do.
  if (findings.length === 0 || !protocolIds.includes(id)) return untouched;
  const protocol = await loadProtocol(id);
  const profile: Profile = statedProfile(wire, options.profile ?? {});
  const how = { source: profile, target: profile, mend: true as const };
  try {
    // What the text of a body says beyond its value is lost only where the body is written again.
    if (convertRequestWith(protocol, protocol, wire, { ...how, inexact: [] }).losses.length === 0) return untouched;
    const { value, losses } = convertRequestWith(protocol, protocol, input, how);
    const left = lintWire(readRequest(value).wire, id, options.profile, path);
    // A mend that breaks another rule is none: that happens to bodies of which a part cannot be read.
    const broken = new Set(findings.map(({ rule }) => rule));
    return left.every(({ rule }) => broken.has(rule)) ? { value, losses, findings: left } : untouched;
  } catch (error) {
    // What cannot be read or written cannot be mended either; the findings say why.
    if (error instanceof DecodeError || error instanceof EncodeError || error instanceof UnsupportedError)
      return untouched;
    throw error;
  }
}
