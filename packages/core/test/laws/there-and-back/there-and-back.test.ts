import { arbitraryRequestBody, arbitraryResponseBody } from "@rolecall/core/testing";
import fc from "fast-check";
import { describe } from "vitest";
import { attempt, convert, crossPairs, operations, protocols } from "../conversion.ts";
import { law } from "../law.ts";
import { answeredCalls, commonTexts, factsOf, mentionOf, mentionsAt, mentionsBeside, silentFact } from "./facts.ts";

/** Losses that change the order of texts. */
const moving: ReadonlySet<string> = new Set(
  "refusal.text instruction.moved instruction.deferred turn.moved turn.order tool_result.moved media.moved".split(" "),
);

/** L4: there and back. */
describe.each(crossPairs)("%s to %s and back", (from, to) => {
  describe.each(operations)("%s", (operation) => {
    const bodies = operation === "request" ? arbitraryRequestBody(from) : arbitraryResponseBody(from);
    const decode = (body: unknown) =>
      operation === "request"
        ? protocols[from].decodeRequest({ body: body as never }).value
        : protocols[from].decodeResponse(body as never).value;

    law(
      "what is not there again was told",
      500,
      fc.property(bodies, (body) => {
        const there = attempt(() => convert(from, to, operation, body));
        fc.pre("value" in there);
        const back = attempt(() => convert(to, from, operation, there.value.value));
        fc.pre("value" in back);
        const trace = there.value.trace();
        const made = there.value.losses.filter(({ path, targetPath }) => path === "" && targetPath !== undefined);
        const mentions = [
          ...there.value.losses.flatMap(({ code, irPath }) => (irPath === undefined ? [] : [mentionOf(code, irPath)])),
          ...mentionsAt(
            made.map(({ code, targetPath }) => ({ code, path: targetPath ?? "" })),
            trace,
          ),
          ...mentionsBeside(there.value.losses, trace),
          ...mentionsAt(back.value.losses, trace),
        ];
        const told = mentions.map(({ code, node, field }) => `${code} ${node}${field}`).join("\n");
        const [left, right] = [decode(body), decode(back.value.value)];
        const [facts, others] = [factsOf(left), factsOf(right)];
        const silent = silentFact(facts, others, mentions);
        if (silent !== undefined)
          throw new Error(`gone: ${silent.key}\n${silent.pointer} = ${silent.value.slice(0, 60)}\n${told}`);
        if ("messages" in left && "messages" in right) {
          const answers = answeredCalls(right);
          for (const [text, call] of answeredCalls(left))
            if ((answers.get(text) ?? call) !== call) throw new Error(`answers another call: ${text}\n${told}`);
        }
        const [before, after] = commonTexts(facts, others);
        if (before.join() !== after.join() && !mentions.some(({ code }) => moving.has(code)))
          throw new Error(`moved\n${before.join(" | ")}\n${after.join(" | ")}\n${told}`);
      }),
    );
  });
});
