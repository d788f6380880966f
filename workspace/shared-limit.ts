// Time that pieces of work may take together. Each has a limit of its own, but a stranger's folder can hold thousands of them.
export class SharedLimit {
  /** In ms. */
  readonly total: number;
  #left: number;

  /** `total` in ms. */
  constructor(total: number) {
    this.total = total;
    this.#left = total;
  }

  get isUsedUp(): boolean {
    // Clocks differ by less than this.
    return this.#left < 1;
  }

  /** Time for one piece, in ms: `limit`, or less where little is left. `own` is what every piece may take, also when nothing is left. */
  limitFor(own: number, limit: number): number {
    return Math.ceil(Math.min(limit, own + this.#left));
  }

  /** A piece took so many ms. What every piece may take costs nothing, so that no number of ordinary ones uses the time up. */
  took(own: number, ms: number): void {
    this.#left = Math.max(0, this.#left - Math.max(0, ms - own));
  }
}
