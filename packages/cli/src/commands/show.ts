import type { ModelExchange } from "@rolecall/core/models";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { blame, exitCodes } from "../mistake.ts";
import { namedExchange } from "../models/exchanges.ts";
import type { Received } from "../show/received.ts";
import { receivedBy } from "../show/received.ts";
import { renderShow } from "../show/render.ts";
import { writeJson } from "../terminal/json.ts";

export const showDefinition: CommandDefinition = {
  name: "show",
  about: "Shows what a model really received in a recorded exchange, and what came of it.",
  operands: "[last|ID|FILE]",
  mostOperands: 1,
  options: [
    { name: "losses", about: "list what was not sent as it was" },
    { name: "diff", value: "ID|FILE", about: "dim what the model had received before, in that exchange" },
    { name: "json", about: "print the exchange, its conversation, instructions, tools and calls" },
  ],
  notes: [
    "Exchanges are recorded by rolecall chat --record, and by an application that sets onExchange to a recorder.\n" +
      "Exit codes: 0 done, 2 there is no such exchange, or it cannot be read, 70 internal error.",
  ],
};

/** Runs `rolecall show`; the result is its exit code. */
export async function showCommand(args: Arguments, environment: Environment): Promise<number> {
  const { variables, output } = environment;
  const read = async (word: string): Promise<readonly [ModelExchange, Received]> => {
    const exchange = await namedExchange(word, variables);
    return [exchange, await blame(exchange.id, () => receivedBy(exchange))];
  };
  const [exchange, received] = await read(args.operands[0] ?? "last");
  const { diff } = args.values;
  const previous = diff === undefined ? undefined : (await read(diff))[1];
  if (args.switches.has("json")) {
    const { conversation, instructions, tools, calls } = received;
    writeJson({ exchange, conversation, instructions, tools, calls }, output);
  } else {
    const losses = args.switches.has("losses");
    output.write(renderShow({ exchange, received, losses, ...(previous !== undefined && { previous }) }, output));
  }
  return exitCodes.done;
}
