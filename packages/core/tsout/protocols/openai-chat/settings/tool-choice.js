import { form, report } from "./writer.js";
/** Which tools the model may or must call. */
export function encodeToolChoice(choice, writer) {
    const { mode, names, subset, custom } = choice;
    const sent = names?.map((name) => writer.names.toolNames.get(name) ?? name);
    const only = sent?.[0];
    const declared = writer.body["tools"] !== undefined || writer.body["functions"] !== undefined;
    if (!writer.faithful && !declared) {
        // Chat refuses a choice without tools, even that of none.
        report(writer, mode === "required" ? "tool_choice.unknown" : "tool_choice.idle", "toolChoice");
        return;
    }
    if (!writer.faithful && names !== undefined && !names.every((name) => writer.declared.has(name))) {
        report(writer, "tool_choice.unknown", "toolChoice/names");
        return;
    }
    if (form(writer, "toolChoice") === "function_call" &&
        subset !== true &&
        (only !== undefined || mode !== "required")) {
        writer.body["function_call"] = only !== undefined ? { name: only } : mode;
        return;
    }
    if (sent === undefined || (only === undefined && subset !== true) || mode === "none")
        writer.body["tool_choice"] = mode;
    else if (subset === true || sent.length > 1) {
        writer.body["tool_choice"] = {
            type: "allowed_tools",
            allowed_tools: {
                mode: mode === "required" ? "required" : "auto",
                tools: sent.map((name) => ({ type: "function", function: { name } })),
            },
        };
    }
    else {
        const type = custom === true && writer.target.customTools ? "custom" : "function";
        const untyped = form(writer, "tool_choice/type") === "absent";
        writer.body["tool_choice"] = { ...(!untyped && { type }), [type]: { name: only } };
    }
}
//# sourceMappingURL=tool-choice.js.map