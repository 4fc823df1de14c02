import type { ProtocolId } from "@rolecall/core";
import { createModels, RolecallError, textOf } from "@rolecall/core";
import type { ChatModel, Models, Provider } from "@rolecall/core/models";
import type { ProviderName } from "@rolecall/core/providers";
import { loadProvider, providerNames } from "@rolecall/core/providers";
import type { Arguments, OptionDefinition } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { nearest } from "../nearest.ts";

/** How a command says which server it asks, where that is not the usual one of its service. */
export const serverOptions: readonly OptionDefinition[] = [
  { name: "base-url", value: "URL", about: "ask the service there; a name that is not known is a server of one's own" },
  { name: "key-variable", value: "NAME", about: "variable of the environment that holds the key for it" },
];

/** A model to ask, and what asks it. */
export interface NamedModel {
  readonly models: Models;
  readonly model: ChatModel;
  /** Nothing is known of it but its name. */
  readonly isUnlisted: boolean;
}

/** The chat model that `--model SERVICE/MODEL` names. Throws a Mistake for a service that is not known, and for a model of another kind. */
export async function namedModel(given: string, args: Arguments, environment: Environment): Promise<NamedModel> {
  const slash = given.indexOf("/");
  if (slash <= 0 || slash === given.length - 1)
    throw new Mistake(`--model ${given}: state SERVICE/MODEL, such as anthropic/claude-sonnet-4-6`);
  const name = given.slice(0, slash);
  const id = given.slice(slash + 1);
  const provider = await ofModels(() => providerOf(name, args, environment));
  const known = provider.models.find((model) => model.id === id);
  if (known !== undefined && known.type !== "chat")
    throw new Mistake(`--model ${given}: that is a model of type ${known.type}, and no chat model`);
  const models = createModels({ environment: environment.variables });
  models.setProvider(provider);
  const model = known ?? { type: "chat", id, provider: provider.id, api: provider.api };
  return { models, model, isUnlisted: known === undefined && provider.models.length > 0 };
}

/** The key in the variable that `--key-variable` names. */
export function keyOf({ values }: Arguments, { variables }: Environment): string | undefined {
  const { "key-variable": variable } = values;
  const apiKey = variable === undefined ? undefined : variables[variable];
  if (variable !== undefined && (apiKey ?? "") === "")
    throw new Mistake(`--key-variable ${variable}: that variable is not set, or empty`);
  return apiKey;
}

async function providerOf(name: string, args: Arguments, environment: Environment): Promise<Provider> {
  const { "base-url": baseUrl } = args.values;
  const apiKey = keyOf(args, environment);
  const options = { ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }) };
  if (isKnown(name)) return loadProvider(name, options);
  if (name === scripted && baseUrl === undefined) return echo();
  if (baseUrl !== undefined) {
    const { openaiCompatibleProvider } = await import("@rolecall/core/providers/openai-compatible");
    return openaiCompatibleProvider({ ...options, id: name, baseUrl });
  }
  const names = [...providerNames, scripted];
  const [meant] = nearest(name, names);
  const hint = meant === undefined ? `there are ${names.join(", ")}` : `did you mean "${meant}"?`;
  throw new Mistake(`no service "${name}" is known: ${hint} Of a server of your own state --base-url`);
}

/** The service that needs no network and no key. */
const scripted = "scripted";

/** Says what was said, so that a command can be tried. It is labelled: nobody shall take it for a language model. */
async function echo(): Promise<Provider> {
  const { scriptedProvider } = await import("@rolecall/core/providers/scripted");
  return scriptedProvider({
    script: ({ messages }) => {
      const last = messages.findLast(({ role }) => role === "user");
      const said = last === undefined ? "nothing" : textOf(last);
      return { text: `[scripted, not a language model] You said: ${said.slice(-2000)}` };
    },
  });
}

function isKnown(name: string): name is ProviderName {
  return (providerNames as readonly string[]).includes(name);
}

/** All services that are known, or the one that is named. Azure has no place of its own before somebody states one. */
export async function knownProviders(args: Arguments, environment: Environment): Promise<readonly Provider[]> {
  const { provider: name } = args.values;
  if (name !== undefined) return [await ofModels(() => providerOf(name, args, environment))];
  const names = providerNames.filter((known) => known !== "azure");
  return Promise.all(names.map((known) => loadProvider(known)));
}

/** Errors of what is asked for become one line. */
export async function ofModels<T>(action: () => Promise<T>, exitCode: number = exitCodes.mistake): Promise<T> {
  try {
    return await action();
  } catch (error) {
    throw error instanceof RolecallError ? new Mistake(error.message, exitCode) : error;
  }
}

/** The word for a protocol in a list. */
export const protocolNames: { readonly [P in ProtocolId]: string } = {
  "openai-chat": "Chat",
  "openai-responses": "Responses",
  "anthropic-messages": "Messages",
  "gemini-generate-content": "Gemini",
};
