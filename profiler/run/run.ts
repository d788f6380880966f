// One run: makes the temp folder, starts the child, reads what it wrote, takes everything away again, and says in a sentence what went
// wrong.
import { messageOf } from '../../protocol/unknown-values.ts';
import { existsSync, readdirSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir, totalmem } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { MOST_BYTES, readTextFile, textOfFile } from '../../files/read-text-file.ts';
import { runChild, type CapturedOutput, type ChildEnd } from './child.ts';
import { reasonOf, type FailureKind } from './failure.ts';
import { planRun, type RunRequest } from '../plan/plan.ts';
import { shapeProbeSource } from '../parse/shape-probe.ts';
import { makeOwnFolder } from './run-folder.ts';
import { shownError } from './shown-error.ts';
import { decodeRecords, recordsOf, type RunRecord } from '../parse/records.ts';

/** What a run left in its temp folder; the files are gone when the reader has returned. */
export interface Artifacts {
  /** Absolute. */
  folder: string;
  records: readonly RunRecord[];
  /** Lines of the records that could not be read: more than one mean that the program wrote into them. */
  unreadRecords: number;
  /** V8's logs, one for each isolate of each process. */
  v8Logs: readonly string[];
  cpuProfiles: readonly string[];
  /** Names of what V8 printed of its feedback, one for each process. */
  feedbackFiles: readonly string[];
}

export interface RunFacts {
  stdout: CapturedOutput;
  stderr: CapturedOutput;
  exitCode: number | null;
  /** From its start to its exit, in ms. */
  elapsedMs: number;
  /** `budget`: the harness ended a program that would have gone on. */
  endedBy: 'done' | 'budget' | 'exit' | 'killed';
  /** Processes that the program had started and not ended; they were ended. 0 where the system does not tell. */
  leftBehind: number;
}

export type RunOutcome<Value> =
  | ({ ok: true; value: Value } & RunFacts)
  /**
   * `value` is what the reader made of what there was: evidence survives a kill. Undefined when nothing was started, or nothing is left of
   * what was written.
   */
  | ({ ok: false; kind: FailureKind; reason: string; value: Value | undefined } & RunFacts);

export interface RunOptions {
  /** Stops the run. */
  signal?: AbortSignal;
  /** Folder for temp folders; the system's unless said. */
  tempFolder?: string;
  /**
   * The program is loaded, and from `holdAt` on nothing is measured before this settles. It gives the share of its time that each phase to
   * come has; 1 unless said.
   */
  hold?: Promise<number | void>;
  /**
   * Called when a function that is run, or a program that is asked, begins a phase, or waits for its turn before it; with what was written
   * by then.
   */
  reached?(phase: number, records: readonly RunRecord[]): void;
  /** Settles when it is known how many calls are worth waiting for. */
  need?: Promise<number>;
  /** Unless said, the folder `harness` beside this file. */
  harness?: string;
  /** The host's environment; `process.env` unless said. */
  hostEnv?: Readonly<Record<string, string | undefined>>;
}

const NOTHING: RunFacts = {
  stdout: { text: '', bytes: 0 },
  stderr: { text: '', bytes: 0 },
  exitCode: null,
  elapsedMs: 0,
  endedBy: 'killed',
  leftBehind: 0,
};
const REMOVE_RETRIES = 5;
const REMOVED = 'The temporary folder of the run was removed while the code was running, and with it what had been measured.';

/** Where the harness lies: in `profiler/harness` in the sources, beside the bundle in `dist`. */
export function harnessFolder(): string {
  return fileURLToPath(new URL(import.meta.url.endsWith('.ts') ? '../harness' : './harness', import.meta.url));
}

/**
 * Runs a request to its end, its limit or the abort. Never throws for what the program does; throws what `read` throws.
 * @param read gets what the run left, also after a failure; the files exist only until its promise settles
 */
export async function runNode<Value>(
  request: RunRequest,
  read: (artifacts: Artifacts) => Value | Promise<Value>,
  options: RunOptions = {},
): Promise<RunOutcome<Value>> {
  const failure = (kind: FailureKind, reason: string): RunOutcome<Value> => ({ ok: false, kind, reason, value: undefined, ...NOTHING });
  const complete = await withText(request);
  if (!complete.ok) return failure('load', complete.reason);
  if (options.signal?.aborted) return failure('aborted', 'Stopped before it began.');
  let folder;
  try {
    folder = makeOwnFolder(options.tempFolder ?? tmpdir(), 'run');
  } catch (error) {
    return failure('not-started', `The temporary folder of the run could not be created: ${sentenceOf(error)}.`);
  }
  try {
    const plan = planRun(complete.request, options.hostEnv ?? process.env, {
      folder,
      harness: options.harness ?? harnessFolder(),
      cwd: process.cwd(),
      join,
      dirname,
      delimiter,
    });
    if (!plan.ok) return failure('not-started', plan.reason);
    const { run } = plan;
    const go = join(folder, 'go');
    const hold = options.hold?.then(
      (share) => tell(go, share ?? 1),
      () => tell(go, 1),
    );
    void options.need?.then((calls) => tell(join(folder, 'need'), calls));
    const watch = watchPhases(folder, options.reached);
    const held = hold && request.holdAt ? watch.at(request.holdAt) : undefined;
    await writeFile(run.inputFile, JSON.stringify({ ...run.input, hold: hold && go }));
    if (run.shapeProbe !== undefined) await writeFile(run.shapeProbe, shapeProbeSource());
    const end = await runChild({
      executable: run.executable,
      arguments: run.arguments,
      env: run.env,
      cwd: run.cwd,
      marker: `NODOMETER_RUN=${run.inputFile}`,
      wallMs: run.limits.wallMs,
      outputBytes: run.limits.outputBytes,
      folder: { path: folder, bytes: run.limits.folderBytes },
      ...(process.platform === 'win32' && request.kind === 'feedback' && { outputFile: join(folder, FEEDBACK_ON_WINDOWS) }),
      memoryBytes: Math.min(run.limits.residentMb * MIB, totalmem() * MOST_OF_MACHINE),
      signal: options.signal,
      hold,
      held,
    }).finally(watch.end);
    const isRemoved = !existsSync(folder);
    const artifacts = withShownErrors(collect(folder), complete.request, options.harness ?? harnessFolder());
    const facts: RunFacts = {
      stdout: end.stdout,
      stderr: end.stderr,
      exitCode: end.code,
      elapsedMs: end.elapsedMs,
      endedBy: endedBy(end, artifacts.records),
      leftBehind: end.leftBehind,
    };
    if (isRemoved) return { ok: false, kind: 'folder-removed', reason: REMOVED, value: undefined, ...facts };
    const failed = reasonOf(complete.request, run.limits, end, artifacts.records);
    const value = await read(artifacts);
    return failed ? { ok: false, ...failed, value, ...facts } : { ok: true, value, ...facts };
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
  }
}

/** As a whole, for a child that looks for it; the child, and its folder, may be gone. */
async function tell(path: string, value: number): Promise<void> {
  try {
    await writeFile(`${path}.part`, String(value));
    await rename(`${path}.part`, path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** As `harness/feedback.cjs` has it. */
const FEEDBACK_ON_WINDOWS = 'feedback-0.txt';
const MIB = 1024 * 1024;
/** A run that takes more would have the machine swap, or the system end something. */
const MOST_OF_MACHINE = 0.75;
const PHASE_POLL_MS = 20;

/** Which phases a child has come to. */
function watchPhases(folder: string, reached: RunOptions['reached']): { at(phase: number): Promise<void>; end(): void } {
  const waiting = new Map<number, () => void>();
  let next = 0;
  const poll = setInterval(() => {
    for (; existsSync(join(folder, `reached-${next}`)); next += 1) {
      waiting.get(next)?.();
      if (reached) reached(next, readRecords(folder).records);
    }
  }, PHASE_POLL_MS);
  return {
    at: (phase) =>
      new Promise((resolve) => {
        waiting.set(phase, resolve);
      }),
    end: () => clearInterval(poll),
  };
}

/**
 * Errors behind a program's start-up may quote what a request sent. The calls of a function, and the code that loads it, are the user's.
 */
function withShownErrors(artifacts: Artifacts, { target }: RunRequest, harness: string): Artifacts {
  if (target?.type === 'function') return artifacts;
  const textOf = (file: string) => textOfFile(file, MOST_BYTES.namedSource);
  const isOurs = (file: string) => file.startsWith(harness) || file.startsWith(artifacts.folder);
  const entry = target?.type === 'file' ? target.file : undefined;
  // A server may be asked while others still take it for starting.
  const serving = new Set<number>();
  const records = artifacts.records.map((record) => {
    if (record.type === 'listening') serving.add(record.pid);
    const isQuoting = record.type === 'failure' && (record.stage === 'uncaught' || record.stage === 'rejection' || serving.has(record.pid));
    return isQuoting ? { ...record, error: shownError(record.error, textOf, isOurs, entry) } : record;
  });
  return { ...artifacts, records };
}

/** Nothing of a folder that the program has removed. */
function unlessRemoved<Entry>(list: () => Entry[]): Entry[] {
  try {
    return list();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return [];
  }
}

function readRecords(folder: string): { records: RunRecord[]; unread: number } {
  const decoded = unlessRemoved(() => readdirSync(folder))
    .sort()
    .filter((name) => /^records-.*\.jsonl$/.test(name))
    .map((name) => decodeRecords(textOfFile(join(folder, name), MOST_BYTES.runs) ?? ''));
  return { records: decoded.flatMap(({ records }) => records), unread: decoded.reduce((sum, { unread }) => sum + unread, 0) };
}

/** The target's text, read once here, so that what runs is what is exposed. */
async function withText(request: RunRequest): Promise<{ ok: true; request: RunRequest } | { ok: false; reason: string }> {
  const { target } = request;
  if (target?.type !== 'function' || target.text !== undefined || request.kind === 'idle') return { ok: true, request };
  const reading = readTextFile(target.file, MOST_BYTES.namedSource);
  if (reading.ok) return { ok: true, request: { ...request, target: { ...target, text: reading.text } } };
  return { ok: false, reason: `${target.file} ${reading.problem === 'missing' ? 'does not exist' : reading.why}.` };
}

function collect(folder: string): Artifacts {
  // The program may have put anything there: a pipe with the name of a log would be waited for.
  const names = unlessRemoved(() => readdirSync(folder, { withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .sort();
  const inFolder = (pattern: RegExp): string[] => names.filter((name) => pattern.test(name)).map((name) => join(folder, name));
  const { records, unread } = readRecords(folder);
  return {
    folder,
    records,
    unreadRecords: unread,
    v8Logs: inFolder(/^v8-.*\.log$/),
    cpuProfiles: inFolder(/\.cpuprofile$/),
    feedbackFiles: names.filter((name) => /^feedback-\d+\.txt$/.test(name)),
  };
}

function endedBy({ cause }: ChildEnd, records: readonly RunRecord[]): RunFacts['endedBy'] {
  if (cause !== 'exit') return 'killed';
  const ends = recordsOf(records, 'ended').map(({ by }) => by);
  return ends.includes('done') ? 'done' : ends.includes('budget') ? 'budget' : ends.includes('endless') ? 'killed' : 'exit';
}

function sentenceOf(error: unknown): string {
  return messageOf(error).replace(/\.$/, '');
}
