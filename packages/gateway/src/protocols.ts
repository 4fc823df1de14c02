import type { Protocol, ProtocolId } from "@rolecall/core";
import { loadProtocol } from "@rolecall/core";

const loaded = new Map<ProtocolId, Protocol>();

/** A protocol; at once where it was loaded before, because even a cached `import` costs more than a small exchange. */
export function protocolOf(id: ProtocolId): Protocol | Promise<Protocol> {
  return loaded.get(id) ?? load(id);
}

async function load(id: ProtocolId): Promise<Protocol> {
  const protocol = await loadProtocol(id);
  loaded.set(id, protocol);
  return protocol;
}
