import { describe, expect, test } from "vitest";
import { anthropicEvents, anthropicText, chatEvents, chatText, isMessages } from "./service.ts";
import { post, start } from "./start.ts";

const COUNT = 200;

/** A number sequence that is the same in every run. */
function createRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

describe.each(["openai-chat", "anthropic-messages"] as const)("many clients of a service of %s", (protocol) => {
  test(`${COUNT} at once, some of which go away: nobody gets what belongs to another`, {
    timeout: 60_000,
  }, async () => {
    const random = createRandom(7);
    const { url, service, gateway, records } = await start({
      protocol,
      answer: async (request, response) => {
        const mark: string = /mark-\d+/.exec(request.text)![0];
        const text = `${`${mark} `.repeat(20)}`;
        const list = isMessages(request) ? anthropicEvents(anthropicText(text)) : chatEvents(chatText(text));
        response.writeHead(200, { "content-type": "text/event-stream" });
        for (const event of list) {
          if (response.destroyed) return;
          response.write(event);
          await new Promise((resolve) => setTimeout(resolve, 1));
        }
        response.end();
      },
    });
    let complete = 0;
    const one = async (index: number) => {
      const path = index % 2 === 0 ? "/v1/messages" : "/v1/chat/completions";
      const body = { model: "m", max_tokens: 99, stream: true, messages: [{ role: "user", content: `mark-${index}` }] };
      const controller = new AbortController();
      if (random() < 0.3) setTimeout(() => controller.abort(), random() * 200);
      const answer = await post(url, path, body, {}, controller.signal);
      const text = await answer.text();
      // Deltas cut the marks; the text that they make has only this one's.
      const said = [...text.matchAll(/"(?:text|content)":"([^"]*)"/g)].map((match) => match[1]).join("");
      expect(new Set(said.match(/mark-\d+/g))).toEqual(new Set([`mark-${index}`]));
      expect(text).toMatch(/message_stop|\[DONE\]/);
      complete++;
    };
    const results = await Promise.allSettled(Array.from({ length: COUNT }, (_, index) => one(index)));
    const failures = results.filter((result) => result.status === "rejected").map(({ reason }) => reason as Error);
    expect(failures.filter(({ name }) => name !== "AbortError")).toEqual([]);
    expect(complete).toBeGreaterThan(COUNT / 2);
    // Some gave up before the gateway knew of them; of the others each ended, one way or the other.
    const running = async () => {
      const { reports } = (await (await fetch(`${url}/rolecall/reports`)).json()) as { reports: { outcome: string }[] };
      return reports.filter(({ outcome }) => outcome === "running").length;
    };
    await expect.poll(running).toBe(0);
    expect(new Set(records.map(({ id }) => id)).size).toBe(records.length);
    expect(records.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(records.filter(({ outcome }) => outcome === "complete").length).toBeGreaterThanOrEqual(complete);
    await gateway.close();
    await expect.poll(() => service.connections(), { timeout: 5000 }).toBe(0);
  });
});
