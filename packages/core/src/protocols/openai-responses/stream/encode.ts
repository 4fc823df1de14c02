import type { EncodeOptions } from "../../../codec/protocol.ts";
import type { Exchange } from "../../../ir/index.ts";
import type { StreamEncoder } from "../../../stream/protocol.ts";
export function createStreamEncoder(_exchange?: Exchange, _options: EncodeOptions = {}): StreamEncoder {
  return { push: () => [], finish: () => [], losses: [] };
}
