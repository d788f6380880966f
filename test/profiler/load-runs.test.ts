// Servers under load, good and bad ones: each ends within its limits, says why there are no figures in a sentence, and leaves no process,
// no port and no folder. No time is asserted.
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { compareUnderLoad } from '../../profiler/load/compare.ts';
import { causesOf, processesOf, trafficOf, whyNoResult } from '../../profiler/load/judge.ts';
import { measureLoad } from '../../profiler/load/measure.ts';
import { serveUnderLoad, type Load, type LoadedProgram, type ServedOutcome } from '../../profiler/load/served.ts';
import { recordsOf } from '../../profiler/parse/records.ts';
import { nodesToTest } from './runs.ts';

const SHORT: Load = { request: { method: 'GET', path: '/' }, connections: 4, warmUpMs: 100, measureMs: 300 };
/** Time enough for a crowded machine to start a Node. */
const LISTEN_MS = 10_000;
const SHORT_LISTEN_MS = 2000;

const SERVER = "require('node:http').createServer((request, response) => response.end('x')).listen(3000);\n";

const root = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-test-')));
const [folder, temp] = [join(root, 'targets'), join(root, 'temp')];
mkdirSync(folder);
mkdirSync(temp);
after(() => rmSync(root, { recursive: true, force: true }));

describe('servers under load', async () => {
  for (const node of await nodesToTest())
    describe(`on Node ${node.version}`, () => {
      const mark = randomUUID();
      const programOf = (name: string, text: string, env: Record<string, string> = {}): LoadedProgram => {
        const file = join(folder, name);
        writeFileSync(file, text);
        return { node, target: { type: 'file', file, arguments: [] }, cwd: folder, env: { NODOMETER_TEST: mark, ...env } };
      };
      const serve = async (
        name: string,
        text: string,
        {
          load = {},
          diagnoses = false,
          listenMs = LISTEN_MS,
          signal,
        }: { load?: Partial<Load>; diagnoses?: boolean; listenMs?: number; signal?: AbortSignal } = {},
      ): Promise<ServedOutcome> => {
        const outcome = await serveUnderLoad(
          programOf(name, text),
          { ...SHORT, ...load },
          { diagnoses, tempFolder: temp, listenMs, signal },
        );
        assert.deepEqual(leftovers(mark), []);
        return outcome;
      };
      const served = async (...args: Parameters<typeof serve>): Promise<ServedOutcome & { ok: true }> => {
        const outcome = await serve(...args);
        assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
        return outcome;
      };
      const refused = async (...args: Parameters<typeof serve>): Promise<string> => {
        const outcome = await serve(...args);
        assert.ok(!outcome.ok, 'there are figures');
        assert.ok(!outcome.aborted);
        return outcome.reason;
      };

      it('give figures, from outside and from inside, and their port is closed afterwards', async () => {
        const { result, records, died } = await served('plain.cjs', SERVER);
        assert.equal(died, undefined);
        assert.equal(whyNoResult(trafficOf(result), died), undefined);
        assert.deepEqual(Object.keys(result.statuses), ['200']);
        assert.ok(result.answered > 0 && result.latency.max >= (result.latency.percentiles[0]?.ms ?? Infinity));
        const [process, ...more] = processesOf(records);
        assert.ok(process && process.slices.length > 0 && process.utilization > 0);
        assert.deepEqual(more, []);
        const port = recordsOf(records, 'listening')[0]?.port ?? 0;
        assert.notEqual(port, 3000);
        assert.equal(await isOpen(port), false);
      });

      it('that block for the most of each slice are seen to do so in each', async () => {
        const text = dedent`
          require('node:http').createServer((request, response) => {
            const end = Date.now() + 60;
            while (Date.now() < end);
            response.end('x');
          }).listen(0);
        `;
        const { records } = await served('blocked.cjs', text, { load: { measureMs: 1500 } });
        const [process] = processesOf(records);
        // The last may be cut off where the window ends.
        const delays = (process?.slices ?? []).slice(0, -1).map(({ delay }) => delay);
        assert.ok(delays.length >= 2 && delays.every((delay) => delay >= 30), `60 ms of computing for each request: ${delays.join()}`);
      });

      it('are found on their port, whichever is taken and however many they have', async () => {
        const taken = createServer();
        const port = await new Promise<number>((resolve) => {
          taken.listen(0, '127.0.0.1', () => {
            const address = taken.address();
            resolve(typeof address === 'object' && address ? address.port : 0);
          });
        });
        try {
          const text = dedent`
            const { createServer } = require('node:http');
            createServer((request, response) => { response.statusCode = 404; response.end(); }).listen(${port});
            require('node:net').createServer().listen(${port});
            createServer((request, response) => { response.statusCode = request.url === '/known' ? 200 : 404; response.end(); }).listen(${port});
          `;
          const { result } = await served('ports.cjs', text, { load: { request: { method: 'GET', path: '/known' } } });
          assert.deepEqual(Object.keys(result.statuses), ['200']);
        } finally {
          taken.close();
        }
      });

      it('may fork their work, and each process says how it fared', async () => {
        const text = dedent`
          const cluster = require('node:cluster');
          if (cluster.isPrimary) for (let i = 0; i < 2; i += 1) cluster.fork();
          else require('node:http').createServer((request, response) => response.end('x')).listen(3000);
        `;
        const { result, records } = await served('cluster.cjs', text, { load: { measureMs: 1000 } });
        assert.equal(whyNoResult(trafficOf(result), undefined), undefined);
        assert.ok(processesOf(records).length >= 1, JSON.stringify(recordsOf(records, 'load')));
      });

      it('may close each connection', async () => {
        const text =
          "require('node:http').createServer((request, response) => { response.setHeader('connection', 'close'); response.end('x'); }).listen(0);";
        const { result } = await served('closing.cjs', text);
        assert.deepEqual(result.failures, {});
        assert.ok(result.answered > 0);
      });

      it('get a body and headers', async () => {
        const text = dedent`
          require('node:http').createServer((request, response) => {
            let body = '';
            request.on('data', (chunk) => { body += chunk; });
            request.on('end', () => {
              const isRight = request.method === 'POST' && body === '{"a":1}' && request.headers['x-key'] === '1' && request.headers['content-type'] === 'application/json';
              response.statusCode = isRight ? 200 : 400;
              response.end(request.method + ' ' + body + ' ' + JSON.stringify(request.headers));
            });
          }).listen(0);
        `;
        const request = { method: 'POST', path: '/', headers: { 'x-key': '1' }, body: '{"a":1}' };
        const { result } = await served('body.cjs', text, { load: { request } });
        assert.deepEqual([Object.keys(result.statuses), result.failures], [['200'], {}]);
      });

      it('that are too slow for a rate keep requests waiting, and their latency says so', async () => {
        const text = dedent`
          require('node:http').createServer((request, response) => {
            const end = Date.now() + 20;
            while (Date.now() < end);
            response.end();
          }).listen(0);
        `;
        const load = { connections: 1, rate: 1000, measureMs: 1000 };
        const { result } = await served('late.cjs', text, { load });
        // One after the other: the time of an answer is the window's by their number. They were due long before.
        assert.ok(result.latency.max > 2 * (result.windowMs / result.answered), JSON.stringify(result.latency));
        const { result: free } = await served('late.cjs', text, { load: { ...load, rate: undefined } });
        const median = free.latency.percentiles.find(({ percent }) => percent === 50)?.ms ?? 0;
        assert.ok(median < 2 * (free.windowMs / free.answered), JSON.stringify(free.latency));
      });

      it('are watched for what each request does', async () => {
        const text = dedent`
          const { readFileSync } = require('node:fs');
          const { createServer, get } = require('node:http');
          const inner = createServer((request, response) => response.end()).listen(0, () => {
            createServer(function handle(request, response) {
              readFileSync(__filename);
              get({ host: '127.0.0.1', port: inner.address().port, agent: false, path: '/' }, (answer) => { answer.resume(); answer.on('end', () => response.end()); });
            }).listen(0);
          });
        `;
        // The inner server knows every path, too, and is the first.
        const asked = text.replace(
          'createServer((request, response) => response.end())',
          "createServer((request, response) => { response.statusCode = request.url === '/' ? 200 : 404; response.end(); })",
        );
        const { records } = await served('causes.cjs', asked, {
          diagnoses: true,
          load: { request: { method: 'GET', path: '/outer' }, connections: 1, measureMs: 1000 },
        });
        const causes = causesOf(records);
        assert.ok(causes, JSON.stringify(records));
        // Each request comes with a second one, to the inner server. What is under way at the ends of the window makes the shares uneven.
        const near = (value: number, wanted: number) =>
          assert.ok(Math.abs(value - wanted) <= 3 / causes.requests + 0.01, JSON.stringify(causes));
        near(causes.counts.blockingCalls, 0.5);
        near(causes.counts.outgoing, 0.5);
        near(causes.counts.sockets, 0.5);
        assert.equal(causes.counts.threads, 0);
        const [call] = causes.calls;
        assert.deepEqual([call?.name, call?.place?.file, call?.place?.line], ['fs.readFileSync', join(folder, 'causes.cjs'), 5]);
        assert.ok(causes.pool && causes.heapKept, JSON.stringify(causes));
      });

      it('tell which code blocks', async () => {
        const text = dedent`
          function burn() {
            const end = Date.now() + 120;
            while (Date.now() < end);
          }
          require('node:http').createServer(function handle(request, response) { burn(); response.end(); }).listen(0);
        `;
        const { records } = await served('blocks.cjs', text, { diagnoses: true, load: { connections: 1, measureMs: 1000 } });
        const blocks = causesOf(records)?.blocks ?? [];
        assert.ok(
          blocks.some(({ stack }) => stack[0]?.functionName === 'burn' && stack[1]?.functionName === 'handle'),
          JSON.stringify(blocks),
        );
      });

      it('that never listen, or have no HTTP, are told', async () => {
        assert.match(
          await refused('silent.cjs', 'setInterval(() => {}, 1000);', { listenMs: SHORT_LISTEN_MS }),
          /started no server within 2 s/,
        );
        assert.match(
          await refused('tcp.cjs', "require('node:net').createServer().listen(0);", { listenMs: SHORT_LISTEN_MS }),
          /listens, but not with an HTTP server/,
        );
        assert.match(await refused('h2.cjs', "require('node:http2').createServer().listen(0);"), /HTTP\/2 only/);
      });

      it('that end before they listen say why, and what may be missing', async () => {
        const needs = "if (!process.env.DATABASE_URL) throw new Error('DATABASE_URL is missing');\n";
        assert.match(
          await refused('env.cjs', needs + SERVER),
          /an uncaught error ended it: Error: DATABASE_URL is missing\. If it needs environment variables/,
        );
        const outcome = await serveUnderLoad(programOf('env.cjs', needs + SERVER, { DATABASE_URL: 'x' }), SHORT, {
          diagnoses: false,
          tempFolder: temp,
        });
        assert.ok(outcome.ok);
        assert.match(await refused('exit.cjs', 'process.exit(3);'), /it exited with code 3/);
        assert.match(await refused('syntax.cjs', 'const = 1;'), /SyntaxError: Unexpected token/);
      });

      it('that answer only errors are not measured', async () => {
        const text =
          "require('node:http').createServer((request, response) => { response.statusCode = 500; response.end('out of order'); }).listen(0);";
        assert.match(await refused('errors.cjs', text), /status 500, so there is nothing to measure: out of order\./);
      });

      it('that fail, end or stand still under load give no result', async () => {
        const after = (what: string) => dedent`
          let asked = 0;
          const server = require('node:http').createServer((request, response) => { if (++asked > 5) { ${what} } response.end(); }).listen(0);
        `;
        const why = async (name: string, what: string): Promise<string> => {
          const { result, died } = await served(name, after(what));
          return whyNoResult(trafficOf(result), died) ?? 'a result';
        };
        assert.match(await why('failing.cjs', 'response.statusCode = 503;'), /of the requests failed \(status 503: \d+\)/);
        assert.match(
          await why('throwing.cjs', "throw new TypeError('too much for ' + request.socket.remotePort);"),
          /ended under load: an uncaught error ended it: TypeError: too much for \[value\] \(throwing\.cjs:2\)\./,
        );
        assert.match(await why('leaving.cjs', 'process.exit(4);'), /ended under load: it exited with code 4\./);
        assert.match(
          await why('killed.cjs', "process.kill(process.pid, 'SIGKILL');"),
          /ended under load: the process was killed by SIGKILL/,
        );
        assert.match(await why('resetting.cjs', 'request.socket.destroy(); return;'), /of the requests failed/);
        assert.match(await why('standing.cjs', 'for (;;);'), /No request was answered/);
      });

      it('that ignore signals and start others are ended with them', async () => {
        const text = dedent`
          for (const name of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(name, () => {});
          const { spawn } = require('node:child_process');
          spawn(process.execPath, ['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 1000)"], { detached: true, stdio: 'ignore' }).unref();
          process.on('exit', () => { for (;;); });
          ${SERVER}
        `;
        const { leftBehind } = await served('stubborn.cjs', text);
        if (process.platform === 'linux') assert.equal(leftBehind, 1);
      });

      it('are ended at whatever moment the user stops', async () => {
        for (const ms of [0, 100, 400, 900, 1500]) {
          const stop = new AbortController();
          const timer = setTimeout(() => stop.abort(), ms);
          const outcome = await serve('stopped.cjs', SERVER, { load: { measureMs: 20_000 }, signal: stop.signal, diagnoses: ms === 900 });
          clearTimeout(timer);
          assert.ok(!outcome.ok && outcome.aborted, JSON.stringify(outcome));
        }
        const stopped = AbortSignal.abort();
        const outcome = await serve('stopped.cjs', SERVER, { signal: stopped });
        assert.ok(!outcome.ok && outcome.aborted);
      });

      it('are measured twice for a report: for the figures, and for the causes', async () => {
        const steps: string[] = [];
        const outcome = await measureLoad({
          program: programOf('report.cjs', SERVER),
          command: 'node report.cjs',
          load: SHORT,
          date: '2026-01-01T00:00:00.000Z',
          tempFolder: temp,
          progress: (step) => steps.push(step),
        });
        assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
        assert.deepEqual(steps, ['figures', 'causes']);
        assert.equal(outcome.report.noResult, undefined);
        assert.ok(outcome.report.limit && outcome.report.causes && outcome.report.processes.length === 1);
        assert.deepEqual(leftovers(mark), []);
      });

      it('are compared by processes that take turns, and a slower one is shown as slower', async () => {
        // Waiting takes no processor, which a crowded machine may not have.
        const waiting = (ms: number) =>
          `require('node:http').createServer((request, response) => setTimeout(() => response.end(), ${ms})).listen(0);`;
        const done: string[] = [];
        const outcome = await compareUnderLoad(
          { name: 'quick', program: programOf('quick.cjs', waiting(1)) },
          { name: 'slow', program: programOf('slow.cjs', waiting(150)) },
          {
            load: { ...SHORT, measureMs: 700 },
            rounds: 6,
            tolerance: 0.05,
            tempFolder: temp,
            progress: (n, total) => done.push(`${n}/${total}`),
          },
        );
        assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
        const { verdict, ratio, high, first } = outcome.difference;
        assert.equal(verdict, 'slower', JSON.stringify(outcome.difference));
        assert.ok(ratio < 1 && high < 1 && first.figures.length === 6);
        assert.equal(done.length, 12);
        assert.deepEqual(leftovers(mark), []);
      });
    });
});

/** Folders, and processes of the server and of the load generator where the system shows their environment. */
function leftovers(mark: string): string[] {
  const folders = readdirSync(temp);
  if (process.platform !== 'linux') return folders;
  const processes = readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry)) return false;
    try {
      const text = readFileSync(`/proc/${entry}/environ`, 'latin1');
      return text.includes(mark) || text.includes(`NODOMETER_LOAD=${temp}`);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
  return [...folders, ...processes];
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' });
    socket.on('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}
