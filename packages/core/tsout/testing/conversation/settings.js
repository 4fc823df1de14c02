import fc from "fast-check";
import { jsonObject, objectSchema } from "../json.js";
import { few, maybe, mostly, oneWord, shape, typed } from "../shape.js";
import { arbitraryText, count, number, objectKey, plainText } from "../text.js";
import { cacheBreakpoint } from "./text.js";
const responseFormat = mostly(typed("jsonSchema", { schema: objectSchema }, { name: plainText, description: plainText, strict: fc.boolean() }, 1), typed("text"), typed("json"));
/** Every setting but the choice among tools. Those that no target takes are rarer, so that the others are seen. */
const fields = {
    model: oneWord("claude-opus-4-8", "gpt-5.6", "other"),
    stream: fc.boolean(),
    streamOptions: shape({}, { includeUsage: fc.boolean(), includeObfuscation: fc.boolean() }, 1),
    maxTokens: count,
    temperature: number,
    topP: number,
    topK: count,
    minP: number,
    stopSequences: fc.array(arbitraryText(), { maxLength: 6 }),
    seed: number,
    n: maybe(fc.constantFrom(1, 2), 2),
    presencePenalty: number,
    frequencyPenalty: number,
    logitBias: fc.dictionary(objectKey, number, { maxKeys: 2, noNullPrototype: true }),
    logprobs: fc.boolean(),
    topLogprobs: fc.nat(20),
    parallelToolCalls: fc.boolean(),
    reasoning: shape({}, {
        mode: oneWord("enabled", "disabled", "adaptive", "betweenTools"),
        effort: oneWord("minimal", "low", "medium", "high", "xhigh", "max"),
        budget: count,
        summary: oneWord("auto", "concise", "detailed"),
        display: oneWord("summarized", "omitted", "updates"),
        includeThoughts: fc.boolean(),
        context: oneWord("auto", "current_turn", "all_turns"),
    }, 1),
    responseFormat,
    serviceTier: oneWord("auto", "default", "flex"),
    speed: oneWord("standard", "fast"),
    metadata: jsonObject,
    userId: arbitraryText(),
    cache: shape({}, {
        mode: oneWord("automatic", "explicit"),
        breakpoint: cacheBreakpoint,
        key: plainText,
        retention: oneWord("24h"),
        ttl: oneWord("5m", "30m"),
    }, 1),
    store: fc.boolean(),
    previousResponseId: maybe(plainText, 4),
    modalities: maybe(few(oneWord("text", "audio"), 2, 0), 2),
    audio: jsonObject,
    verbosity: oneWord("low", "high"),
    prediction: jsonObject,
    webSearch: jsonObject,
    safety: jsonObject,
};
export const settings = shape({}, fields, 9);
//# sourceMappingURL=settings.js.map