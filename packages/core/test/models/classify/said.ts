import type { ProtocolId } from "../../../src/index.ts";
import type { Sample } from "../answers.ts";
import { samples } from "../answers.ts";

/** A token: its text, how likely it was, and what else was likely in its place. */
export type Token = readonly [text: string, probability: number, others?: { readonly [text: string]: number }];

const openAi = (text: string, probability: number) => ({
  token: text,
  logprob: Math.log(probability),
  bytes: [...Buffer.from(text)],
});
const openAiTokens = (tokens: readonly Token[]) =>
  tokens.map(([text, own, others = {}]) => ({
    ...openAi(text, own),
    top_logprobs: Object.entries({ [text]: own, ...others }).map(([other, likely]) => openAi(other, likely)),
  }));
const gemini = (text: string, probability: number) => ({
  token: text,
  tokenId: 1,
  logProbability: Math.log(probability),
});

type Answered = (whole: object, text: string, tokens: readonly Token[] | undefined) => object;

const ways: { readonly [P in ProtocolId]: Answered } = {
  "openai-chat": (whole, text, tokens) => ({
    ...whole,
    choices: [
      {
        index: 0,
        message: { role: "assistant", content: text, refusal: null },
        finish_reason: "stop",
        logprobs: tokens === undefined ? null : { content: openAiTokens(tokens), refusal: null },
      },
    ],
  }),
  "openai-responses": (whole, text, tokens) => ({
    ...whole,
    output: [
      {
        id: "msg_1",
        type: "message",
        status: "completed",
        role: "assistant",
        content: [
          {
            type: "output_text",
            text,
            annotations: [],
            ...(tokens !== undefined && { logprobs: openAiTokens(tokens) }),
          },
        ],
      },
    ],
  }),
  "anthropic-messages": (whole, text) => ({ ...whole, content: [{ type: "text", text }], stop_reason: "end_turn" }),
  "gemini-generate-content": (whole, text, tokens) => ({
    ...whole,
    candidates: [
      {
        index: 0,
        content: { role: "model", parts: [{ text }] },
        finishReason: "STOP",
        ...(tokens !== undefined && {
          logprobsResult: {
            chosenCandidates: tokens.map(([token, own]) => gemini(token, own)),
            topCandidates: tokens.map(([token, own, others = {}]) => ({
              candidates: Object.entries({ [token]: own, ...others }).map(([other, likely]) => gemini(other, likely)),
            })),
          },
        }),
      },
    ],
  }),
};

/** A whole answer that holds one text, with its tokens where they are told. */
export function said({ api, whole }: Sample, text: string, tokens?: readonly Token[]): object {
  return ways[api](whole, text, tokens);
}

export const [chat, responses, anthropic, google] = samples as unknown as readonly [Sample, Sample, Sample, Sample];
