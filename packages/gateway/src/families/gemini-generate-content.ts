import type { JsonObject, ModelEntry } from "@rolecall/core";
import { checkUrlTarget, endpoints, isJsonObject, writeModelPath } from "@rolecall/core";
import type { Family } from "./family.ts";
import { findEntry, readSize } from "./page.ts";
import { pick } from "./pick.ts";

const endpoint = endpoints["gemini-generate-content"];

const modelName = (id: string): string => (/^(?:models|tunedModels)\//.test(id) ? id : `models/${id}`);

const writeOne = ({ id, name, raw }: ModelEntry): JsonObject => ({
  name: modelName(id),
  displayName: name,
  supportedGenerationMethods: ["generateContent", "streamGenerateContent", "countTokens"],
  ...raw,
});

const isVertex = /aiplatform\.googleapis\.com|\/(?:projects|publishers)\//;
/** https://cloud.google.com/vertex-ai/generative-ai/docs/model-reference/count-tokens. */
const countKeys: readonly string[] = ["contents", "systemInstruction", "tools", "generationConfig"];

/** https://ai.google.dev/api/generate-content, https://ai.google.dev/api/models, https://ai.google.dev/api/tokens. */
export const geminiGenerateContent: Family = {
  ...endpoint,
  forwarded: ["accept", "x-server-timeout"],
  requestId: "x-request-id",
  vendor: "google",
  overloaded: 503,
  limits: ["generationConfig", "generation_config"].flatMap((settings) =>
    ["maxOutputTokens", "max_output_tokens"].map((limit) => [settings, limit]),
  ),
  // https://cloud.google.com/apis/docs/system-parameters.
  query: ["fields", "$fields", "prettyPrint", "$prettyPrint", "quotaUser"],
  endingOf(_data, value) {
    if (!isJsonObject(value)) return undefined;
    const { candidates, promptFeedback } = value;
    const isStopped = (candidate: unknown) => isJsonObject(candidate) && typeof candidate["finishReason"] === "string";
    const isBlocked = isJsonObject(promptFeedback) && typeof promptFeedback["blockReason"] === "string";
    // Its streams have no event that says so; what follows the chunk with a reason, at most, are figures.
    return isBlocked || (Array.isArray(candidates) && candidates.some(isStopped)) ? "last" : undefined;
  },
  // The code of an error is its status: within a stream it is all that clients have.
  withStatus(body, status) {
    const error = isJsonObject(body) ? body["error"] : undefined;
    const isTold = !isJsonObject(body) || !isJsonObject(error) || error["code"] === status;
    return isTold ? body : { ...body, error: { ...error, code: status } };
  },
  models: {
    ...endpoint.models,
    writeOne,
    // A token is the name of the last model of the page before.
    write(models, query) {
      const size = readSize(query, "pageSize") ?? models.length;
      const start = (findEntry(models, query, "pageToken") ?? -1) + 1;
      const page = models.slice(start, start + size);
      const isLast = start + size >= models.length;
      return { models: page.map(writeOne), ...(!isLast && { nextPageToken: page.at(-1)?.id ?? "" }) };
    },
  },
  count: {
    path: (url) => writeModelPath(checkUrlTarget(url)).replace(/:\w+(?:\?.*)?$/, ":countTokens"),
    counted({ contents, generateContentRequest, generate_content_request: spelled }) {
      if (contents !== undefined) return { contents };
      const request = generateContentRequest ?? spelled;
      return isJsonObject(request) && request["contents"] !== undefined ? request : undefined;
    },
    missing: "contents: state the contents, or the request, whose tokens shall be counted",
    // Vertex AI takes the fields that it counts, the Gemini API a whole request, which must name its model once more.
    ask: (request, base, model = "") =>
      isVertex.test(base.href)
        ? pick(request, countKeys)
        : { generateContentRequest: { model: modelName(model), ...request } },
    read: (answer) => answer["totalTokens"],
    write: (tokens) => ({ totalTokens: tokens }),
  },
};
