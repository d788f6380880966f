// Lint jobs in worker threads: one thread for each, ended with its job. And the thread of the project's index, which stays.
import { Worker } from 'node:worker_threads';
import type { RunningIndex, RunningJob, ServerDeps } from '../deps.ts';
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
export function workerIndex(entry: URL): NonNullable<ServerDeps['startIndex']> {
  return (listen: (message: IndexMessage) => void, died: (error: Error) => void): RunningIndex => {
    const worker = new Worker(entry, { name: 'nodometer index' });
    let isOver = false;
    const end = (error: Error): void => {
      if (isOver) return;
      isOver = true;
      died(error);
    };
    worker.on('message', (message: IndexMessage) => {
      if (!isOver) listen(message);
    });
    worker.on('error', end);
    const exited = new Promise<void>((resolve) => {
      worker.once('exit', (code) => {
        end(new Error(`its thread ended with code ${code}`));
        resolve();
      });
    });
    return {
      post: (request: IndexRequest) => worker.postMessage(request),
      async stop() {
        isOver = true;
        await worker.terminate();
        await exited;
      },
    };
  };
}
