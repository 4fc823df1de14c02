import type { Model } from "@rolecall/core/models";
import { createModels } from "@rolecall/core/models";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { knownProviders, ofModels, serverOptions } from "../models/known.ts";
import { renderModels } from "../models/table.ts";
import { writeJson } from "../terminal/json.ts";

export const modelsDefinition: CommandDefinition = {
  name: "models",
  about: "Lists the models of the services that are known, with windows, prices and what they take.",
  operands: "[TEXT]",
  mostOperands: 1,
  options: [
    { name: "provider", value: "P", about: "those of one service" },
    { name: "type", value: "T", choices: ["chat", "classifier", "image"], about: "those of one type" },
    { name: "refresh", about: "ask the service which models it has; needs --provider, and its key" },
    ...serverOptions,
    { name: "json", about: "print the list as JSON, with the source and date of each model" },
  ],
  notes: [
    "With TEXT, those whose name holds it. Prices are estimates: dollars for a million tokens, by the lists of the dates in --json.\n" +
      "Exit codes: 0 done, 1 there is none, or the service did not answer, 2 usage is wrong, 70 internal error.",
  ],
};

/** Runs `rolecall models`; the result is its exit code. */
export async function modelsCommand(args: Arguments, environment: Environment): Promise<number> {
  const { provider, type } = args.values;
  const { output, messages } = environment;
  if (args.switches.has("refresh") && provider === undefined)
    throw new Mistake("--refresh asks one service: state it with --provider");
  const all = await listed(args, environment);
  const text = args.operands[0]?.toLowerCase();
  const found = all.filter(
    (model) =>
      (type === undefined || model.type === type) &&
      (text === undefined || `${model.provider}/${model.id} ${model.name ?? ""}`.toLowerCase().includes(text)),
  );
  if (args.switches.has("json")) writeJson(found, output);
  else if (found.length > 0) output.write(renderModels(found, output));
  else messages.write("no model is known by that; a local server is asked with --provider P --refresh\n");
  return found.length > 0 ? exitCodes.done : exitCodes.findings;
}

async function listed(args: Arguments, environment: Environment): Promise<readonly Model[]> {
  const providers = await knownProviders(args, environment);
  if (!args.switches.has("refresh")) return providers.flatMap(({ models }) => models);
  const models = createModels({ environment: environment.variables });
  const lists = providers.map((provider) => {
    models.setProvider(provider);
    return ofModels(() => models.refresh(provider.id), exitCodes.findings);
  });
  return (await Promise.all(lists)).flat();
}
