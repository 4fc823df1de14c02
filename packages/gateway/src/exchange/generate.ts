import type { ProtocolId } from "@rolecall/core";
import { RolecallError } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { noBody } from "../http/body.ts";
import type { Call } from "../http/sink.ts";
import { loadedProtocol, protocolOf } from "../protocols.ts";
import { answerScripted } from "../scripted/answer.ts";
import { UpstreamFailure } from "../upstream/upstream.ts";
import { convertExchange } from "./convert.ts";
import { encodeFor, errorOf, scrubError, sendError } from "./errors.ts";
import { OpenExchange } from "./exchange.ts";
import { passExchange } from "./pass.ts";
import { prepareBytes, prepareRequest } from "./prepare.ts";

/** Answers a call for a generation: bytes through where both sides speak the same, by way of the codecs otherwise. */
export async function generate(engine: Engine, call: Call, from: ProtocolId): Promise<void> {
  const exchange = new OpenExchange(engine, call, from);
  try {
    const { upstream, settled } = engine;
    if (upstream === undefined) {
      await answerScripted(call, from, exchange);
      return;
    }
    if (engine.passes && from === upstream.protocol) {
      // Nothing is converted, so no codec has to be there.
      const prepared = prepareBytes(engine, call, exchange);
      if (prepared !== undefined) {
        exchange.record.stream = prepared.stream;
        call.body = noBody;
        await passExchange({ upstream, settled, call, exchange }, prepared);
        return;
      }
    }
    const client = loadedProtocol(from) ?? (await protocolOf(from));
    const service = loadedProtocol(upstream.protocol) ?? (await protocolOf(upstream.protocol));
    const prepared = prepareRequest({ engine, call, client, service, exchange });
    exchange.record.stream = prepared.stream;
    call.body = noBody;
    if (prepared.passes) await passExchange({ upstream, settled, call, exchange }, prepared);
    else await convertExchange({ upstream, settled, call, client, service, exchange }, prepared);
  } catch (error) {
    await failBeforeAnswer(call, from, exchange, error);
  }
}

/** Tells the client what went wrong. What has no name in Rolecall's errors is a bug and goes to the log. */
export async function failBeforeAnswer(
  call: Call,
  from: ProtocolId,
  exchange: OpenExchange,
  thrown: unknown,
  stage: "request" | "answer" = "request",
): Promise<void> {
  const error = scrubError(errorOf(thrown, stage), exchange.secrets);
  exchange.refusedLosses(thrown);
  if (!call.sink.started && !call.sink.closed) {
    const answer = await encodeFor(from, error);
    exchange.record.status = answer.status;
    await sendError(call.sink, from, error, exchange.headers());
  } else if (!call.sink.closed) call.sink.destroy();
  const known = thrown instanceof RolecallError || error.details.status !== 500;
  exchange.finish("failed", {
    stage: thrown instanceof UpstreamFailure ? thrown.stage : stage,
    message: known ? error.message : thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : "unknown failure",
  });
}
