import { existsSync } from "node:fs";
import { createModels, ProviderError, TransportError } from "@rolecall/core";
import type { Provider } from "@rolecall/core/models";
import type { Environment } from "../environment.ts";
import { count } from "../terminal/text.ts";
import { version } from "../version.ts";

/** One thing that was looked at. */
export interface Check {
  readonly name: string;
  /** `open`: nothing is wrong, and nothing is there. */
  readonly state: "well" | "wrong" | "open";
  /** What was found, and where something is wrong the mend. No key is in it. */
  readonly message: string;
}

type Variables = Environment["variables"];

const well = (name: string, message: string): Check => ({ name, state: "well", message });
const wrong = (name: string, message: string): Check => ({ name, state: "wrong", message });
const open = (name: string, message: string): Check => ({ name, state: "open", message });

/** What can be seen without asking anybody. */
export async function localChecks(
  providers: readonly Provider[],
  { variables }: Environment,
): Promise<readonly Check[]> {
  return [versions(), proxy(variables), certificates(variables), ...(await keys(providers, variables))];
}

const OLDEST = [20, 19] as const;

function versions(): Check {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const found = `rolecall ${version()} on Node ${process.versions.node}`;
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return isOld ? wrong("versions", `${found}: install Node ${OLDEST.join(".")} or newer`) : well("versions", found);
}

/** Node's own `fetch` passes a proxy over unless it is told not to: https://nodejs.org/api/cli.html#node_use_env_proxy1. */
function proxy(variables: Variables): Check {
  const names = ["HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy"].filter(
    (name) => (variables[name] ?? "") !== "",
  );
  const [name] = names;
  if (name === undefined) return open("proxy", "none is set");
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const canUse = major >= 24 || (major === 22 && minor >= 21);
  if (variables["NODE_USE_ENV_PROXY"] === "1" && canUse) return well("proxy", `${name} is used`);
  return wrong(
    "proxy",
    canUse
      ? `${name} is set, and not used: set NODE_USE_ENV_PROXY=1`
      : `${name} is set, and Node ${process.versions.node} cannot use it: use Node 24 or newer with NODE_USE_ENV_PROXY=1, or a fetch of your own`,
  );
}

function certificates(variables: Variables): Check {
  const { NODE_EXTRA_CA_CERTS: file, NODE_TLS_REJECT_UNAUTHORIZED: reject } = variables;
  if (reject === "0")
    return wrong(
      "certificates",
      "NODE_TLS_REJECT_UNAUTHORIZED=0 trusts everybody: unset it, and state the authority in NODE_EXTRA_CA_CERTS",
    );
  if (file === undefined || file === "") return open("certificates", "those that Node trusts");
  return existsSync(file)
    ? well("certificates", `those that Node trusts, and those of ${file}`)
    : wrong("certificates", `NODE_EXTRA_CA_CERTS names ${file}, which is not there`);
}

async function keys(providers: readonly Provider[], variables: Variables): Promise<readonly Check[]> {
  const models = createModels({ environment: variables });
  const found: Check[] = [];
  for (const provider of providers) {
    models.setProvider(provider);
    const { ok, source, message } = await models.checkAuth(provider.id);
    const name = `key ${provider.id}`;
    if (ok && source !== "none") {
      found.push(well(name, typeof source === "object" ? `in ${source.variable}` : "stated"));
      const [first] = typeof source === "object" ? oddities(variables[source.variable] ?? "") : [];
      if (first !== undefined && typeof source === "object") found.push(wrong(name, `${source.variable} ${first}`));
    } else if (!ok) {
      const isSet = provider.keyVariables.some((variable) => (variables[variable] ?? "") !== "");
      found.push(open(name, isSet ? (message ?? "none") : `${provider.keyVariables.join(" or ")} is not set`));
    }
  }
  return found;
}

/** What a key has that none has, as it happens when one is pasted. */
function oddities(key: string): readonly string[] {
  return [
    ...(/^\s|\s$/.test(key) ? ["begins or ends with white space: remove it"] : []),
    ...(/^["'].*["']$/.test(key) ? ["stands in quotes: remove them"] : []),
    ...(/^Bearer /i.test(key) ? ['begins with "Bearer": state the key alone'] : []),
    ...(/[^\x20-\x7e]/.test(key) ? ["has characters that no header takes"] : []),
  ];
}

/** Asks those services that can be asked for their models, which costs nothing. */
export async function* liveChecks(providers: readonly Provider[], { variables }: Environment): AsyncGenerator<Check> {
  const models = createModels({ environment: variables, timeouts: { firstByteMs: 10_000, idleMs: 10_000 } });
  for (const provider of providers) {
    models.setProvider(provider);
    if (!(await models.checkAuth(provider.id)).ok) continue;
    const name = `live ${provider.id}`;
    const started = performance.now();
    try {
      const { length } = await models.refresh(provider.id);
      yield well(name, `${count(length, "model")} in ${Math.round(performance.now() - started)} ms`);
    } catch (error) {
      // A server on this machine that does not run is no fault.
      const isAway = provider.isKeyless === true && error instanceof TransportError && error.kind === "refused";
      if (isAway) yield open(name, "does not run on this machine");
      else if (error instanceof TransportError || error instanceof ProviderError) yield wrong(name, error.message);
      else throw error;
    }
  }
}
