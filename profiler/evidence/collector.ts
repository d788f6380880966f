// What the runs of one profile found, by kind of evidence. The same collector serves a function, a server under requests, and a whole
// program with all its processes.
import { join, sep } from 'node:path';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import type {
  CpuShares,
  DeoptGroup,
  ExceptionGroup,
  LoopBlock,
  LoopDelay,
  ProfileReport,
  SourcePlace,
  SyncCall,
  TierEvent,
  Timing,
} from '../../protocol/evidence.ts';
import type { ThrowNs } from '../judge/hypothesis.ts';
import { changedSentence, findBuilt } from '../parse/built-files.ts';
import { cpuShares, withoutForeign } from '../parse/cpu-profile.ts';
import { toFilePath } from '../parse/escapes.ts';
import { readFeedback } from '../parse/feedback.ts';
import { readV8Logs } from '../parse/merge-logs.ts';
import { mainProfile, recordsOf, type RunRecord } from '../parse/records.ts';
import { SourceMaps, type CompiledFile } from '../parse/source-maps.ts';
import type { V8Log, V8LogOptions } from '../parse/v8-log.ts';
import type { RunKind } from '../plan/plan.ts';
import { INVALID_URL } from '../judge/loop-time.ts';
import { loopDelayOf } from './idle-loop.ts';
import { harnessFolder, type Artifacts } from '../run/run.ts';
import { shownMessage } from '../run/shown-error.ts';
import { blocksOf, heldUpOf } from './blocks.ts';
import { withoutConcatenations } from './concatenations.ts';
import type { CountRecord } from './coverage.ts';
import { atSourcePlaces, framesAtSource } from './mapped-report.ts';
import { withoutMisplaced } from './misplaced-caches.ts';
import { exceptionsOf, syncCallsOf } from './processes.ts';
import { throwNsOf, timingOf } from './timing.ts';

/**
 * - `function`: calls of one function, in one process.
 * - `server`: a program that answers requests. What its first process does is measured once it listens.
 * - `program`: a program from start to end, with all processes that it starts.
 */
export type Subject = 'function' | 'server' | 'program';

export interface CollectorOptions {
  subject: Subject;
  isUserFile: V8LogOptions['isUserFile'];
  isBenign: V8LogOptions['isBenign'];
  /** A file's text as it is run, unless it is compiled while it is loaded; undefined where it cannot be read. */
  textOf(file: string): string | undefined;
  /** A file's text on the disk. */
  textOnDisk(file: string): string | undefined;
  /** Whether the user hears that a build of this source is outdated. */
  isInQuestion(source: string): boolean;
  /** Where a CPU profile is to be kept. */
  keepCpuProfile?(path: string): Promise<string>;
}

type Found = Pick<
  ProfileReport,
  'tiers' | 'deopts' | 'inlineCaches' | 'mapEvents' | 'feedback' | 'elements' | 'syncCalls' | 'exceptions' | 'blocks' | 'cpu'
>;

export class EvidenceCollector {
  readonly #options: CollectorOptions;
  readonly #problems: string[];
  /** Files that run as another text than the one on the disk, and said how it was made. */
  readonly #compiled = new Map<string, CompiledFile>();
  #log: V8Log | undefined;
  #feedback: Pick<ProfileReport, 'feedback' | 'elements'> = {};
  #counts: readonly CountRecord[] = [];
  #syncCalls: readonly SyncCall[] = [];
  #exceptions: readonly ExceptionGroup[] = [];
  #moreThrown = false;
  #blocks: readonly (LoopBlock & { startUp: boolean })[] = [];
  #heldUp: readonly LoopBlock[] = [];
  #loopDelay: LoopDelay | undefined;
  #timing: Timing | undefined;
  #throwNs: ThrowNs | undefined;
  #cpu: CpuShares | undefined;
  #cpuProfile: string | undefined;

  /** @param problems known before the first run, as sentences */
  constructor(options: CollectorOptions, problems: readonly string[]) {
    this.#options = options;
    this.#problems = [...problems];
  }

  get log(): V8Log | undefined {
    return this.#log;
  }

  get counts(): readonly CountRecord[] {
    return this.#counts;
  }

  get blocks(): readonly (LoopBlock & { startUp: boolean })[] {
    return this.#blocks;
  }

  get loopDelay(): LoopDelay | undefined {
    return this.#loopDelay;
  }

  get timing(): Timing | undefined {
    return this.#timing;
  }

  /** What one Error takes. */
  get throwNs(): ThrowNs | undefined {
    return this.#throwNs;
  }

  get cpuProfile(): string | undefined {
    return this.#cpuProfile;
  }

  /** Counting exceptions stopped before the run did. */
  get moreThrown(): boolean {
    return this.#moreThrown;
  }

  get problems(): readonly string[] {
    return this.#problems;
  }

  get isEmpty(): boolean {
    return this.#log === undefined && this.#counts.length === 0 && !this.#cpu && !this.#loopDelay && this.#blocks.length === 0;
  }

  /** Adds a sentence for the user, once. */
  addProblem(problem: string): void {
    if (!this.#problems.includes(problem)) this.#problems.push(problem);
  }

  /** The text that ran. */
  textOf(file: string): string | undefined {
    return this.#compiled.get(file)?.text ?? this.#options.textOf(file);
  }

  /** @param idleFloor p99 of an idle loop beside it, in ms, for the kind `watch` */
  async take(kind: RunKind, artifacts: Artifacts, idleFloor?: number): Promise<void> {
    const { records } = artifacts;
    for (const { text } of recordsOf(records, 'problem')) this.addProblem(text);
    this.takeMaps(records);
    if (kind === 'trace') await this.#takeLogs(artifacts);
    else if (kind === 'feedback') await this.#takeFeedback(artifacts);
    else if (kind === 'counts') this.#takeCounts(artifacts);
    else if (kind === 'io') this.#syncCalls = syncCallsOf(records);
    else if (kind === 'exceptions') this.#takeExceptions(records);
    else if (kind === 'watch') this.#takeBlocks(artifacts, idleFloor);
    else if (kind === 'time') [this.#timing, this.#throwNs] = [timingOf(records), throwNsOf(records)];
    else if (kind === 'cpu') await this.#takeCpuProfiles(artifacts);
  }

  /** A build has put its map into its output; the output on the disk is what ran. Only what was compiled on loading is taken from a run. */
  takeMaps(records: readonly RunRecord[]): void {
    for (const one of recordsOf(records, 'source-map'))
      if (this.#options.isUserFile(one.file) && this.#options.textOnDisk(one.file) !== one.text) this.#compiled.set(one.file, one);
  }

  async #takeLogs({ folder, v8Logs }: Artifacts): Promise<void> {
    const { isBenign } = this.#options;
    this.#log = await readV8Logs(v8Logs, { isUserFile: (file) => this.#isUsers(file, folder), isBenign });
    if (!this.#log) this.addProblem('V8 wrote no log.');
  }

  /**
   * What a trace without on-stack replacement has and the usual one lacks: deoptimizations, and the tiers of functions that were never
   * optimized by themselves.
   */
  async takeHiddenDeopts({ folder, v8Logs }: Artifacts): Promise<void> {
    const { isBenign } = this.#options;
    const hidden = await readV8Logs(v8Logs, { isUserFile: (file) => this.#isUsers(file, folder), isBenign });
    const known = this.#log;
    if (!hidden || !known) return;
    const isKnown = ({ place, reason }: DeoptGroup): boolean =>
      known.deopts.some((one) => one.reason === reason && isSamePlace(one.place, place));
    const deopts = hidden.deopts.filter((one) => !one.benign && !isKnown(one));
    // A function that only ever ran inside of a loop's code has no tiers of its own there.
    const isOptimized = ({ place }: TierEvent): boolean =>
      known.tiers.some((one) => !one.inlinedInto && (one.tier === 'maglev' || one.tier === 'turbofan') && isSamePlace(one.place, place));
    const tiers = hidden.tiers.filter((one) => !one.inlinedInto && !isOptimized(one));
    const withoutThose = known.tiers.filter((event) => event.inlinedInto || !tiers.some((one) => isSamePlace(one.place, event.place)));
    this.#log = { ...known, deopts: [...known.deopts, ...deopts], tiers: [...withoutThose, ...tiers].sort((x, y) => x.at - y.at) };
  }

  #takeExceptions(records: readonly RunRecord[]): void {
    const { thrown, capped } = exceptionsOf(records);
    // A message may quote what a request sent. Reports are kept, exported, and shown to others; the place says which error it is.
    const { subject } = this.#options;
    const shown = ({ message, place }: ExceptionGroup): string => {
      if (subject === 'server') return message === INVALID_URL ? message : '';
      return subject === 'program' ? shownMessage(message, [this.textOf(place.file) ?? '']) : message;
    };
    this.#exceptions = thrown.map((group) => ({ ...group, message: shown(group) }));
    this.#moreThrown = capped;
  }

  async #takeFeedback({ folder, feedbackFiles: [file] }: Artifacts): Promise<void> {
    const { isUserFile } = this.#options;
    if (file !== undefined) this.#feedback = await readFeedback(join(folder, file), { isUserFile, toFilePath });
  }

  #takeCounts({ folder, records }: Artifacts): void {
    this.#counts = recordsOf(records, 'counts').map((record) => ({
      ...record,
      files: record.files.filter(({ file }) => this.#isUsers(file, folder)),
    }));
  }

  #takeBlocks({ folder, records }: Artifacts, idleFloor: number | undefined): void {
    const { subject } = this.#options;
    const blocks = blocksOf(records, subject === 'server');
    // While a program starts, its packages block, too.
    const isOfUsers = ({ startUp, stack }: (typeof blocks)[number]): boolean =>
      subject !== 'program' || !startUp || stack.length === 0 || stack.some(({ file }) => this.#isUsers(file, folder));
    this.#blocks = blocks.filter(isOfUsers);
    this.#heldUp = heldUpOf(records);
    if (subject !== 'function') this.#loopDelay = loopDelayOf(records, idleFloor);
  }

  async #takeCpuProfiles({ folder, records, cpuProfiles }: Artifacts): Promise<void> {
    const { subject, keepCpuProfile } = this.#options;
    const main = mainProfile(cpuProfiles, records);
    const taken = subject === 'program' ? cpuProfiles : main === undefined ? [] : [main];
    if (taken.length === 0) this.addProblem('No CPU profile was recorded.');
    const texts = taken.flatMap((path) => textOfFile(path, MOST_BYTES.runs) ?? []);
    this.#cpu = cpuShares(
      texts,
      (file) => this.#isUsers(file, folder),
      (file) => file.startsWith(folder) || file.startsWith(`${harnessFolder()}${sep}`),
    );
    if (main !== undefined) this.#cpuProfile = await keepCpuProfile?.(main);
  }

  /** The harness's own files lie in the run's folder. */
  #isUsers(file: string, runFolder: string): boolean {
    return !file.startsWith(runFolder) && this.#options.isUserFile(file);
  }

  /** The sources of what ran: `files` may be built of others, and that is looked for on the disk. */
  sourceMaps(files: readonly string[]): SourceMaps {
    const { textOf, isUserFile, isInQuestion } = this.#options;
    const stale: string[] = [];
    const changed = new Set<string>();
    for (const file of new Set(files)) {
      const text = this.#compiled.has(file) ? undefined : textOf(file);
      const built = text === undefined ? undefined : findBuilt(file, text, isUserFile);
      if (built?.ok) this.#compiled.set(file, built.compiled);
      const outdated = built?.ok === false ? built.changed.filter(isInQuestion) : [];
      if (outdated.length > 0) stale.push(file);
      for (const one of outdated) changed.add(one);
    }
    if (stale.length > 0) this.addProblem(changedSentence(stale, [...changed]));
    return new SourceMaps([...this.#compiled.values()], textOf);
  }

  /** Pauses of the loop that other programs may have caused, at the places of the sources. */
  heldUp(maps: SourceMaps): LoopBlock[] {
    return this.#heldUp.map((block) => ({ ...block, stack: framesAtSource(block.stack, maps) }));
  }

  /**
   * Everything at the places of the sources. @param isPlaced whether a place of what ran is the user's own code, and where V8 says it is
   */
  found(maps: SourceMaps, isPlaced: (place: SourcePlace) => boolean): Found {
    const placed = <T extends { place: SourcePlace }>(list: readonly T[] = []): T[] => list.filter(({ place }) => isPlaced(place));
    const { feedback, elements } = this.#feedback;
    const log = this.#log;
    const cpu = this.#cpu;
    return atSourcePlaces(
      {
        tiers: placed(log?.tiers),
        deopts: placed(log?.deopts),
        inlineCaches: withoutMisplaced(placed(log?.inlineCaches), (file) => this.textOf(file)),
        mapEvents: placed(log?.mapEvents),
        ...(feedback && { feedback: withoutConcatenations(placed(feedback), (file) => this.textOf(file)) }),
        ...(elements && { elements: placed(elements) }),
        syncCalls: placed(this.#syncCalls),
        exceptions: placed(this.#exceptions),
        blocks: this.#blocks.map(({ startUp: _, ...block }) => block),
        // What hands a function its calls is no work of the program's.
        cpu: cpu && withoutForeign(cpu, isPlaced, this.#options.subject === 'function'),
      },
      maps,
    );
  }
}

function isSamePlace(a: SourcePlace, b: SourcePlace): boolean {
  return a.file === b.file && a.line === b.line && a.column === b.column;
}
