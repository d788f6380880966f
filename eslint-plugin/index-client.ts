// Asks the thread with the index, and waits for it: the rules of ESLint cannot wait for promises.
import { messageOf } from '../protocol/unknown-values.ts';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { MessageChannel, receiveMessageOnPort, Worker, type MessagePort } from 'node:worker_threads';
import type { Answer, Ended, Question, ThreadData } from './questions.ts';

/** After a thread that did not answer, for so many ms no other is started: an editor tries again, a build ends. */
const REST_MS = 5 * 60_000;

const THREAD = 'eslint-thread.js';

/** The folder of the package `nodometer`; undefined where it is not installed. */
export function findEngine(): string | undefined {
  try {
    return join(dirname(createRequire(import.meta.url).resolve('nodometer/package.json')), 'dist');
  } catch {
    // What is missing is told with the first file.
    return undefined;
  }
}

interface Thread {
  worker: Worker;
  port: MessagePort;
  flag: Int32Array;
}

export class IndexClient {
  readonly #engine: string | undefined;
  #thread: Thread | undefined;
  #failure: string | undefined;
  #restUntil = 0;
  #id = 0;

  /** `engine`: the built code of the package `nodometer`. */
  constructor(engine: string | undefined) {
    this.#engine = engine;
  }

  /** Never throws. Waits `limit` ms at most. */
  ask(question: Omit<Question, 'id'>, limit: number): Omit<Answer, 'id'> {
    const thread = this.#started();
    if (typeof thread === 'string') return { found: [], problem: { message: thread } };
    const { port, flag } = thread;
    const id = ++this.#id;
    Atomics.store(flag, 0, 0);
    port.postMessage({ ...question, id } satisfies Question);
    const end = performance.now() + limit;
    for (let left = limit; left > 0; left = end - performance.now()) {
      Atomics.wait(flag, 0, 0, left);
      Atomics.store(flag, 0, 0);
      for (let got = receiveMessageOnPort(port); got; got = receiveMessageOnPort(port)) {
        const answer = got.message as Answer | Ended;
        if ('ended' in answer) return { found: [], problem: { message: this.#end(`The analysis ended: ${answer.ended}.`) } };
        if (answer.id === id) return answer;
      }
    }
    const seconds = limit / 1000;
    return {
      found: [],
      problem: {
        message: this.#end(
          `The project was not analyzed within ${seconds} s, so findings are missing. Run \`npx nodometer lint\`, which keeps its analysis for ESLint, or set \`settings.nodometer.timeLimit\` to more than ${seconds}.`,
        ),
      },
    };
  }

  /** A thread, or why there is none. */
  #started(): Thread | string {
    if (this.#thread) return this.#thread;
    if (this.#failure !== undefined && performance.now() < this.#restUntil) return this.#failure;
    const path = this.#engine === undefined ? undefined : join(this.#engine, THREAD);
    if (path === undefined || !existsSync(path))
      return 'The package `nodometer` is missing, or has another version than `eslint-plugin-nodometer`. Install both again.';
    try {
      return (this.#thread = this.#start(path));
    } catch (error) {
      return this.#end(`The analysis could not be started: ${messageOf(error)}`);
    }
  }

  #start(path: string): Thread {
    const { port1: port, port2 } = new MessageChannel();
    const signal = new SharedArrayBuffer(4);
    const worker = new Worker(pathToFileURL(path), {
      name: 'nodometer',
      workerData: { port: port2, signal } satisfies ThreadData,
      transferList: [port2],
      // Loaders of the program that runs ESLint are not for this thread.
      execArgv: [],
    });
    const thread = { worker, port, flag: new Int32Array(signal) };
    // Neither keeps the process from ending.
    worker.unref();
    port.unref();
    const gone = (why: string) => {
      if (this.#thread?.worker === worker) this.#end(`The analysis ended: ${why}.`);
    };
    worker.on('error', (error: unknown) => gone(messageOf(error)));
    worker.on('exit', (code) => gone(`exit code ${code}`));
    return thread;
  }

  #end(failure: string): string {
    const thread = this.#thread;
    this.#thread = undefined;
    this.#failure = failure;
    this.#restUntil = performance.now() + REST_MS;
    void thread?.worker.terminate();
    thread?.port.close();
    return failure;
  }
}

/** The page of a rule in the installed package, which editors open. */
export function pageOf(engine: string | undefined, ruleId: string): string | undefined {
  const path = engine === undefined ? undefined : join(engine, 'docs', `${ruleId}.md`);
  return path !== undefined && existsSync(path) ? pathToFileURL(path).href : undefined;
}
