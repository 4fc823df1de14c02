import type { RedundancyRule } from "../../codec/protocol.ts";
import { echoKeys } from "./wire.ts";

const isEcho = "an echo of the request, or a sum of the rest: the client knows what it asked for";

/** What a declaration of a tool at `path` may lack. */
function toolRules(path: string): RedundancyRule[] {
  const rule = { operation: "request", covers: "removal" } as const;
  return [
    { ...rule, path: `${path}/strict`, values: [false, null], reason: "what is not enforced is as usual" },
    { ...rule, path: `${path}/parameters`, values: [null], reason: "null means absent" },
    { ...rule, path: `${path}/description`, values: [""], reason: "an empty text is no text" },
  ];
}

/** Events that end a part of an item. */
const partEnds: readonly string[] = [
  "response.content_part.done",
  "response.output_text.done",
  "response.refusal.done",
  "response.reasoning_text.done",
  "response.reasoning.done",
  "response.reasoning_summary_text.done",
  "response.reasoning_summary_part.done",
  "response.function_call_arguments.done",
  "response.custom_tool_call_input.done",
];

/** What of a Responses body may change or go without a trace: constants, links, stated defaults, absence in other words. */
export const redundancy: readonly RedundancyRule[] = [
  {
    operation: "request",
    path: "/input/*/call_id",
    covers: "always",
    reason: "call ids join call and result; only their identity counts",
  },
  {
    operation: "request",
    path: "/input/*/id",
    covers: "always",
    reason: "the id of a stored item: the service gives its own",
  },
  {
    operation: "request",
    path: "/input/*/type",
    covers: "removal",
    values: ["message"],
    reason: "an item with a role is a message",
  },
  {
    operation: "request",
    path: "/input/*/status",
    covers: "always",
    values: ["completed"],
    reason: "a completed item is complete",
  },
  {
    operation: "request",
    path: "/*",
    covers: "removal",
    values: [null, [], {}],
    reason: "null or an empty container at the top level means absent",
  },
  {
    operation: "request",
    path: "/stream_options/**",
    covers: "always",
    reason: "acts on the stream that the client gets, not on the upstream request",
  },
  ...["summary", "content"].map(
    (key): RedundancyRule => ({
      operation: "request",
      path: `/input/*/${key}`,
      covers: "removal",
      values: [[]],
      reason: "no texts of reasoning, or no content",
    }),
  ),
  {
    operation: "request",
    path: "/input/*/arguments",
    covers: "removal",
    values: ["{}", ""],
    reason: "no arguments is {}",
  },
  ...["/tools/*", "/tools/*/tools/*", "/input/*/tools/*", "/input/*/tools/*/tools/*"].flatMap(toolRules),
  {
    operation: "request",
    path: "/instructions",
    covers: "removal",
    values: [""],
    reason: "an empty text is no text",
  },
  {
    operation: "request",
    path: "/text/format/type",
    covers: "removal",
    values: ["text"],
    reason: "the documented default",
  },
  {
    operation: "request",
    path: "/text/format/strict",
    covers: "removal",
    values: [false, null],
    reason: "the documented default",
  },
  ...(["reasoning", "text", "prompt_cache_options"] as const).map(
    (key): RedundancyRule => ({
      operation: "request",
      path: `/${key}/*`,
      covers: "removal",
      values: [null, [], {}],
      reason: "null or an empty container means absent",
    }),
  ),
  ...["content", "output"].map(
    (place): RedundancyRule => ({
      operation: "request",
      path: `/input/*/${place}/*/detail`,
      covers: "removal",
      values: ["auto"],
      reason: "the documented default",
    }),
  ),
  {
    operation: "request",
    path: "/parallel_tool_calls",
    covers: "removal",
    values: [true],
    reason: "the documented default",
  },
  { operation: "request", path: "/stream", covers: "removal", values: [false], reason: "the documented default" },
  { operation: "request", path: "/tool_choice", covers: "removal", values: ["auto"], reason: "the documented default" },
  { operation: "response", path: "/object", covers: "always", reason: "protocol constant" },
  {
    operation: "response",
    path: "/created_at",
    covers: "removal",
    values: [0],
    reason: "zero is no time of an answer",
  },
  {
    operation: "response",
    path: "/output/*/role",
    covers: "always",
    values: ["assistant"],
    reason: "protocol constant",
  },
  { operation: "response", path: "/output/*/id", covers: "always", reason: "ids of items: their value is free" },
  { operation: "response", path: "/output/*/call_id", covers: "always", reason: "call ids: their value is free" },
  {
    operation: "response",
    path: "/output/*/status",
    covers: "always",
    values: ["completed"],
    reason: "a completed item is complete",
  },
  { operation: "response", path: "/usage/total_tokens", covers: "always", reason: "the sum of the other counts" },
  ...Object.keys(echoKeys).map(
    (key): RedundancyRule => ({ operation: "response", path: `/${key}/**`, covers: "always", reason: isEcho }),
  ),
  {
    operation: "response",
    path: "/**",
    covers: "always",
    values: [null, [], {}],
    reason: "null and empty containers mean absent",
  },
  { operation: "stream", path: "/events/*/type", covers: "always", reason: "the name of the event" },
  ...["item/content/*", "response/output/*", "response/output/*/content/*", "response/output/*/summary/*"].map(
    (inner): RedundancyRule => ({
      operation: "stream",
      path: `/events/*/${inner}/type`,
      covers: "always",
      reason: "the pieces said what it is",
    }),
  ),
  ...["id", "call_id"].map(
    (key): RedundancyRule => ({
      operation: "stream",
      path: `/events/*/response/output/*/${key}`,
      covers: "always",
      reason: "ids of items and calls: their value is free",
    }),
  ),
  { operation: "stream", path: "/events/*/sequence_number", covers: "always", reason: "a counter" },
  { operation: "stream", path: "/events/*/obfuscation", covers: "always", reason: "padding" },
  ...(["item_id", "output_index", "content_index", "summary_index", "annotation_index"] as const).map(
    (key): RedundancyRule => ({
      operation: "stream",
      path: `/events/*/${key}`,
      covers: "always",
      reason: "links events to items",
    }),
  ),
  { operation: "stream", path: "/events/*/item/id", covers: "always", reason: "ids of items: their value is free" },
  { operation: "stream", path: "/events/*/item/call_id", covers: "always", reason: "call ids: their value is free" },
  {
    operation: "stream",
    path: "/events/*/item/role",
    covers: "always",
    values: ["assistant"],
    reason: "protocol constant",
  },
  {
    operation: "stream",
    path: "/events/*/item/status",
    covers: "always",
    values: ["in_progress", "completed"],
    reason: "an item is open until it ends",
  },
  { operation: "stream", path: "/events/*/response/object", covers: "always", reason: "protocol constant" },
  {
    operation: "stream",
    path: "/events/*/response/usage/total_tokens",
    covers: "always",
    reason: "the sum of the other counts",
  },
  ...Object.keys(echoKeys).map(
    (key): RedundancyRule => ({
      operation: "stream",
      path: `/events/*/response/${key}/**`,
      covers: "always",
      reason: isEcho,
    }),
  ),
  {
    operation: "stream",
    path: "/events/*/response/output/**",
    covers: "removal",
    events: ["response.completed", "response.incomplete", "response.failed"],
    reason: "the last snapshot says again what the items said",
  },
  ...["text", "refusal", "name", "call_id", "arguments", "input", "code", "part/**"].map(
    (key): RedundancyRule => ({
      operation: "stream",
      path: `/events/*/${key}`,
      covers: "always",
      events: partEnds,
      reason: "the end of a part says again what its pieces said",
    }),
  ),
  ...["type", "name", "namespace", "phase", "arguments", "input", "content/**", "summary/**"].map(
    (key): RedundancyRule => ({
      operation: "stream",
      path: `/events/*/item/${key}`,
      covers: "always",
      events: ["response.output_item.done"],
      reason: "the end of an item says again what its pieces said",
    }),
  ),
  {
    operation: "stream",
    path: "/events/*/**",
    covers: "always",
    when: "repeated",
    reason: "ends and snapshots say again what the pieces said",
  },
  {
    operation: "stream",
    path: "/events/*/response/**",
    covers: "always",
    when: "superseded",
    reason: "a later snapshot counts",
  },
  {
    operation: "stream",
    path: "/events/**",
    covers: "always",
    values: [null, "", [], {}],
    reason: "null and empty values of a frame mean absent",
  },
];
