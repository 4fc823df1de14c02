import { entryOf } from "../table.ts";

/** Anthropic keeps a prefix for 5 minutes or an hour, OpenAI for 30 minutes or 12 hours: the shortest that is not shorter. */
const ttls: { readonly [ttl: string]: string } = { "5m": "30m", "1h": "12h" };

/** How long OpenAI keeps what another service would keep for so long. */
export const openAiTtl = (ttl: string): string => entryOf(ttls, ttl) ?? ttl;
