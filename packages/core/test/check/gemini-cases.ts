import type { Json, JsonObject } from "@rolecall/core";
import type { RuleCase } from "./cases.ts";

const user: JsonObject = { role: "user", parts: [{ text: "How is the weather in Paris?" }] };
const model: JsonObject = { role: "model", parts: [{ text: "Let me see." }] };
const body = (more: JsonObject = {}, contents: readonly Json[] = [user]): JsonObject => ({ contents, ...more });
const says = (...contents: readonly Json[]): JsonObject => body({}, contents);
const call = (more: JsonObject = {}): JsonObject => ({ functionCall: { name: "weather", args: {} }, ...more });
const result = (more: JsonObject = {}): JsonObject => ({
  functionResponse: { name: "weather", response: { output: "18 degrees" }, ...more },
});
const calls = (...parts: readonly Json[]): JsonObject => ({ role: "model", parts });
const answers = (...parts: readonly Json[]): JsonObject => ({ role: "user", parts });
const functions = (...declarations: readonly Json[]): JsonObject => ({
  tools: [{ functionDeclarations: declarations }],
});
const weather: JsonObject = { name: "weather" };
const generation = (config: JsonObject): JsonObject => body({ generationConfig: config });
const calling = (config: JsonObject): JsonObject =>
  body({ ...functions(weather), toolConfig: { functionCallingConfig: config } });

export const geminiCases: readonly RuleCase[] = [
  {
    rule: "G1a",
    bad: says({ role: "system", parts: [{ text: "Be brief." }] }, user),
    path: "/contents/0/role",
    good: says({ parts: [{ text: "hi" }] }, calls(call()), { ...answers(result()), role: "function" }),
  },
  { rule: "G1b", bad: says(user, model), path: "/contents/1/role", good: says(user, model, user) },
  {
    rule: "G2",
    bad: says(calls(call()), answers(result())),
    path: "/contents/0",
    good: says(user, calls(call()), calls(call()), answers(result(), result())),
  },
  {
    rule: "G3a",
    bad: says(user, calls(call(), call()), answers(result())),
    path: "/contents/1",
    good: says(user, calls(call(), call()), answers(result()), answers(result())),
  },
  {
    rule: "G3b",
    bad: says(user, calls(call()), answers(result({ name: "time" }))),
    path: "/contents/2/parts/0/functionResponse/name",
    good: says(user, calls(call()), answers(result())),
  },
  {
    rule: "G3c",
    bad: says(user, calls(call()), user),
    path: "/contents/1",
    good: says(user, calls(call()), answers(result()), user),
  },
  {
    rule: "G4",
    bad: says(user, calls(call(), call()), answers(result(), result())),
    path: "/contents/1/parts/0",
    good: says(
      user,
      calls(call()),
      answers(result()),
      model,
      user,
      calls(call({ thoughtSignature: "c2ln" }), call()),
      answers(result(), result()),
    ),
    profile: { model: "gemini-3-pro-preview" },
  },
  {
    rule: "G4",
    bad: says(user, calls(call()), answers(result())),
    path: "/contents/1/parts/0",
    good: says(user, calls(call()), answers(result())),
    profile: { model: "models/gemini-3-flash" },
    goodProfile: { model: "gemini-2.5-flash" },
  },
  {
    rule: "G5a",
    bad: says(user, calls(call()), answers(result({ response: "18 degrees" }))),
    path: "/contents/2/parts/0/functionResponse",
    good: says(user, calls(call()), answers(result({ response: {} }))),
  },
  {
    rule: "G5b",
    bad: body(functions({ name: "time" }), [user, calls(call()), answers(result())]),
    path: "/contents/1/parts/0/functionCall/name",
    good: body(functions(weather), [user, calls(call()), answers(result())]),
  },
  {
    rule: "G6a",
    bad: says(answers({ text: "a", inlineData: { mimeType: "image/png", data: "" } })),
    path: "/contents/0/parts/0",
    good: says(answers({ text: "a", thoughtSignature: "c2ln" })),
  },
  { rule: "G6b", bad: says({ role: "user", parts: [] }), path: "/contents/0/parts", good: says(user) },
  { rule: "G6b", bad: says(), path: "/contents", good: says(user) },
  {
    rule: "G7a",
    bad: body(functions({ ...weather, parameters: {}, parametersJsonSchema: {} })),
    path: "/tools/0/functionDeclarations/0",
    good: body({ tools: [{ function_declarations: [{ ...weather, parametersJsonSchema: {} }] }] }),
  },
  {
    rule: "G7b",
    bad: generation({ responseMimeType: "application/json", responseSchema: {}, response_json_schema: {} }),
    path: "/generationConfig",
    good: generation({ responseMimeType: "application/json", responseSchema: {} }),
  },
  {
    rule: "G7c",
    bad: generation({ responseSchema: {} }),
    path: "/generationConfig/responseSchema",
    good: generation({ response_mime_type: "application/json", responseSchema: {} }),
  },
  {
    rule: "G8a",
    bad: calling({ mode: "AUTO", allowedFunctionNames: ["weather"] }),
    path: "/toolConfig/functionCallingConfig/allowedFunctionNames",
    good: calling({ mode: "any", allowedFunctionNames: ["weather"] }),
  },
  {
    rule: "G8b",
    bad: calling({ mode: "ANY", allowedFunctionNames: ["weather", "time"] }),
    path: "/toolConfig/functionCallingConfig/allowedFunctionNames/1",
    good: calling({ mode: "VALIDATED", allowedFunctionNames: ["weather"] }),
  },
  {
    rule: "G9",
    bad: body({ tools: [{ functionDeclarations: [weather] }, { googleSearch: {} }] }),
    path: "/tools/1",
    good: body({
      tools: [{ functionDeclarations: [weather] }, { googleSearch: {} }],
      toolConfig: { includeServerSideToolInvocations: true },
    }),
  },
  {
    rule: "G10",
    bad: body({ cachedContent: "cachedContents/a", systemInstruction: { parts: [{ text: "Be brief." }] } }),
    path: "/systemInstruction",
    good: body({ cachedContent: "cachedContents/a" }),
  },
  {
    rule: "G11",
    bad: body(functions({ name: "1st" })),
    path: "/tools/0/functionDeclarations/0/name",
    good: body(functions({ name: "_first.of:all-1" })),
  },
  {
    rule: "G12",
    bad: body({ safetySettings: [], modelArmorConfig: {} }),
    path: "/safetySettings",
    good: body({ safetySettings: [] }),
  },
  {
    rule: "G13",
    bad: body({ modelArmorConfig: {} }),
    path: "/modelArmorConfig",
    good: body({ modelArmorConfig: {} }),
    profile: { provider: "google" },
    goodProfile: { provider: "vertex" },
  },
  {
    rule: "G15",
    bad: generation({ temperature: 1000 }),
    path: "/generationConfig/temperature",
    good: generation({ temperature: 2 }),
  },
  {
    rule: "X1",
    bad: body(functions(weather, weather)),
    path: "/tools/0/functionDeclarations/1/name",
    good: body(functions(weather, { name: "time" })),
  },
];
