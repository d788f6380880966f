// Profiles one function on one Node: a child run for each kind of evidence that disturbs another, and one report of what all of them found. What takes times
// has the machine for itself; the others go two at a time.
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { CpuShares, ExceptionGroup, GcTime, LoopBlock, LoopDelay, ProfileReport, ProgramRequest, RunTarget, SourcePlace, SyncCall, Timing } from '../protocol/evidence.ts';
import { allThrew, callProblems } from './call-problems.ts';
import { changedSentence, findBuilt } from './built-files.ts';
import { runsPerCall } from './coverage.ts';
import { loopDelayOf, measureIdleFloor } from './loop-delay.ts';
import { machineOf } from './machine.ts';
import { withoutMisplaced } from './misplaced-caches.ts';
import type { NodeBinary } from './node-binary.ts';
import { cpuShares } from './parse/cpu-profile.ts';
import { toFilePath } from './parse/escapes.ts';
import { readFeedback } from './parse/feedback.ts';
import { readV8Logs } from './parse/merge-logs.ts';
import type { V8Log, V8LogOptions } from './parse/v8-log.ts';
import { atSourcePlaces } from './mapped-report.ts';
import { isAllowed, suffixLine, type Loading, type ModuleFormat, type Phase, type Replacement, type RunKind, type Target } from './plan.ts';
import { callsIn, findBlocks, recordsOf, recordsOfPhase, requestsIn, type RunRecord } from './records.ts';
import { requestProblems } from './requests.ts';
import { runNode, type Artifacts, type RunOutcome } from './run.ts';
import { SourceMaps, type CompiledFile } from './source-maps.ts';
import { median, medianHalfWidth, tail } from './statistics.ts';
import { ENOUGH_RUNS, ENOUGH_WATCHED, judge, type EvidenceKind, type Hypothesis } from './verdict.ts';

export interface ProfileRequest {
  node: NodeBinary;
  target: RunTarget;
  /** JavaScript that stands in for the target's file, with the same places. */
  text: string;
  /** The target's calls as JavaScript. */
  calls: readonly string[];
  /** Run in place of the calls: `text` is then the file's own. */
  program?: ServedProgram;
  format?: ModuleFormat;
  /** Set where code is compiled while it is loaded; `text` is then the source's own. */
  loading?: Loading;
  /** Other modules whose text is replaced. */
  replacements?: readonly Replacement[];
  hypotheses: readonly Hypothesis[];
  /** For all runs together, in ms. */
  budgetMs: number;
  isUserFile: V8LogOptions['isUserFile'];
  isBenign: V8LogOptions['isBenign'];
  env?: Readonly<Record<string, string | undefined>>;
  readOnly?: boolean;
  /** Only these, where not all is asked for. */
  runs?: ReadonlySet<RunKind>;
  /** Where a CPU profile is to be kept; none is taken without it. */
  keepCpuProfile?(path: string): Promise<string>;
  /** Told before each run. */
  progress?(done: number, total: number, kind: RunKind): void;
  signal?: AbortSignal;
  /** ISO 8601, UTC. */
  date: string;
}

/** A program that starts a server, and what it is asked. */
export interface ServedProgram {
  /** What `node` is given, absolute. */
  entry: string;
  /** Absolute. */
  cwd: string;
  requests: readonly ProgramRequest[];
  /** Of Node, as its start script has them. */
  flags?: readonly string[];
  /** As its start script sets them. */
  env?: Readonly<Record<string, string>>;
}

export type ProfileOutcome =
  | { ok: true; report: ProfileReport }
  /** `reason` is a sentence for the user. */
  | { ok: false; reason: string; aborted: boolean };

/** The shares of the budget; the clock's run is worth most. A run that has nothing more to see ends earlier. */
const SHARES: Readonly<Partial<Record<RunKind, number>>> = { watch: 0.15, trace: 0.3, counts: 0.1, feedback: 0.1, exceptions: 0.1, io: 0.1, time: 0.35, cpu: 0.1 };
/**
 * What one process collects: the kinds of a phase at the same time, the phases one after the other. Starting a process and loading the program takes longer
 * than most of what is measured then, so those that leave each other alone share one: blocking calls are timed while the watchdog only looks out for what
 * never ends; counts and exceptions ask for no times; the clock comes after the CPU profile, which ends before it.
 */
type Shared = readonly (readonly RunKind[])[];
/** Before all else: it tells whether the others will ever end. */
const FIRST: Shared = [['io'], ['watch']];
/** Beside each other, as many as there are processors. */
const BESIDE: readonly Shared[] = [[['trace']], [['counts', 'exceptions']], [['feedback']]];
/** It has the machine for itself, but is loaded as soon as there is a processor for it. */
const LAST: Shared = [['cpu'], ['time']];
/** Runs whose silence says nothing before V8 had reason to optimise. */
const PATIENT: ReadonlySet<RunKind> = new Set(['trace', 'feedback', 'watch']);
const OF_OPTIMISING: ReadonlySet<EvidenceKind> = new Set(['inline-cache', 'deopt', 'feedback', 'bounds']);
const OF_WATCHING: ReadonlySet<EvidenceKind> = new Set(['microtasks']);
/** What starting Node, loading the target and reading the results may take on top, in ms. */
const START_UP_MS = 5000;
/** A whole program loads more, and may wait for others, in ms. */
const PROGRAM_START_UP_MS = 10_000;
/** A loop that has not turned for so long will not: enough to be sure, short enough to wait for, in ms. */
const ENDLESS_MS = 1000;
/** How long too few calls are waited for at least: a short budget is no reason to know nothing, in ms. */
const LEAST_PATIENCE_MS = 5000;
/** Compiling comes on top. */
const COMPILED_FACTOR = 2;
/** What is left to a run of code that is known to be endless, beside its share, in ms. */
const ENDLESS_START_UP_MS = 2000;

export async function profileFunction(request: ProfileRequest): Promise<ProfileOutcome> {
  const isWanted = (kind: RunKind) => isAllowed(kind, request.node, request.readOnly) && (request.runs?.has(kind) ?? true);
  const wantedOf = (shared: Shared) => shared.map((kinds) => kinds.filter(isWanted)).filter((kinds) => kinds.length > 0);
  const [first, last] = [wantedOf(FIRST), wantedOf(LAST)];
  const beside = BESIDE.map(wantedOf).filter((shared) => shared.length > 0);
  const total = [first, ...beside, last].filter((shared) => shared.length > 0).length;
  const stop = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal;
  const collected = new Collected({ ...request, signal });
  let done = 0;
  let fatal: string | undefined;
  const run = async (shared: Shared, hold?: Promise<void>): Promise<void> => {
    if (fatal !== undefined || request.signal?.aborted || shared.length === 0) return;
    const tell = () => request.progress?.(done, total, shared.flat().at(-1) ?? 'time');
    if (hold) void hold.then(() => (signal.aborted ? undefined : tell()));
    else tell();
    const why = await collected.run(shared, hold);
    done += 1;
    if (why === undefined || fatal !== undefined) return;
    fatal = why;
    // What would end in the same way need not go on.
    stop.abort();
  };
  await run(first);
  const waiting: (() => Promise<void>)[] = [];
  let left = beside.length;
  const turn = new Promise<void>((resolve) => {
    const finished = () => {
      left -= 1;
      if (left === 0) resolve();
    };
    waiting.push(...beside.map((shared) => () => run(shared).finally(finished)));
    if (beside.length === 0) resolve();
  });
  // What never lets go of the loop has no time per call.
  if (!collected.isEndless) waiting.push(() => run(last, turn));
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all(Array.from({ length: Math.min(availableParallelism(), BESIDE.length) }, lane));
  if (request.signal?.aborted) return { ok: false, reason: fatal ?? 'Stopped.', aborted: true };
  return fatal === undefined ? { ok: true, report: collected.report() } : { ok: false, reason: fatal, aborted: false };
}

class Collected {
  readonly #request: ProfileRequest;
  readonly #problems: string[];
  readonly #calls = new Map<RunKind, number>();
  #log: V8Log | undefined;
  #feedback: Pick<ProfileReport, 'feedback' | 'elements'> = {};
  #counts: readonly RunRecord[] = [];
  readonly #compiled = new Map<string, CompiledFile>();
  #syncCalls: SyncCall[] = [];
  #exceptions: ExceptionGroup[] = [];
  #blocks: LoopBlock[] = [];
  #isEndless = false;
  #isVain = false;
  #loopDelay: LoopDelay | undefined;
  #timing: Timing | undefined;
  #cpu: CpuShares | undefined;
  #cpuProfile: string | undefined;

  constructor(request: ProfileRequest) {
    this.#request = request;
    this.#problems = leftOutProblems(request.node, request.readOnly);
  }

  get isEndless(): boolean {
    return this.#isEndless;
  }

  /** Undefined, or why nothing can be found out at all. */
  async run(shared: Shared, hold?: Promise<void>, isFirst = true): Promise<string | undefined> {
    const { node, target, program, loading, replacements, env, readOnly, signal, hypotheses, budgetMs } = this.#request;
    const kinds = shared.flat();
    const phases = shared.map((some): Phase => {
      const measureMs = budgetMs * Math.max(...some.map((kind) => SHARES[kind] ?? 0));
      const wanted = some.includes('watch') ? OF_WATCHING : OF_OPTIMISING;
      const isPatient = some.some((kind) => PATIENT.has(kind)) && !this.isEndless && hypotheses.some((one) => one.kinds.some((kind) => wanted.has(kind)));
      // Without a single call a run says nothing at all.
      const patienceMs = this.isEndless ? 0 : isPatient ? Math.max(budgetMs, LEAST_PATIENCE_MS) : LEAST_PATIENCE_MS;
      return { kinds: some, measureMs, patienceMs, leastCalls: !isPatient ? 1 : some.includes('watch') ? ENOUGH_WATCHED : ENOUGH_RUNS };
    });
    const startUpMs = this.isEndless ? ENDLESS_START_UP_MS : (program ? PROGRAM_START_UP_MS : START_UP_MS) * (loading ? COMPILED_FACTOR : 1);
    const main = kinds.includes('watch') ? 'watch' : kinds[0] ?? 'time';
    const outcome = await runNode(
      {
        kind: main, phases, node, readOnly, replacements, loading,
        env: { ...program?.env, ...env },
        flags: program?.flags,
        target: this.#target(),
        cwd: program?.cwd,
        limits: { wallMs: phases.reduce((sum, { measureMs, patienceMs = 0 }) => sum + measureMs + patienceMs, startUpMs) },
        feedbackOf: [target.file],
        endlessMs: kinds.includes('watch') ? ENDLESS_MS : undefined,
      },
      async (artifacts) => {
        for (const [phase, some] of shared.entries()) for (const kind of some) await this.#take(kind, { ...artifacts, records: recordsOfPhase(artifacts.records, phase) });
        return artifacts.records;
      },
      { signal, hold },
    );
    return outcome.ok ? undefined : this.#failed(shared, outcome, isFirst);
  }

  #target(): Target {
    const { target: { file }, program, text, calls, format } = this.#request;
    return program ? { type: 'file', file: program.entry, arguments: [], requests: program.requests } : { type: 'function', file, calls, text, format };
  }

  async #failed(shared: Shared, outcome: RunOutcome<readonly RunRecord[]> & { ok: false }, isFirst: boolean): Promise<string | undefined> {
    const { kind: why, reason } = outcome;
    const kinds = shared.flat();
    const isWatched = kinds.includes('watch');
    if (why === 'aborted') return reason;
    // These would end every further run in the same way.
    if (why === 'load' || why === 'call' || why === 'not-started' || why === 'internal' || why === 'no-server') return reason;
    if (why === 'time-limit' && !this.#request.program && recordsOf(outcome.value ?? [], 'loaded').length === 0) return reason;
    // It hung, crashed or ended while it started: so it will again.
    if (this.#request.program && recordsOf(outcome.value ?? [], 'listening').length === 0) return reason;
    if (why === 'endless' && isWatched) return undefined;
    // Asking a stuck thread where it is crashes Node now and then (seen on 18 and 20): once more, and it is told only if it happens again.
    if (why === 'crash' && isWatched && isFirst) return this.run(shared, undefined, false);
    // A program that stood still once in a hundred runs, on a crowded machine; what stands still by itself is known from `watch`.
    if (why === 'time-limit' && this.#request.program && isFirst && !this.isEndless) return this.run(shared, undefined, false);
    this.#problems.push(`The run for ${listOf(kinds.map((kind) => KIND_WORDS[kind]))} did not end well: ${reason}`);
    return undefined;
  }

  async #take(kind: RunKind, { folder, records, v8Logs, cpuProfiles, feedbackFiles }: Artifacts): Promise<void> {
    const { text, target, program, loading, isUserFile, isBenign, keepCpuProfile } = this.#request;
    const wrappersFrom = program || loading ? Infinity : suffixLine(text);
    const isUsers = ({ file, line }: SourcePlace) => file !== target.file || line < wrappersFrom;
    this.#calls.set(kind, callsIn(records));
    for (const { text: problem } of recordsOf(records, 'problem')) if (!this.#problems.includes(problem)) this.#problems.push(problem);
    // What a build has put its map into stands on the disk as it ran.
    for (const one of recordsOf(records, 'source-map')) if (readOrNothing(one.file) !== one.text) this.#compiled.set(one.file, one);
    if (kind === 'trace') {
      this.#problems.push(...requestProblems(requestsIn(records)), ...(program ? [] : callProblems(records, target.calls)));
      this.#isVain = allThrew(records);
      const read = await readV8Logs(v8Logs, { isUserFile: (file) => !file.startsWith(folder) && isUserFile(file), isBenign });
      if (!read) this.#problems.push('V8 wrote no log.');
      else {
        const ofUsers = <T extends { place: SourcePlace }>(list: readonly T[]) => list.filter(({ place }) => isUsers(place));
        this.#log = { ...read, tiers: ofUsers(read.tiers), deopts: ofUsers(read.deopts), inlineCaches: ofUsers(read.inlineCaches), mapEvents: ofUsers(read.mapEvents) };
      }
    } else if (kind === 'feedback') {
      const [file] = feedbackFiles;
      if (file !== undefined) this.#feedback = ofUsersOnly(await readFeedback(join(folder, file), { isUserFile, toFilePath }), isUsers);
    } else if (kind === 'counts') this.#counts = records;
    else if (kind === 'io') this.#syncCalls = (recordsOf(records, 'sync-calls').at(-1)?.calls ?? []).flatMap(({ place, inside: _, ...call }) => (place ? [{ ...call, place }] : []));
    else if (kind === 'exceptions') this.#exceptions = recordsOf(records, 'exceptions').at(-1)?.thrown ?? [];
    else if (kind === 'watch') {
      this.#blocks = blocksOf(records, program !== undefined).map(withoutStage);
      // A program that did not come out of its start-up in time may do so the next time.
      this.#isEndless = findBlocks(records).some(({ endless, startUp }) => endless && !(startUp && (program ?? loading)));
      if (program) this.#loopDelay = loopDelayOf(records, await measureIdleFloor(this.#request.node, this.#request.signal));
    } else if (kind === 'time') this.#timing = timingOf(records);
    else if (kind === 'cpu') {
      const path = mainProfile(cpuProfiles, records);
      if (path === undefined) this.#problems.push('No CPU profile was taken.');
      else {
        const shares = cpuShares([await readFile(path, 'utf8')], (file) => !file.startsWith(folder) && isUserFile(file));
        this.#cpu = shares && { ...shares, functions: shares.functions.filter(({ place }) => isUsers(place)), lines: shares.lines.filter(({ file, line }) => isUsers({ file, line, column: 1 })) };
        this.#cpuProfile = await keepCpuProfile?.(path);
      }
    }
  }

  /** A program may be built: what ran is then made of the target's file, and of others. */
  #maps(): SourceMaps {
    const { target, text, program, isUserFile } = this.#request;
    const ran = program ? [...recordsOf(this.#counts, 'counts').flatMap((record) => record.files.map(({ file }) => file)), ...(this.#log?.tiers ?? []).map(({ place }) => place.file)] : [];
    for (const file of new Set(ran)) {
      const own = this.#compiled.has(file) || file === target.file || !isUserFile(file) ? undefined : readOrNothing(file);
      const built = own === undefined ? undefined : findBuilt(file, own, isUserFile);
      if (built?.ok) this.#compiled.set(file, built.compiled);
      else if (built?.changed.includes(target.file)) this.#problems.push(changedSentence([file], [target.file]));
    }
    return new SourceMaps([...this.#compiled.values()], (file) => (file === target.file ? text : readOrNothing(file)));
  }

  report(): ProfileReport {
    const { node, target, text, hypotheses, date } = this.#request;
    const maps = this.#maps();
    const log = this.#log;
    const textOf = (file: string) => this.#compiled.get(file)?.text ?? (file === target.file ? text : readOrNothing(file));
    const perCall = runsPerCall(this.#counts, textOf);
    const found = atSourcePlaces({
      target,
      machine: machineOf(node),
      date,
      calls: this.#calls.get('trace') ?? 0,
      ...(this.#isVain ? { isVain: true as const } : {}),
      tiers: log?.tiers ?? [], deopts: log?.deopts ?? [], inlineCaches: withoutMisplaced(log?.inlineCaches ?? [], textOf), mapEvents: log?.mapEvents ?? [], ...this.#feedback,
      syncCalls: this.#syncCalls, exceptions: this.#exceptions, blocks: this.#blocks, loopDelay: this.#loopDelay, timing: this.#timing, cpu: this.#cpu, cpuProfile: this.#cpuProfile,
      unreadLines: log?.unreadLines ?? 0,
      problems: this.#problems,
    }, maps);
    const executions = (place: SourcePlace, kind: EvidenceKind) => {
      const runs = maps.toCompiled(place).flatMap((one) => perCall(one) ?? []);
      const calls = this.#calls.get(RUN_OF[kind]);
      // A run that was cut off before it could count its calls says nothing.
      return runs.length === 0 || !calls ? undefined : Math.round(runs.reduce((sum, n) => sum + n, 0) * calls);
    };
    return { ...found, verdicts: hypotheses.map((hypothesis) => judge(hypothesis, found, executions)) };
  }
}

export function withoutStage({ duration, kind, stack, endless }: LoopBlock): LoopBlock {
  return { duration, kind, stack, endless };
}

function readOrNothing(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    // A program may write a file, load it and take it away again.
    return undefined;
  }
}

function listOf(words: readonly string[]): string {
  return words.length > 1 ? `${words.slice(0, -1).join(', ')} and ${words.at(-1)}` : words.join();
}

function ofUsersOnly({ feedback = [], elements = [] }: Pick<ProfileReport, 'feedback' | 'elements'>, isUsers: (place: SourcePlace) => boolean): Pick<ProfileReport, 'feedback' | 'elements'> {
  return { feedback: feedback.filter(({ place }) => isUsers(place)), elements: elements.filter(({ place }) => isUsers(place)) };
}

/** Of the process that serves the requests, else of the first one that was started. */
export function mainProfile(paths: readonly string[], records: readonly RunRecord[]): string | undefined {
  const pid = recordsOf(records, 'listening').find(({ protocol }) => protocol !== 'tcp')?.pid ?? recordsOf(records, 'started')[0]?.pid;
  return paths.find((path) => path.endsWith(`${pid}.cpuprofile`)) ?? paths[0];
}

/** Blocks after start-up, and one that start-up never came out of; under requests such a run has failed, and says so. */
export function blocksOf(records: readonly RunRecord[], isServed = false): (LoopBlock & { startUp: boolean })[] {
  return findBlocks(records).filter(({ startUp, endless }) => !startUp || (endless && !isServed)).map(({ duration, kind, stack, endless, startUp }) => ({ duration, kind, stack, endless, startUp }));
}

/** Which runs there cannot be under the permission model of this Node, as a sentence. */
export function leftOutProblems(node: NodeBinary, readOnly: boolean | undefined): string[] {
  if (isAllowed('counts', node, readOnly)) return [];
  return [`Under its permission model, Node ${node.version} gives no access to the inspector (Node 24 can): it was not seen how often each place ran, what was thrown, and what held the event loop up. What was not seen is not refuted.`];
}

export const RUN_OF: Readonly<Record<EvidenceKind, RunKind>> = {
  'inline-cache': 'trace', 'deopt': 'trace', 'map-transition': 'trace', 'feedback': 'feedback', 'bounds': 'trace', 'elements': 'trace', 'runs': 'counts', 'sync-io': 'io', 'exceptions': 'exceptions', 'microtasks': 'watch', 'loop-delay': 'watch', 'load': 'watch', 'time': 'time',
};

export const KIND_WORDS: Readonly<Record<RunKind, string>> = {
  trace: "V8's log", feedback: 'operators and calls', time: 'the time', io: 'blocking calls', exceptions: 'exceptions', watch: 'the event loop', idle: 'the idle event loop', counts: 'the counts', cpu: 'the CPU profile',
};

/** Below this a call did nothing that could be told from an empty loop, whose round takes 0.24 to 0.48 ns (Node 18 to 26), in ns. */
const NOTHING_NS = 0.5;

/** The calls one after the other, as their sum: what one round of all of them costs, for each call. */
function timingOf(records: readonly RunRecord[]): Timing | undefined {
  const timings = recordsOf(records, 'timing').filter((timing) => timing.samples.length > 0);
  const gc: GcTime = recordsOf(records, 'gc').at(-1) ?? { count: 0, totalMs: 0, maxMs: 0 };
  if (timings.length === 0) return undefined;
  const mean = (numbers: readonly number[]) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;
  const medians = timings.map(({ samples, overhead }) => Math.max(0, median(samples) - overhead));
  const halfWidths = timings.flatMap(({ samples }) => medianHalfWidth(samples) ?? []);
  const single = timings.every(({ callsPerSample, overhead }) => callsPerSample === 1 && overhead === 0) ? tail(timings.flatMap(({ samples }) => samples), 0.99) : undefined;
  const allocations = timings.flatMap(({ allocated }) => (allocated === undefined ? [] : [allocated]));
  return {
    median: mean(medians),
    halfWidth: halfWidths.length < timings.length ? undefined : Math.sqrt(halfWidths.reduce((sum, width) => sum + width ** 2, 0)) / timings.length,
    ...(single === undefined ? {} : { p99: single }),
    samples: timings.reduce((sum, { samples }) => sum + samples.length, 0),
    calls: timings.reduce((sum, { samples, callsPerSample }) => sum + samples.length * callsPerSample, 0),
    allocated: allocations.length === timings.length ? mean(allocations) : undefined,
    gc: { count: gc.count, totalMs: gc.totalMs, maxMs: gc.maxMs },
    suspectedDeadCode: medians.some((ns) => ns < NOTHING_NS),
  };
}
