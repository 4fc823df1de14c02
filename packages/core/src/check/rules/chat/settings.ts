import { isOpenAi } from "../../../codec/profile.ts";
import { isClosed } from "../../../codec/schema/subset.ts";
import { scalarText } from "../../../codec/table.ts";
import type { Json, Profile } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { RequestView } from "../../request-view.ts";
import { isStated, objectsOf } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";
import { namedTools } from "./calls.ts";

const reference = "github.com/openai/openai-openapi, CreateChatCompletionRequest";

const isOutside = (value: Json | undefined, least: number, most: number): boolean =>
  typeof value === "number" && (value < least || value > most);

/** OpenAI's models that reason before they answer. */
const reasons = (profile: Profile): boolean =>
  isOpenAi(profile) && /^(?:o[134]|gpt-5)(?!-chat)(?:-|$)/.test(profile.model ?? "");

/** Every setting beside messages and calls. */
export const chatSettingRules: readonly Rule<RequestView>[] = [
  {
    id: "C7a",
    severity: "error",
    evidence: "openapi",
    source: `${reference}.stop`,
    description: "`stop` has 4 sequences at most.",
    check: ({ body: { stop } }, flag) => {
      if (Array.isArray(stop) && stop.length > 4) flag("/stop", `${stop.length} sequences: send 4 at most`);
    },
  },
  {
    id: "C7f",
    severity: "warning",
    evidence: "openapi",
    source: `${reference}.stop, minItems`,
    unenforced: "recorded requests with an empty list were answered",
    description: "`stop` has a sequence.",
    check: ({ body: { stop } }, flag) => {
      if (Array.isArray(stop) && stop.length === 0) flag("/stop", "the list is empty: leave it out");
    },
  },
  {
    id: "C7b",
    severity: "error",
    evidence: "openapi",
    source: `${reference}.n`,
    description: "`n` is 1 to 128.",
    check: ({ body: { n } }, flag) => {
      if (isOutside(n, 1, 128)) flag("/n", "ask for 1 to 128 answers");
    },
  },
  {
    id: "C7c",
    severity: "error",
    evidence: "openapi",
    source: `${reference}.top_logprobs`,
    description: "`top_logprobs` is 0 to 20.",
    check: ({ body: { top_logprobs: top } }, flag) => {
      if (isOutside(top, 0, 20)) flag("/top_logprobs", "ask for 0 to 20");
    },
  },
  {
    id: "C7d",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ChatCompletionCreateParams.top_logprobs: logprobs must be set to true",
    description: "`top_logprobs` stands only beside `logprobs: true`.",
    check: ({ body: { top_logprobs: top, logprobs } }, flag) => {
      if (isStated(top) && logprobs !== true) flag("/top_logprobs", "set logprobs to true, or leave it out");
    },
  },
  {
    id: "C7e",
    severity: "error",
    evidence: "openapi",
    source: `${reference}.temperature, .top_p, .presence_penalty, .frequency_penalty`,
    description: "`temperature` is 0 to 2, `top_p` 0 to 1, the penalties are -2 to 2.",
    check: ({ body }, flag) => {
      for (const [key, least, most] of [
        ["temperature", 0, 2],
        ["top_p", 0, 1],
        ["presence_penalty", -2, 2],
        ["frequency_penalty", -2, 2],
      ] as const) {
        if (isOutside(body[key], least, most)) flag(`/${key}`, `it must be from ${least} to ${most}`);
      }
    },
  },
  {
    id: "C8a",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "A tool that `tool_choice` names is declared.",
    check: (request, flag) => {
      const choice = request.body["tool_choice"];
      if (!isJsonObject(choice)) return;
      const key = isJsonObject(choice["custom"]) ? "custom" : "function";
      const inner = choice[key];
      const name = isJsonObject(inner) ? inner["name"] : undefined;
      if (typeof name === "string" && !namedTools(request).some((tool) => tool.name === name))
        flag(`/tool_choice/${key}/name`, "the chosen tool is not declared: declare it, or choose another");
    },
  },
  {
    id: "C8b",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/writer/writer-framework/pull/1013",
    description: "`tool_choice` stands only beside `tools`.",
    check: ({ body: { tool_choice: choice, tools } }, flag) => {
      const declares = Array.isArray(tools) && tools.length > 0;
      if (isStated(choice) && choice !== "none" && !declares)
        flag("/tool_choice", "there are no tools to choose from: leave the choice out");
    },
  },
  {
    id: "C9",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseFormatJSONSchema.JSONSchema.name",
    description: "OpenAI: the name of an answer's schema is 1 to 64 letters, digits, underscores and hyphens.",
    check: ({ body: { response_format: format }, profile }, flag) => {
      if (!isOpenAi(profile)) return;
      const schema = isJsonObject(format) && format["type"] === "json_schema" ? format["json_schema"] : undefined;
      if (isJsonObject(schema) && !/^[A-Za-z0-9_-]{1,64}$/.test(scalarText(schema["name"] ?? "")))
        flag("/response_format/json_schema/name", "write 1 to 64 letters, digits, underscores or hyphens");
    },
  },
  {
    id: "C11",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ChatCompletionCreateParams.stream_options: only set this when you set stream to true",
    description: "`stream_options` stands only beside `stream: true`.",
    check: ({ body: { stream_options: options, stream } }, flag) => {
      if (isStated(options) && stream !== true) flag("/stream_options", "leave it out, or ask for a stream");
    },
  },
  {
    id: "C13",
    severity: "error",
    evidence: "recording",
    source: `recorded answer: "'additionalProperties' is required to be supplied and to be false"`,
    description:
      "Each object of the schema of a strict tool or answer admits and requires exactly its named properties.",
    check: ({ body, profile }, flag) => {
      if (!isOpenAi(profile)) return;
      const format = body["response_format"];
      const answer = isJsonObject(format) ? format["json_schema"] : undefined;
      const strict = [
        ...objectsOf(body["tools"], "/tools").map(({ object, path }) => ({
          holder: object["function"],
          path: `${path}/function/parameters`,
          key: "parameters",
        })),
        { holder: answer, path: "/response_format/json_schema/schema", key: "schema" },
      ];
      for (const { holder, path, key } of strict) {
        const schema = isJsonObject(holder) && holder["strict"] === true ? holder[key] : undefined;
        if (isJsonObject(schema) && !isClosed(schema))
          flag(path, "set additionalProperties to false in each object and require each property, or leave strict out");
      }
    },
  },
  {
    id: "C14a",
    severity: "error",
    evidence: "recording",
    source: `recorded answers of o1-mini and gpt-5-mini: "'stop' is not supported with this model"`,
    description: "OpenAI's reasoning models take no `stop`.",
    check: ({ body, profile }, flag) => {
      if (isStated(body["stop"]) && reasons(profile))
        flag("/stop", "this model takes no stop sequences: leave them out");
    },
  },
  {
    id: "C14b",
    severity: "error",
    evidence: "recording",
    source: `recorded answer of gpt-5-nano: "Use 'max_completion_tokens' instead"`,
    description: "OpenAI's reasoning models take `max_completion_tokens` in the place of `max_tokens`.",
    check: ({ body, profile }, flag) => {
      if (isStated(body["max_tokens"]) && reasons(profile))
        flag("/max_tokens", "this model takes max_completion_tokens: rename the key");
    },
  },
];
