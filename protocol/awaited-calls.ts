// Calls whose cost is the time until their promise settles, and not the time for which they hold the thread.
import type { SyncCall } from './evidence.ts';

export type AwaitedCall = SyncCall & { awaitedMs: number };

function isAwaited(call: SyncCall): call is AwaitedCall {
  return call.awaitedMs !== undefined;
}

/** Those that block, then those that are awaited. */
export function byAwaited(calls: readonly SyncCall[]): [SyncCall[], AwaitedCall[]] {
  return [calls.filter((call) => !isAwaited(call)), calls.filter(isAwaited)];
}
