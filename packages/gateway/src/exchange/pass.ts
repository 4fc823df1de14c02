import type { Protocol } from "@rolecall/core";
import { answerHeaders, upstreamHeaders } from "../http/headers.ts";
import type { Call } from "../http/sink.ts";
import { sendJson } from "../http/sink.ts";
import type { Settled } from "../options.ts";
import { createCollector, singleHeaders } from "../upstream/collect.ts";
import type { EventGuard } from "../upstream/event-guard.ts";
import { createEventGuard } from "../upstream/event-guard.ts";
import type { Flow, Upstream, UpstreamHeaders } from "../upstream/upstream.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import { generatePath } from "./context.ts";
import { convertErrorAnswer, encodeFor, errorEvent, errorOf } from "./errors.ts";
import type { OpenExchange } from "./exchange.ts";
import type { PreparedRequest } from "./prepare.ts";

export interface PassContext {
  readonly upstream: Upstream;
  readonly settled: Settled;
  readonly call: Call;
  readonly protocol: Protocol;
  readonly exchange: OpenExchange;
}

/** How a JSON body starts that is an error whatever its status claims. */
const errorStart = /^[\s\uFEFF]*\{\s*"(?:error"\s*:\s*[{"]|type"\s*:\s*"error"|object"\s*:\s*"error")/;

/** Bytes of a first piece that may be the whole answer. */
const SHORT = 16 << 10;

/** Sends a request as it is, and its answer back as it comes. Resolves when the exchange is over. */
export function passExchange(context: PassContext, prepared: PreparedRequest): Promise<void> {
  const { upstream, settled, call, protocol, exchange } = context;
  const { sink } = call;
  if (sink.closed) {
    exchange.finish("aborted");
    return Promise.resolve();
  }
  return new Promise((resolve, reject) => {
    let head: { readonly status: number; readonly headers: UpstreamHeaders } | undefined;
    let guard: EventGuard | undefined;
    let collector: ReturnType<typeof createCollector> | undefined;
    // The first piece of a short answer waits for its end, so that both are one write.
    let waiting: Buffer | undefined;

    const startAnswer = (status: number, headers: UpstreamHeaders) => {
      exchange.firstByte();
      exchange.record.status = status;
      sink.head(status, { ...answerHeaders(headers, true), ...exchange.headers() });
    };
    const flow: Flow = upstream.send(
      {
        method: "POST",
        path: generatePath(protocol.id) + (call.query === "?beta=true" ? call.query : ""),
        headers: upstreamHeaders(settled, call.headers, protocol.id),
        body: prepared.body,
      },
      {
        onHead(status, headers) {
          head = { status, headers };
          if (status < 200 || status >= 300) collector = createCollector(settled.limits.answer);
          else if (String(headers["content-type"] ?? "").startsWith("text/event-stream")) {
            if (headers["content-encoding"] === undefined || headers["content-encoding"] === "identity")
              guard = createEventGuard(protocol.id);
            startAnswer(status, headers);
          }
        },
        onData(chunk) {
          if (collector !== undefined) return collect(chunk);
          if (guard !== undefined) {
            const bytes = guard.push(chunk);
            if (guard.progressed) flow.progress();
            return bytes === undefined || sink.write(bytes);
          }
          flow.progress();
          if (!sink.started && head !== undefined) {
            // An error under status 200 is gathered and sent with the status that it has.
            if (errorStart.test(chunk.toString("latin1", 0, 200))) {
              collector = createCollector(settled.limits.answer);
              return collect(chunk);
            }
            startAnswer(head.status, head.headers);
            if (chunk.length <= SHORT) {
              waiting = chunk;
              return true;
            }
          }
          if (waiting !== undefined) {
            sink.write(waiting);
            waiting = undefined;
          }
          return sink.write(chunk);
        },
        onEnd() {
          try {
            end();
          } catch (error) {
            reject(error);
            return;
          }
          resolve();
        },
        onError(error) {
          cut(error).then(resolve, reject);
        },
      },
    );
    const collect = (chunk: Buffer): boolean => {
      if (collector?.push(chunk) === false) {
        flow.abort();
        reject(new UpstreamFailure("answer", "its answer is too large"));
      }
      return true;
    };
    const end = () => {
      if (collector !== undefined) {
        refuse(context, head, collector);
        return;
      }
      if (guard !== undefined) {
        const { rest, complete } = guard.finish();
        if (!complete) {
          void cut(new UpstreamFailure("answer", "the stream ended before it was complete"));
          return;
        }
        sink.end(rest);
      } else if (sink.started) sink.end(waiting);
      else throw new UpstreamFailure("answer", "its answer is empty");
      exchange.finish("complete");
    };
    const cut = async (failure: UpstreamFailure): Promise<void> => {
      if (!sink.started) throw failure;
      if (guard !== undefined && !sink.closed) {
        const { body } = await encodeFor(protocol.id, errorOf(failure, "answer"));
        sink.end(errorEvent(protocol.id, body));
      } else sink.destroy();
      exchange.finish("failed", { stage: failure.stage, message: failure.message });
    };
    sink.onDrain(() => flow.resume());
    sink.onAbort(() => {
      flow.abort();
      exchange.finish("aborted");
      resolve();
    });
  });
}

function refuse(
  { call, protocol, exchange }: PassContext,
  head: { readonly status: number; readonly headers: UpstreamHeaders } | undefined,
  collector: ReturnType<typeof createCollector>,
): void {
  const headers = singleHeaders(head?.headers ?? {});
  const answer = { status: head?.status ?? 502, headers, body: collector.body(headers["content-encoding"]) };
  const refused = convertErrorAnswer(protocol, protocol, answer, exchange.secrets);
  exchange.record.status = refused.status;
  sendJson(call.sink, refused.status, refused.body, { ...refused.headers, ...exchange.headers() });
  exchange.finish("failed", { stage: "service", message: refused.message });
}
