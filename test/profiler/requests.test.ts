// Programs under requests: what they listen on, what is sent and counted, what goes wrong in a sentence; and the samples from the command
// to the verdicts.
import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import type { ProfileReport, ProgramRequest } from '../../protocol/evidence.ts';
import { recordsOf, requestsIn, type RunRecord } from '../../profiler/parse/records.ts';
import { requestProblems } from '../../profiler/evidence/requests.ts';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith, run } from '../cli/support.ts';
import { prepared } from './prepared.ts';
import { makeBench, nodesToTest, type Bench } from './runs.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const LONG = { wallMs: 20_000, measureMs: 400 };
/** Long enough for a loaded machine to start a program that will not listen. */
const SHORT = { wallMs: 6000, measureMs: 300 };
const GET = (path: string): ProgramRequest => ({ method: 'GET', path });

describe('programs under requests', async () => {
  for (const node of await nodesToTest())
    describe(`on Node ${node.version}`, () => {
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
        'listen on free ports of the loopback, whatever they ask for',
        withBench(async (bench) => {
          const taken = createServer();
          const port = await new Promise<number>((resolve) => {
            taken.listen(0, '127.0.0.1', () => {
              const address = taken.address();
              resolve(typeof address === 'object' && address ? address.port : 0);
            });
          });
          const file = bench.write(
            'forms.cjs',
            `const http = require('http');
const net = require('net');
new (require('worker_threads').Worker)("const s = require('http').createServer(); s.listen(${port}, '0.0.0.0', () => { console.log(JSON.stringify([s.address().address, s.address().port === ${port}])); s.close(); });", { eval: true });
const servers = [[${port}], [${port}, '0.0.0.0', 5, () => console.log('called back')], [{ port: ${port}, host: '::' }], ['/nowhere/at/all.sock'], [() => console.log('called back')], [], [{ fd: 0 }], ['${port}']];
servers.forEach((args, i) => {
  const server = (i === 1 ? net : http).createServer((q, r) => r.end('x'));
  server.on('error', (error) => console.log('failed ' + error.message));
  server.on('listening', () => console.log(JSON.stringify([server.address().address, server.address().port === ${port}])));
  server.listen(...args);
});`,
          );
          const outcome = await bench.run({
            kind: 'watch',
            target: { type: 'file', file, arguments: [], requests: [GET('/')] },
            limits: { wallMs: 20_000, measureMs: 1500 },
          });
          taken.close();
          assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
          assert.deepEqual(outcome.stdout.text.trim().split('\n').sort(), [
            ...Array.from({ length: 9 }, () => '["127.0.0.1",false]'),
            'called back',
            'called back',
          ]);
          const servers = recordsOf(outcome.value, 'listening');
          assert.equal(new Set(servers.map((server) => server.port)).size, 8);
          assert.equal(servers.filter(({ protocol }) => protocol === 'tcp').length, 1);
        }),
      );

      it(
        'are asked in turns, and only what the requests do counts',
        withBench(async (bench) => {
          const file = bench.write(
            'app.cjs',
            `const fs = require('fs');
function read() { return fs.readFileSync(__filename, 'utf8'); }
function never() { return read(); }
read(); read();
require('http').createServer((request, response) => {
  if (request.url === '/read') response.end(read());
  else if (request.url === '/never') response.end(never());
  else { response.statusCode = 404; let text = ''; request.on('data', (d) => { text += d; }).on('end', () => response.end(request.headers['content-type'] + text)); }
}).listen(80);`,
          );
          const requests = [GET('/read'), { method: 'POST', path: '/else', body: '{}' }];
          const runOf = async (kind: 'io' | 'counts' | 'time' | 'watch'): Promise<readonly RunRecord[]> => {
            const outcome = await bench.run({ kind, target: { type: 'file', file, arguments: [], requests }, limits: LONG, callLimit: 30 });
            assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
            assert.equal(outcome.endedBy, 'done');
            return outcome.value;
          };
          const io = await runOf('io');
          const [read, other] = requestsIn(io);
          assert.ok(read && other && read.sent > 0 && read.sent <= 30);
          assert.ok(Math.abs(read.sent - other.sent) <= 4);
          assert.deepEqual(
            [read.request, read.statuses, other.request, other.statuses],
            ['GET /read', { 200: read.answered }, 'POST /else', { 404: other.answered }],
          );
          assert.deepEqual(
            recordsOf(io, 'sync-calls')
              .at(-1)
              ?.calls.map(({ name, place, count }) => [name, place?.line, count]),
            [['fs.readFileSync', 2, read.sent]],
          );
          assert.deepEqual(requestProblems([read]), []);
          assert.match(
            requestProblems([other])[0] ?? '',
            /`POST \/else` returned status 404 in \d+ of \d+ requests; there may be no such route\./,
          );

          const counts = await runOf('counts');
          const counted = recordsOf(counts, 'counts')[0]?.files.find((one) => one.file === file)?.functions ?? [];
          const count = (name: string) => counted.filter((one) => one.name === name).map(({ ranges }) => ranges[0]?.count);
          assert.deepEqual([count('read'), count('never')], [[requestsIn(counts)[0]?.sent], [0]]);

          const time = await runOf('time');
          assert.deepEqual(
            recordsOf(time, 'timing').map(({ call, samples, callsPerSample }) => [
              call,
              samples.length > 0 && samples.every((ns) => ns > 0),
              callsPerSample,
            ]),
            [
              [0, true, 1],
              [1, true, 1],
            ],
          );
        }),
      );

      it(
        'an answer that never comes does not keep the other routes; HTTP/2 is spoken',
        withBench(async (bench) => {
          const hanging = bench.write(
            'hanging.cjs',
            `require('http').createServer((q, r) => { if (q.url === '/ok') r.end('x'); }).listen(80);`,
          );
          const outcome = await bench.run({
            kind: 'watch',
            target: { type: 'file', file: hanging, arguments: [], requests: [GET('/never'), GET('/ok')] },
            limits: { wallMs: 20_000, measureMs: 1500 },
          });
          assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
          const [never, ok] = requestsIn(outcome.value);
          assert.deepEqual([never?.sent, never?.errors], [1, { 'no answer': 1 }]);
          assert.ok((ok?.answered ?? 0) > 1);
          const file = bench.write('h2.cjs', `require('http2').createServer((q, r) => r.end('x')).listen(80);`);
          const second = await bench.run({
            kind: 'io',
            target: { type: 'file', file, arguments: [], requests: [GET('/')] },
            limits: LONG,
            callLimit: 5,
          });
          assert.ok(second.ok, second.ok ? '' : second.reason);
          assert.deepEqual(
            requestsIn(second.value).map(({ sent, statuses }) => [sent, statuses]),
            [[5, { 200: 5 }]],
          );
        }),
      );

      it(
        'go on to another phase when it is their turn, started once',
        withBench(async (bench) => {
          const file = bench.write('twice.cjs', `require('http').createServer((q, r) => r.end('x')).listen(80);`);
          const told: [number, string[]][] = [];
          let release: (share: number) => void = () => {
            /* Set at once. */
          };
          const hold = new Promise<number>((resolve) => {
            release = resolve;
          });
          const phases = [
            { kinds: ['io' as const], measureMs: 200 },
            { kinds: ['cpu' as const], measureMs: 200 },
            { kinds: ['time' as const], measureMs: 60_000 },
          ];
          const reached = (phase: number, records: readonly RunRecord[]): void => {
            told.push([
              phase,
              requestsIn(records)
                .filter(({ answered }) => answered > 0)
                .map(({ request }) => request),
            ]);
            if (phase === 1) setTimeout(() => release(0.005), 300);
          };
          const outcome = await bench.run(
            {
              kind: 'io',
              phases,
              holdAt: 1,
              target: { type: 'file', file, arguments: [], requests: [GET('/')] },
              limits: LONG,
              callLimit: 1e9,
            },
            { hold, reached },
          );
          assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
          assert.deepEqual(
            told.slice(0, 2),
            [
              [0, []],
              [1, ['GET /']],
            ],
            'told before the first request, and when the first phase was over',
          );
          assert.deepEqual(
            recordsOf(outcome.value, 'phase').map(({ phase }) => phase),
            [0, 1, 2],
          );
          assert.equal(recordsOf(outcome.value, 'started').length, 1);
          assert.equal(recordsOf(outcome.value, 'timing').length, 1);
        }),
      );

      it(
        'that take long are asked a few times, and one after the other',
        withBench(async (bench) => {
          const file = bench.write(
            'long.cjs',
            `let open = 0;
require('http').createServer((q, r) => {
  open += 1;
  if (open > 1) console.log('two at once');
  setTimeout(() => { open -= 1; r.end('x'); }, 150);
}).listen(80);`,
          );
          const outcome = await bench.run({
            kind: 'io',
            phases: [{ kinds: ['io'], measureMs: 15_000, fewCalls: 4 }],
            target: { type: 'file', file, arguments: [], requests: [GET('/'), GET('/b')] },
            limits: { wallMs: 40_000, measureMs: 15_000 },
          });
          assert.ok(outcome.ok, outcome.ok ? '' : outcome.reason);
          assert.deepEqual(
            requestsIn(outcome.value).map(({ sent }) => sent),
            [4, 4],
          );
          assert.equal(outcome.stdout.text, '');
        }),
      );

      for (const [why, need] of [
        ['when there are enough', 5],
        ['when enough of them cannot come any more', 1e9],
      ] as const) {
        it(
          `are not waited for ${why}`,
          withBench(async (bench) => {
            const patient = { measureMs: 200, patienceMs: 60_000, leastCalls: 1e8 };
            const limits = { wallMs: 20_000, ...patient };
            const file = bench.write('patient.cjs', `require('http').createServer((q, r) => setTimeout(() => r.end('x'), 5)).listen(80);`);
            const asked = await bench.run(
              {
                kind: 'trace',
                phases: [{ kinds: ['trace'], ...patient }],
                target: { type: 'file', file, arguments: [], requests: [GET('/')] },
                limits,
                callLimit: 1e9,
              },
              { need: Promise.resolve(need) },
            );
            assert.ok(asked.ok, asked.ok ? '' : asked.reason);
            assert.ok((requestsIn(asked.value)[0]?.sent ?? 0) >= 3);
            const called = bench.write('called.cjs', 'function wait() { const end = Date.now() + 5; while (Date.now() < end); }');
            const calls = await bench.run(
              { kind: 'trace', target: { type: 'function', file: called, calls: ['wait()'] }, limits, leastCalls: 1e8, callLimit: 1e9 },
              { need: Promise.resolve(need) },
            );
            assert.ok(calls.ok, calls.ok ? '' : calls.reason);
          }),
        );
      }

      for (const [name, text, kind, says] of [
        ['crashes while it starts', 'throw new TypeError("no database");', 'load', /TypeError: no database/],
        [
          'ends without a server',
          'console.log("done");',
          'no-server',
          /exited with code 0 and never started a server, so no request could be sent\./,
        ],
        ['never listens', 'setInterval(() => {}, 1000);', 'no-server', /did not start a server in time, so no request could be sent\./],
        ['listens without HTTP', 'require("net").createServer().listen(80);', 'no-server', /not with an HTTP server/],
        [
          'crashes at the first request',
          'require("http").createServer(() => { throw new RangeError("bad"); }).listen(80);',
          'uncaught',
          /RangeError: bad/,
        ],
        [
          'parses the body of a request that has none',
          'require("http").createServer((req, res) => { res.end(JSON.parse("")); }).listen(80);',
          'uncaught',
          /Unexpected end of JSON input.*\. The request had no body, and the program parses one\. Send a request with a body: .* --body "\{\}"`\.$/,
        ],
        [
          'ends at the first request',
          'require("http").createServer(() => process.exit(0)).listen(80);',
          'exit',
          /exited with code 0 before it answered all requests\./,
        ],
      ] as const) {
        it(
          `a program that ${name}`,
          withBench(async (bench) => {
            const outcome = await bench.run({
              kind: 'io',
              target: { type: 'file', file: bench.write('bad.cjs', text), arguments: [], requests: [GET('/')] },
              limits: kind === 'no-server' ? SHORT : LONG,
            });
            assert.ok(!outcome.ok, 'it must not succeed');
            assert.equal(outcome.kind, kind, outcome.reason);
            assert.match(outcome.reason, says);
            assert.match(outcome.reason, /^[^\n]*\.$/, 'a sentence on one line');
          }),
        );
      }
    });
});

describe('handlers of the samples', () => {
  const profile = async (sample: string, at: string | { lineOf: string; file: string }, ...more: string[]): Promise<ProfileReport> => {
    const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-samples-')));
    try {
      cpSync(join(ROOT, 'samples', sample), join(folder, sample), { recursive: true });
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'), 'junction');
      const target = typeof at === 'string' ? at : `${at.file}:${lineOf(readFileSync(join(folder, sample, at.file), 'utf8'), at.lineOf)}`;
      const { out, err } = await run(['profile', target, ...more, '--yes', '--no-save', '--time', '2', '-f', 'json'], {
        cwd: join(folder, sample),
        rules,
      });
      assert.notEqual(out, '', err);
      assert.deepEqual(processesIn(folder), []);
      return JSON.parse(out) as ProfileReport;
    } finally {
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    }
  };
  /** The verdict on the blocking call, its figure checked against what was measured. */
  const judged = (report: ProfileReport, name: string, word: 'confirmed' | 'seen'): void => {
    const seen = report.syncCalls.filter((call) => call.name === name);
    const [call] = seen;
    assert.ok(call && seen.length === 1, JSON.stringify(report.syncCalls));
    const verdict = report.verdicts.find(
      ({ ruleId, place }) => ruleId === 'no-sync-in-handler' && place.file === call.place.file && place.line === call.place.line,
    );
    assert.equal(verdict?.verdict, word, JSON.stringify(report.verdicts));
    const figure = word === 'confirmed' ? `${name}: ` : `${name} ${call.count === 1 ? 'once' : `×${call.count}`}, `;
    assert.ok(verdict.figure.startsWith(figure), verdict.figure);
    // Each request makes the call once.
    // The first calls are not warm, and do not count where there are enough others.
    const { count, totalMs } = call.warm && call.warm.count >= 5 ? call.warm : call;
    const each = (totalMs / count) * 1e6;
    assert.ok(verdict.cost && Math.abs(verdict.cost.ns - each) < each / 100, JSON.stringify([verdict.cost, call]));
    assert.equal(report.target.origin, 'request');
    assert.ok((report.timing?.median ?? 0) > 0);
  };

  it('Express: an anonymous handler of an application that another file starts', async () => {
    const report = await profile('express-shop', { file: 'app.js', lineOf: "app.get('/terms'" });
    assert.deepEqual(report.target.calls, ['GET /terms']);
    judged(report, 'fs.readFileSync', 'seen');
    assert.deepEqual(report.problems, []);
  });

  it('Fastify: a hook that all routes pass, made inside of a function; what no request came to is not reached', async () => {
    const report = await profile(
      'fastify-orders',
      { file: 'app.js', lineOf: "app.addHook('preHandler'" },
      '--request',
      'GET /orders/1/total',
    );
    judged(report, 'crypto.scryptSync', 'confirmed');
    assert.equal(
      report.verdicts.some(({ figure }) => figure.startsWith('fs.readFileSync')),
      false,
    );
    const other = await profile('fastify-orders', { file: 'app.js', lineOf: 'handler: async' }, '--request', 'GET /orders/1/total');
    assert.deepEqual(
      other.verdicts.filter(({ place }) => /receipt/.test(lineText(place.line, 'fastify-orders/app.js'))).map(({ verdict }) => verdict),
      ['not-reached'],
    );
  });

  it('node:http: a helper that only the server calls, by the paths that the server compares', async () => {
    const report = await profile('http-files', 'server.js:sizeOf');
    assert.ok(report.target.calls.includes('GET /list'));
    judged({ ...report, syncCalls: report.syncCalls.filter(({ name }) => name === 'fs.statSync') }, 'fs.statSync', 'seen');
  });

  it('Koa: a handler whose route another file knows, in a program that a process manager starts', async () => {
    const report = await profile('koa-notes', 'routes/notes.js:list', '--request', 'GET /notes');
    judged(report, 'fs.readdirSync', 'seen');
  });

  it('a function that requests of other files come by, under the path that they are mounted at, in a program without an ending', async () => {
    const folder = folderWith({
      'package.json': '{ "name": "p", "scripts": { "start": "node ./bin/www" } }',
      'bin/www': dedent`
        #!/usr/bin/env node
        require('../app').listen(process.env.PORT || 3000);

      `,
      'app.js': dedent`
        const app = require('express')();
        app.use('/users', require('./routes/users'));
        module.exports = app;

      `,
      'routes/users.js': dedent`
          const router = require('express').Router();
          const { load } = require('../lib/texts');
          router.get('/:id', (req, res) => res.send(load(__filename)));
          module.exports = router;

        `,
      'lib/texts.js': dedent`
        const fs = require('fs');
        exports.load = function load(name) {
          return fs.readFileSync(name, 'utf8');
        };

      `,
    });
    try {
      symlinkSync(join(ROOT, 'node_modules'), join(folder.path, 'node_modules'), 'junction');
      const { out, err } = await run(['profile', 'lib/texts.js:load', '--yes', '--no-save', '--time', '2', '-f', 'json'], {
        cwd: folder.path,
        rules,
      });
      assert.notEqual(out, '', err);
      const { target, verdicts, problems } = JSON.parse(out) as ProfileReport;
      assert.deepEqual([target.origin, target.calls, problems], ['request', ['GET /users/1'], []]);
      assert.deepEqual(
        verdicts.map(({ ruleId, place, verdict }) => [ruleId, place.line, verdict]),
        [['no-sync-in-handler', 3, 'seen']],
      );
    } finally {
      folder.dispose();
    }
  });

  it('a program is started three times: undisturbed, with V8’s log, and to be counted and asked what V8 keeps', async () => {
    const folder = folderWith({
      'package.json': '{ "name": "p", "scripts": { "start": "node server.js" } }',
      'server.js': `const fs = require('fs');
fs.appendFileSync('starts.txt', 'x');
function check(text) {
  try {
    if (!text.startsWith('/right')) throw new TypeError(text);
    return text;
  } catch {
    return '';
  }
}
require('http').createServer((request, response) => response.end(check(request.url))).listen(80);
`,
    });
    try {
      const { out, err } = await run(
        ['profile', 'server.js:check', '--request', 'GET /wrong', '--yes', '--no-save', '--time', '2', '-f', 'json'],
        { cwd: folder.path, rules },
      );
      assert.notEqual(out, '', err);
      const { feedback = [], exceptions, tiers, timing, cpu, loopDelay, problems } = JSON.parse(out) as ProfileReport;
      assert.deepEqual(problems, []);
      assert.equal(readFileSync(join(folder.path, 'starts.txt'), 'utf8'), 'xxx');
      assert.deepEqual(
        feedback.filter(({ place }) => place.line === 5).map(({ kind, seen, mixed }) => [kind, seen, mixed]),
        [
          ['call', 'one function', false],
          ['construct', 'one function', false],
        ],
        'what counts exceptions is not told as what `new` calls',
      );
      assert.deepEqual(
        exceptions.map(({ place, type, thrown, message }) => [place.line, type, thrown > 0, message]),
        [[5, 'TypeError', true, '']],
        'a message that quotes the request is not in the report',
      );
      assert.ok(
        tiers.some(({ functionName }) => functionName === 'check') && (timing?.calls ?? 0) > 0 && cpu && (loopDelay?.idleFloor ?? 0) > 0,
      );
    } finally {
      folder.dispose();
    }
  });

  it('one that looks at no argument is asked, too, where there is a server to ask', async () => {
    const app = dedent`
        const app = require('express')();
        function ping() {
          return this;
        }
        function plain() {
          return 1;
        }
        app.get('/ping', ping);
        app.get('/plain', (req, res) => res.send(plain()));

      `;
    const folder = folderWith({
      'package.json': '{ "name": "p" }',
      'served.js': `${app}app.listen(3000);\n`,
      'alone/package.json': '{ "name": "q" }',
      'alone/app.js': `${app}module.exports = app;\n`,
    });
    try {
      const originOf = async (file: string, name: string) => {
        const outcome = await prepared(join(folder.path, file), { name });
        assert.ok(outcome.ok, outcome.ok ? '' : outcome.why);
        return [outcome.prepared.target.origin, ...outcome.prepared.calls];
      };
      assert.deepEqual(await originOf('served.js', 'ping'), ['request', 'GET /ping']);
      assert.deepEqual(await originOf('served.js', 'plain'), ['call-site', 'plain()']);
      assert.deepEqual(await originOf('alone/app.js', 'ping'), ['no-arguments', 'ping()']);
    } finally {
      folder.dispose();
    }
  });

  it('what is missing is said', async () => {
    const folder = folderWith({
      'package.json': '{ "name": "p" }',
      'routes.js': "exports.list = (req, res) => { res.json(require('fs').readdirSync('.')); };\n",
      'server.js': 'process.exit(3);\n',
    });
    try {
      const says = async (...argv: string[]) =>
        (await run(['profile', 'routes.js:list', '--yes', '--no-save', '--time', '1', ...argv], { cwd: folder.path, rules })).err;
      assert.match(
        await says(),
        /`exports\.list` cannot be called: it handles requests, but this file does not define its path\. Add a comment above it.*@profile GET \/path/,
      );
      assert.match(
        await says('--request', 'GET /x'),
        /it is unclear which file starts the server\. Specify the file \(`--entry server\.js`\)/,
      );
      assert.match(await says('--request', 'GET /x', '--entry', 'nowhere.js'), /does not exist: .*nowhere\.js/);
      assert.match(await says('--request', 'GET /x', '--entry', 'server.js'), /The program exited with code 3 and never started a server/);
      assert.match(await says('--request', 'users'), /`--request` must be a method and a path/);
      writeFileSync(
        join(folder.path, 'routes.js'),
        dedent`
          /** @profile GET /told */
          exports.list = (req, res) => { res.json(require('fs').readdirSync('.')); };
          if (require.main === module) require('http').createServer((q, r) => { r.json = (x) => r.end(String(x)); exports.list(q, r); }).listen(80);

        `,
      );
      const { out } = await run(['profile', 'routes.js:list', '--yes', '--no-save', '--time', '1', '-f', 'json'], {
        cwd: folder.path,
        rules,
      });
      assert.deepEqual((JSON.parse(out) as ProfileReport).target.calls, ['GET /told']);
    } finally {
      folder.dispose();
    }
  });
});

function lineOf(text: string, code: string): number {
  const at = text.indexOf(code);
  assert.ok(at >= 0, `no ${code}`);
  return text.slice(0, at).split('\n').length;
}

function lineText(line: number, sample: string): string {
  return readFileSync(join(ROOT, 'samples', sample), 'utf8').split('\n')[line - 1] ?? '';
}

/** Linux only. */
function processesIn(folder: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').filter((entry) => {
    if (!/^\d+$/.test(entry) || Number(entry) === process.pid) return false;
    try {
      return readFileSync(`/proc/${entry}/cmdline`, 'latin1').includes(folder);
    } catch {
      // It has ended, or is another user's.
      return false;
    }
  });
}
