// Analyses many files: on this thread, and on others beside it where that is worth their start. Whoever is free takes the next files.
import { Worker } from 'node:worker_threads';
import type { MessagePort } from 'node:worker_threads';
import type { AnyRule } from '../../analysis/rule.ts';
import type { FileAnalysis } from '../../analysis/run.ts';
import type { Turns } from '../turns.ts';
import { analyseFile, read, requestOf, summaryOf, written, type AnalysedText, type AnalysisTask } from './file-analysis.ts';

export interface Analysed {
  analysis: FileAnalysis;
  /** Undefined where it was worked out on this thread and nobody has written it down yet. */
  text?: AnalysedText;
}

export interface AnalyseRequest {
  rules: readonly AnyRule[];
  turns: Turns;
  /** Threads in all, this one included. */
  threads: number;
  /** Script of a further thread; without it there is only this one. */
  entry?: URL;
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
  texts: readonly AnalysedText[];
}

/** A thread loads Babel and the rules first, about as long as this many files take. */
const LEAST_FOR_THREADS = 60;
/** Few enough that all threads end together, enough that messages cost nothing. */
const BATCH = 12;
/** In flight for each thread: one that it works on, and one that it need not wait for while this thread is busy. */
const AHEAD = 2;

/** In the order of the tasks. A thread that fails costs time only: its files are analysed here. */
export async function analyseAll(tasks: readonly AnalysisTask[], request: AnalyseRequest): Promise<Analysed[]> {
  const { rules, turns, threads, entry, progress, log } = request;
  const done = new Array<Analysed | undefined>(tasks.length);
  let next = 0;
  let finished = 0;
  const take = (): { first: number; end: number } | undefined => {
    if (next >= tasks.length) return undefined;
    const first = next;
    next = Math.min(tasks.length, first + BATCH);
    return { first, end: next };
  };
  const here = (index: number): void => {
    const task = tasks[index];
    if (!task || done[index]) return;
    done[index] = { analysis: analyseFile(requestOf(task, rules)) };
    finished++;
  };
  const helpers = entry && tasks.length >= LEAST_FOR_THREADS ? Array.from({ length: threads - 1 }, () => new Helper({ entry, tasks, take, log, done: (first, texts) => texts.forEach((text, i) => {
    done[first + i] = { analysis: { ...read(text.result), summary: summaryOf(text.summary) }, text };
    finished++;
  }) })) : [];
  try {
    for (let batch = take(); batch; batch = take()) {
      for (let i = batch.first; i < batch.end; i++) {
        here(i);
        if (await turns.take()) progress(finished);
      }
    }
    await Promise.all(helpers.map((helper) => helper.finished));
  } finally {
    await Promise.all(helpers.map((helper) => helper.stop()));
  }
  // What a thread took and never gave back.
  for (let i = 0; i < tasks.length; i++) {
    here(i);
    if (await turns.take()) progress(finished);
  }
  progress(finished);
  return done as Analysed[];
}

interface HelperRequest {
  entry: URL;
  tasks: readonly AnalysisTask[];
  take(): { first: number; end: number } | undefined;
  done(first: number, texts: readonly AnalysedText[]): void;
  log(message: string): void;
}

class Helper {
  /** Settles when it has nothing more to do, or has died. */
  readonly finished: Promise<void>;
  readonly #request: HelperRequest;
  readonly #worker: Worker;
  readonly #projects = new Map<object, number>();
  readonly #settings = new Map<object, number>();
  readonly #exited: Promise<void>;
  #inFlight = 0;
  #end: () => void = () => undefined;

  constructor(request: HelperRequest) {
    this.#request = request;
    this.finished = new Promise((resolve) => {
      this.#end = resolve;
    });
    this.#worker = new Worker(request.entry, { name: 'nodometer analysis' });
    this.#worker.on('message', ({ first, texts }: ThreadAnswer) => {
      this.#inFlight--;
      request.done(first, texts);
      this.#fill();
    });
    this.#worker.on('error', (error) => {
      request.log(`A thread failed, its files are read again: ${error.stack ?? error.message}`);
      this.#end();
    });
    this.#exited = new Promise((resolve) => this.#worker.once('exit', () => {
      this.#end();
      resolve();
    }));
    this.#fill();
  }

  async stop(): Promise<void> {
    await this.#worker.terminate();
    await this.#exited;
  }

  #fill(): void {
    while (this.#inFlight < AHEAD) {
      const batch = this.#request.take();
      if (!batch) break;
      this.#inFlight++;
      this.#worker.postMessage(this.#batchOf(batch.first, batch.end));
    }
    if (this.#inFlight === 0) this.#end();
  }

  #batchOf(first: number, end: number): ThreadBatch {
    const projects: AnalysisTask['project'][] = [];
    const settings: AnalysisTask['settings'][] = [];
    const tasks = this.#request.tasks.slice(first, end).map((task): ThreadTask => ({ ...task, project: numberOf(task.project, this.#projects, projects), settings: numberOf(task.settings, this.#settings, settings) }));
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
export function answerBatches(port: MessagePort, rules: readonly AnyRule[]): void {
  const projects: AnalysisTask['project'][] = [];
  const settings: AnalysisTask['settings'][] = [];
  port.on('message', (batch: ThreadBatch) => {
    projects.push(...batch.projects);
    settings.push(...batch.settings);
    const texts = batch.tasks.map((task) => {
      const project = projects[task.project];
      const own = settings[task.settings];
      if (!project || !own) throw new Error(`the thread was not told what holds for ${task.file}`);
      return written(analyseFile(requestOf({ ...task, project, settings: own }, rules)));
    });
    port.postMessage({ first: batch.first, texts } satisfies ThreadAnswer);
  });
}
