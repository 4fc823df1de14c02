import { describe, expect, test } from "vitest";
import { askedFor, families } from "../families/index.ts";
import type { Answer } from "../service.ts";
import { events, json } from "../service.ts";
import { start } from "../start.ts";
import { aiSdk } from "./ai-sdk.ts";
import { langchain } from "./langchain.ts";
import { sdks } from "./sdk.ts";
import { task, tool } from "./task.ts";

/** Calls the tool; once it has a result, says the answer. */
const answer: Answer = (request, response) => {
  const isDone = request.text.includes(task.content);
  const { family, stream } = askedFor(request);
  const whole = isDone ? family.text(task.answer) : family.call(tool.name, { path: task.path }, "I look into it.");
  if (stream) events(response, family.events(whole));
  else json(response, 200, whole);
};

describe.each([...sdks, ...aiSdk, ...langchain])("$name", ({ protocol, countsEarly, run }) => {
  describe.each(families.map((family) => family.protocol))("in front of a service of %s", (to) => {
    test.each([false, true])("reads a file and says what is in it, stream %s", async (stream) => {
      const { url, service, records } = await start({ protocol: to, answer });
      const isLate = countsEarly === true && stream && to.startsWith("openai-");
      expect(await run(url, stream)).toEqual({
        read: [task.path],
        text: task.answer,
        tokens: { input: isLate ? 0 : 12, output: 7 },
      });
      expect(service.received).toHaveLength(2);
      expect(service.received[1]!.text).toContain(task.content);
      expect(service.received.map((request) => askedFor(request).stream)).toEqual([stream, stream]);
      expect(records.map(({ outcome, passed }) => [outcome, passed])).toEqual(
        Array.from({ length: 2 }, () => ["complete", to === protocol]),
      );
    });
  });
});
