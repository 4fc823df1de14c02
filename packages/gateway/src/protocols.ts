import type { Converter, Protocol, ProtocolId } from "@rolecall/core";
import { createConverter, loadProtocol } from "@rolecall/core";

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
