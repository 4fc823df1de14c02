import type { ToolChoice } from "../../ir/index.ts";

export interface ChosenName {
  readonly name: string;
  /** Its place among all names of the choice. */
  readonly index: number;
}

/** The names of a choice that are known to the target. What is not is told: the whole choice where nothing is left of a subset. */
export function chosenNames(
  { names, subset }: ToolChoice,
  isKnown: (name: string) => boolean,
  tell: (field: string) => void,
): readonly ChosenName[] | undefined {
  if (names === undefined) return undefined;
  const all = names.map((name, index) => ({ name, index }));
  const known = all.filter(({ name }) => isKnown(name));
  if (known.length === 0 && names.length > 0)
    tell(names.length === 1 && subset !== true ? "toolChoice/names" : "toolChoice");
  else for (const { name, index } of all) if (!isKnown(name)) tell(`toolChoice/names/${index}`);
  return known;
}
