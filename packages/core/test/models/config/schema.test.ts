import { readFileSync } from "node:fs";
import { Ajv } from "ajv";
import { describe, expect, test } from "vitest";
import { profileFields, readConfig } from "../../../src/index.ts";
import { providersOf } from "../../../src/models/index.ts";
import { rightFiles, wrongFiles } from "./files.ts";
import { errorOf, known } from "./sample.ts";

interface Schema {
  readonly definitions: { readonly [name: string]: { readonly properties: object } };
}

const place = new URL("../../../schemas/models.schema.json", import.meta.url);
const schema = readConfig(readFileSync(place), "models.schema.json") as unknown as Schema;
const validate = new Ajv({ strict: true, strictTypes: false, formats: { regex: isPattern } }).compile(schema);

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

describe("a file that is wrong", () => {
  test.each(wrongFiles)("$what", ({ file, path, message }) => {
    const error = errorOf(file, { file: "/home/models.json" });
    expect(error).toMatchObject({ name: "ConfigError", path, file: "/home/models.json" });
    expect(error.message).toContain(message);
  });

  test.each(wrongFiles)("by its schema: $what", ({ file, isStructured = false }) => {
    expect(validate(file)).toBe(isStructured);
  });
});

describe("a file that is right", () => {
  test.each(rightFiles)("%s", (_, file) => {
    expect(providersOf(file, { known, environment: { A: "a" } })).toHaveLength(
      Object.keys((file as { providers: object }).providers).length,
    );
    expect(validate(file), JSON.stringify(validate.errors)).toBe(true);
  });
});

test("the schema knows the fields of compat", () => {
  const settled = ["protocol", "provider", "model"];
  expect(Object.keys(schema.definitions["compat"]?.properties ?? {}).sort()).toEqual(
    profileFields.filter((name) => !settled.includes(name)).sort(),
  );
});
