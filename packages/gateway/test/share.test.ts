import type { Loss } from "@rolecall/core";
import { expect, test } from "vitest";
import { createReportStore } from "../src/report/store.ts";

const loss: Loss = {
  code: "field.null",
  kind: "dropped",
  effect: "form",
  severity: "info",
  stage: "encode",
  from: "openai-chat",
  to: "anthropic-messages",
  path: "/choices/0/logprobs",
  detail: "a stated null, which means absent",
};

test("records share the losses that a recent exchange had", () => {
  const { share } = createReportStore(10, 1 << 20);
  const first = share([{ ...loss }]);
  expect(first).toEqual([loss]);
  expect(share([{ ...loss }])).toBe(first);
  expect(share([])).toEqual([]);
});

test.each<Partial<Loss>>([
  { path: "/choices/1/logprobs" },
  { irPath: "/wire/rest/logprobs" },
  { targetPath: "/usage" },
  { replacement: "a" },
  { accepted: "known" },
  { detail: "another" },
  { code: "response.time" },
  { kind: "merged" },
  { effect: "evidence" },
  { severity: "warning" },
  { stage: "decode" },
  { from: "anthropic-messages" },
  { to: "openai-chat" },
])("losses that differ in %j are not shared", (other) => {
  const { share } = createReportStore(10, 1 << 20);
  const first = share([loss]);
  expect(share([{ ...loss, ...other }])).toEqual([{ ...loss, ...other }]);
  expect(share([loss, loss])).toHaveLength(2);
  expect(share([loss])).toBe(first);
});

test("what is shared does not change with the list that it came from", () => {
  const { share } = createReportStore(10, 1 << 20);
  const list = [loss];
  const kept = share(list);
  list.push(loss);
  expect(kept).toEqual([loss]);
});
