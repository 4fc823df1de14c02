type Method = (this: unknown, ...given: unknown[]) => unknown;
type Holder = Record<PropertyKey, Method>;

const scans = [
  "find",
  "findIndex",
  "findLast",
  "filter",
  "some",
  "every",
  "map",
  "flatMap",
  "forEach",
  "includes",
  "indexOf",
  "join",
  "slice",
  "concat",
];
const walks: readonly (readonly [object, readonly PropertyKey[]])[] = [
  [Array.prototype, [Symbol.iterator, "values", "entries"]],
  [Set.prototype, [Symbol.iterator, "values"]],
  [Map.prototype, [Symbol.iterator, "values", "keys", "entries"]],
];

/** How many items of lists, sets and maps are read while some work is done: each that a loop visits, all of a list that is searched or copied. */
export async function countReads(work: () => Promise<unknown>): Promise<number> {
  let count = 0;
  const undo: (() => void)[] = [];
  const patch = (holder: object, name: PropertyKey, make: (own: Method) => Method): void => {
    const own = (holder as Holder)[name] as Method;
    (holder as Holder)[name] = make(own);
    undo.push(() => {
      (holder as Holder)[name] = own;
    });
  };
  for (const name of scans) {
    patch(
      Array.prototype,
      name,
      (own) =>
        function (this: unknown, ...given) {
          count += (this as readonly unknown[]).length;
          return own.apply(this, given);
        },
    );
  }
  for (const [holder, names] of walks) {
    for (const name of names) {
      patch(
        holder,
        name,
        (own) =>
          function (this: unknown) {
            const iterator = own.call(this) as Iterator<unknown>;
            return {
              next() {
                count++;
                return iterator.next();
              },
              [Symbol.iterator]() {
                return this;
              },
            };
          },
      );
    }
  }
  try {
    await work();
  } finally {
    for (const restore of undo) restore();
  }
  return count;
}
