import { describe, expect, test } from "vitest";
import type { Question } from "../../../src/models/index.ts";
import { asClassifier } from "../../../src/models/index.ts";
import type { Sample } from "../answers.ts";
import { json } from "../service.ts";
import { start } from "../start.ts";
import type { Token } from "./said.ts";
import { anthropic, chat, google, responses, said } from "./said.ts";

const choose = (...choices: string[]): Question => ({ id: "a", type: "choice", question: "Which?", choices });
const judge: Question = { id: "a", type: "bool", question: "Is it?" };
const rate: Question = { id: "a", type: "score", question: "How much?", minimum: 0, maximum: 100 };

async function ask(question: Question, tokens: readonly Token[], sample: Sample = chat, text?: string) {
  const whole = text ?? tokens.map(([token]) => token).join("");
  const { models, model, service } = await start(sample, (_request, response) =>
    json(response, 200, said(sample, whole, tokens)),
  );
  const result = await models.classify(asClassifier(model), { state: 1, questions: [question] }, { logprobs: true });
  if (result.stopReason !== "stop") throw new Error(result.errorMessage);
  return { answer: result.answers["a"], body: service.received[0]?.body, losses: result.losses };
}

const near = (value: number) => expect.closeTo(value, 10);

describe.each([chat, responses, google])("tokens of $api", (sample) => {
  test("tell how likely an answer was, and what else was", async () => {
    const { answer } = await ask(
      choose("glad", "sad"),
      [
        ['{"q1":"', 1],
        ["glad", 0.7, { sad: 0.2, gl: 0.05, "?": 0.01 }],
        ['"}', 0.9],
      ],
      sample,
    );
    expect(answer).toEqual({
      value: "glad",
      probability: near(0.75),
      probabilities: { glad: near(0.75), sad: near(0.2) },
    });
  });
});

test("they are asked for, and what a service cannot tell is a loss", async () => {
  const tokens: readonly Token[] = [
    ['{"q1":', 1],
    ["true", 0.6, { false: 0.4 }],
    ["}", 1],
  ];
  expect((await ask(judge, tokens)).body).toMatchObject({ logprobs: true, top_logprobs: 20 });
  const { answer, losses } = await ask(judge, tokens, anthropic);
  expect(answer).toEqual({ value: true });
  expect(losses.map(({ path }) => path)).toContain("/settings/logprobs");
});

const cases: readonly (readonly [name: string, question: Question, tokens: readonly Token[], answer: object])[] = [
  [
    "a word of two tokens is settled where the ways part",
    choose("very good", "very bad", "fair"),
    [
      ['{"q1":"', 1],
      ["very", 0.8, { fair: 0.2 }],
      [" good", 0.75, { " bad": 0.25 }],
      ['"}', 0.5],
    ],
    {
      value: "very good",
      probability: near(0.6),
      probabilities: { fair: near(0.2), "very good": near(0.6), "very bad": near(0.2) },
    },
  ],
  [
    "a choice that another begins with ends in its quotation mark",
    choose("pos", "positive"),
    [
      ['{"q1":"', 1],
      ["pos", 0.9],
      ['"}', 0.6, { '"': 0.1, itive: 0.3 }],
    ],
    { value: "pos", probability: near(0.63), probabilities: { pos: near(0.63), positive: near(0.27) } },
  ],
  [
    "a token that holds the quotation mark as well",
    choose("glad", "sad"),
    [
      ['{"q1":', 1],
      [' "g', 0.5, { ' "s': 0.25, s: 0.25 }],
      ["lad", 1],
      ['"}', 1],
    ],
    { value: "glad", probability: near(0.5), probabilities: { glad: near(0.5), sad: near(0.25) } },
  ],
  [
    "escaped characters",
    choose('say "no"', "say \\"),
    [
      ['{"q1":"', 1],
      ["say ", 1],
      ['\\"', 0.6, { "\\\\": 0.4 }],
      ['no\\"', 1],
      ['"}', 1],
    ],
    { value: 'say "no"', probability: near(0.6), probabilities: { 'say "no"': near(0.6), "say \\": near(0.4) } },
  ],
  [
    "true or false",
    judge,
    [
      ['{"q1":', 1],
      [" false", 0.8, { " true": 0.15, true: 0.05 }],
      ["}", 1],
    ],
    { value: false, probability: near(0.8), probabilities: { false: near(0.8), true: near(0.15) } },
  ],
  [
    "a number ends where something else begins",
    rate,
    [
      ['{"q1":', 1],
      ["3", 0.5, { "4": 0.5 }],
      ["}", 0.6, { "\n": 0.2, "0": 0.1, ".": 0.1 }],
    ],
    { value: 3, probability: near(0.4) },
  ],
];

describe("the probability of", () => {
  test.each(cases)("%s", async (_name, question, tokens, answer) => {
    expect((await ask(question, tokens)).answer).toEqual(answer);
  });
});

const silent: readonly (readonly [name: string, tokens: readonly Token[], text?: string])[] = [
  [
    "tokens that are not the text",
    [
      ['{"q1":"', 1],
      ["sad", 0.7],
      ['"}', 1],
    ],
    '{"q1":"glad"}',
  ],
  [
    "tokens that lack an end",
    [
      ['{"q1":"', 1],
      ["glad", 0.7],
    ],
    '{"q1":"glad"}',
  ],
  [
    "a key that stands in another object as well",
    [
      ['{"x":{"q1":"glad"},"q1":"', 1],
      ["glad", 0.7],
      ['"}', 1],
    ],
  ],
  [
    "a value that is written in another way",
    [
      ['{"q1":"', 1],
      ["\\u0067lad", 0.7],
      ['"}', 1],
    ],
  ],
  [
    "a key that is written in another way",
    [
      ['{"\\u00711":"', 1],
      ["glad", 0.7],
      ['"}', 1],
    ],
  ],
  [
    "a probability of more than one",
    [
      ['{"q1":"', 1],
      ["glad", 1.5],
      ['"}', 1],
    ],
  ],
  ["no tokens", [], '{"q1":"glad"}'],
];

test.each(silent.map(([name, tokens, text]) => ({ name, tokens, text })))(
  "nothing is said of $name",
  async ({ tokens, text }) => {
    expect((await ask(choose("glad", "sad"), tokens, chat, text)).answer).toEqual({ value: "glad" });
  },
);

test.each([
  ["a list of something else", { content: [1, null, "x"] }],
  ["no list", { content: { length: 1 } }],
  ["text", "none"],
  ["tops that are none", { content: [{ token: '{"q1":true}', logprob: -1, top_logprobs: 7 }] }],
  ["a word for a number", { content: [{ token: '{"q1":true}', logprob: "-1", top_logprobs: [] }] }],
])("nothing is said of what is no token: %s", async (_name, logprobs) => {
  const { models, model } = await start(chat, (_request, response) => {
    const body = said(chat, '{"q1":true}') as { choices: readonly object[] };
    json(response, 200, { ...body, choices: [{ ...body.choices[0], logprobs }] });
  });
  const asked = { state: 1, questions: [judge] };
  expect((await models.classify(asClassifier(model), asked, { logprobs: true })).answers["a"]).toEqual({ value: true });
});
