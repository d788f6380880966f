// Lint jobs in worker threads: one thread for each, ended with its job.
import { Worker } from 'node:worker_threads';
import type { RunningJob, ServerDeps } from './deps.ts';
import type { LintJob, LintJobMessage } from './lint-job.ts';

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
