import type { RedundancyRule } from "../../codec/protocol.ts";
import type { Json } from "../../ir/index.ts";

const empty: readonly Json[] = [null, [], {}];

/** What of a generateContent body may change or go without a trace: constants, links, stated defaults, absence in other words. */
export const redundancy: readonly RedundancyRule[] = [
  ...["functionCall/id", "functionResponse/id", "function_call/id", "function_response/id"].map(
    (place): RedundancyRule => ({
      operation: "request",
      path: `/contents/*/parts/*/${place}`,
      covers: "always",
      reason: "call ids join call and result; only their identity counts",
    }),
  ),
  {
    operation: "request",
    path: "/*",
    covers: "removal",
    values: empty,
    reason: "null or an empty container at the top level means absent",
  },
  {
    operation: "request",
    path: "/generationConfig/**",
    covers: "removal",
    values: empty,
    reason: "null or an empty container means absent",
  },
  {
    operation: "request",
    path: "/toolConfig/**",
    covers: "removal",
    values: empty,
    reason: "null or an empty container means absent",
  },
  ...["/contents", "/candidates/*/content"].flatMap((place) =>
    ["thoughtSignature", "thought_signature"].map(
      (key): RedundancyRule => ({
        operation: place === "/contents" ? "request" : "response",
        path: place === "/contents" ? `/contents/*/parts/*/${key}` : `${place}/parts/*/${key}`,
        covers: "removal",
        values: [""],
        reason: "an empty text is no signature",
      }),
    ),
  ),
  {
    operation: "request",
    path: "/contents/*/parts/*/text",
    covers: "removal",
    values: [""],
    reason: "an empty text is no text",
  },
  {
    operation: "response",
    path: "/candidates/*/content/parts/*/text",
    covers: "removal",
    values: [""],
    reason: "an empty text is no text",
  },
  ...["functionResponse/name", "function_response/name"].map(
    (place): RedundancyRule => ({
      operation: "request",
      path: `/contents/*/parts/*/${place}`,
      covers: "always",
      reason: "joins call and result, as the call says it",
    }),
  ),
  ...["/tools", "/generationConfig/responseSchema"].map(
    (place): RedundancyRule => ({
      operation: "request",
      path: `${place}/**/nullable`,
      covers: "removal",
      values: [false],
      reason: "the documented default",
    }),
  ),
  {
    operation: "request",
    path: "/generationConfig/responseMimeType",
    covers: "removal",
    values: ["text/plain", "application/json"],
    reason: "the documented default, or what a schema beside it says",
  },
  {
    operation: "request",
    path: "/systemInstruction/role",
    covers: "always",
    reason: "the role of a system instruction means nothing",
  },
  {
    operation: "request",
    path: "/system_instruction/role",
    covers: "always",
    reason: "the role of a system instruction means nothing",
  },
  {
    operation: "request",
    path: "/contents/*/role",
    covers: "removal",
    values: ["user", "function"],
    reason: "an absent role is that of the user",
  },
  {
    operation: "request",
    path: "/contents/*/parts/*/functionCall/args",
    covers: "removal",
    values: [null, {}],
    reason: "no arguments are {}",
  },
  {
    operation: "request",
    path: "/contents/*/parts/*/thought",
    covers: "removal",
    values: [false],
    reason: "the documented default",
  },
  {
    operation: "request",
    path: "/tools/*/functionDeclarations/*/description",
    covers: "removal",
    values: [""],
    reason: "an empty text is no text",
  },
  {
    operation: "request",
    path: "/generationConfig/responseLogprobs",
    covers: "removal",
    values: [false],
    reason: "the documented default",
  },
  {
    operation: "request",
    path: "/generationConfig/candidateCount",
    covers: "removal",
    values: [1],
    reason: "the documented default",
  },
  {
    operation: "request",
    path: "/toolConfig/functionCallingConfig/mode",
    covers: "removal",
    values: ["AUTO", "VALIDATED"],
    reason: "the documented default; among some functions the mode that chooses freely",
  },
  {
    operation: "response",
    path: "/usageMetadata/totalTokenCount",
    covers: "always",
    reason: "the sum of the other counts",
  },
  {
    operation: "stream",
    path: "/events/*/usageMetadata/totalTokenCount",
    covers: "always",
    reason: "the sum of the other counts",
  },
  {
    operation: "response",
    path: "/candidates/*/groundingMetadata/groundingSupports/*/segment/startIndex",
    covers: "removal",
    values: [0],
    reason: "a segment begins at the start unless it says otherwise",
  },
  { operation: "response", path: "/candidates/*/content/role", covers: "always", reason: "protocol constant" },
  { operation: "response", path: "/candidates/*/index", covers: "always", reason: "the place in the list says it" },
  {
    operation: "response",
    path: "/candidates/*/content/parts/*/functionCall/id",
    covers: "always",
    reason: "call ids: their value is free",
  },
  {
    operation: "response",
    path: "/**",
    covers: "always",
    values: empty,
    reason: "null and empty containers mean absent",
  },
  {
    operation: "stream",
    path: "/events/*/candidates/*/content/role",
    covers: "always",
    reason: "protocol constant",
  },
  { operation: "stream", path: "/events/*/candidates/*/index", covers: "always", reason: "links parts to candidates" },
  {
    operation: "stream",
    path: "/events/*/candidates/*/content/parts/*/functionCall/id",
    covers: "always",
    reason: "call ids: their value is free",
  },
  ...["modelVersion", "responseId", "createTime"].map(
    (key): RedundancyRule => ({
      operation: "stream",
      path: `/events/*/${key}`,
      covers: "always",
      when: "repeated",
      reason: "each chunk says it again",
    }),
  ),
  {
    operation: "stream",
    path: "/events/*/usageMetadata/**",
    covers: "always",
    when: "superseded",
    reason: "running totals",
  },
  {
    operation: "stream",
    path: "/events/*/usageMetadata/**",
    covers: "removal",
    when: "repeated",
    reason: "running totals",
  },
  {
    operation: "stream",
    path: "/events/**",
    covers: "always",
    values: [null, "", [], {}],
    reason: "null and empty values of a chunk mean absent",
  },
];
