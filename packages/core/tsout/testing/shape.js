import fc from "fast-check";
/** One of several, by weight. Shrinks toward the first. */
export function weighted(...choices) {
    return fc.oneof({ withCrossShrink: true }, ...choices.map(([weight, arbitrary]) => ({ weight, arbitrary })));
}
/** Mostly absent: present in one of `rarity + 1` cases. Shrinks to absence. */
export function maybe(value, rarity = 2) {
    return weighted([rarity, fc.constant(undefined)], [1, value]);
}
/** Objects with all of the `required` fields and some of the `optional` ones. */
export function shape(required, optional = {}, rarity = 2) {
    const model = { ...required };
    for (const [key, value] of Object.entries(optional))
        model[key] = maybe(value, rarity);
    return fc.record(model, { noNullPrototype: true }).map(withoutUndefined);
}
function withoutUndefined(object) {
    const copy = {};
    for (const key in object)
        if (object[key] !== undefined)
            copy[key] = object[key];
    return copy;
}
/** A block or object that its `type` names. */
export function typed(type, required = {}, optional = {}, rarity = 2) {
    return shape({ type: fc.constant(type), ...required }, optional, rarity);
}
/** One of some words; shrinks to the first. */
export function oneWord(...words) {
    return fc.constantFrom(...words);
}
/** A short list, not empty unless `minimum` is 0. */
export function few(item, maximum = 3, minimum = 1) {
    return fc.array(item, { minLength: minimum, maxLength: maximum });
}
/** Mostly the first arbitrary, now and then one of the others. Shrinks to the first. */
export function mostly(usual, ...others) {
    return weighted([3 * others.length, usual], ...others.map((arbitrary) => [1, arbitrary]));
}
/** An element of a list that is drawn later, by a number that is drawn now. Undefined of an empty list. */
export function pick(list, index) {
    return list[index % Math.max(1, list.length)];
}
//# sourceMappingURL=shape.js.map