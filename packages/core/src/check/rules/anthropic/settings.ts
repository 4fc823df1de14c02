import { isBlank } from "../../../codec/content/blank.ts";
import { scalarText } from "../../../codec/table.ts";
import type { Json, JsonObject } from "../../../ir/index.ts";
import { isJsonObject } from "../../../ir/index.ts";
import { claudeVersion, resolveProfile } from "../../../protocols/anthropic-messages/profile.ts";
import type { RequestView } from "../../request-view.ts";
import { isStated, messagesOf, objectsOf, partsOf } from "../../request-view.ts";
import type { Rule } from "../../rule.ts";

const migration = "https://platform.claude.com/docs/en/api/migration-2026-10-21";
const samplingKeys = ["temperature", "top_p", "top_k"] as const;

/** Keys of a request that only a beta gives a meaning, with what the names of those betas begin with. */
const betaKeys: { readonly [key: string]: readonly string[] } = {
  mcp_servers: ["mcp-client-"],
  context_management: ["context-management-", "compact-"],
  fallbacks: ["server-side-fallback-"],
  thread: ["message-threads-"],
  compaction: ["compact-"],
};
const betaBlocks: { readonly [type: string]: readonly string[] } = {
  tool_addition: ["mid-conversation-tool-changes-"],
  tool_removal: ["mid-conversation-tool-changes-"],
  mcp_tool_use: ["mcp-client-"],
  mcp_tool_result: ["mcp-client-"],
};

/** Why a server takes no sampling parameters; undefined where it may. */
function refusesSampling({ profile }: RequestView): boolean {
  if (profile.supportsSampling !== undefined) return !profile.supportsSampling;
  return profile.apiVersion === "2026-10-21";
}

/** The format of an answer, under the key that the request uses. */
function formatsOf(body: JsonObject): { readonly format: JsonObject; readonly path: string }[] {
  const config = body["output_config"];
  return [
    { format: isJsonObject(config) ? config["format"] : undefined, path: "/output_config/format" },
    { format: body["output_format"], path: "/output_format" },
  ].flatMap(({ format, path }) => (isJsonObject(format) ? [{ format, path }] : []));
}

/** Every setting beside messages, tools and thinking. */
export const anthropicSettingRules: readonly Rule<RequestView>[] = [
  {
    id: "A1",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, MessageCreateParams.max_tokens",
    description: "`max_tokens` is stated, unless tokens are to be counted.",
    check: ({ body, path = "" }, flag) => {
      if (path.includes("/count_tokens")) return;
      if (typeof body["max_tokens"] !== "number") flag("/max_tokens", "state how many tokens the answer may have");
    },
  },
  {
    id: "A11a",
    severity: "error",
    evidence: "documentation",
    source: migration,
    description: "Since version 2026-10-21 there is no `temperature`, `top_p` or `top_k`.",
    check: (request, flag) => {
      if (!refusesSampling(request)) return;
      for (const key of samplingKeys)
        if (isStated(request.body[key])) flag(`/${key}`, "this version has no sampling parameters: leave it out");
    },
  },
  {
    id: "A11d",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/simstudioai/sim/issues/4459; yologdev/yoagent v0.27.3",
    description: "Claude 4.7 and later take no `temperature`, `top_p` or `top_k` in any version.",
    check: (request, flag) => {
      const version = claudeVersion(request.profile.model);
      if (refusesSampling(request) || request.profile.supportsSampling === true) return;
      if (version === undefined || version < 407) return;
      for (const key of samplingKeys)
        if (isStated(request.body[key])) flag(`/${key}`, "this model takes no sampling parameters: leave it out");
    },
  },
  {
    id: "A11e",
    severity: "error",
    evidence: "issue",
    source:
      "https://github.com/anomalyco/opencode/issues/1644; https://github.com/SalesforceAIResearch/MCP-Universe/issues/49",
    description: "Claude 4.1 and later take `temperature` or `top_p`, not both.",
    check: ({ body, profile }, flag) => {
      if (isStated(body["temperature"]) && isStated(body["top_p"]) && !resolveProfile(profile).samplingPair)
        flag("/top_p", "this model takes one of temperature and top_p: leave one out");
    },
  },
  {
    id: "A14",
    severity: "warning",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, AnthropicBeta; betas become part of the API, so it may work without",
    description: "What belongs to a beta is sent with the name of the beta, where the betas of the request are known.",
    check: (request, flag) => {
      const { betas } = request.profile;
      if (betas === undefined) return;
      const lacks = (names: readonly string[] | undefined): names is readonly string[] =>
        names !== undefined && !betas.some((beta) => names.some((name) => beta.startsWith(name)));
      const say = (names: readonly string[]): string =>
        `send a beta with it: ${names.map((name) => `${name}…`).join(" or ")}`;
      for (const [key, names] of Object.entries(betaKeys))
        if (isStated(request.body[key]) && lacks(names)) flag(`/${key}`, say(names));
      for (const { object, path } of messagesOf(request).flatMap(partsOf)) {
        const type = scalarText(object["type"]);
        const names = Object.hasOwn(betaBlocks, type) ? betaBlocks[type] : undefined;
        if (lacks(names)) flag(`${path}/type`, say(names));
      }
    },
  },
  {
    id: "A18",
    severity: "error",
    evidence: "recording",
    source: 'recorded answer: "output_format.schema: Field required"',
    description: "A format of type `json_schema` has its schema.",
    check: ({ body }, flag) => {
      for (const { format, path } of formatsOf(body))
        if (format["type"] === "json_schema" && !isJsonObject(format["schema"]))
          flag(`${path}/schema`, "the schema stands here, not in another object: write it as schema");
    },
  },
  {
    id: "A22",
    severity: "error",
    evidence: "issue",
    source: "https://github.com/BerriAI/litellm/issues/3286",
    description: "No stop sequence is white space only.",
    check: ({ body: { stop_sequences: stop } }, flag) => {
      if (!Array.isArray(stop)) return;
      stop.forEach((sequence: Json, index) => {
        if (typeof sequence === "string" && isBlank(sequence))
          flag(`/stop_sequences/${index}`, "white space alone cannot stop an answer: leave it out");
      });
    },
  },
  {
    id: "A21",
    severity: "error",
    evidence: "types",
    source: "@anthropic-ai/sdk 1.14.0, Tool.InputSchema",
    description: "The schema of a tool is of type `object`.",
    check: ({ body }, flag) => {
      for (const { object, path } of objectsOf(body["tools"], "/tools")) {
        const { type, input_schema: schema } = object;
        if (type !== undefined && type !== "custom") continue;
        if (!isJsonObject(schema) || schema["type"] !== "object")
          flag(`${path}/input_schema`, "write a schema of type object, without properties where there are none");
      }
    },
  },
];
