import type { Loss, Pointer, TraceEntry } from "@rolecall/core";
import { escapeSegment } from "@rolecall/core";
import type { Change } from "./differences.ts";

/** True where a pointer is the other or leads below it. */
function isWithin(pointer: Pointer, ancestor: Pointer): boolean {
  return ancestor === "" || pointer === ancestor || pointer.startsWith(`${ancestor}/`);
}

/** A loss with its place in the IR of the source; undefined where it has no source. */
export interface PlacedLoss {
  readonly code: string;
  readonly irPath: Pointer | undefined;
}

/** Losses of a conversion that started from the IR. */
export function placeLosses(losses: readonly Loss[]): PlacedLoss[] {
  return losses.map(({ code, irPath }) => ({ code, irPath }));
}

const nearest = (entries: readonly TraceEntry[], pointer: Pointer, key: "irPath" | "target"): TraceEntry | undefined =>
  entries
    .filter((entry) => entry[key] !== undefined && isWithin(pointer, entry[key]))
    .reduce<TraceEntry | undefined>(
      (best, entry) => ((best?.[key]?.length ?? -1) >= (entry[key]?.length ?? 0) ? best : entry),
      undefined,
    );

/** A conversion on a way through several protocols. */
export interface Leg {
  readonly losses: readonly Loss[];
  readonly trace: readonly TraceEntry[];
}

/** Losses of all legs of a way, mapped through the traces to the IR that its first leg started from. */
export function placeLossesOfWay(legs: readonly Leg[]): PlacedLoss[] {
  return legs.flatMap(({ losses }, leg) =>
    losses.map(({ code, irPath, path }) => ({ code, irPath: placeBefore(legs, leg, irPath, path) })),
  );
}

/** Where a node came from: the first of a message's items stands for the message too. */
function sameKind(before: readonly TraceEntry[], { irPath, source }: TraceEntry): TraceEntry | undefined {
  const candidates = before.filter(({ target }) => target === source);
  const depth = (pointer: Pointer): number => pointer.split("/").length;
  return candidates.find((entry) => depth(entry.irPath) === depth(irPath)) ?? candidates[0];
}

/** A place in the IR of a leg, or one in its source where the IR has none, in the IR of the first leg. */
function placeBefore(
  legs: readonly Leg[],
  leg: number,
  irPath: Pointer | undefined,
  path: Pointer,
): Pointer | undefined {
  if (leg === 0) return irPath;
  const trace = legs[leg]?.trace ?? [];
  const before = legs[leg - 1]?.trace ?? [];
  const node = irPath === undefined ? undefined : nearest(trace, irPath, "irPath");
  const start = node === undefined ? undefined : sameKind(before, node);
  if (start !== undefined && node !== undefined)
    return placeBefore(legs, leg - 1, `${start.irPath}${irPath?.slice(node.irPath.length)}`, start.source ?? "");
  const found = nearest(before, path, "target");
  return found === undefined ? undefined : placeBefore(legs, leg - 1, found.irPath, found.source ?? "");
}

/** What a loss of a code changes beside the field that it names. `*` is one segment, `**` any number. */
interface Consequence {
  readonly code: string;
  readonly type?: Change["type"];
  readonly pointer: string;
  readonly reason: string;
}

const consequences: readonly Consequence[] = [
  { code: "setting.synthesized", type: "added", pointer: "/settings/maxTokens", reason: "the value made up" },
  { code: "document.name", type: "added", pointer: "/messages/**/title", reason: "the name made up" },
  { code: "tool.parameters", type: "added", pointer: "/messages/**/parameters/**", reason: "the schema made up" },
  { code: "tool.parameters", type: "added", pointer: "/messages/**/parameters", reason: "the schema made up" },
  { code: "tool_result.value", type: "added", pointer: "/messages/*/content/0", reason: "the text of the object" },
  { code: "turn.first_user", type: "added", pointer: "/messages/*", reason: "the turn made up" },
  { code: "turn.prefill", type: "added", pointer: "/messages/*", reason: "the turn that asks to continue" },
  { code: "tool_result.missing", type: "added", pointer: "/messages/*", reason: "the result made up" },
  { code: "tool_result.moved", pointer: "/messages/*", reason: "the result and its call come together" },
  { code: "instruction.lowered", type: "added", pointer: "/messages/*", reason: "the user turn that it becomes" },
  { code: "media.moved", type: "added", pointer: "/messages/*", reason: "the turn that takes the media" },
  { code: "media.moved", type: "added", pointer: "/messages/*/content/*", reason: "label and media in the next turn" },
  {
    code: "instruction.moved",
    type: "added",
    pointer: "/messages/0",
    reason: "the head at the instruction's new place",
  },
  {
    code: "instruction.moved",
    type: "added",
    pointer: "/messages/0/content/*",
    reason: "the instruction at its new place",
  },
  {
    code: "instruction.moved",
    type: "added",
    pointer: "/messages/*/content/*",
    reason: "turns around it become neighbours",
  },
  { code: "turn.merged", type: "added", pointer: "/messages/*/content/*", reason: "the content of the merged turn" },
  {
    code: "turn.merged",
    type: "added",
    pointer: "/messages/*/toolsAdded/*",
    reason: "the tools of the merged message",
  },
  { code: "tool.added", type: "added", pointer: "/messages/*/toolsAdded/*", reason: "the tool at its new place" },
  { code: "tool.added", type: "added", pointer: "/messages/0", reason: "the head that takes the tool" },
  { code: "tool.namespace", type: "added", pointer: "/messages/*/toolsAdded/*", reason: "the tools of the namespace" },
  { code: "format.name", type: "added", pointer: "/settings/responseFormat/name", reason: "the name made up" },
  {
    code: "server_tool.record",
    type: "absent",
    pointer: "/**content/*",
    reason: "what the tool found stands in the item of its call",
  },
  { code: "usage.synthesized", pointer: "/usage/unreported/**", reason: "zeros that were written are reported zeros" },
  { code: "reasoning.synthesized", type: "added", pointer: "/settings/reasoning/**", reason: "thinking switched on" },
  { code: "reasoning.budget", pointer: "/settings/reasoning/**", reason: "an effort needs no mode beside it" },
  { code: "reasoning.budget", type: "added", pointer: "/settings/reasoning", reason: "the effort sent for the budget" },
  { code: "reasoning.conflict", pointer: "/settings/reasoning/**", reason: "thinking is given up as a whole" },
  { code: "text.joined", type: "changed", pointer: "/content/*/text", reason: "the text that it was joined to" },
  {
    code: "text.joined",
    type: "changed",
    pointer: "/messages/*/content/*/text",
    reason: "the text that it was joined to",
  },
  {
    code: "cache.mark",
    type: "added",
    pointer: "/messages/*/content/*/cacheBreakpoint",
    reason: "the mark of a result goes on its last text",
  },
];

/** The places that a loss changes where its field stands for more than itself. */
function touched({ code, irPath }: PlacedLoss): readonly Pointer[] {
  if (irPath === undefined) return [];
  const parent = irPath.slice(0, irPath.lastIndexOf("/"));
  switch (code) {
    // A text that now stands before the calls of its turn.
    case "turn.order":
      return [irPath.replace(/\/\d+(?:\/type)?$/, "")];
    // The failure is told in the content of the result, a keyword in the description of its schema.
    case "tool_result.error_flag":
    case "tool.schema":
    // Counts are consistent together or not at all.
    case "usage.inconsistent":
    // The whole part is another.
    case "document.text":
    // Cut arguments are sent under a marker, and the reason is not.
    case "tool_call.arguments":
    case "tool_choice.subset":
      return [parent];
    // What cannot be counted apart is counted with the rest.
    case "usage.detail":
      return irPath.endsWith("/cacheWrite") ? [irPath, `${parent}/input`] : [irPath];
    case "stop.approximated":
    case "stop.unknown":
    case "stop.inferred":
      return [`${parent}/stopReason`, `${parent}/stopDetail`];
    // A stated null is taken as what is usual there.
    case "field.null":
      if (irPath === "/wire/rest/id") return ["/responseId"];
      if (irPath === "/wire/rest/model") return ["/responseModel"];
      return [irPath];
    // "role" of a message and "type" of a part stand for the node itself, as it is no longer what it was.
    default:
      return [/\/(?:role|type)$/.test(irPath) ? parent : irPath];
  }
}

function matches(pattern: string, pointer: Pointer): boolean {
  const source = pattern.replaceAll("**", "\u0000").replaceAll("*", "[^/]+").replaceAll("\u0000", ".*");
  return new RegExp(`^${source}$`).test(pointer);
}

/** What a node is goes with the node. */
const identity: ReadonlySet<string> = new Set(["role", "authority", "type", "name"]);

/**
 * True where a report says that this place differs: a loss stands there or above it, or follows from one. Of a node that
 * is gone as a whole everything must be reported that it held.
 */
export function isReported(change: Change, losses: readonly PlacedLoss[]): boolean {
  const { pointer, type, left } = change;
  const isDirect = losses.some(
    (loss) =>
      touched(loss).some((place) => isWithin(pointer, place)) ||
      consequences.some(
        (rule) =>
          rule.code === loss.code && (rule.type === undefined || rule.type === type) && matches(rule.pointer, pointer),
      ),
  );
  if (isDirect || type !== "absent" || typeof left !== "object" || left === null) return isDirect;
  return Object.entries(left).every(
    ([key, value]) =>
      (identity.has(key) && !Array.isArray(left)) ||
      isReported({ pointer: `${pointer}/${escapeSegment(key)}`, type, left: value }, losses),
  );
}

/** Differences that are none: other words for the same, as the redundancy lists of the protocols have them. */
const equals: readonly { readonly pointer: string; readonly values?: readonly unknown[]; readonly reason: string }[] = [
  { pointer: "/settings/streamOptions", reason: "acts on the stream that the client gets" },
  { pointer: "/content/*", values: [{ type: "text", text: "" }], reason: "an empty text says nothing" },
  { pointer: "/messages/*/content/*", values: [{ type: "text", text: "" }], reason: "an empty text says nothing" },
  { pointer: "/content/*/citations/*/title", values: [""], reason: "a title that says nothing, where one must be" },
  { pointer: "/settings/n", values: [1], reason: "the documented default" },
  { pointer: "/settings/stopSequences", values: [[]], reason: "no sequences" },
  { pointer: "/settings/modalities", values: [["text"]], reason: "the documented default" },
  { pointer: "/settings/responseFormat", values: [{ type: "text" }], reason: "the documented default" },
  { pointer: "/settings/toolChoice", values: [{ mode: "auto" }], reason: "the documented default" },
  { pointer: "/settings/parallelToolCalls", values: [true], reason: "the documented default" },
  { pointer: "/messages/*/toolsAdded/*/strict", values: [false], reason: "the documented default" },
  {
    pointer: "/settings/responseFormat/strict",
    values: [true],
    reason: "Anthropic always enforces the schema, Chat when told to",
  },
  { pointer: "/**content/*/kind", reason: "only Responses says whether reasoning is told in full" },
  { pointer: "/settings/store", values: [false], reason: "the usual; toward Responses it is said, where it is not" },
  { pointer: "/settings/logprobs", values: [false], reason: "the documented default" },
  {
    pointer: "/**content/*",
    values: [
      { type: "text", text: "" },
      { type: "text", text: "", phase: "final_answer" },
    ],
    reason: "an empty text is no text",
  },
  {
    pointer: "/messages/*",
    values: [{ role: "assistant", content: [{ type: "text", text: "" }] }],
    reason: "an empty text is no text",
  },
  { pointer: "/rawStopReason", reason: "each protocol has its own word; stopReason and stopDetail are compared" },
];

/** True where a difference means nothing. */
export function isEqualByMeaning({ pointer, type, left, right }: Change): boolean {
  const value = JSON.stringify(type === "absent" ? left : right);
  return equals.some(
    (rule) =>
      matches(rule.pointer, pointer) &&
      (rule.values === undefined || (type !== "changed" && rule.values.some((item) => JSON.stringify(item) === value))),
  );
}
