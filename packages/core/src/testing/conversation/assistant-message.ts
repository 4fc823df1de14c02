import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { AssistantMessage, Part, Usage } from "../../ir/index.ts";
import { arbitraryJson } from "../json.ts";
import { few, maybe, mostly, oneWord, shape } from "../shape.ts";
import { arbitraryText, callId, count, identifier, plainText } from "../text.ts";
import { modelParts, openCall } from "./parts.ts";
import { protocolId } from "./text.ts";

/** Counts in disjoint buckets; now and then with a total that contradicts them, or with buckets that nobody reported. */
const usage: Arbitrary<Usage> = fc
  .tuple(
    shape<Usage>(
      { input: count, output: count, cacheRead: count, cacheWrite: count },
      {
        reasoning: count,
        toolPrompt: count,
        cacheWriteByTtl: shape({}, { "5m": count, "1h": count, "30m": count }, 1),
        unreported: fc.subarray(["input", "output", "cacheRead", "cacheWrite", "totalTokens"] as const),
      },
    ),
    maybe(count, 9),
  )
  .map(([buckets, total]) => ({
    ...buckets,
    totalTokens: total ?? buckets.input + buckets.output + buckets.cacheRead + buckets.cacheWrite,
  }));

const content: Arbitrary<readonly Part[]> = fc
  .tuple(modelParts, few(fc.tuple(openCall, callId), 3, 0), modelParts)
  .map(([before, calls, after]) => [
    ...before,
    ...calls.map(([call, id], index) => ({ ...call, id: `${id}${index}` }) as Part),
    ...after,
  ]);

const stopReasons = oneWord("stop", "toolUse", "length", "error", "pending", "aborted", "deferred");
const stopDetails = oneWord(
  "stopSequence",
  "pause",
  "refusal",
  "contentFilter",
  "contextOverflow",
  "compaction",
  "malformedToolCall",
  "unknown",
);

const answer: Arbitrary<AssistantMessage> = shape<AssistantMessage>(
  {
    role: oneWord("assistant"),
    content,
    api: protocolId,
    provider: oneWord("openai", "anthropic", "unknown"),
    model: oneWord("m", "claude-opus-4-8"),
    usage,
    stopReason: stopReasons,
    timestamp: mostly(fc.nat(), fc.constant(0)),
  },
  {
    stopDetail: stopDetails,
    stopSequence: arbitraryText(),
    rawStopReason: oneWord("stop", "end_turn", "constructor"),
    responseModel: plainText,
    responseId: identifier,
    name: plainText,
    thinkingLevel: oneWord("high"),
    providerThinkingLevel: oneWord("high"),
    errorMessage: plainText,
    error: arbitraryJson(),
  },
  3,
);

const message: Arbitrary<AssistantMessage> = fc
  .tuple(answer, maybe(few(answer, 2), 7))
  .map(([first, alternatives]) => (alternatives === undefined ? first : { ...first, alternatives }));

/** Answers as an application makes them, without wire: every part, every reason to stop, contradicting counts, further candidates. */
export function arbitraryAssistantMessage(): Arbitrary<AssistantMessage> {
  return message;
}
