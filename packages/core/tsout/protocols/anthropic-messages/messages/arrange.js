import { isBlank } from "../../../codec/content/blank.js";
import { reportScope } from "../../../codec/content/instructions.js";
import { EncodeError } from "../../../errors/index.js";
import { lose } from "../../../loss/index.js";
const protocol = "anthropic-messages";
/** Text of the turns that the API demands and the conversation does not have. */
const firstUserText = "(The conversation begins with the assistant.)";
const continueText = "Continue.";
export function arrangeInstructions(messages, writer) {
    const instructions = [];
    const moved = [];
    const turns = [];
    const lowered = new Set();
    for (const message of messages) {
        if (message.role !== "system") {
            turns.push(message);
            continue;
        }
        const { authority } = message;
        if (!hasText(message)) {
            reportLimits(message, writer);
            if ((message.sections?.length ?? 0) > 0)
                lose(writer.report, "instruction.sections", message, "sections");
            continue;
        }
        if (authority === "user" || authority === "guideline") {
            if (authority === "guideline")
                lose(writer.report, "instruction.lowered", message, "role");
            reportLimits(message, writer);
            lowered.add(message);
            turns.push(message);
            continue;
        }
        reportAuthority(message, writer);
        // Some models take a system message after a user turn, before their next turn. What it cannot hold is lost at the front as well.
        if (turns.length > 0 && writer.target.midConversationSystem)
            turns.push(message);
        else if (turns.length > 0)
            moved.push(moveInstruction(message, writer));
        else {
            reportLimits(message, writer);
            instructions.push(message);
        }
    }
    return turns.length > 0 ? { instructions, moved, turns, lowered } : lowerAll(instructions, writer);
}
const hasText = (message) => message.content.length > 0 || message.sections?.some((section) => section.text !== null) === true;
/** Reports an instruction within the conversation that now counts earlier: from the start, or from `place`. */
export function moveInstruction(message, writer, place) {
    lose(writer.report, "instruction.moved", message, "role", place === undefined ? {} : { values: { place } });
    reportLimits(message, writer);
    return message;
}
/** The API has one level of instructions. */
export function reportAuthority(message, writer) {
    const { authority } = message;
    if (authority !== "system")
        lose(writer.report, "instruction.authority", message, "role", { values: { authority, sent: "system" } });
}
/** What only an instruction within the conversation can say. */
export function reportLimits(message, writer) {
    if (message.effort !== undefined)
        lose(writer.report, "instruction.effort", message, "effort");
    if (message.lifetime !== undefined && message.lifetime !== "always")
        lose(writer.report, "instruction.lifetime", message, "lifetime");
    reportScope(message, writer.report);
}
/** Without any turn the API has nothing to answer: the instructions are sent as one, with less authority, and reported. */
function lowerAll(instructions, writer) {
    if (instructions.length === 0) {
        throw new EncodeError("/messages", `${protocol} needs at least one message, and the conversation has none: add a user message`);
    }
    for (const message of instructions)
        lose(writer.report, "instruction.lowered", message, "role");
    return { instructions: [], moved: [], turns: instructions, lowered: new Set(instructions) };
}
/**
 * Completes what the API demands of the turns that were written: a user turn first, and at the end no started answer that the model cannot
 * continue or that ends in white space.
 */
export function completeTurns(turns, output, writer) {
    if (writer.target.prefill)
        trimPrefill(turns, output, writer);
    if (output.length === 0) {
        throw new EncodeError("/messages/0", `${protocol} needs a message with content, and this one has none (at /messages/0): write what the user says`);
    }
    if (output[0]?.["role"] !== "user") {
        lose(writer.report, "turn.first_user", undefined, "", { targetPath: "/messages/0", values: { to: protocol } });
        output.unshift({ role: "user", content: [{ type: "text", text: firstUserText }] });
    }
    if (!writer.target.prefill && output.at(-1)?.["role"] === "assistant") {
        lose(writer.report, "turn.prefill", turns.findLast((message) => message.role === "assistant"), "role");
        output.push({ role: "user", content: [{ type: "text", text: continueText }] });
    }
}
/** The API refuses a started answer that ends in white space. Texts of nothing else were left out before. */
function trimPrefill(turns, output, writer) {
    const message = output.at(-1);
    if (message?.["role"] !== "assistant" || !Array.isArray(message["content"]))
        return;
    const content = message["content"];
    const block = content.at(-1);
    if (block?.["type"] !== "text")
        return;
    const text = String(block["text"]);
    const trimmed = text.trimEnd();
    if (trimmed === text || trimmed === "")
        return;
    const last = turns.flatMap((turn) => (turn.role === "assistant" ? turn.content.filter(isWritten) : [])).at(-1);
    lose(writer.report, "text.trailing_whitespace", last, "type");
    block["text"] = trimmed;
}
/** True for parts of a turn that become text. */
function isWritten(part) {
    return (part.type === "text" || part.type === "refusal") && !isBlank(part.text);
}
//# sourceMappingURL=arrange.js.map