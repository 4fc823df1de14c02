import { checkProfile, unstatedProfile } from "../codec/profile.ts";
import type { WireRequest } from "../codec/protocol.ts";
import type { RequestInput } from "../convert/input.ts";
import { readRequest } from "../convert/input.ts";
import { pathOfRequest, protocolOfRequest } from "../convert/request-protocol.ts";
import { DecodeError } from "../errors/index.ts";
import type { Profile, ProtocolId } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { Finding } from "./finding.ts";
import type { RequestView } from "./request-view.ts";
import { findingsOf } from "./rule.ts";
import { requestRules } from "./rules/index.ts";

export interface LintOptions {
  /** Detected unless stated. */
  readonly protocol?: ProtocolId;
  /** What is known of the server: rules that depend on a model, a version or betas are silent where nothing is. */
  readonly profile?: Profile;
}

/**
 * Checks a request against the rules of its protocol, without a conversion. `input` is a body (object, JSON text, bytes) or a WireRequest.
 * Throws a DecodeError for what is no JSON object, or where the protocol cannot be told.
 */
export function lintRequest(input: RequestInput, options: LintOptions = {}): readonly Finding[] {
  const protocol = options.protocol ?? protocolOfRequest(input, "protocol");
  return lintWire(readRequest(input).wire, protocol, options.profile, pathOfRequest(input));
}

/** The same for a request that has been read. */
export function lintWire(
  wire: WireRequest,
  protocol: ProtocolId,
  profile: Profile = unstatedProfile,
  path?: string,
): Finding[] {
  checkProfile(profile);
  const { body } = wire;
  if (!isJsonObject(body)) throw new DecodeError("", "a request must be an object");
  const view: RequestView = {
    body,
    profile: statedProfile(wire, profile),
    ...(path !== undefined && { path }),
  };
  return findingsOf(requestRules[protocol], view);
}

/** The profile with what the request itself states, where the profile says nothing of it. */
export function statedProfile({ body, headers, url }: WireRequest, profile: Profile): Profile {
  const model = url?.model ?? (isJsonObject(body) ? body["model"] : undefined);
  return {
    ...(typeof model === "string" && { model }),
    ...(headers?.version !== undefined && { apiVersion: headers.version }),
    ...(headers?.betas !== undefined && { betas: headers.betas }),
    ...profile,
  };
}
