// State that can be taken back to a mark: what comes after it is written down by each part, and undone from the last to the first.

export interface Trailed {
  /** From now on changes are written down. */
  mark(): void;
  /** Everything since the mark is undone; the mark stays. */
  undo(): void;
}

/** A Map whose changes can be taken back. */
export class TrailedMap<K, V> implements Trailed {
  readonly #values = new Map<K, V>();
  #keys: K[] | undefined;
  /** By key in `#keys`: what it was before. */
  #before: (V | undefined)[] = [];

  get(key: K): V | undefined {
    return this.#values.get(key);
  }

  set(key: K, value: V): void {
    if (this.#keys) {
      this.#keys.push(key);
      this.#before.push(this.#values.get(key));
    }
    this.#values.set(key, value);
  }

  mark(): void {
    this.#keys = [];
    this.#before = [];
  }

  undo(): void {
    const keys = this.#keys ?? [];
    for (let i = keys.length - 1; i >= 0; i--) {
      const before = this.#before[i];
      if (before === undefined) this.#values.delete(keys[i] as K);
      else this.#values.set(keys[i] as K, before);
    }
    if (this.#keys) this.mark();
  }
}
