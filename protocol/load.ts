// What a measurement under load says, as the terminal and the editor show it and as JSON has it.
import type { GcTime, LoopBlock, ProgramRequest, RunMachine, SourcePlace } from './evidence.ts';

/** What kept the server from answering more. */
export const LOAD_LIMITS = ['server', 'generator', 'both', 'waiting', 'rate'] as const;
export type LoadLimit = (typeof LOAD_LIMITS)[number];

export interface LoadPercentile {
  percent: number;
  ms: number;
}

/** What the load generator saw. */
export interface LoadTraffic {
  /** In ms. */
  windowMs: number;
  /** Answers in the window, errors among them. */
  answered: number;
  perSecond: number;
  bytes: number;
  /** Answers by status code. */
  statuses: Readonly<Record<string, number>>;
  /** What there was in place of an answer: an error's code, `no answer`, or `connection closed`. */
  failures: Readonly<Record<string, number>>;
  /** Answers with a status of 400 and more, and requests without an answer, as a share of all. */
  errorShare: number;
  /** In ms. With a fixed rate, from when a request was due. */
  latency: { mean: number; max: number; percentiles: readonly LoadPercentile[] };
}

/** What one process says of itself, in a window in which nothing but clocks ran beside it. */
export interface LoadProcess {
  pid: number;
  /** Of its event loop, 0 to 1. */
  utilization: number;
  /** Of one processor, all threads together. */
  cpuShare: number;
  /** How long its main thread waited for a processor, as a share of the window; 0 where the system does not count it. */
  waitedShare: number;
  /** Of the event loop, in ms, without the timer's own resolution. */
  delay: { p50: number; p90: number; p99: number; max: number };
  gc: GcTime;
  /** In bytes. */
  heap: { start: number; max: number; rss: number };
  active: { mean: number; max: number };
  slices: readonly LoadSlice[];
}

export interface LoadSlice {
  /** Its end, in ms since the window began. */
  at: number;
  /** The longest delay of the event loop in it, in ms. */
  delay: number;
  utilization: number;
  requests: number;
  /** In bytes. */
  heap: number;
}

/** A blocking call, or a thread or process that was started, on the way of the requests. */
export interface LoadCall {
  name: string;
  place?: SourcePlace;
  /** Inside of a package, when the call came from there. */
  inside?: SourcePlace;
  perRequest: number;
  /** On the thread of the event loop. */
  msPerRequest: number;
  maxMs: number;
}

/** Where the parts of a request came from that the user did not type. */
export interface RequestSource {
  /** A comment `@profile` above the handler, or an OpenAPI file. */
  kind: 'comment' | 'openapi';
  /** Absolute path. */
  file: string;
  /** Of the comment, from 1. */
  line?: number;
  /** `GET /users/{id}`, as the OpenAPI file has it. */
  operation?: string;
  /** `path`, `path id`, `query limit`, `header x-key`, `body`. */
  parts: readonly string[];
  /** Those of them, or properties of the body, that were made up from types alone. */
  madeUp: readonly string[];
  /** The OpenAPI file names hosts. No request goes there. */
  hasHosts: boolean;
}

/** What is known of a request before it is sent. */
export interface RequestOrigin {
  /** Undefined where the user typed it all. */
  source?: RequestSource;
  /** What the user must know or provide, one sentence each. */
  notes: readonly string[];
}

/** What a second server showed, which was watched for causes. */
export interface LoadCauses {
  /** Requests that it answered meanwhile. */
  requests: number;
  windowMs: number;
  blocks: readonly LoopBlock[];
  calls: readonly LoadCall[];
  /** Per request; `outgoing` are requests that the server made, by `node:http` or `fetch`. */
  counts: { blockingCalls: number; threads: number; processes: number; sockets: number; outgoing: number };
  /** How long a job waits for the thread pool, in ms. */
  pool?: { p50: number; p99: number; max: number };
  /** What was on the heap after a collection, before the requests and after them, in bytes. */
  heapKept?: { before: number; after: number };
}

export interface LoadReport {
  machine: RunMachine;
  /** ISO 8601, UTC. */
  date: string;
  command: string;
  request: ProgramRequest;
  /** Where what the user did not type of the request came from. */
  source?: RequestSource;
  connections: number;
  /** Requests a second that were asked for; undefined where each connection sends the next one when it has its answer. */
  rate?: number;
  traffic: LoadTraffic;
  /** Undefined where too many requests failed: figures of errors are no result. */
  limit?: LoadLimit;
  /** Of the load generator: its event loop, its processor and its wait for one. */
  generator: { utilization: number; cpuShare: number; waitedShare: number; delayP99: number };
  /** Processors that were busy with something else, on average. */
  othersBusy: number;
  isMachineBusy: boolean;
  processes: readonly LoadProcess[];
  causes?: LoadCauses;
  /** Why there is no result, as a sentence. */
  noResult?: string;
  /** What could not be found out, or must be known, one sentence each. */
  problems: readonly string[];
}

/** Two versions of a server under the same load. */
export interface LoadDifference {
  /** As those of `Difference`. */
  verdict: 'slower' | 'faster' | 'same' | 'inconclusive';
  /** `rate`: requests a second; `p99`: their latency, where the rate is fixed. */
  figure: 'rate' | 'p99';
  first: LoadSide;
  second: LoadSide;
  /** Of the second's figure to the first's. */
  ratio: number;
  low: number;
  high: number;
  /** Of the interval, 0 to 1. */
  confidence: number;
  /** Why more cannot be said, one sentence each. */
  problems: readonly string[];
}

/** More than two versions of a server under the same load, such as one value of a variable after the other. */
export interface LoadSweep {
  figure: LoadDifference['figure'];
  /** In the order in which they were named. */
  points: readonly LoadPoint[];
  /** Of the points: the one with the best median. */
  best: number;
  /** The first point that is not shown to be worse than the best one; undefined where it cannot be told. */
  enough?: number;
  /** Of the points that are shown to be worse than the best one: those behind `enough`, or all where it cannot be told which is enough. */
  worse: readonly number[];
  /** Of each interval, 0 to 1. */
  confidence: number;
  /** Why more cannot be said, one sentence each. */
  problems: readonly string[];
}

export interface LoadPoint extends LoadSide {
  /** Of its figure to the first point's, with the interval; absent for the first one. */
  toFirst?: { ratio: number; low: number; high: number };
}

export interface LoadSide {
  name: string;
  /** Requests a second, or ms; one of each process. */
  figures: readonly number[];
  median: number;
  /** ms, the median of the processes. */
  p50: number;
  p99: number;
}
