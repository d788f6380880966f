// Targets that hang, crash, flood or multiply: each run ends within its limit, says why in a sentence, and leaves no process and no file.
import assert from 'node:assert/strict';
import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import type { FailureKind } from '../../profiler/run/failure.ts';
import { probeNode } from '../../profiler/run/probe-node.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import type { RunKind } from '../../profiler/plan/plan.ts';
import { findBlocks } from '../../profiler/parse/records.ts';
import { makeBench, nodesToTest, type Bench } from './runs.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

// Time enough for a loaded machine to start a Node and to get to the point.
const SHORT = { wallMs: 2000, measureMs: 300 };
const LONG = { wallMs: 15_000, measureMs: 300 };
const MAX_CHILDREN = 20;

interface BadTarget {
  name: string;
  file: string;
  text: string;
  calls?: string[];
  kind?: RunKind;
  limits?: { wallMs: number; measureMs?: number; heapMb?: number; outputBytes?: number; residentMb?: number };
  /** Undefined when the run succeeds. */
  fails: FailureKind;
  says: RegExp;
}

const FUNCTIONS: BadTarget[] = [
  {
    name: 'an endless loop',
    file: 'loop.cjs',
    text: 'function f() { for (;;); }',
    limits: SHORT,
    fails: 'time-limit',
    says: /stopped at its time limit of 2 s, /,
  },
  {
    name: 'an endless loop at the top level',
    file: 'top.cjs',
    text: 'for (;;);\nfunction f() {}',
    limits: SHORT,
    fails: 'time-limit',
    says: /stopped at its time limit of 2 s, (?:while the module was loading|before the module was loaded)/,
  },
  {
    name: 'endless microtasks',
    file: 'micro.cjs',
    text: 'async function f() { while (true) await null; }',
    limits: SHORT,
    fails: 'time-limit',
    says: /limit/,
  },
  {
    name: 'a regular expression that never ends',
    file: 'regex.cjs',
    text: 'function f() { return /^(a+)+$/.test("a".repeat(60) + "b"); }',
    limits: SHORT,
    fails: 'time-limit',
    says: /limit/,
  },
  {
    name: 'process.exit',
    file: 'exit.cjs',
    text: 'function f() { process.exit(7); }',
    fails: 'exit',
    says: /exited the process with code 7, while the calls were running/,
  },
  {
    name: 'process.exit at the top level',
    file: 'exit-top.cjs',
    text: 'process.exit(0);\nfunction f() {}',
    fails: 'exit',
    says: /code 0, while the module was loading/,
  },
  {
    name: 'a built-in method replaced',
    file: 'no-map.cjs',
    text: 'Array.prototype.map = () => { throw new TypeError("no map"); };\nfunction f() {}',
    fails: 'replaced',
    says: /^The module replaces `Array\.prototype\.map`\. The run then failed: TypeError: no map\.$/,
  },
  {
    name: 'a built-in class replaced',
    file: 'no-promise.cjs',
    text: 'globalThis.Promise = class {};\nfunction f() {}',
    fails: 'replaced',
    says: /^The module replaces `Promise`\. The run then failed: TypeError: /,
  },
  ...(process.platform === 'linux'
    ? ([
        {
          name: 'code that removes the temporary folder of its run',
          file: 'remove.cjs',
          text: dedent`
            const fs = require('node:fs');
            const { dirname } = require('node:path');
            const links = fs.readdirSync('/proc/self/fd').map((fd) => { try { return fs.readlinkSync('/proc/self/fd/' + fd); } catch { return ''; } });
            const own = dirname(links.find((path) => /records-\\d+-\\d+\\.jsonl$/.test(path)));
            function f() { fs.rmSync(own, { recursive: true, force: true }); }
          `,
          fails: 'folder-removed',
          says: /^The temporary folder of the run was removed while the code was running, and with it what had been measured\.$/,
        },
        {
          name: 'a process that suspends itself',
          file: 'stop.cjs',
          text: 'function f() { process.kill(process.pid, "SIGSTOP"); }',
          fails: 'crash',
          says: /^The process was suspended \(SIGSTOP\) and did not continue, while the calls were running\.$/,
        },
      ] satisfies BadTarget[])
    : []),
  { name: 'process.abort', file: 'abort.cjs', text: 'function f() { process.abort(); }', fails: 'crash', says: /SIGABRT|aborted/ },
  {
    name: 'a kill of itself',
    file: 'kill.cjs',
    text: 'function f() { process.kill(process.pid, "SIGKILL"); for (;;); }',
    fails: 'crash',
    says: /SIGKILL|code/,
  },
  {
    name: 'a thrown string at the top level',
    file: 'string.cjs',
    text: 'throw "no error";\nfunction f() {}',
    fails: 'load',
    says: /'no error' was thrown, which is not an Error/,
  },
  {
    name: 'a thrown value that cannot be shown',
    file: 'hostile.cjs',
    text: dedent`
      throw new Proxy({}, { get() { throw 1; }, getPrototypeOf() { throw 2; } });
      function f() {}
    `,
    fails: 'load',
    says: /was thrown, which is not an Error/,
  },
  {
    name: 'a thrown null in a timer',
    file: 'timer.cjs',
    text: 'function f() { return new Promise(() => { setTimeout(() => { throw null; }); }); }',
    fails: 'uncaught',
    says: /null was thrown, which is not an Error/,
  },
  {
    name: 'an unhandled rejection',
    file: 'rejection.cjs',
    text: 'function f() { Promise.reject(new RangeError("lost")); return new Promise((r) => { setTimeout(r, 50); }); }',
    fails: 'uncaught',
    says: /unhandled promise rejection.*RangeError: lost/,
  },
  {
    name: 'a promise that never settles',
    file: 'never.cjs',
    text: 'function f() { return new Promise(() => {}); }',
    fails: 'unsettled',
    says: /can never settle/,
  },
  {
    name: 'a module that waits for ever',
    file: 'never.mjs',
    text: 'await new Promise(() => {});\nfunction f() {}',
    fails: 'unsettled',
    says: /has a top-level `await`/,
  },
  {
    name: 'a missing module',
    file: 'missing.cjs',
    text: 'require("./not-there");\nfunction f() {}',
    fails: 'load',
    says: /could not be loaded: Error: Cannot find module '\.\/not-there'\.$/,
  },
  {
    name: 'a missing package in an ES module',
    file: 'missing.mjs',
    text: 'import "nodometer-not-there";\nfunction f() {}',
    fails: 'load',
    says: /Cannot find package 'nodometer-not-there'.*\. If `nodometer-not-there` is a package of the project, run `npm install` first\.$/,
  },
  { name: 'a syntax error', file: 'syntax.cjs', text: '\nfunction f( {', fails: 'load', says: /SyntaxError: .*syntax\.cjs:\d/ },
  {
    name: 'a call that is not an expression',
    file: 'call.cjs',
    text: 'function f() {}',
    calls: ['f(', 'f()'],
    fails: 'call',
    says: /The call `f\(` is not an expression/,
  },
  {
    name: 'a call with a second statement in it',
    file: 'call2.cjs',
    text: 'function f() {}',
    calls: ['f()); process.exit(3); (f()'],
    fails: 'call',
    says: /is not an expression/,
  },
  {
    name: 'a return at the top level',
    file: 'return.cjs',
    text: 'if (true) return;\nfunction f() {}',
    fails: 'call',
    says: /ended before its last line/,
  },
  {
    name: 'more memory than is allowed',
    file: 'memory.cjs',
    text: dedent`
      const kept = [];
      function f() { kept.push(new Array(1e5).fill({})); }
    `,
    limits: { ...LONG, measureMs: 14_000, heapMb: 40 },
    fails: 'memory',
    says: /ran out of memory \(limit: 40 MB\)/,
  },
  {
    name: '200 MB of output',
    file: 'output.cjs',
    text: dedent`
      const text = "x".repeat(1e6);
      function f() { for (let i = 0; i < 200; i += 1) require("fs").writeSync(1, text); }
    `,
    limits: { ...LONG, outputBytes: 100_000 },
    fails: 'output-limit',
    says: /wrote more than \d+ MB of output/,
  },
  {
    name: 'an open server in a call that waits for it',
    file: 'server.cjs',
    text: 'function f() { return new Promise(() => { require("http").createServer().listen(0, "127.0.0.1"); }); }',
    limits: { wallMs: 6000, measureMs: 300 },
    fails: 'pending',
    says: /^A call had not returned after 3\.[12] s\.$/,
  },
];

describe('bad targets', async () => {
  for (const node of await nodesToTest()) describe(`on Node ${node.version}`, { concurrency: 3 }, () => badTargets(node));
});

function badTargets(node: NodeBinary): void {
  // A bench for each: what one run leaves must not hide behind another that still goes on.
  const withBench = (test: (bench: Bench) => Promise<void>) => async () => {
    const bench = makeBench(node);
    try {
      await test(bench);
      assert.deepEqual(bench.leftovers(), []);
    } finally {
      bench.end();
    }
  };

  for (const { name, file, text, calls, kind, limits, fails, says } of FUNCTIONS) {
    it(
      name,
      withBench(async (bench) => {
        const outcome = await bench.run({
          kind: kind ?? 'trace',
          target: { type: 'function', file: bench.write(file, text), calls: calls ?? ['f()'] },
          limits: limits ?? LONG,
        });
        assert.ok(!outcome.ok, 'it must not succeed');
        assert.equal(outcome.kind, fails, outcome.reason);
        assert.match(outcome.reason, says);
        assert.match(outcome.reason, /^[^\n]*\.$/, 'a sentence on one line');
      }),
    );
  }

  it(
    'keeps what is allowed of the output, and counts the rest',
    withBench(async (bench) => {
      const target = {
        type: 'function',
        file: bench.write('chatty.cjs', 'function f() { console.log("é".repeat(500)); }'),
        calls: ['f()'],
      } as const;
      const outcome = await bench.run({
        kind: 'trace',
        target,
        limits: { ...LONG, measureMs: 12_000, outputBytes: 100_001 },
        callLimit: 300,
      });
      assert.ok(outcome.ok);
      assert.equal(outcome.stdout.bytes, 300 * 1001);
      assert.ok(outcome.stdout.text.startsWith('éé') && !outcome.stdout.text.includes('\uFFFD'));
      assert.ok([100_000, 100_001].includes(Buffer.byteLength(outcome.stdout.text)));
    }),
  );

  it(
    'buffers, which are not on the heap of V8, in one process and in several',
    withBench(async (bench) => {
      if (process.platform !== 'linux') return assert.ok(true, 'only Linux tells how much memory a process takes');
      const limits = { ...LONG, measureMs: 14_000, residentMb: 300 };
      const take = 'const kept = []; const take = () => { kept.push(Buffer.alloc(10 * 1024 * 1024, 1)); };';
      const one = await bench.run({
        kind: 'io',
        target: { type: 'file', file: bench.write('buffers.cjs', `${take} setInterval(take, 2);`), arguments: [] },
        limits,
      });
      assert.ok(!one.ok);
      assert.equal(one.kind, 'memory', one.reason);
      assert.match(one.reason, /was stopped because it took more than 300 MB of memory/);
      // Each of them stays below the limit.
      const child = bench.write('part.cjs', `${take} for (let i = 0; i < 12; i++) take(); setInterval(() => {}, 1000);`);
      const several = await bench.run({
        kind: 'io',
        target: {
          type: 'file',
          file: bench.write(
            'parts.cjs',
            `for (let i = 0; i < 3; i++) require('child_process').spawn(process.execPath, [${JSON.stringify(child)}], { stdio: 'ignore' }); setInterval(() => {}, 1000);`,
          ),
          arguments: [],
        },
        limits,
      });
      assert.ok(!several.ok);
      assert.equal(several.kind, 'memory', several.reason);
      assert.deepEqual(bench.leftovers(), []);
    }),
  );

  it(
    'children that have lost their parent and their environment',
    withBench(async (bench) => {
      if (process.platform !== 'linux') return assert.ok(true, 'only Linux shows what descends from a process');
      const list = `${bench.folder}/lost.txt`;
      const lost = bench.write(
        'lost.cjs',
        `require('fs').writeFileSync(${JSON.stringify(list)}, String(process.pid)); setInterval(() => {}, 1000);`,
      );
      // It lives for long enough to be seen; a child that loses its parent within a second is not found (docs/profiling.md).
      const between = bench.write(
        'between.cjs',
        `require('child_process').spawn(process.execPath, [${JSON.stringify(lost)}], { detached: true, stdio: 'ignore', env: {} }).unref(); setTimeout(() => process.exit(), 4000);`,
      );
      const outcome = await bench.run({
        kind: 'io',
        target: {
          type: 'file',
          file: bench.write(
            'loses.cjs',
            `require('child_process').spawn(process.execPath, [${JSON.stringify(between)}], { detached: true, stdio: 'ignore', env: {} }); setTimeout(() => process.exit(), 7000);`,
          ),
          arguments: [],
        },
        limits: { wallMs: 30_000, measureMs: 29_000 },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      assert.ok(existsSync(list));
      assert.equal(isAlive(Number(readFileSync(list, 'utf8'))), false);
    }),
  );

  it(
    'children that start children',
    withBench(async (bench) => {
      const list = `${bench.folder}/children.txt`;
      // Each starts the next one, in a process group of its own, and never ends; the count is bounded, come what may.
      const text = `const { spawn } = require('child_process');
const fs = require('fs');
const depth = Number(process.env.DEPTH ?? 0);
fs.appendFileSync(${JSON.stringify(list)}, process.pid + '\\n');
if (depth < ${MAX_CHILDREN}) spawn(process.execPath, [__filename], { detached: depth % 2 === 0, stdio: 'inherit', env: { ...process.env, DEPTH: String(depth + 1) } }).unref();
setInterval(() => {}, 1000);
`;
      const outcome = await bench.run({
        kind: 'io',
        target: { type: 'file', file: bench.write('children.cjs', text), arguments: [] },
        limits: { wallMs: 3000, measureMs: 10_000 },
      });
      assert.ok(!outcome.ok);
      assert.equal(outcome.kind, 'time-limit');
      assert.deepEqual(bench.leftovers(), []);
      const started = readFileSync(list, 'utf8').trim().split('\n').map(Number);
      assert.ok(started.length > 2 && started.length <= MAX_CHILDREN + 1, `${started.length} were started`);
      assert.deepEqual(started.filter(isAlive), []);
    }),
  );

  it(
    'children that outlive a program that ends well',
    withBench(async (bench) => {
      const list = `${bench.folder}/orphan.txt`;
      const child = bench.write(
        'orphan-child.cjs',
        `require('fs').writeFileSync(${JSON.stringify(list)}, String(process.pid)); setInterval(() => {}, 1000);`,
      );
      const text = `const fs = require('fs');
require('child_process').spawn(process.execPath, [${JSON.stringify(child)}], { detached: true, stdio: 'ignore' }).unref();
const wait = setInterval(() => { if (fs.existsSync(${JSON.stringify(list)})) clearInterval(wait); }, 20);
`;
      const outcome = await bench.run({
        kind: 'io',
        target: { type: 'file', file: bench.write('orphan.cjs', text), arguments: [] },
        limits: { wallMs: 15_000, measureMs: 14_000 },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      assert.equal(outcome.endedBy, 'exit');
      assert.ok(existsSync(list));
      assert.equal(isAlive(Number(readFileSync(list, 'utf8'))), false);
      if (process.platform === 'linux') assert.equal(outcome.leftBehind, 1);
    }),
  );

  it(
    'an open server is measured for its time, and ended',
    withBench(async (bench) => {
      const file = bench.write('open-server.cjs', 'require("http").createServer().listen(0, "127.0.0.1");');
      const outcome = await bench.run({
        kind: 'watch',
        target: { type: 'file', file, arguments: [] },
        limits: { wallMs: 15_000, measureMs: 300 },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      assert.equal(outcome.endedBy, 'budget');
      assert.equal(outcome.value.filter(({ type }) => type === 'loop-delay').length, 1);
    }),
  );

  for (const [name, text, kind] of [
    ['next-tick', 'function starve() { process.nextTick(starve); }', 'next-tick'],
    ['promise', 'function starve() { Promise.resolve().then(starve); }', 'microtask'],
    ['synchronous', 'function starve() { for (;;); }', 'synchronous'],
  ] as const) {
    it(
      `starvation by ${name}: the evidence survives the kill`,
      withBench(async (bench) => {
        const file = bench.write(
          `starve-${name}.cjs`,
          dedent`
          ${text}
          // Not before the first turn of the loop: on a busy machine, 100 ms may pass before it, and then it is the start-up that never
          // ends.
          setImmediate(() => setTimeout(starve, 100));

        `,
        );
        const outcome = await bench.run({
          kind: 'watch',
          target: { type: 'file', file, arguments: [] },
          limits: { wallMs: 20_000 },
          endlessMs: 800,
        });
        assert.ok(!outcome.ok);
        assert.equal(outcome.kind, 'endless', outcome.reason);
        const block = findBlocks(outcome.value ?? []).find(({ endless }) => endless);
        assert.deepEqual([block?.kind, block?.startUp], [kind, false], outcome.reason);
        assert.deepEqual([block?.stack[0]?.functionName, block?.stack[0]?.file, block?.stack[0]?.line], ['starve', file, 1]);
        assert.match(outcome.reason, /blocked in starve/);
      }),
    );
  }

  it(
    'starvation by two queues that feed each other is told from callbacks that follow on each other',
    withBench(async (bench) => {
      const kindOf = async (name: string, text: string) => {
        const outcome = await bench.run({
          kind: 'watch',
          target: { type: 'file', file: bench.write(name, text), arguments: [] },
          limits: { wallMs: 20_000 },
          endlessMs: 1200,
        });
        assert.ok(!outcome.ok);
        assert.equal(outcome.kind, 'endless', outcome.reason);
        return findBlocks(outcome.value ?? []).find(({ endless }) => endless)?.kind;
      };
      assert.equal(
        await kindOf(
          'starve-both.cjs',
          dedent`
            function tick() { Promise.resolve().then(again); }
            function again() { process.nextTick(tick); }
            setTimeout(tick, 100);

          `,
        ),
        'next-tick',
      );
      // Each of them leaves the queues empty, and the loop does not turn before the last.
      assert.equal(
        await kindOf(
          'row.cjs',
          dedent`
            function due() { const end = Date.now() + 20; while (Date.now() < end); }
            for (let i = 0; i < 300; i++) setTimeout(due, 100);

          `,
        ),
        'synchronous',
      );
    }),
  );

  it(
    'callbacks of the loop that follow on each other are no queue',
    withBench(async (bench) => {
      const text = `const { setTimeout: later } = require('node:timers/promises');
const busy = () => { const end = Date.now() + 30; while (Date.now() < end); };
async function answer() { await later(50); busy(); }
let rounds = 0;
const round = () => { for (let i = 0; i < 4; i++) { setTimeout(busy, 50); void answer(); } if ((rounds += 1) < 5) setTimeout(round, 400); };
setTimeout(round, 100);
`;
      const outcome = await bench.run({
        kind: 'watch',
        target: { type: 'file', file: bench.write('rows.cjs', text), arguments: [] },
        limits: { wallMs: 20_000 },
      });
      assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
      const blocks = findBlocks(outcome.value).filter(({ startUp, duration }) => !startUp && duration >= 100);
      assert.ok(blocks.length > 0);
      assert.ok(
        blocks.every(({ kind }) => kind === 'synchronous' || kind === 'unknown'),
        JSON.stringify(blocks),
      );
      assert.ok(blocks.some(({ kind }) => kind === 'synchronous'));
    }),
  );

  it(
    'an abort ends the run',
    withBench(async (bench) => {
      const controller = new AbortController();
      const file = bench.write('abort-me.cjs', 'console.log("up");\nsetInterval(() => {}, 1000);');
      setTimeout(() => controller.abort(), 400);
      const outcome = await bench.run(
        { kind: 'io', target: { type: 'file', file, arguments: [] }, limits: { wallMs: 20_000, measureMs: 19_000 } },
        { signal: controller.signal },
      );
      assert.ok(!outcome.ok);
      assert.equal(outcome.kind, 'aborted');
      assert.deepEqual(bench.leftovers(), []);
      const again = await bench.run({ kind: 'io', target: { type: 'file', file, arguments: [] } }, { signal: controller.signal });
      assert.ok(!again.ok && again.kind === 'aborted');
    }),
  );

  it(
    'a target that is not there',
    withBench(async (bench) => {
      const outcome = await bench.run({ kind: 'time', target: { type: 'function', file: `${bench.folder}/nowhere.cjs`, calls: ['f()'] } });
      assert.ok(!outcome.ok && outcome.kind === 'load');
      assert.match(outcome.reason, /nowhere\.cjs does not exist\./);
    }),
  );

  it(
    'binaries that are no Node',
    withBench(async (bench) => {
      const missing = await probeNode(`${bench.folder}/no-node`);
      assert.ok(!missing.ok);
      assert.match(missing.reason, /could not be started/);
      const text = await probeNode(bench.write('node.txt', 'node'));
      assert.ok(!text.ok);
      assert.match(text.reason, /could not be started/);
      if (process.platform === 'win32') return;
      for (const [path, says] of [
        ['/bin/echo', /is not a working Node binary/],
        ['/bin/cat', /is not a working Node binary/],
        ['/bin/sh', /is not a working Node binary/],
      ] as const) {
        const outcome = await probeNode(path);
        assert.ok(!outcome.ok, path);
        assert.match(outcome.reason, says);
      }
      const patient = bench.write(
        'patient.sh',
        dedent`
        #!/bin/sh
        sleep 60

      `,
      );
      chmodSync(patient, 0o755);
      const slow = await probeNode(patient, undefined, 500);
      assert.ok(!slow.ok);
      assert.match(slow.reason, /did not respond within 0\.5 s/);
      const outcome = await bench.run({
        kind: 'trace',
        node: { ...node, path: '/bin/echo' },
        target: { type: 'function', file: bench.write('fine.cjs', 'function f() {}'), calls: ['f()'] },
      });
      assert.ok(!outcome.ok);
      assert.equal(outcome.kind, 'not-started');
    }),
  );
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A zombie that its parent has not collected answers, too.
    return process.platform !== 'linux' || !/\) [ZX] /.test(readFileSync(`/proc/${pid}/stat`, 'latin1'));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== 'ESRCH' && code !== 'ENOENT') throw error;
    return false;
  }
}
