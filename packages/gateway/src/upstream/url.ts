import type { LookupFunction } from "node:net";
import { BlockList, isIP } from "node:net";
import { ConfigError } from "@rolecall/core";

/** Addresses where clouds hand out credentials to whoever asks; no model is served there. */
const forbidden = new BlockList();
forbidden.addSubnet("169.254.0.0", 16, "ipv4");
forbidden.addAddress("100.100.100.200", "ipv4");
forbidden.addAddress("192.0.0.192", "ipv4");
forbidden.addSubnet("fe80::", 10, "ipv6");
forbidden.addAddress("fd00:ec2::254", "ipv6");
forbidden.addAddress("fd20:ce::254", "ipv6");
// The same behind NAT64.
forbidden.addSubnet("64:ff9b::a9fe:0", 112, "ipv6");
forbidden.addAddress("64:ff9b::6464:64c8", "ipv6");
forbidden.addAddress("64:ff9b::c000:c0", "ipv6");
const forbiddenNames: ReadonlySet<string> = new Set(["metadata.google.internal", "metadata", "instance-data"]);

function isForbiddenAddress(address: string): boolean {
  const family = isIP(address);
  return family !== 0 && forbidden.check(address, family === 6 ? "ipv6" : "ipv4");
}

/** Reads the base URL of a service. Throws a ConfigError for what is none, and for addresses of cloud metadata. */
export function readUpstreamUrl(text: string): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw new ConfigError("/to", "the service's base URL is not a URL");
  }
  if (url.protocol !== "https:" && url.protocol !== "http:")
    throw new ConfigError("/to", `a base URL starts with https:// or http://, not ${url.protocol}//`);
  if (url.username !== "" || url.password !== "")
    throw new ConfigError("/to", 'a base URL holds no user or password: state the key with "keyEnv"');
  if (url.search !== "" || url.hash !== "") throw new ConfigError("/to", "a base URL holds no query and no fragment");
  // A dot at its end makes a name absolute, and no other name.
  const host = url.hostname.replace(/^\[|\]$|\.$/g, "");
  if (forbiddenNames.has(host) || isForbiddenAddress(host))
    throw new ConfigError("/to", `${host} is an address of cloud metadata or links, where no model is served`);
  return url;
}

/** The system's look-up, which refuses the addresses that `readUpstreamUrl` refuses: a name may point anywhere. */
export const guardedLookup: LookupFunction = (hostname, options, callback) => {
  // Loaded with the first name: many services stand at an address of this machine.
  process.getBuiltinModule("node:dns").lookup(hostname, { ...options, all: true }, (error, addresses) => {
    if (error !== null) {
      callback(error, "", 0);
      return;
    }
    const allowed = addresses.filter(({ address }) => !isForbiddenAddress(address));
    const first = allowed[0];
    if (first === undefined) callback(new Error("the name of the service leads to a forbidden address"), "", 0);
    else if (options.all === true) (callback as (error: null, addresses: object[]) => void)(null, allowed);
    else callback(null, first.address, first.family);
  });
};

/** The path of a base URL, ready for that of a call behind it. */
export function basePath(base: URL): string {
  return base.pathname.replace(/\/+$/, "");
}
