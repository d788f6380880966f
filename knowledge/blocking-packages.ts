// Blocking calls of packages from npm. Every row was read in the published source of the version that it names; what could
// not be read there is not listed. `scripts/check-package-calls.ts` installs those versions and looks each path up again.
import type { AsyncForm, BlockingCall, Maker } from './blocking-call.ts';
import { ARCHIVE_CALLS } from './blocking-packages-archive.ts';
import { COMPUTING_CALLS } from './blocking-packages-compute.ts';
import { TOOL_CALLS } from './blocking-packages-tools.ts';
import { calls, differs, methods, none, promise, type Common } from './blocking-rows.ts';

/** Packages with all of a core module's exports; `source` is where that is to be read. */
export const SAME_AS_CORE: Readonly<Record<string, { module: string; source: string }>> = {
  'graceful-fs': { module: 'fs', source: 'graceful-fs@4.2.12 clone.js, graceful-fs.js' },
  'fs-extra': { module: 'fs', source: 'fs-extra@11.4.1 lib/fs/index.js' },
  'mz/fs': { module: 'fs', source: 'mz@2.7.0 fs.js' },
  'mz/child_process': { module: 'child_process', source: 'mz@2.7.0 child_process.js' },
};

function method(name: string): AsyncForm {
  return { kind: 'method', name, style: 'promise', result: 'same' };
}

// ---- passwords -------------------------------------------------------------------------------------------------------------

const BCRYPT: Common = { module: 'bcrypt', category: 'crypto', cost: 'cpu', source: 'bcrypt@6.0.0 bcrypt.js' };
// Its `hash` and `compare` call the synchronous ones in the next tick, so they block just as long.
const BCRYPT_NODEJS: Common = { module: 'bcrypt-nodejs', category: 'crypto', cost: 'cpu', source: 'bcrypt-nodejs@0.0.3 bCrypt.js' };
const LEAVE_BCRYPT_NODEJS = none('every form of bcrypt-nodejs computes on this thread; the bcrypt package hashes on the thread pool');
const NODE_RS_BCRYPT: Common = { module: '@node-rs/bcrypt', category: 'crypto', cost: 'cpu', source: '@node-rs/bcrypt@2.0.0 index.js' };
const NODE_RS_ARGON2: Common = { module: '@node-rs/argon2', category: 'crypto', cost: 'cpu', source: '@node-rs/argon2@2.2.1 index.d.ts' };

// Rounds double with each step of the cost: at 6, it takes a sixteenth of what it takes at 10.
const LOW_COST = { argument: 1, oneOf: ['4', '5', '6'], level: 'hint' } as const;

const PASSWORDS: readonly BlockingCall[] = [
  ...calls(BCRYPT, { hashSync: promise('bcrypt', 'hash'), compareSync: promise('bcrypt', 'compare') }).map(
    (row): BlockingCall => (row.path[0] === 'hashSync' ? { ...row, cheaper: LOW_COST } : row),
  ),
  ...calls(BCRYPT_NODEJS, { hashSync: LEAVE_BCRYPT_NODEJS, compareSync: LEAVE_BCRYPT_NODEJS }),
  ...calls(BCRYPT_NODEJS, { hash: LEAVE_BCRYPT_NODEJS, compare: LEAVE_BCRYPT_NODEJS }).map(
    (row): BlockingCall => ({ ...row, isLater: true }),
  ),
  ...calls(NODE_RS_BCRYPT, {
    hashSync: promise('@node-rs/bcrypt', 'hash'),
    verifySync: promise('@node-rs/bcrypt', 'verify'),
    compareSync: promise('@node-rs/bcrypt', 'compare'),
  }),
  ...calls(NODE_RS_ARGON2, {
    hashSync: promise('@node-rs/argon2', 'hash'),
    hashRawSync: promise('@node-rs/argon2', 'hashRaw'),
    verifySync: promise('@node-rs/argon2', 'verify'),
  }),
  // A salt is sixteen random bytes: microseconds.
  ...[BCRYPT, BCRYPT_NODEJS, NODE_RS_BCRYPT]
    .flatMap((common) => calls(common, { genSaltSync: common === BCRYPT_NODEJS ? LEAVE_BCRYPT_NODEJS : promise(common.module, 'genSalt') }))
    .map((row): BlockingCall => ({ ...row, level: 'hint' })),
  ...calls(
    { module: 'pbkdf2', category: 'crypto', cost: 'cpu', source: 'pbkdf2@3.1.7 index.js' },
    { pbkdf2Sync: { kind: 'callback', module: 'pbkdf2', path: ['pbkdf2'], result: 'same' } },
  ),
  ...calls(
    { module: 'scrypt-js', category: 'crypto', cost: 'cpu', source: 'scrypt-js@3.0.1 scrypt.js' },
    {
      syncScrypt: differs(
        'callback',
        'node:crypto',
        'scrypt',
        'its parameters are options, and it returns a Buffer; scrypt() of scrypt-js computes on this thread',
      ),
    },
  ),
  // 250,000 rounds in JavaScript unless the call says otherwise.
  ...calls(
    { module: 'crypto-js', category: 'crypto', cost: 'cpu', source: 'crypto-js@4.2.0 pbkdf2.js' },
    { PBKDF2: differs('callback', 'node:crypto', 'pbkdf2', 'returns a Buffer; hash and rounds must be specified') },
  ),
  ...calls(
    { module: 'crypto-js/pbkdf2', category: 'crypto', cost: 'cpu', source: 'crypto-js@4.2.0 pbkdf2.js' },
    { '': differs('callback', 'node:crypto', 'pbkdf2', 'returns a Buffer; hash and rounds must be specified') },
  ),
  ...calls(
    { module: 'node-forge', category: 'crypto', cost: 'cpu', source: 'node-forge@1.4.3 lib/rsa.js' },
    {
      'pki.rsa.generateKeyPair': differs(
        'callback',
        'node:crypto',
        'generateKeyPair',
        'returns KeyObjects; forge also calls back if its last argument is a function',
      ),
      'rsa.generateKeyPair': differs(
        'callback',
        'node:crypto',
        'generateKeyPair',
        'returns KeyObjects; forge also calls back if its last argument is a function',
      ),
    },
  ).map((row): BlockingCall => ({ ...row, when: { noCallbackFrom: 0 } })),
];

// ---- file systems ----------------------------------------------------------------------------------------------------------

const FS_EXTRA_NAMES = [
  'copy',
  'createFile',
  'createLink',
  'createSymlink',
  'emptyDir',
  'emptydir',
  'ensureDir',
  'ensureFile',
  'ensureLink',
  'ensureSymlink',
  'mkdirp',
  'mkdirs',
  'move',
  'outputFile',
  'outputJSON',
  'outputJson',
  'pathExists',
  'readJSON',
  'readJson',
  'remove',
  'writeJSON',
  'writeJson',
];

// fs-extra gives these functions of `fs` a promise when no callback is passed (lib/fs/index.js).
const FS_EXTRA_PROMISES = [
  'access',
  'appendFile',
  'chmod',
  'chown',
  'close',
  'copyFile',
  'cp',
  'fchmod',
  'fchown',
  'fdatasync',
  'fstat',
  'fsync',
  'ftruncate',
  'futimes',
  'lchmod',
  'lchown',
  'lutimes',
  'link',
  'lstat',
  'mkdir',
  'mkdtemp',
  'open',
  'opendir',
  'readdir',
  'readFile',
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
];

/** Where a package that forwards a core module has a better asynchronous form than the core module. By module, then dotted path. */
export const FORWARDED: Readonly<Record<string, Readonly<Record<string, AsyncForm>>>> = {
  'fs-extra': {
    ...Object.fromEntries(FS_EXTRA_PROMISES.map((name) => [`${name}Sync`, promise('fs-extra', name)])),
    existsSync: promise('fs-extra', 'pathExists'),
  },
};

const JETPACK: Common = { module: 'fs-jetpack', category: 'fs', cost: 'io', source: 'fs-jetpack@5.1.0 lib/jetpack.js' };
const JETPACK_NAMES = [
  'append',
  'copy',
  'dir',
  'exists',
  'file',
  'find',
  'inspect',
  'inspectTree',
  'list',
  'move',
  'read',
  'remove',
  'rename',
  'symlink',
  'tmpDir',
  'write',
];

/**
 * What only asks about one path, or makes one entry of a folder, as those of `node:fs`. On a local disk (ext4, Node 22 to 26): fs-extra's
 * `pathExistsSync` 2 µs, `ensureDirSync` 5 to 120 µs; shelljs' `tempdir` 1 to 2 µs, `test` 15 µs, `which` 57 to 76 µs, `touch` 90 to 120
 * µs, `ln` 110 to 240 µs, `mkdir` 300 µs. Not `chmod`, which may go through a tree (`-R`).
 */
const ONE_ENTRY = { single: 'hint' } as const;
const FS_EXTRA_SHORT = /^(?:pathExists|ensureDir|mkdirp|mkdirs)Sync$/;
const SHELLJS_SHORT = /^(?:test|which|tempdir|touch|ln|mkdir)$/;

/** An old package whose later major versions export the same thing under a name of its own. */
function pair(common: Common, oldName: string, name: string, asyncName: string): BlockingCall[] {
  return calls(common, { [oldName]: promise(common.module, ''), [name]: promise(common.module, asyncName) });
}

function io(module: string, source: string): Common {
  return { module, category: 'fs', cost: 'io', source };
}

const OLDER_TAKES_CALLBACK = 'before the package became an ES module, it takes a callback and returns no promise';

const FILES: readonly BlockingCall[] = [
  ...['fs-extra', 'fs-extra/esm'].flatMap((module) =>
    calls(
      io(module, 'fs-extra@11.4.1 lib/index.js, lib/esm.mjs'),
      Object.fromEntries(FS_EXTRA_NAMES.map((name) => [`${name}Sync`, promise(module, name)])),
    ).map((row) => ({ ...row, ...(FS_EXTRA_SHORT.test(row.path.at(-1) ?? '') && ONE_ENTRY) })),
  ),
  ...calls(JETPACK, Object.fromEntries(JETPACK_NAMES.map((name) => [name, promise('fs-jetpack', `${name}Async`)]))),
  ...methods(
    {
      ...JETPACK,
      className: 'jetpack',
      madeBy: [
        { path: ['cwd'], by: 'call' },
        { path: ['dir'], by: 'call' },
        { path: ['dirAsync'], by: 'call' },
      ],
    },
    Object.fromEntries(JETPACK_NAMES.map((name) => [name, method(`${name}Async`)])),
  ),
  ...calls(io('write-file-atomic', 'write-file-atomic@7.0.1 lib/index.js'), { sync: promise('write-file-atomic', '') }),
  ...calls(io('jsonfile', 'jsonfile@6.2.1 index.js'), {
    readFileSync: promise('jsonfile', 'readFile'),
    writeFileSync: promise('jsonfile', 'writeFile'),
  }),
  ...calls(io('mkdirp', 'mkdirp@1.0.4 index.js, mkdirp@3.0.1 dist/cjs/src/index.js'), {
    sync: differs('promise', 'mkdirp', '', 'returns a promise since version 1; in 3 and later, it is the export `mkdirp`'),
    mkdirpSync: promise('mkdirp', 'mkdirp'),
    'mkdirp.sync': promise('mkdirp', 'mkdirp'),
    nativeSync: promise('mkdirp', 'native'),
    manualSync: promise('mkdirp', 'manual'),
  }),
  ...calls(io('rimraf', 'rimraf@3.0.2 rimraf.js, rimraf@6.1.4 dist/commonjs/index.d.ts'), {
    sync: differs(
      'callback',
      'rimraf',
      '',
      'takes a callback before version 4; in 4 and later, it is the export `rimraf`, which returns a promise',
    ),
    rimrafSync: promise('rimraf', 'rimraf'),
    'rimraf.sync': promise('rimraf', 'rimraf'),
    nativeSync: promise('rimraf', 'native'),
    manualSync: promise('rimraf', 'manual'),
    windowsSync: promise('rimraf', 'windows'),
    posixSync: promise('rimraf', 'posix'),
    moveRemoveSync: promise('rimraf', 'moveRemove'),
  }),
  ...calls(io('glob', 'glob@7.2.3 glob.js, glob@11.1.0 dist/commonjs/index.js'), {
    sync: differs(
      'callback',
      'glob',
      '',
      'takes a callback before version 9; in 9 and later, it is the export `glob`, which returns a promise',
    ),
    globSync: promise('glob', 'glob'),
    'glob.sync': promise('glob', 'glob'),
    globIterateSync: differs('promise', 'glob', 'globIterate', 'returns an async generator'),
    globStreamSync: differs('promise', 'glob', 'globStream', 'returns a stream'),
  }),
  ...calls(io('fast-glob', 'fast-glob@3.3.3 out/index.js'), { sync: promise('fast-glob', ''), globSync: promise('fast-glob', 'glob') }),
  ...pair(io('globby', 'globby@11.1.0 index.js, globby@14.1.0 index.js'), 'sync', 'globbySync', 'globby'),
  ...calls(io('tinyglobby', 'tinyglobby@0.2.17 dist/index.cjs'), { globSync: promise('tinyglobby', 'glob') }),
  ...pair(io('del', 'del@6.1.1 index.js, del@8.0.1 index.js'), 'sync', 'deleteSync', 'deleteAsync'),
  ...pair(io('make-dir', 'make-dir@3.1.0 index.js, make-dir@5.1.0 index.js'), 'sync', 'makeDirectorySync', 'makeDirectory'),
  ...pair(io('find-up', 'find-up@5.0.0 index.js, find-up@8.0.0 index.js'), 'sync', 'findUpSync', 'findUp'),
  ...calls(io('find-up', 'find-up@8.0.0 index.js'), {
    findUpMultipleSync: promise('find-up', 'findUpMultiple'),
    findDownSync: promise('find-up', 'findDown'),
  }),
  ...pair(io('locate-path', 'locate-path@6.0.0 index.js, locate-path@7.2.0 index.js'), 'sync', 'locatePathSync', 'locatePath'),
  ...pair(io('path-exists', 'path-exists@4.0.0 index.js, path-exists@5.0.0 index.js'), 'sync', 'pathExistsSync', 'pathExists'),
  ...pair(io('read-pkg', 'read-pkg@5.2.0 index.js, read-pkg@9.0.1 index.js'), 'sync', 'readPackageSync', 'readPackage'),
  ...calls(io('read-pkg-up', 'read-pkg-up@7.0.1 index.js'), { sync: promise('read-pkg-up', '') }),
  ...calls(io('read-package-up', 'read-package-up@12.0.0 index.js'), { readPackageUpSync: promise('read-package-up', 'readPackageUp') }),
  ...calls(io('pkg-up', 'pkg-up@3.1.0 index.js'), { sync: promise('pkg-up', '') }),
  ...calls(io('pkg-dir', 'pkg-dir@5.0.0 index.js'), { sync: promise('pkg-dir', '') }),
  ...pair(io('load-json-file', 'load-json-file@6.2.0 index.js, load-json-file@7.0.1 index.js'), 'sync', 'loadJsonFileSync', 'loadJsonFile'),
  ...pair(
    io('write-json-file', 'write-json-file@4.3.0 index.js, write-json-file@6.0.0 index.js'),
    'sync',
    'writeJsonFileSync',
    'writeJsonFile',
  ),
  ...calls(io('move-file', 'move-file@4.1.0 index.js'), {
    moveFileSync: promise('move-file', 'moveFile'),
    renameFileSync: promise('move-file', 'renameFile'),
  }),
  ...calls(io('cpx', 'cpx@1.5.0 lib/index.js'), { copySync: differs('callback', 'cpx', 'copy', OLDER_TAKES_CALLBACK) }),
  ...calls(io('touch', 'touch@3.1.1 index.js'), {
    sync: promise('touch', ''),
    touchSync: promise('touch', ''),
    ftouchSync: promise('touch', 'ftouch'),
  }),
  ...calls(io('tmp', 'tmp@0.2.7 lib/tmp.js'), {
    fileSync: differs('callback', 'tmp', 'file', 'the callback receives (error, path, fd, cleanup) instead of one object'),
    dirSync: differs('callback', 'tmp', 'dir', 'the callback receives (error, path, cleanup) instead of one object'),
    tmpNameSync: { kind: 'callback', module: 'tmp', path: ['tmpName'], result: 'same' },
  }),
  ...calls(io('temp', 'temp@0.9.4 lib/temp.js'), {
    openSync: promise('temp', 'open'),
    mkdirSync: promise('temp', 'mkdir'),
    cleanupSync: differs('promise', 'temp', 'cleanup', 'its numbers may differ'),
  }),
  ...calls(io('klaw-sync', 'klaw-sync@8.0.0 klaw-sync.js'), {
    '': none('readdir() of node:fs/promises with { recursive: true, withFileTypes: true }, from Node 18.17 on'),
  }),
  ...calls(io('walk-sync', 'walk-sync@4.0.2 dist/index.js'), {
    '': none('readdir() of node:fs/promises with { recursive: true }, from Node 18.17 on'),
    entries: none('readdir() of node:fs/promises with { recursive: true, withFileTypes: true }, from Node 18.17 on'),
  }),
  ...calls(io('which', 'which@1.3.1 which.js, which@6.0.1 lib/index.js'), {
    sync: differs('promise', 'which', '', 'takes a callback before version 2'),
  }),
  ...calls(io('resolve', 'resolve@1.22.14 index.js'), { sync: { kind: 'callback', module: 'resolve', path: [], result: 'same' } }),
  // With a path and no callback it reads the file; with a buffer it only computes. From version 2 on it takes buffers only.
  ...calls(io('image-size', 'image-size@1.2.1 dist/index.js, image-size@2.1.0 package.json'), {
    '': differs('promise', 'image-size/fromFile', 'imageSizeFromFile', 'since version 2; before that, pass a callback'),
    imageSize: differs('promise', 'image-size/fromFile', 'imageSizeFromFile', 'since version 2; before that, pass a callback'),
  }).map((row): BlockingCall => ({ ...row, when: { pathArgument: 0, noCallbackFrom: 1 } })),
];

// ---- child processes -------------------------------------------------------------------------------------------------------

function spawn(module: string, source: string): Common {
  return { module, category: 'process', cost: 'spawn', source };
}

const PROCESSES: readonly BlockingCall[] = [
  ...calls(spawn('execa', 'execa@5.1.1 index.js, execa@9.6.1 index.js'), {
    sync: promise('execa', ''),
    commandSync: promise('execa', 'command'),
    execaSync: promise('execa', 'execa'),
    execaCommandSync: promise('execa', 'execaCommand'),
  }),
  ...calls(spawn('execa', 'execa@9.6.1 lib/methods/script.js'), { '$.sync': promise('execa', '$'), '$.s': promise('execa', '$') }).map(
    (row): BlockingCall => ({ ...row, by: 'tag' }),
  ),
  ...calls(spawn('cross-spawn', 'cross-spawn@7.0.6 index.js'), {
    sync: none('spawn() provides streams and an exit event instead of one result object'),
  }),
  ...calls(spawn('command-exists', 'command-exists@1.2.9 lib/command-exists.js'), {
    sync: differs('promise', 'command-exists', '', 'rejects instead of returning false'),
  }),
  ...calls(spawn('node-machine-id', 'node-machine-id@1.1.12 dist/index.js'), { machineIdSync: promise('node-machine-id', 'machineId') }),
  ...calls(spawn('node-sass', 'node-sass@9.0.0 lib/index.js'), {
    renderSync: { kind: 'callback', module: 'node-sass', path: ['render'], result: 'same' },
  }).map((row): BlockingCall => ({ ...row, category: 'parse', cost: 'cpu' })),
  // Each starts a child process of Node that does the request, and waits for it.
  ...calls(
    { module: 'sync-request', category: 'process', cost: 'spawn', source: 'sync-request@6.1.0 lib/index.js' },
    { '': none('fetch(), built in from Node 18 on') },
  ),
  ...calls(
    { module: 'sync-fetch', category: 'process', cost: 'spawn', source: 'sync-fetch@0.6.0 index.js' },
    { '': none('fetch(), built in from Node 18 on') },
  ),
  // They turn the event loop from inside a call: everything waits that this call is in the middle of.
  ...calls(
    { module: 'deasync', category: 'wait', cost: 'wait', source: 'deasync@0.1.32 index.js' },
    { sleep: none('setTimeout() of node:timers/promises'), loopWhile: none('await the promise or the event that the loop waits for') },
  ),
  ...calls(
    { module: 'readline-sync', category: 'wait', cost: 'wait', source: 'readline-sync@1.4.10 lib/readline-sync.js' },
    Object.fromEntries(
      [
        'question',
        'prompt',
        'keyIn',
        'keyInYN',
        'keyInYNStrict',
        'keyInPause',
        'keyInSelect',
        'questionEMail',
        'questionNewPassword',
        'questionInt',
        'questionFloat',
        'questionPath',
        'promptLoop',
        'promptCL',
        'promptCLLoop',
        'promptSimShell',
      ].map((name) => [name, none('question() of node:readline/promises')]),
    ),
  ),
];

// ---- shelljs: all its commands are synchronous -----------------------------------------------------------------------------

const SHELLJS: Common = { module: 'shelljs', category: 'fs', cost: 'io', source: 'shelljs@0.10.0 shell.js, src/' };
const SHELLJS_FILES = [
  'cat',
  'chmod',
  'cp',
  'find',
  'grep',
  'head',
  'ln',
  'ls',
  'mkdir',
  'mv',
  'rm',
  'sed',
  'sort',
  'tail',
  'tempdir',
  'test',
  'touch',
  'uniq',
  'which',
];
const USE_FS = none('the functions of node:fs/promises');

const SHELL: readonly BlockingCall[] = [
  ...calls(SHELLJS, Object.fromEntries(SHELLJS_FILES.map((name) => [name, USE_FS]))).map((row) => ({
    ...row,
    ...(SHELLJS_SHORT.test(row.path.at(-1) ?? '') && ONE_ENTRY),
  })),
  ...calls(
    { ...SHELLJS, category: 'process', cost: 'spawn' },
    { exec: none('exec(command, { async: true }), or execFile() of node:child_process') },
  ).map((row): BlockingCall => ({ ...row, when: { noCallbackFrom: 1, unlessOption: 'async' } })),
  ...calls({ ...SHELLJS, category: 'process', cost: 'spawn' }, { cmd: none('execFile() of node:child_process') }),
  ...methods(
    {
      ...SHELLJS,
      className: 'ShellString',
      madeBy: ['cat', 'echo', 'exec', 'grep', 'head', 'ls', 'sed', 'sort', 'tail', 'uniq'].map(
        (name): Maker => ({ path: [name], by: 'call' }),
      ),
    },
    { to: USE_FS, toEnd: USE_FS },
  ),
];

export const PACKAGE_CALLS: readonly BlockingCall[] = [
  ...PASSWORDS,
  ...FILES,
  ...PROCESSES,
  ...SHELL,
  ...ARCHIVE_CALLS,
  ...TOOL_CALLS,
  ...COMPUTING_CALLS,
];
