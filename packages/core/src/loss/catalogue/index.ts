import type { LossEffect, LossKind, LossSeverity } from "../../ir/index.ts";
import { answers } from "./answers.ts";
import { content } from "./content.ts";
import { fields } from "./fields.ts";
import { instructions } from "./instructions.ts";
import { settings } from "./settings.ts";
import { tools } from "./tools.ts";

export interface LossDefinition {
  /** The kind unless the place says otherwise. */
  readonly kind: LossKind;
  readonly effect: LossEffect;
  readonly severity: LossSeverity;
  /** One line without any content; `{name}` or `{name|usually}` is filled with protocol words and numbers only. */
  readonly detail: string;
  /** For a person who asks: why it happens and what can be done. */
  readonly explain: string;
  /** Made toward its own protocol too, because the services of that refuse the body as it is. */
  readonly mends?: true;
}

/** Every loss that Rolecall can report. Closed: a code that is not here does not compile. */
export const lossCatalogue: typeof content &
  typeof instructions &
  typeof tools &
  typeof settings &
  typeof answers &
  typeof fields = { ...content, ...instructions, ...tools, ...settings, ...answers, ...fields };

export type LossCode = keyof typeof lossCatalogue;

/** The definition of a code, or undefined for a text that is no code. */
export function lossDefinition(code: string): LossDefinition | undefined {
  const definitions: { readonly [code: string]: LossDefinition } = lossCatalogue;
  return Object.hasOwn(definitions, code) ? definitions[code] : undefined;
}
