// Profiles a whole program, a file or an npm script with all Node processes that it starts: one run for each kind of evidence, one report.
import type { EvidenceKind, MOST_PROGRAM_RUNS, ProfileReport, RunTarget, SourcePlace, Verdict } from '../protocol/evidence.ts';
import { withAttacks } from './evidence/attacks.ts';
import { compiledFiles, compiledSentence } from './evidence/changed-on-load.ts';
import { EvidenceCollector } from './evidence/collector.ts';
import { withoutDataKeys } from './evidence/data-keys.ts';
import { runsAt, type RunsPerCall } from './evidence/coverage.ts';
import type { Hypothesis, Run } from './judge/hypothesis.ts';
import { findUnpredicted } from './judge/unpredicted.ts';
import { judge } from './judge/verdict.ts';
import { amount } from './judge/words.ts';
import { recordsOf, type RunRecord } from './parse/records.ts';
import type { V8LogOptions } from './parse/v8-log.ts';
import type { NodeBinary } from './plan/node-binary.ts';
import { hidesBehindOsr, isAllowed, type RunKind, type Target } from './plan/plan.ts';
import { leftOutProblems, RUN_OF } from './plan/run-kinds.ts';
import type { ProfileOutcome } from './profile.ts';
import { lastWords, loaderRemedy, packageRemedy } from './run/failure.ts';
import { FailedRuns } from './run/failed-runs.ts';
import { measureIdle, type Idle } from './evidence/idle-loop.ts';
import { machineOf } from './run/machine.ts';
import { firstSentence } from './run/shown-error.ts';
import { runNode, type Artifacts, type RunOutcome } from './run/run.ts';

export interface ProgramProfileRequest {
  node: NodeBinary;
  target: Target & { type: 'file' | 'command' };
  /** As the report names it. */
  reported: RunTarget;
  /** As a person writes it. */
  command: string;
  cwd: string;
  env?: Readonly<Record<string, string | undefined>>;
  /** For each of the runs, in ms; a program that ends earlier ends its run. */
  runMs: number;
  isUserFile: V8LogOptions['isUserFile'];
  isBenign: V8LogOptions['isBenign'];
  /** Text of a user's file, undefined where it cannot be read. */
  textOf(file: string): string | undefined;
  /** The claims about these files. */
  hypothesesFor(files: readonly string[]): readonly Hypothesis[] | Promise<readonly Hypothesis[]>;
  /** Where the CPU profile of the program's first process is to be kept. */
  keepCpuProfile?(path: string): Promise<string>;
  readOnly?: boolean;
  /** Called before each run. */
  progress?(done: number, total: number, kind: RunKind): void;
  signal?: AbortSignal;
  /** ISO 8601, UTC. */
  date: string;
}

/**
 * The two that survive a kill come first: when both of them had to be killed, the program never lets go, and nothing would come of the
 * others.
 */
const RUNS: readonly ProgramRun[] & { readonly length: typeof MOST_PROGRAM_RUNS } = [
  { kind: 'watch' },
  { kind: 'trace' },
  { kind: 'trace', withoutOsr: true },
  { kind: 'counts' },
  { kind: 'io' },
  { kind: 'exceptions' },
  { kind: 'cpu' },
];

interface ProgramRun {
  kind: RunKind;
  /** Only for deoptimizations that on-stack replacement hides on this Node. */
  withoutOsr?: true;
}

/** What starting Node, ending the program and reading the results may take on top, in ms. */
const START_UP_MS = 10_000;
/** What a program printed of an error is held against so many of its files. */
const MOST_SOURCES = 20;
/** The same where the program has shown that it may never end, in ms. */
const STUCK_MORE_MS = 5000;
/** In these runs what happens while the program is loaded counts, too. */
const FROM_THE_START: ReadonlySet<RunKind> = new Set(['trace', 'exceptions']);

export async function profileProgram(request: ProgramProfileRequest): Promise<ProfileOutcome> {
  const runs = new ProgramRuns(request);
  const wanted = RUNS.filter(
    ({ kind, withoutOsr }) => isAllowed(kind, request.node, request.readOnly) && (!withoutOsr || hidesBehindOsr(request.node)),
  );
  for (const [i, one] of wanted.entries()) {
    if (request.signal?.aborted) return { ok: false, reason: 'Stopped.', aborted: true };
    if (runs.isEndless) break;
    request.progress?.(i, wanted.length, one.kind);
    const fatal = await runs.run(one);
    if (fatal !== undefined) return { ok: false, reason: fatal, aborted: request.signal?.aborted === true };
  }
  const { whyNothing } = runs;
  if (whyNothing !== undefined) return { ok: false, reason: whyNothing, aborted: false };
  return { ok: true, report: await runs.report() };
}

class ProgramRuns {
  readonly #request: ProgramProfileRequest;
  readonly #collector: EvidenceCollector;
  readonly #failures = new FailedRuns();
  /** Files whose text in memory is another than on the disk, and nobody knows how it came about: V8's places are not the source's. */
  #unknown: ReadonlySet<string> = new Set();
  #processes = 0;
  /** A process without any work: what is held against it. */
  #idle: Idle = {};
  #exitCode: number | null = null;
  #isTraceKilled = false;

  constructor(request: ProgramProfileRequest) {
    this.#request = request;
    const { node, readOnly, isUserFile, isBenign, textOf, keepCpuProfile } = request;
    this.#collector = new EvidenceCollector(
      { subject: 'program', isUserFile, isBenign, textOf, textOnDisk: textOf, isInQuestion: () => true, keepCpuProfile },
      leftOutProblems(node, readOnly),
    );
  }

  get isEndless(): boolean {
    return this.#isStuck && this.#isTraceKilled;
  }

  /** Its loop did not turn in all of its time. It may have waited for another program that was slow. */
  get #isStuck(): boolean {
    return this.#collector.blocks.some(({ endless }) => endless);
  }

  /** Texts of the program's code, as far as it is known where it ran. */
  get #sources(): string[] {
    const { target } = this.#request;
    const ran = this.#collector.counts.flatMap((record) => record.files.map(({ file }) => file));
    return [...new Set([...(target.type === 'file' ? [target.file] : []), ...ran])]
      .slice(0, MOST_SOURCES)
      .flatMap((file) => this.#collector.textOf(file) ?? []);
  }

  /** Why there is nothing to tell, as a sentence. */
  get whyNothing(): string | undefined {
    return this.#collector.isEmpty ? (this.#failures.endings()[0] ?? 'None of the runs produced readable results.') : undefined;
  }

  /** Undefined, or why nothing can be found out at all. */
  async run(one: ProgramRun, isFirst = true): Promise<string | undefined> {
    const { kind, withoutOsr } = one;
    const { node, target, cwd, env, readOnly, runMs, signal } = this.#request;
    const outcome = await runNode(
      // A program may wait for another for seconds (`spawnSync`): only one that never turns its loop in all of its time is endless.
      {
        kind,
        node,
        target,
        cwd,
        env,
        readOnly,
        limits: { wallMs: runMs + (this.#isStuck ? STUCK_MORE_MS : START_UP_MS), measureMs: runMs },
        endlessMs: kind === 'watch' ? runMs : undefined,
        withoutOsr,
      },
      async (artifacts) => {
        await (withoutOsr ? this.#collector.takeHiddenDeopts(artifacts) : this.#take(kind, artifacts));
        return artifacts.records;
      },
      { signal },
    );
    if (kind === 'trace' && !withoutOsr) this.#exitCode = outcome.endedBy === 'budget' ? null : outcome.exitCode;
    // What it is there for is known from the other trace, as far as it is not hidden.
    if (withoutOsr) return outcome.ok || outcome.kind !== 'aborted' ? undefined : outcome.reason;
    if (!outcome.ok) return this.#failed(one, outcome, isFirst);
    if (outcome.endedBy === 'exit' && outcome.exitCode !== 0 && outcome.exitCode !== null)
      this.#failures.note([kind], `The program exited with code ${outcome.exitCode}${lastWords(outcome.stderr.text, this.#sources)}.`);
    return undefined;
  }

  async #failed(
    one: ProgramRun,
    { kind: why, reason, value = [], stderr }: RunOutcome<readonly RunRecord[]> & { ok: false },
    isFirst: boolean,
  ): Promise<string | undefined> {
    const { kind } = one;
    if (why === 'aborted') return reason;
    if (why === 'not-started' || why === 'internal')
      return `${reason.replace(/\.$/, '')}${reason.includes(': ') ? '' : lastWords(stderr.text)}.`;
    if (why === 'endless' && kind === 'watch') return undefined;
    // Asking a stuck thread where it is crashes Node now and then (seen on 18 and 20): once more, and it is reported only if it happens
    // again.
    if (why === 'crash' && kind === 'watch' && isFirst) return this.run(one, false);
    const thrown = recordsOf(value, 'failure')[0]?.error;
    // It never came to run, and so it will be in every further run.
    const { node, target } = this.#request;
    const remedy = thrown && target.type === 'file' ? loaderRemedy(target.file, thrown, node.version) : '';
    if (thrown && remedy !== '') return `The program did not start: ${thrown.type}: ${firstLine(thrown.message)}.${remedy}`;
    if (why === 'load' && thrown && NEVER_RAN.test(thrown.code ?? thrown.type))
      return reason.replace('The module could not', 'The program cannot');
    if (kind === 'trace' && why === 'time-limit') this.#isTraceKilled = true;
    // That is known by now.
    if (this.isEndless) return undefined;
    this.#failures.note(
      [kind],
      thrown && (why === 'load' || why === 'uncaught')
        ? `An uncaught error ended the program: ${thrown.type}: ${firstLine(thrown.message)}.${packageRemedy(thrown)}`
        : reason,
    );
    return undefined;
  }

  async #take(kind: RunKind, artifacts: Artifacts): Promise<void> {
    const { node, signal } = this.#request;
    if (kind === 'watch') this.#idle = await measureIdle(node, signal);
    await this.#collector.take(kind, artifacts, this.#idle.floor);
    if (kind === 'trace') this.#processes = recordsOf(artifacts.records, 'started').length;
    if (kind === 'exceptions' && this.#collector.moreThrown)
      this.#collector.addProblem(
        'So many exceptions were thrown that counting them stopped before the program ended. Those listed are the first ones.',
      );
  }

  #isPlaced({ file }: SourcePlace): boolean {
    return this.#request.isUserFile(file) && !this.#unknown.has(file);
  }

  async report(): Promise<ProfileReport> {
    const { node, reported, command, hypothesesFor, isUserFile, date, signal } = this.#request;
    const collector = this.#collector;
    const { log, counts } = collector;
    const textOf = (file: string) => collector.textOf(file);
    this.#unknown = compiledFiles(counts, textOf);
    // What had to be killed was not counted, and is in V8's log.
    const ran = [
      ...counts.flatMap((record) => record.files.map(({ file }) => file)),
      ...(log?.tiers ?? []).map(({ place }) => place.file),
      ...collector.blocks.flatMap(({ stack }) => stack.map(({ file }) => file)),
    ];
    const scripts = [...new Set(ran)].filter((file) => this.#isPlaced({ file, line: 1, column: 1 }));
    const maps = collector.sourceMaps(scripts);
    const files = [...new Set(scripts.flatMap((file) => maps.sourcesOf(file)))].sort();
    const placed = collector.found(maps, (place) => this.#isPlaced(place));
    const { cpu, inlineCaches: caches, ...rest } = placed;
    const found: Omit<ProfileReport, 'verdicts' | 'problems'> = {
      target: reported,
      machine: machineOf(node),
      date,
      calls: 1,
      ...rest,
      inlineCaches: caches,
      blocks: this.isEndless
        ? placed.blocks
        : placed.blocks.map((block) => (block.endless ? { ...block, endless: false, isCut: true } : block)),
      loopDelay: collector.loopDelay,
      cpuProfile: collector.cpuProfile,
      unreadLines: log?.unreadLines ?? 0,
    };
    const run: Run = {
      ...found,
      moreThrown: collector.moreThrown,
      heldUp: collector.heldUp(maps),
      unit: 'run',
      ...(cpu && { unitNs: cpu.busyMs * NS_PER_MS }),
      timedCalls: 1,
      throwNs: this.#idle.throwNs,
    };
    const atSource =
      (runs: RunsPerCall): RunsPerCall =>
      (place) => {
        const counts = maps.toCompiled(place).flatMap((one) => runs(one) ?? []);
        return counts.length === 0 ? undefined : counts.reduce((sum, n) => sum + n, 0);
      };
    const inAll = atSource(runsAt(counts, textOf));
    const after = atSource(
      runsAt(
        counts.filter(({ startUp }) => !startUp),
        textOf,
      ),
    );
    const executions = (place: SourcePlace, kind: EvidenceKind): number | undefined =>
      FROM_THE_START.has(RUN_OF[kind]) ? inAll(place) : inAll(place) === undefined ? undefined : (after(place) ?? 0);
    const judged = (await hypothesesFor(files)).map((hypothesis) => ({
      hypothesis,
      verdict: inWords(
        judge(hypothesis, run, (place, kind) => (ABOUT_START.has(hypothesis.ruleId) ? inAll(place) : executions(place, kind))),
        inAll,
        node,
        collector.problems.some((text) => text.startsWith(THREADS)),
      ),
    }));
    if (this.#unknown.size > 0) collector.addProblem(compiledSentence([...this.#unknown]));
    const elsewhere = (log?.deopts ?? []).filter(({ place }) => !isUserFile(place.file)).length;
    const shown = withoutDataKeys(found);
    return {
      ...shown,
      inlineCaches: shown.inlineCaches.filter(({ state }) => state === 'polymorphic' || state === 'megamorphic'),
      program: {
        command,
        exitCode: this.#exitCode,
        processes: this.#processes,
        files,
        monomorphic: caches.filter(({ state }) => state === 'monomorphic').length,
        aside: {
          packageDeopts: (log?.packageDeopts ?? 0) + elsewhere,
          coreDeopts: log?.coreDeopts ?? 0,
          cacheLines: log?.foreignCacheLines ?? 0,
        },
        ...(cpu ? { cpu } : {}),
      },
      verdicts: await withAttacks(
        judged.map(({ verdict }) => verdict),
        { node, hypotheses: judged.map(({ hypothesis }) => hypothesis), signal },
      ),
      unpredicted: findUnpredicted({ ...run, cpu }, judged),
      problems: [...collector.problems, ...this.#failures.endings()],
    };
  }
}

/** What was not reached is another matter in a program than in calls that were chosen. */
function inWords(verdict: Verdict, inAll: RunsPerCall, node: NodeBinary, hasThreads: boolean): Verdict {
  if (verdict.verdict !== 'not-reached') return verdict;
  const runs = inAll(verdict.place) ?? 0;
  return runs > 0
    ? {
        ...verdict,
        figure: 'ran only during startup',
        grounds: [
          `It ran ${runs === 1 ? 'once' : `${amount(runs)} times`} while the program was loading, which delays no request, and never again (Node ${node.version}).`,
        ],
      }
    : {
        ...verdict,
        grounds: [
          hasThreads
            ? 'The main thread did not reach this code. Whether a worker thread did was not measured.'
            : 'This run of the program did not reach this code.',
        ],
      };
}

const NS_PER_MS = 1e6;
/** How `harness/threads.cjs` begins what it says of them. */
const THREADS = 'Worker threads were started';
/** What they warn of happens while the program starts, or is made there and then works for each request, as parsers of bodies. */
const ABOUT_START: ReadonlySet<string> = new Set(['no-late-threadpool-size', 'no-unbounded-json']);

/** What no second try changes. */
const NEVER_RAN =
  /^(?:SyntaxError|(?:ERR_)?MODULE_NOT_FOUND|ERR_UNKNOWN_FILE_EXTENSION|ERR_UNSUPPORTED_|ERR_REQUIRE_ESM|ERR_INVALID_TYPESCRIPT_SYNTAX)/;
const MOST_CHARACTERS = 200;

function firstLine(text: string): string {
  return firstSentence(text).slice(0, MOST_CHARACTERS).replace(/\.$/, '');
}
