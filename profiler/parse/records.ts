// What the harness writes down in the child, decoded: a user's program may have written into the same files, or have been killed in the
// middle of a line.
import { isRecord } from '../../protocol/unknown-values.ts';
import type { CallTimes } from '../../protocol/call-times.ts';
import type { DelayBucket, ExceptionGroup, GcTime, LoopBlock, SourcePlace } from '../../protocol/evidence.ts';
import { RECORD_SHAPES } from './record-shapes.ts';
import type { LoadProcess, LoadSlice } from '../../protocol/load.ts';

export type CallMode = 'plain' | 'promise' | 'generator' | 'async-generator';

export interface ThrownValue {
  /** The error's name; `(not an Error)` for other values. */
  type: string;
  message: string;
  code?: string;
  /** Its first lines, when it has a stack. */
  stack?: string;
}

export interface CallSummary {
  /** What a call gave: decides whether it was awaited or drained. */
  mode: CallMode;
  calls: number;
  thrown: number;
  firstError?: ThrownValue;
  /** How long the first call of the process took, in ms; missing where none came to its end. */
  firstMs?: number;
  /** A generator went on after 10,000 items and was left. */
  cut: boolean;
}

export interface SyncCallRecord {
  /** `fs.readFileSync`, `Atomics.wait`, `sqlite.StatementSync.get`, `require`. */
  name: string;
  /** The user's line: the innermost frame outside of node_modules; undefined when only Node's own code is on the stack. */
  place?: SourcePlace;
  /** The innermost frame inside of node_modules, when the call came from a package. */
  inside?: SourcePlace;
  count: number;
  /** ms */
  totalMs: number;
  maxMs: number;
  minMs?: number;
  /** Sum of their squares, in ms². */
  squaresMs?: number;
  /** Sums of the natural logarithms of the times in ms, and of the squares of these. */
  logs?: number;
  logSquares?: number;
  /** Of those after the first ones of the process at this place. */
  warm?: CallTimes;
  /** Where a clock stands around them: what it shows of a call that does nothing, in ms. It has been taken off. */
  clockMs?: number;
  /** Of a loop: the most that its runs took together before the event loop or a microtask went on, in ms. */
  maxTurnMs?: number;
  /** Threads: so many were online, after so many ms in all. */
  started?: number;
  startMs?: number;
  /** How long promises that the calls returned were pending; together as one if they overlap. */
  awaitedMs?: number;
  /** The most that were pending at the same time. */
  peak?: number;
  rounds?: number;
  overlapMs?: number;
  mixedRounds?: number;
  changed?: number;
  aloneMs?: number;
  lists?: number;
  laterMs?: number;
  firstAwaitedMs?: number;
  firstLaterMs?: number;
}

export interface CountedRange {
  /** UTF-16 offsets in the module's text. */
  start: number;
  end: number;
  count: number;
}

export interface CountedFunction {
  name: string;
  /** True when the ranges after the first tell blocks. */
  blocks: boolean;
  /** The first is the whole function. */
  ranges: CountedRange[];
}

/** What became of one of the requests. */
export interface RequestSummary {
  /** `GET /users/1` */
  request: string;
  sent: number;
  answered: number;
  /** Answers by status code. */
  statuses: Record<string, number>;
  /** What there was in place of an answer: an error's code, or `no answer`. */
  errors: Record<string, number>;
}

export interface RetainedCount {
  /** Since the start. */
  adds: number;
  keys: number;
  /** Undefined where it cannot be counted. */
  count?: number;
}

export type FailureStage =
  | 'load'
  | 'setup'
  | 'call-syntax'
  | 'not-exposed'
  | 'uncaught'
  | 'rejection'
  | 'unsettled'
  | 'pending'
  | 'collector'
  | 'harness';

/** Numbered by the process that wrote it. */
export type RunRecord = { pid: number } & (
  | { type: 'started'; node: string; v8: string; main: string }
  | { type: 'loaded'; ms: number }
  /** It began. */
  | { type: 'phase'; phase: number }
  /** Of a phase, by its number. */
  | { type: 'calls'; phase?: number; calls: CallSummary[] }
  /** A server of the program listens on the loopback; `tcp` is one that speaks something else than HTTP. */
  | { type: 'listening'; port: number; protocol: 'http' | 'https' | 'h2' | 'h2c' | 'tcp' }
  /** Sums since the first request of the phase: the last one of a process counts. */
  | { type: 'requests'; phase?: number; requests: RequestSummary[] }
  /** `samples` and `overhead` in ns a call; `overhead` is what calling an empty function the same way costs, and is part of the samples. */
  | { type: 'timing'; call: number; samples: number[]; callsPerSample: number; overhead: number; allocated?: number }
  /** What throwing and catching one Error takes, in ns. `parsing`: one of `JSON.parse`. `url`: one of `new URL`. `own`: failing on the texts of these calls. */
  | { type: 'throw-cost'; samples: number[]; parsing?: number[]; url?: number[]; own?: number[] }
  | ({ type: 'gc' } & GcTime)
  /** Sums since the start: the last one of a process counts. `left`: calls at places beyond the thousandth. */
  | { type: 'sync-calls'; calls: SyncCallRecord[]; left: number }
  /** As above. `capped`: counting stopped, there were more. */
  | { type: 'exceptions'; thrown: ExceptionGroup[]; created: { place?: SourcePlace; type: string; count: number }[]; capped: boolean }
  /** The last one with the same id counts. `startUp`: while the program was still being loaded. */
  /** `from`: the last beat before it, in ms of the clock that `long-call` has, too. */
  /** `crowded`: the thread waited for a processor for most of it. `duration` is then what it worked. */
  /** `held`: as a whole, and no call of Node's rested in it. `waited`: of another one, so many ms for a processor. */
  | ({ type: 'block'; id: number; from: number; startUp: boolean; crowded?: boolean; held?: boolean; waited?: number } & LoopBlock)
  /** A blocking call of Node's that took long while the loop was watched. */
  | { type: 'long-call'; name: string; from: number; to: number; stack: LoopBlock['stack'] }
  /** ms, resolution taken off. `lastBlock`: the block that the process ended in. */
  | {
      type: 'loop-delay';
      resolution: number;
      p50: number;
      p90: number;
      p99: number;
      max: number;
      utilization: number;
      threshold: number;
      window: number;
      lastBlock: number;
      histogram: DelayBucket[];
    }
  /** `startUp`: while the program was still being loaded; set for whole programs only. */
  | { type: 'counts'; startUp?: boolean; files: { file: string; functions: CountedFunction[] }[] }
  /** Of the window under load. `isWhole`: the process was there to its end. */
  | {
      type: 'load';
      isWhole: boolean;
      windowMs: number;
      started: number;
      finished: number;
      activeMean: number;
      activeMax: number;
      cpuMs: number;
      waitedMs: number;
      utilization: number;
      delay: LoadProcess['delay'];
      gcTime: GcTime;
      heap: LoadProcess['heap'];
      slices: LoadSlice[];
      counts?: { sockets: number; outgoing: number; fetches: number };
    }
  /** Of an empty job in the thread pool, in ms. */
  | { type: 'pool-delay'; count: number; p50: number; p99: number; max: number }
  /** Bytes on the heap after a collection, before the requests and after them. */
  | { type: 'heap-kept'; before: number; after: number }
  /**
   * At the end of a phase: what was added at each place, how many different keys it had, and what is left; and a timer that is still to
   * come.
   */
  | { type: 'retained'; heap: number; sites: RetainedCount[]; timers: (SourcePlace & { delay: number })[] }
  | { type: 'cpu-profile'; path: string }
  /** What runs of a file that was compiled while it was loaded, and the map of it. */
  | { type: 'source-map'; file: string; text: string; map: string }
  /** `replaced`: built-in functions that the module has replaced, where the run itself failed. */
  | { type: 'failure'; stage: FailureStage; error: ThrownValue; call?: number; during?: string; ms?: number; replaced?: readonly string[] }
  | { type: 'problem'; text: string }
  | { type: 'ended'; by: 'done' | 'budget' | 'exit' | 'endless' | 'failure'; code: number | null; during?: string }
);

export type RecordType = RunRecord['type'];

/** @returns undefined for what is no record, or half of one. */
export function decodeRecord(line: string): RunRecord | undefined {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return undefined;
  }
  if (!isRecord(value) || typeof value.type !== 'string' || typeof value.pid !== 'number' || !Object.hasOwn(RECORD_SHAPES, value.type))
    return undefined;
  return RECORD_SHAPES[value.type as RecordType](value) ? (value as unknown as RunRecord) : undefined;
}

export function decodeRecords(text: string): { records: RunRecord[]; unread: number } {
  const lines = text.split('\n').filter((line) => line !== '');
  const records = lines.flatMap((line) => decodeRecord(line) ?? []);
  return { records, unread: lines.length - records.length };
}

/** The records of one type. */
export function recordsOf<Type extends RecordType>(records: readonly RunRecord[], type: Type): (RunRecord & { type: Type })[] {
  return records.filter((record): record is RunRecord & { type: Type } => record.type === type);
}

/**
 * Blocks as they stood at the end: a later record of a block replaces the earlier ones, one of no duration takes them back; what a
 * process's own end cut short was not endless.
 */
export function findBlocks(records: readonly RunRecord[]): (RunRecord & { type: 'block' })[] {
  const ended = new Set(recordsOf(records, 'ended').flatMap(({ pid, by }) => (by === 'endless' ? [] : [pid])));
  const last = new Map(recordsOf(records, 'block').map((block) => [`${block.pid}:${block.id}`, block]));
  return [...last.values()]
    .filter(({ duration, held }) => duration > 0 && !held)
    .map((block) => (block.endless && ended.has(block.pid) ? { ...block, endless: false, isCut: true } : block))
    .map((block) => inLongCall(block, records))
    .filter(({ crowded, call }) => !crowded || call !== undefined);
}

/** Pauses with user code on the stack in which other programs used the processors. */
export function findHeldUp(records: readonly RunRecord[]): (RunRecord & { type: 'block' })[] {
  return [...new Map(recordsOf(records, 'block').map((block) => [`${block.pid}:${block.id}`, block])).values()].filter(({ held }) => held);
}

/**
 * Native code answers nobody while it works, so that its blocks often have no stack (five of seven `pbkdf2Sync` on an idle machine, Node
 * 20). If one call of Node's took most of the block, the block is that call's.
 */
function inLongCall(block: RunRecord & { type: 'block' }, records: readonly RunRecord[]): RunRecord & { type: 'block' } {
  const until = block.from + block.duration;
  let most = block.duration / 2;
  let found: (RunRecord & { type: 'long-call' }) | undefined;
  for (const one of recordsOf(records, 'long-call')) {
    const shared = Math.min(one.to, until) - Math.max(one.from, block.from);
    if (one.pid !== block.pid || shared <= most) continue;
    most = shared;
    found = one;
  }
  if (!found) return block;
  const { name, stack } = found;
  return { ...block, call: name, ...(block.stack.length === 0 && stack.length > 0 ? { kind: 'synchronous', stack } : {}) };
}

/** Without what belongs to another phase of the run. */
export function recordsOfPhase(records: readonly RunRecord[], phase: number): RunRecord[] {
  return records.filter((record) => (record.type !== 'calls' && record.type !== 'requests') || (record.phase ?? 0) === phase);
}

/** How often the target was called, or asked, in a run. */
export function callsIn(records: readonly RunRecord[]): number {
  return callsOfEach(records).reduce((sum, n) => sum + n, 0);
}

/** The same of the call text, or the request, that came least often; undefined where there was none. */
export function fewestCallsIn(records: readonly RunRecord[]): number | undefined {
  const calls = callsOfEach(records);
  return calls.length === 0 ? undefined : Math.min(...calls);
}

function callsOfEach(records: readonly RunRecord[]): number[] {
  const calls = recordsOf(records, 'calls').flatMap((record) => record.calls.map((one) => one.calls));
  return [...calls, ...requestsIn(records).map(({ sent }) => sent)];
}

/** What became of the requests, as it stood at the end. */
export function requestsIn(records: readonly RunRecord[]): RequestSummary[] {
  return [...new Map(recordsOf(records, 'requests').map(({ pid, requests }) => [pid, requests])).values()].flat();
}

/** Of the process that serves the requests, else of the first one that was started. */
export function mainProfile(paths: readonly string[], records: readonly RunRecord[]): string | undefined {
  const pid = recordsOf(records, 'listening').find(({ protocol }) => protocol !== 'tcp')?.pid ?? recordsOf(records, 'started')[0]?.pid;
  return paths.find((path) => path.endsWith(`${pid}.cpuprofile`)) ?? paths[0];
}
