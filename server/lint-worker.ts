// The worker thread's entry: one job, then the end.
import { constants, setPriority } from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { rules } from '../rules/index.ts';
import { runLintJob, type LintJob, type LintJobMessage } from './lint-job.ts';

const port = parentPort;
if (!port) throw new Error('lint-worker runs as a worker thread of the language server only');

const post = (message: LintJobMessage): void => port.postMessage(message);
yieldToTyping();
const interruption = new AbortController();
port.on('message', () => interruption.abort());
try {
  await runLintJob(workerData as LintJob, { rules, now: () => performance.now(), signal: interruption.signal, post });
} finally {
  // Without a listener the port keeps the thread no longer.
  port.close();
}

/** The thread that answers the editor goes first where both want the same core. Only Linux knows priorities of threads: elsewhere it would be the whole server's. */
function yieldToTyping(): void {
  if (process.platform !== 'linux') return;
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch (error) {
    post({ kind: 'log', message: `The worker thread keeps its priority: ${String(error)}` });
  }
}
