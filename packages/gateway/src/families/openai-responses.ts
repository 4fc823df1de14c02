import type { Json, JsonObject } from "@rolecall/core";
import { endpoints, isJsonObject } from "@rolecall/core";
import type { Family, Stored } from "./family.ts";
import { openaiChat } from "./openai-chat.ts";
import { pick } from "./pick.ts";

const whole = "the gateway keeps nothing; send the whole conversation instead";

/** Fields that name what an earlier answer left at its service, each with what OpenAI says of one that it does not have. */
const stored: { readonly [field: string]: (value: Json) => Stored } = {
  previous_response_id: (id) => ({
    message: `Previous response with id '${nameOf(id)}' not found: ${whole}`,
    param: "previous_response_id",
    code: "previous_response_not_found",
  }),
  conversation: (id) => ({
    message: `Conversation with id '${nameOf(id)}' not found: ${whole}`,
    param: "conversation",
    code: "unsupported_parameter",
  }),
  prompt: (id) => ({
    message: `Prompt with id '${nameOf(id)}' not found: the gateway keeps nothing; send its text instead`,
    param: "prompt",
    code: "unsupported_parameter",
  }),
};

function nameOf(value: Json): string {
  const id = isJsonObject(value) ? value["id"] : value;
  return typeof id === "string" ? id.slice(0, 100) : "";
}

function findStored(body: JsonObject): Stored | undefined {
  for (const field in stored) {
    const value = body[field];
    if (value !== undefined && value !== null) return stored[field]?.(value);
  }
  if (body["background"] === true) {
    return {
      message: "Unsupported parameter: 'background': the gateway keeps no answers that could be asked for later",
      param: "background",
      code: "unsupported_parameter",
    };
  }
  const input: readonly Json[] = Array.isArray(body["input"]) ? body["input"] : [];
  const index = input.findIndex((item) => isJsonObject(item) && item["type"] === "item_reference");
  if (index < 0) return undefined;
  return {
    message: `Item with id '${nameOf(input[index] as Json)}' not found: ${whole}`,
    param: `input[${index}].id`,
    code: "unsupported_parameter",
  };
}

/** The types of the events that hold the whole response, with which its stream ends. */
const last = /^response\.(?:completed|incomplete|failed)$/;

/** https://platform.openai.com/docs/api-reference/responses/input-tokens; what else a request says is refused there. */
const countKeys: readonly string[] = [
  ...["model", "input", "instructions", "tools", "tool_choice", "parallel_tool_calls", "reasoning", "text"],
];

/** https://platform.openai.com/docs/api-reference/responses */
export const openaiResponses: Family = {
  ...openaiChat,
  generatePath: endpoints["openai-responses"].generatePath,
  limits: [["max_output_tokens"]],
  endingOf(_data, value) {
    const type = isJsonObject(value) ? value["type"] : undefined;
    return typeof type === "string" && last.test(type) ? "last" : undefined;
  },
  findStored,
  count: {
    path: () => "/responses/input_tokens",
    counted: (body) => (body["input"] === undefined && body["instructions"] === undefined ? undefined : body),
    missing: "input: state the input whose tokens shall be counted",
    ask: (request) => pick(request, countKeys),
    read: (answer) => answer["input_tokens"],
    write: (tokens) => ({ object: "response.input_tokens", input_tokens: tokens }),
  },
};
