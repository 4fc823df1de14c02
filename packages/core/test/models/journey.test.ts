import { describe, expect, test } from "vitest";
import { lintRequest } from "../../src/check/index.ts";
import type { AssistantMessage, Json, Loss, Message, ProtocolId } from "../../src/index.ts";
import { protocolIds, readModelPath } from "../../src/index.ts";
import type { Models } from "../../src/models/index.ts";
import { createModels } from "../../src/models/index.ts";
import { samples } from "./answers.ts";
import { json, startService } from "./service.ts";
import { key } from "./start.ts";

/**
 * An answer in the wire of a protocol: thinking that is signed where it has signatures, a text, and two calls at once. Each text in it has a mark of its
 * own, by which it is found again wherever it is sent.
 */
const answers: { readonly [P in ProtocolId]: (visit: number) => object } = {
  "openai-chat": (visit) => ({
    id: `chatcmpl_${visit}`,
    object: "chat.completion",
    created: 1_764_000_000,
    model: "m",
    choices: [
      {
        index: 0,
        finish_reason: "tool_calls",
        message: {
          role: "assistant",
          reasoning_content: `mark${visit}thought`,
          content: `mark${visit}text`,
          tool_calls: [1, 2].map((call) => ({
            id: `call_${visit}_${call}`,
            type: "function",
            function: { name: "read", arguments: `{"path":"mark${visit}argument${call}"}` },
          })),
        },
      },
    ],
    usage: { prompt_tokens: 9, completion_tokens: 9, total_tokens: 18 },
  }),
  "openai-responses": (visit) => ({
    id: `resp_${visit}`,
    object: "response",
    created_at: 1_764_000_000,
    status: "completed",
    model: "m",
    output: [
      {
        id: `rs_${visit}`,
        type: "reasoning",
        summary: [{ type: "summary_text", text: `mark${visit}thought` }],
        encrypted_content: `mark${visit}sealed`,
      },
      {
        id: `msg_${visit}`,
        type: "message",
        status: "completed",
        role: "assistant",
        content: [{ type: "output_text", text: `mark${visit}text`, annotations: [] }],
      },
      ...[1, 2].map((call) => ({
        id: `fc_${visit}_${call}`,
        type: "function_call",
        status: "completed",
        call_id: `call_${visit}_${call}`,
        name: "read",
        arguments: `{"path":"mark${visit}argument${call}"}`,
      })),
    ],
    usage: { input_tokens: 9, output_tokens: 9, total_tokens: 18 },
  }),
  "anthropic-messages": (visit) => ({
    id: `msg_${visit}`,
    type: "message",
    role: "assistant",
    model: "m",
    content: [
      { type: "thinking", thinking: `mark${visit}thought`, signature: `mark${visit}signature` },
      { type: "redacted_thinking", data: `mark${visit}redacted` },
      { type: "text", text: `mark${visit}text` },
      ...[1, 2].map((call) => ({
        type: "tool_use",
        id: `toolu_${visit}_${call}`,
        name: "read",
        input: { path: `mark${visit}argument${call}` },
      })),
    ],
    stop_reason: "tool_use",
    stop_sequence: null,
    usage: { input_tokens: 9, output_tokens: 9 },
  }),
  "gemini-generate-content": (visit) => ({
    candidates: [
      {
        index: 0,
        finishReason: "STOP",
        content: {
          role: "model",
          parts: [
            { text: `mark${visit}thought`, thought: true },
            { text: `mark${visit}text` },
            ...[1, 2].map((call) => ({
              functionCall: {
                id: `call_${visit}_${call}`,
                name: "read",
                args: { path: `mark${visit}argument${call}` },
              },
              // The first of parallel calls is signed: https://ai.google.dev/gemini-api/docs/thought-signatures.
              ...(call === 1 && { thoughtSignature: Buffer.from(`mark${visit}signature`).toString("base64") }),
            })),
          ],
        },
      },
    ],
    usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 9, totalTokenCount: 18 },
    modelVersion: "m",
    responseId: `r_${visit}`,
  }),
};

/** What of an answer belongs to its service alone, and has to come home as it was. */
const sealed: { readonly [P in ProtocolId]: (visit: number) => readonly string[] } = {
  "openai-chat": () => [],
  "openai-responses": (visit) => [`mark${visit}sealed`, `rs_${visit}`],
  "anthropic-messages": (visit) => [`mark${visit}signature`, `mark${visit}redacted`],
  "gemini-generate-content": (visit) => [Buffer.from(`mark${visit}signature`).toString("base64")],
};

/** Texts with a mark, by their place in the conversation. What the host keeps for itself is none. */
function marksIn(value: Json, path: string, found = new Map<string, string>()): Map<string, string> {
  if (typeof value === "string") {
    const [mark] = /mark\w+/.exec(value) ?? (/^bWFya/.test(value) ? [value] : []);
    if (mark !== undefined) found.set(path, mark);
  } else if (typeof value === "object" && value !== null)
    for (const [name, item] of Object.entries(value))
      if (name !== "wire" && name !== "details") marksIn(item, `${path}/${name}`, found);
  return found;
}

const isAt = (place: string, path: string): boolean => path === place || path.startsWith(`${place}/`);

/** The services of all protocols on one server, which refuses what they would refuse. */
async function startServices() {
  const asked: { readonly api: ProtocolId; readonly body: Json }[] = [];
  const service = await startService((request, response) => {
    const api = request.headers["x-api"] as ProtocolId;
    const url = readModelPath(request.url);
    const findings = lintRequest({ body: request.body, ...(url !== undefined && { url }) }, { protocol: api });
    const errors = findings.filter(({ severity }) => severity === "error");
    if (errors.length > 0) return json(response, 400, { error: { message: JSON.stringify(errors) } });
    json(response, 200, answers[api](asked.push({ api, body: request.body })));
  });
  const models = createModels({ environment: {}, retry: { maxRetries: 0 } });
  for (const sample of samples) {
    const provider = sample.provider({
      baseUrl: service.origin + sample.base,
      apiKey: key,
      headers: { "x-api": sample.api },
    });
    models.setProvider({ ...provider, id: sample.api });
  }
  return { models, asked };
}

const tool = (name: string, description: string) => ({
  name,
  description,
  parameters: { type: "object", properties: { path: { type: "string" } } } as const,
});

interface Leg {
  readonly api: ProtocolId;
  readonly history: readonly Message[];
  readonly body: string;
  readonly losses: readonly Loss[];
  readonly message: AssistantMessage;
}

/** Goes from model to model with one conversation, whose instructions and tools change on the way. */
async function travel(
  models: Models,
  asked: readonly { readonly body: Json }[],
  order: readonly ProtocolId[],
): Promise<Leg[]> {
  const history: Message[] = [
    {
      role: "system",
      authority: "system",
      content: [{ type: "text", text: "markAinstruction" }],
      sections: [{ name: "style", text: "markAstyle" }],
      toolsAdded: [{ ...tool("read", "markAtool"), kind: "function" }],
    } as unknown as Message,
    { role: "user", content: [{ type: "text", text: "markAquestion" }] },
  ];
  const legs: Leg[] = [];
  for (const [leg, api] of order.entries()) {
    const model = { type: "chat", id: "m", provider: api, api, maxTokens: 8192 } as const;
    const sent = [...history];
    const stream = models.stream(model, { messages: sent }, { stream: false, cacheRetention: "none" });
    const message = await stream.result();
    expect(message.errorMessage, `${order.join(" → ")}, leg ${leg}`).toBeUndefined();
    legs.push({ api, history: sent, body: JSON.stringify(asked.at(-1)?.body), losses: stream.losses, message });
    history.push(message);
    for (const part of message.content)
      if (part.type === "toolCall")
        history.push({
          role: "toolResult",
          toolCallId: part.id,
          toolName: part.name,
          content: [{ type: "text", text: `markR${leg}${part.id.replaceAll("_", "")}` }],
          details: { host: "alone" },
          isError: false,
        });
    if (leg === 1)
      history.push({
        role: "system",
        authority: "system",
        content: [],
        sections: [{ name: "style", text: "markBstyle" }],
        toolsAdded: [{ ...tool("write", "markBtool"), kind: "function" }],
      } as unknown as Message);
    history.push({ role: "user", content: [{ type: "text", text: `markU${leg}` }] });
  }
  return legs;
}

const orders = protocolIds.flatMap((first) =>
  protocolIds
    .filter((second) => second !== first)
    .flatMap((second) =>
      protocolIds
        .filter((third) => third !== first && third !== second)
        .map((third) => {
          const last = protocolIds.find((id) => ![first, second, third].includes(id)) as ProtocolId;
          return [first, second, third, last, first] as const;
        }),
    ),
);

describe("a conversation goes from model to model and comes home", () => {
  test("there are 24 ways", () => {
    expect(orders).toHaveLength(24);
  });

  test.each(orders.map((order) => [order.join(" → "), order] as const))("%s", async (_, order) => {
    const { models, asked } = await startServices();
    const legs = await travel(models, asked, order);
    expect(legs).toHaveLength(5);
    // There is something to tell on each leg but the first, because all protocols have thoughts of their own.
    for (const { losses } of legs.slice(1)) expect(losses.map(({ code }) => code)).toContain("reasoning.foreign");

    // What is the service's own comes home as it was.
    const home = legs.at(-1) as Leg;
    for (const own of sealed[home.api](1)) expect(home.body).toContain(own);

    for (const { api, history, body, losses } of legs) {
      const marks = marksIn(history as unknown as Json, "/messages");
      const replaced = new Set(["markAstyle"]);
      const missing = [...marks].filter(
        ([, mark]) => !body.includes(mark) && !(replaced.has(mark) && body.includes("markBstyle")),
      );
      // Nothing is missing that is not told to be dropped.
      const dropped = losses.filter(({ kind }) => kind === "dropped");
      const silent = missing.filter(([path]) => !dropped.some((loss) => isAt(loss.path, path)));
      expect(silent, `silent toward ${api}`).toEqual([]);
      // Nothing is told to be missing that was sent.
      const invented = dropped.filter(
        (loss) =>
          [...marks].some(([path, mark]) => isAt(loss.path, path) && body.includes(mark)) &&
          ![...marks].some(([path, mark]) => isAt(loss.path, path) && !body.includes(mark)),
      );
      expect(invented, `invented toward ${api}`).toEqual([]);
    }
  });
});
