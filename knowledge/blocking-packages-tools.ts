// Blocking calls of packages from npm that read, lock, hash, compress, or compile. Every row was run in the versions that it names: it
// returned its result before the event loop turned once, and its asynchronous form gave the same result. Where that form keeps the loop
// from turning, too, the row says so and names another way.
import type { AsyncForm, BlockingCall } from './blocking-call.ts';
import { calls, differs, none, promise, type Common } from './blocking-rows.ts';

function io(module: string, source: string): Common {
  return { module, category: 'fs', cost: 'io', source };
}

function spawn(module: string, source: string): Common {
  return { module, category: 'process', cost: 'spawn', source };
}

function cpu(module: string, category: Common['category'], source: string): Common {
  return { module, category, cost: 'cpu', source };
}

function callback(module: string, dotted: string): AsyncForm {
  return { kind: 'callback', module, path: dotted === '' ? [] : dotted.split('.'), result: 'same' };
}

// ---- files -----------------------------------------------------------------------------------------------------------------

const OTHER_ARGUMENTS = 'since version 4, it takes an object with the length and the position';
const WHICH_COMMIT = none('read it once at startup, or when the image is built: the commit of a running program does not change');

const FILES: readonly BlockingCall[] = [
  ...calls(io('isbinaryfile', 'isbinaryfile@5.0.7 lib/index.js, isbinaryfile@6.0.0 lib/index.js'), {
    isBinaryFileSync: promise('isbinaryfile', 'isBinaryFile'),
  }),
  ...calls(io('md5-file', 'md5-file@5.0.0 index.js'), { sync: promise('md5-file', '') }),
  ...calls(io('sha256-file', 'sha256-file@1.0.0 index.js'), { '': callback('sha256-file', '') }).map(
    (row): BlockingCall => ({ ...row, when: { noCallbackFrom: 1 } }),
  ),
  ...calls(io('hasha', 'hasha@5.2.2 index.js, hasha@7.0.0 index.js'), {
    fromFileSync: promise('hasha', 'fromFile'),
    hashFileSync: promise('hasha', 'hashFile'),
  }),
  ...calls(io('proper-lockfile', 'proper-lockfile@4.1.2 index.js'), {
    lockSync: differs('promise', 'proper-lockfile', 'lock', 'the function that releases the lock then returns a promise'),
    unlockSync: promise('proper-lockfile', 'unlock'),
    checkSync: promise('proper-lockfile', 'check'),
  }),
  ...calls(io('lockfile', 'lockfile@1.0.4 lockfile.js'), {
    lockSync: callback('lockfile', 'lock'),
    unlockSync: callback('lockfile', 'unlock'),
    checkSync: callback('lockfile', 'check'),
  }),
  ...calls(io('read-yaml-file', 'read-yaml-file@2.1.0 index.js, read-yaml-file@3.0.0 index.js'), {
    sync: promise('read-yaml-file', ''),
    readYamlFileSync: promise('read-yaml-file', 'readYamlFile'),
  }),
  ...calls(io('load-yaml-file', 'load-yaml-file@0.2.0 index.js, load-yaml-file@1.0.0 index.js'), {
    sync: promise('load-yaml-file', ''),
    loadYamlFileSync: promise('load-yaml-file', 'loadYamlFile'),
  }),
  ...calls(io('write-yaml-file', 'write-yaml-file@5.0.0 index.js, write-yaml-file@6.0.0 index.js'), {
    sync: promise('write-yaml-file', ''),
    writeYamlFileSync: promise('write-yaml-file', 'writeYamlFile'),
  }),
  ...calls(io('simple-plist', 'simple-plist@1.4.0 dist/index.js'), {
    readFileSync: callback('simple-plist', 'readFile'),
    writeFileSync: callback('simple-plist', 'writeFile'),
    writeBinaryFileSync: callback('simple-plist', 'writeBinaryFile'),
  }),
  ...calls(io('temp-write', 'temp-write@6.0.1 index.js'), { sync: promise('temp-write', '') }),
  ...calls(io('tempy', 'tempy@1.0.1 index.js, tempy@3.2.0 index.js'), {
    writeSync: promise('tempy', 'write'),
    temporaryWriteSync: promise('tempy', 'temporaryWrite'),
  }),
  ...calls(io('read-chunk', 'read-chunk@3.2.0 index.js, read-chunk@5.0.0 index.js'), {
    sync: differs('promise', 'read-chunk', '', OTHER_ARGUMENTS),
    readChunkSync: promise('read-chunk', 'readChunk'),
  }),
  ...calls(io('cp-file', 'cp-file@9.1.0 index.js, cp-file@11.0.0 index.js'), {
    sync: promise('cp-file', ''),
    copyFileSync: promise('cp-file', 'copyFile'),
  }),
  ...calls(io('pkg-conf', 'pkg-conf@3.1.0 index.js, pkg-conf@5.0.0 index.js'), {
    sync: promise('pkg-conf', ''),
    packageConfigSync: promise('pkg-conf', 'packageConfig'),
  }),
  ...calls(io('dir-glob', 'dir-glob@3.0.1 index.js'), { sync: promise('dir-glob', '') }),
  ...calls(io('empty-dir', 'empty-dir@3.0.0 index.js'), { sync: promise('empty-dir', '') }),
  ...calls(io('fs-readdir-recursive', 'fs-readdir-recursive@1.1.0 index.js'), {
    '': none('readdir() of node:fs/promises with { recursive: true }, from Node 18.17 on'),
  }),
  ...calls(io('git-rev-sync', 'git-rev-sync@3.0.2 index.js'), { short: WHICH_COMMIT, long: WHICH_COMMIT, branch: WHICH_COMMIT }),
  ...calls(io('git-repo-info', 'git-repo-info@2.1.1 index.js'), { '': WHICH_COMMIT }),
  // Reads the template each time, unless its option `cache` is set. With a callback, too.
  ...calls(io('pug', 'pug@3.0.4 lib/index.js'), {
    renderFile: none('compileFile() once at startup returns a function that renders'),
    compileFile: none('compile once at startup'),
  }).map((row): BlockingCall => ({ ...row, when: { unlessOption: 'cache' } })),
];

// ---- processes -------------------------------------------------------------------------------------------------------------

const PROCESSES: readonly BlockingCall[] = [
  ...calls(spawn('git-rev-sync', 'git-rev-sync@3.0.2 index.js'), {
    count: WHICH_COMMIT,
    date: WHICH_COMMIT,
    message: WHICH_COMMIT,
    tag: WHICH_COMMIT,
  }),
  ...calls(spawn('git-describe', 'git-describe@4.1.1 lib/git-describe.js'), { gitDescribeSync: promise('git-describe', 'gitDescribe') }),
  ...calls(spawn('current-git-branch', 'current-git-branch@2.0.2 lib/index.js'), { '': WHICH_COMMIT }),
  ...calls(spawn('node-cmd', 'node-cmd@5.0.0 cmd.js'), {
    runSync: differs('callback', 'node-cmd', 'run', 'the callback receives (error, data, stderr) instead of one object'),
  }),
  ...calls(spawn('zx', 'zx@8.8.5 build/core.cjs'), { '$.sync': promise('zx', '$') }).map((row): BlockingCall => ({ ...row, by: 'tag' })),
];

// ---- keys ------------------------------------------------------------------------------------------------------------------

const KEYS: readonly BlockingCall[] = [
  ...calls(cpu('ssh2', 'crypto', 'ssh2@1.17.0 lib/keygen.js'), {
    'utils.generateKeyPairSync': {
      kind: 'callback',
      module: 'ssh2',
      path: ['utils', 'generateKeyPair'],
      result: 'same',
      note: 'utils.generateKeyPair() of ssh2 takes a callback, and computes on the thread pool',
    },
  }),
  ...calls(cpu('keypair', 'crypto', 'keypair@1.0.4 index.js'), {
    '': differs(
      'callback',
      'node:crypto',
      'generateKeyPair',
      'takes a type and encodings, and the callback receives (error, public, private)',
    ),
  }),
  ...calls(cpu('scryptsy', 'crypto', 'scryptsy@2.1.0 lib/index.js'), {
    '': differs('callback', 'node:crypto', 'scrypt', 'its parameters are options; async() of scryptsy computes on this thread'),
  }),
  ...calls(cpu('bip39', 'crypto', 'bip39@3.1.2 src/index.js'), {
    mnemonicToSeedSync: none('pbkdf2() of node:crypto runs on the thread pool; mnemonicToSeed() of bip39 computes on this thread'),
  }),
];

// ---- compression and pictures ----------------------------------------------------------------------------------------------

const PAKO_NOTE = 'returns a Buffer';
const FFLATE_NAMES = ['gzip', 'gunzip', 'deflate', 'inflate', 'zlib', 'unzlib', 'compress', 'decompress', 'zip', 'unzip'];
const PICTURES_ELSEWHERE = none('process pictures in a worker thread, or with sharp, which uses threads of its own');

const COMPRESSION: readonly BlockingCall[] = [
  // As long as the data is large; what that is, the call does not show.
  ...calls(cpu('pako', 'compression', 'pako@2.1.0 dist/pako.js, pako@3.0.3 dist/pako.js'), {
    gzip: differs('callback', 'node:zlib', 'gzip', PAKO_NOTE),
    ungzip: differs('callback', 'node:zlib', 'gunzip', PAKO_NOTE),
    deflate: differs('callback', 'node:zlib', 'deflate', PAKO_NOTE),
    inflate: differs('callback', 'node:zlib', 'inflate', PAKO_NOTE),
    deflateRaw: differs('callback', 'node:zlib', 'deflateRaw', PAKO_NOTE),
    inflateRaw: differs('callback', 'node:zlib', 'inflateRaw', PAKO_NOTE),
  }).map((row): BlockingCall => ({ ...row, level: 'hint' })),
  // The forms with a callback compute in a worker thread.
  ...calls(
    cpu('fflate', 'compression', 'fflate@0.8.3 lib/node.cjs'),
    Object.fromEntries(FFLATE_NAMES.map((name) => [`${name}Sync`, callback('fflate', name)])),
  ),
  ...calls(cpu('snappy', 'compression', 'snappy@7.4.3 index.js'), {
    compressSync: promise('snappy', 'compress'),
    uncompressSync: promise('snappy', 'uncompress'),
  }),
  ...calls(cpu('pngjs', 'parse', 'pngjs@7.0.0 lib/png.js'), { 'PNG.sync.read': PICTURES_ELSEWHERE, 'PNG.sync.write': PICTURES_ELSEWHERE }),
  ...calls(cpu('jpeg-js', 'parse', 'jpeg-js@0.4.4 index.js'), { encode: PICTURES_ELSEWHERE, decode: PICTURES_ELSEWHERE }),
  ...calls(cpu('qr-image', 'parse', 'qr-image@3.2.0 lib/qr.js'), {
    imageSync: none('image() returns a stream, and compresses on the thread pool'),
  }),
];

// ---- compilers -------------------------------------------------------------------------------------------------------------

const COMPILE_EARLIER = 'compile when the program is built, or once at startup';
const SASS = none(`${COMPILE_EARLIER}; the asynchronous form computes on this thread, too`);
const ON_THIS_THREAD = none(`${COMPILE_EARLIER}, or in a worker thread; the asynchronous form computes on this thread, too`);

const COMPILERS: readonly BlockingCall[] = [
  ...calls(cpu('sass', 'parse', 'sass@1.108.2 sass.node.js'), { compile: SASS, compileString: SASS, renderSync: SASS }),
  ...calls(
    { module: 'esbuild', category: 'parse', cost: 'wait', source: 'esbuild@0.28.2 lib/main.js' },
    {
      buildSync: promise('esbuild', 'build'),
      transformSync: promise('esbuild', 'transform'),
    },
  ),
  ...calls(cpu('terser', 'parse', 'terser@5.51.2 dist/bundle.min.js'), { minify_sync: ON_THIS_THREAD }),
  ...calls(cpu('@babel/core', 'parse', '@babel/core@7.29.13 lib/index.js'), {
    transformSync: ON_THIS_THREAD,
    transformFileSync: ON_THIS_THREAD,
    parseSync: ON_THIS_THREAD,
  }),
];

export const TOOL_CALLS: readonly BlockingCall[] = [...FILES, ...PROCESSES, ...KEYS, ...COMPRESSION, ...COMPILERS];
