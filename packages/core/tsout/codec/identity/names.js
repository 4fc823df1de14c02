import { lose } from "../../loss/index.js";
import { acceptableIdentifier, isAcceptable } from "./identifiers.js";
export function createNames(protocol, tools, calls, report) {
    return {
        protocol,
        tools,
        calls,
        report,
        toolNames: new Map(),
        ownNames: new Map(),
        callIds: new Map(),
        restored: new Set(),
    };
}
/** The name of a tool as the target accepts it. Two tools never share one: a client may call a tool as another's name would become. */
export function sendToolName(names, name, node, field = "name") {
    let sent = names.toolNames.get(name);
    if (sent === undefined) {
        sent = isAcceptable(name, names.tools) ? name : acceptableIdentifier(name, names.tools);
        for (let salt = 1; names.ownNames.has(sent) && salt < 9; salt++)
            sent = acceptableIdentifier(name, names.tools, `${salt}\n`);
        names.toolNames.set(name, sent);
        names.ownNames.set(sent, name);
    }
    if (sent !== name)
        lose(names.report, "tool.name", node, field, { replacement: sent });
    return sent;
}
/** The id of a call as the target accepts it; the issuer gets its own spelling back. */
export function sendCallId(names, id, state, node) {
    const own = state?.find((item) => item.kind === "callId" && item.protocol === names.protocol)?.value;
    if (typeof own === "string" && isAcceptable(own, names.calls)) {
        names.callIds.set(id, own);
        names.restored.add(id);
        return own;
    }
    const sent = isAcceptable(id, names.calls) ? id : acceptableIdentifier(id, names.calls);
    if (sent !== id) {
        lose(names.report, "tool.id", node, "id", { replacement: sent });
        names.callIds.set(id, sent);
    }
    else
        names.callIds.delete(id);
    return sent;
}
/** The id under which the call of a result was sent; `node` is absent for a made-up result, whose id was nowhere before. */
export function sentCallId(names, id, node) {
    let sent = names.callIds.get(id);
    if (sent === undefined) {
        sent = isAcceptable(id, names.calls) ? id : acceptableIdentifier(id, names.calls);
        if (sent !== id)
            names.callIds.set(id, sent);
    }
    if (sent !== id && node !== undefined && !names.restored.has(id))
        lose(names.report, "tool.id", node, "toolCallId", { replacement: sent });
    return sent;
}
/** The entries of a map that changed, from what was sent to what it stood for; undefined where nothing did. */
export function changedNames(map) {
    let changed;
    map.forEach((sent, original) => {
        if (original === sent)
            return;
        changed ??= Object.create(null);
        changed[sent] = original;
    });
    return changed === undefined ? undefined : { ...changed };
}
//# sourceMappingURL=names.js.map