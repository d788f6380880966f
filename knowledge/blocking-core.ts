// Calls of Node 18 to 26, the file system apart, that hold up the event loop until they are done.
// Times in comments: median of one call, Node 20.20 / 24.21 / 26.10, Linux x64 on a 2-core AMD EPYC.
import type { AsyncForm, BlockingCall, Maker } from './blocking-call.ts';

const PROCESS = 'https://nodejs.org/api/child_process.html#synchronous-process-creation';
const ZLIB = 'https://nodejs.org/api/zlib.html#threadpool-usage-and-performance-considerations';
const ZIP = 'https://nodejs.org/api/zlib.html';
const CRYPTO = 'https://nodejs.org/api/crypto.html';
const SQLITE = 'https://nodejs.org/api/sqlite.html#class-databasesync';
const STATEMENT = 'https://nodejs.org/api/sqlite.html#class-statementsync';
const HEAP_SNAPSHOT = 'https://nodejs.org/api/v8.html#v8writeheapsnapshotfilenameoptions';
const REPORT = 'https://nodejs.org/api/report.html';
const LOAD_ENV = 'https://nodejs.org/api/process.html#processloadenvfilepath';
const ATOMICS_WAIT = 'https://tc39.es/ecma262/#sec-atomics.wait';

function callback(module: string, name: string): AsyncForm {
  return { kind: 'callback', module, path: [name], result: 'same' };
}

// `randomBytes` of 64 KiB takes 12 µs, more than a read of a small warm file (5 µs); the usual 16 or 32 bytes take 1.6 µs
// and would only get slower on the thread pool.
const LARGE_RANDOM = 65_536;

// Keys on curves take 20 to 40 µs where an RSA pair of 2,048 bits takes 28 to 104 ms.
const CURVES = ['ec', 'ed25519', 'ed448', 'x25519', 'x448'];

export const CORE_PROCESS: readonly BlockingCall[] = [
  // 4 to 8 ms for `true`, 30 to 60 ms for `node -e 0`: no child process is quick.
  {
    module: 'child_process',
    path: ['execSync'],
    category: 'process',
    cost: 'spawn',
    source: PROCESS,
    asyncForm: {
      kind: 'callback',
      module: 'node:child_process',
      path: ['exec'],
      result: 'differs',
      note: "promisified, it resolves to { stdout, stderr } as strings; execSync returns stdout as a Buffer unless an encoding is given, and prints the child's stderr",
    },
  },
  {
    module: 'child_process',
    path: ['execFileSync'],
    category: 'process',
    cost: 'spawn',
    source: PROCESS,
    asyncForm: {
      kind: 'callback',
      module: 'node:child_process',
      path: ['execFile'],
      result: 'differs',
      note: "promisified, it resolves to { stdout, stderr } as strings; execFileSync returns stdout as a Buffer unless an encoding is given, and prints the child's stderr",
    },
  },
  {
    module: 'child_process',
    path: ['spawnSync'],
    category: 'process',
    cost: 'spawn',
    source: PROCESS,
    asyncForm: {
      kind: 'none',
      advice:
        'spawn() provides streams and an exit event instead of one result object; execFile() collects the output if it fits in memory',
    },
  },
];

export const CORE_ZLIB: readonly BlockingCall[] = [
  // 1 MiB: gzip 3 ms, brotli 67 ms at its default quality, zstd 0.2 ms, gunzip 0.5 ms. 1 KiB: 8 µs, 250 µs, 11 µs, 3 µs.
  {
    module: 'zlib',
    path: ['deflateSync'],
    category: 'compression',
    cost: 'cpu',
    asyncForm: callback('node:zlib', 'deflate'),
    source: ZLIB,
  },
  {
    module: 'zlib',
    path: ['deflateRawSync'],
    category: 'compression',
    cost: 'cpu',
    asyncForm: callback('node:zlib', 'deflateRaw'),
    source: ZLIB,
  },
  { module: 'zlib', path: ['gzipSync'], category: 'compression', cost: 'cpu', asyncForm: callback('node:zlib', 'gzip'), source: ZLIB },
  { module: 'zlib', path: ['gunzipSync'], category: 'compression', cost: 'cpu', asyncForm: callback('node:zlib', 'gunzip'), source: ZLIB },
  {
    module: 'zlib',
    path: ['inflateSync'],
    category: 'compression',
    cost: 'cpu',
    asyncForm: callback('node:zlib', 'inflate'),
    source: ZLIB,
  },
  {
    module: 'zlib',
    path: ['inflateRawSync'],
    category: 'compression',
    cost: 'cpu',
    asyncForm: callback('node:zlib', 'inflateRaw'),
    source: ZLIB,
  },
  { module: 'zlib', path: ['unzipSync'], category: 'compression', cost: 'cpu', asyncForm: callback('node:zlib', 'unzip'), source: ZLIB },
  {
    module: 'zlib',
    path: ['brotliCompressSync'],
    category: 'compression',
    cost: 'cpu',
    asyncForm: callback('node:zlib', 'brotliCompress'),
    source: ZLIB,
  },
  {
    module: 'zlib',
    path: ['brotliDecompressSync'],
    category: 'compression',
    cost: 'cpu',
    asyncForm: callback('node:zlib', 'brotliDecompress'),
    source: ZLIB,
  },
  {
    module: 'zlib',
    path: ['zstdCompressSync'],
    category: 'compression',
    cost: 'cpu',
    nodeRange: '>=22.15.0 <23.0.0 || >=23.8.0',
    asyncForm: {
      kind: 'callback',
      module: 'node:zlib',
      path: ['zstdCompress'],
      // Three texts on Node 22.23, 24.21, and 26.12: other bytes on 22 and 24, and the same with `pledgedSrcSize`.
      result: 'differs',
      note: 'before Node 26, its frame lacks the size unless the options give it (`pledgedSrcSize: data.length`), so the bytes are other ones',
    },
    source: ZLIB,
  },
  {
    module: 'zlib',
    path: ['zstdDecompressSync'],
    category: 'compression',
    cost: 'cpu',
    nodeRange: '>=22.15.0 <23.0.0 || >=23.8.0',
    asyncForm: callback('node:zlib', 'zstdDecompress'),
    source: ZLIB,
  },
];

const ZIP_RANGE = '>=26.8.0';
const ZIP_FILE: readonly Maker[] = [
  { path: ['ZipFile', 'open'], by: 'call' },
  { path: ['ZipFile', 'openSync'], by: 'call' },
];
const ZIP_BUFFER: readonly Maker[] = [{ path: ['ZipBuffer'], by: 'new' }];
const ZIP_ENTRY: readonly Maker[] = [
  { path: ['ZipEntry', 'create'], by: 'call' },
  { path: ['ZipEntry', 'createSync'], by: 'call' },
  { path: ['ZipBuffer'], by: 'new', then: ['get'] },
  { path: ['ZipFile', 'open'], by: 'call', then: ['get'] },
  { path: ['ZipFile', 'openSync'], by: 'call', then: ['getSync'] },
];

/** Zip archives, experimental in Node 26.8: "every *Sync method blocks the Node.js event loop". */
export const CORE_ZIP: readonly BlockingCall[] = [
  {
    module: 'zlib',
    path: ['createZipArchiveSync'],
    category: 'archive',
    cost: 'cpu',
    nodeRange: ZIP_RANGE,
    source: ZIP,
    asyncForm: { kind: 'none', advice: 'pipe the stream that createZipArchive() returns' },
  },
  {
    module: 'zlib',
    path: ['ZipFile', 'openSync'],
    category: 'archive',
    cost: 'io',
    nodeRange: ZIP_RANGE,
    source: ZIP,
    asyncForm: { kind: 'promise', module: 'node:zlib', path: ['ZipFile', 'open'], result: 'same' },
  },
  {
    module: 'zlib',
    path: ['ZipEntry', 'createSync'],
    category: 'archive',
    cost: 'cpu',
    nodeRange: ZIP_RANGE,
    source: ZIP,
    asyncForm: { kind: 'promise', module: 'node:zlib', path: ['ZipEntry', 'create'], result: 'same' },
  },
  zipMethod('ZipEntry', ZIP_ENTRY, 'contentSync', 'content'),
  zipMethod('ZipBuffer', ZIP_BUFFER, 'addSync', 'add'),
  zipMethod('ZipBuffer', ZIP_BUFFER, 'toBufferSync', 'toBuffer'),
  zipMethod('ZipFile', ZIP_FILE, 'addSync', 'add'),
  zipMethod('ZipFile', ZIP_FILE, 'addEntrySync', 'addEntry'),
  zipMethod('ZipFile', ZIP_FILE, 'closeSync', 'close'),
  zipMethod('ZipFile', ZIP_FILE, 'deleteSync', 'delete'),
  zipMethod('ZipFile', ZIP_FILE, 'getSync', 'get'),
  {
    ...zipMethod('ZipFile', ZIP_FILE, 'compactSync', 'compact'),
    asyncForm: { kind: 'none', advice: 'compact() returns a stream instead of one Buffer' },
  },
  {
    ...zipMethod('ZipFile', ZIP_FILE, 'entriesSync', 'entries'),
    asyncForm: { kind: 'none', advice: 'iterate over entries() with `for await`' },
  },
  {
    ...zipMethod('ZipFile', ZIP_FILE, 'valuesSync', 'values'),
    asyncForm: { kind: 'none', advice: 'iterate over values() with `for await`' },
  },
  zipMethod('ZipFile', ZIP_FILE, 'forEachSync', 'forEach'),
];

function zipMethod(className: string, madeBy: readonly Maker[], name: string, asyncName: string): BlockingCall {
  return {
    module: 'zlib',
    className,
    madeBy,
    path: [name],
    category: 'archive',
    cost: className === 'ZipFile' ? 'io' : 'cpu',
    nodeRange: ZIP_RANGE,
    source: ZIP,
    asyncForm: { kind: 'method', name: asyncName, style: 'promise', result: 'same' },
  };
}

export const CORE_CRYPTO: readonly BlockingCall[] = [
  // 40 to 47 ms for 100,000 rounds of SHA-512.
  { module: 'crypto', path: ['pbkdf2Sync'], category: 'crypto', cost: 'cpu', asyncForm: callback('node:crypto', 'pbkdf2'), source: CRYPTO },
  // 29 to 31 ms with the default cost.
  { module: 'crypto', path: ['scryptSync'], category: 'crypto', cost: 'cpu', asyncForm: callback('node:crypto', 'scrypt'), source: CRYPTO },
  // 110 to 126 ms for argon2id with 64 MiB and three passes.
  {
    module: 'crypto',
    path: ['argon2Sync'],
    category: 'crypto',
    cost: 'cpu',
    nodeRange: '>=24.7.0',
    asyncForm: callback('node:crypto', 'argon2'),
    source: CRYPTO,
  },
  // 4 to 9 µs for 64 bytes and at most 50 µs: the thread pool costs more than it saves.
  {
    module: 'crypto',
    path: ['hkdfSync'],
    category: 'crypto',
    cost: 'cpu',
    level: 'hint',
    asyncForm: callback('node:crypto', 'hkdf'),
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['generateKeyPairSync'],
    category: 'crypto',
    cost: 'cpu',
    cheaper: { argument: 0, oneOf: CURVES, level: 'hint' },
    asyncForm: {
      kind: 'callback',
      module: 'node:crypto',
      path: ['generateKeyPair'],
      result: 'same',
      note: 'promisified, it resolves to { publicKey, privateKey }',
    },
    source: CRYPTO,
  },
  // 2 µs: random bytes with a wrapper.
  {
    module: 'crypto',
    path: ['generateKeySync'],
    category: 'crypto',
    cost: 'cpu',
    level: 'hint',
    asyncForm: callback('node:crypto', 'generateKey'),
    source: CRYPTO,
  },
  // 1 ms for 256 bits, 28 to 32 ms for 1,024.
  {
    module: 'crypto',
    path: ['generatePrimeSync'],
    category: 'crypto',
    cost: 'cpu',
    asyncForm: callback('node:crypto', 'generatePrime'),
    source: CRYPTO,
  },
  // 0.8 ms for a prime of 256 bits, 16 ms for 1,024.
  {
    module: 'crypto',
    path: ['checkPrimeSync'],
    category: 'crypto',
    cost: 'cpu',
    asyncForm: callback('node:crypto', 'checkPrime'),
    source: CRYPTO,
  },
  // The size is the buffer's own and often not in sight; 16 bytes take 1.4 µs.
  {
    module: 'crypto',
    path: ['randomFillSync'],
    category: 'crypto',
    cost: 'cpu',
    level: 'hint',
    when: { unlessSmallBuffer: { index: 0, under: LARGE_RANDOM } },
    asyncForm: callback('node:crypto', 'randomFill'),
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['randomBytes'],
    category: 'crypto',
    cost: 'cpu',
    when: { noCallbackFrom: 1, sizeArgument: { index: 0, atLeast: LARGE_RANDOM } },
    asyncForm: callback('node:crypto', 'randomBytes'),
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['pseudoRandomBytes'],
    category: 'crypto',
    cost: 'cpu',
    when: { noCallbackFrom: 1, sizeArgument: { index: 0, atLeast: LARGE_RANDOM } },
    asyncForm: callback('node:crypto', 'randomBytes'),
    source: CRYPTO,
  },
  {
    // Given a length it looks for a safe prime: 46 to 61 ms for 512 bits, and far more for a useful size.
    module: 'crypto',
    path: ['createDiffieHellman'],
    category: 'crypto',
    cost: 'cpu',
    when: { numberArgument: 0 },
    source: CRYPTO,
    asyncForm: {
      kind: 'none',
      advice: 'use a fixed group (getDiffieHellman) or an elliptic curve (createECDH), or generate the prime once at startup',
    },
  },
  // Signing and opening with a private key: 0.24 ms with RSA 2,048, 1.4 to 4 ms with RSA 4,096, 23 µs with P-256; with a public
  // key 20 to 65 µs. The key's kind is not in the code, so a report would be wrong more often than right.
  {
    module: 'crypto',
    path: ['sign'],
    category: 'crypto',
    cost: 'cpu',
    level: 'off',
    when: { noCallbackFrom: 3 },
    asyncForm: callback('node:crypto', 'sign'),
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['verify'],
    category: 'crypto',
    cost: 'cpu',
    level: 'off',
    when: { noCallbackFrom: 4 },
    asyncForm: callback('node:crypto', 'verify'),
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['encapsulate'],
    category: 'crypto',
    cost: 'cpu',
    level: 'off',
    nodeRange: '>=24.7.0',
    when: { noCallbackFrom: 1 },
    asyncForm: callback('node:crypto', 'encapsulate'),
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['decapsulate'],
    category: 'crypto',
    cost: 'cpu',
    level: 'off',
    nodeRange: '>=24.7.0',
    when: { noCallbackFrom: 2 },
    asyncForm: callback('node:crypto', 'decapsulate'),
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['privateDecrypt'],
    category: 'crypto',
    cost: 'cpu',
    level: 'off',
    asyncForm: { kind: 'none', advice: 'subtle.decrypt of node:crypto runs on the thread pool' },
    source: CRYPTO,
  },
  {
    module: 'crypto',
    path: ['privateEncrypt'],
    category: 'crypto',
    cost: 'cpu',
    level: 'off',
    asyncForm: { kind: 'none', advice: 'sign() with a callback runs on the thread pool' },
    source: CRYPTO,
  },
];

export const CORE_WAIT: readonly BlockingCall[] = [
  {
    root: 'global',
    module: 'Atomics',
    path: ['wait'],
    category: 'wait',
    cost: 'wait',
    source: ATOMICS_WAIT,
    asyncForm: {
      kind: 'none',
      advice: 'Atomics.waitAsync returns { async, value }: await its `value`, or send a message to the worker and await the reply',
    },
  },
];

// Every call of node:sqlite is synchronous, by design: 7 µs for a row by its key, 0.6 ms for an insert with its own commit, 4 ms for
// a scan of 100,000 rows. Whoever chose it knows; a warning at every query of a program would be noise. So: off, for the profiler.
const STATEMENTS: readonly Maker[] = [{ path: ['DatabaseSync'], by: 'new', then: ['prepare'] }];
const DATABASE: readonly Maker[] = [{ path: ['DatabaseSync'], by: 'new' }];
const TAG_STORE: readonly Maker[] = [{ path: ['DatabaseSync'], by: 'new', then: ['createTagStore'] }];
const IN_A_WORKER: AsyncForm = { kind: 'none', advice: 'node:sqlite has no asynchronous form: keep slow queries in a worker thread' };

export const CORE_SQLITE: readonly BlockingCall[] = [
  {
    module: 'sqlite',
    path: ['DatabaseSync'],
    by: 'new',
    category: 'sqlite',
    cost: 'io',
    level: 'off',
    nodeRange: '>=22.5.0',
    asyncForm: IN_A_WORKER,
    source: SQLITE,
  },
  ...sqlite('DatabaseSync', DATABASE, '>=22.5.0', ['exec', 'open', 'close']),
  ...sqlite('DatabaseSync', DATABASE, '>=22.12.0', ['applyChangeset']),
  ...sqlite('DatabaseSync', DATABASE, '>=22.13.0 <23.0.0 || >=23.5.0', ['loadExtension']),
  // Backported to 24 between 24.14 and 24.16; not in 25.9.
  ...sqlite('DatabaseSync', DATABASE, '>=24.16.0 <25.0.0 || >=26.1.0', ['serialize', 'deserialize']),
  ...sqlite('StatementSync', STATEMENTS, '>=22.5.0', ['run', 'get', 'all']),
  ...sqlite('StatementSync', STATEMENTS, '>=22.13.0 <23.0.0 || >=23.4.0', ['iterate']),
  ...sqlite('SQLTagStore', TAG_STORE, '>=24.9.0', ['run', 'get', 'all', 'iterate']),
];

function sqlite(className: string, madeBy: readonly Maker[], nodeRange: string, names: readonly string[]): BlockingCall[] {
  return names.map((name) => ({
    module: 'sqlite',
    className,
    madeBy,
    path: [name],
    category: 'sqlite',
    cost: 'io',
    level: 'off',
    nodeRange,
    asyncForm: IN_A_WORKER,
    source: className === 'StatementSync' ? STATEMENT : SQLITE,
  }));
}

// Deliberate looks into a running program. They block for long (a heap snapshot of an empty program 90 to 115 ms, a report 1 to 3 ms),
// but a route that makes one is a diagnostic route, and its author means it.
export const CORE_DIAGNOSTICS: readonly BlockingCall[] = [
  {
    module: 'v8',
    path: ['writeHeapSnapshot'],
    category: 'diagnostics',
    cost: 'cpu',
    level: 'hint',
    asyncForm: { kind: 'none', advice: 'take the instance out of service first' },
    source: HEAP_SNAPSHOT,
  },
  {
    module: 'v8',
    path: ['getHeapSnapshot'],
    category: 'diagnostics',
    cost: 'cpu',
    level: 'hint',
    asyncForm: { kind: 'none', advice: 'take the instance out of service first' },
    source: HEAP_SNAPSHOT,
  },
  {
    root: 'global',
    module: 'process',
    path: ['report', 'writeReport'],
    category: 'diagnostics',
    cost: 'io',
    level: 'hint',
    asyncForm: { kind: 'none', advice: 'none' },
    source: REPORT,
  },
  {
    root: 'global',
    module: 'process',
    path: ['report', 'getReport'],
    category: 'diagnostics',
    cost: 'cpu',
    level: 'hint',
    asyncForm: { kind: 'none', advice: 'none' },
    source: REPORT,
  },
  {
    root: 'global',
    module: 'process',
    path: ['loadEnvFile'],
    category: 'fs',
    cost: 'io',
    nodeRange: '>=20.12.0 <21.0.0 || >=21.7.0',
    asyncForm: { kind: 'none', advice: 'call it once, before the server starts' },
    source: LOAD_ENV,
  },
];

// Code of somebody else: how long it runs, nobody knows, and its option `timeout` only ends it. What runs the same code each time is told by
// no-setup-per-request.
const RUNS_CODE = {
  module: 'vm',
  category: 'wait',
  cost: 'cpu',
  level: 'hint',
  waitsFor: 'the code ends, or its `timeout` is over',
  asyncForm: {
    kind: 'none',
    advice: 'it runs on this thread',
    remedy: 'Run the code in a worker thread or another process, and end that if it takes too long.',
  },
  source: 'https://nodejs.org/api/vm.html',
} as const satisfies Partial<BlockingCall>;

export const CORE_CODE: readonly BlockingCall[] = ['runInContext', 'runInNewContext', 'runInThisContext'].flatMap(
  (name): BlockingCall[] => [
    { ...RUNS_CODE, path: [name], when: { changingText: 0, notFromOutside: 0 } },
    {
      ...RUNS_CODE,
      path: [name],
      className: 'Script',
      madeBy: [{ path: ['Script'], by: 'new', changing: 0 }],
      when: { ownObject: true },
    },
  ],
);

export interface LeftOut {
  module: string;
  /** Dotted; `Class#method` for methods. */
  name: string;
  reason: string;
}

/** What looks like a blocking call, by its name or by what the documentation lists, and why it has no row. */
export const LEFT_OUT: readonly LeftOut[] = [
  { module: 'fs', name: 'fsync', reason: 'fsync(2), which takes a callback' },
  { module: 'fs', name: 'Dir#readSyncRecursive', reason: 'internal to Dir#readSync, not documented, gone in Node 25' },
  { module: 'module', name: 'syncBuiltinESMExports', reason: 'synchronize, not synchronous' },
  { module: 'dgram', name: 'Socket#bindSync', reason: 'one quick system call; rejects host names, so it never waits for DNS' },
  { module: 'dgram', name: 'Socket#connectSync', reason: 'one quick system call; rejects host names, so it never waits for DNS' },
  { module: 'sqlite', name: 'StatementSync', reason: 'never called: statements come from prepare()' },
  { module: 'crypto', name: 'randomInt', reason: '0.1 µs: takes from a buffer filled before' },
  { module: 'crypto', name: 'randomUUID', reason: '0.1 µs: takes from a buffer filled before' },
  {
    module: 'crypto',
    name: 'createHash',
    reason: '0.6 ms per MiB of what the caller passes; its only asynchronous form is streams on the same thread',
  },
  { module: 'crypto', name: 'hash', reason: 'as createHash' },
  { module: 'crypto', name: 'publicEncrypt', reason: '20 to 67 µs; no asynchronous form' },
  { module: 'crypto', name: 'publicDecrypt', reason: 'as publicEncrypt' },
  { module: 'zlib', name: 'crc32', reason: '0.2 ms per MiB; no asynchronous form' },
  { module: 'worker_threads', name: 'receiveMessageOnPort', reason: 'returns undefined when there is no message: it does not wait' },
  { module: 'inspector', name: 'waitForDebugger', reason: 'stops the program on purpose, only in debugging sessions' },
  {
    module: 'module',
    name: 'createRequire',
    reason: 'require() reads files, but only in its first call for a module; it needs a rule that knows which call is first',
  },
];
