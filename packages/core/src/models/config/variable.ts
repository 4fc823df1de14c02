import type { Entry, Read } from "./entry.ts";
import { wrong } from "./entry.ts";

/** How a variable is named, in the words of errors. */
export const form: string = "$" + "{NAME}";

const mark = /\$\$\{|\$\{([^{}]*)(\}?)/g;
const variableName = /^[A-Za-z_][A-Za-z0-9_]*$/;

/** Whether a text names a variable, or tries to. */
export function namesVariable(text: string): boolean {
  return [...text.matchAll(mark)].some(([, name]) => name !== undefined);
}

/** A text with what the environment has in place of each `${NAME}`; `$${` stands for the characters `${`. */
export const readText: Read<string> = (entry) => {
  const { value } = entry;
  if (typeof value !== "string") throw wrong(entry, "this must be a string");
  if (value === "") throw wrong(entry, "this is empty: say something, or leave it out");
  return value.replaceAll(mark, (_, name: string | undefined, end: string | undefined) =>
    name === undefined ? "${" : lookUp(entry, end === "}" ? name : ""),
  );
};

function lookUp(entry: Entry, name: string): string {
  const { environment, uses } = entry.source;
  if (!variableName.test(name))
    throw wrong(
      entry,
      `a variable is named as ${form}, in letters, digits and _; for the characters themselves write $\${`,
    );
  const value: unknown = Object.hasOwn(environment, name) ? environment[name] : undefined;
  if (typeof value !== "string" || value === "")
    throw wrong(entry, `the variable ${name} is ${value === "" ? "empty" : "not set"}: set it, or leave this out`);
  uses.push({ name, path: entry.path });
  return value;
}
