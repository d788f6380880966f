// Calls that start a thread or a process, or a pool of them, and programs that take long to start. Every row names where it is documented.

/** `thread`: one thread of its own with a V8 of its own. `process`: one process. `pool`: several of them, which are kept. */
export type Started = 'thread' | 'process' | 'pool';

export interface ThreadStarter {
  module: string;
  /** Names from the module; empty for what the module itself is. */
  path: readonly string[];
  by: 'new' | 'call';
  starts: Started;
  source: string;
}

const WORKERS = 'https://nodejs.org/api/worker_threads.html#new-workerfilename-options';
const CHILDREN = 'https://nodejs.org/api/child_process.html#child_processforkmodulepath-args-options';
const CLUSTER = 'https://nodejs.org/api/cluster.html#clusterforkenv';
const npm = (name: string): string => `https://www.npmjs.com/package/${name}`;

const pools = (module: string, by: 'new' | 'call', ...paths: readonly string[]): ThreadStarter[] =>
  paths.map((path) => ({ module, path: path === '' ? [] : [path], by, starts: 'pool', source: npm(module) }));

export const THREAD_STARTERS: readonly ThreadStarter[] = [
  { module: 'worker_threads', path: ['Worker'], by: 'new', starts: 'thread', source: WORKERS },
  { module: 'child_process', path: ['fork'], by: 'call', starts: 'process', source: CHILDREN },
  { module: 'cluster', path: ['fork'], by: 'call', starts: 'process', source: CLUSTER },
  { module: 'webworker-threads', path: ['Worker'], by: 'new', starts: 'thread', source: npm('webworker-threads') },
  { module: 'webworker-threads', path: ['create'], by: 'call', starts: 'thread', source: npm('webworker-threads') },
  { module: 'web-worker', path: [], by: 'new', starts: 'thread', source: npm('web-worker') },
  { module: 'threads', path: ['Worker'], by: 'new', starts: 'thread', source: npm('threads') },
  { module: 'threads', path: ['BlobWorker'], by: 'new', starts: 'thread', source: npm('threads') },
  { module: 'bthreads', path: ['Worker'], by: 'new', starts: 'thread', source: npm('bthreads') },
  { module: 'tiny-worker', path: [], by: 'new', starts: 'process', source: npm('tiny-worker') },
  { module: 'execa', path: ['execaNode'], by: 'call', starts: 'process', source: npm('execa') },
  { module: 'execa', path: ['node'], by: 'call', starts: 'process', source: npm('execa') },
  ...pools('piscina', 'new', '', 'Piscina'),
  ...pools('tinypool', 'new', '', 'Tinypool'),
  ...pools('workerpool', 'call', 'pool'),
  ...pools('threads', 'call', 'Pool'),
  ...pools('webworker-threads', 'call', 'createPool'),
  ...pools('node-worker-threads-pool', 'new', 'StaticPool', 'DynamicPool'),
  ...pools('poolifier', 'new', 'FixedThreadPool', 'DynamicThreadPool', 'FixedClusterPool', 'DynamicClusterPool'),
  ...pools('jest-worker', 'new', '', 'Worker'),
  ...pools('worker-farm', 'call', ''),
  ...pools('worker-nodes', 'new', ''),
];

/** Calls that start the program named by their first argument, or by the first word of a command line. */
export const PROGRAM_STARTERS: readonly { module: string; path: readonly string[] }[] = [
  { module: 'child_process', path: ['spawn'] },
  { module: 'child_process', path: ['exec'] },
  { module: 'child_process', path: ['execFile'] },
  { module: 'cross-spawn', path: [] },
  { module: 'execa', path: [] },
  { module: 'execa', path: ['execa'] },
  { module: 'execa', path: ['execaCommand'] },
];

/** Node itself, and commands that run on it. */
export const NODE_PROGRAMS: ReadonlySet<string> = new Set(['node', 'nodejs', 'npx', 'npm', 'yarn', 'pnpm', 'ts-node', 'tsx']);

/** Interpreters and virtual machines: what they load before the first line of a script runs is paid at every start. */
export const INTERPRETERS: ReadonlySet<string> = new Set([
  'python',
  'python2',
  'python3',
  'py',
  'ruby',
  'perl',
  'php',
  'java',
  'Rscript',
  'pwsh',
  'powershell',
  'powershell.exe',
  'dotnet',
  'julia',
  'bun',
  'deno',
]);

/** Packages whose calls run the function that they are given on another thread or in another process. */
export const THREAD_PACKAGES: ReadonlySet<string> = new Set([...THREAD_STARTERS.map((row) => row.module)]);
