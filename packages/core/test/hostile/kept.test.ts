import { describe, expect, test } from "vitest";
import { keptFolder, readKept } from "../../../../scripts/fuzz/guided/kept.mjs";
import { createTargets } from "../../../../scripts/fuzz/targets/targets.mjs";
import * as check from "../../src/check/index.ts";
import * as core from "../../src/index.ts";
import { protocols } from "../laws/conversion.ts";

/** The inputs that `npm run fuzz` has kept: each reaches code that no other does, and none may crash or be changed in silence. */
describe(`inputs kept in ${keptFolder.split("/").slice(-2).join("/")}`, () => {
  test.each(createTargets({ ...core, protocols, check }))("$name", async ({ name, check }) => {
    const inputs = readKept(name);
    expect(inputs.length).toBeGreaterThan(10);
    for (const input of inputs) await check(input);
  });
});
