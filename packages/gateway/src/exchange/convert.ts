import { upstreamHeaders } from "../http/headers.ts";
import type { UpstreamRequest } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { generatePath } from "./context.ts";
import { convertAnswer } from "./convert-answer.ts";
import type { PreparedRequest } from "./prepare.ts";

/** Sends a converted request, and brings the answer back into the client's protocol. */
export function convertExchange(context: ConvertContext, prepared: PreparedRequest): Promise<void> {
  const { settled, call, client, service } = context;
  const headers = upstreamHeaders(settled, call.headers, client.id, prepared.headers);
  if (prepared.stream) headers["accept"] = "text/event-stream";
  const request: UpstreamRequest = { method: "POST", path: generatePath(service.id), headers, body: prepared.body };
  return convertAnswer(context, request, prepared);
}
