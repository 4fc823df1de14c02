import type { Arbitrary } from "fast-check";
import fc from "fast-check";
import type { JsonObject } from "../ir/index.ts";

/** Arbitraries by the key whose value they make. */
export type Fields = { readonly [key: string]: Arbitrary<unknown> };

/** One of several, by weight. Shrinks toward the first. */
export function weighted<T>(...choices: readonly (readonly [weight: number, arbitrary: Arbitrary<T>])[]): Arbitrary<T> {
  return fc.oneof(
    { withCrossShrink: true },
    ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })),
  ) as Arbitrary<T>;
}

/** Mostly absent: present in one of `rarity + 1` cases. Shrinks to absence. */
export function maybe<T>(value: Arbitrary<T>, rarity = 2): Arbitrary<T | undefined> {
  return weighted<T | undefined>([rarity, fc.constant(undefined)], [1, value]);
}

/** Objects with all of the `required` fields and some of the `optional` ones. */
export function shape<T = JsonObject>(required: Fields, optional: Fields = {}, rarity = 2): Arbitrary<T> {
  const model: Record<string, Arbitrary<unknown>> = { ...required };
  for (const [key, value] of Object.entries(optional)) model[key] = maybe(value, rarity);
  return fc.record(model, { noNullPrototype: true }).map(withoutUndefined) as Arbitrary<T>;
}

function withoutUndefined(object: { readonly [key: string]: unknown }): object {
  const copy: { [key: string]: unknown } = {};
  for (const key in object) if (object[key] !== undefined) copy[key] = object[key];
  return copy;
}

/** A block or object that its `type` names. */
export function typed<T = JsonObject>(
  type: string,
  required: Fields = {},
  optional: Fields = {},
  rarity = 2,
): Arbitrary<T> {
  return shape<T>({ type: fc.constant(type), ...required }, optional, rarity);
}

/** One of some words; shrinks to the first. */
export function oneWord<const T extends string>(...words: readonly T[]): Arbitrary<T> {
  return fc.constantFrom(...words);
}

/** A short list, not empty unless `minimum` is 0. */
export function few<T>(item: Arbitrary<T>, maximum = 3, minimum = 1): Arbitrary<T[]> {
  return fc.array(item, { minLength: minimum, maxLength: maximum });
}

/** Mostly the first arbitrary, now and then one of the others. Shrinks to the first. */
export function mostly<T>(usual: Arbitrary<T>, ...others: readonly Arbitrary<T>[]): Arbitrary<T> {
  return weighted([3 * others.length, usual], ...others.map((arbitrary): [number, Arbitrary<T>] => [1, arbitrary]));
}

/** An element of a list that is drawn later, by a number that is drawn now. Undefined of an empty list. */
export function pick<T>(list: readonly T[], index: number): T | undefined {
  return list[index % Math.max(1, list.length)];
}
