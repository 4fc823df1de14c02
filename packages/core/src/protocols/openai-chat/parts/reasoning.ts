import { loseReasoning } from "../../../codec/content/reasoning.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import type { KnownKeys, Ledger } from "../../../codec/ledger.ts";
import { keepOdd, keepUnknown, knownKeys } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import type { Form, Json, JsonObject, Node, OpaqueState, Part, Pointer, ThinkingPart } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { refusesInMessages } from "../profile.ts";

const protocol = "openai-chat";

/** Behind the compatible API of Gemini, https://ai.google.dev/gemini-api/docs/openai; and as gateways put it. */
const extra = "extra_content";
const plain = "thought_signature";
const extraKeys = knownKeys("google");
const googleKeys = knownKeys(plain);

/** The thought signatures of one message or call. */
export interface Signatures {
  readonly state: readonly OpaqueState[];
  /** The spelling of the node that takes them. */
  readonly form: Form;
}

const none: Signatures = { state: [], form: {} };

/**
 * The thought signatures of a message or call, which models of Gemini demand back. No protocol has a field for them. Keeps everything of the
 * object that is neither one of them nor one of the known keys.
 */
export function readSignatures(
  object: JsonObject,
  known: KnownKeys,
  ledger: Ledger,
  reader: Reader,
  prefix = "",
): Signatures {
  if (object[extra] === undefined && object[plain] === undefined) {
    keepUnknown(ledger, object, known, prefix);
    return none;
  }
  const outer = object[extra];
  const google = isJsonObject(outer) ? outer["google"] : undefined;
  const inner = isJsonObject(google) ? google[plain] : undefined;
  const hasExtra = isSignature(inner);
  const hasPlain = isSignature(object[plain]);
  const read = [...(hasExtra ? [extra] : []), ...(hasPlain ? [plain] : [])];
  keepUnknown(ledger, object, knownKeys(...Object.keys(known), ...read), prefix);
  if (hasExtra) {
    keepUnknown(ledger, outer as JsonObject, extraKeys, `${prefix}${extra}/`);
    keepUnknown(ledger, google as JsonObject, googleKeys, `${prefix}${extra}/google/`);
  }
  const issuer = issuedBy(reader.provider);
  return {
    state: [inner, object[plain]].filter(isSignature).map((value) => ({
      protocol,
      ...issuer,
      kind: "signature",
      value,
      bindsTo: "node",
      replay: "required",
    })),
    form: hasPlain && !hasExtra ? { signature: plain } : {},
  };
}

const isSignature = (value: Json | undefined): value is string => typeof value === "string" && value !== "";

/** Writes the signatures of a node where they stood. */
export function writeSignatures(object: WireObject, node: Node, writer: Writer): void {
  node.state?.forEach((state, index) => {
    if (state.kind !== "signature" || !acceptsState(writer.target, state)) return;
    if (signaturePointer(node, index) === plain) object[plain] = state.value;
    else object[extra] = { google: { [plain]: state.value } };
  });
}

/** Where a signature of a node stands in its message or call; `index` is its position in the state of the node. */
export function signaturePointer({ state, wire }: Node, index: number): Pointer {
  const isFirst = state?.findIndex(({ kind }) => kind === "signature") === index;
  return isFirst && wire?.form?.["signature"] !== plain ? `${extra}/google/${plain}` : plain;
}

/** Reasoning as compatible servers give it: one of two text fields, and details that only their server understands. */
export function decodeReasoning(
  message: JsonObject,
  pointer: Pointer,
  prefix: string,
  ledger: Ledger,
  reader: Reader,
  signatures: Signatures,
): ThinkingPart[] {
  const { reasoning_content: first, reasoning: second, reasoning_details: details } = message;
  const isSigned = signatures.state.length > 0;
  if (first === undefined && second === undefined && details === undefined && !isSigned) return [];
  const isText = (value: Json | undefined): value is string => typeof value === "string" && value !== "";
  const field = isText(first) ? "reasoning_content" : isText(second) ? "reasoning" : undefined;
  for (const key of ["reasoning_content", "reasoning"] as const) {
    const value = message[key];
    if (!isText(value)) keepOdd(ledger, key, value, prefix);
  }
  const hasDetails = Array.isArray(details) && details.length > 0;
  if (!hasDetails) keepOdd(ledger, "reasoning_details", details, prefix);
  if (field === undefined && !hasDetails && !isSigned) return [];
  const text = field === undefined ? "" : (message[field] as string);
  const other = field === "reasoning_content" && isText(second) ? second : undefined;
  const form: { [key: string]: Json } = {
    ...(field !== undefined && { field }),
    ...(other !== undefined && other === text && { repeated: "reasoning" }),
    ...signatures.form,
  };
  const state: OpaqueState[] = hasDetails
    ? [{ protocol, ...issuedBy(reader.provider), kind: "details", value: details as Json }]
    : [];
  state.push(...signatures.state);
  const part: ThinkingPart = {
    type: "thinking",
    thinking: text,
    ...(state.length > 0 && { state }),
    wire: { protocol, form },
  };
  const place = field ?? (hasDetails ? "reasoning_details" : signaturePointer(part, 0));
  reader.trace.pointers.set(part, `${pointer}/${place}`);
  if (other === undefined || other === text) return [part];
  const another: ThinkingPart = { type: "thinking", thinking: other, wire: { protocol, form: { field: "reasoning" } } };
  reader.trace.pointers.set(another, `${pointer}/reasoning`);
  return [part, another];
}

/**
 * Reasoning goes back only in the field in which its server gave it, or that the profile names. Never as text of the answer.
 * `late` holds parts that stand behind such as the message has before them.
 */
export function encodeReasoning(
  thinking: readonly ThinkingPart[],
  late: ReadonlySet<Part> | undefined,
  object: WireObject,
  writer: Writer,
): void {
  const { reasoningField: named } = writer.target;
  const details: Json[] = [];
  for (const part of thinking) {
    const own = part.wire?.protocol === protocol ? part.wire.form : undefined;
    const stated = named ?? own?.["field"] ?? (own !== undefined && part.thinking !== "" ? "reasoning" : undefined);
    const field = typeof stated === "string" && refusesInMessages(writer.target, stated) ? "none" : stated;
    if (field === "none" && reportState(part, writer) && part.thinking === "") continue;
    // What a part of this protocol has beside its text is told where it stood.
    const goes = part.thinking === "" ? own !== undefined || hasOwnState(part, writer) : field !== undefined;
    if (field === "none" || !goes) {
      loseReasoning(part, writer.report);
      if (own?.["repeated"] !== undefined) lose(writer.report, "field.repeated", part, "repeated");
      continue;
    }
    if (late?.has(part) === true) lose(writer.report, "turn.order", part, "type");
    if (typeof field === "string" && part.thinking !== "") {
      const before = object[field];
      object[field] = typeof before === "string" ? `${before}\n\n${part.thinking}` : part.thinking;
      if (typeof before === "string") lose(writer.report, "text.joined", part, "type");
      if (own?.["repeated"] === "reasoning") {
        const other = field === "reasoning" ? "reasoning_content" : "reasoning";
        if (!refusesInMessages(writer.target, other)) object[other] = object[field];
        else lose(writer.report, "field.repeated", part, other === "reasoning" ? "repeated" : "");
      }
    }
    writeSignatures(object, part, writer);
    const value = part.state?.find((state) => state.kind === "details" && acceptsState(writer.target, state))?.value;
    if (value !== undefined) details.push(value);
  }
  if (details.length > 0) object["reasoning_details"] = details.length === 1 ? details[0] : details.flat();
}

const hasOwnState = ({ state }: ThinkingPart, { target }: Writer): boolean =>
  state?.some((item) => (item.kind === "details" || item.kind === "signature") && acceptsState(target, item)) === true;

/** Tells what a target that takes no reasoning does not get of its own; true where that is something. */
function reportState(part: ThinkingPart, writer: Writer): boolean {
  let any = false;
  part.state?.forEach((state, index) => {
    if (!acceptsState(writer.target, state) || (state.kind !== "details" && state.kind !== "signature")) return;
    lose(writer.report, "state.foreign", part, `state:${index}`, { values: { kind: state.kind, from: protocol } });
    any = true;
  });
  return any;
}
