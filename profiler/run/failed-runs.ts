// Which of a profile's runs did not end well, as sentences: what befell several of them is said once. Pure.
import { wordsOf } from '../plan/run-kinds.ts';
import type { RunKind } from '../plan/plan.ts';

export class FailedRuns {
  /** Why, and what was to be measured. */
  readonly #kinds = new Map<string, RunKind[]>();
  #hasWorked = false;

  /** A run, or a part of one, ended as it should. */
  noteWorked(): void {
    this.#hasWorked = true;
  }

  note(kinds: readonly RunKind[], reason: string): void {
    this.#kinds.set(reason, [...(this.#kinds.get(reason) ?? []), ...kinds]);
  }

  problems(): string[] {
    return [...this.#kinds].map(([reason, kinds]) => `Measuring ${wordsOf(kinds)} failed: ${reason}`);
  }

  /**
   * How a program ended: this concerns all of its runs, and its evidence may be complete. What concerns one run alone is reported with that
   * run.
   */
  endings(): string[] {
    return [...this.#kinds].map(([reason, kinds]) => (kinds.length > 1 ? reason : `While measuring ${wordsOf(kinds)}: ${reason}`));
  }

  /** How many did not end well; undefined where all did. */
  get extent(): 'all' | 'some' | undefined {
    if (this.#kinds.size === 0) return undefined;
    return this.#hasWorked ? 'some' : 'all';
  }

  /** Of the first one, where none ended well. */
  get whyNone(): string | undefined {
    return this.#hasWorked ? undefined : this.#kinds.keys().next().value;
  }
}
