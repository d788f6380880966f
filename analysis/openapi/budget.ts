// How much may be looked at for one request: references and aliases let a short file stand for a long one.

/** Entries of objects and lists. The largest public descriptions have some thousands for one operation. Our choice. */
const MOST_ENTRIES = 200_000;

export class Budget {
  #left = MOST_ENTRIES;

  /** Whether so many more entries may be looked at. */
  take(entries: number): boolean {
    this.#left -= entries;
    return this.#left >= 0;
  }
}
