// What figures under load mean. Pure.
import type { LoadCall, LoadCauses, LoadLimit, LoadProcess, LoadReport, LoadTraffic } from '../../protocol/load.ts';
import { findBlocks, recordsOf, type RunRecord, type SyncCallRecord } from '../parse/records.ts';
import { percent } from '../judge/words.ts';
import type { GeneratorResult } from './generator.ts';

/** From here on a loop is at its limit: what is left goes by turns in which nothing is ready. Our choice. */
const FULL = 0.9;
/** With more errors the figures are those of errors. */
export const MOST_ERRORS = 0.01;
/** What waits longer for a processor is measured as slower than it is. Our choice. */
const MOST_WAITED = 0.1;
/** Half a processor that does something else, where nobody counts what threads wait for. Our choice. */
const MOST_OTHERS = 0.5;
/** Of the rate that was asked for. */
const RATE_REACHED = 0.97;
const MS_PER_S = 1000;

export function trafficOf({ windowMs, answered, bytes, statuses, failures, bad, latency }: GeneratorResult): LoadTraffic {
  const failed = Object.values(failures).reduce((sum, n) => sum + n, 0);
  const all = answered + failed;
  return {
    windowMs,
    answered,
    perSecond: windowMs > 0 ? (answered / windowMs) * MS_PER_S : 0,
    bytes,
    statuses,
    failures,
    errorShare: all === 0 ? 1 : (bad + failed) / all,
    latency,
  };
}

/** Why these figures are no result, as a sentence; undefined where they are one. */
export function whyNoResult(traffic: LoadTraffic, died: string | undefined): string | undefined {
  if (died !== undefined) return `The server ended under load: ${died}`;
  if (traffic.answered === 0 && Object.keys(traffic.failures).length === 0)
    return 'No request was answered within the measured time. Measure for longer: `--duration 30`.';
  if (traffic.errorShare <= MOST_ERRORS) return undefined;
  return `${percent(traffic.errorShare)} of the requests failed (${errorText(traffic)}). From 1 % on, the figures are those of errors, and are no result.`;
}

/** `503: 12, ECONNRESET: 3` */
export function errorText({ statuses, failures }: Pick<LoadTraffic, 'statuses' | 'failures'>): string {
  const bad = Object.entries(statuses).filter(([status]) => Number(status) >= 400);
  return [...bad.map(([status, n]) => [`status ${status}`, n] as const), ...Object.entries(failures)]
    .sort((a, b) => b[1] - a[1])
    .map(([what, n]) => `${what}: ${n}`)
    .join(', ');
}

/** Those that answered requests, busiest first. */
export function processesOf(records: readonly RunRecord[]): LoadProcess[] {
  const servers = new Set(recordsOf(records, 'listening').flatMap(({ pid, protocol }) => (protocol === 'tcp' ? [] : [pid])));
  const last = new Map(recordsOf(records, 'load').map((record) => [record.pid, record]));
  return [...last.values()]
    .filter(({ pid }) => servers.has(pid))
    .map(({ pid, windowMs, cpuMs, waitedMs, utilization, delay, gcTime, heap, activeMean, activeMax, slices }) => ({
      pid,
      utilization,
      cpuShare: windowMs > 0 ? cpuMs / windowMs : 0,
      waitedShare: windowMs > 0 ? waitedMs / windowMs : 0,
      delay,
      gc: gcTime,
      heap,
      active: { mean: activeMean, max: activeMax },
      slices,
    }))
    .sort((a, b) => b.utilization - a.utilization);
}

/**
 * Connections that wait for an answer cannot ask for more: where neither loop is full, the server waits for something else (a database, a
 * timer, a disk), and more connections would get more answers.
 */
export function limitOf(
  processes: readonly Pick<LoadProcess, 'utilization'>[],
  generator: { utilization: number },
  rate: number | undefined,
  perSecond: number,
): LoadLimit {
  const isServerFull = processes.some(({ utilization }) => utilization >= FULL);
  const isGeneratorFull = generator.utilization >= FULL;
  if (isServerFull && isGeneratorFull) return 'both';
  if (isServerFull) return 'server';
  if (isGeneratorFull) return 'generator';
  return rate !== undefined && perSecond >= rate * RATE_REACHED ? 'rate' : 'waiting';
}

export function generatorOf({ windowMs, generator }: GeneratorResult): LoadReport['generator'] {
  const share = (ms: number): number => (windowMs > 0 ? ms / windowMs : 0);
  return {
    utilization: generator.utilization,
    cpuShare: share(generator.cpuMs),
    waitedShare: share(generator.waitedMs),
    delayP99: generator.delayP99,
  };
}

/** Processors that were busy with something else than the server and the generator, on average. */
export function othersBusy({ windowMs, generator }: GeneratorResult, records: readonly RunRecord[]): number {
  const own = recordsOf(records, 'load').reduce((sum, { cpuMs }) => sum + cpuMs, generator.cpuMs);
  return windowMs > 0 ? Math.max(0, generator.machineBusyMs - own) / windowMs : 0;
}

/** Someone had to wait for a processor, or the others took half of one where nobody counts that. */
export function isMachineBusy(
  processes: readonly Pick<LoadProcess, 'waitedShare'>[],
  generator: Pick<LoadReport['generator'], 'waitedShare'>,
  others: number,
): boolean {
  const waits = [generator, ...processes].map(({ waitedShare }) => waitedShare);
  return waits.every((share) => share === 0) ? others > MOST_OTHERS : waits.some((share) => share > MOST_WAITED);
}

const THREADS = /^worker_threads\.Worker$/;
const PROCESSES = /^child_process\./;

/** What was seen by the server that was watched for causes; undefined where it answered nothing. */
export function causesOf(records: readonly RunRecord[], kept: (call: SyncCallRecord) => boolean = () => true): LoadCauses | undefined {
  const windows = recordsOf(records, 'load').filter(({ finished }) => finished > 0);
  const requests = windows.reduce((sum, { finished }) => sum + finished, 0);
  if (requests === 0) return undefined;
  const pids = new Set(windows.map(({ pid }) => pid));
  const calls = [...new Map(recordsOf(records, 'sync-calls').map((record) => [record.pid, record])).values()]
    .filter(({ pid }) => pids.has(pid))
    .flatMap((record) => record.calls.filter(kept));
  const countOf = (test: (name: string) => boolean): number =>
    calls.filter(({ name }) => test(name)).reduce((sum, { count }) => sum + count, 0) / requests;
  const summed = (name: 'sockets' | 'outgoing' | 'fetches'): number =>
    windows.reduce((sum, { counts }) => sum + (counts?.[name] ?? 0), 0) / requests;
  const pool = recordsOf(records, 'pool-delay')
    .filter(({ pid, count }) => pids.has(pid) && count > 0)
    .sort((a, b) => b.max - a.max)[0];
  const heap = recordsOf(records, 'heap-kept').filter(({ pid }) => pids.has(pid));
  return {
    requests,
    windowMs: Math.max(...windows.map(({ windowMs }) => windowMs)),
    blocks: findBlocks(records)
      .filter(({ pid, startUp }) => pids.has(pid) && !startUp)
      .sort((a, b) => b.duration - a.duration)
      .map(({ duration, kind, stack, endless, call }) => ({ duration, kind, stack, endless, ...(call === undefined ? {} : { call }) })),
    calls: mergedCalls(calls, requests),
    counts: {
      blockingCalls: countOf((name) => !THREADS.test(name) && !(PROCESSES.test(name) && !name.endsWith('Sync'))),
      threads: countOf((name) => THREADS.test(name)),
      processes: countOf((name) => PROCESSES.test(name)),
      sockets: summed('sockets'),
      // `fetch` comes by no socket of `node:http`.
      outgoing: summed('outgoing') + summed('fetches'),
    },
    ...(pool && { pool: { p50: pool.p50, p99: pool.p99, max: pool.max } }),
    ...(heap.length > 0 && {
      heapKept: {
        before: heap.reduce((sum, { before }) => sum + before, 0),
        after: heap.reduce((sum, { after }) => sum + after, 0),
      },
    }),
  };
}

/** Those of several processes at the same place are one. The costliest first. */
function mergedCalls(calls: readonly SyncCallRecord[], requests: number): LoadCall[] {
  const found = new Map<string, LoadCall>();
  for (const { name, place, inside, count, totalMs, maxMs } of calls) {
    const key = JSON.stringify([name, place, inside]);
    const known = found.get(key);
    found.set(key, {
      name,
      ...(place && { place }),
      ...(inside && { inside }),
      perRequest: (known?.perRequest ?? 0) + count / requests,
      msPerRequest: (known?.msPerRequest ?? 0) + totalMs / requests,
      maxMs: Math.max(known?.maxMs ?? 0, maxMs),
    });
  }
  return [...found.values()].sort((a, b) => b.msPerRequest - a.msPerRequest);
}
