import { createExchange } from "../../codec/exchange.js";
import { createCallIds } from "../../codec/identity/call-ids.js";
import { identifierRule } from "../../codec/identity/identifiers.js";
import { createNames } from "../../codec/identity/names.js";
import { createLedger, expectArray, expectObject, keepOdd, keepUnknown, plainWire, spell, wireOf, } from "../../codec/ledger.js";
import { formOf, restore } from "../../codec/restore.js";
import { reportToolChanges, withoutNamesakes } from "../../codec/tool-changes.js";
import { EncodeError } from "../../errors/index.js";
import { createReport, createTrace, sweepForeign } from "../../loss/index.js";
import { replayTools } from "../../transcript/index.js";
import { fieldPointer } from "./fields.js";
import { decodeMessages } from "./messages/decode.js";
import { encodeMessages } from "./messages/encode.js";
import { resolveProfile } from "./profile.js";
import { decodeSettings, staleKeys } from "./settings/decode.js";
import { encodeSettings } from "./settings/encode.js";
import { orphanedResidue } from "./settings/residue.js";
import { decodeFunction, decodeTool, encodeTool } from "./tools.js";
import { requestKeys } from "./wire.js";
const protocol = "openai-chat";
export function decodeRequest(wire, source = {}) {
    const body = expectObject(wire.body, "", "a Chat Completions request");
    const trace = createTrace(fieldPointer);
    const reader = {
        trace,
        provider: source.provider,
        losses: [],
        callIds: createCallIds(protocol),
        functionCalls: new Map(),
        response: false,
    };
    const ledger = createLedger(protocol, "form");
    keepUnknown(ledger, body, requestKeys);
    const decoded = decodeMessages(body["messages"], reader);
    const tools = decodeTools(body, ledger, reader);
    const messages = tools.length > 0 ? withTools(decoded, tools, reader) : decoded;
    const settings = decodeSettings(body, ledger);
    const value = { messages, settings, wire: wireOf(ledger) ?? plainWire(protocol) };
    trace.pointers.set(value, "");
    trace.pointers.set(settings, "");
    const spelled = spelledSettings(settings, value.wire?.form);
    return { value, losses: reader.losses, trace: { ...trace, fieldPointer: spelled } };
}
/** Settings that have a current and a deprecated key; the form says which of them the client used. */
const twoKeys = new Set(["toolChoice", "toolChoice/names", "maxTokens", "userId"]);
/** Where a field stands in this body: a loss must not name the key that the client did not use. */
function spelledSettings(settings, form = {}) {
    return (node, field, base) => {
        const key = node === settings && twoKeys.has(field) ? form[field.split("/")[0] ?? field] : undefined;
        return typeof key === "string" ? key : fieldPointer(node, field, base);
    };
}
function decodeTools(body, ledger, reader) {
    const { tools, functions } = body;
    const list = Array.isArray(tools) && tools.length > 0 ? tools : undefined;
    if (list === undefined) {
        if (tools !== undefined && tools !== null && !Array.isArray(tools))
            expectArray(tools, "/tools", "tools");
        if (tools !== undefined)
            spell(ledger, "tools", tools);
    }
    const decoded = (list ?? []).map((tool, index) => decodeTool(tool, `/tools/${index}`, reader));
    if (!Array.isArray(functions) || functions.length === 0)
        keepOdd(ledger, "functions", functions);
    else
        decoded.push(...functions.map((tool, index) => decodeFunction(tool, `/functions/${index}`, reader)));
    return decoded;
}
/** Tools ride on the first message: the leading instruction, or a synthetic one without text. */
function withTools(messages, tools, reader) {
    const first = messages[0];
    if (first?.role !== "system")
        return [{ role: "system", authority: "system", content: [], toolsAdded: tools }, ...messages];
    const head = { ...first, toolsAdded: tools };
    reader.trace.pointers.set(head, "/messages/0");
    return [head, ...messages.slice(1)];
}
export function encodeRequest(conversation, profile = {}, options = {}) {
    const report = createReport();
    const faithful = conversation.wire?.protocol === protocol;
    const target = resolveProfile(profile, faithful);
    const writer = {
        target,
        faithful,
        response: false,
        report,
        names: createNames(protocol, identifierRule(64, faithful, target.toolNamePattern), identifierRule(64, faithful, target.toolCallIdPattern), report),
        customTools: new Set(),
        functionNames: new Map(),
        link: options.link,
    };
    sweepForeign(conversation, target, report);
    const body = {};
    const declared = encodeTools(conversation, body, writer);
    const messages = encodeMessages(conversation.messages, writer);
    if (messages.length === 0 && !faithful) {
        throw new EncodeError("/messages", `${protocol} needs at least one message, and nothing of the conversation gives one: add a user message`);
    }
    body["messages"] = messages;
    encodeSettings(conversation, body, writer, declared);
    const gone = [...staleKeys(conversation), ...orphanedResidue(conversation, body, writer)];
    restore(body, conversation.wire, protocol, gone);
    options.link?.(conversation, body);
    return {
        value: { body: body },
        losses: report.drafts,
        exchange: createExchange(conversation, protocol, profile, writer.names, writer.customTools),
    };
}
/** Chat declares tools with the request: those in force after all changes within the conversation. Gives their names. */
function encodeTools(conversation, body, writer) {
    const { messages } = conversation;
    const declared = replayTools(messages);
    reportToolChanges(messages, declared, writer.report);
    const names = new Set();
    const tools = [];
    const functions = [];
    for (const { tool } of writer.faithful ? declared : withoutNamesakes(declared, writer.report)) {
        const list = formOf(tool.wire, protocol, "functions") === true ? functions : tools;
        const encoded = encodeTool(tool, writer);
        if (tool.type === "function" || tool.type === "custom")
            names.add(tool.name);
        list.push(...encoded);
    }
    if (tools.length > 0)
        body["tools"] = tools;
    if (functions.length > 0)
        body["functions"] = functions;
    return names;
}
//# sourceMappingURL=request.js.map