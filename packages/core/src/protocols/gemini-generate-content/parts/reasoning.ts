import { issuedBy } from "../../../codec/issuer.ts";
import type { Ledger, Open } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, spell } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { formOf } from "../../../codec/restore.ts";
import type { JsonObject, Node, OpaqueState, Part, Pointer, ThinkingPart } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { finishObject, spelledWire } from "../spelling.ts";
import { textKeys } from "../wire.ts";

const protocol = "gemini-generate-content";

/** The thought signature of a part, which belongs to this very part. */
export function readSignature(ledger: Ledger, part: JsonObject, reader: Reader): readonly OpaqueState[] | undefined {
  const value = part["thoughtSignature"];
  if (value === undefined) return undefined;
  if (typeof value !== "string" || value === "") {
    // An empty text is no signature, and is not null either.
    if (value === "") spell(ledger, "thoughtSignature", "");
    else keepOdd(ledger, "thoughtSignature", value);
    return undefined;
  }
  return [signatureState(value, reader.provider)];
}

function signatureState(value: string, provider: string | undefined): OpaqueState {
  return { protocol, ...issuedBy(provider), kind: "signature", value, bindsTo: "node", replay: "required" };
}

/** Writes the signature of a node on its own part. */
export function writeSignature(object: WireObject, node: Node, writer: Writer): void {
  const state = node.state?.find((item) => item.kind === "signature" && acceptsState(writer.target, item));
  if (state !== undefined) object["thoughtSignature"] = state.value;
}

/** A part that shows what the model thought, or that holds nothing but a signature. */
export function readThinking(part: JsonObject, snake: readonly Pointer[] | undefined, reader: Reader): Part {
  const { text, thought } = part;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, part, textKeys);
  const state = readSignature(ledger, part, reader);
  if (typeof text !== "string") {
    spell(ledger, "text", "omitted");
    if (thought === true) spell(ledger, "thought", true);
    else keepOdd(ledger, "thought", thought);
  } else if (thought !== true) {
    spell(ledger, "text", "");
    if (thought === false) spell(ledger, "thought", false);
    else keepOdd(ledger, "thought", thought);
  }
  const wire = spelledWire(ledger, snake);
  const thinking: Open<ThinkingPart> = { type: "thinking", thinking: typeof text === "string" ? text : "" };
  if (state !== undefined) thinking.state = state;
  if (wire !== undefined) thinking.wire = wire;
  return thinking;
}

/** Reasoning of other models is not sent to one, but shown to a client. */
export function writeThinking(part: ThinkingPart, writer: Writer): JsonObject | undefined {
  const signed = part.state?.some((item) => item.kind === "signature" && acceptsState(writer.target, item)) === true;
  const own = part.wire?.protocol === protocol || (writer.faithful && part.state === undefined);
  const isShown = writer.response && part.thinking !== "";
  if (!signed && !own && !isShown) {
    // Of an answer without a text only the payload is lost, which is told where it stands.
    const field = writer.response && part.thinking === "" && part.state !== undefined ? "type" : "";
    lose(writer.report, "reasoning.foreign", part, field, {
      values: { from: part.state?.[0]?.protocol ?? part.wire?.protocol ?? "another model" },
    });
    return undefined;
  }
  const object: WireObject = {};
  const form = formOf(part.wire, protocol, "text");
  const isBare = part.thinking === "" && (form === "omitted" || form === "");
  if (!isBare) {
    object["text"] = part.thinking;
    object["thought"] = true;
  } else {
    if (form === "") object["text"] = "";
    const thought = formOf(part.wire, protocol, "thought");
    if (typeof thought === "boolean") object["thought"] = thought;
  }
  writeSignature(object, part, writer);
  return finishObject(object, part.wire) as JsonObject;
}
