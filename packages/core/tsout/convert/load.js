import { ConfigError } from "../errors/index.js";
/** The protocols that this version speaks, each loaded on first use. */
const loaders = {
    "openai-chat": () => import("../protocols/openai-chat/index.js"),
    "anthropic-messages": () => import("../protocols/anthropic-messages/index.js"),
};
export const protocolIds = Object.keys(loaders);
/** Loads a protocol. Throws a ConfigError for an id that is not known. */
export async function loadProtocol(id) {
    const load = Object.hasOwn(loaders, id) ? loaders[id] : undefined;
    if (load === undefined)
        throw new ConfigError("", `unknown protocol "${id}": use one of ${protocolIds.join(", ")}`);
    return (await load()).protocol;
}
//# sourceMappingURL=load.js.map