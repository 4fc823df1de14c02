// A service of Chat Completions, and below /v1/messages of Messages, that answers at once, and as the name of the model says: a text, or a stream of
// so many deltas, all at once, one after the other, or without an end.
import http from "node:http";
import { families, protocols } from "../../../scripts/traffic/protocols.mjs";

const text = " token";
const usage = { prompt_tokens: 10, completion_tokens: 8, total_tokens: 18 };

const answer = JSON.stringify({
  id: "chatcmpl-1",
  object: "chat.completion",
  created: 1760000000,
  model: "m",
  choices: [
    { index: 0, message: { role: "assistant", content: text, refusal: null }, logprobs: null, finish_reason: "stop" },
  ],
  usage,
});

const base = {
  id: "chatcmpl-1",
  object: "chat.completion.chunk",
  created: 1760000000,
  model: "m",
  service_tier: "default",
  system_fingerprint: "fp_0123456789",
};

/**
 * The events of a stream of Chat Completions.
 * @param {number} count of deltas
 * @param {string} [piece] what each says
 */
export function chatEvents(count, piece = text) {
  /** @type {(delta: object, finish?: string) => string} */
  const chunk = (delta, finish) => {
    const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish ?? null }];
    return `data: ${JSON.stringify({ ...base, choices })}\n\n`;
  };
  const list = [chunk({ role: "assistant", content: "" })];
  for (let index = 0; index < count; index++) list.push(chunk({ content: piece }));
  list.push(chunk({}, "stop"), `data: ${JSON.stringify({ ...base, choices: [], usage })}\n\n`, "data: [DONE]\n\n");
  return list;
}

const message = {
  id: "msg_1",
  type: "message",
  role: "assistant",
  model: "m",
  content: [{ type: "text", text }],
  stop_reason: "end_turn",
  stop_sequence: null,
  usage: { input_tokens: 10, output_tokens: 8 },
};

/**
 * The events of a stream of Messages.
 * @param {number} count of deltas
 */
function messagesEvents(count) {
  const event = (/** @type {{ type: string }} */ data) => `event: ${data.type}\ndata: ${JSON.stringify(data)}\n\n`;
  const begun = { ...message, content: [], stop_reason: null };
  const delta = event(
    /** @type {{ type: string }} */ ({ type: "content_block_delta", index: 0, delta: { type: "text_delta", text } }),
  );
  return [
    event(/** @type {{ type: string }} */ ({ type: "message_start", message: begun })),
    event(
      /** @type {{ type: string }} */ ({
        type: "content_block_start",
        index: 0,
        content_block: { type: "text", text: "" },
      }),
    ),
    ...Array.from({ length: count }, () => delta),
    event(/** @type {{ type: string }} */ ({ type: "content_block_stop", index: 0 })),
    event(
      /** @type {{ type: string }} */ ({
        type: "message_delta",
        delta: { stop_reason: "end_turn", stop_sequence: null },
        usage: { output_tokens: 8 },
      }),
    ),
    event({ type: "message_stop" }),
  ];
}

/** The model that answers with a stream of so many deltas, all at once. @param {number} count */
export const burst = (count) => `burst-${count}`;
/** The same, with a millisecond between two of them. @param {number} count */
export const paced = (count) => `paced-${count}`;
/** The model that says so many deltas, in the protocol that it is asked in, and then nothing more, without an end. @param {number} count */
export const idle = (count) => `idle-${count}`;

/** @param {string} url @param {number} count */
function beginningOf(url, count) {
  const model = idle(count);
  const protocol = protocols.find((known) => families[known].path(model, true).split("?")[0] === url.split("?")[0]);
  if (protocol === undefined) throw new Error(`nobody asks ${url}`);
  const { start, delta } = families[protocol];
  return start(model) + Array.from({ length: count }, (_, index) => delta(model, index, text)).join("");
}

/** @type {Map<string, Buffer[]>} */
const streams = new Map();

/** @param {string} count @param {boolean} isMessages */
function eventsOf(count, isMessages) {
  const key = `${count} ${isMessages}`;
  let events = streams.get(key);
  if (events === undefined) {
    const texts = isMessages ? messagesEvents(Number(count)) : chatEvents(Number(count));
    events = texts.map((event) => Buffer.from(event));
    streams.set(key, events);
  }
  return events;
}

export function createUpstream() {
  return http.createServer((request, response) => {
    /** @type {Buffer[]} */
    const chunks = [];
    request.on("data", (chunk) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const isMessages = request.url?.startsWith("/v1/messages") === true;
      const asked = `${request.url} ${body.toString("latin1", 0, 400)}`;
      const [, kind, count = ""] = /["/](burst|paced|idle)-(\d+)[":]/.exec(asked) ?? [];
      if (kind === undefined) {
        const whole = isMessages ? JSON.stringify(message) : answer;
        response.writeHead(200, { "content-type": "application/json", "content-length": whole.length });
        response.end(whole);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      if (kind === "idle") {
        response.write(beginningOf(request.url ?? "", Number(count)));
        return;
      }
      const events = eventsOf(count, isMessages);
      if (kind === "burst") {
        for (const event of events) response.write(event);
        response.end();
        return;
      }
      let next = 0;
      const step = () => {
        response.write(events[next++]);
        if (next < events.length) setTimeout(step, 1);
        else response.end();
      };
      step();
    });
  });
}
