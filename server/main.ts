// The language server's process: `node server.js --node-ipc` for VS Code, `nodometer lsp --stdio` for other editors.
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { createConnection, ProposedFeatures } from 'vscode-languageserver/node';
import { rules } from '../rules/index.ts';
import type { RunningJob, ServerDeps } from './deps.ts';
import type { LintJob, LintJobMessage } from './lint-job.ts';
import { measureLoopDelay } from './loop-delay.ts';
import { createServer } from './server.ts';

/** More threads read the disk no faster, and each holds the rules and a heap of its own. */
const MAX_THREADS = 4;

/** Serves until the client ends the connection. The transport is taken from the arguments (`--stdio`, `--node-ipc`, `--socket=`, `--pipe=`). */
export function startServer(version: string): void {
  const connection = createConnection(ProposedFeatures.all);
  process.on('unhandledRejection', (reason) => connection.console.error(`An error that nobody caught: ${reason instanceof Error ? reason.stack : String(reason)}`));
  createServer(connection, realDeps(version));
  connection.listen();
}

function realDeps(version: string): ServerDeps {
  return {
    rules, version, startLintJob, measureLoopDelay,
    nodeVersion: process.versions.node,
    platform: process.platform,
    // One is left for the thread that answers the editor.
    threads: Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    now: () => performance.now(),
    loadFixCheck: async () => (await import('../analysis/fix/verify.ts')).findDamage,
    findRulePage,
  };
}

/** Built, the pages lie in `docs` beside this file; in the sources, in the rules' folders. */
function findRulePage(ruleId: string): string | undefined {
  const places = [new URL(`./docs/${ruleId}.md`, import.meta.url), new URL(`../rules/${ruleId}/README.md`, import.meta.url)];
  return places.map((url) => fileURLToPath(url)).find((path) => existsSync(path));
}

function startLintJob(job: LintJob, listen: (message: LintJobMessage) => void, died: (error: Error) => void): RunningJob {
  // From the sources the worker is TypeScript, too.
  const file = import.meta.url.endsWith('.ts') ? './lint-worker.ts' : './lint-worker.js';
  const worker = new Worker(new URL(file, import.meta.url), { workerData: job, name: `nodometer lint ${job.shard.index + 1}/${job.shard.count}` });
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
}

declare const NODOMETER_VERSION: string | undefined;

/** The build writes the version in; from the sources it is read. */
export function serverVersion(): string {
  if (typeof NODOMETER_VERSION === 'string') return NODOMETER_VERSION;
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
