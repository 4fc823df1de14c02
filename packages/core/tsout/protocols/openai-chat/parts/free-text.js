import { restore } from "../../../codec/restore.js";
import { loseResidue } from "../../../loss/index.js";
const protocol = "openai-chat";
/**
 * Restores the residue of a tool or call that is written in the other form than its own, a free-text one as a function or the other way round.
 * What stood inside of the object that the other form does not have is reported.
 */
export function restoreInForm(object, node, written, writer) {
    const own = written === "function" ? "custom/" : "function/";
    const { protocol: from, rest = {} } = node.wire ?? {};
    const lost = from === protocol ? Object.keys(rest).filter((key) => key === written || key.startsWith(own)) : [];
    restore(object, node.wire, protocol, lost);
    loseResidue(writer.report, node, rest, lost);
}
//# sourceMappingURL=free-text.js.map