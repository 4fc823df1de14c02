import { writeModelPath } from "../codec/url/model-path.ts";
import { DecodeError } from "../errors/index.ts";
import type { Endpoint, UrlTarget } from "./endpoint.ts";
import { readEntries } from "./read-entries.ts";

/** The version that stands in a path of its API, as `/v1beta`. */
const version = /\/v\d+(?:(?:alpha|beta)\d*)?(?:\/|$)/;

/** A target whose model may become a part of a path. Throws a DecodeError for one without a model, or with one that leads away. */
export function checkUrlTarget(url: UrlTarget | undefined): UrlTarget {
  if (url?.model === undefined || url.model === "")
    throw new DecodeError("/model", "state a model: the service is asked for it by its URL");
  if (url.model.split("/").some((segment) => segment === "." || segment === ".."))
    throw new DecodeError("/model", "no model has such a name");
  return url;
}

/** https://ai.google.dev/api/generate-content, https://ai.google.dev/api/models. */
export const geminiGenerateContent: Endpoint = {
  generatePath: (url) => writeModelPath(checkUrlTarget(url)),
  baseUrl(url) {
    if (version.test(url.pathname)) return url;
    const whole = new URL(url);
    whole.pathname = `${url.pathname.replace(/\/+$/, "")}/v1beta`;
    return whole;
  },
  // Vertex AI takes the access tokens of OAuth, both APIs take keys.
  keyHeaders: (key) => (key.startsWith("ya29.") ? { authorization: `Bearer ${key}` } : { "x-goog-api-key": key }),
  models: {
    path: "/models?pageSize=1000",
    next: ({ nextPageToken: token }) =>
      typeof token === "string" && token !== ""
        ? `/models?pageSize=1000&pageToken=${encodeURIComponent(token)}`
        : undefined,
    read: (list) =>
      readEntries(list["models"], ({ name }) => (typeof name === "string" ? name.replace(/^models\//, "") : name)).map(
        (entry) => {
          const methods = entry.raw?.["supportedGenerationMethods"];
          return Array.isArray(methods) ? { ...entry, isChat: methods.includes("generateContent") } : entry;
        },
      ),
  },
};
