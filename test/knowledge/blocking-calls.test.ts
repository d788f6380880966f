// Holds the table of blocking calls against the Node that runs this test: nothing missing, nothing invented, and every
// asynchronous form there and giving what the table says.
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { promisify } from 'node:util';
import { satisfies, validRange } from 'semver';
import {
  CORE_CALLS,
  findBlockingCall,
  findBlockingMethods,
  hasBlockingCalls,
  LEFT_OUT,
  PACKAGE_CALLS,
  SAME_AS_CORE,
  type BlockingCall,
} from '../../knowledge/blocking-calls.ts';

type Members = Record<string, unknown>;

const require = createRequire(import.meta.url);
const VERSION = process.versions.node;

// Modules that are no API, or that need a flag.
const NO_API = /^_|\/|^(sys|punycode|trace_events|wasi)$/;

function load(module: string): Members | undefined {
  try {
    return require(`node:${module.replace(/^node:/, '')}`) as Members;
  } catch {
    // Node's own word for a module that this version does not have.
    return undefined;
  }
}

function isMembers(value: unknown): value is Members {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

function read(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isMembers(at) ? at[name] : undefined), value);
}

function isHere(row: BlockingCall): boolean {
  return satisfies(VERSION, row.nodeRange ?? '*') && (row.platforms ?? [process.platform]).includes(process.platform);
}

/** `Class#method` or `name`, as LEFT_OUT writes it. */
function nameOf(row: BlockingCall): string {
  return row.className ? `${row.className}#${row.path.join('.')}` : row.path.join('.');
}

/** Functions of a module whose name ends in `Sync`, methods of its classes included. */
function syncFunctions(exports: Members): string[] {
  const found: string[] = [];
  for (const name of Object.getOwnPropertyNames(exports)) {
    const value = exports[name];
    if (typeof value !== 'function') continue;
    if (/Sync$/.test(name)) found.push(name);
    const { prototype } = value as { prototype?: object };
    if (!/^[A-Z]/.test(name) || !prototype) continue;
    for (const method of Object.getOwnPropertyNames(prototype)) {
      if (/Sync/.test(method) && typeof Object.getOwnPropertyDescriptor(prototype, method)?.value === 'function')
        found.push(`${name}#${method}`);
    }
    for (const own of Object.getOwnPropertyNames(value)) {
      if (/Sync$/.test(own)) found.push(`${name}.${own}`);
    }
  }
  return found;
}

test('every function of Node whose name ends in Sync has a row, or a reason why not', () => {
  const rows = new Set(CORE_CALLS.map((row) => `${row.module} ${nameOf(row)}`));
  const leftOut = new Set(LEFT_OUT.map(({ module, name }) => `${module} ${name}`));
  const unknown: string[] = [];
  let seen = 0;
  for (const module of [...builtinModules, 'sqlite', 'ffi', 'sea', 'test']) {
    if (NO_API.test(module)) continue;
    const exports = load(module);
    for (const name of exports ? syncFunctions(exports) : []) {
      seen += 1;
      const key = `${module.replace('node:', '')} ${name}`;
      if (!rows.has(key) && !leftOut.has(key)) unknown.push(key);
    }
  }
  assert.deepEqual(unknown, []);
  assert.ok(seen > 60, `only ${seen} functions looked at: the search itself is broken`);
});

test('a reason why not does not stand beside a row', () => {
  for (const { module, name, reason } of LEFT_OUT) {
    assert.equal(
      CORE_CALLS.some((row) => row.module === module && nameOf(row) === name && row.by !== 'new'),
      false,
      `${module} ${name}`,
    );
    assert.ok(reason.length > 10, `${module} ${name} needs a reason`);
  }
});

/** An object of the class, where the class hides its methods from its prototype or has no public name. */
const SPECIMENS: Readonly<Record<string, (module: Members, folder: string) => unknown>> = {
  ZipEntry: (zlib) => call(zlib, 'ZipEntry.createSync', 'a', Buffer.from('x')),
  ZipBuffer: (zlib) => new (zlib.ZipBuffer as new (bytes: Buffer) => unknown)(smallArchive(zlib)),
  ZipFile: (zlib, folder) => {
    writeFileSync(join(folder, 'a.zip'), smallArchive(zlib));
    return call(zlib, 'ZipFile.openSync', join(folder, 'a.zip'));
  },
  SQLTagStore: (sqlite) => call(new (sqlite.DatabaseSync as new (path: string) => Members)(':memory:'), 'createTagStore'),
};

function smallArchive(zlib: Members): Buffer {
  const pieces = call(zlib, 'createZipArchiveSync', [call(zlib, 'ZipEntry.createSync', 'a', Buffer.from('x'))]) as Iterable<Buffer>;
  return Buffer.concat([...pieces]);
}

function call(holder: Members, dotted: string, ...args: readonly unknown[]): unknown {
  const path = dotted.split('.');
  const owner = read(holder, path.slice(0, -1));
  const fn = read(owner, path.slice(-1));
  assert.ok(typeof fn === 'function', dotted);
  return Reflect.apply(fn, owner, [...args]) as unknown;
}

function objectWithMethod(row: BlockingCall, module: Members, folder: string): unknown {
  const specimen = row.className === undefined ? undefined : SPECIMENS[row.className];
  return specimen ? specimen(module, folder) : read(module, [row.className ?? '', 'prototype']);
}

function withFolder<T>(use: (folder: string) => T): T {
  const folder = mkdtempSync(join(tmpdir(), 'blocking-calls-'));
  const clean = (): void => rmSync(folder, { recursive: true, force: true });
  const result = use(folder);
  if (result instanceof Promise) return result.finally(clean) as T;
  clean();
  return result;
}

test('every row that names this version of Node exists in it, and so does its asynchronous form', () => {
  withFolder((folder) => {
    let checked = 0;
    for (const row of CORE_CALLS.filter(isHere)) {
      const label = `${row.module}.${nameOf(row)} on ${VERSION}`;
      const module = row.root === 'global' ? ((globalThis as unknown as Members)[row.module] as Members) : load(row.module);
      assert.ok(module, label);
      const holder = row.madeBy ? objectWithMethod(row, module, folder) : module;
      assert.equal(typeof read(holder, row.path), 'function', label);
      for (const maker of row.madeBy ?? [])
        assert.equal(typeof read(module, maker.path), 'function', `${label}: made by ${maker.path.join('.')}`);
      const form = row.asyncForm;
      if (form.kind === 'method') assert.equal(typeof read(holder, [form.name]), 'function', `${label}: ${form.name}`);
      else if (form.kind !== 'none')
        assert.equal(typeof read(require(form.module), form.path), 'function', `${label}: ${form.module} ${form.path.join('.')}`);
      checked += 1;
    }
    assert.ok(checked > 70, `only ${checked} rows checked`);
  });
});

test('a row that does not name this version of Node does not exist in it', () => {
  for (const row of CORE_CALLS.filter((one) => !isHere(one) && !one.madeBy && one.root !== 'global')) {
    const module = load(row.module);
    if (module)
      assert.equal(
        typeof read(module, row.path),
        'undefined',
        `${row.module}.${nameOf(row)} is there on ${VERSION}: its range ${row.nodeRange} is too narrow`,
      );
  }
});

const PRIME = Buffer.from('fb', 'hex');
const TEXT = Buffer.from('the quick brown fox '.repeat(40));

/** Arguments for one call; each call gets a folder of its own, with a file `a`, a folder `d` and a link `l` to `a`. */
const SAMPLES: Readonly<Record<string, (folder: string) => readonly unknown[]>> = {
  'fs.accessSync': (folder) => [join(folder, 'a')],
  'fs.appendFileSync': (folder) => [join(folder, 'a'), 'more'],
  'fs.chmodSync': (folder) => [join(folder, 'a'), 0o600],
  'fs.copyFileSync': (folder) => [join(folder, 'a'), join(folder, 'b')],
  'fs.cpSync': (folder) => [join(folder, 'd'), join(folder, 'e'), { recursive: true }],
  'fs.linkSync': (folder) => [join(folder, 'a'), join(folder, 'b')],
  'fs.mkdirSync': (folder) => [join(folder, 'x')],
  'fs.openSync': (folder) => [join(folder, 'a'), 'r'],
  'fs.readFileSync': (folder) => [join(folder, 'a'), 'utf8'],
  'fs.readdirSync': (folder) => [folder],
  'fs.readlinkSync': (folder) => [join(folder, 'l')],
  'fs.renameSync': (folder) => [join(folder, 'a'), join(folder, 'b')],
  'fs.rmSync': (folder) => [join(folder, 'd'), { recursive: true }],
  'fs.symlinkSync': (folder) => ['a', join(folder, 'm')],
  'fs.truncateSync': (folder) => [join(folder, 'a'), 2],
  'fs.unlinkSync': (folder) => [join(folder, 'a')],
  'fs.utimesSync': (folder) => [join(folder, 'a'), 1, 1],
  'fs.writeFileSync': (folder) => [join(folder, 'a'), 'new'],
  'zlib.gzipSync': () => [TEXT],
  'zlib.deflateSync': () => [TEXT],
  'zlib.deflateRawSync': () => [TEXT],
  'zlib.brotliCompressSync': () => [TEXT],
  // The compressed bytes differ (the blocking form writes the size of the whole into the frame), so the way back is compared.
  'zlib.zstdDecompressSync': () => [call(load('zlib') ?? {}, 'zstdCompressSync', TEXT)],
  'crypto.pbkdf2Sync': () => ['secret', 'salt', 10, 16, 'sha256'],
  'crypto.scryptSync': () => ['secret', 'salt', 16, { N: 16 }],
  'crypto.hkdfSync': () => ['sha256', 'key', 'salt', 'info', 16],
  'crypto.checkPrimeSync': () => [PRIME],
  'crypto.argon2Sync': () => [
    'argon2id',
    { message: 'secret', nonce: Buffer.alloc(16), parallelism: 1, tagLength: 16, memory: 64, passes: 1 },
  ],
};

function prepare(folder: string): string {
  mkdirSync(join(folder, 'd'), { recursive: true });
  writeFileSync(join(folder, 'a'), 'text');
  symlinkSync('a', join(folder, 'l'));
  return folder;
}

/** Descriptors are whatever number is free. */
function comparable(value: unknown): unknown {
  return typeof value === 'number' ? 'a number' : value;
}

test('where the table says so, the asynchronous form resolves to what the blocking call returns', async () => {
  let compared = 0;
  for (const [name, args] of Object.entries(SAMPLES)) {
    const [module = '', member = ''] = name.split('.');
    const row = findBlockingCall(module, [member]);
    assert.ok(row, name);
    if (!isHere(row)) continue;
    const form = row.asyncForm;
    assert.ok((form.kind === 'promise' || form.kind === 'callback') && form.result === 'same', name);
    const blocking = withFolder((folder) => call(load(module) ?? {}, member, ...args(prepare(folder))));
    const fn = read(require(form.module), form.path);
    assert.ok(typeof fn === 'function');
    const asynchronous = form.kind === 'promise' ? fn : promisify(fn as (...given: unknown[]) => void);
    const awaited = await withFolder(
      async (folder) => (await Reflect.apply(asynchronous, undefined, [...args(prepare(folder))])) as unknown,
    );
    assert.deepEqual(comparable(awaited), comparable(blocking), name);
    compared += 1;
  }
  assert.ok(compared >= 25, `only ${compared} compared`);
});

test('existsSync and the descriptor calls differ from their nearest relatives, as the table says', async () => {
  for (const name of ['existsSync', 'readSync', 'writeSync', 'globSync']) {
    const form = findBlockingCall('fs', [name])?.asyncForm;
    assert.ok(form && form.kind !== 'none' && form.kind !== 'method' && form.result === 'differs' && form.note, name);
  }
  await assert.rejects(call(load('fs') ?? {}, 'promises.access', join(tmpdir(), 'no-such-file-here')) as Promise<unknown>);
});

test('rows are well formed', () => {
  const seen = new Set<string>();
  for (const row of [...CORE_CALLS, ...PACKAGE_CALLS]) {
    const label = `${row.module}.${nameOf(row)}`;
    const key = `${label} ${row.by ?? 'call'} ${JSON.stringify(row.madeBy ?? [])}`;
    assert.ok(!seen.has(key), `${label} stands twice`);
    seen.add(key);
    if (row.nodeRange) assert.ok(validRange(row.nodeRange), label);
    assert.match(row.source, /^https:\/\/(nodejs\.org\/api\/|tc39\.es\/)|^(@[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+ \S/, label);
    if (row.madeBy) assert.equal(row.path.length, 1, `${label}: a method is one name`);
    if (row.asyncForm.kind === 'none') assert.ok(row.asyncForm.advice.length > 3, label);
    else if (row.asyncForm.result === 'differs') assert.ok(row.asyncForm.note, `${label} should say how its asynchronous form differs`);
  }
});

test('calls are found by origin, in Node and in packages that forward it', () => {
  assert.equal(findBlockingCall('fs', ['readFileSync'])?.category, 'fs');
  assert.equal(findBlockingCall('fs', ['readFile']), undefined);
  assert.equal(findBlockingCall('memfs', ['readFileSync']), undefined);
  assert.equal(findBlockingCall('cross-spawn', ['sync'])?.cost, 'spawn');
  assert.equal(findBlockingCall('sync-request', [])?.cost, 'spawn');
  assert.equal(findBlockingCall('Atomics', ['wait'])?.root, 'global');
  const extra = findBlockingCall('fs-extra', ['readFileSync']);
  assert.deepEqual(extra?.asyncForm, { kind: 'promise', module: 'fs-extra', path: ['readFile'], result: 'same', note: undefined });
  assert.equal(extra?.module, 'fs-extra');
  const graceful = findBlockingCall('graceful-fs', ['statSync'])?.asyncForm;
  assert.ok(graceful?.kind === 'promise' && graceful.module === 'node:fs/promises');
  assert.equal(findBlockingCall('mz/fs', ['existsSync'])?.cost, 'io');
  assert.deepEqual(
    findBlockingMethods('readSync').map((row) => row.className),
    ['Dir'],
  );
  assert.deepEqual(findBlockingMethods('toString'), []);
  for (const module of ['fs', 'crypto', 'bcryptjs', ...Object.keys(SAME_AS_CORE)]) assert.ok(hasBlockingCalls(module), module);
  assert.ok(!hasBlockingCalls('react-dom'));
});
