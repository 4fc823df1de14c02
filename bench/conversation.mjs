// One conversation of a coding agent, as large as asked, the same on each run: instructions, tools with schemas, turns that
// think and call, results with program text in several scripts.
import { createRandom } from "./random.mjs";

/** @typedef {"openai-chat" | "anthropic-messages"} ProtocolName */
/** @typedef {{ name: string, description: string, schema: object }} Tool */
/** @typedef {{ id: string, name: string, input: object }} Call */
/** @typedef {{ id: string, text: string, failed: boolean }} Result */
/** @typedef {{ type: "user", text: string }} UserTurn */
/** @typedef {{ type: "assistant", thinking: string | undefined, text: string, calls: Call[] }} AssistantTurn */
/** @typedef {{ type: "results", results: Result[] }} ResultTurn */
/** @typedef {{ instruction: string, tools: Tool[], turns: (UserTurn | AssistantTurn | ResultTurn)[] }} Plan */

const nouns =
  "account archive batch border bucket channel cursor daemon digest driver event field folder frame gauge graph group handle header index journal kernel label ledger limit marker module node offset packet page parcel queue record region report route sample schema segment shard signal socket source stack station stream table ticket token vector window worker".split(
    " ",
  );
const verbs =
  "append check clear close count drain fetch flush join limit list load lock mark merge move open pick pull push read reset resolve scan seek send show sort split start stop store sweep trace trim wait watch wrap write".split(
    " ",
  );
const remarks = ["计数", "合计を返す", "größer als nötig", "zone tampon", "проверка", "→ next", "plain"];

/** @param {number} seed */
function createWriter(seed) {
  const random = createRandom(seed);
  /** @param {number} limit */
  const below = (limit) => Math.floor(random() * limit);
  /** @type {<T>(list: readonly T[]) => T} */
  const pick = (list) => /** @type {typeof list[number]} */ (list[below(list.length)]);
  /** @param {number} length */
  const prose = (length) => {
    let text = "";
    while (text.length < length) {
      text += `${pick(verbs)} the ${pick(nouns)}`;
      text += random() < 0.15 ? `, then "${pick(nouns)}". ` : random() < 0.1 ? " — and " : " ";
    }
    return text.slice(0, length);
  };
  /** @param {number} length */
  const program = (length) => {
    let text = "";
    for (let line = 1; text.length < length; line++) {
      const indent = "  ".repeat(below(4));
      text += `${line}\t${indent}const ${pick(nouns)}${below(1000)} = ${pick(verbs)}(${pick(nouns)}, "${pick(nouns)}\\${pick(nouns)}");`;
      text += random() < 0.8 ? ` // ${pick(remarks)}\n` : "\n";
    }
    return text.slice(0, length);
  };
  return { below, pick, prose, program, chance: (/** @type {number} */ share) => random() < share };
}

/** @typedef {ReturnType<typeof createWriter>} Writer */

/**
 * @param {Writer} writer
 * @param {number} number
 * @returns {Tool}
 */
function planTool({ pick, prose }, number) {
  const name = `${pick(verbs)}_${pick(nouns)}_${number}`;
  return {
    name,
    description: prose(480),
    schema: {
      type: "object",
      properties: {
        path: { type: "string", description: prose(80) },
        [`${pick(nouns)}_count`]: { type: "integer", minimum: 0, description: prose(80) },
        dry: { type: "boolean", description: prose(60) },
        edits: {
          type: "array",
          description: prose(60),
          items: {
            type: "object",
            properties: { line: { type: "integer" }, text: { type: "string", description: prose(40) } },
            required: ["line"],
          },
        },
        mode: { type: "string", enum: ["read", "write", "both"], description: prose(60) },
      },
      required: ["path"],
      additionalProperties: false,
    },
  };
}

/**
 * A conversation of about 67 KB times `size`: 20 messages and 6 tools for each 1.
 * @param {number} size
 * @returns {Plan}
 */
function plan(size) {
  const writer = createWriter(20261130);
  const tools = Array.from({ length: 6 * size }, (_, number) => planTool(writer, number));
  const instruction = writer.prose(1400 * size);
  /** @type {Plan["turns"]} */
  const turns = [];
  let calls = 0;
  while (turns.length < 20 * size) {
    if (turns.length % 20 === 0) turns.push({ type: "user", text: writer.prose(400) });
    const count = writer.chance(0.25) ? 2 : 1;
    /** @type {AssistantTurn} */
    const turn = {
      type: "assistant",
      thinking: writer.chance(0.5) ? writer.prose(300) : undefined,
      text: writer.prose(220),
      calls: Array.from({ length: count }, () => ({
        id: `call_${(++calls).toString(36).padStart(10, "0")}`,
        name: writer.pick(tools).name,
        input: {
          path: `src/${writer.pick(nouns)}/${writer.pick(nouns)}.ts`,
          offset: writer.below(10_000),
          dry: writer.chance(0.5),
          edits: [{ line: writer.below(500), text: writer.program(960 / count) }],
        },
      })),
    };
    const results = turn.calls.map(({ id }) => ({
      id,
      text: writer.program(3400 / count),
      failed: writer.chance(0.05),
    }));
    turns.push(turn, { type: "results", results });
  }
  turns.push({ type: "user", text: "Go on, and say what comes next." });
  return { instruction, tools, turns };
}

/** @param {Plan} conversation */
function writeMessages({ instruction, tools, turns }) {
  return {
    model: "bench-model",
    max_tokens: 8192,
    stream: false,
    system: [{ type: "text", text: instruction, cache_control: { type: "ephemeral" } }],
    tools: tools.map(({ name, description, schema }) => ({ name, description, input_schema: schema })),
    messages: turns.map((turn) => {
      if (turn.type === "user") return { role: "user", content: [{ type: "text", text: turn.text }] };
      if (turn.type === "results") {
        return {
          role: "user",
          content: turn.results.map(({ id, text, failed }) => ({
            type: "tool_result",
            tool_use_id: id,
            content: [{ type: "text", text }],
            is_error: failed,
          })),
        };
      }
      const { thinking, text, calls } = turn;
      const signature = thinking === undefined ? "" : Buffer.from(thinking).toString("base64");
      return {
        role: "assistant",
        content: [
          ...(thinking === undefined ? [] : [{ type: "thinking", thinking, signature }]),
          { type: "text", text },
          ...calls.map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
        ],
      };
    }),
  };
}

/** @param {Plan} conversation */
function writeChat({ instruction, tools, turns }) {
  return {
    model: "bench-model",
    max_tokens: 8192,
    stream: false,
    tools: tools.map(({ name, description, schema }) => ({
      type: "function",
      function: { name, description, parameters: schema },
    })),
    messages: [
      { role: "system", content: instruction },
      ...turns.flatMap((turn) => {
        if (turn.type === "user") return [{ role: "user", content: turn.text }];
        if (turn.type === "results") {
          return turn.results.map(({ id, text }) => ({ role: "tool", tool_call_id: id, content: text }));
        }
        const calls = turn.calls.map(({ id, name, input }) => ({
          id,
          type: "function",
          function: { name, arguments: JSON.stringify(input) },
        }));
        return [{ role: "assistant", content: turn.text, tool_calls: calls }];
      }),
    ],
  };
}

/**
 * The request as JSON text.
 * @param {ProtocolName} protocol
 * @param {number} size 1 is about 67 KB
 */
export function conversation(protocol, size) {
  const planned = plan(size);
  return JSON.stringify(protocol === "openai-chat" ? writeChat(planned) : writeMessages(planned));
}
