import type { AssistantMessage, OpaqueState, Part, Profile, ProtocolId } from "../../ir/index.ts";
import type { Report } from "../../loss/index.ts";
import { acceptsState, lose, residueCode, sweepForeign } from "../../loss/index.ts";
import type { StreamEvent } from "../events.ts";
import { eventPointer } from "../events.ts";

type Target = Profile & { readonly protocol: ProtocolId };

/** Reports everything of an event that belongs to another protocol than the target's, as `sweepForeign` does it for a whole message. */
export function sweepEvent(event: StreamEvent, target: Target, report: Report): void {
  if (event.wire !== undefined && event.wire.protocol !== target.protocol) loseFrame(event, report);
  switch (event.type) {
    case "start":
      sweepForeign(event.message, target, report);
      return;
    case "part_start":
      sweepParts([event.part], target, report);
      return;
    case "citation":
      sweepParts([{ type: "text", text: "", citations: [event.citation] }], target, report);
      return;
    case "state":
      sweepState(event.state, event, target, report);
      return;
    default:
      return;
  }
}

/** Reports what a frame says beside its events, but for the residue that is held elsewhere. */
export function loseFrame(event: StreamEvent, report: Report, held?: ReadonlySet<string>): void {
  const { rest, form } = event.wire ?? {};
  for (const pointer in rest) {
    if (held?.has(pointer) === true) continue;
    lose(report, residueCode(rest[pointer]), event, "", { path: `/events/${event.at}/${pointer}` });
  }
  for (const key of ["repeated", "absent"] as const) {
    const pointers = form?.[key];
    if (!Array.isArray(pointers)) continue;
    for (const pointer of pointers) {
      const path = `/events/${event.at}/${String(pointer)}`;
      report.drafts.push({ code: `field.${key}`, stage: "encode", node: event, field: "", path });
    }
  }
}

function sweepParts(content: readonly Part[], target: Target, report: Report): void {
  sweepForeign({ role: "assistant", content } as unknown as AssistantMessage, target, report);
}

function sweepState(state: OpaqueState, event: StreamEvent, target: Target, report: Report): void {
  if (acceptsState(target, state) || state.kind === "callId" || state.kind === "itemId") return;
  lose(report, "state.foreign", event, "", {
    path: eventPointer(event),
    values: { kind: state.kind, from: state.provider ?? state.protocol },
  });
}
