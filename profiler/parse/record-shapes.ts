// What the records of a run must hold to be read without a surprise, down to the last number: the profiled program can write into their
// files.

import { boolean, list, number, object, orMissing, string, table, type Check } from './checks.ts';

const place = { file: string, line: number, column: number };
const thrown = object({ type: string, message: string, code: orMissing(string), stack: orMissing(string) });

/** By type. */
export const RECORD_SHAPES = {
  started: object({ node: string, v8: string, main: string }),
  loaded: object({ ms: number }),
  phase: object({ phase: number }),
  calls: object({
    phase: orMissing(number),
    calls: list(
      object({ mode: string, calls: number, thrown: number, firstError: orMissing(thrown), firstMs: orMissing(number), cut: boolean }),
    ),
  }),
  listening: object({ port: number, protocol: string }),
  requests: object({
    phase: orMissing(number),
    requests: list(object({ request: string, sent: number, answered: number, statuses: table(number), errors: table(number) })),
  }),
  timing: object({ call: number, samples: list(number), callsPerSample: number, overhead: number, allocated: orMissing(number) }),
  'throw-cost': object({ samples: list(number), parsing: orMissing(list(number)), own: orMissing(list(number)) }),
  gc: object({ count: number, totalMs: number, maxMs: number }),
  'sync-calls': object({
    calls: list(
      object({
        name: string,
        place: orMissing(object(place)),
        inside: orMissing(object(place)),
        count: number,
        totalMs: number,
        maxMs: number,
        minMs: orMissing(number),
        squaresMs: orMissing(number),
        logs: orMissing(number),
        logSquares: orMissing(number),
        warm: orMissing(object({ count: number, totalMs: number, squaresMs: number, logs: number, logSquares: number })),
        clockMs: orMissing(number),
        started: orMissing(number),
        startMs: orMissing(number),
        awaitedMs: orMissing(number),
        peak: orMissing(number),
        rounds: orMissing(number),
        overlapMs: orMissing(number),
        aloneMs: orMissing(number),
        lists: orMissing(number),
        laterMs: orMissing(number),
        firstAwaitedMs: orMissing(number),
        firstLaterMs: orMissing(number),
        mixedRounds: orMissing(number),
        changed: orMissing(number),
        pool: orMissing(object({ threads: number, asked: number, ms: number, maxMs: number, restMs: number })),
      }),
    ),
    left: number,
  }),
  exceptions: object({
    thrown: list(
      object({
        place: object(place),
        type: string,
        message: string,
        thrown: number,
        first: orMissing(number),
        paths: orMissing(list(object({ frames: list(object(place)), thrown: number }))),
      }),
    ),
    created: list(object({ place: orMissing(object(place)), type: string, count: number })),
    capped: boolean,
  }),
  'long-call': object({
    name: string,
    from: number,
    to: number,
    stack: list(object({ ...place, functionName: string })),
  }),
  block: object({
    id: number,
    from: number,
    duration: number,
    kind: string,
    endless: boolean,
    startUp: boolean,
    crowded: orMissing(boolean),
    stack: list(object({ ...place, functionName: string })),
    call: orMissing(string),
  }),
  'loop-delay': object({
    resolution: number,
    p50: number,
    p90: number,
    p99: number,
    max: number,
    utilization: number,
    threshold: number,
    window: number,
    lastBlock: number,
    histogram: list(object({ upTo: orMissing(number), count: number })),
  }),
  counts: object({
    startUp: orMissing(boolean),
    files: list(
      object({
        file: string,
        functions: list(object({ name: string, blocks: boolean, ranges: list(object({ start: number, end: number, count: number })) })),
      }),
    ),
  }),
  load: object({
    isWhole: boolean,
    windowMs: number,
    started: number,
    finished: number,
    activeMean: number,
    activeMax: number,
    cpuMs: number,
    waitedMs: number,
    utilization: number,
    delay: object({ p50: number, p90: number, p99: number, max: number }),
    gcTime: object({ count: number, totalMs: number, maxMs: number }),
    heap: object({ start: number, max: number, rss: number }),
    slices: list(object({ at: number, delay: number, utilization: number, requests: number, heap: number })),
    counts: orMissing(object({ sockets: number, outgoing: number, fetches: number })),
  }),
  'pool-delay': object({ count: number, p50: number, p99: number, max: number }),
  'heap-kept': object({ before: number, after: number }),
  retained: object({
    heap: number,
    sites: list(object({ adds: number, keys: number, count: orMissing(number) })),
    timers: list(object({ ...place, delay: number })),
  }),
  'cpu-profile': object({ path: string }),
  'source-map': object({ file: string, text: string, map: string }),
  failure: object({
    stage: string,
    error: thrown,
    call: orMissing(number),
    during: orMissing(string),
    ms: orMissing(number),
    replaced: orMissing(list(string)),
  }),
  problem: object({ text: string }),
  ended: object({ by: string }),
} as const satisfies Readonly<Record<string, Check>>;
