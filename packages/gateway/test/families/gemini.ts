/** What a service of Gemini answers, as recordings have it: a reason "STOP" beside calls, too, and figures in each chunk. */
interface Part {
  readonly text?: string;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: unknown };
}

const usageMetadata = { promptTokenCount: 12, candidatesTokenCount: 7, totalTokenCount: 19 };

const answerOf = (parts: readonly Part[], model: string) => ({
  candidates: [{ content: { parts, role: "model" }, finishReason: "STOP", index: 0 }],
  usageMetadata,
  modelVersion: model,
  responseId: "resp_1",
});

export const geminiText = (text: string) => answerOf([{ text }], "upstream-model");

export const geminiCall = (name: string, args: unknown, before?: string) =>
  answerOf(
    [...(before === undefined ? [] : [{ text: before }]), { functionCall: { id: "call_1", name, args } }],
    "upstream-model",
  );

/** Chunks of an answer: each a response with what is new, the last with the reason. */
function chunksOf(answer: ReturnType<typeof geminiText>): object[] {
  const { candidates, usageMetadata: usage, ...head } = answer;
  const { content, ...end } = candidates[0]!;
  const pieces = content.parts.flatMap((part) =>
    part.text === undefined ? [part] : (part.text.match(/.{1,5}/gsu) ?? []).map((text) => ({ text })),
  );
  const early = { promptTokenCount: usage.promptTokenCount, totalTokenCount: usage.promptTokenCount };
  return [
    ...pieces.map((part) => ({
      candidates: [{ content: { parts: [part], role: "model" }, index: 0 }],
      usageMetadata: early,
      ...head,
    })),
    { candidates: [{ ...end, content: { parts: [{ text: "" }], role: "model" } }], usageMetadata: usage, ...head },
  ];
}

export const geminiEvents = (answer: ReturnType<typeof geminiText>): string[] =>
  chunksOf(answer).map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`);

/** The same as a JSON list, as the service streams it without `alt=sse`; each piece with what stands before it. */
export function geminiList(answer: ReturnType<typeof geminiText>): string[] {
  const chunks = chunksOf(answer).map((chunk) => JSON.stringify(chunk, null, 2));
  return [...chunks.map((chunk, index) => (index === 0 ? "[" : "\n,\r\n") + chunk), "\n]\n"];
}
