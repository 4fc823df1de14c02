import { isOpenAi } from "../../../codec/profile.ts";
import { isClosed } from "../../../codec/schema/subset.ts";
import { scalarText } from "../../../codec/table.ts";
import type { JsonObject, Pointer } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import type { Placed, RequestView } from "../../request-view.ts";
import { isStated, objectsOf, repeated } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

const reference = "github.com/openai/openai-openapi, CreateResponse";

/** Functions and free-text tools: those that the client names. */
const namedTools = ({ body }: RequestView): readonly Placed[] =>
  objectsOf(body["tools"], "/tools").filter(
    ({ object: { type, name } }) => (type === "function" || type === "custom") && typeof name === "string",
  );

/** What is to be enforced, with its schema. */
function strictSchemas({ body }: RequestView): readonly { readonly schema: JsonObject; readonly path: Pointer }[] {
  const format = isJsonObject(body["text"]) ? body["text"]["format"] : undefined;
  const holders = [
    ...objectsOf(body["tools"], "/tools")
      .filter(({ object }) => object["type"] === "function")
      .map(({ object, path }) => ({ object, key: "parameters", path })),
    ...(isJsonObject(format) ? [{ object: format, key: "schema", path: "/text/format" }] : []),
  ];
  return holders.flatMap(({ object, key, path }) => {
    const schema = object[key];
    return object["strict"] === true && isJsonObject(schema) ? [{ schema, path: `${path}/${key}` }] : [];
  });
}

/** Every setting beside the items. */
export const responsesSettingRules: readonly Rule<RequestView>[] = [
  {
    id: "R6",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseCreateParams.previous_response_id: cannot be used with conversation",
    description: "`previous_response_id` and `conversation` exclude each other.",
    check: ({ body }, flag) => {
      if (isStated(body["previous_response_id"]) && isStated(body["conversation"]))
        flag("/previous_response_id", "state one of previous_response_id and conversation");
    },
  },
  {
    id: "R7",
    severity: "error",
    evidence: "openapi",
    source: `${reference}.max_output_tokens, minimum`,
    description: "OpenAI: `max_output_tokens` is 16 at least.",
    check: ({ body: { max_output_tokens: maximum }, profile }, flag) => {
      if (isOpenAi(profile) && typeof maximum === "number" && maximum < 16)
        flag("/max_output_tokens", "allow 16 tokens or more");
    },
  },
  {
    id: "R12",
    severity: "warning",
    evidence: "knowledge",
    source: "no document states it",
    description: "`background_options` stand only in requests without a stream.",
    check: ({ body }, flag) => {
      if (isStated(body["background_options"]) && body["stream"] === true)
        flag("/background_options", "ask for no stream, or leave them out");
    },
  },
  {
    id: "R17",
    severity: "error",
    evidence: "recording",
    source: `recorded answer: "'additionalProperties' is required to be supplied and to be false"`,
    description: "OpenAI: each object of a strict schema admits and requires exactly its named properties.",
    check: (request, flag) => {
      if (!isOpenAi(request.profile)) return;
      for (const { schema, path } of strictSchemas(request))
        if (!isClosed(schema))
          flag(path, "set additionalProperties to false in each object and require each property, or leave strict out");
    },
  },
  {
    id: "R18",
    severity: "error",
    evidence: "recording",
    source: `${reference}.temperature, .top_p; recorded answer: "decimal below minimum value"`,
    description: "`temperature` is 0 to 2, `top_p` 0 to 1.",
    check: ({ body }, flag) => {
      for (const [key, most] of [
        ["temperature", 2],
        ["top_p", 1],
      ] as const) {
        const value = body[key];
        if (typeof value === "number" && (value < 0 || value > most)) flag(`/${key}`, `it must be from 0 to ${most}`);
      }
    },
  },
  {
    id: "R19",
    severity: "error",
    evidence: "openapi",
    source: "github.com/openai/openai-openapi, FunctionToolParam.name",
    description: "OpenAI: names of tools are 1 to 128 letters, digits, underscores and hyphens.",
    check: (request, flag) => {
      if (!isOpenAi(request.profile)) return;
      for (const { object, path } of namedTools(request))
        if (!/^[A-Za-z0-9_-]{1,128}$/.test(scalarText(object["name"])))
          flag(`${path}/name`, "write 1 to 128 letters, digits, underscores or hyphens");
    },
  },
  {
    id: "R20",
    severity: "error",
    evidence: "types",
    source: "openai 7.59.0, ResponseFormatTextJSONSchemaConfig.name",
    description: "OpenAI: the name of an answer's schema is 1 to 64 letters, digits, underscores and hyphens.",
    check: ({ body: { text }, profile }, flag) => {
      const format = isJsonObject(text) ? text["format"] : undefined;
      if (!isOpenAi(profile) || !isJsonObject(format) || format["type"] !== "json_schema") return;
      if (!/^[A-Za-z0-9_-]{1,64}$/.test(scalarText(format["name"] ?? "")))
        flag("/text/format/name", "write 1 to 64 letters, digits, underscores or hyphens");
    },
  },
  {
    id: "X1",
    severity: "warning",
    evidence: "knowledge",
    source: "https://github.com/danny-avila/LibreChat/issues/13162: Anthropic refuses it, OpenAI does not",
    description: "Names of tools are unique.",
    check: (request, flag) => {
      for (const { path } of repeated(namedTools(request), ({ object }) => scalarText(object["name"])))
        flag(`${path}/name`, "an earlier tool has this name: the model cannot tell them apart, so leave one out");
    },
  },
];
