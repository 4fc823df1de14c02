import type { Converter, Protocol, ProtocolId } from "@rolecall/core";
import { createConverter, loadProtocol } from "@rolecall/core";

const loaded = new Map<ProtocolId, Protocol>();

/** A protocol that was loaded before: even a cached `import`, and even to wait for what is there, costs more than a step of a small exchange. */
export function loadedProtocol(id: ProtocolId): Protocol | undefined {
  return loaded.get(id);
}

export async function protocolOf(id: ProtocolId): Promise<Protocol> {
  const known = loaded.get(id);
  if (known !== undefined) return known;
  const protocol = await loadProtocol(id);
  loaded.set(id, protocol);
  return protocol;
}

const converters = new WeakMap<Protocol, WeakMap<Protocol, Converter>>();

/** The converter between a client's protocol and a service's, made once. */
export function converterOf(client: Protocol, service: Protocol): Converter {
  let ofClient = converters.get(client);
  if (ofClient === undefined) {
    ofClient = new WeakMap();
    converters.set(client, ofClient);
  }
  let converter = ofClient.get(service);
  if (converter === undefined) {
    converter = createConverter(client, service);
    ofClient.set(service, converter);
  }
  return converter;
}
