import { nearest } from "@rolecall/core";
import type { Arguments, CommandDefinition } from "../arguments.ts";
import type { Environment } from "../environment.ts";
import { placesOf } from "../explain/places.ts";
import { explanations, renderCode, renderCodes } from "../explain/render.ts";
import { exitCodes, Mistake } from "../mistake.ts";
import { writeJson } from "../terminal/json.ts";

export const explainDefinition: CommandDefinition = {
  name: "explain",
  about: "Explains the code of a loss; without one, lists all codes.",
  operands: "[CODE]",
  mostOperands: 1,
  options: [{ name: "json", about: "print the definitions as JSON" }],
  notes: [
    "Signs in the list: ! for an error or a warning, · for information. Exit codes: 0 done, 2 unknown code,\n70 internal error.",
  ],
};

/** Runs `rolecall explain`; the result is its exit code. */
export async function explainCommand(args: Arguments, { output }: Environment): Promise<number> {
  const [code] = args.operands;
  const json = args.switches.has("json");
  const all = explanations();
  if (code === undefined) {
    if (json) writeJson(all, output);
    else output.write(renderCodes(output));
    return exitCodes.done;
  }
  const found = all.find((entry) => entry.code === code);
  if (found === undefined) throw new Mistake(`no loss has the code "${code}": ${suggestion(code, all)}`);
  if (json) writeJson({ ...found, places: Object.fromEntries(placesOf(code)) }, output);
  else output.write(renderCode(found, output));
  return exitCodes.done;
}

function suggestion(code: string, all: readonly { readonly code: string; readonly area: string }[]): string {
  const inArea = all.filter(({ area }) => area === code).map((entry) => entry.code);
  const close =
    inArea.length > 0
      ? inArea.slice(0, 5)
      : nearest(
          code,
          all.map((entry) => entry.code),
          3,
        );
  if (close.length === 0) return '"rolecall explain" lists them';
  return `did you mean ${close.join(", ")}? "rolecall explain" lists all`;
}
