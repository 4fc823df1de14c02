import type { Profile } from "@rolecall/core";
import type { ModelTarget } from "./map.ts";

/** What is known of the service when it is asked for a model. */
export type TargetLookup = (model: ModelTarget | undefined) => Profile;

/** So many names are remembered; a client that makes names up must not fill the memory. */
const REMEMBERED = 200;

/** Gives the same frozen profile for the same model, so that converters look at each once. */
export function createTargetLookup(profile: Profile): TargetLookup {
  const remembered = new Map<string, Profile>();
  return (model) => {
    const key = model === undefined ? "" : `${model.maxTokens ?? ""} ${model.model}`;
    let target = remembered.get(key);
    if (target === undefined) {
      const limit = model?.maxTokens ?? profile.maxOutputTokens;
      target = Object.freeze({
        ...profile,
        ...(model !== undefined && { model: model.model }),
        ...(limit !== undefined && { maxOutputTokens: limit }),
      });
      if (remembered.size >= REMEMBERED) remembered.clear();
      remembered.set(key, target);
    }
    return target;
  };
}
