import type { Json, Profile, ProtocolId } from "@rolecall/core";
import { ConfigError, checkProfile, isJsonObject, nearest, profileFields } from "@rolecall/core";
import { blame } from "../mistake.ts";
import { readJsonOption } from "./file.ts";

/** A value as a profile of a protocol. Throws a ConfigError at the first field that is wrong. */
function profileOf(value: Json, protocol: ProtocolId): Profile {
  const unknown = isJsonObject(value) ? Object.keys(value).find((name) => !profileFields.includes(name)) : undefined;
  const [meant] = unknown === undefined ? [] : nearest(unknown, profileFields);
  if (meant !== undefined)
    throw new ConfigError(`/${unknown}`, `a profile has no field "${unknown}": did you mean "${meant}"?`);
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
