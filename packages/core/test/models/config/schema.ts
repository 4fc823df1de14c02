import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { readConfig } from "../../../src/index.ts";

interface Schema {
  readonly definitions: { readonly [name: string]: { readonly properties?: object } };
}

const name = "models.schema.json";

export const schema = readConfig(
  readFileSync(new URL(`../../../schemas/${name}`, import.meta.url)),
  name,
) as unknown as Schema;

const validate = new Ajv({ strict: true, strictTypes: false, formats: { regex: isPattern } }).compile(schema);

/** Whether the schema takes a file. */
export function isValid(file: unknown): boolean {
  return validate(file);
}

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}
