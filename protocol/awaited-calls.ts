// Calls as people see them: those whose cost is the time until their promise settles, and not the time for which they hold the thread, and
// each of them once.
import type { SyncCall } from './evidence.ts';

export type AwaitedCall = SyncCall & { awaitedMs: number };

function isAwaited(call: SyncCall): call is AwaitedCall {
  return call.awaitedMs !== undefined;
}

/** Those that block, then those that are awaited. */
export function byAwaited(calls: readonly SyncCall[]): [SyncCall[], AwaitedCall[]] {
  const once = calls.filter((call) => !isTimedByClock(call, calls));
  return [once.filter((call) => !isAwaited(call)), once.filter(isAwaited)];
}

/**
 * Whether a clock stands around the call that its expression names, too: `JSON.stringify` of a large text, or the two halves of a copy by
 * `JSON.parse(JSON.stringify(…))`.
 */
function isTimedByClock({ name, place, clockMs }: SyncCall, calls: readonly SyncCall[]): boolean {
  if (clockMs !== undefined) return false;
  const { file, line, column } = place;
  const method = name.slice(name.lastIndexOf('.') + 1);
  return calls.some(
    (other) =>
      other.clockMs !== undefined &&
      other.place.file === file &&
      other.place.line === line &&
      other.place.column <= column &&
      column <= other.place.column + other.name.length &&
      other.name.includes(method),
  );
}

/** Whether the clocks take longer than the calls that they are around: these take no longer than it seems. */
export function isAtMost({ clockMs, totalMs, count }: SyncCall): boolean {
  return clockMs !== undefined && totalMs / count < clockMs;
}
