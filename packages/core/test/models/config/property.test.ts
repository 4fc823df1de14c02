import fc from "fast-check";
import { expect, test } from "vitest";
import { ConfigError } from "../../../src/index.ts";
import type { ProvidersOfOptions } from "../../../src/models/index.ts";
import { createModels, providersOf } from "../../../src/models/index.ts";
import { arbitraryFile, environment, secrets } from "./arbitrary-file.ts";
import { everythingOf, known } from "./sample.ts";
import { isValid } from "./schema.ts";

/** What providersOf throws; undefined where it takes a value. Anything but a ConfigError fails the test. */
function refusal(value: unknown, options: ProvidersOfOptions): ConfigError | undefined {
  try {
    providersOf(value, options);
    return undefined;
  } catch (error) {
    if (error instanceof ConfigError) return error;
    throw new Error("no ConfigError", { cause: error });
  }
}

const options = { environment, known, file: "models.json" };

test("no value makes it throw anything but a ConfigError", () => {
  const value = fc.anything({
    withNullPrototype: true,
    withBigInt: true,
    withDate: true,
    withMap: true,
    withSparseArray: true,
  });
  fc.assert(
    fc.property(value, (any) => {
      refusal(any, options);
      refusal({ providers: any }, options);
      refusal({ providers: { own: any } }, options);
      refusal(
        { providers: { own: { baseUrl: "https://own.test", api: "openai-chat", models: [any], compat: any } } },
        options,
      );
    }),
    { numRuns: 500 },
  );
});

test("what is wrong is told with its place and without a secret, and what is right is so by the schema", () => {
  let taken = 0;
  let refused = 0;
  fc.assert(
    fc.property(arbitraryFile, (value) => {
      const before = JSON.stringify(value);
      const error = refusal(value, options);
      expect(JSON.stringify(value)).toBe(before);
      if (error === undefined) {
        taken++;
        expect(isValid(value)).toBe(true);
        return;
      }
      refused++;
      expect(error.file).toBe("models.json");
      // Of JSON everything can be read: that message would hide a mistake of the reader.
      expect(error.message).not.toContain("cannot be read");
      const told = everythingOf(error);
      for (const secret of Object.values(secrets)) expect(told).not.toContain(secret);
    }),
    { numRuns: 2000 },
  );
  // Else the property would say nothing.
  expect(Math.min(taken, refused)).toBeGreaterThan(100);
});

test("what is taken can be set, and each of its models is found", () => {
  fc.assert(
    fc.property(arbitraryFile, (value) => {
      fc.pre(refusal(value, options) === undefined);
      const models = createModels({ environment: {} });
      for (const provider of providersOf(value, options)) models.setProvider(provider);
      for (const model of models.getModels()) {
        expect(models.getProvider(model.provider)).toBeDefined();
        expect(models.getModelOfType(model.type, model.provider, model.id)).toBe(model);
      }
    }),
    { numRuns: 200 },
  );
});

test("values that cannot be read", () => {
  const thrown = new Error(secrets.literal);
  const fail = (): never => {
    throw thrown;
  };
  const getter = { providers: { own: Object.defineProperty({}, "apiKey", { get: fail, enumerable: true }) } };
  const proxy = new Proxy({}, { ownKeys: fail, get: fail, getOwnPropertyDescriptor: fail });
  const circular: Record<string, unknown> = {};
  circular["providers"] = circular;
  const { proxy: revoked, revoke } = Proxy.revocable({}, {});
  revoke();
  for (const value of [getter, proxy, { providers: proxy }, { providers: { own: proxy } }, circular, revoked]) {
    const error = refusal(value, options);
    expect(error).toBeInstanceOf(ConfigError);
    expect(everythingOf(error as ConfigError)).not.toContain(secrets.literal);
  }
});
