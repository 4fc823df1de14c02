import { appendFileSync } from "node:fs";
import { ConfigError } from "@rolecall/core";
import { createGateway } from "../gateway.ts";
import { launch } from "../launch/launch.ts";
import { formatRecipe, recipeFor, recipeNames } from "../launch/recipes.ts";
import type { ExchangeRecord } from "../report/record.ts";
import { summaryOf } from "../report/tally.ts";
import { optionsHelp, readCommandArguments, withFlags } from "./arguments.ts";
import type { CommandEnvironment } from "./gateway.ts";

const usage = `Usage: rolecall launch CLIENT [options] [-- arguments of the client]

Starts a client that asks a gateway of its own, and ends the gateway with it.

Clients: ${recipeNames.join(", ")}

Options:
${optionsHelp}  --model NAME           the model that the client asks for
  --print                only show how the client is started for a gateway that listens at --port
  --port N               of that gateway; 4141 unless stated
  --log FILE             where the exchanges are noted: the terminal belongs to the client
`;

/** Runs `rolecall launch CLIENT`; the result is the client's exit code. Throws a ConfigError for wrong arguments. */
export async function runLaunch(argv: readonly string[], environment: CommandEnvironment): Promise<number> {
  const {
    gateway: options,
    operands,
    port,
    rest,
    model,
    log,
    print,
    help,
  } = readCommandArguments(argv, environment.env);
  if (help) {
    environment.write(usage);
    return 0;
  }
  const [name, ...others] = operands;
  if (name === undefined) throw new ConfigError("/client", `name a client: ${recipeNames.join(", ")}`);
  if (others.length > 0) throw new ConfigError("/client", "arguments of the client stand behind --");
  if (print) {
    const recipe = recipeFor(name, `http://127.0.0.1:${port}`, model === undefined ? {} : { model });
    environment.write(formatRecipe(recipe));
    return 0;
  }
  let exchanges = 0;
  let last: ExchangeRecord | undefined;
  const gateway = await withFlags(() =>
    createGateway({
      ...options,
      onExchange: (record) => {
        exchanges++;
        // The last request holds what the earlier ones lost as well.
        last = record;
      },
      ...(log !== undefined && { log: (line: string) => appendFileSync(log, `${line}\n`) }),
    }),
  );
  try {
    const { url } = await gateway.listen();
    const [key] = options.clientKeys ?? [];
    const recipe = recipeFor(name, url, { ...(model !== undefined && { model }), ...(key !== undefined && { key }) });
    const code = await launch(recipe, {
      args: rest,
      env: environment.env,
      withheld: options.keyEnv === undefined ? [] : [options.keyEnv],
    });
    (environment.writeBeside ?? environment.write)(summary(exchanges, last));
    return code;
  } finally {
    await gateway.close();
  }
}

function summary(exchanges: number, last: ExchangeRecord | undefined): string {
  const { total, groups } = last === undefined ? { total: 0, groups: 0 } : summaryOf(last);
  const count = (number: number, one: string, more: string) => `${number} ${number === 1 ? one : more}`;
  const lost =
    total === 0 ? "nothing lost" : `${count(total, "loss", "losses")} in ${count(groups, "group", "groups")}`;
  return `rolecall: ${exchanges} ${exchanges === 1 ? "exchange" : "exchanges"}, ${lost} in the last\n`;
}
