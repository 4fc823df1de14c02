import { ProviderError } from "../errors/index.ts";
import type { AssistantMessage, Json, Profile } from "../ir/index.ts";
import { isJsonObject } from "../ir/index.ts";
import type { ContextInput } from "../transcript/index.ts";
import type { ChatOptions } from "./chat/options.ts";
import type { ChatModel } from "./model.ts";
import type { StreamFunction } from "./models.ts";

/** What a server does with one thing that is asked of it. */
export interface ProbeResult {
  readonly name: string;
  /** `yes`: it was seen to work. `no`: it was refused, or ignored where that shows. `unclear`: it was taken, and nothing shows what came of it. */
  readonly outcome: "yes" | "no" | "unclear";
  /** What was seen. */
  readonly evidence: string;
  /** What of a profile follows from it. */
  readonly profile?: Profile;
  /** Kinds of input that it takes. */
  readonly input?: readonly "image"[];
}

interface Probe {
  readonly name: string;
  readonly context: ContextInput;
  readonly options?: ChatOptions;
  /** Only for models of these protocols. */
  readonly apis?: readonly ChatModel["api"][];
  /** Reads an answer that is no refusal. */
  readonly read: (message: AssistantMessage) => Pick<ProbeResult, "outcome" | "evidence">;
  /** What follows where it works, and where it does not. */
  readonly yes?: Profile;
  readonly no?: Profile;
  readonly input?: readonly "image"[];
}

const ask = (content: string): ContextInput => ({ messages: [{ role: "user", content }] });
const parameters = {
  type: "object",
  properties: { city: { type: "string" } },
  required: ["city"],
  additionalProperties: false,
} as const;
const weather = { name: "get_weather", description: "The weather of a city.", parameters };
const time = { name: "get_time", description: "The time of a city.", parameters };
/** Eight by eight red points. */
const red = "iVBORw0KGgoAAAANSUhEUgAAAAgAAAAICAIAAABLbSncAAAAEUlEQVR42mP4z8CAFTEMLQkAKP8/wc53yE8AAAAASUVORK5CYII=";

const textOf = ({ content }: AssistantMessage): string =>
  content.flatMap((part) => (part.type === "text" ? [part.text] : [])).join("");
const callsOf = ({ content }: AssistantMessage): readonly string[] =>
  content.flatMap((part) => (part.type === "toolCall" ? [part.name] : []));
const taken = (): Pick<ProbeResult, "outcome" | "evidence"> => ({ outcome: "yes", evidence: "taken" });
const called = (least: number) => (message: AssistantMessage) => {
  const calls = callsOf(message);
  const evidence = calls.length === 0 ? "no call" : `called ${calls.join(", ")}`;
  return {
    outcome: calls.length >= least ? ("yes" as const) : calls.length > 0 ? ("unclear" as const) : ("no" as const),
    evidence,
  };
};

/** In the order in which they are tried: the first says whether there is any use in the others. */
const probes: readonly Probe[] = [
  {
    name: "answer",
    context: ask("Answer with the word: ready"),
    options: { stream: false },
    read: (message) =>
      textOf(message) === "" ? { outcome: "no", evidence: "no text" } : { outcome: "yes", evidence: "a text" },
  },
  {
    name: "stream",
    context: ask("Answer with the word: ready"),
    read: (message) =>
      textOf(message) === "" ? { outcome: "no", evidence: "no text" } : { outcome: "yes", evidence: "a text" },
  },
  {
    name: "usage in streams",
    context: ask("Answer with the word: ready"),
    read: ({ usage: { unreported = [], input, output } }) =>
      unreported.includes("output")
        ? { outcome: "no", evidence: "no counts" }
        : { outcome: "yes", evidence: `${input} in, ${output} out` },
    apis: ["openai-chat"],
    yes: { supportsStreamOptions: true },
    no: { supportsStreamOptions: false },
  },
  {
    name: "instructions",
    context: {
      systemPrompt: "Answer every question with the word: ready",
      messages: [{ role: "user", content: "How are you?" }],
    },
    read: (message) => ({
      outcome: /ready/i.test(textOf(message)) ? "yes" : "unclear",
      evidence: /ready/i.test(textOf(message)) ? "followed" : "taken, not followed",
    }),
  },
  {
    name: "developer role",
    context: {
      messages: [
        { role: "system", authority: "developer", content: "Answer every question with the word: ready" },
        { role: "user", content: "How are you?" },
      ],
    },
    options: { profile: { supportsDeveloperRole: true } },
    read: taken,
    apis: ["openai-chat"],
    yes: { supportsDeveloperRole: true },
    no: { supportsDeveloperRole: false },
  },
  {
    name: "tools",
    context: { ...ask("What is the weather in Bergen? Use the tool."), tools: [weather] },
    read: called(1),
  },
  {
    name: "forced tool choice",
    context: { ...ask("Hello."), tools: [weather] },
    options: { toolChoice: { mode: "required" } },
    read: called(1),
  },
  {
    name: "parallel calls",
    context: { ...ask("Get the weather and the time in Bergen. Call both tools at once."), tools: [weather, time] },
    options: { parallelToolCalls: true },
    read: called(2),
    no: { supportsParallelToolCalls: false },
  },
  {
    name: "strict tools",
    context: { ...ask("What is the weather in Bergen? Use the tool."), tools: [{ ...weather, strict: true }] },
    read: called(1),
    yes: { supportsStrictTools: true },
    no: { supportsStrictTools: false },
  },
  {
    name: "structured output",
    context: ask("Which city has the Eiffel Tower?"),
    options: { responseFormat: { type: "jsonSchema", name: "answer", schema: parameters, strict: true } },
    read: (message) => {
      const text = textOf(message);
      return hasCity(text)
        ? { outcome: "yes", evidence: "an object of the schema" }
        : { outcome: "no", evidence: `ignored: ${JSON.stringify(text.slice(0, 60))}` };
    },
    yes: { supportsStructuredOutput: true },
    no: { supportsStructuredOutput: false },
  },
  {
    name: "images",
    context: {
      messages: [
        {
          role: "user",
          content: [
            { type: "text", text: "Which colour is this? Answer with one word." },
            { type: "image", source: { type: "base64", mediaType: "image/png", data: red } },
          ],
        },
      ],
    },
    read: (message) =>
      /red/i.test(textOf(message))
        ? { outcome: "yes", evidence: "seen" }
        : { outcome: "unclear", evidence: `taken, and answered ${JSON.stringify(textOf(message).slice(0, 60))}` },
    input: ["image"],
  },
  {
    name: "reasoning effort",
    context: ask("What is 17 × 23?"),
    options: { thinkingLevel: "low" },
    read: ({ content, usage }) =>
      content.some(({ type }) => type === "thinking") || (usage.reasoning ?? 0) > 0
        ? { outcome: "yes", evidence: "it thought" }
        : { outcome: "unclear", evidence: "taken; no thought was shown or counted" },
    yes: { supportsEffort: true },
    no: { supportsEffort: false },
  },
  {
    name: "sampling",
    context: ask("Answer with the word: ready"),
    options: { temperature: 0.5, topP: 0.9 },
    read: taken,
    yes: { supportsSampling: true },
    no: { supportsSampling: false },
  },
];

function hasCity(text: string): boolean {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) && typeof value["city"] === "string";
  } catch {
    return false;
  }
}

/** What a request was refused for says nothing about the thing that is tried: the key, the account, the network, a server that is down. */
const telling: ReadonlySet<unknown> = new Set(["invalid_request", "not_found", "unknown", "server"]);

/**
 * Tries what a server does, by asking it: tools, schemas, images and more. Each result comes when it is there. Throws a ProviderError where the server
 * does not answer at all, or the key is refused: then nothing is known. Each try is a call that the service may bill.
 */
export async function* probeModel(
  stream: StreamFunction,
  model: ChatModel,
  options: Pick<ChatOptions, "signal" | "apiKey" | "timeouts" | "fetch"> = {},
): AsyncGenerator<ProbeResult, void> {
  for (const probe of probes) {
    if (probe.apis?.includes(model.api) === false) continue;
    const message = await stream(model, probe.context, {
      maxTokens: 512,
      retry: { maxRetries: 2 },
      ...probe.options,
      ...options,
    }).result();
    options.signal?.throwIfAborted();
    yield resultOf(probe, message);
  }
}

function resultOf(probe: Probe, message: AssistantMessage): ProbeResult {
  const { name, yes, no, input } = probe;
  if (message.stopReason === "error" && message.stopDetail === undefined) {
    const error = isJsonObject(message.error) ? message.error : {};
    const evidence = `refused: ${message.errorMessage ?? "no reason given"}`.slice(0, 300);
    if (name === "answer" || !telling.has(error["kind"]) || error["type"] === "transport")
      throw new ProviderError(message.errorMessage ?? "the server does not answer", {
        kind: "server",
        retryable: false,
      });
    return { name, outcome: "no", evidence, ...(no !== undefined && { profile: no }) };
  }
  const read = probe.read(message);
  const profile = read.outcome === "yes" ? yes : read.outcome === "no" ? no : undefined;
  return {
    name,
    ...read,
    ...(profile !== undefined && { profile }),
    ...(input !== undefined && read.outcome === "yes" && { input }),
  };
}
