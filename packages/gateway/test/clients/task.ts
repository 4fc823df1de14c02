import type { ProtocolId } from "@rolecall/core";

/** What a client is asked to do: to read a file with its tool, and to say what is in it. */
export const task = {
  prompt: "What does ä.txt say?",
  path: "ä.txt",
  content: "hello",
  answer: "It says hello, wörld 🎉.",
} as const;

export const tool = {
  name: "read_file",
  description: "Reads a file.",
  schema: { type: "object", properties: { path: { type: "string" } }, required: ["path"], additionalProperties: false },
} as const;

export interface Outcome {
  /** The paths that its tool was called with. */
  readonly read: readonly string[];
  /** What it says at last. */
  readonly text: string;
  /** Tokens of the last answer, as the client counts them. */
  readonly tokens: { readonly input: number | undefined; readonly output: number | undefined };
}

/** A client that does the task by way of a gateway. */
export interface Client {
  readonly name: string;
  /** What it speaks. */
  readonly protocol: ProtocolId;
  /** Takes the tokens of the prompt from the head of a stream alone, where a service of OpenAI has not told them yet. */
  readonly countsEarly?: true;
  run(gateway: string, stream: boolean): Promise<Outcome>;
}
