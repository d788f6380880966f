// File-system calls of Node 18 to 26 that hold up the event loop until the disk has answered.
import type { AsyncForm, BlockingCall } from './blocking-call.ts';

// "The synchronous APIs perform all operations synchronously, blocking the event loop until the operation completes or fails."
const SYNC_API = 'https://nodejs.org/api/fs.html#synchronous-api';
const DIR = 'https://nodejs.org/api/fs.html#class-fsdir';
const UTF8_STREAM = 'https://nodejs.org/api/fs.html#class-fsutf8stream';

function promise(name: string, note?: string): AsyncForm {
  return { kind: 'promise', module: 'node:fs/promises', path: [name], result: 'same', note };
}

/** Calls on a number file descriptor have no promise form: a FileHandle's methods do that work, and it is not a number. */
function onDescriptor(name: string): AsyncForm {
  return {
    kind: 'callback',
    module: 'node:fs',
    path: [name],
    result: 'same',
    note: 'takes the same numeric file descriptor; a FileHandle from node:fs/promises also has this method',
  };
}

function other(kind: 'promise' | 'callback', name: string, note: string): AsyncForm {
  return { kind, module: kind === 'promise' ? 'node:fs/promises' : 'node:fs', path: [name], result: 'differs', note };
}

const FILE_OR_HANDLE = 'takes a path or a FileHandle, not a numeric file descriptor';
// Measured: Node 20.20 and 22.23 reject all the same; 24.21, 25.9 and 26.10 honour it in stat, none of them in lstat.
const THROW_IF_NO_ENTRY = 'on Node 18 to 22, `throwIfNoEntry: false` is not honored: it rejects if the file is missing';

// What only asks about one path, on a local disk: 2 to 3 µs (99th percentile 2 to 22 µs, Node 20.20 to 26.10), `realpathSync` 5 to 11 µs
// (12 to 38 µs, Node 20.20). `await stat` costs a request as much processor time as `statSync` (bench/fix-costs.json).
const took = (time: string) => `One call took ${time} on a local disk.`;
const OF_MICROSECONDS = { single: 'hint', took: took('2 to 3 µs') } as const;
const REALPATH = { single: 'hint', took: took('5 to 11 µs') } as const;

// What only changes one entry of a folder, on a local disk (ext4, Node 20.20): 4 to 6 µs (`chmodSync`, `utimesSync`, `readlinkSync`), 15 to
// 30 µs (`unlinkSync` and `rmSync` of 1 KiB, `renameSync`, `mkdirSync`), 110 to 190 µs (`rmdirSync`); to await them took 2 to 5 times as
// long. It is as long as the file is: `unlinkSync` of 1 MiB takes 58 to 71 µs, and of 100 MiB 13 ms. `closeSync` takes 1 µs after reading,
// 40 and 59 µs after writing 1 KiB and 1 MiB; `openSync` takes 2 µs to read, 19 µs to create a file, and 3.3 ms to empty one of 1 MiB.
const ATTRIBUTES = { single: 'hint', took: took('4 to 6 µs') } as const;
const FILE_ENTRY = { single: 'hint', took: took('15 to 30 µs for a small file') } as const;
const FOLDER_ENTRY = { single: 'hint', took: took('29 to 190 µs') } as const;
// Measured with Node 20.20, 22.23, and 24.21 on a busy machine (ext4, warm): `readdirSync` 9 µs for 10 entries, 42 µs for 100, and 0.46 ms
// for 1,000, with or without `withFileTypes`; `fstatSync`, `statfsSync`, `fchmodSync`, `fchownSync`, and `futimesSync` 1 to 2 µs;
// `chownSync`, `lchownSync`, and `lutimesSync` 3 µs; `symlinkSync`, `linkSync`, and `openSync` of a new file 17 to 20 µs (Node 20.20).
const LISTING = { single: 'hint', took: took('9 µs for 10 entries, and 0.5 ms for 1,000,') } as const;
const ON_DESCRIPTOR = { single: 'hint', took: took('1 to 3 µs') } as const;
const NEW_ENTRY = { single: 'hint', took: took('17 to 20 µs') } as const;
const CLOSING = { single: 'hint', took: took('1 µs after reading, and 40 to 59 µs after writing up to 1 MiB,') } as const;

export const CORE_FS: readonly BlockingCall[] = [
  { module: 'fs', path: ['accessSync'], category: 'fs', cost: 'io', ...OF_MICROSECONDS, asyncForm: promise('access'), source: SYNC_API },
  {
    module: 'fs',
    path: ['appendFileSync'],
    category: 'fs',
    cost: 'io',
    asyncForm: promise('appendFile', FILE_OR_HANDLE),
    source: SYNC_API,
  },
  { module: 'fs', path: ['chmodSync'], category: 'fs', cost: 'io', ...ATTRIBUTES, asyncForm: promise('chmod'), source: SYNC_API },
  { module: 'fs', path: ['chownSync'], category: 'fs', cost: 'io', ...ON_DESCRIPTOR, asyncForm: promise('chown'), source: SYNC_API },
  { module: 'fs', path: ['closeSync'], category: 'fs', cost: 'io', ...CLOSING, asyncForm: onDescriptor('close'), source: SYNC_API },
  { module: 'fs', path: ['copyFileSync'], category: 'fs', cost: 'io', asyncForm: promise('copyFile'), source: SYNC_API },
  { module: 'fs', path: ['cpSync'], category: 'fs', cost: 'io', asyncForm: promise('cp'), source: SYNC_API },
  {
    module: 'fs',
    path: ['existsSync'],
    category: 'fs',
    cost: 'io',
    ...OF_MICROSECONDS,
    source: SYNC_API,
    asyncForm: other(
      'promise',
      'access',
      'rejects instead of returning false: `await access(path).then(() => true, () => false)`; better yet, open the file and handle ENOENT',
    ),
  },
  { module: 'fs', path: ['fchmodSync'], category: 'fs', cost: 'io', ...ON_DESCRIPTOR, asyncForm: onDescriptor('fchmod'), source: SYNC_API },
  { module: 'fs', path: ['fchownSync'], category: 'fs', cost: 'io', ...ON_DESCRIPTOR, asyncForm: onDescriptor('fchown'), source: SYNC_API },
  { module: 'fs', path: ['fdatasyncSync'], category: 'fs', cost: 'io', asyncForm: onDescriptor('fdatasync'), source: SYNC_API },
  { module: 'fs', path: ['fstatSync'], category: 'fs', cost: 'io', ...ON_DESCRIPTOR, asyncForm: onDescriptor('fstat'), source: SYNC_API },
  { module: 'fs', path: ['fsyncSync'], category: 'fs', cost: 'io', asyncForm: onDescriptor('fsync'), source: SYNC_API },
  {
    module: 'fs',
    path: ['ftruncateSync'],
    category: 'fs',
    cost: 'io',
    asyncForm: onDescriptor('ftruncate'),
    source: SYNC_API,
  },
  {
    module: 'fs',
    path: ['futimesSync'],
    category: 'fs',
    cost: 'io',
    ...ON_DESCRIPTOR,
    asyncForm: onDescriptor('futimes'),
    source: SYNC_API,
  },
  {
    module: 'fs',
    path: ['globSync'],
    category: 'fs',
    cost: 'io',
    nodeRange: '>=22.0.0',
    source: SYNC_API,
    asyncForm: other('promise', 'glob', 'returns an async iterator: `await Array.fromAsync(glob(pattern))`'),
  },
  { module: 'fs', path: ['lchmodSync'], category: 'fs', cost: 'io', platforms: ['darwin'], asyncForm: promise('lchmod'), source: SYNC_API },
  { module: 'fs', path: ['lchownSync'], category: 'fs', cost: 'io', ...ON_DESCRIPTOR, asyncForm: promise('lchown'), source: SYNC_API },
  { module: 'fs', path: ['linkSync'], category: 'fs', cost: 'io', ...NEW_ENTRY, asyncForm: promise('link'), source: SYNC_API },
  {
    module: 'fs',
    path: ['lstatSync'],
    category: 'fs',
    cost: 'io',
    ...OF_MICROSECONDS,
    asyncForm: promise('lstat', '`throwIfNoEntry: false` is not honored: it rejects if the file is missing (measured on Node 20 to 26)'),
    source: SYNC_API,
  },
  { module: 'fs', path: ['lutimesSync'], category: 'fs', cost: 'io', ...ON_DESCRIPTOR, asyncForm: promise('lutimes'), source: SYNC_API },
  { module: 'fs', path: ['mkdirSync'], category: 'fs', cost: 'io', ...FOLDER_ENTRY, asyncForm: promise('mkdir'), source: SYNC_API },
  { module: 'fs', path: ['mkdtempSync'], category: 'fs', cost: 'io', asyncForm: promise('mkdtemp'), source: SYNC_API },
  {
    module: 'fs',
    path: ['mkdtempDisposableSync'],
    category: 'fs',
    cost: 'io',
    nodeRange: '>=24.4.0',
    source: SYNC_API,
    asyncForm: other(
      'promise',
      'mkdtempDisposable',
      'the result is disposed of asynchronously: `await using`, and `await folder.remove()`',
    ),
  },
  {
    // The blob is only a reference to the file: `openAsBlob` makes it the same way, behind a promise (lib/fs.js of 26.10.0).
    module: 'fs',
    path: ['openAsBlobSync'],
    category: 'fs',
    cost: 'io',
    level: 'off',
    nodeRange: '>=26.10.0',
    source: SYNC_API,
    asyncForm: { kind: 'promise', module: 'node:fs', path: ['openAsBlob'], result: 'same' },
  },
  {
    module: 'fs',
    path: ['openSync'],
    category: 'fs',
    cost: 'io',
    cheaper: { argument: 1, oneOf: ['r', 'r+', 'a', 'a+', 'ax', 'ax+', 'wx', 'wx+'], orNone: true, level: 'hint' },
    asyncForm: onDescriptor('open'),
    note: 'open() of node:fs/promises resolves to a FileHandle, not to a number',
    source: SYNC_API,
  },
  { module: 'fs', path: ['opendirSync'], category: 'fs', cost: 'io', asyncForm: promise('opendir'), source: SYNC_API },
  { module: 'fs', path: ['readFileSync'], category: 'fs', cost: 'io', asyncForm: promise('readFile', FILE_OR_HANDLE), source: SYNC_API },
  {
    module: 'fs',
    path: ['readSync'],
    category: 'fs',
    cost: 'io',
    asyncForm: other('callback', 'read', 'promisified, it resolves to { bytesRead, buffer } instead of the number of bytes'),
    source: SYNC_API,
  },
  { module: 'fs', path: ['readdirSync'], category: 'fs', cost: 'io', ...LISTING, asyncForm: promise('readdir'), source: SYNC_API },
  { module: 'fs', path: ['readlinkSync'], category: 'fs', cost: 'io', ...ATTRIBUTES, asyncForm: promise('readlink'), source: SYNC_API },
  {
    module: 'fs',
    path: ['readvSync'],
    category: 'fs',
    cost: 'io',
    asyncForm: other('callback', 'readv', 'promisified, it resolves to { bytesRead, buffers } instead of the number of bytes'),
    source: SYNC_API,
  },
  {
    module: 'fs',
    path: ['realpathSync'],
    category: 'fs',
    cost: 'io',
    ...REALPATH,
    asyncForm: promise(
      'realpath',
      'uses the operating system, as realpathSync.native does: on case-insensitive file systems, the letter case may differ',
    ),
    source: SYNC_API,
  },
  {
    module: 'fs',
    path: ['realpathSync', 'native'],
    category: 'fs',
    cost: 'io',
    ...REALPATH,
    asyncForm: promise('realpath'),
    source: SYNC_API,
  },
  { module: 'fs', path: ['renameSync'], category: 'fs', cost: 'io', ...FILE_ENTRY, asyncForm: promise('rename'), source: SYNC_API },
  { module: 'fs', path: ['rmSync'], category: 'fs', cost: 'io', ...FILE_ENTRY, asyncForm: promise('rm'), source: SYNC_API },
  { module: 'fs', path: ['rmdirSync'], category: 'fs', cost: 'io', ...FOLDER_ENTRY, asyncForm: promise('rmdir'), source: SYNC_API },
  {
    module: 'fs',
    path: ['statSync'],
    category: 'fs',
    cost: 'io',
    ...OF_MICROSECONDS,
    asyncForm: promise('stat', THROW_IF_NO_ENTRY),
    source: SYNC_API,
  },
  {
    module: 'fs',
    path: ['statfsSync'],
    category: 'fs',
    cost: 'io',
    ...ON_DESCRIPTOR,
    nodeRange: '>=18.15.0 <19.0.0 || >=19.6.0',
    asyncForm: promise('statfs'),
    source: SYNC_API,
  },
  { module: 'fs', path: ['symlinkSync'], category: 'fs', cost: 'io', ...NEW_ENTRY, asyncForm: promise('symlink'), source: SYNC_API },
  { module: 'fs', path: ['truncateSync'], category: 'fs', cost: 'io', asyncForm: promise('truncate', FILE_OR_HANDLE), source: SYNC_API },
  { module: 'fs', path: ['unlinkSync'], category: 'fs', cost: 'io', ...FILE_ENTRY, asyncForm: promise('unlink'), source: SYNC_API },
  { module: 'fs', path: ['utimesSync'], category: 'fs', cost: 'io', ...ATTRIBUTES, asyncForm: promise('utimes'), source: SYNC_API },
  { module: 'fs', path: ['writeFileSync'], category: 'fs', cost: 'io', asyncForm: promise('writeFile', FILE_OR_HANDLE), source: SYNC_API },
  {
    module: 'fs',
    path: ['writeSync'],
    category: 'fs',
    cost: 'io',
    asyncForm: other(
      'callback',
      'write',
      'promisified, it resolves to { bytesWritten, buffer } instead of the number of bytes, and may write less than requested',
    ),
    source: SYNC_API,
  },
  {
    module: 'fs',
    path: ['writevSync'],
    category: 'fs',
    cost: 'io',
    asyncForm: other('callback', 'writev', 'promisified, it resolves to { bytesWritten, buffers } instead of the number of bytes'),
    source: SYNC_API,
  },
  {
    module: 'fs',
    path: ['readSync'],
    className: 'Dir',
    category: 'fs',
    cost: 'io',
    source: DIR,
    madeBy: [
      { path: ['opendirSync'], by: 'call' },
      { path: ['promises', 'opendir'], by: 'call' },
    ],
    asyncForm: { kind: 'method', name: 'read', style: 'promise', result: 'same' },
  },
  {
    module: 'fs',
    path: ['closeSync'],
    className: 'Dir',
    category: 'fs',
    cost: 'io',
    source: DIR,
    madeBy: [
      { path: ['opendirSync'], by: 'call' },
      { path: ['promises', 'opendir'], by: 'call' },
    ],
    asyncForm: { kind: 'method', name: 'close', style: 'promise', result: 'same' },
  },
  {
    // Meant for the last moment before the process ends, where nothing else works.
    module: 'fs',
    path: ['flushSync'],
    className: 'Utf8Stream',
    category: 'fs',
    cost: 'io',
    level: 'hint',
    nodeRange: '>=24.6.0',
    source: UTF8_STREAM,
    madeBy: [{ path: ['Utf8Stream'], by: 'new' }],
    asyncForm: { kind: 'method', name: 'flush', style: 'callback', result: 'same' },
  },
];
