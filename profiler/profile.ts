// Profiles one function on one Node: a child run for each kind of evidence that disturbs another, and one report of what all of them found.
// What takes times has the machine for itself; the others go two at a time.
import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { MOST_BYTES, textOfFile } from '../files/read-text-file.ts';
import type { EvidenceKind, ProfileReport, RunTarget, SourcePlace, Verdict } from '../protocol/evidence.ts';
import { withCosts, type Without } from './compare/costs.ts';
import { withCostsOfSuspects, type Suspect } from './compare/suspects.ts';
import { withAttacks } from './evidence/attacks.ts';
import { allThrew, callProblems, fewCallsProblems, firstCallProblems, firstTimes } from './evidence/call-problems.ts';
import { EvidenceCollector } from './evidence/collector.ts';
import { withGrowth, type ScaledInput } from './compare/growth.ts';
import { withoutDataKeys } from './evidence/data-keys.ts';
import { withoutCounts, withRetained } from './evidence/retained.ts';
import { runsPerCall, type RunsPerCall } from './evidence/coverage.ts';
import { requestProblems } from './evidence/requests.ts';
import type { Hypothesis, Run } from './judge/hypothesis.ts';
import { findUnpredicted } from './judge/unpredicted.ts';
import { judge } from './judge/verdict.ts';
import { callsIn, fewestCallsIn, findBlocks, recordsOf, recordsOfPhase, requestsIn, type RunRecord } from './parse/records.ts';
import type { SourceMaps } from './parse/source-maps.ts';
import type { V8LogOptions } from './parse/v8-log.ts';
import type { NodeBinary } from './plan/node-binary.ts';
import type { ModuleFormat } from './plan/module-format.ts';
import type { RetainedPlaces } from './plan/retained.ts';
import type { ClockedCalls } from './plan/timed-calls.ts';
import {
  hidesBehindOsr,
  isAllowed,
  suffixLine,
  type Loading,
  type Replacement,
  type RunKind,
  type ServedProgram,
  type Target,
} from './plan/plan.ts';
import { leftOutProblems, RUN_OF } from './plan/run-kinds.ts';
import {
  BESIDE,
  BESIDE_OF_SLOW_STARTS,
  ENDLESS_MS,
  FIRST,
  LAST,
  phaseOf,
  shareOf,
  startUpLimit,
  callsNeeded,
  type Shared,
  type Situation,
} from './plan/schedule.ts';
import { Deferred } from './run/deferred.ts';
import { FailedRuns } from './run/failed-runs.ts';
import { measureIdle, type Idle } from './evidence/idle-loop.ts';
import { machineOf } from './run/machine.ts';
import { runNode, type Artifacts, type RunOutcome } from './run/run.ts';

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
  /** Calls that no hook sees, to be timed where they stand. */
  clocked?: ClockedCalls;
  /** Places of findings that say something stays, to be counted. */
  retained?: RetainedPlaces;
  /** For all runs together, in ms. */
  budgetMs: number;
  isUserFile: V8LogOptions['isUserFile'];
  isBenign: V8LogOptions['isBenign'];
  env?: Readonly<Record<string, string | undefined>>;
  readOnly?: boolean;
  /** The same calls without what the finding of a hypothesis is about, by its number; undefined where there is no such thing. */
  without?(hypothesis: number): Without | undefined;
  /** The same calls, or a request, with so much more input, where the hypothesis says that the time grows faster than that. */
  scaled?(hypothesis: number, size: number): ScaledInput | undefined;
  /** What no rule reports and may cost time, for what the runs found. @param runs of a place, per round of all calls */
  suspects?(report: ProfileReport, runs: (place: SourcePlace) => number | undefined): readonly Suspect[];
  /** Only these, where not all is asked for. */
  runs?: ReadonlySet<RunKind>;
  /** Where a CPU profile is to be kept; none is taken without it. */
  keepCpuProfile?(path: string): Promise<string>;
  /** Called before each run. */
  progress?(done: number, total: number, kind: RunKind): void;
  signal?: AbortSignal;
  /** ISO 8601, UTC. */
  date: string;
}

export type ProfileOutcome =
  | { ok: true; report: ProfileReport }
  /** `reason` is a sentence for the user. */
  | { ok: false; reason: string; aborted: boolean };

export async function profileFunction(request: ProfileRequest): Promise<ProfileOutcome> {
  const isWanted = (kind: RunKind) => isAllowed(kind, request.node, request.readOnly) && (request.runs?.has(kind) ?? true);
  const wantedOf = (shared: Shared) => shared.map((kinds) => kinds.filter(isWanted)).filter((kinds) => kinds.length > 0);
  const [first, last] = [wantedOf(FIRST), wantedOf(LAST)];
  const beside = (request.program || request.loading ? BESIDE_OF_SLOW_STARTS : BESIDE).map(wantedOf).filter((shared) => shared.length > 0);
  const total = [first, ...beside, last].filter((shared) => shared.length > 0).length;
  const stop = new AbortController();
  const signal = request.signal ? AbortSignal.any([request.signal, stop.signal]) : stop.signal;
  const runs = new FunctionRuns({ ...request, signal });
  let done = 0;
  let fatal: string | undefined;
  const run = async (shared: Shared, hold?: Hold): Promise<void> => {
    if (fatal !== undefined || request.signal?.aborted || shared.length === 0) return;
    const tell = (kinds: Shared) => request.progress?.(done, total, kinds.flat().at(-1) ?? 'time');
    if (!hold || hold.before > 0) tell(shared.slice(0, hold?.before));
    void hold?.turn.then(() => (signal.aborted ? undefined : tell(shared)));
    const why = await runs.run(shared, hold);
    done += 1;
    if (why === undefined || fatal !== undefined) return;
    fatal = why;
    // What would end in the same way need not go on.
    stop.abort();
  };
  const turn = new Deferred<number>();
  let clean: Promise<void> | undefined;
  if (request.program && first.length > 0 && last.length > 0) {
    const isHeld = new Deferred<void>();
    const held = (): void => {
      done += 1;
      isHeld.settle();
    };
    clean = run([...first, ...last], { before: first.length, turn: turn.promise, held });
    await Promise.race([isHeld.promise, clean]);
  } else await run(first);
  const waiting: (() => Promise<void>)[] = [];
  let left = beside.length;
  const finished = (): void => {
    left -= 1;
    if (left <= 0) turn.settle(shareOf(runs.situation));
  };
  if (beside.length === 0) finished();
  waiting.push(...beside.map((shared) => () => run(shared).finally(finished)));
  // What never lets go of the loop has no time per call.
  if (!clean && !runs.isEndless) waiting.push(() => run(last, { before: 0, turn: turn.promise }));
  const lane = async (): Promise<void> => {
    for (let next = waiting.shift(); next; next = waiting.shift()) await next();
  };
  await Promise.all([...Array.from({ length: Math.min(availableParallelism(), BESIDE.length) }, lane), clean]);
  if (request.signal?.aborted) return { ok: false, reason: fatal ?? 'Stopped.', aborted: true };
  const report = runs.report();
  fatal ??= runs.whyNothing(report);
  if (fatal !== undefined) return { ok: false, reason: fatal, aborted: false };
  const costed = await costsOf(report, runs, { ...request, signal }, () => request.progress?.(total, total + 1, 'time'));
  const counted = await retainedOf(costed, { ...request, signal }, () => request.progress?.(total, total + 1, 'retained'));
  const tried = () => request.progress?.(total, total + 1, 'watch');
  const verdicts = await withAttacks(counted.verdicts, { node: request.node, hypotheses: request.hypotheses, signal, progress: tried });
  return request.signal?.aborted ? { ok: false, reason: 'Stopped.', aborted: true } : { ok: true, report: { ...counted, verdicts } };
}

/** What states cost can be measured for calls: of a program's requests there is no version without them. */
async function costsOf(report: ProfileReport, found: FunctionRuns, request: ProfileRequest, began: () => void): Promise<ProfileReport> {
  const { node, target, text, calls, program, format, loading, replacements, env, readOnly, runs, budgetMs, signal, without } = request;
  if (found.isEndless || report.isVain || runs?.has('time') === false) return report;
  const process = { node, file: target.file, text, calls, program, format, loading, replacements };
  const options = { readOnly, env, signal, progress: began };
  // Where no request was answered, longer ones will not be.
  if (program) return request.scaled && report.timing ? withGrowth(report, { process, scaled: request.scaled, budgetMs, options }) : report;
  if (!without) return report;
  const compared = await withCosts(report, { process, without, budgetMs, options });
  const { scaled } = request;
  const costed = scaled ? await withGrowth(compared, { process, scaled, budgetMs, options }) : compared;
  const suspects = request.suspects?.(costed, (place) => found.runsOf(place)) ?? [];
  return withCostsOfSuspects(costed, { process, suspects, budgetMs, options });
}

/** What stays of calls and requests. A program's are varied, where that is known how. */
async function retainedOf(report: ProfileReport, request: ProfileRequest, progress: () => void): Promise<ProfileReport> {
  const { node, target, text, calls, program, format, loading, replacements, env, readOnly, runs, budgetMs, signal, retained } = request;
  if (report.isVain || runs?.has('retained') === false) return report;
  if (!retained) return loading ? withoutCounts(report, request.hypotheses) : report;
  const common = { node, readOnly, replacements };
  const requests = program?.varied ?? program?.requests;
  return withRetained(report, {
    run: program
      ? {
          ...common,
          target: { type: 'file', file: program.entry, arguments: program.arguments ?? [], requests },
          cwd: program.cwd,
          flags: program.flags,
          env: { ...program.env, ...env },
        }
      : { ...common, target: { type: 'function', file: target.file, calls, text, format }, env },
    places: retained,
    budgetMs,
    forms: requests?.length ?? calls.length,
    signal,
    progress,
  });
}

/** A run waits for its turn before one of its phases. */
interface Hold {
  /** The phase, by its number. */
  before: number;
  /** Settles with the share of its time that each phase to come has. */
  turn: Promise<number>;
  /** Called when it waits. */
  held?(): void;
}

class FunctionRuns {
  readonly #request: ProfileRequest;
  readonly #collector: EvidenceCollector;
  readonly #failures = new FailedRuns();
  readonly #calls = new Map<RunKind, number>();
  #leastFeedbackCalls: number | undefined;
  /** Of the run that counts: how often each place ran, per call. */
  #counted: readonly RunRecord[] = [];
  /** ms of each call's first run. */
  #first: readonly (number | undefined)[] = [];
  #isEndless = false;
  #isVain = false;
  #idle: Promise<Idle> | undefined;
  /** Requests, in all runs together. */
  #sent = 0;
  #answered = 0;
  readonly #began = performance.now();
  /** How long the program took until it could be asked, or the module until it was loaded, in ms. */
  #startUpMs = 0;
  readonly #need = new Deferred<number>();
  readonly #wrappersFrom: number;

  constructor(request: ProfileRequest) {
    this.#request = request;
    const { node, target, text, program, loading, readOnly, isUserFile, isBenign, keepCpuProfile } = request;
    this.#collector = new EvidenceCollector(
      {
        subject: program ? 'server' : 'function',
        isUserFile,
        isBenign,
        textOf: (file) => (file === target.file ? text : readOrNothing(file)),
        textOnDisk: readOrNothing,
        isInQuestion: (source) => source === target.file,
        keepCpuProfile,
      },
      leftOutProblems(node, readOnly),
    );
    this.#wrappersFrom = program || loading ? Infinity : suffixLine(text);
  }

  /** Behind the function's file stand the calls, which are not the user's. */
  #isUsers({ file, line }: SourcePlace): boolean {
    return file !== this.#request.target.file || line < this.#wrappersFrom;
  }

  get isEndless(): boolean {
    return this.#isEndless;
  }

  get situation(): Situation {
    const { hypotheses, budgetMs, program, loading } = this.#request;
    return {
      hypotheses,
      budgetMs,
      elapsedMs: performance.now() - this.#began,
      startUpMs: this.#startUpMs,
      hasRequests: program !== undefined,
      isCompiled: loading !== undefined,
      isEndless: this.#isEndless,
    };
  }

  /** Undefined, or why nothing can be found out at all. */
  async run(shared: Shared, hold?: Hold, isFirst = true): Promise<string | undefined> {
    const { node, target, program, loading, replacements, clocked, env, readOnly, signal } = this.#request;
    const kinds = shared.flat();
    const { situation } = this;
    // Who waits is called when its turn comes.
    const share = program && hold ? 1 : shareOf(situation);
    const phases = shared.map((some) => phaseOf(some, share, situation));
    const main = (['watch', 'feedback'] as const).find((kind) => kinds.includes(kind)) ?? kinds[0] ?? 'time';
    const isWatched = new Deferred<void>();
    const over = new AbortController();
    let waitsBefore = 0;
    // Beside the watched loop: what crowds the machine meanwhile crowds both.
    if (program && kinds.includes('watch'))
      this.#idle = measureIdle(node, AbortSignal.any([over.signal, ...(signal ? [signal] : [])]), isWatched.promise);
    const reached = (phase: number, records: readonly RunRecord[]): void => {
      if (shared[phase]?.includes('watch')) isWatched.settle();
      if (phase > 0 && shared[phase - 1]?.includes('counts')) this.#tellNeed(recordsOfPhase(records, phase - 1));
      if (phase === 0) this.#noteStartUp(records);
      if (phase !== hold?.before) return;
      waitsBefore = phase;
      hold.held?.();
    };
    const outcome = await runNode(
      {
        kind: main,
        phases,
        node,
        readOnly,
        replacements,
        loading,
        env: { ...program?.env, ...env },
        flags: program?.flags,
        target: this.#target(),
        cwd: program?.cwd,
        limits: { wallMs: phases.reduce((sum, { measureMs, patienceMs = 0 }) => sum + measureMs + patienceMs, startUpLimit(situation)) },
        holdAt: hold?.before,
        clocked,
        feedbackOf: [target.file],
        endlessMs: kinds.includes('watch') ? ENDLESS_MS : undefined,
        withoutOsr: isFirst && this.#isWithoutOsr(kinds),
      },
      async (artifacts) => {
        this.#noteStartUp(artifacts.records);
        const last = lastPhase(artifacts.records);
        // It waits for a loop that was never watched.
        if (!recordsOf(artifacts.records, 'phase').some(({ phase }) => shared[phase]?.includes('watch'))) over.abort();
        for (const [phase, some] of shared.entries()) {
          for (const kind of some)
            if (phase <= last || kind === 'watch')
              await this.#take(kind, { ...artifacts, records: recordsOfPhase(artifacts.records, phase) });
        }
        return artifacts.records;
      },
      { signal, hold: hold?.turn, reached, need: this.#need.promise },
    );
    over.abort();
    await this.#idle;
    if (outcome.ok) this.#failures.noteWorked();
    return outcome.ok ? undefined : this.#failed(shared, Math.max(waitsBefore, lastPhase(outcome.value ?? [])), outcome, hold, isFirst);
  }

  /** The first one, which had the machine for itself. */
  #noteStartUp(records: readonly RunRecord[]): void {
    if (this.#startUpMs === 0) this.#startUpMs = recordsOf(records, 'loaded')[0]?.ms ?? 0;
  }

  /** How many calls the patient runs need, now that it is known how often each of them comes to the places in question. */
  #tellNeed(records: readonly RunRecord[]): void {
    this.#collector.takeMaps(records);
    const maps = this.#maps(records);
    const perCall = runsPerCall(records, (file) => this.#collector.textOf(file));
    const need = callsNeeded(this.#request.hypotheses, (place) => maps.toCompiled(place).flatMap((one) => perCall(one) ?? []));
    if (need !== undefined) this.#need.settle(need);
  }

  #isWithoutOsr(kinds: readonly RunKind[]): boolean {
    const { node, program } = this.#request;
    return !program && kinds.includes('trace') && hidesBehindOsr(node);
  }

  #target(): Target {
    const {
      target: { file },
      program,
      text,
      calls,
      format,
    } = this.#request;
    return program
      ? { type: 'file', file: program.entry, arguments: program.arguments ?? [], requests: program.requests }
      : { type: 'function', file, calls, text, format };
  }

  /** @param at the phase in which it failed */
  async #failed(
    shared: Shared,
    at: number,
    outcome: RunOutcome<readonly RunRecord[]> & { ok: false },
    hold: Hold | undefined,
    isFirst: boolean,
  ): Promise<string | undefined> {
    const { kind: why, reason } = outcome;
    const isWatched = shared.flat().includes('watch');
    if (why === 'aborted') return reason;
    // These would end every further run in the same way.
    if (why === 'load' || why === 'call' || why === 'not-started' || why === 'replaced' || why === 'internal' || why === 'no-server')
      return reason;
    // A module that works for long while it is loaded needs its loops replaced on the stack.
    if (why === 'time-limit' && isFirst && this.#isWithoutOsr(shared.flat())) return this.run(shared, hold, false);
    // Of what never lets go it is known that it was loaded once.
    if (why === 'time-limit' && !this.#request.program && !this.isEndless && recordsOf(outcome.value ?? [], 'loaded').length === 0)
      return reason;
    // It hung, crashed or ended while it started: so it will again.
    if (this.#request.program && !this.isEndless && recordsOf(outcome.value ?? [], 'listening').length === 0) return reason;
    if (why === 'endless' && isWatched) return undefined;
    // Asking a stuck thread where it is crashes Node now and then (seen on 18 and 20): once more, and it is reported only if it happens
    // again.
    if (why === 'crash' && isWatched && isFirst) return this.run(shared, hold, false);
    // A program that stood still once in a hundred runs, on a crowded machine; what stands still by itself is known from `watch`.
    if (why === 'time-limit' && this.#request.program && isFirst && !this.isEndless) return this.run(shared, hold, false);
    // Of what never comes back there is nothing more to wait for, either.
    if (why === 'pending' && isWatched) this.#isEndless = true;
    if (at > 0) this.#failures.noteWorked();
    this.#failures.note(shared.slice(at).flat(), reason);
    return undefined;
  }

  async #take(kind: RunKind, artifacts: Artifacts): Promise<void> {
    const { target, program, loading } = this.#request;
    const { records } = artifacts;
    this.#calls.set(kind, callsIn(records));
    if (kind === 'feedback') this.#leastFeedbackCalls = fewestCallsIn(records);
    if (!program) this.#first = firstTimes(records, this.#first);
    for (const { sent, answered } of program ? requestsIn(records) : []) {
      this.#sent += sent;
      this.#answered += answered;
    }
    if (kind === 'trace') {
      const problems = [...requestProblems(requestsIn(records)), ...(program ? [] : callProblems(records, target.calls))];
      for (const problem of problems) this.#collector.addProblem(problem);
      this.#isVain = allThrew(records);
    }
    await this.#collector.take(kind, artifacts, kind === 'watch' && program ? (await this.#idle)?.floor : undefined);
    if (kind === 'counts') {
      this.#counted = records;
      this.#tellNeed(records);
    }
    // A program that did not come out of its start-up in time may do so the next time.
    if (kind === 'watch')
      this.#isEndless = findBlocks(records).some(({ endless, startUp }) => endless && !(startUp && (program ?? loading)));
  }

  /** A program may be built: what ran is then made of the target's file, and of others. */
  #maps(counts: readonly RunRecord[]): SourceMaps {
    const { target, program, isUserFile } = this.#request;
    const ran = program
      ? [
          ...recordsOf(counts, 'counts').flatMap((record) => record.files.map(({ file }) => file)),
          ...(this.#collector.log?.tiers ?? []).map(({ place }) => place.file),
        ]
      : [];
    return this.#collector.sourceMaps(ran.filter((file) => file !== target.file && isUserFile(file)));
  }

  /** Why there is nothing to tell, where no run of a function ended well and none measured anything until its end. */
  whyNothing({ blocks, verdicts }: ProfileReport): string | undefined {
    return this.#request.program ||
      blocks.some(({ endless }) => endless) ||
      // A time that was measured is something, even if it leaves the verdict open.
      verdicts.some(({ verdict, cost }) => verdict === 'confirmed' || verdict === 'seen' || cost !== undefined)
      ? undefined
      : this.#failures.whyNone;
  }

  /** Whether requests were answered and none of them reached the function. False where that is not known. */
  #isMissed(maps: SourceMaps, perCall: RunsPerCall): boolean {
    const handler = this.#request.program?.handler;
    if (!handler || !this.#calls.get('counts')) return false;
    const runs = maps.toCompiled(handler).flatMap((one) => perCall(one) ?? []);
    return runs.length > 0 ? runs.every((n) => n === 0) : this.#isUnloaded(handler.file, maps);
  }

  /** The program loaded files, and this one was not among them. */
  #isUnloaded(file: string, maps: SourceMaps): boolean {
    const loaded = recordsOf(this.#counted, 'counts').flatMap((record) =>
      record.files.flatMap((one) => [one.file, ...maps.sourcesOf(one.file)]),
    );
    return loaded.length > 0 && !loaded.includes(file);
  }

  /** How often a place runs per round of all calls; undefined where that is not known. */
  runsOf(place: SourcePlace): number | undefined {
    const perCall = runsPerCall(this.#counted, (file) => this.#collector.textOf(file));
    const runs = this.#maps(this.#counted)
      .toCompiled(place)
      .flatMap((one) => perCall(one) ?? []);
    return runs.length === 0 ? undefined : runs.reduce((sum, n) => sum + n, 0);
  }

  report(): ProfileReport {
    const { node, target, hypotheses, program, date } = this.#request;
    const collector = this.#collector;
    const maps = this.#maps(this.#counted);
    const perCall = runsPerCall(this.#counted, (file) => collector.textOf(file));
    // What another handler answered, or a router that knows no such route, is no time of this function.
    const isMissed = this.#isMissed(maps, perCall);
    const timing = isMissed ? undefined : collector.timing;
    const missed = `No request reached ${target.functionName === undefined ? 'the function' : `\`${target.functionName}\``}${program && this.#isUnloaded(target.file, maps) ? `: \`${basename(program.entry)}\` never loaded its file` : ''}. Its time was not measured.${manyServers(this.#counted)}`;
    // A server that answers nothing has shown nothing, however well its runs ended.
    const failedRuns = this.#sent > 0 && this.#answered === 0 ? 'all' : this.#failures.extent;
    const found = {
      target,
      machine: machineOf(node),
      date,
      calls: this.#calls.get('trace') ?? 0,
      ...(this.#isVain ? { isVain: true as const } : {}),
      ...(failedRuns ? { failedRuns } : {}),
      ...collector.found(maps, (place) => this.#isUsers(place)),
      loopDelay: collector.loopDelay,
      timing,
      cpuProfile: collector.cpuProfile,
      unreadLines: collector.log?.unreadLines ?? 0,
      problems: [
        ...(isMissed ? [missed] : []),
        ...firstCallProblems(this.#first, timing, target.calls),
        ...(program ? [] : fewCallsProblems(timing)),
        ...collector.problems,
        ...this.#failures.problems(),
      ],
    };
    const executions = (place: SourcePlace, kind: EvidenceKind) => {
      const [runs, calls] = [maps.toCompiled(place).flatMap((one) => perCall(one) ?? []), this.#calls.get(RUN_OF[kind])];
      if (runs.length === 0 && isMissed && place.file === target.file) return 0;
      // A run that was cut off before it could count its calls says nothing.
      return runs.length === 0 || !calls ? undefined : Math.round(runs.reduce((sum, n) => sum + n, 0) * calls);
    };
    const run: Run = {
      ...found,
      countedCalls: this.#calls.get('counts'),
      moreThrown: collector.moreThrown,
      heldUp: collector.heldUp(maps),
      unit: this.#request.program ? 'request' : 'call',
      unitNs: timing?.median,
      timedCalls: this.#calls.get('io'),
      watchedCalls: this.#calls.get('watch'),
      leastFeedbackCalls: this.#leastFeedbackCalls,
      throwNs: collector.throwNs,
    };
    const judged = hypotheses.map((hypothesis) => {
      const verdict = judge(hypothesis, run, executions);
      return { hypothesis, verdict: this.#request.loading ? withoutClocks(verdict, hypothesis) : verdict };
    });
    return {
      ...withoutDataKeys(found),
      verdicts: judged.map(({ verdict }) => verdict),
      unpredicted: findUnpredicted({ ...run, cpu: found.cpu, isVain: this.#isVain }, judged),
    };
  }
}

/** The last one that began. */
function lastPhase(records: readonly RunRecord[]): number {
  return recordsOf(records, 'phase').reduce((last, { phase }) => Math.max(last, phase), 0);
}

function readOrNothing(file: string): string | undefined {
  // A program may write a file, load it and take it away again.
  return textOfFile(file, MOST_BYTES.namedSource);
}

/** Which of several servers got the requests, as the end of a text: another one may have the handler. */
function manyServers(records: readonly RunRecord[]): string {
  const ports = new Set(recordsOf(records, 'listening').flatMap(({ port, protocol }) => (protocol === 'tcp' ? [] : [port])));
  return ports.size < 2
    ? ''
    : ` The program has ${ports.size} servers. Each request goes to the first one that knows its path. Profile the function in a program with its server alone.`;
}

const NO_CLOCKS =
  'Clocks cannot be put into code that a loader compiles. If Node can run this code without a loader (22.18 and 23.6 strip types), it can measure the time.';

/** Says why the time of a call is missing. */
function withoutClocks(verdict: Verdict, { call, kinds }: Hypothesis): Verdict {
  const isMissing = verdict.verdict === 'seen' && !verdict.cost && call !== undefined && kinds.includes('runs');
  return isMissing ? { ...verdict, grounds: [...verdict.grounds, NO_CLOCKS] } : verdict;
}
