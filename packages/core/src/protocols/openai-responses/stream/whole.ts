import type { Encoded, EncodeOptions } from "../../../codec/protocol.ts";
import type { AssistantMessage, Exchange } from "../../../ir/index.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
export function encodeStream(
  _message: AssistantMessage,
  _exchange?: Exchange,
  _options?: EncodeOptions,
): Encoded<readonly StreamFrame[]> {
  return { value: [], losses: [] };
}
