import { describe, expect, test } from "vitest";
import { profileFields } from "../../../src/index.ts";
import { providersOf } from "../../../src/models/index.ts";
import { rightFiles, wrongFiles } from "./files.ts";
import { errorOf, known } from "./sample.ts";
import { isValid, schema } from "./schema.ts";

describe("a file that is wrong", () => {
  test.each(wrongFiles)("$what", ({ file, path, message }) => {
    const error = errorOf(file, { file: "/home/models.json" });
    expect(error).toMatchObject({ name: "ConfigError", path, file: "/home/models.json" });
    expect(error.message).toContain(message);
  });

  test.each(wrongFiles)("by its schema: $what", ({ file, isStructured = false }) => {
    expect(isValid(file)).toBe(isStructured);
  });
});

describe("a file that is right", () => {
  test.each(rightFiles)("%s", (_, file) => {
    expect(providersOf(file, { known, environment: { A: "a" } })).toHaveLength(
      Object.keys((file as { providers: object }).providers).length,
    );
    expect(isValid(file)).toBe(true);
  });
});

test("the schema knows the fields of compat", () => {
  const settled = ["protocol", "provider", "model"];
  expect(Object.keys(schema.definitions["compat"]?.properties ?? {}).sort()).toEqual(
    profileFields.filter((name) => !settled.includes(name)).sort(),
  );
});
