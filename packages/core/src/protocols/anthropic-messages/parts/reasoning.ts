import { loseReasoning } from "../../../codec/content/reasoning.ts";
import { issuedBy } from "../../../codec/issuer.ts";
import type { Open } from "../../../codec/ledger.ts";
import { createLedger, keepOdd, keepUnknown, readString, wireField, wireOf } from "../../../codec/ledger.ts";
import type { WireObject } from "../../../codec/restore.ts";
import { restore } from "../../../codec/restore.ts";
import type { JsonObject, OpaqueState, Part, ThinkingPart } from "../../../ir/index.ts";
import { acceptsState, lose } from "../../../loss/index.ts";
import type { Reader, Writer } from "../context.ts";
import { redactedThinkingKeys, thinkingKeys } from "../wire.ts";

const protocol = "anthropic-messages";

export function readThinking(block: JsonObject, reader: Reader): Part | undefined {
  const { thinking, signature } = block;
  if (typeof thinking !== "string") return undefined;
  const ledger = createLedger(protocol, reader.absence);
  keepUnknown(ledger, block, thinkingKeys);
  if (signature === "") keepOdd(ledger, "signature", signature);
  else readString(ledger, block, "signature");
  const wire = wireOf(ledger);
  const part: Open<ThinkingPart> = { type: "thinking", thinking };
  if (typeof signature === "string" && signature !== "") {
    const state: Open<OpaqueState> = {
      protocol,
      kind: "signature",
      value: signature,
      bindsTo: "prefix",
      replay: "required",
    };
    if (reader.provider !== undefined) state.provider = reader.provider;
    part.state = [state];
  }
  if (wire !== undefined) part.wire = wire;
  return part;
}

export function readRedactedThinking(block: JsonObject, reader: Reader): Part | undefined {
  const { data } = block;
  if (typeof data !== "string") return undefined;
  const ledger = createLedger(protocol);
  keepUnknown(ledger, block, redactedThinkingKeys);
  const state: OpaqueState[] = [
    { protocol, ...issuedBy(reader.provider), kind: "encrypted", value: data, bindsTo: "prefix", replay: "required" },
  ];
  return { type: "thinking", thinking: "", redacted: true, state, ...wireField(ledger) };
}

export function writeThinking(part: ThinkingPart, writer: Writer): JsonObject | undefined {
  const state = part.state?.find(
    (item) => acceptsState(writer.target, item) && (item.kind === "signature" || item.kind === "encrypted"),
  );
  if (state?.kind === "encrypted") {
    if (part.thinking !== "") lose(writer.report, "reasoning.unsigned", part, "thinking", { values: { to: protocol } });
    const object: WireObject = { type: "redacted_thinking", data: state.value };
    restore(object, part.wire, protocol);
    return object as JsonObject;
  }
  const unsigned = state === undefined;
  const own = part.wire?.protocol === protocol || (writer.faithful && part.state === undefined);
  if (unsigned && !own && writer.response && part.thinking !== "") {
    // A client may show it; without a signature no service takes it back.
    const object: JsonObject = { type: "thinking", thinking: part.thinking, signature: "" };
    lose(writer.report, "reasoning.signature", undefined, "", {
      made: { object, field: "signature" },
      values: { to: protocol },
    });
    return object;
  }
  if (unsigned && !own) {
    loseReasoning(part, writer.report);
    return undefined;
  }
  if (unsigned && (part.thinking === "" || writer.mends) && !writer.response) {
    // The API refuses an empty block without a signature, and it says nothing.
    lose(writer.report, "reasoning.unsigned", part, "", { values: { to: protocol } });
    return undefined;
  }
  const object: WireObject = { type: "thinking", thinking: part.thinking };
  if (state !== undefined) object["signature"] = state.value;
  restore(object, part.wire, protocol);
  if (part.wire?.protocol === protocol && part.wire.form?.["signature"] === "") object["signature"] = "";
  return object as JsonObject;
}
