// Globs of path arguments and of `overrides`. The glob library is loaded by those who have any.

import { TookTooLong, withinTime } from '../time-limit.ts';

export type PathTest = (path: string) => boolean;

/** For all paths together, in ms: a thousand times what patterns take that people write. */
const PATTERN_LIMIT_MS = 1000;
/** Patterns with more of them, or with patterns in patterns, can take twice the time for each. People write two or three. */
const MOST_STARS = 6;

/** Whether a pattern may take for ever on some path. */
export function mayBeSlow(pattern: string): boolean {
  return (pattern.match(/\*+/g)?.length ?? 0) > MOST_STARS || /[+*@?!]\(/.test(pattern);
}

/** A test of paths that gives way to another one when it has taken too long in all, and says so. */
export function inTime<Answer>(
  test: (path: string) => Answer,
  instead: (path: string) => Answer,
  tooSlow: () => void,
): (path: string) => Answer {
  let left = PATTERN_LIMIT_MS;
  return (path) => {
    if (left < 1) return instead(path);
    const start = performance.now();
    try {
      return withinTime(() => test(path), Math.ceil(left));
    } catch (error) {
      if (!(error instanceof TookTooLong)) throw error;
      left = 0;
      tooSlow();
      return instead(path);
    } finally {
      // What is quick for each path may be called for a hundred thousand.
      const taken = performance.now() - start;
      if (taken > SLOW_MS) left -= taken;
    }
  };
}

/** A path that takes longer than this in ms takes long for its pattern, and not for the setting up of the limit. */
const SLOW_MS = 5;

/**
 * A test of paths with forward slashes against globs; a glob without a slash matches in every folder. `tooSlow` is called with globs that are not
 * applied because they take too long.
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
