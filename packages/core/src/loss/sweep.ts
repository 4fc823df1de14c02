import type { Conversation, Message, NodeVisitor, OpaqueState, Profile, ProtocolId } from "../ir/index.ts";
import { signatureFields, visitMessage, visitNodes } from "../ir/index.ts";
import type { Report } from "./report.ts";
import { lose } from "./report.ts";

/**
 * Reports everything of a value that belongs to another protocol than the target's: residue, and opaque state. One walk for all
 * encoders, before they run. Call and item ids only link things and are not reported.
 */
export function sweepForeign(
  value: Conversation | Message,
  target: Profile & { readonly protocol: ProtocolId },
  report: Report,
): void {
  const visit = createSweep(target, report);
  if ("messages" in value) visitNodes(value, visit, null);
  else visitMessage(value, null, visit);
}

/** Reports what of each node that it visits belongs to another protocol. */
export function createSweep(target: Profile & { readonly protocol: ProtocolId }, report: Report): NodeVisitor<null> {
  return (node, _pointer, owner = node, field = ""): void => {
    const { wire, state } = node;
    if (wire !== undefined && wire.protocol !== target.protocol) {
      const below = field === "" ? "" : `${field}/`;
      if (wire.rest !== undefined) loseResidue(report, owner, wire.rest, Object.keys(wire.rest), `${below}rest:`);
      if (wire.form !== undefined) sweepForm(owner, wire.form, `${below}form:`, report);
      if (wire.form?.["repeated"] !== undefined) lose(report, "field.repeated", owner, "repeated");
      if (wire.group?.form !== undefined) sweepForm(node, wire.group.form, "group:", report);
      const shared = wire.group?.rest;
      if (shared !== undefined) loseResidue(report, node, shared, Object.keys(shared), "group:");
    }
    for (const name of signatureFields) {
      const value = (node as { readonly [name: string]: unknown })[name];
      if (typeof value === "string" && value !== "")
        lose(report, "state.unattributed", node, name, { values: { name } });
    }
    if (state === undefined) return;
    for (let index = 0; index < state.length; index++) {
      const item = state[index];
      if (item === undefined || item.kind === "callId" || item.kind === "itemId") continue;
      if (!acceptsState(target, item)) {
        lose(report, "state.foreign", owner, `state:${index}`, {
          values: { kind: item.kind, from: item.provider ?? item.protocol },
        });
      }
    }
  };
}

/** A field that every body has and this one lacks. */
const absentForm = "absent";

function sweepForm(node: object, form: { readonly [pointer: string]: unknown }, prefix: string, report: Report): void {
  for (const pointer in form) if (form[pointer] === absentForm) lose(report, "field.absent", node, prefix + pointer);
}

/** Reports residue of a node, which the target has no place for. */
export function loseResidue(
  report: Report,
  node: object,
  rest: { readonly [pointer: string]: unknown },
  pointers: readonly string[],
  prefix = "rest:",
): void {
  for (const pointer of pointers) lose(report, residueCode(rest[pointer]), node, prefix + pointer);
}

/** What a value says that has no place in the target. */
export function residueCode(value: unknown): "field.null" | "field.empty" | "field.no_counterpart" {
  if (value === null) return "field.null";
  return typeof value === "object" && Object.keys(value).length === 0 ? "field.empty" : "field.no_counterpart";
}

/** True where the target is the issuer of a piece of opaque state, as far as both are known. */
export function acceptsState(target: Profile, state: Pick<OpaqueState, "protocol" | "provider">): boolean {
  return (
    state.protocol === target.protocol &&
    (state.provider === undefined || target.provider === undefined || state.provider === target.provider)
  );
}
