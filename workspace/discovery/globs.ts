// Globs of path arguments and of `overrides`. The glob library is loaded by those who have any.

import type { SharedLimit } from '../shared-limit.ts';
import { TookTooLong, withinTime } from '../time-limit.ts';

export type PathTest = (path: string) => boolean;

/** For all paths together, in ms: a thousand times what patterns take that people write. */
const PATTERN_LIMIT_MS = 1000;
/** Patterns with more of them, or with patterns in patterns, can take twice the time for each. People write two or three. */
const MOST_STARS = 6;

/** In characters: no path of Linux is longer (PATH_MAX). V8 cannot compile the expressions of some longer patterns. */
export const LONGEST_PATTERN = 4096;

/** Whether a pattern may take for ever on some path. */
export function mayBeSlow(pattern: string): boolean {
  return (pattern.match(/\*+/g)?.length ?? 0) > MOST_STARS || /[+*@?!]\(/.test(pattern);
}

/**
 * A test of paths that gives way to another one when it has taken too long in all, or when all tests with the same `shared` limit have, and
 * says so.
 */
export function inTime<Answer>(
  test: (path: string) => Answer,
  instead: (path: string) => Answer,
  tooSlow: () => void,
  shared?: SharedLimit,
): (path: string) => Answer {
  let left = PATTERN_LIMIT_MS;
  const stop = (path: string): Answer => {
    left = 0;
    tooSlow();
    return instead(path);
  };
  return (path) => {
    if (left < 1) return instead(path);
    if (shared?.isUsedUp) return stop(path);
    const start = performance.now();
    try {
      return withinTime(() => test(path), shared?.limitFor(SLOW_MS, left) ?? Math.ceil(left));
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      return stop(path);
    } finally {
      // What is quick for each path may be called for a hundred thousand.
      const taken = performance.now() - start;
      if (taken > SLOW_MS) left -= taken;
      shared?.took(SLOW_MS, taken);
    }
  };
}

/** A path that takes longer than this in ms takes long for its pattern, and not for the setting up of the limit. */
const SLOW_MS = 5;

/**
 * A test of paths with forward slashes against globs; a glob without a slash matches in every folder. `tooSlow` is called with globs that
 * are not applied because they take too long.
 */
export async function compileGlobs(globs: readonly string[], tooSlow: (globs: string) => void): Promise<PathTest> {
  const { default: picomatch } = await import('picomatch');
  const patterns = globs.flatMap((glob) => {
    const trimmed = glob.replace(/^\.\//, '').replace(/\/$/, '');
    const pattern = trimmed.includes('/') ? trimmed : `**/${trimmed}`;
    // `legacy` and `legacy/` mean everything below, as people expect from .gitignore.
    return [pattern, `${pattern}/**`];
  });
  const test: PathTest = picomatch(patterns, { dot: true });
  return globs.some(mayBeSlow)
    ? inTime(
        test,
        () => false,
        () => tooSlow(globs.map((glob) => `\`${glob}\``).join(', ')),
      )
    : test;
}
