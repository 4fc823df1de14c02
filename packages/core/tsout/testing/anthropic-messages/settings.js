import fc from "fast-check";
import { objectSchema } from "../json.js";
import { few, mostly, oneWord, shape, typed, weighted } from "../shape.js";
import { arbitraryText, count, number, plainText } from "../text.js";
import { cacheControl, nullOr } from "./content.js";
const format = typed("json_schema", { schema: objectSchema });
const display = { display: nullOr(oneWord("summarized", "omitted", "updates")) };
const binding = { block_binding: shape({ prefix_mismatch_behavior: oneWord("error", "drop_block") }) };
/** The fields of a request beside messages and tools. Sampling belongs to version 2023-06-01, the last group to betas. */
export const settingFields = {
    cache_control: nullOr(cacheControl),
    container: nullOr(mostly(plainText, shape({}, { id: nullOr(plainText) }))),
    diagnostics: nullOr(shape({}, { previous_message_id: nullOr(plainText) }, 1)),
    inference_geo: nullOr(plainText),
    metadata: shape({}, { user_id: nullOr(arbitraryText()) }, 1),
    output_config: shape({}, {
        effort: nullOr(oneWord("low", "medium", "high", "xhigh", "max")),
        format: nullOr(format),
        task_budget: nullOr(typed("tokens", { total: count })),
    }, 1),
    service_tier: oneWord("auto", "standard_only"),
    speed: nullOr(oneWord("standard", "fast")),
    stop_sequences: fc.array(arbitraryText(), { maxLength: 5 }),
    stream: fc.boolean(),
    thinking: weighted([1, typed("enabled", { budget_tokens: count }, { ...display, ...binding })], [1, typed("adaptive", {}, { ...display, ...binding })], [1, typed("disabled")], [1, typed("between_tools")]),
    user_profile_id: plainText,
    workspace_id: plainText,
    temperature: number,
    top_p: number,
    top_k: count,
    output_format: nullOr(format),
    context_management: nullOr(shape({ edits: few(typed("clear_thinking_20251015", { keep: oneWord("all") }), 1) })),
    mcp_servers: few(typed("url", { name: plainText, url: oneWord("https://example.com/mcp") }), 1),
    betas: few(oneWord("compact-2026-01-12"), 1),
    fallbacks: nullOr(mostly(few(shape({ model: plainText }), 1), oneWord("default"))),
    thread: nullOr(typed("create")),
    compaction: nullOr(typed("summarize")),
};
//# sourceMappingURL=settings.js.map