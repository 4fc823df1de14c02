import { isStringArray, keep, keepOdd, keepUnknown, knownKeys, readBoolean, readNumber, readOneOf, readString, spell, } from "../../../codec/ledger.js";
import { isJsonObject } from "../../../ir/index.js";
import { decodeCacheControl } from "../parts/cache.js";
const outputConfigKeys = knownKeys("effort", "format");
const formatKeys = knownKeys("type", "schema");
const thinkingKeys = knownKeys("type", "budget_tokens", "display");
const toolChoiceKeys = knownKeys("type", "name", "disable_parallel_tool_use");
const metadataKeys = knownKeys("user_id");
const efforts = ["low", "medium", "high", "xhigh", "max"];
const displays = ["summarized", "omitted", "updates"];
/** Of thinking, in the order wire word, IR word. */
const modes = {
    enabled: "enabled",
    disabled: "disabled",
    adaptive: "adaptive",
    between_tools: "betweenTools",
};
/** Everything of a request beside messages, system and tools. */
export function decodeSettings(body, ledger) {
    const settings = {};
    const set = (key, value) => {
        if (value !== undefined)
            settings[key] = value;
    };
    set("model", readString(ledger, body, "model"));
    set("maxTokens", readNumber(ledger, body, "max_tokens"));
    set("stream", readBoolean(ledger, body, "stream"));
    set("temperature", readNumber(ledger, body, "temperature"));
    set("topP", readNumber(ledger, body, "top_p"));
    set("topK", readNumber(ledger, body, "top_k"));
    const stops = body["stop_sequences"];
    if (isStringArray(stops))
        settings.stopSequences = stops;
    else
        keepOdd(ledger, "stop_sequences", stops);
    set("serviceTier", readOneOf(ledger, body, "service_tier", ["auto", "standard_only"]) === "auto" ? "auto" : undefined);
    if (body["service_tier"] === "standard_only")
        settings.serviceTier = "default";
    set("speed", readOneOf(ledger, body, "speed", ["standard", "fast"]));
    const automatic = decodeCacheControl(ledger, body);
    if (automatic !== undefined)
        settings.cache = { mode: "automatic", breakpoint: automatic };
    decodeMetadata(body, ledger, settings);
    decodeToolChoice(body, ledger, settings);
    const reasoning = {};
    decodeOutputConfig(body, ledger, settings, reasoning);
    decodeThinking(body, ledger, reasoning);
    if (Object.keys(reasoning).length > 0)
        settings.reasoning = reasoning;
    return settings;
}
function decodeMetadata(body, ledger, settings) {
    const { metadata } = body;
    if (!isJsonObject(metadata)) {
        keepOdd(ledger, "metadata", metadata);
        return;
    }
    if (Object.keys(metadata).length === 0)
        spell(ledger, "metadata", {});
    keepUnknown(ledger, metadata, metadataKeys, "metadata/");
    const userId = readString(ledger, metadata, "user_id", "metadata/");
    if (userId !== undefined)
        settings.userId = userId;
}
function decodeToolChoice(body, ledger, settings) {
    const choice = body["tool_choice"];
    const decoded = isJsonObject(choice) ? readToolChoice(choice) : undefined;
    if (decoded === undefined || !isJsonObject(choice)) {
        keepOdd(ledger, "tool_choice", choice);
        return;
    }
    settings.toolChoice = decoded;
    keepUnknown(ledger, choice, toolChoiceKeys, "tool_choice/");
    if (choice["type"] !== "tool" && choice["name"] !== undefined)
        keep(ledger, "tool_choice/name", choice["name"]);
    const disabled = choice["disable_parallel_tool_use"];
    if (choice["type"] === "none" && disabled !== undefined)
        keep(ledger, "tool_choice/disable_parallel_tool_use", disabled);
    else if (typeof disabled === "boolean")
        settings.parallelToolCalls = !disabled;
    else
        keepOdd(ledger, "tool_choice/disable_parallel_tool_use", disabled);
}
function readToolChoice(choice) {
    switch (choice["type"]) {
        case "auto":
        case "none":
            return { mode: choice["type"] };
        case "any":
            return { mode: "required" };
        case "tool":
            return typeof choice["name"] === "string" ? { mode: "required", names: [choice["name"]] } : undefined;
        default:
            return undefined;
    }
}
function decodeOutputConfig(body, ledger, settings, reasoning) {
    const config = body["output_config"];
    if (isJsonObject(config)) {
        if (Object.keys(config).length === 0)
            spell(ledger, "output_config", {});
        keepUnknown(ledger, config, outputConfigKeys, "output_config/");
        const effort = readOneOf(ledger, config, "effort", efforts, "output_config/");
        if (effort !== undefined)
            reasoning.effort = effort;
        decodeFormat(config, "format", "output_config/format", ledger, settings);
    }
    else
        keepOdd(ledger, "output_config", config);
    if (body["output_format"] === undefined)
        return;
    if (settings.responseFormat !== undefined)
        keep(ledger, "output_format", body["output_format"]);
    else {
        decodeFormat(body, "output_format", "output_format", ledger, settings);
        if (settings.responseFormat !== undefined)
            spell(ledger, "format", "output_format");
    }
}
/** The older spelling that stood beside the current one of a setting that was taken away since: it goes with it. */
export function staleKeys({ settings, wire }) {
    const format = wire?.rest?.["output_format"];
    return settings.responseFormat?.type !== "jsonSchema" && isSchemaFormat(format) ? ["output_format"] : [];
}
function isSchemaFormat(format) {
    return isJsonObject(format) && format["type"] === "json_schema" && isJsonObject(format["schema"]);
}
function decodeFormat(source, key, pointer, ledger, settings) {
    const format = source[key];
    if (!isSchemaFormat(format)) {
        if (format !== undefined)
            keep(ledger, pointer, format);
        return;
    }
    keepUnknown(ledger, format, formatKeys, `${pointer}/`);
    settings.responseFormat = { type: "jsonSchema", schema: format.schema };
}
function decodeThinking(body, ledger, reasoning) {
    const { thinking } = body;
    const type = isJsonObject(thinking) ? thinking["type"] : undefined;
    const mode = typeof type === "string" && Object.hasOwn(modes, type) ? modes[type] : undefined;
    if (!isJsonObject(thinking) || mode === undefined) {
        keepOdd(ledger, "thinking", thinking);
        return;
    }
    reasoning.mode = mode;
    keepUnknown(ledger, thinking, thinkingKeys, "thinking/");
    const budget = readNumber(ledger, thinking, "budget_tokens", "thinking/");
    if (budget !== undefined && mode !== "enabled")
        keep(ledger, "thinking/budget_tokens", budget);
    else if (budget !== undefined)
        reasoning.budget = budget;
    const display = readOneOf(ledger, thinking, "display", displays, "thinking/");
    if (display !== undefined)
        reasoning.display = display;
}
//# sourceMappingURL=decode.js.map