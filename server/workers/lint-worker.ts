// The worker thread's entry: one job, then the end.
import { parentPort, workerData } from 'node:worker_threads';
import { rules } from '../../rules/index.ts';
import { runLintJob, type LintJob, type LintJobMessage } from './lint-job.ts';
import { yieldToTyping } from '../shared/thread-priority.ts';

const port = parentPort;
if (!port) throw new Error('lint-worker runs as a worker thread of the language server only');

const post = (message: LintJobMessage): void => port.postMessage(message);
yieldToTyping((message) => post({ kind: 'log', message }));
const interruption = new AbortController();
port.on('message', () => interruption.abort());
try {
  await runLintJob(workerData as LintJob, { rules, now: () => performance.now(), signal: interruption.signal, post });
} finally {
  // Without a listener the port keeps the thread no longer.
  port.close();
}
