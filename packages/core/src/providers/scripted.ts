import type { ProtocolId } from "../ir/index.ts";
import type { Model, Provider } from "../models/index.ts";
import { createProvider } from "../models/index.ts";
import type { Script } from "./scripted/serve.ts";
import { scriptedFetch } from "./scripted/serve.ts";

export type { ScriptedAnswer, ScriptedCall, ScriptedRequest } from "./scripted/answer.ts";
export { byRules, type ScriptedCondition, type ScriptedRule } from "./scripted/rules.ts";
export type { Script } from "./scripted/serve.ts";

export interface ScriptedOptions {
  /** What answers. */
  readonly script: Script;
  /** "scripted" unless stated. */
  readonly id?: string;
  /** The wire in which it answers; "openai-chat" unless stated. */
  readonly api?: ProtocolId;
  /** One with the name "scripted" unless stated. */
  readonly models?: readonly Model[];
}

/**
 * A service that is no language model: it says what a script says, in the wire of a protocol, so that all of an application but the network and the
 * model runs. Two of them share nothing.
 */
export function scriptedProvider({ script, id = "scripted", api = "openai-chat", models }: ScriptedOptions): Provider {
  const own: readonly Model[] = models ?? [
    { type: "chat", id: "scripted", provider: id, api, name: "Scripted (no language model)" },
  ];
  return createProvider(
    {
      id,
      name: "Scripted (no language model)",
      baseUrl: "https://scripted.invalid/v1",
      api,
      keyVariables: [],
      isKeyless: true,
    },
    {
      fetch: scriptedFetch(
        api,
        script,
        own.map((model) => model.id),
      ),
    },
    own,
  );
}
