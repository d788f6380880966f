// Calls that each take something of which a process, a machine, or another service has only so much.

/** `request`: a connection, and the other service's time. `process`: a process. `file`: an open file. */
export type Taken = 'request' | 'process' | 'file';

export interface TakingCall {
  module: string;
  /** Names from the module; '' for what the module itself is. */
  names: readonly string[];
  takes: Taken;
  source: string;
}

const METHODS = ['', 'get', 'head', 'post', 'put', 'patch', 'delete', 'request'] as const;
const npm = (name: string): string => `https://www.npmjs.com/package/${name}`;
const client = (module: string, names: readonly string[] = METHODS): TakingCall => ({
  module,
  names,
  takes: 'request',
  source: npm(module),
});
const starter = (module: string, names: readonly string[]): TakingCall => ({ module, names, takes: 'process', source: npm(module) });

/**
 * Left out is what limits itself: clients of AWS (50 sockets each), `fs-extra` and `graceful-fs` (they wait when there are too many open
 * files), and queries, which wait for a connection of the pool.
 */
export const TAKING_CALLS: readonly TakingCall[] = [
  client('http', ['request', 'get']),
  client('https', ['request', 'get']),
  client('undici', ['fetch', 'request', 'stream']),
  client('axios'),
  client('got'),
  client('ky'),
  client('superagent'),
  client('needle'),
  client('phin'),
  client('request'),
  client('request-promise'),
  client('request-promise-native'),
  client('node-fetch', ['']),
  client('cross-fetch', ['', 'fetch']),
  client('isomorphic-fetch', ['']),
  client('ofetch', ['ofetch', '$fetch']),
  {
    module: 'child_process',
    names: ['exec', 'execFile', 'spawn', 'fork'],
    takes: 'process',
    source: 'https://nodejs.org/api/child_process.html',
  },
  starter('cross-spawn', ['', 'spawn']),
  starter('execa', ['', 'execa', 'execaCommand', 'execaNode']),
  {
    module: 'fs',
    // `stat`, `unlink`, `rename`, and others that take a path keep nothing open: they wait for a thread of the pool.
    names: ['open', 'readFile', 'writeFile', 'appendFile', 'createReadStream', 'createWriteStream'],
    takes: 'file',
    source: 'https://nodejs.org/api/fs.html',
  },
];

/** Functions that make a client with the methods of the module. */
export const CLIENT_MAKERS: ReadonlySet<string> = new Set(['axios.create', 'got.extend', 'ky.create', 'ky.extend']);
