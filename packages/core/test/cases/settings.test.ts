import { expect } from "vitest";
import type { Body } from "./fault.ts";
import { anthropic, chat, chatCall, has, testFaults } from "./fault.ts";

const f = {
  type: "function",
  function: { name: "f", description: "d", parameters: { type: "object", properties: {} } },
};
const ask = (more: Body): Body => ({ model: "m", messages: [{ role: "user", content: "go" }], ...more });
const thinks = (value: Body): boolean => value.thinking !== undefined && value.thinking.type !== "disabled";
const mark = (ttl?: string): Body => ({ cache_control: { type: "ephemeral", ...(ttl !== undefined && { ttl }) } });

testFaults("settings", {
  "tool-choice-vs-thinking": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      ask({ tools: [f], tool_choice: { type: "function", function: { name: "f" } }, reasoning_effort: "low" }),
      { ...ask({ tools: [f], tool_choice: "required", reasoning_effort: "max" }), model: "claude-opus-4-8" },
    ],
    async check(_input, convert) {
      const outcome = await convert();
      expect(["any", "tool"]).toContain(outcome.value.tool_choice.type);
      expect(thinks(outcome.value)).toBe(false);
      expect(has(outcome, "reasoning.conflict", "/reasoning_effort")).toBe(true);
    },
  },
  "max-tokens-and-budget": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      ...["low", "medium", "high", "xhigh", "max"].map((reasoning_effort) =>
        ask({ max_completion_tokens: 4000, reasoning_effort }),
      ),
      ask({ max_tokens: 1025, reasoning_effort: "high" }),
      ask({ max_tokens: 500, reasoning_effort: "high" }),
      ask({ reasoning_effort: "medium" }),
    ],
    async check(input, convert) {
      const outcome = await convert();
      const { value } = outcome;
      const asked = input.max_completion_tokens ?? input.max_tokens;
      expect(value.max_tokens).toBe(asked ?? 8192);
      if (asked === undefined)
        expect(
          outcome.losses.some((loss) => loss.code === "setting.synthesized" && loss.targetPath === "/max_tokens"),
        ).toBe(true);
      if (thinks(value)) {
        expect(value.thinking.budget_tokens).toBeGreaterThanOrEqual(1024);
        expect(value.thinking.budget_tokens).toBeLessThan(value.max_tokens);
      } else expect(has(outcome, "reasoning.conflict")).toBe(true);
      const modern = await convert({ thinking: "adaptive" });
      expect(modern.value.thinking).toEqual({ type: "adaptive" });
      expect(modern.value.output_config.effort).toBe(input.reasoning_effort);
    },
  },
  "thinking-required-but-missing": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      chatCall("c", "f", "{}", "ok", { reasoning_effort: "low" }),
      chatCall("c", "f", '{"a":1}', "", { reasoning_effort: "high", max_tokens: 9000 }),
    ],
    async check(_input, convert) {
      const outcome = await convert();
      expect(JSON.stringify(outcome.value)).not.toContain('"type":"thinking"');
      expect(thinks(outcome.value)).toBe(false);
      expect(has(outcome, "reasoning.conflict")).toBe(true);
    },
  },
  "tool-choice-mapping": {
    from: chat,
    to: anthropic,
    mode: "request",
    siblings: [
      ask({ tools: [f], parallel_tool_calls: false }),
      ask({ tools: [f], parallel_tool_calls: false, tool_choice: "required" }),
      ask({ tools: [f], tool_choice: "none" }),
      ask({ tools: [f], tool_choice: { type: "function", function: { name: "f" } } }),
      ask({
        tools: [f, { ...f, function: { ...f.function, name: "g" } }],
        tool_choice: {
          type: "allowed_tools",
          allowed_tools: { mode: "required", tools: [{ type: "function", function: { name: "g" } }] },
        },
      }),
    ],
    async check(input, convert) {
      const { value } = await convert();
      const choice = input.tool_choice ?? "auto";
      const off = input.parallel_tool_calls === false ? { disable_parallel_tool_use: true } : {};
      if (typeof choice === "string") {
        const type = { auto: "auto", required: "any", none: "none" }[choice as "auto" | "required" | "none"];
        expect(value.tool_choice).toEqual({ type, ...off });
      } else if (choice.type === "function") expect(value.tool_choice).toEqual({ type: "tool", name: "f" });
      else {
        expect(value.tool_choice).toEqual({ type: "any" });
        expect(value.tools.map((tool: Body) => tool.name)).toEqual(["g"]);
      }
    },
  },
  "cache-breakpoint-limit": {
    from: anthropic,
    to: anthropic,
    mode: "request",
    siblings: [
      {
        model: "m",
        max_tokens: 9,
        system: [{ type: "text", text: "s", ...mark("1h") }],
        messages: [{ role: "user", content: ["a", "b", "c"].map((text) => ({ type: "text", text, ...mark() })) }],
      },
      {
        model: "m",
        max_tokens: 9,
        messages: [
          { role: "user", content: ["a", "b", "c", "d", "e", "f"].map((text) => ({ type: "text", text, ...mark() })) },
        ],
      },
    ],
    async check(input, convert) {
      const outcome = await convert();
      const count = (value: Body): number => JSON.stringify(value).split('"cache_control"').length - 1;
      expect(count(outcome.value)).toBe(Math.min(4, count(input)));
      if (count(input) <= 4) expect(outcome.value).toEqual(input);
      else {
        expect(outcome.losses.filter((loss) => loss.code === "cache.limit")).toHaveLength(count(input) - 4);
        const blocks = outcome.value.messages[0].content;
        expect(blocks.slice(-4).every((block: Body) => block.cache_control !== undefined)).toBe(true);
      }
    },
  },
  "cache-control-dropped": {
    from: anthropic,
    to: chat,
    mode: "request",
    siblings: [
      {
        model: "m",
        max_tokens: 9,
        system: [{ type: "text", text: "S", ...mark("1h") }],
        messages: [
          {
            role: "user",
            content: [
              { type: "text", text: "long", ...mark("5m") },
              { type: "text", text: "q" },
            ],
          },
        ],
      },
    ],
    async check(input, convert) {
      const plain = await convert();
      const marks = plain.losses.filter((loss) => loss.code === "cache.mark");
      expect(marks.map((loss) => loss.path).sort()).toEqual([
        "/messages/0/content/0/cache_control",
        "/system/0/cache_control",
      ]);
      expect(marks.every((loss) => loss.effect === "cost")).toBe(true);
      const kept = await convert({ cacheMarks: "cache_control" });
      expect(kept.value.messages[0].content[0].cache_control).toEqual(input.system[0].cache_control);
      expect(kept.value.messages[1].content[0].cache_control).toEqual(input.messages[0].content[0].cache_control);
      const none = await convert({ cacheMarks: "none" });
      expect(none.losses.filter((loss) => loss.code === "cache.mark").every((loss) => loss.kind === "dropped")).toBe(
        true,
      );
    },
  },
});
