/** What a service of Responses answers, as recordings have it. */
type Item = { readonly type: string; readonly id: string } & Record<string, unknown>;

const usage = {
  input_tokens: 12,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 7,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 19,
};

const answerOf = (output: readonly Item[]) => ({
  id: "resp_1",
  object: "response",
  created_at: 1760000000,
  status: "completed",
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  model: "upstream-model",
  output,
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
  usage,
});

const messageOf = (text: string): Item => ({
  type: "message",
  id: "msg_1",
  status: "completed",
  role: "assistant",
  content: [{ type: "output_text", text, annotations: [], logprobs: [] }],
});

export const responsesText = (text: string) => answerOf([messageOf(text)]);

export const responsesCall = (name: string, args: unknown, before?: string) =>
  answerOf([
    ...(before === undefined ? [] : [messageOf(before)]),
    {
      type: "function_call",
      id: "fc_1",
      status: "completed",
      call_id: "call_1",
      name,
      arguments: JSON.stringify(args),
    },
  ]);

type Frame = { readonly type: string } & Record<string, unknown>;

const pieces = (text: string): readonly string[] => text.match(/.{1,5}/gsu) ?? [];

function* itemFrames(item: Item, output_index: number): Generator<Frame> {
  const place = { item_id: item.id, output_index };
  const open = { ...item, status: "in_progress" };
  if (item.type === "function_call") {
    const text = String(item["arguments"]);
    yield { type: "response.output_item.added", output_index, item: { ...open, arguments: "" } };
    for (const delta of pieces(text)) yield { type: "response.function_call_arguments.delta", ...place, delta };
    yield { type: "response.function_call_arguments.done", ...place, arguments: text };
  } else {
    const [part] = item["content"] as [{ text: string }];
    const at = { ...place, content_index: 0 };
    yield { type: "response.output_item.added", output_index, item: { ...open, content: [] } };
    yield { type: "response.content_part.added", ...at, part: { ...part, text: "" } };
    for (const delta of pieces(part.text)) yield { type: "response.output_text.delta", ...at, delta, logprobs: [] };
    yield { type: "response.output_text.done", ...at, text: part.text, logprobs: [] };
    yield { type: "response.content_part.done", ...at, part };
  }
  yield { type: "response.output_item.done", output_index, item };
}

export function responsesEvents(answer: ReturnType<typeof responsesText>): string[] {
  const open = { ...answer, status: "in_progress", output: [], usage: null };
  const frames: readonly Frame[] = [
    { type: "response.created", response: open },
    { type: "response.in_progress", response: open },
    ...answer.output.flatMap((item, index) => [...itemFrames(item, index)]),
    { type: "response.completed", response: answer },
  ];
  return frames.map(
    ({ type, ...frame }, sequence_number) =>
      `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number, ...frame })}\n\n`,
  );
}
