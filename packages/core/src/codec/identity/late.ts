/**
 * A map that takes no room before its first entry. A conversion keeps many of them, and most bodies put nothing into most; made at once, they would
 * be a fifth of all that a small body allocates.
 */
export class LateMap<K, V> {
  #entries: Map<K, V> | undefined;
  /** Another one has the same entries, so that they are copied before they change. */
  #isShared = false;

  get(key: K): V | undefined {
    return this.#entries?.get(key);
  }

  has(key: K): boolean {
    return this.#entries?.has(key) === true;
  }

  set(key: K, value: V): void {
    this.#own().set(key, value);
  }

  delete(key: K): void {
    if (this.has(key)) this.#own().delete(key);
  }

  #own(): Map<K, V> {
    if (this.#entries === undefined || this.#isShared) this.#entries = new Map(this.#entries);
    this.#isShared = false;
    return this.#entries;
  }

  /** Another one with the same entries. */
  copy(): LateMap<K, V> {
    const copy = new LateMap<K, V>();
    if (this.#entries === undefined) return copy;
    copy.#entries = this.#entries;
    copy.#isShared = true;
    this.#isShared = true;
    return copy;
  }

  /** What it holds now; undefined before the first entry. */
  get entries(): ReadonlyMap<K, V> | undefined {
    return this.#entries;
  }
}

/** The same for a set. */
export class LateSet<T> {
  #items: Set<T> | undefined;
  #isShared = false;

  has(item: T): boolean {
    return this.#items?.has(item) === true;
  }

  delete(item: T): void {
    this.#items?.delete(item);
  }

  add(item: T): void {
    if (this.#items === undefined || this.#isShared) this.#items = new Set(this.#items);
    this.#isShared = false;
    this.#items.add(item);
  }

  /** Another one with the same items. */
  copy(): LateSet<T> {
    const copy = new LateSet<T>();
    if (this.#items === undefined) return copy;
    copy.#items = this.#items;
    copy.#isShared = true;
    this.#isShared = true;
    return copy;
  }

  /** What it holds now; undefined before the first item. */
  get items(): ReadonlySet<T> | undefined {
    return this.#items;
  }
}
