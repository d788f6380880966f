// The plan of a run, its environment and limits, the permission model, decoding, and that the host's own end takes everything along.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { findMembers, isSuspended, killAll, killOnce, reachOf, watchesMemory } from '../../profiler/run/process-group.ts';
import { exposeCalls, exposeSuffix, planRun, suffixLine, traceFlags, type RunRequest } from '../../profiler/plan/plan.ts';
import { blocksOf, heldUpOf } from '../../profiler/evidence/blocks.ts';
import { decodeRecord, decodeRecords, findBlocks, recordsOf } from '../../profiler/parse/records.ts';
import { ROOT } from '../../scripts/generate.ts';
import { makeBench, nodesToTest, type Bench } from './runs.ts';
import { dedent } from '../../analysis/testing/dedent.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const NODE = {
  path: '/n/bin/node',
  version: '20.0.0',
  v8: '11.3',
  arch: 'x64',
  platform: 'linux',
  v8Flags: ['log-deopt', 'log-ic', 'logfile', 'logfile-per-isolate'],
  nodeFlags: ['--experimental-permission'],
};
const PATHS = {
  folder: '/t/run',
  harness: '/h a',
  cwd: '/w',
  join: (...parts: string[]) => parts.join('/'),
  dirname: (path: string) => path.replace(/\/[^/]*$/, ''),
  delimiter: ':',
};
const FUNCTION: RunRequest = {
  kind: 'trace',
  node: NODE,
  target: { type: 'function', file: '/p/a.js', text: 'f', calls: ['f()'] },
  limits: { wallMs: 1000 },
};

function planned(request: RunRequest, env: Record<string, string | undefined> = {}) {
  const outcome = planRun(request, env, PATHS);
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
  return outcome.run;
}

const DELAY = { resolution: 1, p50: 0, p90: 0, p99: 0, max: 0, utilization: 1, window: 800, lastBlock: 0, histogram: [] };

describe('the plan of a run', () => {
  it('asks V8 for what it knows only', () => {
    assert.deepEqual(traceFlags(NODE, '/t/100%/run', PATHS.join), [
      '--log-deopt',
      '--log-ic',
      '--no-logfile-per-isolate',
      '--logfile=/t/100%%/run/v8-%p-%t.log',
    ]);
    assert.deepEqual(planned(FUNCTION).arguments, [
      '--log-deopt',
      '--log-ic',
      '--no-logfile-per-isolate',
      '--logfile=/t/run/v8-%p-%t.log',
      '--require',
      '/t/run/shape-probe.cjs',
      '--max-old-space-size=1024',
      '/h a/driver.cjs',
      '/t/run/input.json',
    ]);
    for (const kind of ['time', 'io', 'exceptions', 'watch', 'counts', 'cpu', 'idle'] as const) {
      assert.deepEqual(
        planned({ ...FUNCTION, kind }).arguments,
        ['--max-old-space-size=1024', '/h a/driver.cjs', '/t/run/input.json'],
        kind,
      );
    }
  });

  it('keeps what belongs to the host from the child', () => {
    const host = {
      PATH: '/bin',
      HOME: '/root',
      NODE_OPTIONS: '--inspect',
      NODE_V8_COVERAGE: '/c',
      NODE_TEST_CONTEXT: 'child-v8',
      ELECTRON_RUN_AS_NODE: '1',
      NODE_ENV: 'test',
      GONE: undefined,
    };
    assert.deepEqual(planned(FUNCTION, host).env, { PATH: '/bin', HOME: '/root', NODE_ENV: 'test', NODOMETER_RUN: '/t/run/input.json' });
    assert.equal(planned({ ...FUNCTION, inheritNodeOptions: true }, host).env.NODE_OPTIONS, '--inspect');
    // What a loader reads, unless the user has said it.
    const loading = { flags: [], env: { TSX_TSCONFIG_PATH: '/p/tsconfig.json' } };
    assert.equal(planned({ ...FUNCTION, loading }).env.TSX_TSCONFIG_PATH, '/p/tsconfig.json');
    assert.equal(planned({ ...FUNCTION, loading }, { TSX_TSCONFIG_PATH: 'mine.json' }).env.TSX_TSCONFIG_PATH, 'mine.json');
    assert.deepEqual(planned({ ...FUNCTION, env: { NODE_ENV: 'production', HOME: undefined } }, host).env, {
      PATH: '/bin',
      NODE_ENV: 'production',
      NODOMETER_RUN: '/t/run/input.json',
    });
  });

  it('reaches the children of a program by NODE_OPTIONS, and its node by the PATH', () => {
    const file = planned({ ...FUNCTION, target: { type: 'file', file: '/p/a.js', arguments: ['--x'] } });
    assert.deepEqual(file.arguments.slice(-2), ['/p/a.js', '--x']);
    assert.equal(file.env.NODE_OPTIONS, '--require "/h a/preload.cjs"');
    assert.equal(file.cwd, '/p');
    const command = planned(
      { ...FUNCTION, inheritNodeOptions: true, target: { type: 'command', command: ['npm', 'test'] } },
      { Path: '/bin', NODE_OPTIONS: '--no-warnings' },
    );
    assert.deepEqual([command.executable, ...command.arguments], ['npm', 'test']);
    assert.equal(command.env.NODE_OPTIONS, '--no-warnings --require "/h a/preload.cjs" --max-old-space-size=1024');
    assert.equal(command.env.Path, '/n/bin:/bin');
    assert.equal(command.cwd, '/w');
  });

  it('refuses what cannot be, with a sentence', () => {
    const refusals: [request: RunRequest, says: RegExp][] = [
      [{ ...FUNCTION, target: undefined }, /no target/],
      [{ ...FUNCTION, target: { type: 'function', file: '/p/a.js', text: '', calls: [] } }, /no call to make/],
      [{ ...FUNCTION, kind: 'watch', readOnly: true }, /does not allow the inspector/],
      [
        { ...FUNCTION, readOnly: true, target: { type: 'command', command: ['npm', 'test'] } },
        /npm script cannot be run under the permission model/,
      ],
      [{ ...FUNCTION, node: { ...NODE, nodeFlags: [] }, readOnly: true }, /no permission model/],
    ];
    for (const [request, says] of refusals) {
      const outcome = planRun(request, {}, PATHS);
      assert.ok(!outcome.ok);
      assert.match(outcome.reason, says);
    }
    assert.deepEqual(planned({ ...FUNCTION, kind: 'time', readOnly: true }).arguments.slice(1, 5), [
      '--experimental-permission',
      '--allow-fs-read=*',
      '--allow-fs-write=/t/run/*',
      '--allow-worker',
    ]);
  });

  it('exposes a module without moving it', () => {
    const text = '\uFEFFconst a = 1; // end';
    const exposed = exposeCalls(text, ['f(1)', 'g() // why'], 'const x = 1;');
    assert.ok(exposed.startsWith('const a = 1; // end\n'));
    assert.equal(suffixLine(exposed), 2);
    assert.equal(exposeCalls(exposed, ['other()']), exposed);
    assert.equal(exposed, text.slice(1) + exposeSuffix(['f(1)', 'g() // why'], 'const x = 1;'));
    assert.match(exposeSuffix(['exports.default(1)']), /\(\(exports\) => \{/, 'what has no name comes from what the module exports');
    const seen: (() => unknown)[] = [];
    const expose = { [Symbol.for('nodometer.expose')]: (make: () => (() => unknown)[]) => seen.push(...make()) };
    new Function('globalThis', 'f', 'g', exposed)(
      expose,
      (n: number) => n + 1,
      () => 'g',
    );
    assert.deepEqual(
      seen.map((call) => call()),
      [2, 'g'],
    );
  });
});

describe('records', () => {
  it('are read, and what is none is counted', () => {
    const good = '{"pid":1,"type":"problem","text":"x"}';
    assert.deepEqual(decodeRecord(good), { pid: 1, type: 'problem', text: 'x' });
    for (const bad of [
      '',
      '{',
      'null',
      '[]',
      '{"type":"problem","text":"x"}',
      '{"pid":1,"type":"problem"}',
      '{"pid":1,"type":"toString"}',
      '{"pid":1,"type":"calls","calls":{}}',
      '{"pid":1,"type":"failure","stage":"load","error":null}',
    ]) {
      assert.equal(decodeRecord(bad), undefined, bad);
    }
    assert.deepEqual(decodeRecords(`${good}\n${good.slice(0, 20)}`), { records: [{ pid: 1, type: 'problem', text: 'x' }], unread: 1 });
  });

  it('tell blocks as they stood at the end', () => {
    const block = { type: 'block', kind: 'synchronous', startUp: false, stack: [], from: 1000 } as const;
    const open = { pid: 1, ...block, id: 1, duration: 100, endless: true } as const;
    assert.deepEqual(
      findBlocks([open, { ...open, duration: 300 }]).map(({ duration, endless }) => [duration, endless]),
      [[300, true]],
    );
    assert.deepEqual(
      findBlocks([open, { pid: 1, type: 'ended', by: 'exit', code: 0 }]).map(({ endless }) => endless),
      [false],
    );
    assert.deepEqual(
      findBlocks([open, { pid: 2, type: 'ended', by: 'exit', code: 0 }, { ...open, pid: 2 }]).map(({ endless }) => endless),
      [true, false],
    );
    assert.deepEqual(findBlocks([open, { ...open, duration: 0, endless: false }]), [], 'taken back');
    // The wait for a processor is not the code's, which worked for half of the threshold at least.
    const waited = (ms: number) =>
      blocksOf([
        { ...open, duration: 784, endless: false, waited: ms },
        { pid: 1, type: 'loop-delay', threshold: 50, ...DELAY },
      ]).map((one) => one.duration);
    assert.deepEqual([waited(0), waited(600), waited(750)], [[784], [184], [50]]);
    const held = { ...open, endless: false, held: true };
    assert.deepEqual([findBlocks([open, held]), heldUpOf([open, held]).map((one) => one.duration)], [[], [100]]);
    assert.deepEqual(heldUpOf([{ ...held, startUp: true }]), []);
  });

  it('tell in which call of Node a block was that nobody answered in', () => {
    const at = (line: number) => ({ file: '/a.js', line, column: 3, functionName: 'tick' });
    const block = {
      pid: 1,
      type: 'block',
      kind: 'unknown',
      startUp: false,
      stack: [],
      id: 1,
      from: 1000,
      duration: 500,
      endless: false,
    } as const;
    const call = (from: number, to: number, line: number, pid = 1) =>
      ({ pid, type: 'long-call', name: 'crypto.pbkdf2Sync', from, to, stack: [at(line)] }) as const;
    const found = (...records: Parameters<typeof findBlocks>[0]) =>
      findBlocks(records).map(({ kind, stack }) => [kind, ...stack.map(({ line }) => line)]);
    assert.deepEqual(found(block, call(1001, 1490, 5), call(1490, 1495, 6)), [['synchronous', 5]]);
    assert.deepEqual(found(block, call(1300, 1900, 5)), [['unknown']], 'less than half of it');
    const seen = { ...block, kind: 'next-tick', stack: [at(9)] } as const;
    const named = (...records: Parameters<typeof findBlocks>[0]) =>
      findBlocks(records).map(({ kind, stack: [top], call: name }) => [kind, top?.line, name]);
    assert.deepEqual(named(seen, call(1001, 1490, 5)), [['next-tick', 9, 'crypto.pbkdf2Sync']], 'where it was looked at stays');
    assert.deepEqual(named(seen, call(1001, 1100, 5), call(1300, 1900, 5, 2)), [['next-tick', 9, undefined]]);
    assert.deepEqual(found(block, call(1001, 1490, 5, 2)), [['unknown']], 'of another process');
    assert.deepEqual(found({ ...block, kind: 'next-tick', stack: [at(9)] }, call(1001, 1490, 5)), [['next-tick', 9]], 'it answered');
  });
});

describe('a run', async () => {
  const [node] = await nodesToTest();
  assert.ok(node);
  const withBench = (test: (bench: Bench) => Promise<void>) => async () => {
    const bench = makeBench(node);
    try {
      await test(bench);
      assert.deepEqual(bench.leftovers(), []);
    } finally {
      bench.end();
    }
  };

  it(
    'gives the reader files that are gone afterwards, also when it throws',
    withBench(async (bench) => {
      const target = { type: 'function', file: bench.write('a.cjs', 'function f() { return 1; }'), calls: ['f()'] } as const;
      const outcome = await bench.runWith({ kind: 'trace', target, callLimit: 10 }, ({ folder, v8Logs, unreadRecords }) => {
        assert.ok(existsSync(folder) && v8Logs.length === 1 && unreadRecords === 0);
        return folder;
      });
      assert.ok(outcome.ok);
      assert.equal(outcome.endedBy, 'done');
      assert.ok(!existsSync(outcome.value));
      await assert.rejects(
        bench.runWith({ kind: 'trace', target, callLimit: 10 }, () => {
          throw new Error('of the reader');
        }),
        /of the reader/,
      );
    }),
  );

  it(
    'leaves the port to the server that runs, where the file of a function starts one',
    withBench(async (bench) => {
      const server = createServer().listen(0);
      try {
        await once(server, 'listening');
        const { port } = server.address() as AddressInfo;
        const text = dedent`
          const { createServer } = require('node:http');
          createServer(() => {}).listen(${port});
          const own = () => new Promise((resolve) => {
            const one = createServer(() => {}).listen(0, () => { resolve(one.address().address); one.close(); });
          });
          async function f() { if (await own() === '127.0.0.1') throw new Error('its own server is not what it asked for'); }
        `;
        const target = { type: 'function', file: bench.write('server.cjs', text), calls: ['f()'] } as const;
        const outcome = await bench.runWith({ kind: 'io', target, callLimit: 2 }, ({ records }) => recordsOf(records, 'calls'));
        assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
        assert.equal(outcome.value[0]?.calls[0]?.thrown, 0);
      } finally {
        server.close();
      }
    }),
  );

  it(
    'lets a program reach its own server by the port that it wanted, and no other one',
    withBench(async (bench) => {
      const other = createServer((socket) => socket.destroy()).listen(0);
      const mine = createServer((socket) => socket.destroy()).listen(0);
      try {
        await Promise.all([once(other, 'listening'), once(mine, 'listening')]);
        const [port, taken] = [other, mine].map((server) => (server.address() as AddressInfo).port);
        const text = dedent`
          const http = require('node:http');
          const net = require('node:net');
          http.createServer((request, response) => response.end(request.url)).listen(${taken});
          const get = (options) => new Promise((resolve, reject) => {
            http.get(options, (response) => response.on('data', (text) => resolve(String(text)))).on('error', reject);
          });
          const open = (...args) => new Promise((resolve, reject) => {
            const socket = net.connect(...args, () => { resolve('open'); socket.destroy(); }).on('error', reject);
          });
          async function f() {
            const got = [
              await (await fetch('http://127.0.0.1:${taken}/fetched')).text(),
              await get('http://localhost:${taken}/got'),
              await get({ port: '${taken}', path: '/asked' }),
              await open(${taken}),
              await open(${taken}, 'localhost'),
              await get('http://127.0.0.1:${port}').catch(() => 'another'),
            ].join();
            if (got !== '/fetched,/got,/asked,open,open,another') throw new Error(got);
            await fetch('http://127.0.0.1:${port}');
          }
        `;
        const target = { type: 'function', file: bench.write('own.cjs', text), calls: ['f()'] } as const;
        const outcome = await bench.runWith({ kind: 'io', target, callLimit: 2 }, ({ records }) => recordsOf(records, 'calls'));
        assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
        assert.equal(outcome.value[0]?.calls[0]?.firstError?.message, 'fetch failed: UND_ERR_SOCKET');
      } finally {
        other.close();
        mine.close();
      }
    }),
  );

  it(
    'stops when its log outgrows the limit',
    withBench(async (bench) => {
      const file = bench.write(
        'storm.cjs',
        dedent`
        let n = 0;
        function f() { const o = { [\`k\${n += 1}\`]: 1, a: n }; return o.a; }

      `,
      );
      const outcome = await bench.run({
        kind: 'trace',
        target: { type: 'function', file, calls: ['f()'] },
        callLimit: 1e9,
        limits: { wallMs: 30_000, measureMs: 29_000, folderBytes: 2_000_000 },
      });
      assert.ok(!outcome.ok);
      assert.equal(outcome.kind, 'folder-limit', outcome.reason);
    }),
  );

  it(
    'has the clock run over a call alone, though making its arguments leaves much behind',
    withBench(async (bench) => {
      const text = dedent`
        const copy = (one) => Object.fromEntries(Object.entries(one).map(([key, part]) => [key, part + '~1']));
        const long = (size) => Array.from({ length: size }, (_, i) => copy({ key: 'k' + (i % 5) }));
        function first(list) { return list[0].key.length; }
      `;
      const calls = ['first(long(1000))', 'first(long(20000))'];
      const parts = new Map(
        calls.map((call) => [call, { values: `[(${call.slice('first('.length, -1)})]`, call: 'first(nodometerValues[0])' }]),
      );
      const outcome = await bench.run({
        kind: 'time',
        target: { type: 'function', file: bench.write('b.cjs', text), calls, text: text + exposeSuffix(calls, '', parts) },
        limits: { wallMs: 30_000, measureMs: 400 },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      for (const { samples } of recordsOf(outcome.value, 'timing'))
        assert.ok(Math.min(...samples) < 50_000, `${samples.join(', ')} ns: making 1,000 takes 200,000 or more`);
    }),
  );

  it(
    'leaves the user his stdout, his arguments and his globals',
    withBench(async (bench) => {
      const text = `console.log(JSON.stringify([process.argv.length, require.main === module, process.env.NODE_OPTIONS ?? null, process.env.MINE, process.cwd() === __dirname]));
globalThis.setImmediate = globalThis.setTimeout = () => { throw new Error('faked'); };
Date.now = () => 0; performance.now = () => 0; JSON.parse = null;
function f() { return 1; }`;
      const outcome = await bench.run({
        kind: 'time',
        target: { type: 'function', file: bench.write('b.cjs', text), calls: ['f()'] },
        env: { MINE: 'yes' },
        limits: { wallMs: 30_000, measureMs: 200 },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      assert.equal(outcome.stdout.text, '[2,false,null,"yes",true]\n');
      assert.ok((recordsOf(outcome.value, 'timing')[0]?.samples.length ?? 0) > 0);
    }),
  );

  it(
    'cannot write under the permission model',
    withBench(async (bench) => {
      if (!node.nodeFlags.some((flag) => /^--(?:experimental-)?permission$/.test(flag)))
        return assert.fail(`Node ${node.version} should have a permission model`);
      const victim = join(bench.folder, 'victim.txt');
      const text = dedent`
        function f() { require('fs').writeFileSync(${JSON.stringify(victim)}, 'x'); }
        function g() { return require('fs').readFileSync(__filename, 'utf8').length; }
      `;
      const outcome = await bench.run({
        kind: 'trace',
        readOnly: true,
        target: { type: 'function', file: bench.write('c.cjs', text), calls: ['f()', 'g()'] },
        callLimit: 3,
        limits: { wallMs: 30_000, measureMs: 20_000 },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      const [writes, reads] = recordsOf(outcome.value, 'calls')[0]?.calls ?? [];
      assert.deepEqual([writes?.calls, writes?.thrown, writes?.firstError?.code, reads?.thrown], [3, 3, 'ERR_ACCESS_DENIED', 0]);
      assert.equal(existsSync(victim), false);
    }),
  );

  for (const how of ['SIGTERM', 'SIGINT', 'SIGKILL', 'SIGQUIT', 'exit'] as const) {
    it(
      `goes with its host: ${how}`,
      withBench(async (bench) => {
        if (process.platform === 'win32') return assert.ok(true, 'Windows sends no signals');
        const temp = join(bench.folder, 'host-temp');
        const pids = join(bench.folder, 'pids.txt');
        const target = bench.write(
          'stay.cjs',
          `require('fs').writeFileSync(${JSON.stringify(pids)}, String(process.pid)); setInterval(() => {}, 1000);`,
        );
        const host = bench.write(
          'host.mts',
          `import { probeNode } from ${JSON.stringify(pathToFileURL(join(ROOT, 'profiler/run/probe-node.ts')).href)};
import { runNode } from ${JSON.stringify(pathToFileURL(join(ROOT, 'profiler/run/run.ts')).href)};
const probe = await probeNode(process.execPath);
if (!probe.ok) throw new Error(probe.reason);
const { existsSync } = await import('node:fs');
if (${JSON.stringify(how)} === 'exit') setInterval(() => { if (existsSync(${JSON.stringify(pids)})) process.exit(0); }, 20);
await runNode({ kind: 'io', node: probe.node, target: { type: 'file', file: ${JSON.stringify(target)}, arguments: [] }, limits: { wallMs: 60000, measureMs: 59000 } }, () => 0, { tempFolder: ${JSON.stringify(temp)} });
`,
        );
        const child = spawn(process.execPath, [...TYPESCRIPT_FLAGS, host], { cwd: ROOT, stdio: 'inherit' });
        const ended = new Promise<[number | null, string | null]>((resolve) => {
          child.on('exit', (code, signal) => resolve([code, signal]));
        });
        try {
          for (let i = 0; i < 1500 && !(existsSync(pids) && readFileSync(pids, 'utf8') !== ''); i += 1) await sleep(20);
          if (how !== 'exit') child.kill(how);
          assert.deepEqual(await ended, how === 'exit' ? [0, null] : [null, how]);
          const pid = Number(readFileSync(pids, 'utf8'));
          assert.equal(await isGone(pid), true);
          // A host that had no time to tidy up has left a guard, which does.
          for (let i = 0; i < 500 && readdirSync(temp).length > 0; i += 1) await sleep(20);
          assert.deepEqual(readdirSync(temp), []);
        } finally {
          if (child.pid && child.exitCode === null) child.kill('SIGKILL');
          if (existsSync(pids)) killOnce({ pid: Number(readFileSync(pids, 'utf8')), marker: 'no such marker' });
        }
      }),
    );
  }

  it(
    'takes folders away that a killed host has left, and no others',
    withBench(async (bench) => {
      const temp = join(bench.folder, 'swept');
      const dead = await new Promise<number>((resolve) => {
        const child = spawn(process.execPath, ['-e', '0']);
        child.on('exit', () => resolve(child.pid ?? 0));
      });
      const old = new Date(Date.now() - 2 * 60 * 60 * 1000);
      const made = (name: string, when?: Date): string => {
        const path = join(temp, name);
        mkdirSync(path, { recursive: true });
        writeFileSync(join(path, 'records-1-0.jsonl'), 'x');
        if (when) utimesSync(path, when, when);
        return name;
      };
      for (const purpose of ['run', 'load', 'base']) made(`nodometer-${purpose}-${dead}-left`, old);
      const kept = [
        made(`nodometer-run-${dead}-young`),
        made(`nodometer-run-${process.pid}-alive`, old),
        made('nodometer-run-other', old),
        made('others', old),
      ];
      const file = bench.write('s.cjs', 'function f() {}');
      const outcome = await bench.run(
        { kind: 'counts', target: { type: 'function', file, calls: ['f()'] }, callLimit: 1, limits: { wallMs: 30_000 } },
        { tempFolder: temp },
      );
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      assert.deepEqual(readdirSync(temp).sort(), kept.sort());
    }),
  );

  it(
    'is one of several at once',
    withBench(async (bench) => {
      const file = bench.write('d.cjs', 'function f(n) { return n; }');
      const outcomes = await Promise.all(
        [1, 2, 3].map((n) =>
          bench.run({
            kind: 'counts',
            target: { type: 'function', file, calls: [`f(${n})`] },
            callLimit: n,
            limits: { wallMs: 30_000, measureMs: 20_000 },
          }),
        ),
      );
      assert.deepEqual(
        outcomes.map((outcome) => (outcome.ok ? recordsOf(outcome.value, 'calls')[0]?.calls[0]?.calls : outcome.reason)),
        [1, 2, 3],
      );
      assert.deepEqual([process.listenerCount('SIGTERM'), process.listenerCount('SIGINT')], [0, 0]);
    }),
  );
});

async function isGone(pid: number): Promise<boolean> {
  // The system may take a moment to take a killed process away.
  for (let i = 0; i < 100; i += 1) {
    try {
      process.kill(pid, 0);
      if (process.platform === 'linux' && /\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'))) return true;
    } catch {
      return true;
    }
    await sleep(20);
  }
  return false;
}

/** As on a Mac, which has process groups, and no `/proc`. */
async function onMac(work: () => Promise<void>): Promise<void> {
  const own = Object.getOwnPropertyDescriptor(process, 'platform') as PropertyDescriptor;
  Object.defineProperty(process, 'platform', { ...own, value: 'darwin' });
  try {
    await work();
  } finally {
    Object.defineProperty(process, 'platform', own);
  }
}

describe('a system that does not show what descends from a process', { skip: process.platform === 'win32' && 'no groups' }, () => {
  it('has the process group ended, and says that this is all', async () => {
    const child = spawn('/bin/sh', ['-c', 'sleep 60 & echo $!; wait'], { detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
    const ended = once(child, 'exit');
    const [line] = (await once(child.stdout, 'data')) as [Buffer];
    const [pid, grandchild] = [child.pid ?? 0, Number(String(line))];
    await onMac(async () => {
      const group = { pid, marker: 'no such marker', seen: new Map<number, string>() };
      assert.deepEqual([reachOf(process.platform), findMembers(group), watchesMemory(), isSuspended(pid)], ['group', [], false, false]);
      assert.equal(await killAll(group), 0, 'none is known');
      await ended;
      // Of a group that is gone, or has only zombies left, nothing is said.
      assert.equal(await killAll(group), 0);
    });
    assert.equal(child.signalCode, 'SIGKILL');
    assert.equal(await isGone(grandchild), true);
  });

  it('is told for each system', () => {
    assert.deepEqual((['linux', 'win32', 'darwin', 'freebsd'] as const).map(reachOf), ['all', 'all', 'group', 'group']);
  });
});
