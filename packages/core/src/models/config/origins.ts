import { pointerSegments } from "../../ir/index.ts";
import type { Provider } from "../provider.ts";
import type { Entry, VariableUse } from "./entry.ts";
import { wrong } from "./entry.ts";
import type { StatedModel } from "./model.ts";

/** A provider of a file, and what the file says of its models. */
export interface Placed {
  readonly entry: Entry;
  readonly provider: Provider;
  readonly models: readonly StatedModel[];
}

/** The origins that something of a provider is asked at, its models among them. */
export function originsOf({ baseUrl, models }: Pick<Provider, "baseUrl" | "models">): ReadonlySet<string> {
  const places = new Set([baseUrl, ...models.flatMap((model) => model.baseUrl ?? [])]);
  places.delete("");
  return new Set([...places].map((place) => new URL(place).origin));
}

/**
 * Throws a ConfigError where the variable with the key of a known service would go to another origin than that service has: whoever writes a file
 * for others cannot have their keys sent elsewhere.
 */
export function checkOrigins(placed: Placed, known: readonly Provider[]): void {
  const { entry, provider } = placed;
  for (const use of entry.source.uses) {
    const owners = known.filter(({ keyVariables }) => keyVariables.includes(use.name));
    if (owners.length === 0) continue;
    const isOwn = (origin: string): boolean =>
      // A service without an origin that is known, as Azure, has those that are stated of it.
      owners.some(({ id, keyOrigins }) => (keyOrigins.length === 0 ? id === provider.id : keyOrigins.includes(origin)));
    const foreign = [...originsAt(use, placed)].find((origin) => !isOwn(origin));
    if (foreign !== undefined)
      throw wrong(
        { ...entry, path: use.path },
        `${use.name} is the key of ${owners.map(({ id }) => id).join(", ")} and is not sent to ${foreign}: ` +
          "put the key for that place into a variable of another name",
      );
  }
}

/** Where the text goes that a variable stands in: that of a model to its own place, that of a provider to all of them. */
function originsAt({ path }: VariableUse, { entry, provider, models }: Placed): ReadonlySet<string> {
  const [field, key] = pointerSegments(path.slice(entry.path.length));
  const at = field === "models" ? models[Number(key)] : undefined;
  const isMeant = ({ id, type }: Provider["models"][number]): boolean =>
    at === undefined ? id === key : id === at.id && type === at.type;
  if (field !== "models" && field !== "modelOverrides") return originsOf(provider);
  const places = provider.models.filter(isMeant).map((model) => model.baseUrl ?? provider.baseUrl);
  return new Set(places.map((place) => new URL(place).origin));
}
