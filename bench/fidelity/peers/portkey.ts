import type { ProtocolId } from "@rolecall/core";
import type { Direction } from "../direction.ts";
import { routeDirections } from "./gateway.ts";
import { startLoopback } from "./loopback.ts";
import { startGateway } from "./process.ts";

const paths: { readonly [protocol: string]: string } = {
  "openai-chat": "/v1/chat/completions",
  "openai-responses": "/v1/responses",
  "anthropic-messages": "/v1/messages",
};

/** What it takes: Messages and Responses go to services of their own protocol only, anything else it answers with 500 "is not supported by". */
const routes: readonly (readonly [client: ProtocolId, service: ProtocolId, provider: string])[] = [
  ["openai-chat", "openai-chat", "openai"],
  ["openai-chat", "anthropic-messages", "anthropic"],
  ["openai-chat", "gemini-generate-content", "google"],
  ["anthropic-messages", "anthropic-messages", "anthropic"],
  ["openai-responses", "openai-responses", "openai"],
];

/** The Portkey gateway as its README starts it, in front of a service on this machine. */
export async function createDirections(): Promise<{ directions: readonly Direction[]; stop: () => void }> {
  const loopback = await startLoopback();
  const gateway = await startGateway("portkey");
  const directions = routes.flatMap(([client, service, provider]) =>
    routeDirections(loopback, {
      client,
      service,
      url: `http://127.0.0.1:${gateway.port}${paths[client]}`,
      headers: {
        authorization: "Bearer sk-fidelity-0123456789",
        "x-portkey-provider": provider,
        "x-portkey-custom-host": service === "gemini-generate-content" ? loopback.url : `${loopback.url}/v1`,
        // Without it, blocks of thinking and their signatures are left out of answers.
        "x-portkey-strict-open-ai-compliance": "false",
      },
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
