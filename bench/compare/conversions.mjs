// Conversions within one process, against reading and writing the same text as JSON.
import { createConverter, HistoryCache } from "@rolecall/core";
import { protocol as anthropicMessages } from "@rolecall/core/protocols/anthropic-messages";
import { protocol as openaiChat } from "@rolecall/core/protocols/openai-chat";
import { chatEvents } from "../../packages/gateway/bench/upstream.mjs";
import { conversation } from "../conversation.mjs";
import { convertByHand } from "../hand-converter.mjs";
import { compareAsync } from "../measure.mjs";
import { load as loadAiSdk } from "../peers/ai-sdk/load.mjs";
import { load as loadBridge } from "../peers/llm-bridge/load.mjs";
import { load as loadPi } from "../peers/pi-ai/load.mjs";
import { turnsOf } from "../turns.mjs";
import { inMilliseconds } from "./section.mjs";

/** @typedef {import("./section.mjs").Row} Row */
/** @typedef {import("./section.mjs").Run} Run */
/** @typedef {import("./section.mjs").Section} Section */
/** @typedef {{ subject: string, begin?: () => unknown, run: () => Promise<unknown>, calls: number }} Subject */

/** So many turns of a conversation go on from the one before. */
export const TURNS = 16;

/**
 * @param {string} name
 * @param {string} unit
 * @param {readonly Subject[]} subjects the first one is the base
 * @param {Run} run
 * @returns {Promise<Row>}
 */
async function compare(name, unit, subjects, { rounds, step }) {
  step(name);
  const compared = await compareAsync(subjects, { rounds, warmup: 12 });
  const cells = compared.map(({ ratio, time }, index) => ({
    subject: subjects[index]?.subject ?? "",
    spread: ratio,
    note: inMilliseconds(time.median),
  }));
  return { name, unit, cells };
}

const small = JSON.stringify({
  model: "bench-model",
  max_tokens: 1024,
  system: "Answer briefly.",
  messages: [{ role: "user", content: [{ type: "text", text: "Which files changed?" }] }],
});
const smallChat = JSON.stringify({
  model: "bench-model",
  max_tokens: 1024,
  messages: [
    { role: "system", content: "Answer briefly." },
    { role: "user", content: "Which files changed?" },
  ],
});

/** @param {Run} run @returns {Promise<Section>} */
export async function conversionSection(run) {
  const bridge = run.has("llm-bridge") ? await loadBridge("llm-bridge") : undefined;
  const forward = createConverter(anthropicMessages, openaiChat);
  const backward = createConverter(openaiChat, anthropicMessages);
  /** @param {string} text @param {"anthropic" | "openai"} from @param {"anthropic" | "openai"} to @param {number} calls @returns {Subject[]} */
  const subjects = (text, from, to, calls) => [
    { subject: "JSON alone", calls, run: async () => JSON.stringify(JSON.parse(text)) },
    {
      subject: "Rolecall",
      calls,
      run: async () => (from === "anthropic" ? forward : backward).convertRequest(text).value,
    },
    ...(from === "anthropic" && text !== small
      ? [{ subject: "by hand", calls, run: async () => JSON.stringify(convertByHand(JSON.parse(text))) }]
      : []),
    ...(bridge === undefined
      ? []
      : [
          {
            subject: "llm-bridge",
            calls,
            run: async () => JSON.stringify(bridge.translateBetweenProviders(from, to, JSON.parse(text))),
          },
        ]),
  ];
  const long = conversation("anthropic-messages", 10);
  const longChat = conversation("openai-chat", 10);
  const unit = "× JSON";
  const rows = [
    await compare("small request, Messages → Chat", unit, subjects(small, "anthropic", "openai", 4000), run),
    await compare("small request, Chat → Messages", unit, subjects(smallChat, "openai", "anthropic", 4000), run),
    await compare("700 KB request, Messages → Chat", unit, subjects(long, "anthropic", "openai", 4), run),
    await compare("700 KB request, Chat → Messages", unit, subjects(longChat, "openai", "anthropic", 4), run),
    await nextTurn(run, bridge),
    await fromObjects(run),
    await compare(
      "stream of 1,000 deltas, Chat → Messages",
      "× JSON of each event",
      streamSubjects(bridge, backwardStream),
      run,
    ),
  ];
  return {
    id: "conversion",
    title: "Conversions in one process",
    text: [
      "CPU time from text to text as a multiple of `JSON.stringify(JSON.parse(text))` of the same text; the time itself beside it. *By hand* is a converter for this one",
      "conversation, without checks or report. The small request has 200 bytes: there what a converter does once for each request weighs most. In the row of a next turn",
      "each request is the one before and what came since; Rolecall is measured with and without its cache of the history, and converts without one in the other rows. AI SDK and pi-ai do not start from text: their row is a whole call of 200 messages that they hold as objects,",
      "with a `fetch` of ours that answers at once, so it also has what they need to read that answer.",
    ].join(" "),
    rows: rows.filter(({ cells }) => cells.length > 1),
  };
}

/** @param {Run} run @param {any} bridge @returns {Promise<Row>} */
function nextTurn(run, bridge) {
  const texts = turnsOf(anthropicMessages, conversation("anthropic-messages", 10), TURNS + 1).map((body) =>
    JSON.stringify(body),
  );
  const { convertRequest } = createConverter(anthropicMessages, openaiChat);
  let cache = new HistoryCache();
  /** @param {string} subject @param {(text: string) => unknown} work @returns {Subject} */
  const inTurns = (subject, work) => {
    let turn = 0;
    return {
      subject,
      calls: TURNS,
      begin() {
        cache = new HistoryCache();
        work(/** @type {string} */ (texts[0]));
        turn = 0;
      },
      run: async () => work(/** @type {string} */ (texts[++turn])),
    };
  };
  return compare(
    "the next turn of 700 KB, Messages → Chat",
    "× JSON",
    [
      inTurns("JSON alone", (text) => JSON.stringify(JSON.parse(text))),
      inTurns("Rolecall", (text) => convertRequest(text).value),
      inTurns("Rolecall, HistoryCache", (text) => convertRequest(text, { cache }).value),
      ...(bridge === undefined
        ? []
        : [
            inTurns("llm-bridge", (text) =>
              JSON.stringify(bridge.translateBetweenProviders("anthropic", "openai", JSON.parse(text))),
            ),
          ]),
    ],
    run,
  );
}

/** @param {Run} run @returns {Promise<Row>} */
async function fromObjects(run) {
  const source = conversation("openai-chat", 10);
  const body = JSON.parse(source);
  /** @type {Subject[]} */
  const subjects = [{ subject: "JSON alone", calls: 2, run: async () => JSON.stringify(JSON.parse(source)) }];
  const answer = JSON.stringify({
    id: "chatcmpl-1",
    object: "chat.completion",
    created: 1767225600,
    model: "m",
    choices: [{ index: 0, message: { role: "assistant", content: "Yes." }, finish_reason: "stop" }],
    usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
  });
  const { fetch } = globalThis;
  try {
    if (run.has("ai-sdk")) subjects.push({ subject: "AI SDK", calls: 2, run: await callOfAiSdk(body, answer) });
    if (run.has("pi-ai")) subjects.push({ subject: "pi-ai", calls: 2, run: await callOfPi(body) });
    return await compare("a whole call with 700 KB of its own objects, to Chat", "× JSON", subjects, run);
  } finally {
    globalThis.fetch = fetch;
  }
}

/** @param {any} body @param {string} answer */
async function callOfAiSdk(body, answer) {
  const { generateText, tool, jsonSchema } = await loadAiSdk("ai");
  const { createOpenAI } = await loadAiSdk("@ai-sdk/openai");
  Object.assign(globalThis, { AI_SDK_LOG_WARNINGS: false });
  const provider = createOpenAI({
    apiKey: "sk-bench-0123456789",
    fetch: async () => new Response(answer, { headers: { "content-type": "application/json" } }),
  });
  const names = new Map();
  const messages = body.messages.slice(1).map((/** @type {any} */ { role, content, tool_calls = [], tool_call_id }) => {
    if (role === "user") return { role, content };
    if (role === "tool") {
      const output = { type: "text", value: content };
      return {
        role,
        content: [{ type: "tool-result", toolCallId: tool_call_id, toolName: names.get(tool_call_id), output }],
      };
    }
    const calls = tool_calls.map((/** @type {any} */ { id, function: { name, arguments: given } }) => {
      names.set(id, name);
      return { type: "tool-call", toolCallId: id, toolName: name, input: JSON.parse(given) };
    });
    return { role, content: [{ type: "text", text: content }, ...calls] };
  });
  const tools = Object.fromEntries(
    body.tools.map((/** @type {any} */ { function: { name, description, parameters } }) => [
      name,
      tool({ description, inputSchema: jsonSchema(parameters) }),
    ]),
  );
  const model = provider.chat("bench-model");
  return () => generateText({ model, system: body.messages[0].content, messages, tools, maxRetries: 0 });
}

/** @param {any} body */
async function callOfPi(body) {
  const { normalizeContext } = await loadPi("@earendil-works/pi-ai");
  const { stream } = await loadPi("@earendil-works/pi-ai/api/openai-completions");
  const answer = chatEvents(1).join("");
  globalThis.fetch = async () => new Response(answer, { headers: { "content-type": "text/event-stream" } });
  const names = new Map();
  const origin = { api: "openai-completions", provider: "bench", model: "bench-model" };
  const usage = {
    input: 0,
    output: 0,
    cacheRead: 0,
    cacheWrite: 0,
    totalTokens: 0,
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 },
  };
  const messages = body.messages.slice(1).map((/** @type {any} */ { role, content, tool_calls = [], tool_call_id }) => {
    if (role === "user") return { role, content, timestamp: 1 };
    const text = { type: "text", text: content };
    if (role === "tool")
      return {
        role: "toolResult",
        toolCallId: tool_call_id,
        toolName: names.get(tool_call_id),
        content: [text],
        isError: false,
        timestamp: 1,
      };
    const calls = tool_calls.map((/** @type {any} */ { id, function: { name, arguments: given } }) => {
      names.set(id, name);
      return { type: "toolCall", id, name, arguments: JSON.parse(given) };
    });
    return { role, content: [text, ...calls], ...origin, usage, stopReason: "toolUse", timestamp: 1 };
  });
  const tools = body.tools.map((/** @type {any} */ { function: { name, description, parameters } }) => ({
    name,
    description,
    parameters,
  }));
  const context = { systemPrompt: body.messages[0].content, messages, tools };
  const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
  const model = {
    id: "bench-model",
    name: "bench-model",
    ...origin,
    baseUrl: "http://127.0.0.1:9/v1",
    reasoning: false,
    input: ["text"],
    cost,
    contextWindow: 1e6,
    maxTokens: 8192,
  };
  return async () => {
    const { errorMessage } = await stream(model, normalizeContext(context), { apiKey: "sk-bench-0123456789" }).result();
    if (errorMessage !== undefined) throw new Error(`pi-ai: ${errorMessage}`);
  };
}

/** A client of Messages reads the stream of a service of Chat. */
const backwardStream = createConverter(anthropicMessages, openaiChat);

/** @param {any} bridge @param {typeof backwardStream} converter @returns {Subject[]} */
function streamSubjects(bridge, converter) {
  const events = chatEvents(1000);
  const text = events.join("");
  const bytes = Buffer.from(text);
  const calls = 6;
  return [
    {
      subject: "JSON alone",
      calls,
      run: async () =>
        events.map((event) => (event.includes("[DONE]") ? event : JSON.stringify(JSON.parse(event.slice(6))))).join(""),
    },
    {
      subject: "Rolecall",
      calls,
      run: async () => {
        let length = 0;
        for await (const piece of converter.convertStream([bytes])) length += piece.length;
        return length;
      },
    },
    ...(bridge === undefined
      ? []
      : [
          {
            subject: "llm-bridge",
            calls,
            run: async () => {
              const stream = bridge.handleUniversalStreamRequest(new Response(bytes).body, "openai", "anthropic");
              let length = 0;
              for await (const piece of stream) length += piece.length;
              return length;
            },
          },
        ]),
  ];
}
