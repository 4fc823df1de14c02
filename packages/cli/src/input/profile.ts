import type { Json, Profile, ProtocolId } from "@rolecall/core";
import { ConfigError, checkProfile, isJsonObject } from "@rolecall/core";
import { blame } from "../mistake.ts";
import { nearest } from "../nearest.ts";
import { readJsonOption } from "./file.ts";

type Shape = "text" | "switch" | "number" | "texts" | "fallbacks" | readonly string[];

/** What each field of a profile holds. */
const fields: { readonly [K in keyof Required<Profile>]: Shape } = {
  protocol: "text",
  provider: "text",
  model: "text",
  apiVersion: "text",
  betas: "texts",
  toolCallIdPattern: "text",
  toolNamePattern: "text",
  maxOutputTokens: "number",
  supportsPrefill: "switch",
  supportsSampling: "switch",
  supportsMidConversationSystem: "switch",
  supportsToolChanges: "switch",
  thinking: ["adaptive", "budget", "both", "none"],
  supportsEffort: "switch",
  supportsDeveloperRole: "switch",
  supportsStrictTools: "switch",
  supportsStructuredOutput: "switch",
  supportsImagesInToolResults: "switch",
  supportsFileInput: "switch",
  supportsCustomTools: "switch",
  supportsTopK: "switch",
  supportsContentParts: "switch",
  supportsParallelToolCalls: "switch",
  supportsStreamOptions: "switch",
  supportsChoices: "switch",
  refusedFields: "texts",
  prefillField: ["prefix"],
  cacheMarks: ["prompt_cache_breakpoint", "cache_control", "none"],
  reasoningField: ["reasoning_content", "reasoning", "none"],
  seedField: ["seed", "random_seed"],
  maxTokensField: ["max_completion_tokens", "max_tokens"],
  maxCacheBreakpoints: "number",
  fallbacks: "fallbacks",
};

/** Why a value is not of a shape; undefined where it is. */
function wrong(value: Json, shape: Shape): string | undefined {
  if (typeof shape !== "string") {
    return shape.some((choice) => choice === value) ? undefined : `must be one of ${shape.join(", ")}`;
  }
  const texts = (list: readonly unknown[]): boolean => list.every((item) => typeof item === "string");
  switch (shape) {
    case "text":
      return typeof value === "string" ? undefined : "must be a string";
    case "switch":
      return typeof value === "boolean" ? undefined : "must be true or false";
    case "number":
      return typeof value === "number" ? undefined : "must be a number";
    case "texts":
      return Array.isArray(value) && texts(value) ? undefined : "must be a list of strings";
    case "fallbacks":
      return isJsonObject(value) && texts(Object.values(value)) ? undefined : "must be an object of strings";
  }
}

/** A value as a profile of a protocol. Throws a ConfigError at the first field that is wrong. */
function profileOf(value: Json, protocol: ProtocolId): Profile {
  if (!isJsonObject(value)) throw new ConfigError("", "a profile is an object");
  for (const [name, item] of Object.entries(value)) {
    const shape = Object.hasOwn(fields, name) ? fields[name as keyof Profile] : undefined;
    if (shape === undefined) {
      const [meant] = nearest(name, Object.keys(fields));
      const hint = meant === undefined ? "" : `: did you mean "${meant}"?`;
      throw new ConfigError(`/${name}`, `a profile has no field "${name}"${hint}`);
    }
    const reason = wrong(item, shape);
    if (reason !== undefined) throw new ConfigError(`/${name}`, `"${name}" ${reason}`);
  }
  const profile = value as Profile;
  checkProfile(profile);
  if (profile.protocol !== undefined && profile.protocol !== protocol) {
    throw new ConfigError("/protocol", `the profile is one of ${profile.protocol}, not of ${protocol}`);
  }
  return profile;
}

/** The profile that an option gives, as JSON text or as the name of a file. */
export async function readProfile(option: string, given: string, protocol: ProtocolId): Promise<Profile> {
  const { name, value } = await readJsonOption(option, given);
  return blame(name, () => profileOf(value, protocol));
}
