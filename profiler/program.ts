// Profiles a whole program, a file or an npm script with all Node processes that it starts: one run for each kind of evidence, one report.
import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import type {
  CpuShares,
  ExceptionGroup,
  LoopBlock,
  LoopDelay,
  ProfileReport,
  RunTarget,
  SourcePlace,
  SyncCall,
  Verdict,
} from '../protocol/evidence.ts';
import { blocksOf, withoutStage } from './evidence/blocks.ts';
import { changedSentence, findBuilt } from './parse/built-files.ts';
import { runsAt, type CountRecord, type RunsPerCall } from './evidence/coverage.ts';
import { KIND_WORDS, leftOutProblems, RUN_OF } from './plan/run-kinds.ts';
import { loopDelayOf, measureIdleFloor } from './run/idle-loop.ts';
import { machineOf } from './run/machine.ts';
import { atSourcePlaces } from './evidence/mapped-report.ts';
import { withoutMisplaced } from './evidence/misplaced-caches.ts';
import type { NodeBinary } from './plan/node-binary.ts';
import { cpuShares } from './parse/cpu-profile.ts';
import { readV8Logs } from './parse/merge-logs.ts';
import type { V8Log, V8LogOptions } from './parse/v8-log.ts';
import { isAllowed, type RunKind, type Target } from './plan/plan.ts';
import type { ProfileOutcome } from './profile.ts';
import { mainProfile, recordsOf, type RunRecord } from './parse/records.ts';
import { runNode, type Artifacts, type RunOutcome } from './run/run.ts';
import { SourceMaps, type CompiledFile } from './parse/source-maps.ts';
import { amount, judge, type Hypothesis, type Run } from './judge/verdict.ts';
import type { EvidenceKind } from '../protocol/evidence.ts';

export interface ProgramRequest {
  node: NodeBinary;
  target: Target & { type: 'file' | 'command' };
  /** As the report names it. */
  told: RunTarget;
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
  /** Told before each run. */
  progress?(done: number, total: number, kind: RunKind): void;
  signal?: AbortSignal;
  /** ISO 8601, UTC. */
  date: string;
}

/**
 * The two that survive a kill come first: when both of them had to be killed, the program never lets go, and nothing would come of the
 * others.
 */
const KINDS: readonly RunKind[] = ['watch', 'trace', 'counts', 'io', 'exceptions', 'cpu'];
/** What starting Node, ending the program and reading the results may take on top, in ms. */
const START_UP_MS = 10_000;
/** The same where the program has shown that it may never end, in ms. */
const STUCK_MORE_MS = 5000;
/** In these runs what happens while the program is loaded counts, too. */
const FROM_THE_START: ReadonlySet<RunKind> = new Set(['trace', 'exceptions']);

export async function profileProgram(request: ProgramRequest): Promise<ProfileOutcome> {
  const collected = new Collected(request);
  for (const [i, kind] of KINDS.entries()) {
    if (request.signal?.aborted) return { ok: false, reason: 'Stopped.', aborted: true };
    if (collected.isEndless) break;
    if (!isAllowed(kind, request.node, request.readOnly)) continue;
    request.progress?.(i, KINDS.length, kind);
    const fatal = await collected.run(kind);
    if (fatal !== undefined) return { ok: false, reason: fatal, aborted: request.signal?.aborted === true };
  }
  if (collected.isEmpty)
    return { ok: false, reason: collected.failures()[0] ?? 'None of the runs produced readable results.', aborted: false };
  return { ok: true, report: await collected.report() };
}

class Collected {
  readonly #request: ProgramRequest;
  readonly #problems: string[];
  /** What went wrong, as a sentence, and in which runs. */
  readonly #failures = new Map<string, RunKind[]>();
  #counts: readonly CountRecord[] = [];
  /** Files that were compiled while they were loaded, and said how. */
  readonly #loaded = new Map<string, CompiledFile>();
  /** Files whose text in memory is another than on the disk, and nobody knows how it came about: V8's places are not the source's. */
  #unknown: ReadonlySet<string> = new Set();
  #log: V8Log | undefined;
  #processes = 0;
  #exitCode: number | null = null;
  #isTraceKilled = false;
  #syncCalls: SyncCall[] = [];
  #exceptions: ExceptionGroup[] = [];
  #moreThrown = false;
  #blocks: LoopBlock[] = [];
  #loopDelay: LoopDelay | undefined;
  #cpu: CpuShares | undefined;
  #cpuProfile: string | undefined;

  constructor(request: ProgramRequest) {
    this.#request = request;
    this.#problems = leftOutProblems(request.node, request.readOnly);
  }

  get isEndless(): boolean {
    return this.#isStuck && this.#isTraceKilled;
  }

  /** Its loop did not turn in all of its time. It may have waited for another program that was slow. */
  get #isStuck(): boolean {
    return this.#blocks.some(({ endless }) => endless);
  }

  get isEmpty(): boolean {
    return this.#log === undefined && this.#counts.length === 0 && !this.#cpu && !this.#loopDelay && this.#blocks.length === 0;
  }

  /** Undefined, or why nothing can be found out at all. */
  async run(kind: RunKind, isFirst = true): Promise<string | undefined> {
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
      },
      async (artifacts) => {
        await this.#take(kind, artifacts);
        return artifacts.records;
      },
      { signal },
    );
    if (kind === 'trace') this.#exitCode = outcome.endedBy === 'budget' ? null : outcome.exitCode;
    if (!outcome.ok) return this.#failed(kind, outcome, isFirst);
    if (outcome.endedBy === 'exit' && outcome.exitCode !== 0 && outcome.exitCode !== null)
      this.#fail(`The program exited with code ${outcome.exitCode}${lastWords(outcome.stderr.text)}.`, kind);
    return undefined;
  }

  async #failed(
    kind: RunKind,
    { kind: why, reason, value = [], stderr }: RunOutcome<readonly RunRecord[]> & { ok: false },
    isFirst: boolean,
  ): Promise<string | undefined> {
    if (why === 'aborted') return reason;
    if (why === 'not-started' || why === 'internal')
      return `${reason.replace(/\.$/, '')}${reason.includes(': ') ? '' : lastWords(stderr.text)}.`;
    if (why === 'endless' && kind === 'watch') return undefined;
    // Asking a stuck thread where it is crashes Node now and then (seen on 18 and 20): once more, and it is told only if it happens again.
    if (why === 'crash' && kind === 'watch' && isFirst) return this.run(kind, false);
    const thrown = recordsOf(value, 'failure')[0]?.error;
    // It never came to run, and so it will be in every further run.
    if (why === 'load' && thrown && NEVER_RAN.test(thrown.code ?? thrown.type))
      return reason.replace('The module could not', 'The program cannot');
    if (kind === 'trace' && why === 'time-limit') this.#isTraceKilled = true;
    // That is known by now.
    if (this.isEndless) return undefined;
    this.#fail(
      thrown && (why === 'load' || why === 'uncaught')
        ? `An uncaught error ended the program: ${thrown.type}: ${firstLine(thrown.message)}.`
        : reason,
      kind,
    );
    return undefined;
  }

  #fail(reason: string, kind: RunKind): void {
    this.#failures.set(reason, [...(this.#failures.get(reason) ?? []), kind]);
  }

  /** Sentences. */
  failures(): string[] {
    return [...this.#failures].map(([reason, kinds]) =>
      kinds.length > 1 ? reason : `While measuring ${kinds.map((kind) => KIND_WORDS[kind]).join()}: ${reason}`,
    );
  }

  #tell(problem: string): void {
    if (!this.#problems.includes(problem)) this.#problems.push(problem);
  }

  async #take(kind: RunKind, { folder, records, v8Logs, cpuProfiles }: Artifacts): Promise<void> {
    const { isUserFile, isBenign, textOf, keepCpuProfile } = this.#request;
    const isOurs = (file: string): boolean => !file.startsWith(folder) && isUserFile(file);
    for (const { text } of recordsOf(records, 'problem')) this.#tell(text);
    // What a build has put its map into stands on the disk as it ran.
    for (const one of recordsOf(records, 'source-map'))
      if (isOurs(one.file) && textOf(one.file) !== one.text) this.#loaded.set(one.file, one);
    if (kind === 'counts') {
      this.#counts = recordsOf(records, 'counts').map((record) => ({ ...record, files: record.files.filter(({ file }) => isOurs(file)) }));
    } else if (kind === 'trace') {
      this.#processes = recordsOf(records, 'started').length;
      this.#log = await readV8Logs(v8Logs, { isUserFile: isOurs, isBenign });
      if (!this.#log) this.#tell('V8 wrote no log.');
    } else if (kind === 'io') this.#syncCalls = joinCalls(recordsOf(records, 'sync-calls')).filter(({ place }) => isOurs(place.file));
    else if (kind === 'exceptions') {
      this.#exceptions = joinExceptions(recordsOf(records, 'exceptions')).filter(({ place }) => isOurs(place.file));
      this.#moreThrown = recordsOf(records, 'exceptions').some(({ capped }) => capped);
      if (this.#moreThrown)
        this.#tell('So many exceptions were thrown that counting stopped before the program ended. The actual numbers are higher.');
    } else if (kind === 'watch') {
      this.#blocks = blocksOf(records)
        .filter(({ startUp, stack }) => !startUp || stack.length === 0 || stack.some(({ file }) => isOurs(file)))
        .map(withoutStage);
      this.#loopDelay = loopDelayOf(records, await measureIdleFloor(this.#request.node, this.#request.signal));
    } else if (kind === 'cpu') {
      this.#cpu = cpuShares(await Promise.all(cpuProfiles.map((path) => readFile(path, 'utf8'))), isOurs);
      const main = mainProfile(cpuProfiles, records);
      if (main !== undefined && keepCpuProfile) this.#cpuProfile = await keepCpuProfile(main);
    }
  }

  #isPlaced({ file }: SourcePlace): boolean {
    return this.#request.isUserFile(file) && !this.#unknown.has(file);
  }

  /** The user's scripts by what they are made of. */
  #mapsOf(scripts: readonly string[]): SourceMaps {
    const { isUserFile, textOf } = this.#request;
    const built: CompiledFile[] = [];
    const stale: string[] = [];
    const changed = new Set<string>();
    for (const file of scripts) {
      const text = this.#loaded.has(file) || this.#unknown.has(file) ? undefined : textOf(file);
      const found = text === undefined ? undefined : findBuilt(file, text, isUserFile);
      if (found?.ok) built.push(found.compiled);
      else if (found) {
        stale.push(file);
        for (const one of found.changed) changed.add(one);
      }
    }
    if (stale.length > 0) this.#tell(changedSentence(stale, [...changed]));
    return new SourceMaps([...this.#loaded.values(), ...built], textOf);
  }

  async report(): Promise<ProfileReport> {
    const { node, told, command, hypothesesFor, isUserFile, date } = this.#request;
    const log = this.#log;
    const textOf = (file: string) => this.#loaded.get(file)?.text ?? this.#request.textOf(file);
    this.#unknown = compiledFiles(this.#counts, textOf);
    // What had to be killed was not counted, and is in V8's log.
    const ran = [
      ...this.#counts.flatMap((record) => record.files.map(({ file }) => file)),
      ...(log?.tiers ?? []).map(({ place }) => place.file),
      ...this.#blocks.flatMap(({ stack }) => stack.map(({ file }) => file)),
    ];
    const scripts = [...new Set(ran)].filter((file) => this.#isPlaced({ file, line: 1, column: 1 }));
    const maps = this.#mapsOf(scripts);
    const files = [...new Set(scripts.flatMap((file) => maps.sourcesOf(file)))].sort();
    const ofUsers = <T extends { place: SourcePlace }>(list: readonly T[] | undefined): T[] =>
      (list ?? []).filter(({ place }) => this.#isPlaced(place));
    const placed = atSourcePlaces(
      {
        tiers: ofUsers(log?.tiers),
        deopts: ofUsers(log?.deopts),
        inlineCaches: withoutMisplaced(ofUsers(log?.inlineCaches), textOf),
        mapEvents: ofUsers(log?.mapEvents),
        syncCalls: ofUsers(this.#syncCalls),
        exceptions: ofUsers(this.#exceptions),
        blocks: this.#blocks,
        cpu: this.#cpu && {
          ...this.#cpu,
          functions: ofUsers(this.#cpu.functions),
          lines: this.#cpu.lines.filter(({ file }) => this.#isPlaced({ file, line: 1, column: 1 })),
        },
      },
      maps,
    );
    const { cpu, inlineCaches: caches, ...rest } = placed;
    const found: Run & Omit<ProfileReport, 'verdicts' | 'problems'> = {
      target: told,
      machine: machineOf(node),
      date,
      calls: 1,
      ...rest,
      inlineCaches: caches,
      blocks: this.isEndless ? placed.blocks : placed.blocks.map((block) => ({ ...block, endless: false })),
      loopDelay: this.#loopDelay,
      cpuProfile: this.#cpuProfile,
      unreadLines: log?.unreadLines ?? 0,
    };
    const atSource =
      (runs: RunsPerCall): RunsPerCall =>
      (place) => {
        const counts = maps.toCompiled(place).flatMap((one) => runs(one) ?? []);
        return counts.length === 0 ? undefined : counts.reduce((sum, n) => sum + n, 0);
      };
    const inAll = atSource(runsAt(this.#counts, textOf));
    const after = atSource(
      runsAt(
        this.#counts.filter(({ startUp }) => !startUp),
        textOf,
      ),
    );
    const executions = (place: SourcePlace, kind: EvidenceKind): number | undefined =>
      FROM_THE_START.has(RUN_OF[kind]) ? inAll(place) : inAll(place) === undefined ? undefined : (after(place) ?? 0);
    const verdicts = (await hypothesesFor(files)).map((hypothesis) =>
      inWords(judge(hypothesis, { ...found, moreThrown: this.#moreThrown }, executions), inAll, node),
    );
    if (this.#unknown.size > 0) this.#tell(compiledSentence([...this.#unknown]));
    const elsewhere = (log?.deopts ?? []).filter(({ place }) => !isUserFile(place.file)).length;
    return {
      ...found,
      inlineCaches: caches.filter(({ state }) => state === 'polymorphic' || state === 'megamorphic'),
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
      verdicts,
      problems: [...this.#problems, ...this.failures()],
    };
  }
}

/** What was not reached is another matter in a program than in calls that were chosen. */
function inWords(verdict: Verdict, inAll: RunsPerCall, node: NodeBinary): Verdict {
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
    : { ...verdict, grounds: ['This run of the program did not reach this code.'] };
}

const TYPED = /\.[cm]?ts$/;
/** Node puts this behind a text whose types it has blanked out in place (seen on Node 22, 24 and 26). */
const STRIPPED_MORE: readonly ((file: string) => string)[] = [
  (file) => `\n\n//# sourceURL=${file}`,
  (file) => `\n\n//# sourceURL=${pathToFileURL(file).href}`,
];

/** The outermost range of a script tells how long its text was when it ran. */
function compiledFiles(counts: readonly CountRecord[], textOf: (file: string) => string | undefined): Set<string> {
  const lengths = new Map<string, number>();
  for (const { file, functions } of counts.flatMap((record) => record.files)) {
    for (const {
      ranges: [whole],
    } of functions)
      if (whole?.start === 0) lengths.set(file, Math.max(lengths.get(file) ?? 0, whole.end));
  }
  return new Set(
    [...lengths]
      .filter(([file, length]) => {
        const text = textOf(file);
        if (text === undefined) return true;
        // Loaders take a byte order mark away.
        const own = text.replace(/^\uFEFF/, '').length;
        return length !== own && !(TYPED.test(file) && STRIPPED_MORE.some((more) => length === own + more(file).length));
      })
      .map(([file]) => file),
  );
}

const MOST_NAMED = 3;

function compiledSentence(files: readonly string[]): string {
  const named = files.slice(0, MOST_NAMED).join(', ');
  const more = files.length > MOST_NAMED ? ` and ${files.length - MOST_NAMED} more` : '';
  return `${named}${more} ${files.length === 1 ? 'was' : 'were'} compiled while loading, and the code that ran differs from the source. V8 data for ${files.length === 1 ? 'it' : 'them'} cannot be mapped to source locations and is omitted.`;
}

/** The last record of each process counts. */
function lastOfEach<T extends { pid: number }>(records: readonly T[]): T[] {
  return [...new Map(records.map((record) => [record.pid, record])).values()];
}

function joinCalls(records: readonly (RunRecord & { type: 'sync-calls' })[]): SyncCall[] {
  const calls = new Map<string, SyncCall>();
  for (const { name, place, count, totalMs, maxMs } of lastOfEach(records).flatMap((record) => record.calls)) {
    if (!place) continue;
    const key = JSON.stringify([name, place]);
    const known = calls.get(key);
    calls.set(
      key,
      known
        ? { ...known, count: known.count + count, totalMs: known.totalMs + totalMs, maxMs: Math.max(known.maxMs, maxMs) }
        : { name, place, count, totalMs, maxMs },
    );
  }
  return [...calls.values()].sort((a, b) => b.totalMs - a.totalMs);
}

function joinExceptions(records: readonly (RunRecord & { type: 'exceptions' })[]): ExceptionGroup[] {
  const groups = new Map<string, ExceptionGroup>();
  for (const group of lastOfEach(records).flatMap((record) => record.thrown)) {
    const key = JSON.stringify([group.type, group.place]);
    const known = groups.get(key);
    groups.set(key, known ? { ...known, thrown: known.thrown + group.thrown } : group);
  }
  return [...groups.values()].sort((a, b) => b.thrown - a.thrown);
}

/** What no second try changes. */
const NEVER_RAN =
  /^(?:SyntaxError|(?:ERR_)?MODULE_NOT_FOUND|ERR_UNKNOWN_FILE_EXTENSION|ERR_UNSUPPORTED_|ERR_REQUIRE_ESM|ERR_INVALID_TYPESCRIPT_SYNTAX)/;
const MOST_CHARACTERS = 200;

function firstLine(text: string): string {
  return (text.split('\n')[0] ?? '').slice(0, MOST_CHARACTERS).replace(/\.$/, '');
}

/** What it said of an error, if it did. */
function lastWords(stderr: string): string {
  const line = stderr
    .split('\n')
    .map((one) => one.trim())
    .find((one) => /^\w*Error\b/.test(one));
  return line === undefined ? '' : `: ${line.slice(0, MOST_CHARACTERS).replace(/\.$/, '')}`;
}
