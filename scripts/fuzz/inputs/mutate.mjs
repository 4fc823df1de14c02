// Changes of a body that keep it JSON: what a careless decoder does not expect, at places by chance.

/** @import { Json } from "@rolecall/core" */
/** @import { Random } from "./random.mjs" */
/** @typedef {{ holder: any, key: string | number }} Slot a place whose value may become another */

/** Marks a text that `writeJson` writes as it stands, for numbers that no double holds. */
const RAW = "\u0001raw:";
const rawPattern = /"\\u0001raw:([^"]*)"/g;
/** So many places of a body are looked at: the others of a large one are like them. */
const PLACES = 400;

const words = [
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "valueOf",
  "then",
  "length",
  "toJSON",
];
const texts = [
  ...words,
  "",
  " ",
  "\u0000",
  "\ud800",
  "a\udc00b",
  "\ufeff",
  "\u2028",
  "0",
  "-1",
  "null",
  "[object Object]",
  "{}",
  '{"a":1,"a":2}',
  '{"a":1e400}',
  '{"a":',
  "a/b~c~0~1",
  "data:image/png;base64,AA==",
  "data:,",
  "data:;base64",
  "https://",
  "assistant",
  "user",
  "tool",
  "system",
  "text",
  "models/x:streamGenerateContent?alt=sse",
  "9".repeat(80),
];
const numbers = [
  "1e400",
  "-1e400",
  "-0",
  "0",
  "-1",
  "1.5",
  "1e300",
  "-1e12",
  "9007199254740993",
  "1e-400",
  "5e-324",
  "2147483648",
];

/**
 * A copy that may be changed.
 * @param {any} value
 * @returns {any}
 */
export function copyOf(value) {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(copyOf);
  /** @type {Record<string, Json>} */
  const copy = {};
  for (const key of Object.keys(value)) put(copy, key, copyOf(value[key]));
  return copy;
}

/**
 * Sets an own property, also one of the name `__proto__`.
 * @param {any} holder
 * @param {string | number} key
 * @param {Json} value
 */
function put(holder, key, value) {
  if (key === "__proto__")
    Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  else holder[key] = value;
}

/**
 * JSON text of a changed body.
 * @param {Json} value
 * @returns {string}
 */
export function writeJson(value) {
  const text = JSON.stringify(value);
  return text.includes("\\u0001raw:") ? text.replace(rawPattern, "$1") : text;
}

/**
 * @param {any} value
 * @param {Slot[]} slots
 */
function findSlots(value, slots) {
  if (typeof value !== "object" || value === null) return;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    if (slots.length >= PLACES) return;
    slots.push({ holder: value, key });
    findSlots(value[key], slots);
  }
}

/**
 * @param {Random} random
 * @param {number} [depth]
 * @returns {any}
 */
function oddValue(random, depth = 0) {
  switch (random.below(depth > 3 ? 5 : 10)) {
    case 0:
      return null;
    case 1:
      return random.below(2) === 0;
    case 2:
      return RAW + random.of(numbers);
    case 3:
    case 4:
      return random.of(texts);
    case 5:
      return [];
    case 6:
      return {};
    case 7:
      return Array.from({ length: 1 + random.below(3) }, () => oddValue(random, depth + 1));
    case 8: {
      const object = {};
      for (let left = 1 + random.below(3); left > 0; left--)
        put(object, random.of(random.below(3) === 0 ? words : texts), oddValue(random, depth + 1));
      return object;
    }
    default:
      return nested(random);
  }
}

/** @param {Random} random */
function nested(random) {
  let value = /** @type {Json} */ (0);
  // Now and then to just below, at and beyond what is allowed.
  const depth = random.below(8) === 0 ? 500 + random.below(20) : random.below(20);
  const isList = random.below(2) === 0;
  for (let level = 0; level < depth; level++) value = isList ? [value] : { a: value };
  return value;
}

/**
 * A body with some changes. `other` is one whose parts may be grafted on.
 * @param {Json} body
 * @param {() => Json} other
 * @param {Random} random
 * @returns {Json}
 */
export function mutate(body, other, random) {
  const root = { body: copyOf(body) };
  for (let left = 1 + random.below(4); left > 0; left--) {
    /** @type {Slot[]} */
    const slots = [];
    findSlots(root, slots);
    change(random.of(slots), slots, other, random);
  }
  return root.body;
}

/**
 * @param {Slot} slot
 * @param {readonly Slot[]} slots
 * @param {() => Json} other
 * @param {Random} random
 */
function change({ holder, key }, slots, other, random) {
  const value = holder[key];
  // An earlier change took it away.
  if (value === undefined) return;
  switch (random.below(13)) {
    case 0:
    case 1:
    case 2:
      return put(holder, key, oddValue(random));
    case 3:
      if (Array.isArray(holder)) holder.splice(Number(key), 1);
      else if (key !== "body") delete holder[key];
      return;
    case 4: // Twice: a list grows, an object has it under another key.
      if (Array.isArray(holder)) holder.splice(Number(key), 0, copyOf(value));
      else if (key !== "body") put(holder, random.of(texts), copyOf(value));
      return;
    case 5: {
      // Two places change what they hold; none is put into itself.
      const second = random.of(slots);
      const copy = copyOf(second.holder[second.key]);
      second.holder[second.key] = copyOf(value);
      return put(holder, key, copy);
    }
    case 6:
      if (!Array.isArray(holder) && key !== "body") {
        delete holder[key];
        put(holder, random.of(words), value);
      }
      return;
    case 7:
      if (typeof value === "object" && value !== null && !Array.isArray(value))
        return put(value, random.of(texts), oddValue(random));
      return put(holder, key, { [random.of(["type", "text", "id", "0"])]: value });
    case 8:
    case 9: {
      /** @type {Slot[]} */
      const grafts = [];
      findSlots({ body: other() }, grafts);
      const graft = random.of(grafts);
      return put(holder, key, copyOf(graft.holder[graft.key]));
    }
    case 10:
      // Very many now and then, so that what needs them is met and the run stays fast.
      if (Array.isArray(value) && value.length > 0)
        for (let left = random.below(30) === 0 ? 300 : random.below(5); left > 0; left--)
          value.push(copyOf(random.of(value)));
      return;
    case 11: // The same text at several places, such as an id.
      if (typeof value !== "string") return;
      for (const { holder: place, key: name } of slots)
        if (name === key && typeof place[name] === "string" && random.below(2) === 0) place[name] = value;
      return;
    default:
      return put(holder, key, typeof value === "string" ? oddText(value, random) : [value]);
  }
}

/**
 * @param {string} text
 * @param {Random} random
 * @returns {string}
 */
function oddText(text, random) {
  const at = random.below(text.length + 1);
  switch (random.below(4)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return text.slice(0, at) + random.of(texts) + text.slice(at);
    case 2:
      return text.repeat(random.below(20) === 0 ? 200 : 2);
    default:
      return text.toUpperCase();
  }
}

/**
 * Text with changes that leave it no valid JSON, mostly: cut, flipped characters, repeated keys.
 * @param {string} text
 * @param {Random} random
 * @returns {string}
 */
export function mutateText(text, random) {
  const at = random.below(text.length + 1);
  switch (random.below(6)) {
    case 0:
      return text.slice(0, at);
    case 1:
      return (
        text.slice(0, at) + String.fromCharCode(random.below(random.below(4) === 0 ? 65536 : 128)) + text.slice(at + 1)
      );
    case 2:
      return text.slice(0, at) + text.slice(at + 1 + random.below(8));
    case 3: {
      // Another value for a key, before its own: JSON keeps the last.
      const found = [...text.slice(at, at + 400).matchAll(/[{,]("[^"\\]{1,30}":)/g)];
      const [match, key = ""] = found.length > 0 ? random.of(found) : [];
      if (match === undefined) return text;
      const place = text.indexOf(match, at) + 1;
      return `${text.slice(0, place)}${key}${writeJson(oddValue(random))},${text.slice(place)}`;
    }
    case 4:
      return (
        text.slice(0, at) +
        random.of(["\ufeff", " ", "\n", "\u0000", "//", "/**/", "'", ",", "NaN", "\\u0000", "\\ud800"]) +
        text.slice(at)
      );
    default:
      return random.of(["\ufeff", " ", "\n\t\r "]) + text + random.of(["", " ", "\n", ",", "}", "\u0000"]);
  }
}
