// Which asynchronous call of Node runs where: on the event loop's own thread, on libuv's thread pool, in the operating system, on a
// thread or in a process of its own. The pool has four threads unless UV_THREADPOOL_SIZE says otherwise, and all these calls share them.
// test/knowledge/core-call-places.test.ts holds the rows against the running Node, with a pool of one thread that is kept busy.

/**
 * `pool`: waits in the queue of the thread pool, behind every other such call.
 * `os`: the operating system waits (epoll, kqueue, completion ports); the loop's thread only moves bytes.
 * `loop`: on the event loop's own thread, callback or not.
 * `thread`, `process`: one of its own, whose start costs the loop's thread something.
 */
export type CallPlace = 'pool' | 'os' | 'loop' | 'thread' | 'process';

export interface CorePlace {
  module: string;
  /** Dotted names from the module; the callback form and the promise form of one name run in the same place. */
  names: readonly string[];
  place: CallPlace;
  /** Absent: every version from 18 on. */
  nodeRange?: string;
  note?: string;
  source: string;
}

// "all fs APIs, other than the file watcher APIs and those that are explicitly synchronous; asynchronous crypto APIs such as …;
// dns.lookup();
// all zlib APIs, other than those that are explicitly synchronous"
const THREADPOOL_SIZE = 'https://nodejs.org/api/cli.html#uv_threadpool_sizesize';
// "used to run all file system operations, as well as getaddrinfo and getnameinfo requests"
const LIBUV_POOL = 'https://docs.libuv.org/en/v1.x/threadpool.html';
// "the network I/O is always performed in a single thread, each loop's thread"
const LIBUV_DESIGN = 'https://docs.libuv.org/en/v1.x/design.html';
const DNS = 'https://nodejs.org/api/dns.html#implementation-considerations';
const DONT_BLOCK = 'https://nodejs.org/en/learn/asynchronous-work/dont-block-the-event-loop';
const LOOP_PHASES = 'https://nodejs.org/en/learn/asynchronous-work/event-loop-timers-and-nexttick';
const WORKERS = 'https://nodejs.org/api/worker_threads.html';
const CHILDREN = 'https://nodejs.org/api/child_process.html#asynchronous-process-creation';
const PROCESS_IO = 'https://nodejs.org/api/process.html#a-note-on-process-io';
const WATCH = 'https://nodejs.org/api/fs.html#fswatchfilename-options-listener';

export const CORE_PLACES: readonly CorePlace[] = [
  {
    module: 'fs',
    place: 'pool',
    source: LIBUV_POOL,
    names: [
      'access',
      'appendFile',
      'chmod',
      'chown',
      'close',
      'copyFile',
      'cp',
      'exists',
      'fchmod',
      'fchown',
      'fdatasync',
      'fstat',
      'fsync',
      'ftruncate',
      'futimes',
      'lchown',
      'link',
      'lstat',
      'lutimes',
      'mkdir',
      'mkdtemp',
      'open',
      'opendir',
      'read',
      'readFile',
      'readdir',
      'readlink',
      'readv',
      'realpath',
      'rename',
      'rm',
      'rmdir',
      'stat',
      'statfs',
      'symlink',
      'truncate',
      'unlink',
      'utimes',
      'write',
      'writeFile',
      'writev',
    ],
  },
  { module: 'fs', names: ['glob'], place: 'pool', nodeRange: '>=22.0.0', note: 'one readdir after another', source: LIBUV_POOL },
  {
    module: 'fs',
    names: ['createReadStream', 'createWriteStream'],
    place: 'pool',
    note: 'one job per chunk, 64 KiB each unless highWaterMark differs',
    source: LIBUV_POOL,
  },
  { module: 'fs', names: ['watch'], place: 'os', note: 'inotify, FSEvents or kqueue, ReadDirectoryChangesW', source: WATCH },
  {
    module: 'fs',
    names: ['watchFile'],
    place: 'pool',
    note: 'one stat per interval, 5,007 ms by default',
    source: THREADPOOL_SIZE,
  },
  {
    module: 'dns',
    names: ['lookup', 'lookupService'],
    place: 'pool',
    note: 'getaddrinfo and getnameinfo; every connection to a host name starts with a lookup',
    source: DNS,
  },
  {
    module: 'dns',
    names: [
      'resolve',
      'resolve4',
      'resolve6',
      'resolveAny',
      'resolveCname',
      'resolveMx',
      'resolveNs',
      'resolvePtr',
      'resolveSoa',
      'resolveSrv',
      'resolveTxt',
      'reverse',
    ],
    place: 'os',
    note: 'c-ares, over its own sockets',
    source: DNS,
  },
  {
    module: 'crypto',
    place: 'pool',
    source: THREADPOOL_SIZE,
    note: "with a callback; without one, or as …Sync, on the event loop's thread",
    names: [
      'pbkdf2',
      'scrypt',
      'hkdf',
      'randomBytes',
      'randomFill',
      'generateKeyPair',
      'generateKey',
      'generatePrime',
      'checkPrime',
      'sign',
      'verify',
    ],
  },
  { module: 'crypto', names: ['argon2', 'encapsulate', 'decapsulate'], place: 'pool', nodeRange: '>=24.7.0', source: THREADPOOL_SIZE },
  {
    module: 'crypto',
    names: ['subtle.digest', 'subtle.encrypt', 'subtle.decrypt', 'subtle.sign', 'subtle.verify', 'subtle.generateKey', 'subtle.deriveBits'],
    place: 'pool',
    source: THREADPOOL_SIZE,
  },
  {
    module: 'crypto',
    names: ['createHash', 'createHmac', 'createCipheriv', 'createDecipheriv', 'createSign', 'createVerify'],
    place: 'loop',
    note: 'also as streams',
    source: DONT_BLOCK,
  },
  {
    module: 'zlib',
    names: ['deflate', 'deflateRaw', 'gzip', 'gunzip', 'inflate', 'inflateRaw', 'unzip', 'brotliCompress', 'brotliDecompress'],
    place: 'pool',
    source: THREADPOOL_SIZE,
  },
  {
    module: 'zlib',
    names: ['zstdCompress', 'zstdDecompress'],
    place: 'pool',
    nodeRange: '>=22.15.0 <23.0.0 || >=23.8.0',
    source: THREADPOOL_SIZE,
  },
  {
    module: 'zlib',
    names: ['createGzip', 'createGunzip', 'createDeflate', 'createInflate', 'createBrotliCompress', 'createBrotliDecompress'],
    place: 'pool',
    note: 'one job per chunk',
    source: THREADPOOL_SIZE,
  },
  {
    module: 'sqlite',
    names: ['backup'],
    place: 'pool',
    nodeRange: '>=22.16.0 <23.0.0 || >=23.8.0',
    note: 'the only call of node:sqlite that is not synchronous',
    source: 'https://nodejs.org/api/sqlite.html#sqlitebackupsourcedb-path-options',
  },
  {
    module: 'net',
    names: ['connect', 'createConnection', 'createServer'],
    place: 'os',
    note: 'a host name is first looked up on the thread pool',
    source: LIBUV_DESIGN,
  },
  {
    module: 'http',
    names: ['request', 'get', 'createServer'],
    place: 'os',
    note: "parsing runs on the event loop's thread",
    source: LIBUV_DESIGN,
  },
  {
    module: 'https',
    names: ['request', 'get', 'createServer'],
    place: 'os',
    note: "the TLS handshake runs on the event loop's thread",
    source: LIBUV_DESIGN,
  },
  { module: 'http2', names: ['connect', 'createServer', 'createSecureServer'], place: 'os', source: LIBUV_DESIGN },
  {
    module: 'tls',
    names: ['connect', 'createServer'],
    place: 'os',
    note: "the TLS handshake runs on the event loop's thread",
    source: LIBUV_DESIGN,
  },
  { module: 'dgram', names: ['createSocket'], place: 'os', source: LIBUV_DESIGN },
  {
    module: 'child_process',
    names: ['spawn', 'exec', 'execFile', 'fork'],
    place: 'process',
    note: "it is started on the event loop's thread",
    source: CHILDREN,
  },
  { module: 'cluster', names: ['fork'], place: 'process', source: 'https://nodejs.org/api/cluster.html' },
  {
    module: 'worker_threads',
    names: ['Worker'],
    place: 'thread',
    note: 'has its own event loop and shares the thread pool',
    source: WORKERS,
  },
  { module: 'timers', names: ['setTimeout', 'setInterval', 'setImmediate'], place: 'loop', source: LOOP_PHASES },
  { module: 'process', names: ['nextTick'], place: 'loop', note: 'before anything else, including promises', source: LOOP_PHASES },
  {
    module: 'console',
    names: ['log', 'info', 'warn', 'error', 'debug'],
    place: 'loop',
    note: "the event loop's thread waits for writes to files, on POSIX systems also to terminals, and on Windows to pipes",
    source: PROCESS_IO,
  },
];

const BY_NAME: ReadonlyMap<string, CorePlace> = new Map(
  CORE_PLACES.flatMap((row) => row.names.map((name) => [`${row.module}.${name}`, row] as const)),
);

/** Where a core call runs, by module (without `node:`) and property path; `fs/promises` and `dns/promises` as `['promises', …]`. */
export function findCallPlace(module: string, path: readonly string[]): CorePlace | undefined {
  return BY_NAME.get([module, ...(path[0] === 'promises' ? path.slice(1) : path)].join('.'));
}

/** Functions of `fs` that `fs.promises` has under the same name, on every version from 18 on. */
const FS_PROMISES: ReadonlySet<string> = new Set([
  'access',
  'appendFile',
  'chmod',
  'chown',
  'copyFile',
  'cp',
  'lchown',
  'link',
  'lstat',
  'lutimes',
  'mkdir',
  'mkdtemp',
  'open',
  'opendir',
  'readFile',
  'readdir',
  'readlink',
  'realpath',
  'rename',
  'rm',
  'rmdir',
  'stat',
  'statfs',
  'symlink',
  'truncate',
  'unlink',
  'utimes',
  'writeFile',
]);
/** Functions with a callback that `promisify` of `node:util` makes into one with a promise. */
const PROMISIFIED: Readonly<Record<string, readonly string[]>> = {
  child_process: ['exec', 'execFile'],
  crypto: ['generateKey', 'generateKeyPair', 'hkdf', 'pbkdf2', 'randomBytes', 'randomFill', 'scrypt'],
  zlib: ['brotliCompress', 'brotliDecompress', 'deflate', 'deflateRaw', 'gunzip', 'gzip', 'inflate', 'inflateRaw', 'unzip'],
};
const TIMERS_PROMISES: ReadonlySet<string> = new Set(['setTimeout', 'setInterval', 'setImmediate']);

/** How a call with a callback is written with a promise; undefined where it has a promise already, or there is none. */
export function promiseFormOf(module: string, path: readonly string[]): string | undefined {
  const [name, ...more] = path;
  if (name === undefined || more.length > 0) return undefined;
  if (module === 'fs' && FS_PROMISES.has(name)) return `fs.promises.${name}`;
  if (module === 'dns' && findCallPlace(module, path)) return `dns.promises.${name}`;
  if (module === 'timers' && TIMERS_PROMISES.has(name)) return `require('node:timers/promises').${name}`;
  return PROMISIFIED[module]?.includes(name) ? `util.promisify(${module}.${name})` : undefined;
}
