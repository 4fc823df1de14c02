import type { OpaqueState, ProtocolId } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { lose } from "../../loss/index.ts";
import type { IdentifierRule } from "./identifiers.ts";
import { acceptableIdentifier, isAcceptable } from "./identifiers.ts";
import { LateMap, LateSet } from "./late.ts";

/** Names and ids of one encoding: what was sent for what. */
export interface Names {
  readonly protocol: ProtocolId;
  readonly tools: IdentifierRule;
  readonly calls: IdentifierRule;
  readonly report: Report;
  readonly toolNames: LateMap<string, string>;
  /** The other way round: for each sent name of a tool its own. */
  readonly ownNames: LateMap<string, string>;
  /** Ids that went out otherwise, and those that go out as they are whatever the rule says. */
  readonly callIds: LateMap<string, string>;
  /** Our ids of the calls that went out under their issuer's own. */
  readonly restored: LateSet<string>;
  /** Ids that calls went out under, where each may be sent once. */
  readonly taken: LateSet<string> | undefined;
  /** Our ids of the calls whose own id another call had before. */
  readonly renumbered: LateSet<string>;
}

/** `unique`: no two calls may go out under one id, even if their issuer gave both the same. */
export function createNames(
  protocol: ProtocolId,
  tools: IdentifierRule,
  calls: IdentifierRule,
  report: Report,
  unique = false,
): Names {
  return {
    protocol,
    tools,
    calls,
    report,
    toolNames: new LateMap(),
    ownNames: new LateMap(),
    callIds: new LateMap(),
    restored: new LateSet(),
    renumbered: new LateSet(),
    taken: unique ? new LateSet<string>() : undefined,
  };
}

/** The same names for an encoding that goes on where another stood. */
export function copyNames(names: Names, report: Report): Names {
  const { toolNames, ownNames, callIds, restored, renumbered, taken } = names;
  return {
    ...names,
    report,
    toolNames: toolNames.copy(),
    ownNames: ownNames.copy(),
    callIds: callIds.copy(),
    restored: restored.copy(),
    renumbered: renumbered.copy(),
    taken: taken?.copy(),
  };
}

/** The name of a tool as the target accepts it. Two tools never share one: a client may call a tool as another's name would become. */
export function sendToolName(names: Names, name: string, node: object, field = "name"): string {
  let sent = names.toolNames.get(name);
  if (sent === undefined) {
    sent = isAcceptable(name, names.tools) ? name : acceptableIdentifier(name, names.tools);
    for (let salt = 1; names.ownNames.has(sent) && salt < 9; salt++)
      sent = acceptableIdentifier(name, names.tools, `${salt}\n`);
    names.toolNames.set(name, sent);
    names.ownNames.set(sent, name);
  }
  if (sent !== name) lose(names.report, "tool.name", node, field, { replacement: sent });
  return sent;
}

/** The id of a call as the target accepts it; the issuer gets its own spelling back. */
export function sendCallId(names: Names, id: string, state: readonly OpaqueState[] | undefined, node: object): string {
  const own = state?.find((item) => item.kind === "callId" && item.protocol === names.protocol)?.value;
  if (typeof own === "string" && isAcceptable(own, names.calls) && names.taken?.has(own) !== true) {
    names.taken?.add(own);
    names.callIds.set(id, own);
    names.restored.add(id);
    return own;
  }
  const sent = isAcceptable(id, names.calls) ? id : acceptableIdentifier(id, names.calls);
  names.taken?.add(sent);
  const isRenumbered = state?.some(({ kind, value }) => kind === "callId" && value !== "" && value !== sent) === true;
  if (isRenumbered) names.renumbered.add(id);
  if (sent !== id || isRenumbered) lose(names.report, "tool.id", node, "id", { replacement: sent });
  if (sent !== id) names.callIds.set(id, sent);
  else names.callIds.delete(id);
  return sent;
}

/** The id under which the call of a result was sent; `node` is absent for a made-up result, whose id was nowhere before. */
export function sentCallId(names: Names, id: string, node: object | undefined): string {
  let sent = names.callIds.get(id);
  if (sent === undefined) {
    sent = isAcceptable(id, names.calls) ? id : acceptableIdentifier(id, names.calls);
    if (sent !== id) names.callIds.set(id, sent);
  }
  const isChanged = sent !== id || names.renumbered.has(id);
  if (isChanged && node !== undefined && !names.restored.has(id))
    lose(names.report, "tool.id", node, "toolCallId", { replacement: sent });
  return sent;
}

/** The entries of a map that changed, from what was sent to what it stood for; undefined where nothing did. */
export function changedNames(map: LateMap<string, string>): { readonly [sent: string]: string } | undefined {
  const { entries } = map;
  if (entries === undefined) return undefined;
  let changed: Record<string, string> | undefined;
  entries.forEach((sent, original) => {
    if (original === sent) return;
    changed ??= Object.create(null) as Record<string, string>;
    changed[sent] = original;
  });
  return changed === undefined ? undefined : { ...changed };
}
