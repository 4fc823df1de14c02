// A service of Chat Completions that answers at once, and as the name of the model says: a text, or a stream of so many deltas,
// all at once or one after the other.
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

/** The model that answers with a stream of so many deltas, all at once. @param {number} count */
export const burst = (count) => `burst-${count}`;
/** The same, with a millisecond between two of them. @param {number} count */
export const paced = (count) => `paced-${count}`;

/** The model that answers with the beginning of a stream, in the protocol that it is asked in, and then says nothing more. */
export const idle = "idle";
/** How many deltas it says. */
export const IDLE_DELTAS = 10;

/** @param {string} url */
function beginningOf(url) {
  const protocol = protocols.find((known) => families[known].path(idle, true).split("?")[0] === url.split("?")[0]);
  if (protocol === undefined) throw new Error(`nobody asks ${url}`);
  const { start, delta } = families[protocol];
  return start(idle) + Array.from({ length: IDLE_DELTAS }, (_, index) => delta(idle, index, text)).join("");
}

/** @type {Map<string, Buffer[]>} */
const streams = new Map();

/** @param {string} count */
function eventsOf(count) {
  let events = streams.get(count);
  if (events === undefined) {
    events = chatEvents(Number(count)).map((event) => Buffer.from(event));
    streams.set(count, events);
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
      if (request.url?.includes(idle) === true || body.includes(`"${idle}"`)) {
        response.writeHead(200, { "content-type": "text/event-stream" });
        response.write(beginningOf(request.url ?? ""));
        return;
      }
      const [, kind, count = ""] = /"(burst|paced)-(\d+)"/.exec(body.toString("latin1", 0, 400)) ?? [];
      if (kind === undefined) {
        response.writeHead(200, { "content-type": "application/json", "content-length": answer.length });
        response.end(answer);
        return;
      }
      response.writeHead(200, { "content-type": "text/event-stream" });
      const events = eventsOf(count);
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
