import { describe, expect, test } from "vitest";
import type { Answer } from "../service.ts";
import {
  anthropicCall,
  anthropicEvents,
  anthropicText,
  chatCall,
  chatEvents,
  chatText,
  events,
  isMessages,
  json,
} from "../service.ts";
import { start } from "../start.ts";
import { aiSdk } from "./ai-sdk.ts";
import { langchain } from "./langchain.ts";
import { sdks } from "./sdk.ts";
import { task, tool } from "./task.ts";

/** Says something and calls the tool; once it has a result, says the answer. */
const answer: Answer = (request, response) => {
  const isDone = /"role":\s*"tool"|"tool_result"/.test(request.text);
  const isStream = request.body.stream === true;
  if (isMessages(request)) {
    const { content, ...call } = anthropicCall(tool.name, { path: task.path });
    const said = { ...call, content: [{ type: "text", text: "I look into it." }, ...content] };
    const whole = isDone ? anthropicText(task.answer) : (said as unknown as ReturnType<typeof anthropicCall>);
    if (isStream) events(response, anthropicEvents(whole));
    else json(response, 200, whole);
  } else {
    const call = chatCall(tool.name, { path: task.path });
    const message = { ...call.choices[0]!.message, content: "I look into it." as unknown as null };
    const whole = isDone ? chatText(task.answer) : { ...call, choices: [{ ...call.choices[0]!, message }] };
    if (isStream) events(response, chatEvents(whole));
    else json(response, 200, whole);
  }
};

const other = { "openai-chat": "anthropic-messages", "anthropic-messages": "openai-chat" } as const;

describe.each([...sdks, ...aiSdk, ...langchain])("$name", ({ protocol, countsEarly, run }) => {
  describe.each([other[protocol], protocol])("in front of a service of %s", (to) => {
    test.each([false, true])("reads a file and says what is in it, stream %s", async (stream) => {
      const { url, service, records } = await start({ protocol: to, answer });
      const isLate = countsEarly === true && stream && to === "openai-chat";
      expect(await run(url, stream)).toEqual({
        read: [task.path],
        text: task.answer,
        tokens: { input: isLate ? 0 : 12, output: 7 },
      });
      expect(service.received).toHaveLength(2);
      expect(service.received[1]!.text).toContain(task.content);
      expect(service.received.map(({ body }) => body.stream === true)).toEqual([stream, stream]);
      expect(records.map(({ outcome, passed }) => [outcome, passed])).toEqual(
        Array.from({ length: 2 }, () => ["complete", to === protocol]),
      );
    });
  });
});
