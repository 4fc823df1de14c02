import { ConfigError } from "../errors/index.ts";
import type { ProtocolId } from "../ir/index.ts";
import type { Protocol } from "../stream/protocol.ts";

/** The protocols that this version speaks, each loaded on first use. */
const loaders: { readonly [id: string]: (() => Promise<{ readonly protocol: Protocol }>) | undefined } = {
  "openai-chat": () => import("../protocols/openai-chat/index.ts"),
  "openai-responses": () => import("../protocols/openai-responses/index.ts"),
  "anthropic-messages": () => import("../protocols/anthropic-messages/index.ts"),
  "gemini-generate-content": () => import("../protocols/gemini-generate-content/index.ts"),
};

export const protocolIds: readonly ProtocolId[] = Object.keys(loaders) as ProtocolId[];

/** Loads a protocol. Throws a ConfigError for an id that is not known. */
export async function loadProtocol(id: string): Promise<Protocol> {
  const load = Object.hasOwn(loaders, id) ? loaders[id] : undefined;
  if (load === undefined) throw new ConfigError("", `unknown protocol "${id}": use one of ${protocolIds.join(", ")}`);
  return (await load()).protocol;
}
