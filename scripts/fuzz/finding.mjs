/** What an input shows that must not be. */
export class Finding extends Error {
  /**
   * @param {string} kind the same for findings that may have one cause
   * @param {string} message
   * @param {ErrorOptions} [options]
   */
  constructor(kind, message, options) {
    super(message, options);
    this.name = "Finding";
    this.kind = kind;
  }
}

/**
 * What is the same for findings that may have one cause.
 * @param {unknown} error
 */
export function keyOf(error) {
  const { kind, message } = error instanceof Finding ? error : { kind: "broken check", message: String(error) };
  return `${kind} ${message.slice(0, kind === "crash" ? 110 : 30).replace(/\d+/g, "#")}`;
}

/**
 * What the work gives, or the typed error with which it is refused. Any other error is a finding.
 * @template T
 * @param {() => T} work
 * @returns {{ value: T, error?: undefined } | { value?: undefined, error: import("@rolecall/core").RolecallError }}
 */
export function attempt(work) {
  try {
    return { value: work() };
  } catch (error) {
    return { error: typed(error) };
  }
}

/**
 * The error, where it is one that Rolecall promises.
 * @param {unknown} error
 * @returns {import("@rolecall/core").RolecallError}
 */
export function typed(error) {
  if (error instanceof Error && "isRolecallError" in error)
    return /** @type {import("@rolecall/core").RolecallError} */ (error);
  const place = error instanceof Error ? (error.stack ?? "").split("\n").find((line) => line.includes(" at ")) : "";
  throw new Finding("crash", `no typed error: ${String(error)} ${(place ?? "").trim()}`, { cause: error });
}

/**
 * @param {boolean} holds
 * @param {string} kind
 * @param {() => string} message
 */
export function demand(holds, kind, message) {
  if (!holds) throw new Finding(kind, message());
}

const holders = [
  Object.prototype,
  Array.prototype,
  Function.prototype,
  String.prototype,
  Number.prototype,
  RegExp.prototype,
  Map.prototype,
  Set.prototype,
  Error.prototype,
  Promise.prototype,
  Object,
  Array,
  JSON,
  globalThis,
];
const snapshot = holders.map(
  (holder) =>
    new Map(Reflect.ownKeys(holder).map((key) => [key, Reflect.getOwnPropertyDescriptor(holder, key)?.value])),
);

/** True where every object has a key that none should have: a quick look, for after each input. */
export function isPolluted() {
  for (const _ in []) return true;
  return false;
}

/** Throws where a prototype or the global object is not what it was when this module was loaded. */
export function demandUnpolluted() {
  for (const [index, holder] of holders.entries()) {
    const before = /** @type {Map<PropertyKey, unknown>} */ (snapshot[index]);
    const keys = Reflect.ownKeys(holder);
    if (keys.length > before.size || (index < 3 && keys.length !== before.size)) {
      const added = keys.filter((key) => !before.has(key));
      if (added.length > 0)
        throw new Finding("pollution", `new keys of a built-in object: ${added.map(String).join(", ")}`);
    }
    for (const [key, value] of before) {
      if (holder !== globalThis && !Object.is(Reflect.getOwnPropertyDescriptor(holder, key)?.value, value))
        throw new Finding("pollution", `a built-in object has another "${String(key)}"`);
    }
  }
}

/**
 * Where two texts begin to differ, as a message shows it.
 * @type {(actual: string | undefined, expected: string | undefined) => string}
 */
export function firstDifference(actual = "", expected = "") {
  let at = 0;
  while (at < actual.length && actual[at] === expected[at]) at++;
  const shown = (/** @type {string} */ text) => JSON.stringify(text.slice(Math.max(0, at - 20), at + 60));
  return `${shown(actual)}, not ${shown(expected)}`;
}
