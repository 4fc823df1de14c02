import { upstreamHeaders } from "../http/headers.ts";
import type { UpstreamRequest } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { generatePath } from "./context.ts";
import { convertStreamedAnswer } from "./convert-stream.ts";
import { convertWholeAnswer } from "./convert-whole.ts";
import type { PreparedRequest } from "./prepare.ts";

/** Sends a converted request, and brings the answer back into the client's protocol. */
export async function convertExchange(context: ConvertContext, prepared: PreparedRequest): Promise<void> {
  const { settled, call, client, service } = context;
  const request: UpstreamRequest = {
    method: "POST",
    path: generatePath(service.id),
    headers: {
      ...upstreamHeaders(settled, call.headers, client.id, prepared.headers),
      ...(prepared.stream && { accept: "text/event-stream" }),
    },
    body: prepared.body,
  };
  if (prepared.stream) await convertStreamedAnswer(context, request, prepared);
  else await convertWholeAnswer(context, request, prepared.exchange);
}
