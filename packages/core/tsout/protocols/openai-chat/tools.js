import { asFunction } from "../../codec/custom-tool.js";
import { sendToolName } from "../../codec/identity/names.js";
import { createLedger, expectObject, keepOdd, keepUnknown, readBoolean, readString, spell, wireField, wireOf, } from "../../codec/ledger.js";
import { formOf, restore } from "../../codec/restore.js";
import { isJsonObject } from "../../ir/index.js";
import { lose } from "../../loss/index.js";
import { decodeMark, encodeMark } from "./parts/cache.js";
import { restoreInForm } from "./parts/free-text.js";
import { customKeys, functionKeys, toolKeys } from "./wire.js";
const protocol = "openai-chat";
/** One entry of `tools`. Entries of other types are tools that the server defines. */
export function decodeTool(value, pointer, reader) {
    const entry = expectObject(value, pointer, "a tool");
    const tool = readTool(entry) ?? serverTool(entry);
    reader.trace.pointers.set(tool, pointer);
    return tool;
}
function serverTool(entry) {
    const { type } = entry;
    return { type: "server", protocol, ...(typeof type === "string" && { name: type }), value: entry };
}
function readTool(entry) {
    const { type, function: inner, custom } = entry;
    const ledger = createLedger(protocol);
    keepUnknown(ledger, entry, toolKeys);
    const spare = type === "custom" ? "function" : "custom";
    if (entry[spare] !== undefined)
        keepOdd(ledger, spare, entry[spare]);
    if (type === "custom" && isJsonObject(custom))
        return readCustom(entry, custom, ledger);
    if ((type !== "function" && type !== undefined) || !isJsonObject(inner) || typeof inner["name"] !== "string")
        return undefined;
    if (type === undefined)
        spell(ledger, "type", "omitted");
    return readFunction(entry, inner, ledger, "function/");
}
function readFunction(entry, inner, ledger, prefix) {
    keepUnknown(ledger, inner, functionKeys, prefix);
    const description = readString(ledger, inner, "description", prefix);
    const { parameters, strict: stated } = inner;
    if (!isJsonObject(parameters))
        keepOdd(ledger, "parameters", parameters, prefix);
    if (stated === null)
        spell(ledger, `${prefix}strict`, null);
    const strict = stated === null ? undefined : readBoolean(ledger, inner, "strict", prefix);
    const cacheBreakpoint = decodeMark(ledger, entry);
    const wire = wireOf(ledger);
    const tool = { type: "function", name: inner["name"] };
    if (description !== undefined)
        tool.description = description;
    if (isJsonObject(parameters))
        tool.parameters = parameters;
    if (strict !== undefined)
        tool.strict = strict;
    if (cacheBreakpoint !== undefined)
        tool.cacheBreakpoint = cacheBreakpoint;
    if (wire !== undefined)
        tool.wire = wire;
    return tool;
}
/** An entry of the deprecated `functions`: the inner object alone. */
export function decodeFunction(value, pointer, reader) {
    const entry = expectObject(value, pointer, "a function");
    const ledger = createLedger(protocol);
    spell(ledger, "functions", true);
    const tool = typeof entry["name"] === "string"
        ? readFunction({}, entry, ledger, "")
        : { ...serverTool(entry), ...wireField(ledger) };
    reader.trace.pointers.set(tool, pointer);
    return tool;
}
function readCustom(entry, custom, ledger) {
    const { name, format } = custom;
    if (typeof name !== "string")
        return undefined;
    keepUnknown(ledger, custom, customKeys, "custom/");
    const description = readString(ledger, custom, "description", "custom/");
    const read = isJsonObject(format) ? readFormat(format) : undefined;
    if (read === undefined)
        keepOdd(ledger, "format", format, "custom/");
    const cacheBreakpoint = decodeMark(ledger, entry);
    return {
        type: "custom",
        name,
        ...(description !== undefined && { description }),
        ...(read !== undefined && { format: read }),
        ...(cacheBreakpoint !== undefined && { cacheBreakpoint }),
        ...wireField(ledger),
    };
}
function readFormat(format) {
    if (format["type"] === "text" && Object.keys(format).length === 1)
        return { type: "text" };
    const { grammar } = format;
    if (format["type"] !== "grammar" ||
        !isJsonObject(grammar) ||
        Object.keys(format).length !== 2 ||
        Object.keys(grammar).length !== 2)
        return undefined;
    const { syntax, definition } = grammar;
    return typeof syntax === "string" && typeof definition === "string"
        ? { type: "grammar", syntax, definition }
        : undefined;
}
/** The declarations of one tool; a namespace gives several, a hosted tool of another service none. */
export function encodeTool(tool, writer) {
    switch (tool.type) {
        case "function":
            return [encodeFunction(tool, tool.name, writer)];
        case "custom":
            return [encodeCustom(tool, tool.name, writer)];
        case "namespace":
            return encodeNamespace(tool, writer);
        case "server":
            if (tool.protocol === protocol) {
                writer.link?.(tool, tool.value);
                return [tool.value];
            }
            lose(writer.report, "tool.server", tool, "", { values: { from: tool.protocol } });
            return [];
    }
}
function encodeFunction(tool, name, writer) {
    const inner = { name: sendToolName(writer.names, name, tool) };
    if (tool.description !== undefined)
        inner["description"] = tool.description;
    if (tool.parameters !== undefined)
        inner["parameters"] = tool.parameters;
    if (tool.strict !== undefined) {
        if (writer.target.strictTools)
            inner["strict"] = tool.strict;
        else
            lose(writer.report, "tool.strict", tool, "strict");
    }
    reportFields(tool, writer);
    if (formOf(tool.wire, protocol, "functions") === true) {
        restore(inner, tool.wire, protocol);
        writer.link?.(tool, inner);
        return inner;
    }
    const object = { function: inner };
    if (formOf(tool.wire, protocol, "type") !== "omitted")
        object["type"] = "function";
    finishMark(object, tool, writer);
    restore(object, tool.wire, protocol);
    writer.link?.(tool, object);
    return object;
}
/** OpenAI takes no mark on a tool; servers with Anthropic's marks do. */
function finishMark(object, tool, writer) {
    const takes = writer.target.marks === "cache_control" || (writer.faithful && writer.target.cacheMarks === undefined);
    encodeMark(takes ? object : undefined, tool, writer);
}
function reportFields(tool, writer) {
    const report = (field, name) => lose(writer.report, "tool.field", tool, field, { values: { field: name } });
    if (tool.deferLoading !== undefined)
        report("deferLoading", "deferred loading");
    if (tool.allowedCallers !== undefined)
        report("allowedCallers", "list of callers");
    if (tool.inputExamples !== undefined)
        report("inputExamples", "input examples");
    if (tool.outputSchema !== undefined)
        report("outputSchema", "output schema");
}
function encodeCustom(tool, name, writer) {
    if (!writer.target.customTools)
        return encodeAsFunction(tool, name, writer);
    const custom = { name: sendToolName(writer.names, name, tool) };
    if (tool.description !== undefined)
        custom["description"] = tool.description;
    if (tool.format?.type === "text")
        custom["format"] = { type: "text" };
    else if (tool.format !== undefined) {
        custom["format"] = { type: "grammar", grammar: { syntax: tool.format.syntax, definition: tool.format.definition } };
    }
    const object = { type: "custom", custom: custom };
    finishMark(object, tool, writer);
    restore(object, tool.wire, protocol);
    writer.link?.(tool, object);
    return object;
}
function encodeAsFunction(tool, name, writer) {
    lose(writer.report, "tool.custom", tool, "type");
    writer.customTools.add(name);
    const object = {
        type: "function",
        function: { name: sendToolName(writer.names, name, tool), ...asFunction(tool) },
    };
    finishMark(object, tool, writer);
    restoreInForm(object, tool, "function", writer);
    writer.link?.(tool, object);
    return object;
}
function encodeNamespace(namespace, writer) {
    lose(writer.report, "tool.namespace", namespace, "type");
    return namespace.tools.map((tool) => {
        const name = `${namespace.name}__${tool.name}`;
        return tool.type === "function" ? encodeFunction(tool, name, writer) : encodeCustom(tool, name, writer);
    });
}
//# sourceMappingURL=tools.js.map