// What a run under V8 brought to light, as plain JSON: the profiler writes it, the terminal, the server and the editor read it.
import type { CallTimes, PoolWaits } from './call-times.ts';
import type { Scaling } from './scaling.ts';
import type { Retained } from './retained.ts';
import type { Cost, SourcePlace } from './cost.ts';
import type { Unpredicted } from './seen-by-run.ts';

export { COST_METHODS, COST_UNITS, type Cost, type SourcePlace } from './cost.ts';

/** Kinds of evidence that a rule names (`confirmedBy`), in the order in which it names them. */
export type EvidenceKind =
  | 'loop-delay'
  | 'sync-io'
  | 'inline-cache'
  | 'feedback'
  | 'deopt'
  | 'map-transition'
  | 'elements'
  | 'bounds'
  | 'retained'
  | 'runs'
  | 'exceptions'
  | 'microtasks'
  | 'load'
  | 'time';

/** How sure the placement on the source is; nothing is ever guessed. */
export type Placement = 'exact' | 'function' | 'none';

/** V8's tiers, slow to fast. */
export type Tier = 'ignition' | 'sparkplug' | 'maglev' | 'turbofan';

export interface TierEvent {
  functionName: string;
  /** The `(` of the function's parameters. */
  place: SourcePlace;
  tier: Tier;
  /** On-stack replacement: the code was entered in the middle of a loop. Only some Node versions tell. */
  osr: boolean;
  /** The function into whose code it was inlined: the tier is that code's, and the function has none of its own there. */
  inlinedInto?: SourcePlace;
  /** Since the start of the process, in ms. */
  at: number;
}

/** Deoptimizations at one place for one reason. */
export interface DeoptGroup {
  place: SourcePlace;
  placement: Placement;
  /** Where the function was inlined, innermost first, at the first of them that tells; empty when it never was. */
  inlinedAt: readonly SourcePlace[];
  /** V8's own word: `deopt-eager`, `deopt-lazy`, `dependency-change`, … */
  kind: string;
  /** V8's own words: `not a Smi`, `wrong map`, … */
  reason: string;
  count: number;
  /** Since the start of the process, in ms; as many as `count`, up to a limit. */
  at: readonly number[];
  /** Belongs to every warm-up: first feedback, preparation of on-stack replacement. */
  benign: boolean;
  /**
   * Of a single deoptimization: what came next, and after how many ms of the logged process. V8 optimized the function again, or the
   * process ended.
   */
  next?: { event: 'optimized' | 'ended'; afterMs: number };
}

export type CacheState = 'uninitialized' | 'monomorphic' | 'polymorphic' | 'megamorphic';

/** One shape seen at a place, in the source's terms. */
export interface Shape {
  /** V8's address of the map: the same shape at two places has the same id within one run. */
  id: string;
  /** Property names in the order in which they were added; undefined when V8 does not tell. */
  properties?: readonly string[];
  /** Where it got its first property, in a constructor or at a literal, when V8 tells. */
  madeAt?: SourcePlace;
  /** `Point`, `Array`, `String`, `Uint8Array`, …, when V8 tells. */
  constructorName?: string;
  /** Kind of an array's elements, when it is known: `PACKED_SMI`, `HOLEY_DOUBLE`, … */
  elements?: string;
  dictionary: boolean;
}

/** What V8 remembers at one property access. */
export interface InlineCache {
  place: SourcePlace;
  /** `LoadIC`, `StoreIC`, `KeyedLoadIC`, … A keyed one can be megamorphic with a single shape, by its keys. */
  kind: string;
  /** Empty at a keyed access that met several keys. */
  property: string;
  /** The worst that the place came to: it may have one cache for each closure. */
  state: CacheState;
  /** The first ones, up to a limit. */
  shapes: readonly Shape[];
  /** An element past the end of an array was read or written. */
  outOfBounds?: boolean;
  /** Different shapes in all, up to a limit. Once megamorphic, V8 tells of misses only: then it is a lower bound. */
  shapeCount: number;
  /** Misses in all. */
  misses: number;
  /** Misses after the place had become megamorphic: state alone is no cost. */
  megamorphicMisses: number;
}

/** What V8 remembers of the operands of an operator, or of what a call called. */
export interface TypeFeedback {
  /** The operator, the called expression, or the `new`. */
  place: SourcePlace;
  kind: 'operator' | 'comparison' | 'call' | 'construct';
  /** V8's own word for operands (`SignedSmall`, `Number`, `String`, `Any`, …); `one function` or `several functions` for calls. */
  seen: string;
  /** Types came that V8 keeps no common word for but `Any`, or several functions were called. */
  mixed: boolean;
  /** The function that was called, where it was one. */
  callee?: string;
}

/** Arrays whose kind of elements V8 had to change, by line. */
export interface ElementsChange {
  /** V8 tells the line only: the column is 1. */
  place: SourcePlace;
  /** `PACKED_SMI`, `HOLEY_DOUBLE`, … */
  from: string;
  to: string;
  /** As often as V8's runtime was asked to; its compiled code does so without a word. */
  count: number;
}

/** Dictionary mode, a prototype swapped, a deprecated map: a change of shape that costs. */
export interface MapEvent {
  place: SourcePlace;
  placement: Placement;
  /** V8's words: `DeletingProperty`, `TooManyFastProperties`, `prototype`, … */
  reason: string;
  property?: string;
  count: number;
}

/** A blocking core call that was seen after start-up. */
export interface SyncCall {
  /** `fs.readFileSync`. */
  name: string;
  place: SourcePlace;
  count: number;
  /** All of them together, in ms. */
  totalMs: number;
  maxMs: number;
  minMs?: number;
  /** The sum of the squares of their times, in ms². */
  squaresMs?: number;
  /** Sums of the natural logarithms of the times in ms, and of the squares of these. */
  logs?: number;
  logSquares?: number;
  /** Of those that came after the first ones at this place, in which code is not warm. */
  warm?: CallTimes;
  /** What a clock around the calls shows of one that does nothing, in ms: it has been taken off. Undefined where no clock stands there. */
  clockMs?: number;
  /** Of a loop: the most that its runs took together before the event loop or a microtask went on, in ms. */
  maxTurnMs?: number;
  /** Threads that were started here: so many came online, after `startMs` in all. */
  started?: number;
  startMs?: number;
  /** How long promises that they returned were pending, in ms. Those that overlap count as one; `peak` is the most of them. */
  awaitedMs?: number;
  peak?: number;
  /**
   * How long one of these promises is pending alone, in ms: the mean of the shortest ones of those that are pending at the same time, as
   * if the others had not been there.
   */
  aloneMs?: number;
  /** Of a call in a list of a `Promise.all`: how often such a list was awaited, and for how long after all others in it, in ms. */
  lists?: number;
  laterMs?: number;
  /** What the first request took of these, in ms. Undefined where it is not known when that ended. */
  firstAwaitedMs?: number;
  firstLaterMs?: number;
  /**
   * Of reads that wait for each other: how often all were answered, and the sums of their times without the longest, in ms, as if each
   * round had taken as long as usual: the first one, and the longest and shortest tenths of the others, are left out.
   */
  rounds?: number;
  overlapMs?: number;
  /** Rounds that ran at the same time as others, whose times cannot be told apart. */
  mixedRounds?: number;
  /** Of `Object.setPrototypeOf`: how many of the objects had another prototype before. */
  changed?: number;
  /** Of jobs of the thread pool: what else waits for it while there are as many of them as it has threads, or more. */
  pool?: PoolWaits;
}

export interface ExceptionGroup {
  place: SourcePlace;
  placement: Placement;
  /** Constructor's name; `(not an Error)` for other thrown values. */
  type: string;
  /** Of the first one. Where requests were answered, it may quote what they sent: empty, unless it never does. */
  message: string;
  thrown: number;
  /** Of these, in the first call of each kind that was made. Only calls of a function tell. */
  first?: number;
  /** The ways on which they came: the user's frames at the throw, innermost first, the throwing one included. Up to a limit. */
  paths?: readonly { frames: readonly SourcePlace[]; thrown: number }[];
}

/** A stretch in which the event loop could not go on. */
export interface LoopBlock {
  /** In ms. */
  duration: number;
  /** What kept it: a tick that queues ticks, a promise that queues promises, or plain synchronous code. */
  kind: 'next-tick' | 'microtask' | 'synchronous' | 'unknown';
  /** User frames of the stuck thread, innermost first. */
  stack: readonly (SourcePlace & { functionName: string })[];
  /** It was still going on when the run was ended. */
  endless: boolean;
  /** Its process was ended meanwhile: it took that long at least. */
  isCut?: boolean;
  /** The blocking call of Node's that most of it was: `fs.readFileSync`. */
  call?: string;
}

export interface Distribution {
  p50: number;
  p90: number;
  p99: number;
  max: number;
}

/** Event-loop delay in ms, resolution already taken off. */
export interface LoopDelay extends Distribution {
  resolution: number;
  /** p99 of an idle process on this machine, in ms: less than this cannot be distinguished from nothing. */
  idleFloor: number;
  /** Share of the time in which the loop was busy, 0 to 1. */
  utilization: number;
  /** Blocks longer than `threshold` ms. */
  blocks: number;
  threshold: number;
  /** How long was measured, in ms; 0 where the loop was stuck to the end or hardly ran, so that nothing of it but `blocks` was measured. */
  window: number;
  /** How many turns of the loop were held up how long; empty where it was never seen to turn. */
  histogram: readonly DelayBucket[];
}

export interface DelayBucket {
  /** In ms; missing in the last one, which has no end. */
  upTo?: number;
  count: number;
}

export interface GcTime {
  count: number;
  totalMs: number;
  maxMs: number;
}

export interface CallTiming extends Pick<Timing, 'median' | 'halfWidth' | 'allocated'> {
  /** Index into the target's calls. */
  call: number;
}

export interface Timing {
  /** ns per call, or per request with its way over the loopback and back; median of the samples. */
  median: number;
  /** Half-width of the 95 % confidence interval of the median, in ns; undefined where there were too few samples. */
  halfWidth?: number;
  /**
   * 99 of 100 requests were answered within this many ns; undefined for calls, whose samples are of many, and for fewer than 1,000
   * requests.
   */
  p99?: number;
  samples: number;
  calls: number;
  /** Bytes allocated per call; undefined where it is unknown. */
  allocated?: number;
  /** Of each of the target's calls, where there are several. */
  perCall?: readonly CallTiming[];
  gc: GcTime;
  /** Set when the function's work may have been optimized away: so fast that nothing can have been done. */
  suspectedDeadCode: boolean;
}

/**
 * - `confirmed`: what the finding says was there, and costs what stands in the verdict.
 * - `seen`: it was there, and no cost was shown.
 * - `refuted`: the place ran often enough, the run could have seen it, and it was not there.
 * - `not-reached`: the place did not run.
 * - `inconclusive`: neither can be said.
 */
export const VERDICT_KINDS = ['confirmed', 'seen', 'refuted', 'not-reached', 'inconclusive'] as const;
export type VerdictKind = (typeof VERDICT_KINDS)[number];

/** As people read them. */
export const VERDICT_WORDS: Readonly<Record<VerdictKind, string>> = {
  confirmed: 'confirmed',
  seen: 'seen, no cost shown',
  refuted: 'refuted',
  'not-reached': 'not reached',
  inconclusive: 'inconclusive',
};

/** Before those words. */
export const VERDICT_SYMBOLS: Readonly<Record<VerdictKind, string>> = {
  confirmed: '✖',
  seen: '○',
  refuted: '✔',
  'not-reached': '–',
  inconclusive: '?',
};

/** What a cost is stated for: one call of the function, one request, one run of the program, one block of the event loop, one start. */
export interface Verdict {
  ruleId: string;
  messageId: string;
  /** Where the finding stood when it was judged. */
  place: SourcePlace;
  verdict: VerdictKind;
  /** One line with the figure: `7 shapes, megamorphic, 3 deopts`, `monomorphic in 1.2 M calls on Node 24`. */
  figure: string;
  /** What it rests on, in full sentences. */
  grounds: readonly string[];
  /** What to do about it, as the finding says. */
  remedy?: string;
  /** Of what was confirmed, or seen: undefined where nothing was measured. */
  cost?: Cost;
  /** What stays of each call or request, where that was counted. */
  retained?: Retained;
  /** How the time grows with the input, where that was measured. */
  scaling?: Scaling;
}

/** Where the arguments of the calls came from. */
export const CALL_ORIGINS = [
  'profile-comment',
  'jsdoc-example',
  'call-site',
  'test',
  'typed',
  'request',
  'no-arguments',
  'file',
  'script',
] as const;
export type CallOrigin = (typeof CALL_ORIGINS)[number];

/** A request to a program that serves, sent over the loopback. */
export interface ProgramRequest {
  /** Upper case. */
  method: string;
  /** With its query. `{n}` stands for the number of the request, here, in headers, and in the body. */
  path: string;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** How often a whole program is run for one report, at most: once for each kind of evidence, and V8's log twice on Node 20 and older. */
export const MOST_PROGRAM_RUNS = 7;

export interface RunTarget {
  /** The package.json of an npm script. */
  file: string;
  /** Undefined when a whole file or script was run. */
  functionName?: string;
  place?: SourcePlace;
  origin: CallOrigin;
  /** The calls as source text: `add(1, 2)`; requests as `GET /users/1`; the command of a file or script. */
  calls: readonly string[];
}

/** A name for people. A handler without one goes by its request: `GET /users/1`. */
export function nameOfTarget({ functionName, origin, calls: [call, ...more] }: RunTarget): string | undefined {
  if (functionName !== undefined) return functionName;
  return origin === 'request' && more.length === 0 ? /^\S+ \S+/.exec(call ?? '')?.[0] : undefined;
}

/** A function's part in the processor's time, as shares (0 to 1) of the time in which the program was not idle. */
export interface CpuFunction {
  functionName: string;
  /** The `(` of the function's parameters. */
  place: SourcePlace;
  /** In itself. */
  self: number;
  /** With everything that it called. */
  total: number;
}

/** A line's own part in the processor's time, as a share (0 to 1) of the time in which the program was not idle. */
export interface CpuLine {
  /** Absolute path. */
  file: string;
  /** From 1. */
  line: number;
  self: number;
}

/** Whose code it is. `other`: V8's own work, and native code without a name. */
export type CodeOwner = 'user' | 'packages' | 'core' | 'gc' | 'other';

/** A function at one place of the call stacks: the same one stands at several. */
export interface FlameFrame {
  functionName: string;
  owner: CodeOwner;
  /** Of its code; undefined for what is no JavaScript in a file. */
  place?: SourcePlace;
  /** The package, or Node's own module: `express`, `node:fs`. */
  module?: string;
  /** How many callers it has. */
  depth: number;
  /** In itself, and with what it called: shares (0 to 1) of the time in which the program was not idle. */
  self: number;
  total: number;
}

/**
 * Where the time of a program went, by samples of its threads' stacks; waiting in a synchronous call is no idleness. Shares, 0 to 1, of the
 * time in which it was not idle; without garbage collection and V8's own work they make less than 1.
 */
export interface CpuShares {
  /** Not idle, in ms; of all processes together. */
  busyMs: number;
  user: number;
  packages: number;
  /** Node's own JavaScript and what it calls. */
  core: number;
  gc: number;
  /** The user's functions, the busiest first, up to a limit. */
  functions: readonly CpuFunction[];
  /** The user's lines, the busiest first, up to a limit; V8 takes about a sample every millisecond, so short runs tell little. */
  lines: readonly CpuLine[];
  /** By package, the busiest first, up to a limit. */
  byPackage: readonly { name: string; self: number }[];
  /** The call stacks: each frame before what it calls, the busiest first; up to a limit, the ones with the least time left out. */
  flame: readonly FlameFrame[];
}

/** What is reported of a whole file or npm script only. */
export interface ProgramFacts {
  /** As a person writes it: `node server.js`, `npm run test`. */
  command: string;
  /** Of the traced run; null when it was ended. */
  exitCode: number | null;
  /** Node processes that V8's log was read of. */
  processes: number;
  /** The user's files that ran, absolute, in order. */
  files: readonly string[];
  /** Property accesses of the user's that met one shape; they are not in the list of inline caches. */
  monomorphic: number;
  /** What V8 logged elsewhere, counted: deoptimizations in packages and in Node itself, and inline-cache lines in both. */
  aside: { packageDeopts: number; coreDeopts: number; cacheLines: number };
  cpu?: CpuShares;
}

export interface RunMachine {
  /** Without the `v`. */
  node: string;
  v8: string;
  platform: string;
  cpu: string;
  cores: number;
}

/**
 * From this major on V8 keeps what comparisons met in the bytecode, which is printed nowhere (Node 26.10; only while Maglev compiles, and
 * asking for that ends some processes).
 */
const FIRST_WITHOUT_COMPARISONS = 26;

/** Whether V8 tells what `<`, `===` and their like met. */
export function tellsComparisons({ node }: Pick<RunMachine, 'node'>): boolean {
  return Number.parseInt(node, 10) < FIRST_WITHOUT_COMPARISONS;
}

/** Everything that one profile of one target on one Node found. */
export interface ProfileReport {
  target: RunTarget;
  machine: RunMachine;
  /** ISO 8601, UTC. */
  date: string;
  /** How often the function ran in all, and until the runs' end; 1 for a program. */
  calls: number;
  /** Each call threw each time: what the function does otherwise was not seen. */
  isVain?: true;
  /** Runs of a function, or of the program that serves it, that did not end well; left out where all did. */
  failedRuns?: 'all' | 'some';
  /** Set where a whole file or npm script was run. */
  program?: ProgramFacts;
  tiers: readonly TierEvent[];
  deopts: readonly DeoptGroup[];
  inlineCaches: readonly InlineCache[];
  mapEvents: readonly MapEvent[];
  /** Undefined where it was not asked for. */
  feedback?: readonly TypeFeedback[];
  elements?: readonly ElementsChange[];
  syncCalls: readonly SyncCall[];
  exceptions: readonly ExceptionGroup[];
  blocks: readonly LoopBlock[];
  /** Of programs, and of handlers under requests: a call that is repeated without a pause has no delay of its own. */
  loopDelay?: LoopDelay;
  timing?: Timing;
  /** Where the time went while the function ran; for whole programs see `program`. */
  cpu?: CpuShares;
  /** Absolute path of a `.cpuprofile`. */
  cpuProfile?: string;
  verdicts: readonly Verdict[];
  /** Undefined in reports of versions that did not tell it. */
  unpredicted?: Unpredicted;
  /** Lines with a known prefix that no pattern took: more than a few mean that V8 changed its format. */
  unreadLines: number;
  /** What could not be found out, one sentence each. */
  problems: readonly string[];
}

/** How long a program held its event loop up. */
export interface LagReport {
  machine: RunMachine;
  /** As a person writes it: `node server.js`, `npm run start`. */
  command: string;
  /** ISO 8601, UTC. */
  date: string;
  delay: LoopDelay;
  /** The longest first. */
  blocks: readonly LoopBlock[];
  /** Blocks while the program was being loaded, which no request waits for. */
  startUpBlocks: readonly LoopBlock[];
  gc: GcTime;
  /** What the program wrote, as far as it was kept. */
  stdout: string;
  stderr: string;
  exitCode: number | null;
  /** Sentences about what could not be measured. */
  problems: readonly string[];
}

/** The time of one version of the code. */
export interface Measured {
  /** As people call it. */
  name: string;
  /** ns per call or request, one of each process. */
  figures: readonly number[];
}

/** How far two versions of the same code lie apart. */
export const DIFFERENCE_UNITS = ['call', 'request', 'run'] as const;
export const DIFFERENCES = ['slower', 'faster', 'same', 'inconclusive'] as const;

export interface Difference {
  /**
   * - `slower`, `faster`: the second, by more than the tolerance, and the interval leaves zero out.
   * - `same`: no difference shown, or one within the tolerance.
   * - `inconclusive`: the interval is too wide to rule a slowdown of a fifth out.
   */
  verdict: (typeof DIFFERENCES)[number];
  per: (typeof DIFFERENCE_UNITS)[number];
  first: Measured & { median: number };
  second: Measured & { median: number };
  /** Of the second against the first, in ns. */
  ns: number;
  low: number;
  high: number;
  /** Of the interval, 0 to 1. */
  confidence: number;
  /** Time of the second in terms of the first's; undefined where the first took no measurable time. */
  ratio?: number;
}

/** One Node in a comparison of several. */
export interface ComparisonRow {
  /** Its version; what was asked for where it could not be run. */
  node: string;
  v8?: string;
  /** Why there is nothing to compare, as a sentence. */
  failure?: string;
  timing?: Timing;
  /** Time against that of the first Node that was timed. */
  factor?: number;
  /** The interval of the difference leaves zero out; otherwise no difference is shown. */
  isApart?: boolean;
  /** Against the first Node, in ns per call, with its 99.7 % interval over processes that took turns. */
  difference?: { ns: number; low: number; high: number };
  /** The fastest that its own code reached. */
  tier?: Tier;
  /** Without those that belong to every warm-up. */
  deopts: number;
  /** Places. */
  megamorphic: number;
  blockingCalls: number;
  verdicts: readonly Verdict[];
}
