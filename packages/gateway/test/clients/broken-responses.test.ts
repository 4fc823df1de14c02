import type { ServerResponse } from "node:http";
import { describe, expect, test } from "vitest";
import { families, family } from "../families/index.ts";
import { post, start } from "../start.ts";
import { openaiSdks } from "./sdk.ts";

const responses = family("openai-responses");

describe.each(families)("a service of $protocol that breaks off", (to) => {
  const whole = to.events(to.text("one two three four five six seven"));
  const answer = (_request: unknown, response: ServerResponse): void => {
    response.writeHead(200, { "content-type": "text/event-stream" });
    for (const piece of whole.slice(0, -4)) response.write(piece);
    setTimeout(() => response.destroy(), 30);
  };

  test("ends the stream of a client of Responses with an error and a failed response", async () => {
    const { url, records } = await start({ protocol: to.protocol, answer });
    const text = await (await post(url, responses.path(), responses.body("hi", true))).text();
    const events = [...text.matchAll(/^data: (.*)$/gm)].map(([, data = ""]) => JSON.parse(data));
    const [first, error, last] = [events[0], ...events.slice(-2)];
    const message = expect.stringContaining("broke off");
    expect(error).toMatchObject({ type: "error", code: "server_error", message });
    expect(last).toMatchObject({
      type: "response.failed",
      response: {
        id: first.response.id,
        object: "response",
        status: "failed",
        error: { code: "server_error", message },
      },
    });
    expect(text).not.toMatch(responses.end);
    await expect.poll(() => records[0]).toMatchObject({ outcome: "failed" });
  });

  test.each(Object.entries(openaiSdks))("is told to %s", async (name, create) => {
    const { url } = await start({ protocol: to.protocol, answer });
    const client = create(`${url}/v1`);
    const types: string[] = [];
    let said = "";
    const read = async () => {
      for await (const event of await client.responses.create({ model: "m", input: "hi", stream: true })) {
        types.push(event.type);
        if (event.type === "response.output_text.delta") said += event.delta;
      }
    };
    const told = { message: expect.stringContaining("broke off") };
    // The old version throws at the error, the new one hands on all that comes.
    if (name === "openai 4") await expect(read()).rejects.toMatchObject(told);
    else {
      await read();
      expect(types.slice(-2)).toEqual(["error", "response.failed"]);
    }
    expect(said).toMatch(/^one two/);
    await expect(client.responses.stream({ model: "m", input: "hi" }).finalResponse()).rejects.toMatchObject(told);
  });
});
