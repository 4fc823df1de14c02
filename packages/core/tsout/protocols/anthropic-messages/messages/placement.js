import { lose } from "../../../loss/index.js";
import { moveInstruction } from "./arrange.js";
import { encodeInstruction, encodeSystemMessage } from "./system.js";
export function createPlacement(output) {
    return { output, held: [], overtaken: 0, moved: [], displaced: [] };
}
/** Tells the held instructions that a user turn follows them. */
export function overtake(placement, writer) {
    if (placement.held.length === 0)
        return;
    for (const message of placement.held.slice(placement.overtaken)) {
        lose(writer.report, "instruction.deferred", message, "role");
        placement.displaced.push(message);
    }
    placement.overtaken = placement.held.length;
}
/** Writes the held instructions before a turn of the model, or at the end; true where a system message was written. */
export function release(placement, writer) {
    if (placement.held.length === 0)
        return false;
    const held = placement.held.splice(0);
    placement.overtaken = 0;
    if (placement.output.at(-1)?.["role"] !== "user") {
        for (const message of held)
            moveBack(placement, message, writer);
        return false;
    }
    let written;
    for (const message of held) {
        const object = encodeSystemMessage(message, writer);
        if (object === undefined)
            continue;
        if (written === undefined) {
            written = { object, members: [] };
            placement.output.push(object);
        }
        else {
            lose(writer.report, "turn.merged", message, "role");
            share(written, message, object, writer);
        }
        written.members.push(message);
    }
    if (written === undefined)
        return false;
    placement.placed = written;
    return true;
}
/** Where no system message may stand: to the end of the one before, else to the front. Either keeps the order of the instructions. */
function moveBack(placement, message, writer) {
    const { placed } = placement;
    if (placed === undefined) {
        placement.moved.push(moveInstruction(message, writer));
        return;
    }
    moveInstruction(message, writer, "to the instruction before it");
    placement.displaced.push(message);
    endNever(placed, writer);
    const blocks = encodeInstruction(message, writer);
    if (blocks.length === 0)
        lose(writer.report, "turn.empty", message, "role");
    append(placed.object, blocks);
    writer.link?.(message, placed.object);
}
/** Adds to a system message what another would have said. One message has one end and one effort: the longer and the later count. */
function share(placed, message, own, writer) {
    const { object, members } = placed;
    append(object, own["content"]);
    if (own["clear_at"] === undefined)
        endNever(placed, writer);
    else if (object["clear_at"] === undefined)
        lose(writer.report, "instruction.lifetime", message, "lifetime");
    if (own["output_config"] !== undefined) {
        for (const member of members)
            if (member.effort !== undefined)
                lose(writer.report, "instruction.effort", member, "effort");
        object["output_config"] = own["output_config"];
    }
    writer.link?.(message, object);
}
function append(object, blocks) {
    object["content"] = [...object["content"], ...blocks];
}
/** An instruction without an end joins those that had one. */
function endNever({ object, members }, writer) {
    if (object["clear_at"] === undefined)
        return;
    delete object["clear_at"];
    for (const member of members)
        if (member.lifetime === "nextUserTurn")
            lose(writer.report, "instruction.lifetime", member, "lifetime");
}
//# sourceMappingURL=placement.js.map