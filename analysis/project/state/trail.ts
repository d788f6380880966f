// State that can be reset to a mark. Each part records its changes after the mark and undoes them in reverse.

export interface Trailed {
  /** Starts to record changes. */
  mark(): void;
  /** Undoes everything since the mark. The mark stays. */
  undo(): void;
}

/** A Map whose changes can be undone. */
export class TrailedMap<K, V> implements Trailed {
  readonly #values = new Map<K, V>();
  #keys: K[] | undefined;
  /** For each entry of `#keys`: its previous value. */
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
