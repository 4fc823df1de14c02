import type { ProtocolId } from "@rolecall/core";
import type { Engine } from "../engine.ts";
import { createError } from "../exchange/errors.ts";
import type { OpenExchange } from "../exchange/exchange.ts";
import type { Call } from "../http/sink.ts";

export async function answerScripted(
  _engine: Engine,
  _call: Call,
  _from: ProtocolId,
  _exchange: OpenExchange,
): Promise<void> {
  throw createError("server", "no scripted model yet", 501);
}
