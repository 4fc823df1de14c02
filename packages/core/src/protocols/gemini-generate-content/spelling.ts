import type { Ledger } from "../../codec/ledger.ts";
import { wireOf } from "../../codec/ledger.ts";
import type { WireObject } from "../../codec/restore.ts";
import { formOf, restore, restoreGroup } from "../../codec/restore.ts";
import type { Form, Json, JsonObject, Pointer, Rest, WireForm } from "../../ir/index.ts";
import { escapeSegment, isJsonObject, pointerSegments, setOwn } from "../../ir/index.ts";

const protocol = "gemini-generate-content";

/** The key under which a form holds the pointers that were written in snake_case. */
const snakeForm = "snake";

/** Known keys of a wire object. The API takes each in camelCase, as it documents them, and in snake_case. */
export interface Shape {
  /** From the spelling in snake_case, where it is another, to the one in camelCase. */
  readonly snakes: { readonly [key: string]: string | undefined };
  readonly below: { readonly [key: string]: Shape | undefined };
}

/** `keys` in camelCase; `below` are objects with known keys of their own. */
export function defineShape(keys: readonly string[], below: { readonly [key: string]: Shape } = {}): Shape {
  const snakes: Record<string, string> = Object.create(null);
  for (const key of [...keys, ...Object.keys(below)]) if (snakeOf(key) !== key) snakes[snakeOf(key)] = key;
  return { snakes, below: Object.assign(Object.create(null), below) };
}

function snakeOf(key: string): string {
  return /[A-Z]/.test(key) ? key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : key;
}

export interface Spelled {
  /** The object with its known keys in camelCase. */
  readonly value: JsonObject;
  /** Pointers of the keys that were written otherwise; undefined where none were. */
  readonly snake?: readonly Pointer[];
}

/** Reads an object without regard to how its known keys are spelled. Where a key stands in both spellings, camelCase counts. */
export function inCamelCase(source: JsonObject, shape: Shape): Spelled {
  if (!hasSnake(source, shape)) return { value: source };
  const snake: Pointer[] = [];
  return { value: respelled(source, shape, "", snake), snake };
}

function hasSnake(source: JsonObject, shape: Shape): boolean {
  for (const key in source) {
    if (shape.snakes[key] !== undefined) return true;
    const below = shape.below[key];
    const value = source[key];
    if (below !== undefined && isJsonObject(value) && hasSnake(value, below)) return true;
  }
  return false;
}

function respelled(source: JsonObject, shape: Shape, prefix: string, snake: Pointer[]): JsonObject {
  const copy: Record<string, Json> = {};
  for (const key in source) {
    const camel = shape.snakes[key];
    const isSnake = camel !== undefined && !Object.hasOwn(source, camel);
    const name = isSnake ? camel : key;
    const place = prefix + escapeSegment(key);
    if (isSnake) snake.push(place);
    const below = shape.below[name];
    const value = source[key] as Json;
    const read = below !== undefined && isJsonObject(value) ? respelled(value, below, `${place}/`, snake) : value;
    setOwn(copy, name, read);
  }
  return copy;
}

/** A pointer in camelCase as the source spells it. */
export function spellPointer(snake: readonly Pointer[] | undefined, pointer: Pointer): Pointer {
  if (snake === undefined || pointer === "") return pointer;
  let spelled = "";
  for (const segment of pointer.split("/")) {
    const prefix = spelled === "" ? "" : `${spelled}/`;
    const other = prefix + snakeOf(segment);
    spelled = snake.includes(other) ? other : prefix + segment;
  }
  return spelled;
}

/** The pointers of a node that were written in snake_case. */
export function snakeOfWire(wire: WireForm | undefined): readonly Pointer[] | undefined {
  const snake = formOf(wire, protocol, snakeForm);
  return Array.isArray(snake) ? (snake as readonly Pointer[]) : undefined;
}

/** What a ledger kept, its pointers as the source spells them. */
export function spelledWire(ledger: Ledger, snake: readonly Pointer[] | undefined): WireForm | undefined {
  const wire = wireOf(ledger);
  if (snake === undefined) return wire;
  const { rest, form } = wire ?? {};
  return {
    protocol,
    ...(rest !== undefined && { rest: spellKeys(rest, snake, () => true) as Rest }),
    form: { ...(form !== undefined && spellKeys(form, snake, isAbsence)), [snakeForm]: snake },
  };
}

/** The same as the residue of the container that a node opens. */
export function groupOf(wire: WireForm | undefined): WireForm["group"] {
  if (wire === undefined || (wire.rest === undefined && wire.form === undefined)) return undefined;
  return { ...(wire.rest !== undefined && { rest: wire.rest }), ...(wire.form !== undefined && { form: wire.form }) };
}

/** Words of a form stand for themselves; only what is absent, or so in other words, is addressed by its pointer. */
function isAbsence(value: Json): boolean {
  return (
    value === "absent" ||
    value === null ||
    value === "" ||
    (typeof value === "object" && Object.keys(value).length === 0)
  );
}

function spellKeys(source: Form, snake: readonly Pointer[], isPointer: (value: Json) => boolean): Form {
  const copy: Record<string, Json> = {};
  for (const key in source) {
    const value = source[key] as Json;
    setOwn(copy, isPointer(value) ? spellPointer(snake, key) : key, value);
  }
  return copy;
}

/** Completes an object that was written in camelCase: its keys as the source spelled them, then its residue. */
export function finishObject(
  object: WireObject,
  wire: WireForm | undefined,
  except: readonly Pointer[] = [],
): WireObject {
  const snake = snakeOfWire(wire);
  if (snake !== undefined) respell(object, snake);
  restore(object, wire, protocol, except);
  return object;
}

/** The same for a container, of which the node that opens it holds the residue. */
export function finishGroup(object: WireObject, wire: WireForm | undefined): WireObject {
  const snake = wire?.protocol === protocol ? wire.group?.form?.[snakeForm] : undefined;
  if (Array.isArray(snake)) respell(object, snake as readonly Pointer[]);
  restoreGroup(object, wire, protocol);
  return object;
}

/** Parents stand before what is below them, so each pointer leads through keys that are spelled already. */
function respell(object: WireObject, snake: readonly Pointer[]): void {
  for (const pointer of snake) {
    const segments = pointerSegments(pointer);
    const last = segments.pop() as string;
    let parent: unknown = object;
    for (const segment of segments)
      parent = isJsonObject(parent) && Object.hasOwn(parent, segment) ? parent[segment] : undefined;
    const camel = last.replace(/_([a-z])/g, (_found, letter: string) => letter.toUpperCase());
    if (!isJsonObject(parent) || !Object.hasOwn(parent, camel)) continue;
    const target = parent as Record<string, Json>;
    setOwn(target, last, target[camel]);
    delete target[camel];
  }
}
