import type { Json, JsonObject } from "@rolecall/core";
import { convertRequest } from "@rolecall/core";
import type { BodyProtocol } from "@rolecall/core/testing";
import { describe, expect, test } from "vitest";

const chat = "openai-chat";
const anthropic = "anthropic-messages";
const messages = [{ role: "user", content: "q" }];
const tool = (name: string): JsonObject => ({ type: "function", function: { name } });

async function convert(from: BodyProtocol, more: JsonObject) {
  const body = { model: "claude-opus-4-8", ...(from === anthropic && { max_tokens: 9 }), messages, ...more };
  const { value, losses } = await convertRequest(body, { from, to: from === chat ? anthropic : chat });
  const told = losses
    .filter(({ code }) => code.startsWith("tool_choice."))
    .map(({ code, kind, path }) => `${code} ${kind} ${path}`);
  return { body: value as JsonObject, told };
}

describe("a choice without tools is left out", () => {
  const hosted: JsonObject = { tools: [{ type: "web_search_20250305", name: "web_search" }] };
  const none: readonly JsonObject[] = [{}, { tools: [] }, hosted];

  test.each(none)("toward Chat, with %j", async (tools) => {
    for (const [type, code] of [
      ["none", "idle dropped"],
      ["auto", "idle dropped"],
      ["any", "unknown dropped"],
    ] as const) {
      const { body, told } = await convert(anthropic, { ...tools, tool_choice: { type } });
      expect(body).not.toHaveProperty("tool_choice");
      expect(told).toEqual([`tool_choice.${code} /tool_choice`]);
    }
  });

  test.each<[JsonObject, string]>([
    [{ tool_choice: "none" }, "idle dropped /tool_choice"],
    [{ tool_choice: "auto", tools: [] }, "idle dropped /tool_choice"],
    [{ function_call: "none" }, "idle dropped /function_call"],
    [{ tool_choice: "required" }, "unknown dropped /tool_choice"],
    [{ function_call: { name: "nope" } }, "unknown dropped /function_call"],
  ])("toward Anthropic, with %j", async (choice, loss) => {
    const { body, told } = await convert(chat, choice);
    expect(body).not.toHaveProperty("tool_choice");
    expect(told).toEqual([`tool_choice.${loss}`]);
  });
});

test("a choice of none stays where there are tools", async () => {
  const toAnthropic = await convert(chat, { tools: [tool("f")], tool_choice: "none" });
  expect(toAnthropic.body["tool_choice"]).toEqual({ type: "none" });
  const declared: Json = [{ name: "f", input_schema: { type: "object" } }];
  const toChat = await convert(anthropic, { tools: declared, tool_choice: { type: "none" } });
  expect(toChat.body["tool_choice"]).toBe("none");
  expect([...toAnthropic.told, ...toChat.told]).toEqual([]);
});

test("an unknown forced tool does not take the wish for single calls with it", async () => {
  const { body, told } = await convert(chat, {
    tools: [tool("f")],
    tool_choice: tool("nope"),
    parallel_tool_calls: false,
  });
  expect(body["tool_choice"]).toEqual({ type: "auto", disable_parallel_tool_use: true });
  expect(told).toEqual(["tool_choice.unknown dropped /tool_choice"]);
});

test("a tool outside of an allowed subset is reported as dropped, however little it says", async () => {
  const allowed: JsonObject = { type: "allowed_tools", allowed_tools: { mode: "auto", tools: [tool("f")] } };
  const described: JsonObject = { type: "function", function: { name: "h", description: "d", parameters: {} } };
  const { body, told } = await convert(chat, { tools: [tool("g"), tool("f"), described], tool_choice: allowed });
  expect((body["tools"] as JsonObject[]).map(({ name }) => name)).toEqual(["f"]);
  expect(told).toContain("tool_choice.subset dropped /tools/0");
  expect(told).toContain("tool_choice.subset dropped /tools/2");
  expect(told.filter((loss) => loss.includes("dropped"))).toHaveLength(2);
});

describe("of several chosen tools those that are declared stay chosen", () => {
  const contents: Json = [{ role: "user", parts: [{ text: "q" }] }];
  const functions: Json = [{ functionDeclarations: [{ name: "f" }] }];
  const place = "/toolConfig/functionCallingConfig";
  const restricted = { type: "allowed_tools", tools: [{ type: "function", name: "f" }] };
  const ofGemini = async (to: BodyProtocol, mode: string, ...names: readonly string[]) => {
    const toolConfig = { functionCallingConfig: { mode, allowedFunctionNames: names } };
    const body: JsonObject = { contents, tools: functions, toolConfig };
    const { value, losses } = await convertRequest(body, { from: "gemini-generate-content", to });
    const told = losses.filter(({ code }) => code === "tool_choice.unknown").map(({ path }) => path);
    return { choice: (value as JsonObject)["tool_choice"], told };
  };

  test.each([
    ["ANY", "required"],
    ["VALIDATED", "auto"],
  ])("%s toward Chat and Responses", async (mode, sent) => {
    expect(await ofGemini(chat, mode, "nope", "f")).toEqual({
      choice: { type: "allowed_tools", allowed_tools: { mode: sent, tools: [tool("f")] } },
      told: [`${place}/allowedFunctionNames/0`],
    });
    expect(await ofGemini("openai-responses", mode, "f", "nope")).toEqual({
      choice: { ...restricted, mode: sent },
      told: [`${place}/allowedFunctionNames/1`],
    });
  });

  test("of none that is declared the whole choice is told", async () => {
    for (const to of [chat, "openai-responses"] as const)
      expect(await ofGemini(to, "ANY", "nope", "never")).toEqual({ choice: undefined, told: [place] });
  });

  test("toward Gemini, where each keeps its name", async () => {
    const allowed = { mode: "required", tools: [tool("nope"), tool("f")] };
    const body: JsonObject = {
      messages,
      tools: [tool("f")],
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    };
    const { value, losses } = await convertRequest(body, { from: chat, to: "gemini-generate-content" });
    expect(value).toMatchObject({
      toolConfig: { functionCallingConfig: { mode: "ANY", allowedFunctionNames: ["f"] } },
    });
    expect(losses.map(({ code, path }) => `${code} ${path}`)).toContain(
      "tool_choice.unknown /tool_choice/allowed_tools/tools/0",
    );
  });

  test("and a free-text tool stays one, whatever stood before it", async () => {
    const custom: JsonObject = { type: "custom", custom: { name: "c" } };
    const allowed = { mode: "required", tools: [tool("nope"), custom, tool("f")] };
    const body: JsonObject = {
      messages,
      tools: [custom, tool("f")],
      tool_choice: { type: "allowed_tools", allowed_tools: allowed },
    };
    const { value } = await convertRequest(body, { from: chat, to: "openai-responses" });
    expect((value as JsonObject)["tool_choice"]).toEqual({
      type: "allowed_tools",
      mode: "required",
      tools: [
        { type: "custom", name: "c" },
        { type: "function", name: "f" },
      ],
    });
  });
});
