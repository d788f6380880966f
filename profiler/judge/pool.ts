// Jobs of the thread pool that are started all at once: how long everything else waits for a thread meanwhile. Pure.
import type { Cost, SyncCall } from '../../protocol/evidence.ts';
import { TOO_LITTLE } from './cost.ts';
import type { Opinion, Run } from './hypothesis.ts';
import { amount, duration } from './words.ts';

export const SATURATION = 'no-threadpool-saturation';

/** From here on, as for blocks of the event loop, in ms. */
const LEAST_WAIT_MS = 20;
/** A single look that took long may be chance, but not from here on, as for blocks, in ms. */
const LONG_ONCE_MS = 500;
const ENOUGH_LOOKS = 2;
const NS_PER_MS = 1e6;

interface Jobs extends Pick<Opinion, 'figure' | 'ground'> {
  ran: number;
  calls: number;
  timed: readonly SyncCall[];
}

export function judgePool({ ran, calls, timed, figure, ground }: Jobs, run: Run): Opinion {
  const [{ peak = 0, pool } = {}] = timed;
  if (!pool || peak === 0)
    return { verdict: 'seen', figure, ground: `${ground} How long others wait for the thread pool was not measured.` };
  const { threads, asked, ms, maxMs, restMs } = pool;
  const pending = `${ground} At most ${amount(peak)} of these jobs were pending at the same time, for ${amount(threads)} threads.`;
  const often = `at most ${amount(peak)} at once`;
  // Where nothing waits for the jobs, those of several calls come together.
  if (peak < threads || (calls > 0 && ran / calls < threads))
    return {
      verdict: 'seen',
      figure: `${often}, ${amount(threads)} threads`,
      ground: `${pending} So few from each ${run.unit} leave threads for others. Try it with longer lists.`,
    };
  if (asked < ENOUGH_LOOKS)
    return {
      verdict: 'seen',
      figure: often,
      ground: `${pending} They finished before enough other jobs could ask for a thread, so the wait of others was not measured.`,
    };
  const longestMs = maxMs - restMs;
  const waitMs = Math.max(0, longestMs >= LONG_ONCE_MS && ms - restMs < LEAST_WAIT_MS ? longestMs : ms - restMs);
  const cost: Cost = { ns: waitMs * NS_PER_MS, per: run.unit, method: 'timed' };
  const isCost = waitMs >= LEAST_WAIT_MS;
  const looks = `Meanwhile, checking a file from another thread took ${duration(ms)} (${amount(asked)} checks, ${duration(maxMs)} at most), and ${duration(restMs)} otherwise.`;
  if (!isCost && longestMs >= LEAST_WAIT_MS)
    return {
      verdict: 'inconclusive',
      figure: `${often}, waits unclear`,
      ground: `${pending} ${looks} One long wait may be chance. Repeat the call, or send more requests.`,
    };
  return {
    verdict: isCost ? 'confirmed' : 'seen',
    figure: `${often}, files wait ${duration(waitMs)} longer`,
    ground: `${pending} ${looks}${isCost ? '' : TOO_LITTLE}`,
    cost,
  };
}
