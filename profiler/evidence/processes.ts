// The records of several processes of one run, as one list. Pure.
import type { CallTimes } from '../../protocol/call-times.ts';
import type { ExceptionGroup, SyncCall } from '../../protocol/evidence.ts';
import { recordsOf, type RunRecord } from '../parse/records.ts';

/** A process writes the same counters again and again: only its last record counts. */
function lastOfEach<T extends { pid: number }>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.pid, record])).values()];
}

/** Synchronous calls of the user's code, those that took longest first. */
export function syncCallsOf(records: readonly RunRecord[]): SyncCall[] {
  const calls = new Map<string, SyncCall>();
  for (const { inside: _, place, ...call } of lastOfEach(recordsOf(records, 'sync-calls')).flatMap((record) => record.calls)) {
    if (!place) continue;
    const key = JSON.stringify([call.name, place]);
    const known = calls.get(key);
    calls.set(key, known ? bothOf(known, call) : { ...call, place });
  }
  return [...calls.values()].sort((a, b) => b.totalMs - a.totalMs);
}

/** What one process may have none of. */
const ADDED = [
  'started',
  'startMs',
  'awaitedMs',
  'rounds',
  'overlapMs',
  'mixedRounds',
  'changed',
  'lists',
  'laterMs',
  'firstAwaitedMs',
  'firstLaterMs',
] as const;

/** Of times there is a sum only where both have it; of threads, one process may have started none that was ready in time. */
function bothOf(known: SyncCall, more: Omit<SyncCall, 'place'>): SyncCall {
  const both = {
    ...known,
    count: known.count + more.count,
    totalMs: known.totalMs + more.totalMs,
    maxMs: Math.max(known.maxMs, more.maxMs),
  };
  if (known.minMs !== undefined && more.minMs !== undefined) both.minMs = Math.min(known.minMs, more.minMs);
  const warm = known.warm && more.warm ? sumOf(known.warm, more.warm) : (known.warm ?? more.warm);
  if (warm) both.warm = warm;
  for (const name of ['squaresMs', 'logs', 'logSquares'] as const) {
    const a = known[name];
    const b = more[name];
    if (a === undefined || b === undefined) delete both[name];
    else both[name] = a + b;
  }
  if (known.clockMs !== undefined || more.clockMs !== undefined) both.clockMs = Math.max(known.clockMs ?? 0, more.clockMs ?? 0);
  if (known.maxTurnMs !== undefined || more.maxTurnMs !== undefined) both.maxTurnMs = Math.max(known.maxTurnMs ?? 0, more.maxTurnMs ?? 0);
  if (known.peak !== undefined || more.peak !== undefined) both.peak = Math.max(known.peak ?? 0, more.peak ?? 0);
  if (known.aloneMs !== undefined || more.aloneMs !== undefined)
    both.aloneMs = Math.min(known.aloneMs ?? Infinity, more.aloneMs ?? Infinity);
  const pool = known.pool ?? more.pool;
  if (pool) both.pool = pool;
  for (const name of ADDED) if (known[name] !== undefined || more[name] !== undefined) both[name] = (known[name] ?? 0) + (more[name] ?? 0);
  return both;
}

function sumOf(a: CallTimes, b: CallTimes): CallTimes {
  return {
    count: a.count + b.count,
    totalMs: a.totalMs + b.totalMs,
    squaresMs: a.squaresMs + b.squaresMs,
    logs: a.logs + b.logs,
    logSquares: a.logSquares + b.logSquares,
  };
}

/** Of one place: there are at most 500 exceptions in a run (harness/exceptions.cjs). */
const MOST_PATHS = 500;

/** `capped`: counting stopped before the run did, so there were more. */
export function exceptionsOf(records: readonly RunRecord[]): { thrown: ExceptionGroup[]; capped: boolean } {
  const last = lastOfEach(recordsOf(records, 'exceptions'));
  const groups = new Map<string, ExceptionGroup>();
  for (const group of last.flatMap((record) => record.thrown)) {
    const key = JSON.stringify([group.type, group.place]);
    const known = groups.get(key);
    const paths = [...(known?.paths ?? []), ...(group.paths ?? [])].slice(0, MOST_PATHS);
    groups.set(key, {
      ...group,
      ...known,
      thrown: (known?.thrown ?? 0) + group.thrown,
      ...(group.first === undefined && known?.first === undefined ? {} : { first: (known?.first ?? 0) + (group.first ?? 0) }),
      ...(paths.length > 0 ? { paths } : {}),
    });
  }
  return { thrown: [...groups.values()].sort((a, b) => b.thrown - a.thrown), capped: last.some(({ capped }) => capped) };
}
