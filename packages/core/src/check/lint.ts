import type { EncodedRequest } from "../codec/protocol.ts";
import { placed } from "../codec/refuse.ts";
import { loadProtocol } from "../convert/load.ts";
import { traceNodes } from "../convert/trace.ts";
import { EncodeError, UnsupportedError } from "../errors/index.ts";
import type { Conversation, Profile, ProtocolId } from "../ir/index.ts";
import { createBlindTrace, irLocator } from "../loss/index.ts";
import type { Protocol } from "../stream/protocol.ts";
import type { Finding } from "./finding.ts";
import { lintWire } from "./lint-request.ts";
import type { Relocate } from "./places.ts";
import { originsOf, originsOfSettings, relocated, relocation } from "./places.ts";
import { findingsOf } from "./rule.ts";
import { conversationRules, refusal } from "./rules/conversation.ts";

export interface LintConversationOptions {
  /** The protocol that the conversation is to be sent in. */
  readonly to: ProtocolId;
  /** What is known of the server. */
  readonly target?: Profile;
}

/**
 * Checks a conversation: what a server of a protocol would refuse of it, with places in the conversation. What encoding mends by itself, and
 * reports as a loss, is no finding.
 */
export async function lint(
  conversation: Conversation,
  { to, target = {} }: LintConversationOptions,
): Promise<readonly Finding[]> {
  const protocol = await loadProtocol(to);
  const own = findingsOf(conversationRules, conversation);
  const encoded = encodeOrFind(conversation, protocol, target);
  return "rule" in encoded ? [...own, encoded] : [...own, ...findingsIn(conversation, protocol, target, encoded)];
}

/** The encoded request, or the finding that says why there is none. `check` may refuse it beforehand. */
export function encodeOrFind(
  conversation: Conversation,
  protocol: Protocol,
  target: Profile,
  check?: () => void,
): EncodedRequest | Finding {
  try {
    check?.();
    return protocol.encodeRequest(conversation, target);
  } catch (error) {
    const { id: rule, severity, source, evidence } = refusal;
    const found = placed(error, irLocator(conversation));
    if (found instanceof UnsupportedError || found instanceof EncodeError)
      return { rule, severity, path: found.path, message: found.message, source, evidence };
    throw error;
  }
}

/** What is wrong with an encoded request, with places in the conversation that it was made of. */
export function findingsIn(
  conversation: Conversation,
  protocol: Protocol,
  target: Profile,
  { value }: EncodedRequest,
): Finding[] {
  const findings = lintWire(value, protocol.id, target);
  if (findings.length === 0) return findings;
  return relocated(findings, irRelocation(conversation, protocol, target));
}

/** From places of an encoded request to those of its conversation. */
export function irRelocation(conversation: Conversation, protocol: Protocol, target: Profile): Relocate {
  const { settings } = conversation;
  const { fieldPointer } = protocol;
  const entries = traceNodes(conversation, createBlindTrace(fieldPointer), (link) => {
    return protocol.encodeRequest(conversation, target, { link }).value.body as object;
  });
  const ofSettings = originsOfSettings(settings, fieldPointer, (key) => `/settings/${key}`);
  return relocation(conversation, ofSettings, originsOf(entries, "irPath"));
}
