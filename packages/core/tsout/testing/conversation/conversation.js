import fc from "fast-check";
import { getCurrentTools, toolName } from "../../transcript/index.js";
import { maybe, mostly, oneWord, pick, shape } from "../shape.js";
import { messages } from "./messages.js";
import { settings } from "./settings.js";
const choice = shape({
    mode: oneWord("auto", "required", "none"),
    kind: mostly(oneWord("any"), oneWord("one"), oneWord("subset"), oneWord("unknown")),
    index: fc.nat(9),
});
/** A choice among the tools in force. */
function writeChoice(list, { mode, kind, index }) {
    const tools = getCurrentTools(list);
    const tool = pick(tools, index);
    if (kind === "unknown")
        return { mode: "required", names: ["not_declared"] };
    if (kind === "subset")
        return { mode: mode === "none" ? "auto" : mode, names: tools.slice(index % 2).map(toolName), subset: true };
    if (kind === "any" || tool === undefined)
        return { mode };
    return { mode: "required", names: [toolName(tool)], ...(tool.type === "custom" && { custom: true }) };
}
const conversation = fc
    .tuple(messages, settings, maybe(choice))
    .map(([list, chosen, tool]) => ({
    messages: list,
    settings: { ...chosen, ...(tool !== undefined && { toolChoice: writeChoice(list, tool) }) },
}));
/**
 * Conversations as an application makes them, without wire: every role, part, tool and setting, several authorities and lifetimes, changes of
 * tools, calls with results in any order, missing, of nobody or given twice, state of every protocol, odd texts and arguments.
 */
export function arbitraryConversation() {
    return conversation;
}
//# sourceMappingURL=conversation.js.map