import type { ProtocolId } from "@rolecall/core";
import type { Direction } from "../direction.ts";
import { routeDirections } from "./gateway.ts";
import { startLoopback } from "./loopback.ts";
import { startGateway } from "./process.ts";

/** Providers of its configuration: a service that speaks Chat needs no transformer. The names are those of bench/peers/llms/server.mjs. */
const routes: readonly (readonly [client: ProtocolId, service: ProtocolId])[] = [
  ["openai-chat", "openai-chat"],
  ["openai-chat", "openai-responses"],
  ["openai-chat", "gemini-generate-content"],
  ["anthropic-messages", "openai-chat"],
  ["anthropic-messages", "openai-responses"],
  ["anthropic-messages", "gemini-generate-content"],
  ["anthropic-messages", "anthropic-messages"],
];

/**
 * The server of @musistudio/llms. Its transformer of Messages has no way toward a service (`transformRequestIn`) but that of bytes through, and the
 * path of Responses has none from its clients (`transformRequestOut`); a client of Gemini has no model in its body, which the server wants.
 */
export async function createDirections(): Promise<{ directions: readonly Direction[]; stop: () => void }> {
  const loopback = await startLoopback();
  const gateway = await startGateway("llms", loopback.url);
  const directions = routes.flatMap(([client, service]) =>
    routeDirections(loopback, {
      client,
      service,
      url: `http://127.0.0.1:${gateway.port}${client === "openai-chat" ? "/v1/chat/completions" : "/v1/messages"}`,
      modelOf: (name) => `${service},${name}`,
    }),
  );
  return {
    directions,
    stop() {
      gateway.stop();
      loopback.stop();
    },
  };
}
