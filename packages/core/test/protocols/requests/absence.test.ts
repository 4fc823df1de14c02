import type { JsonObject } from "@rolecall/core";
import { convertRequest, jsonEqual, loadProtocol } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { requestKeys as messagesKeys } from "../../../src/protocols/anthropic-messages/wire.ts";
import { requestKeys as chatKeys } from "../../../src/protocols/openai-chat/wire.ts";

const ways = [
  ["anthropic-messages", "openai-chat", Object.keys(messagesKeys)],
  ["openai-chat", "anthropic-messages", Object.keys(chatKeys)],
] as const;

describe.each(ways)("an empty container at the top level of %s", (from, to, keys) => {
  const body: JsonObject = { model: "m", max_tokens: 9, messages: [{ role: "user", content: "q" }] };

  test.each(keys.filter((key) => body[key] === undefined))("%s is told, or listed as absence", async (key) => {
    const { redundancy } = await loadProtocol(from);
    const without = await convertRequest(body, { from, to });
    for (const value of [{}, []]) {
      // A refusal is an answer.
      const outcome = await convertRequest({ ...body, [key]: value }, { from, to }).catch(() => undefined);
      if (outcome === undefined) continue;
      const isListed = redundancy.some(
        ({ operation, path, values }) =>
          operation === "request" && path === `/${key}` && values?.some((listed) => jsonEqual(listed, value)) === true,
      );
      const isTold = outcome.losses.some(({ path }) => path === `/${key}` || path.startsWith(`/${key}/`));
      const shows = !jsonEqual(outcome.value, without.value);
      expect(isTold || shows || isListed, `${key} ${JSON.stringify(value)}`).toBe(true);
    }
  });
});

test("an empty object that switches web search on is a setting", async () => {
  const body = { model: "m", messages: [{ role: "user", content: "q" }], web_search_options: {} };
  const away = await convertRequest(body, { from: "openai-chat", to: "anthropic-messages" });
  expect(away.losses).toContainEqual(
    expect.objectContaining({ code: "setting.no_counterpart", path: "/web_search_options" }),
  );
  const same = await convertRequest(body, { from: "openai-chat", to: "openai-chat" });
  expect([same.value, same.losses]).toEqual([body, []]);
});
