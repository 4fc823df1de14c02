import { convertRequest, createConverter, LossError } from "@rolecall/core";
import { describe, expect, test } from "vitest";
import { enforcePolicy } from "../../src/loss/policy.ts";
import { protocolOf } from "../protocols.ts";
import { createLoss } from "./loss.ts";

const mark = createLoss("cache.mark");
const authority = createLoss("instruction.authority");

describe("a policy", () => {
  test("that reports goes on", () => {
    expect(() => enforcePolicy([mark, authority], "report")).not.toThrow();
  });

  test("that throws refuses what was not accepted", () => {
    expect(() => enforcePolicy([{ ...mark, accepted: "known" }], "throw")).not.toThrow();
    expect(() => enforcePolicy([{ ...mark, accepted: "known" }, authority], "throw")).toThrow(LossError);
    expect(() => enforcePolicy([], "throw")).not.toThrow();
  });

  test("that is a function refuses what it says no to, all at once", () => {
    const noContent = (loss: { readonly effect: string }): boolean => loss.effect === "cost";
    expect(() => enforcePolicy([mark], noContent)).not.toThrow();
    expect(() => enforcePolicy([mark, authority, authority], noContent)).toThrow(
      "refused by the loss policy: instruction.authority at /messages/0 and 1 more",
    );
  });
});

describe("in a conversion", () => {
  const body = { model: "m", max_tokens: 5, seed: 7, messages: [{ role: "user", content: "hi" }] };
  const ways = { from: "openai-chat", to: "anthropic-messages" } as const;

  test("nothing is refused unless asked", async () => {
    const { losses } = await convertRequest(body, ways);
    expect(losses.map(({ code, path }) => `${code} ${path}`)).toEqual(["setting.no_counterpart /seed"]);
  });

  test("a refusal has the losses with their places", async () => {
    const refused = convertRequest(body, { ...ways, onLoss: "throw" });
    await expect(refused).rejects.toMatchObject({
      code: "loss",
      losses: [{ code: "setting.no_counterpart", path: "/seed" }],
    });
  });

  test("what was accepted passes", async () => {
    const accept = [{ code: "setting.no_counterpart", path: "/seed", reason: "the answers need not repeat" }];
    const { losses } = await convertRequest(body, { ...ways, onLoss: "throw", accept });
    expect(losses).toMatchObject([{ accepted: "the answers need not repeat" }]);
  });

  test("the same holds with protocols that are loaded already", () => {
    const converter = createConverter(protocolOf(ways.from), protocolOf(ways.to));
    expect(() => converter.convertRequest(body, { onLoss: ({ path }) => path !== "/seed" })).toThrow(LossError);
  });
});
