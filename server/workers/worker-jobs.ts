// Lint jobs in worker threads: one thread for each, ended with its job. And the threads that stay: the project's index, and the
// session that has the slow documents.
import { Worker } from 'node:worker_threads';
import { PortMessageReader, PortMessageWriter } from 'vscode-languageserver/node';
import type { RunningIndex, RunningJob, RunningSession, ServerDeps } from '../deps.ts';
import type { LintJob, LintJobMessage } from './lint-job.ts';
import type { IndexMessage, IndexRequest } from '../shared/index-messages.ts';

/** `entry`: the worker's script. */
export function workerJobs(entry: URL): ServerDeps['startLintJob'] {
  return (job: LintJob, listen: (message: LintJobMessage) => void, died: (error: Error) => void): RunningJob => {
    const worker = new Worker(entry, { workerData: job, name: 'nodometer lint' });
    let done = false;
    worker.on('message', (message: LintJobMessage) => {
      done ||= message.kind === 'done';
      listen(message);
    });
    worker.on('error', died);
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code) => {
        if (!done) died(new Error(`the worker thread ended with code ${code} before it was done`));
        resolve();
      });
    });
    return {
      async stop() {
        await worker.terminate();
        await exited;
      },
    };
  };
}

/** `entry`: the thread's script. */
export function workerSession(entry: URL): NonNullable<ServerDeps['startSlowSession']> {
  return (died: (error: Error) => void): RunningSession => {
    const worker = new Worker(entry, { name: 'nodometer slow documents' });
    return { reader: new PortMessageReader(worker), writer: new PortMessageWriter(worker), ...life(worker, died) };
  };
}

/** `entry`: the thread's script. */
export function workerIndex(entry: URL): NonNullable<ServerDeps['startIndex']> {
  return (listen: (message: IndexMessage) => void, died: (error: Error) => void): RunningIndex => {
    const worker = new Worker(entry, { name: 'nodometer index' });
    const { isOver, stop } = life(worker, died);
    worker.on('message', (message: IndexMessage) => {
      if (!isOver()) listen(message);
    });
    return { post: (request: IndexRequest) => worker.postMessage(request), stop };
  };
}

/** Of a thread that stays until it is stopped. `died` is called once, when it ends by itself. */
function life(worker: Worker, died: (error: Error) => void): { isOver(): boolean; stop(): Promise<void> } {
  let isOver = false;
  const end = (error: Error): void => {
    if (isOver) return;
    isOver = true;
    died(error);
  };
  worker.on('error', end);
  const exited = new Promise<void>((resolve) => {
    worker.once('exit', (code) => {
      end(new Error(`its thread ended with code ${code}`));
      resolve();
    });
  });
  return {
    isOver: () => isOver,
    async stop() {
      isOver = true;
      await worker.terminate();
      await exited;
    },
  };
}
