// The language server's process: `node server.js --node-ipc` for VS Code, `nodometer lsp --stdio` for other editors.
import { constants } from 'node:buffer';
import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, homedir } from 'node:os';
import { fileURLToPath } from 'node:url';
import type { MessagePort } from 'node:worker_threads';
import { createConnection, PortMessageReader, PortMessageWriter, ProposedFeatures } from 'vscode-languageserver/node';
import { cacheFolder } from '../node-versions/discovery.ts';
import { rules } from '../rules/index.ts';
import { fingerprintOf, type AnalysisPlace } from '../workspace/project-index/analysis-place.ts';
import type { ServerDeps } from './deps.ts';
import { watchLengths } from './message-lengths.ts';
import { measureLoopDelay } from './shared/loop-delay.ts';
import { createServer } from './server.ts';
import { workerIndex, workerJobs, workerSession } from './workers/worker-jobs.ts';

/**
 * More threads read the disk no faster, and each holds the rules and a heap of its own. One core is left for the thread that answers the
 * editor.
 */
const MAX_THREADS = 4;

/**
 * Serves until the client ends the connection. The transport is taken from the arguments (`--stdio`, `--node-ipc`, `--socket=`, `--pipe=`).
 */
export function startServer(version: string): void {
  const connection = createConnection(ProposedFeatures.all);
  process.on('unhandledRejection', (reason) => {
    try {
      connection.console.error(`Uncaught error: ${reason instanceof Error ? reason.stack : String(reason)}`);
    } catch {
      // The connection is closed: nobody is there to be informed or served.
      process.exit(1);
    }
  });
  // The library ends the process when standard input closes, and forgets about IPC: a run would go on for nobody.
  process.once('disconnect', () => process.exit(1));
  createServer(connection, realDeps(version));
  connection.listen();
  if (process.argv.includes('--stdio'))
    process.stdin.on(
      'data',
      watchLengths(constants.MAX_STRING_LENGTH, (bytes) => {
        process.stderr.write(`The client announced a message of ${bytes} bytes, which is more than Node can read. The server ends.\n`);
        process.exit(1);
      }),
    );
}

/** `port`: to the session that the client talks to. */
export function startSlowSession(port: MessagePort): void {
  const connection = createConnection(ProposedFeatures.all, new PortMessageReader(port), new PortMessageWriter(port));
  createServer(connection, { ...realDeps(serverVersion()), startIndex: undefined, startSlowSession: undefined, isSlowSession: true });
  connection.listen();
}

function realDeps(version: string): ServerDeps {
  return {
    rules,
    version,
    measureLoopDelay,
    startLintJob: workerJobs(threadScript('workers', 'lint-worker')),
    startIndex: workerIndex(threadScript('index-thread', 'index-thread')),
    startSlowSession: workerSession(new URL(import.meta.url.endsWith('.ts') ? './entry.ts' : './server.js', import.meta.url)),
    nodeVersion: process.versions.node,
    platform: process.platform,
    analysis: analysisPlace(version),
    now: () => performance.now(),
    loadFixCheck: async () => (await import('../analysis/fix/verify.ts')).findDamage,
    findRulePage,
  };
}

/** The script of a thread: in the sources TypeScript in a folder of its own, in `dist` beside this file. */
function threadScript(folder: string, name: string): URL {
  return new URL(import.meta.url.endsWith('.ts') ? `./${folder}/${name}.ts` : `./${name}.js`, import.meta.url);
}

/** From the sources everything is analyzed in the job's own thread. */
function analysisPlace(version: string): AnalysisPlace | undefined {
  if (typeof NODOMETER_VERSION !== 'string') return undefined;
  const entry = new URL('./analysis-thread.js', import.meta.url).href;
  return {
    threads: Math.min(MAX_THREADS, Math.max(1, availableParallelism() - 1)),
    entry,
    fingerprint: fingerprintOf(version, entry),
    cacheFolder: cacheFolder({ platform: process.platform, env: process.env, home: homedir() }),
  };
}

/** Built, the pages lie in `docs` beside this file; in the sources, in the rules' folders and in `docs`. */
function findRulePage(ruleId: string): string | undefined {
  const places = [`./docs/${ruleId}.md`, `../rules/${ruleId}/README.md`, `../docs/${ruleId}.md`].map(
    (path) => new URL(path, import.meta.url),
  );
  return places.map((url) => fileURLToPath(url)).find((path) => existsSync(path));
}

declare const NODOMETER_VERSION: string | undefined;

/** The build writes the version in; from the sources it is read. */
export function serverVersion(): string {
  if (typeof NODOMETER_VERSION === 'string') return NODOMETER_VERSION;
  return (JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }).version;
}
