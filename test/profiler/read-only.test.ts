// What read-only runs protect from, on every major of Node: each way round that is known, tried by the program itself.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { refusedFlag, refusedVariable } from '../../profiler/plan/read-only.ts';
import { startedProgram } from '../../workspace/profile/profile-program.ts';
import { nodesOfMajors } from './nodes.ts';
import { makeBench } from './runs.ts';

/**
 * Tries everything that leaves a file behind in `outside`, by itself and in threads of all kinds, and says how each try ended.
 * `denied` for a refusal by Node's permission model or by ours.
 */
const TRIES = String.raw`
const fs = require('node:fs');
const { join } = require('node:path');
const { Worker, isMainThread, parentPort, workerData, threadId } = require('node:worker_threads');
const outside = process.env.OUTSIDE;
const own = fs.readdirSync('/proc/self/fd').flatMap((fd) => {
  try { return [fs.readlinkSync('/proc/self/fd/' + fd)]; } catch { return []; }
}).find((path) => /records-\d+-\d+\.jsonl$/.test(path));
const runFolder = own === undefined ? undefined : join(own, '..');
const results = {};
const tries = {
  write: (name) => fs.writeFileSync(join(outside, name), 'x'),
  start: () => { const { error } = require('node:child_process').spawnSync('true'); if (error) throw error; },
  binding: () => process.binding('fs'),
  kept: (name) => fs.appendFileSync(join(outside, 'secret'), name),
  link: (name) => { fs.linkSync(join(outside, 'secret'), join(runFolder ?? outside, name)); fs.appendFileSync(join(runFolder ?? outside, name), 'x'); },
  linkByBuffer: (name) => fs.linkSync(Buffer.from(join(outside, 'secret')), Buffer.from(join(runFolder ?? outside, name))),
  symlink: (name) => { fs.symlinkSync(join(outside, 'secret'), join(runFolder ?? outside, name)); fs.appendFileSync(join(runFolder ?? outside, name), 'x'); },
  database: (name) => {
    let sqlite;
    try { sqlite = require('node:sqlite'); } catch { throw Object.assign(new Error('none'), { code: 'ERR_ACCESS_DENIED' }); }
    new sqlite.DatabaseSync(join(outside, name)).exec('CREATE TABLE a (b)');
  },
  attached: (name) => {
    let sqlite;
    try { sqlite = require('node:sqlite'); } catch { throw Object.assign(new Error('none'), { code: 'ERR_ACCESS_DENIED' }); }
    new sqlite.DatabaseSync(':memory:').exec("ATTACH '" + join(outside, name) + "' AS x; CREATE TABLE x.a (b)");
  },
  addon: () => process.dlopen({ exports: {} }, join(outside, 'secret')),
  wasi: () => new (require('node:wasi').WASI)({ version: 'preview1', preopens: { '/': outside } }),
  fork: () => require('node:cluster').fork(),
};
function tryAll(where) {
  for (const [name, attempt] of Object.entries(tries)) {
    let how = 'done';
    try { attempt(where + '-' + name); } catch (error) { how = /DENIED|DISABLED/.test(error.code) ? 'denied' : String(error.message); }
    results[where + ' ' + name] = how;
  }
  return results;
}
const widened = '--allow-fs-write=* --allow-child-process --allow-addons --allow-wasi';
const threads = {
  plain: {},
  flagless: { execArgv: [] },
  widened: { execArgv: widened.split(' ') },
  environment: { env: { ...process.env, NODE_OPTIONS: widened } },
  both: { execArgv: [], env: { ...process.env, NODE_OPTIONS: widened } },
};
const code = fs.readFileSync(__filename, 'utf8');
async function inThread(where, options, Kind = Worker) {
  return new Promise((resolve) => {
    let worker;
    try { worker = new Kind(code.replaceAll('__filename', JSON.stringify(__filename)), { eval: true, workerData: { where }, ...options }); }
    catch (error) { results[where + ' thread'] = 'denied'; resolve(); return; }
    worker.on('message', (more) => Object.assign(results, more));
    worker.on('error', (error) => { results[where + ' thread'] = 'denied: ' + error.message; });
    worker.on('exit', resolve);
  });
}
async function main() {
  tryAll('main');
  // Without the permission model Node ends at once when it finds these.
  if (process.permission) process.env.NODE_OPTIONS = widened;
  for (const [where, options] of Object.entries(threads)) await inThread(where, options);
  const first = new Worker('0', { eval: true });
  await inThread('constructor', { execArgv: [] }, first.constructor);
  await inThread('prototype', { execArgv: [] }, Object.getPrototypeOf(Worker) === Function.prototype ? Worker : Object.getPrototypeOf(Worker));
  const { Worker: Imported } = await import('node:worker_threads');
  await inThread('imported', { execArgv: [] }, Imported);
  class Mine extends Worker {}
  await inThread('subclass', { execArgv: [] }, Mine);
  console.log('RESULTS ' + JSON.stringify(results));
}
if (isMainThread) module.exports.done = main();
else {
  tryAll(workerData.where);
  const nested = new Worker("require('node:fs').writeFileSync(" + JSON.stringify(join(outside, workerData.where + '-nested')) + ", 'x')", { eval: true, execArgv: [] });
  nested.on('error', () => {});
  nested.on('exit', () => parentPort.postMessage(results));
}
`;
const WALL_MS = 60_000;

describe('read-only runs', { skip: !existsSync('/proc/self/fd') && 'no /proc' }, async () => {
  const nodes: readonly NodeBinary[] = await nodesOfMajors();
  for (const node of nodes) {
    for (const type of ['function', 'file'] as const) {
      it(`Node ${node.version}, a ${type}: nothing is written outside and nothing is started`, async () => {
        const bench = makeBench(node);
        try {
          bench.write('outside/secret', 'kept');
          const file = bench.write('tries.cjs', `${TRIES}\nfunction f() { return module.exports.done; }`);
          const outside = join(bench.folder, 'outside');
          const outcome = await bench.run({
            kind: 'io',
            target: type === 'function' ? { type, file, calls: ['f()'] } : { type, file, arguments: [] },
            readOnly: true,
            env: { OUTSIDE: outside, NODE_ENV: 'production' },
            limits: { wallMs: WALL_MS, measureMs: WALL_MS / 2 },
            callLimit: 1,
          });
          const line = outcome.stdout.text.split('\n').find((one) => one.startsWith('RESULTS '));
          assert.ok(line, `${outcome.ok ? '' : outcome.reason} ${outcome.stdout.text} ${outcome.stderr.text}`);
          const results = JSON.parse(line.slice('RESULTS '.length)) as Record<string, string>;
          const entries = Object.entries(results);
          assert.ok(entries.length > 60, `${entries.length} tries`);
          assert.deepEqual(
            entries.filter(([, how]) => !how.startsWith('denied')),
            [],
          );
          assert.deepEqual(readdirSync(outside), ['secret']);
          assert.equal(readFileSync(join(outside, 'secret'), 'utf8'), 'kept');
          assert.deepEqual(bench.leftovers(), []);
        } finally {
          bench.end();
        }
      });
    }

    it(`Node ${node.version}: without it, the same tries do reach outside`, async () => {
      const bench = makeBench(node);
      try {
        bench.write('outside/secret', 'kept');
        const file = bench.write('tries.cjs', TRIES.replace(/fork: .*|start: .*/g, ''));
        const outside = join(bench.folder, 'outside');
        await bench.run({
          kind: 'io',
          target: { type: 'file', file, arguments: [] },
          env: { OUTSIDE: outside },
          limits: { wallMs: WALL_MS, measureMs: WALL_MS / 2 },
        });
        const made = readdirSync(outside);
        for (const name of ['main-write', 'flagless-write', 'flagless-nested']) assert.ok(made.includes(name), made.join());
      } finally {
        bench.end();
      }
    });
  }

  it('a start script cannot lift the restrictions', async () => {
    const [node] = nodes;
    assert.ok(node);
    const bench = makeBench(node);
    try {
      const file = bench.write('a.cjs', 'console.log("ran");');
      for (const script of [
        'node --allow-fs-write=* server.js',
        'node --allow-child-process server.js',
        'node --env-file=.env server.js',
        'node --experimental-default-config-file server.js',
        'node --localstorage-file=/etc/x server.js',
        'node --trace-event-file-pattern=/etc/x server.js',
        'LD_PRELOAD=./a.so node server.js',
        'NODE_OPTIONS=--allow-fs-write=* node server.js',
        'OPENSSL_CONF=a.cnf node server.js',
        'cross-env DYLD_INSERT_LIBRARIES=a node server.js',
      ]) {
        const started = startedProgram(script);
        assert.ok(started, script);
        const { flags, env } = started;
        const outcome = await bench.run({ kind: 'io', target: { type: 'file', file, arguments: [] }, readOnly: true, flags, env });
        // What is left out because it concerns the run alone needs no refusal.
        if (flags.length === 0 && Object.keys(env).length === 0) continue;
        assert.ok(!outcome.ok && /read-only runs do not pass on/.test(outcome.reason), `${script}: ${outcome.ok ? 'ran' : outcome.reason}`);
      }
    } finally {
      bench.end();
    }
  });

  it('what start scripts usually have is passed on', () => {
    assert.equal(
      refusedFlag(['-r', 'dotenv/config', '--enable-source-maps', '--import=./a.mjs', '--no-warnings', '--conditions', 'x']),
      undefined,
    );
    assert.equal(refusedFlag(['--no-concurrent-recompilation']), undefined, 'comparisons set it themselves');
    assert.equal(refusedFlag(['--max-http-header-size=99', '--allow-wasi']), '--allow-wasi');
    assert.equal(refusedVariable({ NODE_ENV: 'production', PORT: '1', DEBUG: '*', NODE_CONFIG_DIR: 'c', LDAP_URL: 'x' }), undefined);
    for (const name of ['LD_PRELOAD', 'ld_library_path', 'NODE_OPTIONS', 'NODE_REPL_EXTERNAL_MODULE', 'OPENSSL_CONF', 'PATH'])
      assert.equal(refusedVariable({ A: '1', [name]: 'x' }), name);
  });
});
