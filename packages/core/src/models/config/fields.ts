import { checkProfile, profileFields } from "../../codec/profile.ts";
import { ConfigError } from "../../errors/index.ts";
import type { Profile, ProtocolId } from "../../ir/index.ts";
import { isJsonObject } from "../../ir/index.ts";
import { readBaseUrl } from "../provider.ts";
import type { Read } from "./entry.ts";
import { entriesOf, hintOf, itemsOf, wrong } from "./entry.ts";
import { form, namesVariable, readText } from "./variable.ts";

/** A number that counts something. */
export const readCount: Read<number> = (entry) => {
  const { value } = entry;
  if (typeof value === "number" && Number.isSafeInteger(value) && value >= 1) return value;
  throw wrong(entry, "this must be a whole number from 1");
};

/** A number of dollars. */
export const readAmount: Read<number> = (entry) => {
  const { value } = entry;
  if (typeof value === "number" && value >= 0 && value < Number.POSITIVE_INFINITY) return value;
  throw wrong(entry, "this must be a number from 0");
};

export const readSwitch: Read<boolean> = (entry) => {
  if (typeof entry.value === "boolean") return entry.value;
  throw wrong(entry, "this must be true or false");
};

/** One of some words. No variable stands for one. */
export function readWord<T extends string>(words: readonly T[]): Read<T> {
  return (entry) => {
    const word = words.find((known) => known === entry.value);
    if (word === undefined) throw wrong(entry, `this must be one of ${words.join(", ")}`);
    return word;
  };
}

/** A list of some words, each of which stands in it once. */
export function readWords<T extends string>(words: readonly T[]): Read<readonly T[]> {
  const read = readWord(words);
  return (entry) => {
    const items = itemsOf(entry, "this");
    const found = items.map(read);
    const twice = items.find((_, index) => found.indexOf(found[index] as T) !== index);
    if (twice !== undefined) throw wrong(twice, "this word stands twice in its list");
    return found;
  };
}

/** The names of each protocol; those that other tools have for one are taken as well. */
const protocolNames: { readonly [name: string]: ProtocolId } = {
  "openai-chat": "openai-chat",
  "openai-completions": "openai-chat",
  "openai-responses": "openai-responses",
  "anthropic-messages": "anthropic-messages",
  "gemini-generate-content": "gemini-generate-content",
  "google-generative-ai": "gemini-generate-content",
};

const readProtocolName = readWord(Object.keys(protocolNames));

export const readProtocol: Read<ProtocolId> = (entry) => protocolNames[readProtocolName(entry)] as ProtocolId;

/** A protocol, or what else a model of another kind is asked in. */
export const readApi: Read<string> = (entry) => {
  const { value } = entry;
  if (typeof value !== "string" || !/^[a-z0-9][a-z0-9.-]*$/.test(value))
    throw wrong(entry, "this must be the name of a protocol, such as openai-chat");
  return Object.hasOwn(protocolNames, value) ? (protocolNames[value] as string) : value;
};

/** A base URL. Variables may stand in its path and its query: they decide not who is asked. */
export const readUrl: Read<string> = (entry) => {
  const { value, path, source } = entry;
  const first = typeof value === "string" ? value.indexOf("${") : -1;
  const fixed = first < 0 ? undefined : (value as string).slice(0, first);
  if (fixed !== undefined && !/^https?:\/\/[^\s/\\?#@]+[/?]/i.test(fixed))
    throw wrong(entry, "no variable stands in the host name of a base URL, or before it: write out who is asked");
  const text = readText(entry);
  const { origin } = readBaseUrl(text, path, source.file);
  if (!/^https?:\/\//i.test(text)) throw wrong(entry, "a base URL begins with https:// or http://");
  if (fixed !== undefined && readBaseUrl(fixed, path, source.file).origin !== origin)
    throw wrong(entry, "a variable changes the host name of this base URL: write out who is asked");
  return text;
};

/** A key as a header can carry it. */
export const readKey: Read<string> = (entry) => {
  const { value } = entry;
  if (typeof value === "string" && value.startsWith("!"))
    throw wrong(entry, `no command is run for a key: put the key into a variable, and state ${form}`);
  if (typeof value === "string" && /^\$[A-Za-z_][A-Za-z0-9_]*$/.test(value))
    throw wrong(entry, `a variable is named as ${form}, with braces`);
  const key = readText(entry);
  if (!/^[\x20-\x7e]+$/.test(key)) throw wrong(entry, "a key has no line breaks, and no characters beyond ASCII");
  return key;
};

/** Names of headers are tokens: RFC 9110, section 5.6.2. */
const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Headers by their names. */
export const readHeaders: Read<{ readonly [name: string]: string }> = (entry) => {
  const seen = new Set<string>();
  return Object.fromEntries(
    entriesOf(entry, "headers").map(([name, field]) => {
      const lower = name.toLowerCase();
      // That name cannot be set on the object that the headers of a request are.
      if (!headerName.test(name) || name === "__proto__") throw wrong(field, "no header can have this name");
      if (seen.has(lower)) throw wrong(field, "this header stands twice, in another case");
      seen.add(lower);
      const text = readText(field);
      if (!/^[\t\x20-\x7e\x80-\xff]*$/.test(text))
        throw wrong(field, "a header has no line breaks, and no characters beyond Latin-1");
      return [name, text];
    }),
  );
};

/** Said of a request by its provider and its model, and not by what is known of them. */
const settled: readonly string[] = ["protocol", "provider", "model"];

/** The fields of `compat`. */
const compatFields: readonly string[] = profileFields.filter((name) => !settled.includes(name));

/** What is known of a server. It is taken as it stands: its patterns may hold any characters. */
export const readCompat: Read<Profile> = (entry) => {
  const fields = entriesOf(entry, "compat");
  for (const [name, field] of fields) {
    if (!compatFields.includes(name)) throw wrong(field, `compat has no "${name}"${hintOf(name, compatFields)}`);
    if (textsOf(field.value).some(namesVariable)) throw wrong(field, "no variable is read here: write the value out");
  }
  const profile = Object.fromEntries(fields.map(([name, { value }]) => [name, value])) as Profile;
  try {
    checkProfile(profile);
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    // Engines say a pattern again that they cannot read.
    const message = error.message.replace(/(a regular expression):.*$/s, "$1");
    throw new ConfigError(entry.path + error.path, message, entry.source.file);
  }
  return profile;
};

/** The texts of a field of a profile. */
function textsOf(value: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [value];
  return items.filter((item) => typeof item === "string");
}
