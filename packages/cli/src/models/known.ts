import type { ProtocolId } from "@rolecall/core";
import { createModels, nearest, RolecallError, textOf } from "@rolecall/core";
import type { ChatModel, ClassifierModel, ImageModel, Model, Models, Provider } from "@rolecall/core/models";
import { asClassifier } from "@rolecall/core/models";
import type { ProviderName } from "@rolecall/core/providers";
import { loadProvider, loadProviders, providerNames } from "@rolecall/core/providers";
import type { Arguments, OptionDefinition } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { blame, exitCodes, Mistake } from "../mistake.ts";

/** How a command says which server it asks, where that is not the usual one of its service. */
export const serverOptions: readonly OptionDefinition[] = [
  { name: "base-url", value: "URL", about: "ask the service there; a name that is not known is a server of one's own" },
  { name: "key-env", value: "NAME", about: "variable of the environment that holds the key for it" },
];

/** A model to ask, and what asks it. */
export interface NamedModel<M extends Model = ChatModel> {
  readonly models: Models;
  readonly model: M;
  /** Nothing is known of it but its name. */
  readonly isUnlisted: boolean;
}

/**
 * The model that `--model SERVICE/MODEL` names; `unlisted` makes one of a name that nobody knows. Throws a Mistake for a service that is not known, and
 * for a model of another type than is wanted.
 */
async function findModel<M extends Model>(
  args: Arguments,
  environment: Environment,
  isWanted: (model: Model) => model is M,
  unlisted: (id: string, provider: Provider) => M,
): Promise<NamedModel<M>> {
  const { model: given } = args.values;
  if (given === undefined) throw new Mistake("state which model is asked: --model SERVICE/MODEL");
  const slash = given.indexOf("/");
  if (slash <= 0 || slash === given.length - 1)
    throw new Mistake(`--model ${given}: state SERVICE/MODEL, such as anthropic/claude-sonnet-4-6`);
  const id = given.slice(slash + 1);
  const provider = await ofModels(() => providerOf(given.slice(0, slash), args, environment));
  const known = provider.models.find((model) => model.id === id);
  if (known !== undefined && !isWanted(known)) {
    const operation = { chat: "chat or classify", classifier: "classify", image: "image" }[known.type];
    throw new Mistake(`--model ${given}: that is a model of type ${known.type}; ask it with rolecall ${operation}`);
  }
  const models = createModels({ environment: environment.variables });
  models.setProvider(provider);
  const isUnlisted = known === undefined && provider.models.length > 0;
  return { models, model: known ?? unlisted(id, provider), isUnlisted };
}

const unlistedChat = (id: string, { id: provider, api }: Provider): ChatModel => ({ type: "chat", id, provider, api });

export function namedChatModel(args: Arguments, environment: Environment): Promise<NamedModel> {
  return findModel(args, environment, (model): model is ChatModel => model.type === "chat", unlistedChat);
}

/** A classifier, or a chat model that is asked as one. */
export async function namedClassifier(args: Arguments, environment: Environment): Promise<NamedModel<ClassifierModel>> {
  const isOne = (model: Model): model is ChatModel | ClassifierModel => model.type !== "image";
  const { model, ...found } = await findModel<ChatModel | ClassifierModel>(args, environment, isOne, unlistedChat);
  return { ...found, model: model.type === "chat" ? asClassifier(model) : model };
}

export function namedImageModel(args: Arguments, environment: Environment): Promise<NamedModel<ImageModel>> {
  return findModel(
    args,
    environment,
    (model): model is ImageModel => model.type === "image",
    (id, { id: provider, api }) => ({
      type: "image",
      id,
      provider,
      api: api === "gemini-generate-content" ? api : "openai-images",
    }),
  );
}

/** The key in the variable that `--key-env` names. */
export function keyOf({ values }: Arguments, { variables }: Environment): string | undefined {
  const { "key-env": variable } = values;
  const apiKey = variable === undefined ? undefined : variables[variable];
  if (variable !== undefined && (apiKey ?? "") === "")
    throw new Mistake(`--key-env ${variable}: that variable is not set, or empty`);
  return apiKey;
}

async function providerOf(name: string, args: Arguments, environment: Environment): Promise<Provider> {
  const { "base-url": baseUrl } = args.values;
  const apiKey = keyOf(args, environment);
  const options = { ...(baseUrl !== undefined && { baseUrl }), ...(apiKey !== undefined && { apiKey }) };
  if (baseUrl === undefined) {
    const own = (await ownProviders(environment)).find(({ id }) => id === name);
    if (own !== undefined) return { ...own, ...options };
  }
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

/** The services of the user's `models.json`. */
function ownProviders({ variables }: Environment): Promise<readonly Provider[]> {
  return blame("models.json", () => loadProviders({ environment: variables }));
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

/** All services that are known and those of `models.json`, or the one that is named. Azure has no place of its own before somebody states one. */
export async function knownProviders(args: Arguments, environment: Environment): Promise<readonly Provider[]> {
  const { provider: name } = args.values;
  if (name !== undefined) return [await ofModels(() => providerOf(name, args, environment))];
  const own = await ownProviders(environment);
  const names = providerNames.filter((known) => known !== "azure" && !own.some(({ id }) => id === known));
  return [...own, ...(await Promise.all(names.map((known) => loadProvider(known))))];
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
