// Limits end work by the clock on the wall. What hardly had a processor meanwhile was held up by other programs, and is tried once more.
import { startWork, type Work } from './thread-work.ts';
import { HELD_UP_SHARE, MOST_STRETCH, TookTooLong } from './time-limit.ts';

/** How many times its limit work may take in a second try; undefined for work that had a processor, and is slow. */
export function stretchFor({ ms, waited }: Work): number | undefined {
  const worked = Math.max(1, ms - waited);
  return worked > ms * HELD_UP_SHARE ? undefined : Math.min(MOST_STRETCH, ms / worked);
}

/**
 * The result of `attempt`, which has `stretch` times its limit. Throws the first `TookTooLong`, which names the limit that people know.
 * `took` is told the time of each try in which it had a processor, in ms.
 */
export function inTwoTries<T>(attempt: (stretch: number) => T, took: (ms: number) => void, start = startWork): T {
  const once = (stretch: number): { result: T } | { error: TookTooLong; work: Work } => {
    const done = start();
    const end = (): Work => {
      const work = done();
      took(work.ms - work.waited);
      return work;
    };
    try {
      const result = attempt(stretch);
      end();
      return { result };
    } catch (error) {
      const work = end();
      if (!(error instanceof TookTooLong)) throw error;
      return { error, work };
    }
  };
  const first = once(1);
  if ('result' in first) return first.result;
  const stretch = stretchFor(first.work);
  const second = stretch === undefined ? first : once(stretch);
  if ('result' in second) return second.result;
  throw first.error;
}
