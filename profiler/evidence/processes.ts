// The records of several processes of one run, as one list. Pure.
import type { ExceptionGroup, SyncCall } from '../../protocol/evidence.ts';
import { recordsOf, type RunRecord } from '../parse/records.ts';

/** A process writes the same counters again and again: only its last record counts. */
function lastOfEach<T extends { pid: number }>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.pid, record])).values()];
}

/** Synchronous calls of the user's code, those that took longest first. */
export function syncCallsOf(records: readonly RunRecord[]): SyncCall[] {
  const calls = new Map<string, SyncCall>();
  for (const { name, place, count, totalMs, maxMs, squaresMs, started, startMs } of lastOfEach(recordsOf(records, 'sync-calls')).flatMap(
    (record) => record.calls,
  )) {
    if (!place) continue;
    const key = JSON.stringify([name, place]);
    const known = calls.get(key);
    calls.set(
      key,
      known
        ? {
            ...known,
            count: known.count + count,
            totalMs: known.totalMs + totalMs,
            maxMs: Math.max(known.maxMs, maxMs),
            ...(squaresMs === undefined ? {} : { squaresMs: (known.squaresMs ?? 0) + squaresMs }),
            ...(started === undefined ? {} : { started: (known.started ?? 0) + started, startMs: (known.startMs ?? 0) + (startMs ?? 0) }),
          }
        : {
            name,
            place,
            count,
            totalMs,
            maxMs,
            ...(squaresMs === undefined ? {} : { squaresMs }),
            ...(started === undefined ? {} : { started, startMs }),
          },
    );
  }
  return [...calls.values()].sort((a, b) => b.totalMs - a.totalMs);
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
    groups.set(key, { ...group, ...known, thrown: (known?.thrown ?? 0) + group.thrown, ...(paths.length > 0 ? { paths } : {}) });
  }
  return { thrown: [...groups.values()].sort((a, b) => b.thrown - a.thrown), capped: last.some(({ capped }) => capped) };
}
