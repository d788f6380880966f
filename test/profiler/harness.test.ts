// What each kind of run finds, on the Node that runs the tests and on those that NODOMETER_NODES names (paths, delimited like PATH).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import semver from 'semver';
import { findBlocks, recordsOf, type RunRecord } from '../../profiler/parse/records.ts';
import type { RunOutcome } from '../../profiler/run/run.ts';
import { makeBench, nodesToTest, type Bench } from './runs.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const LIMITS = { wallMs: 30_000, measureMs: 1000 };

function valueOf<Value>(outcome: RunOutcome<Value>): Value {
  assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
  return outcome.value;
}

const CODE = `function add(a, b) {
  return a + b;
}
const fs = require('node:fs');
const make = (n) => ({ n, next: [n] });
function both(p) { return fs.readFileSync(p, 'utf8').length + Number(fs.existsSync(p)) + require('crypto').randomBytes(8).length; }
function thrower(kind) {
  try {
    if (kind === 'error') throw new TypeError('bad');
    if (kind === 'number') throw 5;
    debugger;
    null.property;
  } catch (error) {
    return new Error('kept').message.length;
  }
}
async function later(x) { await null; if (x < 0) throw new RangeError('negative'); return x; }
let items = 0;
function* count(n) { for (let i = 0; i < n; i += 1) { items += 1; yield i; } }
async function* slowly(n) { for (let i = 0; i < n; i += 1) { await null; items += 1; yield i; } }
function sleep(ms) { return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms); }
function block(ms) { const end = Date.now() + ms; const cpu = process.cpuUsage(); while (Date.now() < end || process.cpuUsage(cpu).user < ms * 600); return end; }
class Cart { #n; constructor(n) { this.#n = n; } total() { return this.#n * 2; } }
`;

/** Line and column of a text in the code, from 1. */
function placeOf(text: string): [line: number, column: number] {
  const lines = CODE.slice(0, CODE.indexOf(text)).split('\n');
  return [lines.length, (lines.at(-1) ?? '').length + 1];
}

const MODULE = `import { readFileSync, existsSync as exists } from 'node:fs';
const secret = 40;
function hidden(n) {
  return n + secret;
}
const here = () => readFileSync(new URL(import.meta.url), 'utf8').length;
export default class { there() { return exists('/') ; } }
`;

describe('the harness', async () => {
  for (const node of await nodesToTest()) {
    describe(`on Node ${node.version}`, { concurrency: 2 }, () => {
      const withBench = (test: (bench: Bench) => Promise<void>) => async () => {
        const bench = makeBench(node);
        try {
          await test(bench);
          assert.deepEqual(bench.leftovers(), []);
        } finally {
          bench.end();
        }
      };
      const run = (bench: Bench, kind: Parameters<Bench['run']>[0]['kind'], calls: string[], more: object = {}) =>
        bench.run({ kind, target: { type: 'function', file: bench.write('code.cjs', CODE), calls }, limits: LIMITS, ...more });

      it(
        'trace: numbers, then strings: the deoptimization stands at the operator',
        withBench(async (bench) => {
          const file = bench.write('code.cjs', CODE);
          const outcome = await bench.runWith(
            {
              kind: 'trace',
              target: { type: 'function', file, calls: ['add(1, 2)', 'add("a", "b")'] },
              limits: { wallMs: 60_000, measureMs: 40_000 },
            },
            ({ v8Logs, records }) => {
              assert.equal(v8Logs.length, 1);
              return { log: readFileSync(v8Logs[0] ?? '', 'utf8'), records };
            },
          );
          const { log, records } = valueOf(outcome);
          assert.match(log, /^code-deopt,.*<[^>]*code\.cjs:2:12>,not a Smi/m);
          // Optimized in its own right, and not within a wrapper.
          assert.match(log, /^code-creation,(?:JS|LazyCompile|Function),\d+,.*add [^,]*code\.cjs:1:13,0x[0-9a-f]+,\*/m);
          assert.equal(outcome.stdout.text, '');
          assert.deepEqual(
            recordsOf(records, 'calls')[0]?.calls.map(({ calls, thrown }) => [calls, thrown]),
            [
              [60_000, 0],
              [60_000, 0],
            ],
          );
        }),
      );

      it(
        'time: samples, allocations and collections',
        withBench(async (bench) => {
          const records = valueOf(await run(bench, 'time', ['add(1, 2)', 'make(1)', 'later(1)', 'sleep(20)']));
          const [plain, made, awaited, slow] = recordsOf(records, 'timing');
          for (const one of [plain, made, awaited, slow]) {
            assert.ok(one && one.samples.length >= 5 && one.samples.every((ns) => ns > 0) && one.overhead > 0);
          }
          // An object of two properties, an array of one: 24 bytes at the very least on any V8. An addition of small integers: nothing.
          assert.ok((made?.allocated ?? 0) >= 24 && (made?.allocated ?? 0) < 400, `${made?.allocated} bytes`);
          assert.ok((plain?.allocated ?? 0) < 1, `${plain?.allocated} bytes`);
          assert.equal(slow?.callsPerSample, 1);
          assert.ok(
            (slow?.samples ?? []).every((ns) => ns >= 19e6),
            'a call takes its 20 ms',
          );
          assert.ok((recordsOf(records, 'gc')[0]?.count ?? 0) > 0, 'a young generation of 16 MB overflows');
          assert.deepEqual(
            recordsOf(records, 'calls')[0]?.calls.map(({ mode }) => mode),
            ['plain', 'plain', 'promise', 'plain'],
          );
        }),
      );

      it(
        'time: calls that take longer than all of the time are timed once',
        withBench(async (bench) => {
          const timings = recordsOf(valueOf(await run(bench, 'time', ['sleep(1500)', 'add(1, 2)'])), 'timing');
          const [slow, fast] = timings;
          assert.equal(slow?.callsPerSample, 1);
          assert.ok(slow && slow.samples.length === 1 && slow.samples.every((ns) => ns >= 1.49e9), JSON.stringify(slow));
          assert.equal(slow.allocated, undefined, 'there was no time for it');
          // Of a single sample of few calls, in which the process may have waited for a processor.
          assert.ok(fast && fast.callsPerSample > 1 && fast.samples.every((ns) => ns > 0 && ns < 1e7), JSON.stringify(fast));
        }),
      );

      it(
        'time: buffers lie outside of the heap, and are allocated all the same',
        withBench(async (bench) => {
          let bytes: number | undefined;
          // What a collection of garbage has touched is not told.
          for (let i = 0; i < 8 && bytes === undefined; i += 1)
            bytes = recordsOf(valueOf(await run(bench, 'time', ['Buffer.alloc(1e5)'])), 'timing')[0]?.allocated;
          assert.ok((bytes ?? 0) >= 1e5 && (bytes ?? 0) < 1.02e5, `${bytes} bytes`);
        }),
      );

      it(
        "io: each blocking call, its count and the user's line",
        withBench(async (bench) => {
          const records = valueOf(
            await run(bench, 'io', ['both(__filename)'], { callLimit: 10, limits: { wallMs: 30_000, measureMs: 20_000 } }),
          );
          const calls = recordsOf(records, 'sync-calls').at(-1)?.calls ?? [];
          assert.deepEqual(
            calls.map(({ name, count, place }) => [name, count, place?.line, place?.column]),
            [
              ['fs.readFileSync', 10, ...placeOf('readFileSync')],
              ['fs.existsSync', 10, ...placeOf('existsSync')],
              ['crypto.randomBytes', 10, ...placeOf('randomBytes')],
            ],
          );
          for (const { totalMs, maxMs } of calls) assert.ok(maxMs > 0 && totalMs >= maxMs);
        }),
      );

      it(
        'io: what loads and what only looks like it',
        withBench(async (bench) => {
          bench.write('lazy.cjs', 'module.exports = 1;');
          const text = `const crypto = require('crypto'); const fs = require('fs');
fs.readFileSync(__filename);
const large = JSON.stringify('x'.repeat(100000));
function f() {
  crypto.randomBytes(8, () => {});
  JSON.parse('[1]');
  JSON.parse(large);
  require('./lazy.cjs');
  try { fs.readFileSync('/not/there'); } catch {}
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
  JSON.stringify({ toJSON: () => fs.statSync('/').size });
  return fs.realpathSync.native('/') + fs.promises.constructor.name;
}`;
          const records = valueOf(
            await bench.run({
              kind: 'io',
              target: { type: 'function', file: bench.write('loads.cjs', text), calls: ['f()'] },
              callLimit: 3,
              limits: LIMITS,
            }),
          );
          const calls = recordsOf(records, 'sync-calls').at(-1)?.calls ?? [];
          assert.deepEqual(
            calls.map(({ name, count, place }) => [name, count, place?.line]),
            [
              ['JSON.parse', 3, 7],
              ['require', 1, 8],
              ['fs.readFileSync', 3, 9],
              ['Atomics.wait', 3, 10],
              ['fs.statSync', 3, 11],
              ['fs.realpathSync.native', 3, 12],
            ],
          );
          assert.ok((calls.find(({ name }) => name === 'Atomics.wait')?.maxMs ?? 0) >= 4);
        }),
      );

      it(
        'io: what was seen until the code ends the process',
        withBench(async (bench) => {
          const file = bench.write(
            'leaves.cjs',
            dedent`
              let n = 0;
              function f() {
                require('fs').statSync('/');
                if ((n += 1) === 3) process.exit(5);
              }
            `,
          );
          const outcome = await bench.run({ kind: 'io', target: { type: 'function', file, calls: ['f()'] }, limits: LIMITS });
          assert.ok(!outcome.ok);
          assert.equal(outcome.kind, 'exit');
          assert.deepEqual(
            recordsOf(outcome.value ?? [], 'sync-calls')
              .at(-1)
              ?.calls.map(({ name, count, place }) => [name, count, place?.line]),
            [['fs.statSync', 3, 3]],
          );
        }),
      );

      it(
        'exceptions: what is thrown and what is made',
        withBench(async (bench) => {
          const records = valueOf(
            await run(bench, 'exceptions', ['thrower("error")', 'thrower("number")', 'thrower()', 'later(-1)'], {
              callLimit: 5,
              limits: { wallMs: 60_000, measureMs: 40_000 },
            }),
          );
          const last = recordsOf(records, 'exceptions').at(-1);
          assert.equal(last?.capped, false);
          assert.deepEqual(
            last?.thrown.map(({ type, message, thrown, place }) => [type, message.slice(0, 8), thrown, place.line]),
            [
              ['TypeError', 'bad', 5, 9],
              ['(not an Error)', '5', 5, 10],
              ['TypeError', 'Cannot r', 5, 12],
              ['RangeError', 'negative', 5, 17],
            ],
          );
          assert.deepEqual(
            last?.created.map(({ type, count, place }) => [type, count, place?.line]),
            [
              ['TypeError', 5, 9],
              ['Error', 15, 14],
              ['RangeError', 5, 17],
            ],
          );
          assert.deepEqual(
            recordsOf(records, 'calls')[0]?.calls.map(({ thrown }) => thrown),
            [0, 0, 0, 5],
          );
          assert.equal(recordsOf(records, 'calls')[0]?.calls[3]?.firstError?.message, 'negative');
        }),
      );

      it(
        'exceptions: each call is made as often as the others, however long it takes',
        withBench(async (bench) => {
          const texts = ['add(1, 2)', 'block(20)', 'thrower("error")'];
          const records = valueOf(await run(bench, 'exceptions', texts, { limits: { wallMs: 60_000, measureMs: 2000 } }));
          const counts = recordsOf(records, 'calls')[0]?.calls.map(({ calls }) => calls) ?? [];
          assert.equal(counts.length, 3);
          assert.ok(Math.max(...counts) > 0 && new Set(counts).size === 1, counts.join());
        }),
      );

      it(
        'exceptions: counting ends where it would take too long',
        withBench(async (bench) => {
          const records = valueOf(
            await run(bench, 'exceptions', ['thrower("number")'], { callLimit: 100_000, limits: { wallMs: 60_000, measureMs: 40_000 } }),
          );
          const last = recordsOf(records, 'exceptions').at(-1);
          assert.equal(last?.capped, true);
          assert.equal(last?.thrown[0]?.thrown, 500);
        }),
      );

      for (const [call, name] of [
        ['both(40, 400)', 'second'],
        ['both(400, 40)', 'first'],
      ] as const) {
        it(
          `watch: ${call} is told by what takes most of the block`,
          withBench(async (bench) => {
            const spin = (one: string) => `function ${one}(ms) { const end = Date.now() + ms; while (Date.now() < end); return end; }`;
            const file = bench.write(
              'parts.cjs',
              dedent`
                ${spin('first')}
                ${spin('second')}
                function both(a, b) { return first(a) + second(b); }
              `,
            );
            const records = valueOf(
              await bench.run({
                kind: 'watch',
                target: { type: 'function', file, calls: [call] },
                limits: { wallMs: 30_000, measureMs: 4000 },
              }),
            );
            const stacks = findBlocks(records)
              .filter(({ startUp, stack, duration }) => !startUp && stack.length > 0 && duration > 300)
              .map(({ stack }) => stack.map(({ functionName }) => functionName));
            const right = stacks.filter((stack) => stack[0] === name && stack[1] === 'both');
            assert.ok(right.length > stacks.length / 2, JSON.stringify(stacks));
          }),
        );
      }

      it(
        "watch: a block is found, with its stack; the loop's delay has it too",
        withBench(async (bench) => {
          const records = valueOf(await run(bench, 'watch', ['block(150)'], { limits: { wallMs: 30_000, measureMs: 3000 } }));
          const blocks = findBlocks(records).filter(({ startUp }) => !startUp);
          assert.ok(blocks.length > 0);
          for (const { duration, endless } of blocks) assert.ok(duration >= 147 && !endless, `${duration} ms`);
          // A block that ends while it is being looked at is of no known kind; of no other kind is any.
          assert.ok(
            blocks.every(({ kind }) => kind === 'synchronous' || kind === 'unknown'),
            JSON.stringify(blocks),
          );
          const [withStack] = blocks.filter(({ stack, kind }) => stack.length > 0 && kind === 'synchronous');
          assert.deepEqual(
            [withStack?.stack[0]?.functionName, withStack?.stack[0]?.line, withStack?.kind],
            ['block', placeOf('block(ms)')[0], 'synchronous'],
          );
          // The wrapper is no frame of the user's.
          assert.equal(withStack?.stack.length, 1);
          const delay = recordsOf(records, 'loop-delay')[0];
          assert.ok(delay && delay.max >= 145 && delay.utilization > 0.5 && delay.utilization <= 1, JSON.stringify(delay));
          // Each call is a block, and the last one may have ended with the process, which no histogram has seen. On a crowded machine some
          // pass before the
          // watchdog has its turn, so that its own count is no measure; and a turn of the loop may take as long without one.
          const calls = recordsOf(records, 'calls')[0]?.calls[0]?.calls ?? 0;
          assert.ok(blocks.length <= calls, `${blocks.length} blocks in ${calls} calls`);
          const long = delay.histogram.filter(({ upTo = Infinity }) => upTo > 145).reduce((sum, { count }) => sum + count, 0);
          assert.ok(long >= calls - 2 && long <= 2 * calls, JSON.stringify([calls, delay.histogram]));
        }),
      );

      // Elsewhere nothing tells how long a thread has waited for its turn.
      if (process.platform === 'linux')
        it(
          'watch: waiting for a processor is no block',
          withBench(async (bench) => {
            // One processor alone is crowded: the other tests need theirs. Each in a session of its own, for Linux shares the processor out
            // among sessions first.
            const cpu = /^Cpus_allowed_list:\s*(\d+)/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? '0';
            const crowd = Array.from({ length: 12 }, () =>
              spawn('taskset', ['-c', cpu, 'sh', '-c', 'while :; do :; done'], { stdio: 'ignore', detached: true }),
            );
            const file = bench.write(
              'crowded.cjs',
              dedent`
                require('node:os').setPriority(19);
                require('node:child_process').execFileSync('taskset', ['-acp', '${cpu}', String(process.pid)]);
                function add(a, b) {
                  return a + b;
                }

              `,
            );
            try {
              let records: readonly RunRecord[] = [];
              let longest = 0;
              // The system decides who waits: some runs come through without.
              for (let tried = 0; tried < 5 && longest <= 20; tried += 1) {
                records = valueOf(
                  await bench.run({
                    kind: 'watch',
                    target: { type: 'function', file, calls: ['add(1, 2)'] },
                    limits: { wallMs: 60_000, measureMs: 2000 },
                    thresholdMs: 20,
                  }),
                );
                longest = recordsOf(records, 'loop-delay')[0]?.max ?? 0;
              }
              assert.ok(longest > 20, `the processor is crowded: ${longest} ms`);
              // Collections of garbage wait, too.
              const blocks = findBlocks(records).filter(({ startUp }) => !startUp);
              assert.ok(blocks.length <= 2, JSON.stringify(blocks));
            } finally {
              for (const one of crowd) one.kill('SIGKILL');
            }
          }),
        );

      it(
        "idle: the floor of the loop's delay",
        withBench(async (bench) => {
          const delay = recordsOf(valueOf(await bench.run({ kind: 'idle', limits: LIMITS })), 'loop-delay')[0];
          assert.ok(delay && delay.p50 <= delay.p99 && delay.p99 <= delay.max && delay.utilization < 0.9, JSON.stringify(delay));
        }),
      );

      it(
        'counts: each block, at its offsets',
        withBench(async (bench) => {
          const records = valueOf(
            await run(bench, 'counts', ['thrower("error")'], { callLimit: 7, limits: { wallMs: 30_000, measureMs: 20_000 } }),
          );
          const counted = recordsOf(records, 'counts')[0]?.files.flatMap(({ functions }) => functions) ?? [];
          const thrower = counted.find(({ name }) => name === 'thrower');
          assert.equal(thrower?.ranges[0]?.count, 7);
          assert.equal(thrower?.ranges[0]?.start, CODE.indexOf('function thrower'));
          assert.ok(thrower?.ranges.some(({ start, end, count }) => count === 0 && CODE.slice(start, end).includes('null.property')));
          assert.equal(counted.find(({ name }) => name === 'block')?.ranges[0]?.count, 0);
        }),
      );

      it(
        'counts: of a program and of what is compiled, blocks keep their own counts',
        withBench(async (bench) => {
          const text = `function work(n) {
  for (let i = 0; i < n; i += 1) {
    if (i % 2) items += 1;
  }
}
let items = 0;
work(10);
setTimeout(() => work(20_000), 50);
`;
          const program = valueOf(
            await bench.run({
              kind: 'counts',
              target: { type: 'file', file: bench.write('rounds.cjs', text), arguments: [] },
              limits: LIMITS,
            }),
          );
          const work = recordsOf(program, 'counts').map(({ startUp, files }) => [
            startUp,
            files[0]?.functions.find(({ name }) => name === 'work')?.ranges.map(({ count }) => count),
          ]);
          assert.deepEqual(work, [
            [true, [1, 10, 5]],
            [undefined, [1, 20_000, 10_000]],
          ]);
        }),
      );

      it(
        'cpu: a profile that names the function',
        withBench(async (bench) => {
          const target = { type: 'function', file: bench.write('code.cjs', CODE), calls: ['block(30)'] } as const;
          const profile = valueOf(
            await bench.runWith(
              { kind: 'cpu', target, limits: LIMITS },
              ({ cpuProfiles }) =>
                JSON.parse(readFileSync(cpuProfiles[0] ?? '', 'utf8')) as {
                  nodes: { hitCount: number; callFrame: { functionName: string; lineNumber: number } }[];
                },
            ),
          );
          const node = profile.nodes.find(({ callFrame }) => callFrame.functionName === 'block');
          assert.ok(node && node.hitCount > 0);
          assert.equal(node.callFrame.lineNumber + 1, placeOf('block(ms)')[0]);
        }),
      );

      it(
        'generators are drained, classes made before the calls',
        withBench(async (bench) => {
          const setup = 'const cart = new Cart(21);';
          const file = bench.write('code.cjs', CODE);
          const outcome = await bench.run({
            kind: 'counts',
            target: { type: 'function', file, setup, calls: ['count(4)', 'slowly(3)', 'cart.total()', 'count(1e9)'] },
            callLimit: 2,
            limits: LIMITS,
          });
          const records = valueOf(outcome);
          assert.deepEqual(
            recordsOf(records, 'calls')[0]?.calls.map(({ mode, cut, calls }) => [mode, cut, calls]),
            [
              ['generator', false, 2],
              ['async-generator', false, 2],
              ['plain', false, 2],
              ['generator', true, 2],
            ],
          );
          const cart = recordsOf(records, 'counts')[0]?.files[0]?.functions.filter(({ name }) => name === 'Cart' || name === 'total');
          assert.deepEqual(
            cart?.map(({ ranges }) => ranges[0]?.count),
            [1, 2],
          );
        }),
      );

      it(
        'ES modules: what is not exported, named imports of core modules',
        withBench(async (bench) => {
          const file = bench.write('module.mjs', MODULE);
          const io = valueOf(
            await bench.run({ kind: 'io', target: { type: 'function', file, calls: ['hidden(here())'] }, callLimit: 4, limits: LIMITS }),
          );
          assert.deepEqual(
            recordsOf(io, 'sync-calls')
              .at(-1)
              ?.calls.map(({ name, count, place }) => [name, count, place?.file, place?.line, place?.column]),
            [['fs.readFileSync', 4, file, 6, 20]],
          );
          const unnamed = valueOf(
            await bench.run({
              kind: 'io',
              target: { type: 'function', file, calls: ['new exports.default().there()'] },
              callLimit: 4,
              limits: LIMITS,
            }),
          );
          assert.deepEqual(
            recordsOf(unnamed, 'sync-calls')
              .at(-1)
              ?.calls.map(({ name, count, place }) => [name, count, place?.line]),
            [['fs.existsSync', 4, 7]],
          );
          const trace = await bench.runWith(
            {
              kind: 'trace',
              target: { type: 'function', file, calls: ['hidden(1)', 'hidden("a")'] },
              limits: { wallMs: 60_000, measureMs: 40_000 },
            },
            ({ v8Logs }) => v8Logs.map((log) => readFileSync(log, 'utf8')).join(''),
          );
          assert.match(valueOf(trace), /^code-deopt,.*module\.mjs:4:12>,not a Smi/m);
        }),
      );

      it(
        'the format comes from package.json, the text or the request',
        withBench(async (bench) => {
          bench.write('esm/package.json', '{ "type": "module" }');
          for (const [name, format] of [
            ['esm/a.js', undefined],
            ['plain.js', 'module'],
          ] as const) {
            const file = bench.write(name, MODULE);
            if (name === 'plain.js' && semver.lt(node.version, '20.19.0')) continue;
            const records = valueOf(
              await bench.run({
                kind: 'counts',
                target: { type: 'function', file, calls: ['hidden(1)'], format },
                callLimit: 3,
                limits: LIMITS,
              }),
            );
            assert.equal(
              recordsOf(records, 'counts')[0]
                ?.files.find((one) => one.file === file)
                ?.functions.find(({ name: one }) => one === 'hidden')?.ranges[0]?.count,
              3,
            );
          }
        }),
      );

      it(
        'a replaced text keeps its places; TypeScript whose types are blanked',
        withBench(async (bench) => {
          const source = dedent`
            export function pick(value: number | string): unknown {
              return (value as any) + 1;
            }

          `;
          const blanked = dedent`
            export function pick(value                 )          {
              return (value       ) + 1;
            }

          `;
          for (const name of ['pick.mts', 'pick.ts']) {
            const file = bench.write(name, source);
            const outcome = await bench.runWith(
              {
                kind: 'trace',
                target: { type: 'function', file, calls: ['pick(1)', 'pick("a")'], text: blanked, format: 'module' },
                limits: { wallMs: 60_000, measureMs: 40_000 },
              },
              ({ v8Logs }) => v8Logs.map((log) => readFileSync(log, 'utf8')).join(''),
            );
            assert.match(valueOf(outcome), new RegExp(`^code-deopt,.*${name.replace('.', '\\.')}:2:25>,not a Smi`, 'm'));
          }
        }),
      );

      it(
        'a file: servers, children through NODE_OPTIONS, ES modules',
        withBench(async (bench) => {
          const child = bench.write(
            'child.mjs',
            dedent`
              import { readFileSync } from 'node:fs';
              import { setTimeout as sleep } from 'node:timers/promises';
              readFileSync(process.argv[1]);
              setTimeout(() => {
                readFileSync(process.argv[1]);
              }, 100);

            `,
          );
          const parent = bench.write(
            'with space/parent.cjs',
            dedent`
              const { spawn } = require('child_process');
              spawn(process.execPath, [${JSON.stringify(child)}], { stdio: 'inherit' }).on('exit', (code) => { process.exitCode = code + 3; });

            `,
          );
          const outcome = await bench.run({
            kind: 'io',
            target: { type: 'file', file: parent, arguments: ['a'] },
            limits: { wallMs: 30_000, measureMs: 20_000 },
          });
          const records: readonly RunRecord[] = valueOf(outcome);
          assert.equal(outcome.exitCode, 3);
          assert.equal(recordsOf(records, 'started').length, 2);
          const calls = recordsOf(records, 'sync-calls').flatMap((record) => record.calls);
          assert.deepEqual(
            calls.map(({ name, place, count }) => [name, place?.file, place?.line, count]),
            [['fs.readFileSync', child, 5, 1]],
          );
        }),
      );

      it(
        'a command: its Node programs are traced, also those that it starts itself',
        withBench(async (bench) => {
          const hot = bench.write(
            'hot.cjs',
            dedent`
              ${CODE}
              function loop(n, x) { let r; for (let i = 0; i < n; i += 1) r = add(x, x); return r; }
              for (let i = 0; i < 300; i += 1) loop(1000, 1);
              loop(1000, 'a');
              console.log('done');

            `,
          );
          const outcome = await bench.runWith(
            {
              kind: 'trace',
              target: {
                type: 'command',
                command: [node.path, '-e', `require('child_process').spawnSync('node', [${JSON.stringify(hot)}], { stdio: 'inherit' })`],
              },
              limits: { wallMs: 60_000, measureMs: 40_000 },
            },
            ({ v8Logs }) => v8Logs.map((log) => readFileSync(log, 'utf8')).join(''),
          );
          assert.match(valueOf(outcome), /^code-deopt,.*hot\.cjs:2:12>.*not a Smi/m);
          assert.equal(outcome.stdout.text, 'done\n');
        }),
      );
    });
  }
});
