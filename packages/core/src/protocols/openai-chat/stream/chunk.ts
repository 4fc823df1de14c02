import type { WireObject } from "../../../codec/restore.ts";
import type { AssistantMessage, JsonObject } from "../../../ir/index.ts";
import type { StreamFrame } from "../../../stream/protocol.ts";
import { secondsOf } from "../response.ts";

/** What all chunks of a stream share. */
export interface ChunkHead {
  head: AssistantMessage | undefined;
  /** In milliseconds: the time of an answer that tells none. */
  readonly receivedAt: number | undefined;
  /** What each chunk begins with under this head. */
  opening: { readonly head: AssistantMessage | undefined; readonly text: string } | undefined;
}

/** A chunk of one candidate. */
export function chunk(state: ChunkHead, choice: number, delta: WireObject, finish: string | null = null): StreamFrame {
  const choices = [{ index: choice, delta: delta as JsonObject, logprobs: null, finish_reason: finish }];
  return data(state, { choices });
}

/** Most chunks of a stream are these, so their JSON is not built anew each time. */
export function textChunk(state: ChunkHead, choice: number, key: string, text: string): StreamFrame {
  return { data: `${beforeText(state, choice, key)}${JSON.stringify(text)}${afterText}` };
}

/** What stands around the text of such a chunk. */
export function beforeText(state: ChunkHead, choice: number, key: string): string {
  return `${opening(state)},"choices":[{"index":${choice},"delta":{${JSON.stringify(key)}:`;
}
export const afterText = '},"logprobs":null,"finish_reason":null}]}';

/** A chunk with these fields. */
export function data(state: ChunkHead, fields: WireObject): StreamFrame {
  return { data: `${opening(state)},${JSON.stringify(fields).slice(1)}` };
}

/** What each chunk begins with. */
function opening(state: ChunkHead): string {
  const { head } = state;
  if (state.opening === undefined || state.opening.head !== head) {
    const shared = {
      id: head?.responseId ?? "chatcmpl-unknown",
      object: "chat.completion.chunk",
      created: secondsOf(head?.timestamp || state.receivedAt),
      model: head?.responseModel ?? (head?.wire === undefined ? head?.model : undefined) ?? "unknown",
    };
    state.opening = { head, text: JSON.stringify(shared).slice(0, -1) };
  }
  return state.opening.text;
}
