// What a call of a model costs beside a loop by hand over the same answer of the same `fetch`.
import { createModels } from "@rolecall/core/models";
import { blankOf, createHandLoop, DELTAS, streams, TEXT, textOf } from "./event-streams.mjs";
import { compareAsync } from "./measure.mjs";

/** @typedef {import("./measure.mjs").Figure} Figure */

/** The name and the base URL do not matter: the answer is there. */
const row = {
  id: "bench",
  name: "bench",
  baseUrl: "https://bench.test",
  apiKey: "none",
  keyVariables: [],
  keyOrigins: [],
};

/** @param {readonly Buffer[]} chunks */
const answerOf = (chunks) =>
  new Response(
    new ReadableStream({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    }),
    { headers: { "content-type": "text/event-stream" } },
  );

/** @returns {Promise<Figure[]>} */
export async function modelStreamFigures() {
  const wanted = TEXT.repeat(DELTAS);
  /** @type {Figure[]} */
  const figures = [];
  for (const [name, , protocol, chunks] of streams) {
    const fetch = async () => answerOf(chunks);
    const find = /** @type {(frame: any) => string | undefined} */ (textOf[name]);
    const byHand = async () => {
      let text = "";
      const push = createHandLoop(blankOf(chunks), (frame) => {
        text += find(frame) ?? "";
      });
      const decoder = new TextDecoder();
      const { body } = await fetch();
      for await (const chunk of /** @type {ReadableStream<Uint8Array>} */ (body))
        push(decoder.decode(chunk, { stream: true }));
      if (text !== wanted) throw new Error(`the loop over ${name} does not say what it should`);
    };
    const models = createModels({ fetch });
    models.setProvider({ ...row, api: protocol.id, models: [] });
    const model = /** @type {const} */ ({ type: "chat", id: "m", provider: "bench", api: protocol.id });
    const asked = { messages: [{ role: /** @type {const} */ ("user"), content: "hi" }] };
    const byStream = async () => {
      let text = "";
      for await (const event of models.stream(model, asked)) if (event.type === "text_delta") text += event.delta;
      if (text !== wanted) throw new Error(`stream() of ${name} does not say what it should`);
    };
    const [, own] = await compareAsync(
      [
        { run: byHand, calls: 20 },
        { run: byStream, calls: 20 },
      ],
      { rounds: 15, warmup: 10 },
    );
    if (own === undefined) continue;
    figures.push({
      name: `stream() of 1,000 deltas, ${name}`,
      unit: "× by hand",
      target: 2.5,
      spread: own.ratio,
      note: `${own.time.median.toFixed(2)} ms, each event read`,
    });
  }
  return figures;
}
