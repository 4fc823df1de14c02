import type { Acceptance, ConvertStreamOptions, LossPolicy, Profile, ProtocolId } from "@rolecall/core";
import { ConfigError, checkProfile, loadProtocol, protocolIds } from "@rolecall/core";
import { familyOf } from "./families/index.ts";
import type { ModelMap } from "./model/map.ts";
import type { ExchangeRecord } from "./report/record.ts";
import { readUpstreamUrl } from "./upstream/url.ts";

/** Milliseconds. */
export interface Timeouts {
  /** Until the connection to the service stands. */
  readonly connect?: number;
  /** From the request's last byte to the answer's first. */
  readonly firstByte?: number;
  /** Between two events of a stream, or two pieces of a body. Comments of a stream do not count. */
  readonly idle?: number;
  /** The whole exchange. */
  readonly total?: number;
  /** How long `close` waits for exchanges that run. */
  readonly drain?: number;
}

export interface Limits {
  /** Bytes of a request body. */
  readonly body?: number;
  /** Bytes of all request headers. */
  readonly headers?: number;
  /** Bytes of an answer that has to be converted or inspected as a whole. */
  readonly answer?: number;
  /** How many reports and conversations are remembered. */
  readonly reports?: number;
  /** Bytes of what they keep of single losses, estimated. Beyond it the oldest keep their counts alone. */
  readonly reportBytes?: number;
  /**
   * Bytes of conversations that are kept, so that of the next request of each only what is new has to be converted; an estimate. With 0 none are
   * kept.
   */
  readonly historyBytes?: number;
}

export interface GatewayOptions {
  /** Base URL of the service as the vendor's SDK takes it: OpenAI with `/v1`, Anthropic and Gemini without. Absent: the scripted model answers. */
  readonly to?: string;
  /** What the service speaks. Absent: told from `to`, where that is possible. */
  readonly protocol?: ProtocolId;
  /** Key of the service. It goes to that service's origin and nowhere else. */
  readonly key?: string;
  /** Name of the environment variable that holds the key. */
  readonly keyEnv?: string;
  /** Sends the client's own key to the service. Otherwise it ends here. */
  readonly passKey?: boolean;
  /** Which model is asked for which name, and how much it may generate. */
  readonly modelMap?: ModelMap;
  /** What is known about the service: a name that the protocol knows, or a profile. */
  readonly profile?: string | Profile;
  readonly timeouts?: Timeouts;
  readonly limits?: Limits;
  /** Names under which the gateway may be addressed, beside those of the loopback. */
  readonly hosts?: readonly string[];
  /** Origins of web pages that may use the gateway. */
  readonly origins?: readonly string[];
  /** Keys of which a client must present one. Absent: every client that reaches the port is served. */
  readonly clientKeys?: readonly string[];
  readonly accept?: readonly Acceptance[];
  readonly onLoss?: LossPolicy;
  /** Called once for each exchange, when it is over. */
  readonly onExchange?: (record: ExchangeRecord) => void;
  /** Takes the lines that a person reads. Absent: none are written. */
  readonly log?: (line: string) => void;
  /** Shows the groups of losses of each exchange. */
  readonly verbose?: boolean;
  /** Where `keyEnv` is looked up; `process.env` unless stated. */
  readonly env?: { readonly [name: string]: string | undefined };
}

export interface Service {
  readonly protocol: ProtocolId;
  readonly url: URL;
  readonly profile: Profile;
  readonly key?: string;
}

export interface Settled {
  readonly options: GatewayOptions;
  /** Absent: the scripted model. */
  readonly service?: Service;
  readonly timeouts: Required<Timeouts>;
  readonly limits: Required<Limits>;
  /** What to do about losses, as converters take it. */
  readonly losses: Pick<ConvertStreamOptions, "accept" | "onLoss">;
  /** What must not appear in anything that is written. */
  readonly secrets: readonly string[];
}

const timeouts: Required<Timeouts> = {
  connect: 10_000,
  firstByte: 300_000,
  idle: 120_000,
  total: 1_800_000,
  drain: 10_000,
};
const limits: Required<Limits> = {
  body: 32 << 20,
  headers: 32 << 10,
  answer: 64 << 20,
  reports: 500,
  reportBytes: 16 << 20,
  historyBytes: 64 << 20,
};

/** Fills in what is not stated. Throws a ConfigError for what cannot work, before anything listens. */
export async function settle(options: GatewayOptions): Promise<Settled> {
  const service = options.to === undefined ? undefined : await settleService(options, options.to);
  if (service === undefined && (options.key !== undefined || options.keyEnv !== undefined)) {
    throw new ConfigError("/key", 'a key without a service: state its base URL with "to"');
  }
  checkNames(options);
  return {
    options,
    ...(service !== undefined && { service }),
    timeouts: { ...timeouts, ...options.timeouts },
    limits: { ...limits, ...options.limits },
    losses: {
      ...(options.onLoss !== undefined && { onLoss: options.onLoss }),
      ...(options.accept !== undefined && { accept: options.accept }),
    },
    secrets: [service?.key, ...(options.clientKeys ?? [])].filter((key) => key !== undefined && key !== "") as string[],
  };
}

/** A name that no client can send would be believed to be let in. */
function checkNames({ hosts = [], origins = [] }: GatewayOptions): void {
  for (const host of hosts) {
    if (!/^(?:[^\s:/?#@]+|\[[\da-f:.]+\])$/i.test(host))
      throw new ConfigError("/hosts", `"${host}" is no name of a host: state it without scheme, port and path`);
  }
  for (const origin of origins) {
    if (!/^[a-z][a-z\d+.-]*:\/\/[^\s/?#@]+$/i.test(origin))
      throw new ConfigError("/origins", `"${origin}" is no origin: state scheme and host, such as https://example.com`);
  }
}

async function settleService(options: GatewayOptions, to: string): Promise<Service> {
  const url = readUpstreamUrl(to);
  const protocol = options.protocol ?? guessProtocol(url);
  if (!protocolIds.includes(protocol))
    throw new ConfigError("/protocol", `unknown protocol "${protocol}": use one of ${protocolIds.join(", ")}`);
  // A protocol is loaded when it is needed.
  const known = typeof options.profile === "string" ? (await loadProtocol(protocol)).profiles : {};
  const key = readKey(options, url);
  return {
    protocol,
    url: familyOf(protocol).baseUrl?.(url) ?? url,
    profile: { ...readProfile(options.profile, known, protocol), protocol },
    ...(key !== undefined && { key }),
  };
}

function guessProtocol(url: URL): ProtocolId {
  if (url.hostname === "api.anthropic.com") return "anthropic-messages";
  if (/(?:^|\.)(?:generativelanguage|[\w-]*aiplatform)\.googleapis\.com$/.test(url.hostname))
    return /\/openai\/?$|\/openapi\/?$/.test(url.pathname) ? "openai-chat" : "gemini-generate-content";
  if (/\/v\d+\/?$/.test(url.pathname)) return "openai-chat";
  throw new ConfigError("/protocol", `cannot tell what ${url.host} speaks: state "protocol"`);
}

function readProfile(
  profile: string | Profile | undefined,
  known: { readonly [name: string]: Profile },
  protocol: ProtocolId,
): Profile | undefined {
  if (typeof profile !== "string") return profile === undefined ? undefined : checked(profile, protocol);
  if (Object.hasOwn(known, profile)) return known[profile];
  throw new ConfigError("/profile", `unknown profile "${profile}": use one of ${Object.keys(known).join(", ")}`);
}

/** Every conversion checks its target, but a wrong profile shall not wait for the first request. */
function checked(profile: Profile, protocol: ProtocolId): Profile {
  if (profile.protocol !== undefined && profile.protocol !== protocol)
    throw new ConfigError(
      "/profile/protocol",
      `the profile is one of ${profile.protocol}, the service speaks ${protocol}`,
    );
  try {
    checkProfile(profile);
  } catch (error) {
    if (error instanceof ConfigError) throw new ConfigError(`/profile${error.path}`, error.message);
    throw error;
  }
  return profile;
}

/** Services that answer nobody without a key. */
const demanding: ReadonlySet<string> = new Set([
  "api.openai.com",
  "api.anthropic.com",
  "generativelanguage.googleapis.com",
]);

function readKey(options: GatewayOptions, url: URL): string | undefined {
  const { key, keyEnv, passKey } = options;
  if (passKey === true) {
    if (key !== undefined || keyEnv !== undefined)
      throw new ConfigError("/passKey", 'state either a key or "passKey", not both');
    return undefined;
  }
  if (key !== undefined && keyEnv !== undefined)
    throw new ConfigError("/keyEnv", 'state either "key" or "keyEnv", not both');
  const found = keyEnv === undefined ? key : (options.env ?? process.env)[keyEnv];
  if (keyEnv !== undefined && (found === undefined || found === ""))
    throw new ConfigError("/keyEnv", `the environment variable ${keyEnv} holds no key: set it`);
  if (found === undefined && demanding.has(url.hostname))
    throw new ConfigError("/key", `${url.hostname} needs a key: name its environment variable with "keyEnv"`);
  if (found !== undefined && /[^\x21-\x7e]/.test(found))
    throw new ConfigError("/key", "the key has characters that no HTTP header can carry");
  return found;
}
