// What a run left out, by reason, so that the summary can say it.
import { count } from '../count.ts';

export type SkipReason =
  | 'node-modules'
  | 'ignored-folder'
  | 'ignored-file'
  | 'minified'
  | 'bundle'
  | 'compiled'
  | 'too-large'
  | 'binary'
  | 'unreadable'
  | 'linked-folder'
  | 'generated-folder';

const WORDS: Readonly<Record<SkipReason, readonly [singular: string, plural: string]>> = {
  'node-modules': ['node_modules folder', 'node_modules folders'],
  'generated-folder': ['tool folder (.next, .cache, …)', 'tool folders (.next, .cache, …)'],
  'ignored-folder': ['ignored folder', 'ignored folders'],
  'ignored-file': ['ignored file', 'ignored files'],
  'linked-folder': ['symbolic link to a folder', 'symbolic links to folders'],
  minified: ['minified file', 'minified files'],
  bundle: ['bundle', 'bundles'],
  compiled: ['compiled file beside its source', 'compiled files beside their sources'],
  'too-large': ['file over the size limit', 'files over the size limit'],
  binary: ['binary file', 'binary files'],
  unreadable: ['unreadable path', 'unreadable paths'],
};

export class Skipped {
  readonly #counts = new Map<SkipReason, number>();

  add(reason: SkipReason): void {
    this.#counts.set(reason, this.get(reason) + 1);
  }

  get(reason: SkipReason): number {
    return this.#counts.get(reason) ?? 0;
  }

  /** `2 node_modules folders`, `1 minified file`, in a fixed order. */
  describe(): string[] {
    return Object.entries(WORDS).flatMap(([reason, [singular, plural]]) => {
      const n = this.get(reason as SkipReason);
      return n === 0 ? [] : [count(n, singular, plural)];
    });
  }
}
