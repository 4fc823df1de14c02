import { ConfigError } from "../../errors/index.ts";
import type { Environment } from "../key.ts";
import { processEnvironment } from "../key.ts";
import type { Provider } from "../provider.ts";
import type { Entry, Fields } from "./entry.ts";
import { entriesOf, readFields, wrong } from "./entry.ts";
import { readProvider } from "./provider.ts";

export interface ProvidersOfOptions {
  /** Where variables are looked up; those of the process unless stated. */
  readonly environment?: Environment;
  /** The file that the value is from, for errors. */
  readonly file?: string;
  /**
   * Services that are known by their ids, with their models. What the value does not say of one of them is taken from here, and a variable that holds
   * the key of one goes to no other origin than its `keyOrigins`.
   */
  readonly known?: readonly Provider[];
}

interface StatedFile {
  /** Where editors find the schema. */
  readonly $schema?: unknown;
  readonly providers?: readonly (readonly [id: string, entry: Entry])[];
}

const fileFields: Fields<StatedFile> = {
  $schema: ({ value }) => value,
  providers: (entry) => entriesOf(entry, "providers"),
};

/**
 * The services that a value as of the file `models.json` states, for `setProvider`; docs/models-file.md says what it may hold. Nothing but the value
 * and the variables that it names is read. The key and the headers that an application gave a known service are left out where the value leads
 * elsewhere. Throws a ConfigError with the place of what is wrong; no key and no value of a variable is in it.
 */
export function providersOf(value: unknown, options: ProvidersOfOptions = {}): readonly Provider[] {
  const { environment = processEnvironment(), file, known = [] } = options;
  try {
    const entry: Entry = { value, path: "", source: { file, environment, uses: [] } };
    const { providers } = readFields<StatedFile>(entry, "the file", fileFields);
    if (providers === undefined) throw wrong(entry, "the file lacks providers");
    return providers.map(([id, place]) => readProvider(id, place, known));
  } catch (error) {
    if (error instanceof ConfigError) throw error;
    // Of a getter or a proxy, which may say anything.
    throw new ConfigError("", "a part of this value cannot be read: give it as JSON.parse does", file);
  }
}
