import type { Json, ProtocolId } from "@rolecall/core";
import { protocolIds } from "@rolecall/core";
import type { Direction, Output } from "../direction.ts";
import { historyOf } from "../history.ts";
import { model } from "../samples.ts";
import { framesOf, writeFrames } from "../sse.ts";
import { loadFrom } from "./load.ts";

/** Its names of the protocols. */
const names: { readonly [protocol in ProtocolId]: string } = {
  "openai-chat": "openai",
  "openai-responses": "openai-responses",
  "anthropic-messages": "anthropic",
  "gemini-generate-content": "google",
};

interface Bridge {
  toUniversal(provider: string, body: object): object;
  fromUniversalWithInfo(provider: string, universal: object): { readonly result: Json };
  handleUniversalStreamRequest(stream: ReadableStream, source: string, target: string): ReadableStream<Uint8Array>;
}

/** Requests and streams of all four protocols; it has no call for whole answers. */
export async function createDirections(): Promise<{ directions: readonly Direction[] }> {
  const bridge = await loadFrom<Bridge>("llm-bridge", "llm-bridge");
  return { directions: protocolIds.flatMap((from) => protocolIds.flatMap((to) => directionsOf(bridge, from, to))) };
}

function directionsOf(bridge: Bridge, from: ProtocolId, to: ProtocolId): Direction[] {
  const request = (body: Json): Output => {
    // It reads the model of a request of Gemini from its body.
    const named = { ...(from === "gemini-generate-content" && { model }), ...(structuredClone(body) as object) };
    const universal = bridge.toUniversal(names[from], named);
    // As its own `translateBetweenProviders` does, with the report beside the result.
    const { result, ...report } = bridge.fromUniversalWithInfo(names[to], { ...universal, provider: names[to] });
    return { value: result, report: report as unknown as Json };
  };
  const pair = { from, to };
  return [
    { operation: "request", ...pair, convert: request },
    { operation: "history", ...pair, convert: (answer) => request(historyOf(from, answer).body) },
    {
      operation: "stream",
      ...pair,
      async convert(body) {
        const source = new Blob([writeFrames(body, from)]).stream();
        const stream = bridge.handleUniversalStreamRequest(source, names[from], names[to]);
        return { value: framesOf(await new Response(stream).text()) };
      },
    },
  ];
}
