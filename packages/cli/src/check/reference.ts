import type { ProtocolId } from "@rolecall/core";
import { loadProtocol, nearest, protocolIds } from "@rolecall/core";
import type { ModelReference } from "@rolecall/core/check";
import { readProfile } from "../input/profile.ts";
import { Mistake } from "../mistake.ts";

/** The protocols of the services that are known by name. */
async function protocolsByProvider(): Promise<ReadonlyMap<string, ProtocolId>> {
  const known = new Map<string, ProtocolId>();
  for (const id of protocolIds) {
    const { profiles } = await loadProtocol(id);
    for (const { provider } of Object.values(profiles)) {
      if (provider !== undefined && !known.has(provider)) known.set(provider, id);
    }
  }
  return known;
}

/** The model that `--to` names: a protocol, a service, or a service and a model of it. `profile` says more of the server. */
export async function readReference(given: string, profile: string | undefined): Promise<ModelReference> {
  const named = await namedReference(given);
  if (profile === undefined) return named;
  return { ...named, ...(await readProfile("--target", profile, named.protocol)), protocol: named.protocol };
}

async function namedReference(given: string): Promise<ModelReference> {
  if ((protocolIds as readonly string[]).includes(given)) return { protocol: given as ProtocolId };
  const slash = given.indexOf("/");
  const provider = slash < 0 ? given : given.slice(0, slash);
  const model = slash < 0 ? "" : given.slice(slash + 1);
  const known = await protocolsByProvider();
  const protocol = known.get(provider);
  if (protocol === undefined) {
    const names = [...protocolIds, ...known.keys()];
    const [meant] = nearest(provider, names);
    const hint = meant === undefined ? `use ${names.join(", ")}` : `did you mean "${meant}"?`;
    throw new Mistake(
      `--to: no service "${provider}" is known: ${hint} Of another one state the protocol, and the rest with --target`,
    );
  }
  return { protocol, provider, ...(model !== "" && { model }) };
}
