import type { Profile, ProtocolId } from "@rolecall/core";
import { createModels, protocolIds, RolecallError } from "@rolecall/core";
import type { ProbeResult } from "@rolecall/core/models";
import { probeModel } from "@rolecall/core/models";
import { openaiCompatibleProvider } from "@rolecall/core/providers/openai-compatible";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { keyOf, ofModels } from "../models/known.ts";
import { writeJson } from "../terminal/json.ts";
import { paintOf } from "../terminal/paint.ts";
import { pad, visible } from "../terminal/text.ts";

export const probeDefinition: CommandDefinition = {
  name: "probe",
  about:
    "Finds out what a server does by asking it: tools, parallel calls, images, schemas, reasoning, counts in streams.",
  operands: "URL",
  mostOperands: 1,
  options: [
    { name: "model", short: "m", value: "M", about: "the model, by the name that the server knows it by" },
    {
      name: "api",
      value: "P",
      choices: protocolIds,
      about: "the protocol that it is asked in; openai-chat unless stated",
    },
    { name: "key-env", value: "NAME", about: "variable of the environment that holds the key" },
    { name: "json", about: "print {url, model, api, date, results, compat, input} on standard output" },
  ],
  notes: [
    "Each try is a short call, which the service may bill. What is tried and seen goes to standard error; a compat block, as models.json\n" +
      "takes it, to standard output. What was not seen to work or to fail is not in it.\n" +
      "Exit codes: 0 done, 1 the server does not answer, 2 usage is wrong, 70 internal error.",
  ],
};

const signs = { yes: "yes", no: "no", unclear: "?" } as const;

/** Runs `rolecall probe`; the result is its exit code. */
export async function probeCommand(args: Arguments, environment: Environment): Promise<number> {
  const [url] = args.operands;
  const { model: id, api = "openai-chat" } = args.values;
  if (url === undefined) throw new Mistake("state the base URL of the server, such as http://127.0.0.1:11434/v1");
  if (id === undefined) throw new Mistake("state which model is tried: --model M");
  const apiKey = keyOf(args, environment);
  const provider = await ofModels(async () =>
    openaiCompatibleProvider({ id: "server", baseUrl: url, ...(apiKey !== undefined && { apiKey }) }),
  );
  const models = createModels({ environment: {} });
  models.setProvider({ ...provider, api: api as ProtocolId });
  const model = { type: "chat", id, provider: "server", api: api as ProtocolId } as const;
  const { messages, output } = environment;
  const paint = paintOf(messages);
  const results: ProbeResult[] = [];
  try {
    for await (const result of probeModel(models.stream, model)) {
      results.push(result);
      const sign = { yes: paint.green, no: paint.red, unclear: paint.yellow }[result.outcome];
      messages.write(
        `${sign(pad(signs[result.outcome], 3))}  ${pad(result.name, 18)}  ${paint.dim(visible(result.evidence))}\n`,
      );
    }
  } catch (error) {
    throw error instanceof RolecallError ? new Mistake(error.message, exitCodes.findings) : error;
  }
  const date = environment.now().toISOString().slice(0, 10);
  const compat: Profile = Object.assign({}, ...results.map(({ profile }) => profile));
  const input = ["text", ...results.flatMap((result) => result.input ?? [])];
  if (args.switches.has("json")) writeJson({ url, model: id, api, date, results, compat, input }, output);
  else writeJson({ id, input, compat }, output);
  return exitCodes.done;
}
