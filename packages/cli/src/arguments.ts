import { parseArgs } from "node:util";
import { nearest } from "@rolecall/core";
import { Mistake } from "./mistake.ts";

/** One option of a command, as the help shows it and as it is read. */
export interface OptionDefinition {
  readonly name: string;
  /** One letter that may stand for the name. */
  readonly short?: string;
  /** Name of the value; absent for a switch. */
  readonly value?: string;
  /** It may be given more than once. */
  readonly repeats?: true;
  /** The values that it takes; absent: any. */
  readonly choices?: readonly string[];
  readonly about: string;
}

export interface CommandDefinition {
  readonly name: string;
  readonly about: string;
  /** What stands after the options. */
  readonly operands: string;
  /** How many there may be; absent: any number. */
  readonly mostOperands?: number;
  readonly options: readonly OptionDefinition[];
  /** Paragraphs after the list of options. */
  readonly notes: readonly string[];
}

export interface Arguments {
  readonly values: { readonly [name: string]: string | undefined };
  /** Of the options that may be given more than once, all values in their order. */
  readonly lists: { readonly [name: string]: readonly string[] | undefined };
  readonly switches: ReadonlySet<string>;
  readonly operands: readonly string[];
}

/** Reads the arguments of a command. Throws a Mistake for what the command does not know. */
export function readArguments(definition: CommandDefinition, args: readonly string[]): Arguments {
  const complain = (what: string): Mistake =>
    new Mistake(`${what}${what.endsWith("?") ? "" : ";"} "rolecall ${definition.name} --help" lists the options`);
  const options = Object.fromEntries([
    ...definition.options.map(({ name, short, value }) => [
      name,
      { type: value === undefined ? "boolean" : "string", ...(short !== undefined && { short }) } as const,
    ]),
    ["help", { type: "boolean", short: "h" } as const],
  ]);
  const { tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const values: Record<string, string> = {};
  const lists: Record<string, string[]> = {};
  const switches = new Set<string>();
  const operands: string[] = [];
  for (const token of tokens) {
    if (token.kind === "positional") operands.push(token.value);
    if (token.kind !== "option") continue;
    const { name, rawName, value } = token;
    if (name === "help") switches.add(name);
    else {
      const option = definition.options.find((candidate) => candidate.name === name);
      if (option === undefined) throw complain(unknownOption(rawName, definition));
      if (switches.has(name) || values[name] !== undefined) throw complain(`${rawName} is given twice`);
      if (option.value === undefined) {
        if (value !== undefined) throw complain(`${rawName} takes no value`);
        switches.add(name);
      } else if (value === undefined || (!token.inlineValue && /^--?[a-z]/.test(value))) {
        throw complain(`${rawName} needs a value: ${rawName} ${option.value}`);
      } else if (option.repeats === true) lists[name] = [...(lists[name] ?? []), value];
      else values[name] = checkedChoice(option, rawName, value, complain);
    }
  }
  if (!switches.has("help") && operands.length > (definition.mostOperands ?? Number.POSITIVE_INFINITY)) {
    throw complain(`one ${definition.operands.replace(/[[\]]/g, "")} at most, not ${operands.length}`);
  }
  return { values, lists, switches, operands };
}

function unknownOption(rawName: string, definition: CommandDefinition): string {
  const names = definition.options.map(({ name }) => name);
  const [meant] = nearest(rawName.replace(/^-+/, ""), names);
  return `unknown option ${rawName}${meant === undefined ? "" : `: did you mean --${meant}?`}`;
}

function checkedChoice(
  { choices }: OptionDefinition,
  rawName: string,
  value: string,
  complain: (what: string) => Mistake,
): string {
  if (choices === undefined || choices.includes(value)) return value;
  const [meant] = nearest(value, choices);
  const all = choices.join(", ");
  const what = meant === undefined ? `use ${all}` : `did you mean "${meant}"? It takes ${all}`;
  throw complain(`${rawName} cannot be "${value}": ${what}`);
}

/** A whole number that an option gives; the fallback where it is absent. */
export function wholeNumber(args: Arguments, name: string, least: number, fallback: number): number {
  const text = args.values[name];
  if (text === undefined) return fallback;
  const number = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(number) || number < least) {
    throw new Mistake(`--${name} must be a whole number from ${least}, not "${text}"`);
  }
  return number;
}

const labelOf = ({ name, short, value, repeats }: OptionDefinition): string =>
  `${short === undefined ? "" : `-${short}, `}--${name}${value === undefined ? "" : ` ${value}`}${repeats === true ? "…" : ""}`;

/** The help of a command. */
export function helpOf({ name, about, operands, options, notes }: CommandDefinition): string {
  const entries = options.map((option) => ({ label: labelOf(option), about: option.about }));
  const width = Math.max(...entries.map(({ label }) => label.length), "--help".length);
  const lines = entries.map((entry) => `  ${entry.label.padEnd(width)}  ${entry.about}`);
  return [
    `Usage: rolecall ${name} [options] ${operands}`,
    "",
    about,
    "",
    "Options:",
    ...lines,
    `  ${"--help".padEnd(width)}  show this text`,
    ...notes.flatMap((note) => ["", note]),
    "",
  ].join("\n");
}
