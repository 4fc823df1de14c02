import type { Loss, ProtocolId, StreamFailure } from "@rolecall/core";
import { convertStream, createSseParser } from "@rolecall/core";
import { readExchange } from "../input/exchange.ts";
import { readProfile } from "../input/profile.ts";
import type { StreamFile } from "../input/stream.ts";
import { detectStream } from "../input/stream.ts";
import { blame, Mistake } from "../mistake.ts";
import type { ConversionPlan } from "./convert-file.ts";

export interface StreamConversion {
  readonly from: ProtocolId;
  readonly losses: readonly Loss[];
  /** Why the answer that the stream carries failed, or where it was cut. */
  readonly failure: StreamFailure | undefined;
  /** Of what was read, in bytes. */
  readonly size: number;
}

/** Converts a stream while it is read, and hands on each piece of the result, the next one when `write` has taken it. Throws a Mistake that names the file, or a LossError. */
export async function convertStreamFile(
  file: StreamFile,
  plan: ConversionPlan,
  write: (text: string) => unknown,
): Promise<StreamConversion> {
  if (plan.source !== undefined) {
    throw new Mistake("--source belongs to requests, responses and errors; what a stream loses does not depend on it");
  }
  const { protocol: from, chunks } =
    plan.from === undefined ? await detectStream(file) : { protocol: plan.from, chunks: file.chunks };
  const { to, onLoss, accept } = plan;
  const target = plan.target === undefined ? undefined : await readProfile("--target", plan.target, to);
  const exchange = plan.exchange === undefined ? undefined : await readExchange(plan.exchange, from, to);
  let size = 0;
  // What holds no event is no stream, whatever a client would be told about it.
  const parser = createSseParser();
  let isStream = false;
  const look = (frames: readonly unknown[]): void => {
    isStream ||= frames.length > 0;
  };
  // A file that cannot be read is a mistake of the user, not an event of the stream.
  let unreadable: { readonly error: unknown } | undefined;
  async function* counted(): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of chunks) {
        size += chunk.length;
        if (!isStream) look(parser.push(chunk));
        yield chunk;
      }
      if (!isStream) look(parser.finish());
    } catch (error) {
      unreadable = { error };
    }
  }
  const { losses, failure } = await blame(file.name, async () => {
    const stream = convertStream(counted(), {
      from,
      to,
      onLoss,
      accept,
      ...(target !== undefined && { target }),
      ...(exchange !== undefined && { exchange }),
    });
    for await (const text of stream) {
      if (unreadable !== undefined || !isStream) break;
      await write(text);
    }
    return { losses: await stream.report, failure: await stream.failure };
  });
  if (unreadable !== undefined) throw unreadable.error;
  if (size === 0) throw new Mistake(`${file.name}: empty; name a FILE or pipe a stream in`);
  if (!isStream) throw new Mistake(`${file.name}: no stream of server-sent events: it holds no event`);
  return { from, losses, failure, size };
}
