import type { WireObject } from "../../../codec/restore.ts";
import type { Json, SystemMessage } from "../../../ir/index.ts";
import { lose } from "../../../loss/index.ts";
import type { Writer } from "../context.ts";
import { moveInstruction } from "./arrange.ts";
import { encodeInstruction, encodeSystemMessage } from "./system.ts";

/** A system message that was written among the turns, and the instructions that it holds. */
interface Placed {
  readonly object: WireObject;
  readonly members: SystemMessage[];
}

/**
 * Instructions among turns of another protocol. The API takes one system message between a user turn and the model's next turn: what comes
 * in between waits for that place and shares it, so that instructions keep their order among themselves.
 */
export interface Placement {
  readonly output: WireObject[];
  readonly held: SystemMessage[];
  /** How many of the held ones a user turn overtook. */
  overtaken: number;
  placed?: Placed;
  /** Instructions with nothing before them to stand with: they go to the front. */
  readonly moved: SystemMessage[];
  /** Instructions that stand among the turns, but elsewhere than before. */
  readonly displaced: SystemMessage[];
}

export function createPlacement(output: WireObject[]): Placement {
  return { output, held: [], overtaken: 0, moved: [], displaced: [] };
}

/** Tells the held instructions that a user turn follows them. */
export function overtake(placement: Placement, writer: Writer): void {
  if (placement.held.length === 0) return;
  for (const message of placement.held.slice(placement.overtaken)) {
    lose(writer.report, "instruction.deferred", message, "role");
    placement.displaced.push(message);
  }
  placement.overtaken = placement.held.length;
}

/** Writes the held instructions before a turn of the model, or at the end; true where a system message was written. */
export function release(placement: Placement, writer: Writer): boolean {
  if (placement.held.length === 0) return false;
  const held = placement.held.splice(0);
  placement.overtaken = 0;
  if (placement.output.at(-1)?.["role"] !== "user") {
    for (const message of held) moveBack(placement, message, writer);
    return false;
  }
  let written: Placed | undefined;
  for (const message of held) {
    const object = encodeSystemMessage(message, writer) as WireObject | undefined;
    if (object === undefined) continue;
    if (written === undefined) {
      written = { object, members: [] };
      placement.output.push(object);
    } else {
      lose(writer.report, "turn.merged", message, "role");
      share(written, message, object, writer);
    }
    written.members.push(message);
  }
  if (written === undefined) return false;
  placement.placed = written;
  return true;
}

/** Where no system message may stand: to the end of the one before, else to the front. Either keeps the order of the instructions. */
function moveBack(placement: Placement, message: SystemMessage, writer: Writer): void {
  const { placed } = placement;
  if (placed === undefined) {
    placement.moved.push(moveInstruction(message, writer));
    return;
  }
  moveInstruction(message, writer, "to the instruction before it");
  placement.displaced.push(message);
  endNever(placed, writer);
  const blocks = encodeInstruction(message, writer);
  if (blocks.length === 0) lose(writer.report, "turn.empty", message, "role");
  append(placed.object, blocks);
  writer.link?.(message, placed.object);
}

/** Adds to a system message what another would have said. One message has one end and one effort: the longer and the later count. */
function share(placed: Placed, message: SystemMessage, own: WireObject, writer: Writer): void {
  const { object, members } = placed;
  append(object, own["content"] as readonly Json[]);
  if (own["clear_at"] === undefined) endNever(placed, writer);
  else if (object["clear_at"] === undefined) lose(writer.report, "instruction.lifetime", message, "lifetime");
  if (own["output_config"] !== undefined) {
    for (const member of members)
      if (member.effort !== undefined) lose(writer.report, "instruction.effort", member, "effort");
    object["output_config"] = own["output_config"];
  }
  writer.link?.(message, object);
}

function append(object: WireObject, blocks: readonly Json[]): void {
  object["content"] = [...(object["content"] as readonly Json[]), ...blocks];
}

/** An instruction without an end joins those that had one. */
function endNever({ object, members }: Placed, writer: Writer): void {
  if (object["clear_at"] === undefined) return;
  delete object["clear_at"];
  for (const member of members)
    if (member.lifetime === "nextUserTurn") lose(writer.report, "instruction.lifetime", member, "lifetime");
}
