// `nodometer load` and `nodometer compare --load`: what they are asked, what they refuse, and what they write. No time is asserted.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { dedent } from '../../analysis/testing/dedent.ts';
import { parseCompareLoadArguments, parseLoadArguments, type OtherServer } from '../../cli/commands/load-arguments.ts';
import { formatAgentLoadSweep } from '../../cli/formats/agent-runs.ts';
import {
  formatLoadDifference,
  formatLoadSweep,
  type LoadDifferenceReport,
  type LoadSweepReport,
} from '../../cli/formats/load-difference-text.ts';
import type { LoadDifference, LoadReport, LoadSweep } from '../../protocol/load.ts';
import { rules } from '../../rules/index.ts';
import { ROOT } from '../../scripts/generate.ts';
import { MARKDOWN } from '../../workspace/formats/profile-style.ts';
import { folderWith, run } from './support.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const FILES = {
  'package.json': '{ "name": "served", "scripts": { "start": "node server.js" } }',
  'server.js': dedent`
    const { readFileSync } = require('node:fs');
    const http = require('node:http');
    http.createServer(function show(request, response) {
      response.end(readFileSync(__filename, 'utf8') + process.env.NODE_ENV);
    }).listen(process.env.PORT || 3000);
  `,
  'slow.js': dedent`
    require('node:http').createServer((request, response) => {
      const end = Date.now() + Number(process.env.SLOW ?? 0);
      while (Date.now() < end);
      response.end('done');
    }).listen(process.env.PORT || 3000);
  `,
  'broken.js': "throw new Error('no database');\n",
  'lib/other.txt': '',
};

const COMPARED = { command: 'node a.js', request: { method: 'GET', path: '/' }, node: '20.0.0', connections: 10, measureMs: 2000 };
const side = (name: string, median: number) => ({ name, figures: [median * 0.9, median, median * 1.1], median, p50: 1, p99: 5 });

describe('load', () => {
  const folder = folderWith(FILES);
  after(() => folder.dispose());
  const command = (...argv: string[]) => run(argv, { cwd: folder.path, env: { PATH: process.env.PATH ?? '' }, rules });

  it('reads its arguments', () => {
    const { entry, request, load, programArguments, format } = parseLoadArguments([
      ...[
        '--entry',
        'a.js',
        '--route',
        'POST /x',
        '--body',
        '{"a":1}',
        '--connections',
        '50',
        '--duration',
        '0.5',
        '--warm-up',
        '2',
        '--rate',
        '200',
      ],
      ...['-f', 'json', '--', '--port', '1'],
    ]);
    assert.deepEqual(
      { entry, request, load, programArguments, format },
      {
        entry: 'a.js',
        request: { method: 'POST', path: '/x', body: '{"a":1}' },
        load: { connections: 50, rate: 200, warmUpMs: 2000, measureMs: 500 },
        programArguments: ['--port', '1'],
        format: 'json',
      },
    );
    const plain = parseLoadArguments([]);
    assert.deepEqual([plain.request, plain.load], [undefined, { connections: 10, warmUpMs: 1000, measureMs: 10_000 }]);
    assert.equal(parseCompareLoadArguments(['--load', '--node-env']).load.measureMs, 2000);
    assert.deepEqual(parseCompareLoadArguments(['--load', '--fix', 'no-sync-in-handler', 'a.js:show']).other, {
      kind: 'fix',
      ruleId: 'no-sync-in-handler',
      file: 'a.js',
      at: { name: 'show' },
    });
    const others: [argv: string[], other: OtherServer][] = [
      [['--node-env'], { kind: 'environment', name: 'NODE_ENV', values: ['development', 'production'] }],
      [['--env', 'UV_THREADPOOL_SIZE=4,16'], { kind: 'environment', name: 'UV_THREADPOOL_SIZE', values: ['4', '16'] }],
      [['--env', 'NODE_ENV=,production'], { kind: 'environment', name: 'NODE_ENV', values: [undefined, 'production'] }],
      [['--node', '22,24'], { kind: 'nodes', nodes: ['22', '24'] }],
      [['--env', 'WORKERS=1,2,4'], { kind: 'environment', name: 'WORKERS', values: ['1', '2', '4'] }],
      [['--node', '20,22,24'], { kind: 'nodes', nodes: ['20', '22', '24'] }],
      [['--node-option=--max-semi-space-size=64'], { kind: 'flag', flag: '--max-semi-space-size=64' }],
    ];
    for (const [argv, other] of others) assert.deepEqual(parseCompareLoadArguments(['--load', ...argv]).other, other, argv.join(' '));
    assert.deepEqual(parseCompareLoadArguments(['--load', '--base', 'main']).other, { kind: 'commit', ref: 'main' });
    assert.deepEqual(parseCompareLoadArguments(['--load', '--against', '../old']).other, { kind: 'folder', folder: '../old' });
  });

  it('refuses what makes no sense, and says what to do', () => {
    const cases: [argv: string[], says: RegExp][] = [
      [['server.js'], /`server\.js` is unexpected\. Specify the file that starts the server with `--entry server\.js`/],
      [['--entry', 'a.js', '--script', 'start'], /not both/],
      [['--connections', '0'], /`--connections` must be a whole number from 1 to 10000, not `0`/],
      [['--connections', '1.5'], /whole number/],
      [['--duration', 'long'], /`--duration` must be a number from 0\.5 to 600, not `long`/],
      [['--rate', '0'], /`--rate` must be a number from 1/],
      [['--route', 'http://example.com/'], /names a host\. `nodometer load` sends requests only to the program that it starts/],
      [['--route', 'users'], /`--route` must be a method/],
    ];
    for (const [argv, says] of cases) assert.throws(() => parseLoadArguments(argv), says, argv.join(' '));
    const compared: [argv: string[], says: RegExp][] = [
      [['--load'], /Specify what to compare, one of: `--node-env`/],
      [['--load', '--node-env', '--base', 'main'], /one of/],
      [['--load', '--node', '22,24', '--node-env'], /one of/],
      [['--load', '--node', '20,'], /must name 2 to 16 different versions/],
      [['--load', '--node', '20,22,20'], /different versions/],
      [['--load', '--env', 'UV_THREADPOOL_SIZE'], /must be a variable with 2 to 16 different values/],
      [['--load', '--env', 'UV_THREADPOOL_SIZE=4'], /must be a variable with 2 to 16 different values/],
      [['--load', '--env', 'A=1,1'], /different values/],
      [['--load', '--env', `A=${Array.from({ length: 17 }, (_, i) => i).join(',')}`], /2 to 16/],
      [['--load', '--env', 'NODE_OPTIONS=a,b'], /use `--node-option <flag>`/],
      [['--load', '--node-option', 'max-semi-space-size'], /must be a flag of Node/],
      [['--load', '--node-option=--jitless', '--script', 'start'], /requires `--entry`/],
      [['--load', '--fix', 'no-sync-in-handler'], /`--fix` requires one function/],
      [['--load', '--fix', 'no-sync-in-handler', 'a.js:f', '--script', 'start'], /requires `--entry`/],
      [['--load', '--node-env', 'a.js'], /Specify the file that starts the server with `--entry a\.js`/],
      [['--load', '--node-env', '--rounds', '3'], /`--rounds` must be a whole number from 6 to 200/],
    ];
    for (const [argv, says] of compared) assert.throws(() => parseCompareLoadArguments(argv), says, argv.join(' '));
  });

  it('runs nothing unasked, and nothing that is not there', async () => {
    const asked = await command('load', '--entry', 'server.js');
    assert.deepEqual([asked.code, asked.out], [2, '']);
    assert.match(asked.err, /Nothing was run\. To skip the confirmation, use `--yes`\./);
    assert.match((await command('load', '--entry', 'gone.js', '--yes')).err, /File not found: `gone\.js`/);
    assert.match((await command('load', '--entry', 'lib', '--yes')).err, /`lib` is not a file/);
    assert.match((await command('load', '--script', 'strat', '--yes')).err, /Script `strat` not found/);
    const empty = folderWith({ 'package.json': '{}' });
    try {
      assert.match((await run(['load', '--yes'], { cwd: empty.path })).err, /unclear which program to start/);
    } finally {
      empty.dispose();
    }
  });

  it('has a help for itself and for comparisons', async () => {
    assert.match((await command('load', '--help')).out, /^Usage: nodometer load /);
    assert.match((await command('compare', '--load', '--help')).out, /^Usage: nodometer compare --load /);
  });

  it('measures the start script, and writes JSON into a file', async () => {
    const { code, err } = await command(
      'load',
      '--duration',
      '0.5',
      '--warm-up',
      '0.1',
      '--connections',
      '2',
      '--yes',
      '-f',
      'json',
      '-o',
      'out/load.json',
    );
    assert.equal(code, 0, err);
    const report = JSON.parse(readFileSync(join(folder.path, 'out', 'load.json'), 'utf8')) as LoadReport;
    assert.equal(report.command, 'npm run start');
    assert.deepEqual(report.request, { method: 'GET', path: '/' });
    assert.ok(report.traffic.answered > 0 && report.traffic.errorShare === 0);
    const call = report.causes?.calls.find(({ name }) => name === 'fs.readFileSync');
    assert.deepEqual([call?.place?.file, call?.place?.line], [join(folder.path, 'server.js'), 4]);
  });

  it("compiles TypeScript with the program's own settings, wherever it is started from", async () => {
    const { code, err } = await run(['load', '--entry', 'samples/nest-users/src/main.ts', '--route', 'GET /users', '--yes'], {
      cwd: ROOT,
      env: { PATH: process.env.PATH ?? '' },
    });
    // Its parameter decorators are syntax errors without its tsconfig.json, and then no server answers that there is no such route.
    assert.deepEqual([code, /TransformError/.test(err), /answered `GET \/users` with status 404/.test(err)], [2, false, true], err);
  });

  it('says in words why there is nothing', async () => {
    const { code, err, out } = await command('load', '--entry', 'broken.js', '--yes');
    assert.deepEqual([code, out], [2, '']);
    assert.match(err, /The program started no server: an uncaught error ended it: Error: no database\./);
    assert.ok(existsSync(join(folder.path, 'broken.js')));
  });

  it('compares a fix with the code as it is, and changes no file', async () => {
    const before = readFileSync(join(folder.path, 'server.js'), 'utf8');
    const { code, out, err } = await command(
      ...[
        'compare',
        '--load',
        '--fix',
        'no-sync-in-handler',
        'server.js:show',
        '--rounds',
        '6',
        '--duration',
        '0.5',
        '--yes',
        '-f',
        'json',
      ],
    );
    assert.ok(code === 0 || code === 1 || code === 3, err);
    const report = JSON.parse(out) as LoadDifferenceReport;
    assert.ok(report.note, out);
    assert.deepEqual([report.difference.first.name, report.difference.second.name], ['as it is', 'with the fix']);
    assert.ok(report.difference.second.figures.length === 6 && report.difference.second.figures.every((figure) => figure > 0));
    assert.equal(readFileSync(join(folder.path, 'server.js'), 'utf8'), before);
  });

  it('compares two values of an environment variable, one of them unset', async () => {
    const options = ['--rounds', '6', '--duration', '0.5', '--warm-up', '0.1', '--connections', '2', '--yes', '-f', 'json'];
    const { code, out, err } = await command('compare', '--load', '--env', 'SLOW=,30', '--entry', 'slow.js', ...options);
    assert.equal(code, 1, err);
    const { difference } = JSON.parse(out) as LoadDifferenceReport;
    assert.deepEqual([difference.verdict, difference.first.name, difference.second.name], ['slower', 'SLOW unset', 'SLOW=30']);
  });

  it('compares several values, and says which is enough', async () => {
    const options = ['--rounds', '6', '--duration', '0.5', '--warm-up', '0.1', '--connections', '2', '--yes', '-f', 'json'];
    const { code, out, err } = await command('compare', '--load', '--env', 'SLOW=30,,0', '--entry', 'slow.js', ...options);
    assert.ok(code === 0 || code === 3, err);
    const { sweep } = JSON.parse(out) as LoadSweepReport;
    assert.deepEqual(
      sweep.points.map(({ name, figures }) => [name, figures.length]),
      [
        ['SLOW=30', 6],
        ['SLOW unset', 6],
        ['SLOW=0', 6],
      ],
    );
    assert.notEqual(sweep.best, 0);
    assert.notEqual(sweep.enough, 0);
    assert.ok(sweep.points.slice(1).every(({ toFirst }) => toFirst && toFirst.low > 1));
  });

  it('leaves no folder when it is ended by a signal', async () => {
    const temp = join(folder.path, 'temp');
    mkdirSync(temp);
    const ours = () => readdirSync(temp).filter((name) => name.startsWith('nodometer-'));
    const isUnderWay = () => ours().some((name) => existsSync(join(temp, name, 'order.json')));
    for (const [signal, isTime] of [
      ['SIGINT', () => ours().length > 0],
      ['SIGINT', isUnderWay],
      ['SIGTERM', isUnderWay],
    ] as const) {
      const child = spawn(
        process.execPath,
        [...TYPESCRIPT_FLAGS, join(ROOT, 'cli', 'main.ts'), 'load', '--entry', join(folder.path, 'server.js'), '--duration', '60', '--yes'],
        { cwd: ROOT, env: { ...process.env, TMPDIR: temp, TEMP: temp }, stdio: 'ignore' },
      );
      const ended = once(child, 'exit');
      while (child.exitCode === null && !isTime()) await sleep(20);
      child.kill(signal);
      await ended;
      assert.deepEqual(ours(), [], signal);
    }
  });

  it('puts a comparison into words', () => {
    const difference: LoadDifference = {
      verdict: 'slower',
      figure: 'rate',
      first: side('main', 2000),
      second: side('now', 1000),
      ratio: 0.5,
      low: 0.45,
      high: 0.55,
      confidence: 0.997,
      problems: ['The machine was busy.'],
    };
    const report = { ...COMPARED, difference };
    const text = formatLoadDifference(report, '/p', MARKDOWN);
    assert.match(text, /\| main \| 2,000 requests\/s \| 1,800 requests\/s \| 2,200 requests\/s \|/);
    assert.match(text, /✖ Slower now: 0\.50× the requests per second/);
    assert.match(text, /99\.7 % interval of the ratio: 0\.45× to 0\.55×/);
    assert.match(text, /The machine was busy\./);
    const words = (more: Partial<LoadDifference>) =>
      formatLoadDifference({ ...report, difference: { ...difference, ...more } }, '/p', MARKDOWN);
    assert.match(words({ verdict: 'same' }), /✔ No difference shown/);
    assert.match(words({ verdict: 'faster', figure: 'p99' }), /✔ Faster now: 0\.50× the p99 latency/);
    assert.match(words({ verdict: 'inconclusive' }), /\? Inconclusive[\s\S]*--rounds 40/);
  });

  it('puts several versions in rows with bars, and says which is enough', () => {
    const toFirst = (ratio: number) => ({ ratio, low: ratio - 0.1, high: ratio + 0.1 });
    const sweep: LoadSweep = {
      figure: 'rate',
      points: [
        side('WORKERS=1', 500),
        { ...side('WORKERS=2', 1000), toFirst: toFirst(2) },
        { ...side('WORKERS=6', 750), toFirst: toFirst(1.5) },
      ],
      best: 1,
      enough: 1,
      worse: [2],
      confidence: 0.997,
      problems: [],
    };
    const words = (more: Partial<LoadSweep>) => formatLoadSweep({ ...COMPARED, sweep: { ...sweep, ...more } }, '/p', MARKDOWN);
    const text = words({});
    assert.match(text, /\| WORKERS=1 \| 500 requests\/s \|.*\| █{10} +\|/);
    assert.match(text, /\| WORKERS=2 \| 1,000 requests\/s \|.*\| 2\.00× \(1\.90× to 2\.10×\) \| █{20} \|/);
    assert.match(text, /✔ WORKERS=2: 2\.00× the requests per second of WORKERS=1\. No other is shown to be better/);
    assert.match(text, /WORKERS=6 is worse: 0\.75× the requests per second of WORKERS=2, by the medians\./);
    assert.match(words({ enough: 0, worse: [] }), /✔ WORKERS=1 is enough: no other is shown to be better/);
    assert.match(words({ enough: undefined, worse: [] }), /\? Inconclusive[\s\S]*--rounds 40/);
    assert.match(words({ enough: undefined, worse: [0] }), /\? Inconclusive: WORKERS=2 or WORKERS=6[\s\S]*WORKERS=1 is worse/);
    assert.deepEqual(formatAgentLoadSweep({ ...COMPARED, sweep }, '/p').split('\n'), [
      'result: WORKERS=2 is enough',
      'WORKERS=1 | 500 requests/s',
      'WORKERS=2 | 1,000 requests/s | ratio to the first 2.00, 99.7 % interval 1.90 to 2.10',
      'WORKERS=6 | 750 requests/s | ratio to the first 1.50, 99.7 % interval 1.40 to 1.60 | worse than the best',
      'done: GET / under load on Node 20.0.0 | node a.js',
      '',
    ]);
  });
});
