import { describe, expect, test } from "vitest";
import type { ClassifyInput, ClassifyOptions, Question } from "../../../src/models/index.ts";
import { asClassifier } from "../../../src/models/index.ts";
import { json } from "../service.ts";
import { start } from "../start.ts";
import { chat, said } from "./said.ts";

const bool: Question = { id: "a", type: "bool", question: "Is it so?" };
const loop: { self?: unknown } = {};
loop.self = [loop, loop];

const wrong: readonly (readonly [name: string, input: object, path: string])[] = [
  ["no question", { questions: [] }, "/questions"],
  ["no list", { questions: {} }, "/questions"],
  ["null", { questions: [null] }, "/questions/0"],
  ["no id", { questions: [{ ...bool, id: "" }] }, "/questions/0/id"],
  ["one id twice", { questions: [bool, bool] }, "/questions/1/id"],
  ["no words", { questions: [{ ...bool, question: " " }] }, "/questions/0/question"],
  ["another type", { questions: [{ ...bool, type: "text" }] }, "/questions/0/type"],
  ["no choices", { questions: [{ ...bool, type: "choice", choices: [] }] }, "/questions/0/choices"],
  ["a number as a choice", { questions: [{ ...bool, type: "choice", choices: ["x", 1] }] }, "/questions/0/choices/1"],
  ["one choice twice", { questions: [{ ...bool, type: "choice", choices: ["x", "x"] }] }, "/questions/0/choices"],
  ["no minimum", { questions: [{ ...bool, type: "score", maximum: 1 }] }, "/questions/0/minimum"],
  ["a range of nothing", { questions: [{ ...bool, type: "score", minimum: 1, maximum: 1 }] }, "/questions/0/maximum"],
  [
    "no end",
    { questions: [{ ...bool, type: "score", minimum: 0, maximum: Number.POSITIVE_INFINITY }] },
    "/questions/0/maximum",
  ],
  ["no state", { state: undefined }, "/state"],
  ["a state that leads back to itself", { state: loop }, "/state"],
  ["a state of another kind", { state: { count: 1n } }, "/state"],
  ["a state that nests too deep", { state: JSON.parse("[".repeat(600) + "]".repeat(600)) }, "/state"],
  ["a data URL", { images: [{ data: "data:image/png;base64,AA", mediaType: "image/png" }] }, "/images/0/data"],
  ["an image without a type", { images: [{ data: "AA" }] }, "/images/0/mediaType"],
  ["no images", { images: [null] }, "/images/0/data"],
  ["instructions that are no text", { instructions: 1 }, "/instructions"],
];

describe("what cannot be asked is told at once:", () => {
  test.each(wrong)("%s", async (_name, input, path) => {
    const { models, model, service } = await start(chat, (_request, response) =>
      json(response, 200, said(chat, '{"q1":true}')),
    );
    const asked = { state: "x", questions: [bool], ...input } as ClassifyInput;
    await expect(models.classify(asClassifier(model), asked)).rejects.toMatchObject({ code: "config", path });
    expect(service.received).toEqual([]);
  });

  test.each([
    [{ responseFormat: { type: "json" } }, "/responseFormat"],
    [{ stream: true }, "/stream"],
    [{ n: 2 }, "/n"],
    [{ deferred: true }, "/deferred"],
    [{ temprature: 1 }, "/temprature"],
  ] as const)("the option %j", async (options, path) => {
    const { models, model } = await start(chat, () => undefined);
    await expect(
      models.classify(asClassifier(model), { state: "x", questions: [bool] }, options as ClassifyOptions),
    ).rejects.toMatchObject({ code: "config", path });
  });
});

test("ids and choices may be any text", async () => {
  const choices = ["__proto__", 'say "no"', "constructor", "ja\u2028é"];
  const ids = ["__proto__", "constructor", "a/b~c", "q2"];
  const questions = ids.map((id): Question => ({ id, type: "choice", question: "Which?", choices }));
  const answer = Object.fromEntries(choices.map((choice, index) => [`q${index + 1}`, choice]));
  const { models, model } = await start(chat, (_request, response) =>
    json(response, 200, said(chat, JSON.stringify(answer))),
  );
  const { answers } = await models.classify(asClassifier(model), { state: null, questions });
  expect(Object.keys(answers)).toEqual(ids);
  expect(ids.map((id) => Object.getOwnPropertyDescriptor(answers, id)?.value)).toEqual(
    choices.map((value) => ({ value })),
  );
  expect(({} as { value?: unknown }).value).toBeUndefined();
});
