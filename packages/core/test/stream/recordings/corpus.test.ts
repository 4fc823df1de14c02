import { expect, test } from "vitest";
import { describeWithCorpus } from "../../../../../test/corpus.ts";
import type { Protocol, ProtocolId, StreamEvent } from "../../../src/index.ts";
import { createSseParser, loadProtocol, protocolIds, valueAt, withoutWire } from "../../../src/index.ts";
import type { Body } from "../wire.ts";
import { chat, converted, framesOf } from "../wire.ts";
import { oddRecordings, recordedStreams } from "./recorded.ts";
import { responseOf } from "./response.ts";

/** Servers that put reasoning into the list of contents; a response keeps such a part whole. */
const reasoningInContent = /magistral|mistral/i;

const isOdd = (name: string): boolean => Object.keys(oddRecordings).some((odd) => name.endsWith(odd));

/** The events of a stream that comes in the given chunks. */
function eventsOf(protocol: Protocol, chunks: Iterable<string | Uint8Array>): StreamEvent[] {
  const parser = createSseParser();
  const decoder = protocol.createStreamDecoder();
  const events: StreamEvent[] = [];
  const read = (frames: ReturnType<typeof parser.push>): void => {
    for (const frame of frames) events.push(...decoder.push(frame));
  };
  for (const chunk of chunks) read(parser.push(chunk));
  read(parser.finish());
  return [...events, ...decoder.finish()];
}

function* split(bytes: Uint8Array, next: () => number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; ) {
    const size = next();
    yield bytes.subarray(at, at + size);
    at += size;
  }
}

/** Random numbers that are the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

/** Freezes everything that an event holds, so that a change throws. */
function freeze<T>(value: T): T {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/** Joins what a response has in one place and a stream in several, and sorts parts as a response of Chat has them. */
function comparable(message: Body, protocol: ProtocolId): Body {
  const { content, alternatives, ...rest } = withoutWire(message);
  const order = ["thinking", "text", "opaque", "refusal", "toolCall"];
  const parts: Body[] = [];
  for (const part of content) {
    const same =
      protocol === chat ? parts.find((other) => other.type === part.type && part.type !== "toolCall") : undefined;
    if (same?.type === "text") {
      same.text += part.text;
      if (part.citations !== undefined) same.citations = [...(same.citations ?? []), ...part.citations];
    } else if (same?.type === "thinking") same.thinking += part.thinking;
    else parts.push({ ...part });
  }
  if (protocol === chat) parts.sort((left, right) => order.indexOf(left.type) - order.indexOf(right.type));
  return {
    ...rest,
    content: parts,
    ...(alternatives !== undefined && { alternatives: alternatives.map((other: Body) => comparable(other, protocol)) }),
  };
}

describeWithCorpus("recorded streams", (folder) => {
  for (const id of protocolIds) {
    const streams = recordedStreams(folder, id);
    const others = protocolIds.filter((protocol) => protocol !== id);

    test(`${id}: there are recordings`, () => expect(streams.length).toBeGreaterThan(90));

    test(`${id}: frames come back as they were`, async () => {
      for (const { name, text } of streams) {
        if (isOdd(name)) continue;
        const { frames, losses } = await converted(text, id, id);
        const before = framesOf(text).filter(({ data }) => data.type !== "ping");
        // JSON has one zero.
        const values = (list: readonly Body[]) =>
          list.map(({ data }) => (typeof data === "string" ? data.trim() : JSON.parse(JSON.stringify(data))));
        expect(values(frames), name).toEqual(values(before));
        expect(losses, name).toEqual([]);
      }
    });

    test(`${id}: a stream gives the message of the equivalent response`, async () => {
      const protocol = await loadProtocol(id);
      for (const { name, text } of streams) {
        const { value } = await protocol.decodeStream(text);
        // Some files hold the answers of a whole loop, one after another.
        if (framesOf(text).filter(({ data }) => data.type === "message_start").length > 1) continue;
        const isCut = value.content.some((part) => part.type === "toolCall" && part.argumentsError !== undefined);
        if (
          isOdd(name) ||
          isCut ||
          // The response has no form for arguments in pieces.
          text.includes("partialArgs") ||
          reasoningInContent.test(name) ||
          value.stopReason === "error" ||
          value.stopReason === "pending"
        )
          continue;
        const response = protocol.decodeResponse(responseOf(framesOf(text), id)).value;
        const candidates = [value, ...(value.alternatives ?? [])];
        if (candidates.some((candidate) => candidate.rawStopReason === undefined)) continue;
        expect(comparable(value, id), name).toEqual(comparable(response, id));
      }
    });

    test(`${id}: chunks do not matter`, async () => {
      const protocol = await loadProtocol(id);
      const random = seeded(7);
      for (const { name, text } of streams) {
        const bytes = new TextEncoder().encode(text);
        const whole = eventsOf(protocol, [text]);
        expect(eventsOf(protocol, [bytes]), name).toEqual(whole);
        expect(
          eventsOf(
            protocol,
            split(bytes, () => 1 + Math.floor(random() * 300)),
          ),
          name,
        ).toEqual(whole);
        if (bytes.length < 20_000)
          expect(
            eventsOf(
              protocol,
              split(bytes, () => 1),
            ),
            name,
          ).toEqual(whole);
      }
    });

    test.each(others)(`${id} to %s: every stream converts, and each loss has its place`, async (other) => {
      for (const { name, text } of streams) {
        const { frames, losses } = await converted(text, id, other);
        expect(frames.length, name).toBeGreaterThan(0);
        const root = { events: framesOf(text).flatMap(({ data }) => (data === "[DONE]" ? [] : [data])) };
        for (const loss of losses) {
          if (loss.path === "") continue;
          const isMissing = loss.code === "field.absent" || loss.code === "stop.inferred";
          const path = isMissing ? loss.path.slice(0, loss.path.lastIndexOf("/")) : loss.path;
          expect(valueAt(root, path), `${name}: ${loss.code} at ${loss.path}`).toBeDefined();
        }
      }
    });

    test.each(others)(`${id} to %s: events survive JSON and are not changed`, async (other) => {
      const [source, target] = await Promise.all([loadProtocol(id), loadProtocol(other)]);
      for (const { name, text } of streams.slice(0, 60)) {
        const parser = createSseParser();
        const decoder = source.createStreamDecoder();
        const encoders = [target.createStreamEncoder(), target.createStreamEncoder(), source.createStreamEncoder()];
        for (const frame of parser.push(text)) {
          const events = freeze(decoder.push(frame));
          const [direct, copied] = [events, JSON.parse(JSON.stringify(events))].map((list, index) =>
            encoders[index]!.push(list),
          );
          expect(copied, name).toEqual(direct);
          encoders[2]!.push(events);
        }
      }
    });
  }
});
