// When a crashed server is started again, and when it is given up.

/** Waits before the second to the fifth start, in milliseconds: a crash by accident is not noticed, a crash by habit burns no processor. */
export const RESTART_DELAYS_MS: readonly number[] = [250, 500, 1000, 2000];
/** The fifth crash is the last one. */
export const MAX_CRASHES = RESTART_DELAYS_MS.length + 1;
/** A crash is forgotten after this time, in milliseconds: five crashes in a day are five accidents, five in three minutes are a defect. */
export const FORGOTTEN_AFTER_MS = 180_000;

export class RestartPolicy {
  readonly #now: () => number;
  #crashes: number[] = [];

  /** `now` gives milliseconds of a clock that never goes back. */
  constructor(now: () => number) {
    this.#now = now;
  }

  /** Notes a crash. Milliseconds to wait before the next start, or undefined when there should be none. */
  crashed(): number | undefined {
    const now = this.#now();
    this.#crashes = [...this.#crashes.filter((time) => now - time < FORGOTTEN_AFTER_MS), now];
    return RESTART_DELAYS_MS[this.#crashes.length - 1];
  }

  /** The user asked for a start: what was before does not count. */
  forget(): void {
    this.#crashes = [];
  }
}
