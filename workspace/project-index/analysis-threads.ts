// Analyses many files: on this thread, and on others beside it where that is worth their start. Whoever is free takes the next files.
import { Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { AnyRule } from '../../analysis/rule.ts';
import type { FileAnalysis } from '../../analysis/run/run.ts';
import { limitFor, QUICK_LIMIT_MS, withinTimeUnlessStopped } from '../time-limit.ts';
import type { Turns } from '../turns.ts';
import { SlowFiles } from './slow-files.ts';
import { read, requestOf, summaryOf, written, type AnalyzedText, type AnalysisTask } from './file-analysis.ts';

export interface Analyzed {
  analysis: FileAnalysis;
  /** Undefined where it was worked out on this thread and nobody has written it down yet. */
  text?: AnalyzedText;
}

export interface AnalyzeRequest {
  rules: readonly AnyRule[];
  turns: Turns;
  /** Threads in all, this one included. */
  threads: number;
  /** Script of a further thread; without it there is only this one. */
  entry?: URL;
  /** Whether what is worked out on this thread is to be written down, too. */
  isWritten?: boolean;
  /** What slow files have left on this thread. */
  slow?: SlowFiles;
  progress(done: number): void;
  log(message: string): void;
}

/** Projects and settings are the same for whole folders: each is sent once. */
export interface ThreadTask extends Omit<AnalysisTask, 'project' | 'settings'> {
  project: number;
  settings: number;
}

export interface ThreadBatch {
  first: number;
  tasks: readonly ThreadTask[];
  /** Those that the thread has not seen, with the numbers after those that it has. */
  projects: readonly AnalysisTask['project'][];
  settings: readonly AnalysisTask['settings'][];
}

export interface ThreadAnswer {
  first: number;
  texts: readonly AnalyzedText[];
}

/** Of a text, in characters: V8's compiled code takes 40 ms for a dense one, and 170 ms before it is compiled. */
const LONG = 20_000;
/** By then nearly every long file is done, in ms. */
const LONG_LIMIT_MS = 1000;
/** A thread loads Babel and the rules first, about as long as this many files take. */
export const LEAST_FOR_THREADS = 60;
/** Few enough that all threads end together, enough that messages cost nothing. */
const BATCH = 12;
/** At the end each thread takes this part of its share of what is left, so that none waits long for another's last files. */
const LAST_PARTS = 4;
/** In flight for each thread: one that it works on, and one that it need not wait for while this thread is busy. */
const AHEAD = 2;

/**
 * In the order of the tasks. A thread that fails costs time only: its files are analyzed here. `given`: threads that were started before it
 * was known what there is to do, and that the caller ends.
 */
export async function analyzeAll(
  tasks: readonly AnalysisTask[],
  request: AnalyzeRequest,
  given?: readonly HelperThread[],
): Promise<Analyzed[]> {
  const helpers = given ?? startHelpers(tasks.length, request);
  const { rules, turns, threads, progress, isWritten, slow = new SlowFiles() } = request;
  const done = new Array<Analyzed | undefined>(tasks.length);
  let next = 0;
  let finished = 0;
  const take = (): { first: number; end: number } | undefined => {
    if (next >= tasks.length) return undefined;
    const first = next;
    const size = helpers.length === 0 ? BATCH : Math.min(BATCH, Math.ceil((tasks.length - next) / (threads * LAST_PARTS)));
    next = Math.min(tasks.length, first + size);
    return { first, end: next };
  };
  const keep = (index: number, analysis: FileAnalysis): void => {
    done[index] = { analysis, ...(isWritten ? { text: written(analysis) } : {}) };
    finished++;
  };
  /** Files that take longer than anyone waits after Ctrl-C, with what is known of them: they come last, one by one. */
  const late = new Map<number, FileAnalysis>();
  const here = async (index: number): Promise<void> => {
    const task = tasks[index];
    if (!task || done[index] || late.has(index)) return;
    const limit = firstLimit(task);
    // What Ctrl-C ends needs a turn before.
    if (limit > QUICK_LIMIT_MS) await turns.turn();
    const known = slow.look(requestOf(task, rules), limit, limit > QUICK_LIMIT_MS ? withinTimeUnlessStopped : undefined);
    if (known.issue?.tookTooLong) late.set(index, known);
    else keep(index, known);
  };
  try {
    const helped = helpers.map((helper) =>
      helper.work({
        tasks,
        take,
        done: (first, texts) =>
          texts.forEach((text, i) => {
            done[first + i] = { analysis: { ...read(text.result), summary: summaryOf(text.summary) }, text };
            finished++;
          }),
      }),
    );
    for (let batch = take(); batch; batch = take()) {
      for (let i = batch.first; i < batch.end; i++) {
        await here(i);
        if (await turns.take()) progress(finished);
      }
    }
    // Each of their files has a time limit of its own, which is longer than anyone waits after Ctrl-C.
    await turns.unlessStopped(Promise.all(helped));
  } finally {
    if (!given) stopAll(helpers);
  }
  // What a thread took and never gave back.
  for (let i = 0; i < tasks.length; i++) {
    await here(i);
    if (await turns.take()) progress(finished);
  }
  for (const [index, known] of late) {
    await turns.turn();
    const task = tasks[index] as AnalysisTask;
    const hadAll = slow.isUsedUp && slow.limitFor(task.text, firstLimit(task)) < firstLimit(task);
    const last = hadAll ? known : slow.analyze(requestOf(task, rules), limitFor(task.text), withinTimeUnlessStopped);
    keep(index, slow.leftOut(last));
  }
  progress(finished);
  return done as Analyzed[];
}

function firstLimit({ text }: AnalysisTask): number {
  return text.length > LONG ? LONG_LIMIT_MS : QUICK_LIMIT_MS;
}

/** None where they would cost more than they save. */
export function startHelpers(files: number, { entry, threads, log }: Pick<AnalyzeRequest, 'entry' | 'threads' | 'log'>): HelperThread[] {
  return entry && files >= LEAST_FOR_THREADS ? Array.from({ length: threads - 1 }, () => new HelperThread(entry, log)) : [];
}

/** Nobody waits for it: their heaps are taken down while this thread goes on. */
export function stopAll(helpers: readonly HelperThread[]): void {
  for (const helper of helpers) void helper.stop();
}

interface HelperWork {
  tasks: readonly AnalysisTask[];
  take(): { first: number; end: number } | undefined;
  done(first: number, texts: readonly AnalyzedText[]): void;
}

/** Loads as soon as it is made; keeps no process alive until it is given work. */
export class HelperThread {
  readonly #worker: Worker;
  readonly #projects = new Map<object, number>();
  readonly #settings = new Map<object, number>();
  readonly #exited: Promise<void>;
  #hasEnded = false;
  #inFlight = 0;
  #work: HelperWork | undefined;
  #end: () => void = () => undefined;

  constructor(entry: URL, log: (message: string) => void) {
    this.#worker = new Worker(entry, { name: 'nodometer analysis' });
    this.#worker.unref();
    this.#worker.on('message', ({ first, texts }: ThreadAnswer) => {
      this.#inFlight--;
      this.#work?.done(first, texts);
      this.#fill();
    });
    this.#worker.on('error', (error) => {
      log(`An analysis thread failed; its files are analyzed again: ${error.stack ?? error.message}`);
      this.#ended();
    });
    this.#exited = new Promise((resolve) =>
      this.#worker.once('exit', () => {
        this.#ended();
        resolve();
      }),
    );
  }

  /** Settles when the thread has nothing more to do, or has died. */
  work(work: HelperWork): Promise<void> {
    if (this.#hasEnded) return Promise.resolve();
    this.#work = work;
    this.#worker.ref();
    return new Promise((resolve) => {
      this.#end = resolve;
      this.#fill();
    });
  }

  async stop(): Promise<void> {
    this.#work = undefined;
    await this.#worker.terminate();
    await this.#exited;
  }

  #ended(): void {
    this.#hasEnded = true;
    this.#end();
  }

  #fill(): void {
    const { tasks, take } = this.#work ?? {};
    if (!tasks || !take) return;
    while (this.#inFlight < AHEAD) {
      const batch = take();
      if (!batch) break;
      this.#inFlight++;
      this.#worker.postMessage(this.#batchOf(tasks, batch.first, batch.end));
    }
    if (this.#inFlight === 0) this.#end();
  }

  #batchOf(all: readonly AnalysisTask[], first: number, end: number): ThreadBatch {
    const projects: AnalysisTask['project'][] = [];
    const settings: AnalysisTask['settings'][] = [];
    const tasks = all.slice(first, end).map(
      (task): ThreadTask => ({
        ...task,
        project: numberOf(task.project, this.#projects, projects),
        settings: numberOf(task.settings, this.#settings, settings),
      }),
    );
    return { first, tasks, projects, settings };
  }
}

function numberOf<T extends object>(value: T, known: Map<object, number>, unsent: T[]): number {
  let number = known.get(value);
  if (number === undefined) {
    known.set(value, (number = known.size));
    unsent.push(value);
  }
  return number;
}

/** The other side: answers batches until the thread is ended. */
export function answerBatches(port: MessagePort, rules: readonly AnyRule[], slow = new SlowFiles()): void {
  const projects: AnalysisTask['project'][] = [];
  const settings: AnalysisTask['settings'][] = [];
  port.on('message', (batch: ThreadBatch) => {
    projects.push(...batch.projects);
    settings.push(...batch.settings);
    const texts = batch.tasks.map((task) => {
      const project = projects[task.project];
      const own = settings[task.settings];
      if (!project || !own) throw new Error(`the thread was not told what holds for ${task.file}`);
      return written(slow.leftOut(slow.analyze(requestOf({ ...task, project, settings: own }, rules), limitFor(task.text))));
    });
    port.postMessage({ first: batch.first, texts } satisfies ThreadAnswer);
  });
}
