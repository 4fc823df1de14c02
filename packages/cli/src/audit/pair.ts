import type { Json, JsonObject, Profile, Protocol, ProtocolId, WireRequest } from "@rolecall/core";
import { createConverter } from "@rolecall/core";
import type { Body, Operation } from "../input/body.ts";
import { wireRequestOf } from "../input/body.ts";
import type { AuditedConverter } from "./outcome.ts";

/** One operation from one protocol to another. */
export interface Pair {
  readonly operation: Operation;
  readonly from: ProtocolId;
  readonly to: ProtocolId;
}

/** What a protocol puts beside the body, as one value. */
export function besideOf({ url, headers }: Omit<WireRequest, "body">): Json | undefined {
  if (url === undefined && headers === undefined) return undefined;
  return { ...(url !== undefined && { url }), ...(headers !== undefined && { headers }) } as unknown as Json;
}

/** The converter of core for a body of one protocol and what stands around it. */
export function converterOf(body: Body, source: Protocol, target: Protocol, profile: Profile = {}): AuditedConverter {
  if (body.operation === "response") {
    const { convertResponse } = createConverter(target, source);
    return (value) => convertResponse(value as JsonObject, { target: profile });
  }
  const { convertRequest } = createConverter(source, target);
  return (value) => {
    const converted = convertRequest(wireRequestOf({ ...body, value }), { target: profile });
    const beside = besideOf(converted.value);
    return { value: converted.value.body, losses: converted.losses, ...(beside !== undefined && { beside }) };
  };
}
