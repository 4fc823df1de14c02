import type { ConvertedStream } from "@rolecall/core";
import { createConverter } from "@rolecall/core";
import { answerHeaders, renameRequestId } from "../http/headers.ts";
import { streamHeaders } from "../http/sink.ts";
import { createCollector, singleHeaders } from "../upstream/collect.ts";
import type { EventSource } from "../upstream/event-source.ts";
import { createEventSource } from "../upstream/event-source.ts";
import type { Flow, UpstreamHeaders, UpstreamRequest } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import type { ConvertContext } from "./context.ts";
import { sendConverted } from "./convert-whole.ts";
import type { PreparedRequest } from "./prepare.ts";
import { writeStream } from "./write-stream.ts";

/** Converts a stream while it runs. Answers without a stream, errors among them, are converted as a whole. */
export function convertStreamedAnswer(
  context: ConvertContext,
  request: UpstreamRequest,
  prepared: PreparedRequest,
): Promise<void> {
  const { upstream, settled, call, client, service, exchange } = context;
  const { sink } = call;
  if (sink.closed) {
    exchange.finish("aborted");
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    let source: EventSource | undefined;
    let whole: { status: number; headers: UpstreamHeaders; collector: ReturnType<typeof createCollector> } | undefined;
    const flow: Flow = upstream.send(request, {
      onHead(status, headers) {
        const isStream = status >= 200 && status < 300 && /^text\/event-stream/i.test(String(headers["content-type"]));
        if (!isStream) {
          whole = { status, headers, collector: createCollector(settled.limits.answer) };
          return;
        }
        const created = createEventSource(service.id, () => flow.resume());
        source = created;
        const stream: ConvertedStream = createConverter(client, service).convertStream(created, {
          ...(prepared.exchange !== undefined && { exchange: prepared.exchange }),
          ...(settled.options.onLoss !== undefined && { onLoss: settled.options.onLoss }),
          ...(settled.options.accept !== undefined && { accept: settled.options.accept }),
        });
        writeStream(sink, stream, client.id, exchange, () => ({
          ...renameRequestId(answerHeaders(headers, false), client.id),
          ...streamHeaders,
          ...exchange.headers(),
        }))
          .finally(() => flow.abort())
          .then(resolve, reject);
      },
      onData(chunk) {
        if (source !== undefined) {
          const goesOn = source.push(chunk);
          if (source.progressed) flow.progress();
          return goesOn;
        }
        flow.progress();
        if (whole?.collector.push(chunk) === false) {
          flow.abort();
          reject(new UpstreamFailure("answer", "its answer is too large"));
        }
        return true;
      },
      onEnd() {
        if (source !== undefined) source.end();
        else if (whole !== undefined) sendWholeAnswer(context, whole, prepared).then(resolve, reject);
        else resolve();
      },
      onError(error) {
        if (source !== undefined) source.fail(error);
        else reject(error);
      },
    });
    sink.onAbort(() => {
      flow.abort();
      exchange.finish("aborted");
      source?.fail(new UpstreamFailure("aborted", "the client went away"));
      resolve();
    });
  });
}

async function sendWholeAnswer(
  context: ConvertContext,
  whole: { status: number; headers: UpstreamHeaders; collector: ReturnType<typeof createCollector> },
  prepared: PreparedRequest,
): Promise<void> {
  const headers = singleHeaders(whole.headers);
  const body = whole.collector.body(headers["content-encoding"]);
  await sendConverted(context, { status: whole.status, headers, body }, prepared.exchange, true);
}
