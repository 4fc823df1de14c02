import { DecodeError } from "../errors/index.ts";
import type { ProtocolId } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import { detectProtocol } from "./detect.ts";
import type { RequestInput } from "./input.ts";
import { isWireRequest, readRequest } from "./input.ts";

/**
 * The protocol of a request. Throws a DecodeError where it could be of several, or is no object; `option` is what the caller calls the place
 * to state it.
 */
export function protocolOfRequest(input: RequestInput, option: string): ProtocolId {
  const { wire } = readRequest(input);
  if (!isJsonObject(wire.body)) throw new DecodeError("", "a request must be an object");
  const protocol = detectProtocol(wire.body, pathOfRequest(input));
  if (protocol === undefined) {
    throw new DecodeError("", `the body could be of several protocols: state which with "${option}"`);
  }
  return protocol;
}

/** The path that a request goes to, where it is stated. */
export function pathOfRequest(input: RequestInput): string | undefined {
  const { path, url } = isWireRequest(input) ? (input as { readonly path?: unknown; readonly url?: unknown }) : {};
  return [path, url].find((item) => typeof item === "string") as string | undefined;
}
