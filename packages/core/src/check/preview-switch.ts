import type { RequestInput } from "../convert/input.ts";
import { readRequest } from "../convert/input.ts";
import { loadProtocol } from "../convert/load.ts";
import { convertRequestWith } from "../convert/request.ts";
import { crossesIssuers, refuseElsewhere, sealedPlaces } from "../convert/sealed.ts";
import { EncodeError, UnsupportedError } from "../errors/index.ts";
import type { AssistantTurn, Conversation, Loss, Node, OpaqueState, Profile, ProtocolId } from "../ir/index.ts";
import { isConversation, visitNodes } from "../ir/index.ts";
import type { LossDraft, LossGroup } from "../loss/index.ts";
import { groupLosses, irLocator, resolveLosses, traceLocator } from "../loss/index.ts";
import type { Protocol } from "../stream/protocol.ts";
import type { Finding } from "./finding.ts";
import { encodeOrFind, findingsIn, irRelocation } from "./lint.ts";
import { lintWire } from "./lint-request.ts";
import type { Relocate } from "./places.ts";
import { originsOf, originsOfSettings, relocated, relocation } from "./places.ts";
import { boundPrefix, refusal } from "./rules/conversation.ts";

/** A model as a conversation meets it: the protocol that it is asked in, and what is known of its service. */
export interface ModelReference extends Profile {
  readonly protocol: ProtocolId;
}

export interface SwitchPreview {
  /** What would be lost. Places are those of the input. */
  readonly losses: readonly Loss[];
  readonly groups: readonly LossGroup[];
  /** What would be refused, or not do what it did. */
  readonly findings: readonly Finding[];
}

/**
 * What would happen if a conversation went on with another model: nothing is sent, nothing is changed. `input` is a conversation, or a request
 * of the protocol of `from`.
 */
export async function previewSwitch(
  input: Conversation | RequestInput,
  from: ModelReference,
  to: ModelReference,
): Promise<SwitchPreview> {
  const [source, target] = await Promise.all([loadProtocol(from.protocol), loadProtocol(to.protocol)]);
  const { losses, findings } = isConversation(input)
    ? previewConversation(input, from, to, target)
    : previewRequest(input as RequestInput, from, to, source, target);
  return { losses, groups: groupLosses(losses), findings };
}

type Preview = Pick<SwitchPreview, "losses" | "findings">;

function previewRequest(
  input: RequestInput,
  from: ModelReference,
  to: ModelReference,
  source: Protocol,
  target: Protocol,
): Preview {
  const { wire } = readRequest(input);
  const decoded = source.decodeRequest(wire, from);
  const bound = boundFindings(decoded.value, from, to, (node) => decoded.trace.pointers.get(node) ?? "");
  try {
    const { value, losses, trace } = convertRequestWith(source, target, input, { source: from, target: to });
    const found = lintWire(readRequest(value).wire, to.protocol, to);
    const locate = traceLocator(decoded.trace);
    const relocate = (): Relocate => {
      const { settings } = decoded.value;
      const ofSettings = originsOfSettings(settings, target.fieldPointer, (key) => locate(settings, key));
      return relocation(wire.body, ofSettings, originsOf(trace(), "source"));
    };
    const findings = found.length === 0 ? [] : relocated(found, relocate());
    return { losses, findings: [...findings, ...bound] };
  } catch (error) {
    if (!(error instanceof UnsupportedError || error instanceof EncodeError)) throw error;
    const { id: rule, severity, source: known, evidence } = refusal;
    const finding = { rule, severity, path: error.path, message: error.message, source: known, evidence };
    return { losses: [], findings: [finding, ...bound] };
  }
}

function previewConversation(
  conversation: Conversation,
  from: ModelReference,
  to: ModelReference,
  target: Protocol,
): Preview {
  const issued = issuedBy(conversation, from);
  const locate = irLocator(issued);
  const bound = boundFindings(issued, from, to, (node) => locate(node, "") ?? "");
  const stored: LossDraft[] = [];
  const encoded = encodeOrFind(issued, target, to, () => {
    if (from.protocol === to.protocol && crossesIssuers(from, to))
      stored.push(...refuseElsewhere(issued, to, target.id));
  });
  if ("rule" in encoded) return { losses: [], findings: [encoded, ...bound] };
  const drafts = [...stored, ...encoded.losses, ...sealedDrafts(issued, from, to, target, encoded.value)];
  return {
    losses: resolveLosses(drafts, from.protocol, to.protocol, { locate, locateIr: locate }),
    findings: [...findingsIn(issued, target, to, encoded), ...bound],
  };
}

/** A copy whose opaque state names its issuer, where only its protocol was known. */
function issuedBy(conversation: Conversation, { protocol, provider }: ModelReference): Conversation {
  if (provider === undefined) return conversation;
  const copy = structuredClone(conversation);
  const isOwn = (item: { readonly protocol?: ProtocolId; readonly provider?: string }): boolean =>
    item.protocol === protocol && item.provider === undefined;
  visitNodes(copy, (node) => {
    const open = node as { state?: readonly OpaqueState[]; provider?: string };
    if (node.state?.some(isOwn) === true)
      open.state = node.state.map((item) => (isOwn(item) ? { ...item, provider } : item));
    const { type } = node as { type?: string };
    if ((type === "opaque" || type === "serverToolCall" || type === "serverToolResult") && isUnowned(node, protocol))
      open.provider = provider;
  });
  return copy;
}

/** True for a record of a protocol that does not say which service gave it. */
function isUnowned(node: Node, protocol: ProtocolId): boolean {
  const { protocol: own = node.wire?.protocol, provider } = node as { protocol?: ProtocolId; provider?: string };
  return own === protocol && provider === undefined;
}

/** Payloads in fields of no protocol, which go along to a service of the same protocol unless they are taken out. */
function sealedDrafts(
  conversation: Conversation,
  from: ModelReference,
  to: ModelReference,
  target: Protocol,
  wire: Parameters<Protocol["decodeRequest"]>[0],
): LossDraft[] {
  if (from.protocol !== to.protocol || !crossesIssuers(from, to)) return [];
  const places = sealedPlaces(target.decodeRequest(wire, from));
  if (places.length === 0) return [];
  const relocate = irRelocation(conversation, target, to);
  const values = { kind: "payload", from: from.provider ?? "" };
  return places.map((place) => ({ code: "state.foreign", stage: "encode", path: relocate(place), values }));
}

/** Reasoning that its service checks against what came before it, where the service stays and the model does not. */
function boundFindings(
  conversation: Conversation,
  from: ModelReference,
  to: ModelReference,
  locate: (node: object) => string,
): Finding[] {
  const stays = from.protocol === to.protocol && !crossesIssuers(from, to);
  if (!stays || from.model === undefined || to.model === undefined || from.model === to.model) return [];
  const { id: rule, severity, source, evidence } = boundPrefix;
  const turns = conversation.messages.filter((message): message is AssistantTurn => message.role === "assistant");
  return turns
    .flatMap(({ content }) => content)
    .filter(({ state }) => state?.some(({ bindsTo }) => bindsTo === "prefix") === true)
    .map((part) => ({
      rule,
      severity,
      path: locate(part),
      message: "another model gave this reasoning: the service may refuse it or leave it out",
      source,
      evidence,
    }));
}
