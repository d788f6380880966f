// `nodometer profile file.js` and `--script`: what ran, in all processes, is placed on the user's lines; what cannot be run says why; exit
// codes.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ComparisonRow, ProfileReport } from '../../protocol/evidence.ts';
import type { EvidenceFile } from '../../protocol/kept-evidence.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run, type RunResult } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILES = {
  'package.json': JSON.stringify({
    name: 'p',
    scripts: { start: 'node main.js', forever: 'node spin.js', fail: 'node fail.js', none: 'echo nothing' },
  }),
  // Starts the child in every way that there is.
  'main.js': `const { fork, spawnSync } = require('node:child_process');
const { Worker } = require('node:worker_threads');
const { area } = require('pack');
spawnSync('node', ['child.js', 'spawned']);
fork('./child.js', ['forked']);
new Worker('./child.js');
area({ w: 1 });
`,
  'child.js': `function read(item) {
  return item.size;
}
let sum = 0;
for (let i = 0; i < 20; i += 1) for (const item of [{ size: 1 }, { size: 1, b: 1 }, { b: 1, size: 1 }, { c: 1, size: 1 }, { d: 1, size: 1 }]) sum += read(item);
setTimeout(() => {
  try { JSON.parse('{'); } catch { sum += 1; }
}, 10);
`,
  'node_modules/pack/index.js': 'exports.area = (o) => { for (const one of [o, { h: 1, w: 2 }, { k: 1, w: 2 }]) one.w; };\n',
  'server.js': `const fs = require('node:fs');
const http = require('node:http');
const server = http.createServer((req, res) => {
  res.end(String(fs.readFileSync('rows.txt', 'utf8').length));
});
if (process.argv[2] !== 'listen') throw new Error('not told to listen');
server.listen(0, '127.0.0.1', () => {
  setInterval(() => http.get({ port: server.address().port, host: '127.0.0.1' }, (answer) => answer.resume()), 10);
});
`,
  // Half a millisecond to read.
  'rows.txt': 'ä'.repeat(1_000_000),
  'start.js': `const fs = require('node:fs');
function load() {
  return fs.readFileSync(__filename, 'utf8');
}
load();
require('node:http').createServer((req, res) => {
  if (req.url === '/never') res.end(load());
});
`,
  'threads.js': `const { Worker, isMainThread } = require('node:worker_threads');
function work() {
  const start = Date.now();
  while (Date.now() - start < 300);
}
if (isMainThread) new Worker(__filename);
else work();
require('node:http').createServer((req, res) => res.end(require('node:fs').readFileSync('rows.txt')));
`,
  // Neither settles, nor waits.
  'awaiting.mjs': `import { readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
function read() {
  return readFileSync('rows.txt', 'utf8');
}
for (;;) {
  read();
  await turn();
}
`,
  'spin.js': dedent`
    let n = 0;
    function spin() {
      for (;;) n += 1;
    }
    spin();

  `,
  'fail.js': 'setTimeout(() => { throw new TypeError("late"); }, 20);\n',
  'quoting.js': dedent`
    const [who] = [String.fromCharCode(97, 108, 105, 99, 101) + '-' + (4700 + 11)];
    setTimeout(() => { throw new Error(\`no user \${who} in the table\`); }, 20);

  `,
  'keys.js': dedent`
    const byUser = {};
    function add(to, key) {
      to[key] = 1;
    }
    for (let i = 0; i < 40; i += 1) add(byUser, 'user-' + i * 7919);
    const rows = Array.from({ length: 6 }, (_, i) => ({ ['id-' + i * 7919]: 1, total: i }));
    exports.total = () => rows.reduce((sum, row) => sum + row.total, 0);
    for (let i = 0; i < 1e4; i += 1) exports.total();

  `,
  'broken.js': 'const x = ;\n',
  'gone.js': "require('@none/of-these');\n",
  'typed.ts': '@(() => {}) class A {}\n',
  'quiet.js': 'module.exports = 1;\n',
  'hook.js': `const { prototype } = require('node:module');
const { _compile } = prototype;
prototype._compile = function (text, file) { return _compile.call(this, file.endsWith('changed.js') ? '/* more */ ' + text : text, file); };
require('./changed.js');
`,
  'changed.js': dedent`
    function read(o) { return o.x; }
    for (let i = 0; i < 9; i += 1) for (const o of [{ x: 1 }, { y: 1, x: 2 }]) read(o);

  `,
};

describe('profile of a program', () => {
  const folder = folderWith(FILES);
  after(() => folder.dispose());
  const env = { PATH: process.env.PATH ?? '', HOME: folder.path };
  const profile = (...argv: string[]): Promise<RunResult> => run(['profile', ...argv], { cwd: folder.path, rules, env });
  const here = (name: string) => join(folder.path, name);

  /** What a report says of worker threads. */
  const threadsIn = ({ problems }: ProfileReport): string[] => problems.filter((text) => text.startsWith('Worker threads were started'));

  it('sees all processes of a script: spawned, forked, and threads; packages are counted', async () => {
    const { out, code } = await profile('--script', 'start', '--yes', '--time', '5', '--no-save', '-f', 'json');
    const report = JSON.parse(out) as ProfileReport;
    const { program } = report;
    assert.deepEqual([report.target.origin, report.target.calls, program?.exitCode], ['script', ['npm run start'], 0]);
    // main.js, and child.js as a process twice: a thread belongs to the first.
    assert.equal(program?.processes, 3);
    assert.deepEqual(program?.files, [here('child.js'), here('main.js')]);
    const cache = report.inlineCaches.find(({ place }) => place.file === here('child.js') && place.line === 2);
    // The same five shapes in each of the three: not fifteen.
    assert.deepEqual(cache && [cache.property, cache.state, cache.shapeCount, cache.place.column], ['size', 'megamorphic', 5, 15]);
    assert.ok(
      report.inlineCaches.every(({ place }) => !place.file.includes('node_modules')),
      JSON.stringify(report.inlineCaches.map(({ place }) => place.file)),
    );
    assert.ok((program?.aside.cacheLines ?? 0) > 0 && (program?.monomorphic ?? 0) > 0);
    // In the two processes; a thread has an inspector of its own.
    assert.deepEqual(
      report.exceptions.map(({ place, type, thrown }) => [place.file, place.line, type, thrown]),
      [[here('child.js'), 7, 'SyntaxError', 2]],
      JSON.stringify([report.problems, report.exceptions]),
    );
    assert.ok(
      program?.cpu && program.cpu.busyMs > 0 && program.cpu.user + program.cpu.packages + program.cpu.core + program.cpu.gc <= 1.0001,
    );
    assert.ok(
      report.verdicts.some(({ ruleId, verdict }) => ruleId === 'no-polymorphic-call' && verdict === 'seen'),
      JSON.stringify(report.verdicts),
    );
    // What the state costs is not measured in a whole program.
    assert.equal(code, 0);
  });

  it('runs a file with its arguments until the time is over, keeps the verdicts, and a CPU profile where it is wanted', async () => {
    const { out, code } = await profile('server.js', '--yes', '--time', '2', '--cpu-profile', 'out/server.cpuprofile', '--', 'listen');
    assert.match(out, /^node server\.js listen on Node \d/);
    assert.match(out, /1 of your files ran, stopped by Nodometer/);
    assert.match(out, /confirmed {2}no-sync-in-handler {2}server\.js:4:\d+ {2}fs\.readFileSync ×\d/);
    assert.match(out, /CPU time\n.*your code \d/);
    assert.match(out, /Blocking calls after startup\n +fs\.readFileSync {2}server\.js:4:\d+ {2}×\d/);
    assert.match(out, /utilization \d+ %/);
    assert.match(out, /CPU profile: out\/server\.cpuprofile/);
    assert.equal(code, 1);
    const cpu = JSON.parse(readFileSync(here('out/server.cpuprofile'), 'utf8')) as { nodes: unknown[] };
    assert.ok(cpu.nodes.length > 0);
    const kept = JSON.parse(readFileSync(here('.nodometer/evidence.json'), 'utf8')) as EvidenceFile;
    assert.deepEqual(
      kept.profiles.map((one) => [one.file, one.function, one.origin, one.verdicts.map(({ ruleId, verdict }) => `${ruleId} ${verdict}`)]),
      [['server.js', 'node server.js listen', 'file', ['no-sync-in-handler confirmed']]],
    );
    assert.match((await run(['lint', 'server.js'], { cwd: folder.path, rules })).out, /evidence +confirmed: fs\.readFileSync/);
  });

  it('does not take start-up for a request', async () => {
    const { out, code } = await profile('start.js', '--yes', '--time', '2', '--no-save', '-f', 'json');
    const report = JSON.parse(out) as ProfileReport;
    assert.deepEqual(threadsIn(report), [], 'it has no threads');
    assert.deepEqual(
      report.verdicts.map(({ ruleId, verdict, figure }) => [ruleId, verdict, figure]),
      [['no-sync-in-handler', 'not-reached', 'ran only during startup']],
    );
    assert.deepEqual(report.syncCalls, []);
    assert.equal(code, 0);
  });

  it('says of worker threads that they are not measured', async () => {
    const { out } = await profile('threads.js', '--yes', '--time', '2', '--no-save', '-f', 'json');
    const report = JSON.parse(out) as ProfileReport;
    assert.equal(threadsIn(report).length, 1);
    assert.deepEqual(
      report.verdicts.filter(({ verdict }) => verdict === 'not-reached').flatMap(({ grounds }) => grounds),
      ['The main thread did not reach this code. Whether a worker thread did was not measured.'],
    );
  });

  it('ends the start-up of a program whose top-level await computes for ever', async () => {
    const { out } = await profile('awaiting.mjs', '--yes', '--time', '1', '--no-save', '-f', 'json');
    const { syncCalls } = JSON.parse(out) as ProfileReport;
    assert.deepEqual(
      syncCalls.map(({ name, place }) => [name, place.line]),
      [['fs.readFileSync', 4]],
    );
  });

  it('ends what never ends, and says where it was stuck', async () => {
    const { out, err, code } = await profile('--script', 'forever', '--yes', '--time', '2', '--no-save');
    assert.equal(err, '');
    assert.match(out, /1 of your files ran, stopped by Nodometer/);
    assert.match(out, /not finished after [\d.]+ m?s {2}synchronous code {2}spin spin\.js:3:\d+/);
    assert.equal(code, 1);
  });

  it('tells what a program that fails said', async () => {
    const { out, code } = await profile('--script', 'fail', '--yes', '--time', '2', '--no-save');
    assert.match(out, /An uncaught error ended the program: TypeError: late \(fail\.js:1\)\./);
    assert.match(out, /TypeError {2}fail\.js:1:\d+ {2}×1 {2}late/);
    assert.equal(code, 3);
  });

  it('tells why a program died without what the message quotes, in each format', async () => {
    for (const format of ['text', 'json', 'markdown']) {
      const { out } = await profile('quoting.js', '--yes', '--time', '2', '--no-save', '-f', format);
      assert.match(out, /An uncaught error ended the program: Error: no user \[value\] in the table \(quoting\.js:2\)\./, format);
      assert.doesNotMatch(out, /alice|e-4711/, format);
    }
  });

  it('tells no keys that come from data, in any format', async () => {
    for (const target of ['keys.js', 'keys.js:total']) {
      const { out, err } = await profile(target, '--yes', '--time', '2', '--no-save', '-f', 'json');
      const { inlineCaches } = JSON.parse(out) as ProfileReport;
      assert.equal(err, '');
      const shapes = inlineCaches.flatMap((cache) => cache.shapes.map(({ properties = [] }) => properties.join()));
      assert.ok(shapes.includes('[key],total'), target);
      // With the letters before them: the digits alone occur in times by chance, once in ten runs.
      assert.doesNotMatch(out, /(?:id|user)-\d{4}/, target);
    }
  });

  it('places nothing on a file that ran in another form than it has on the disk', async () => {
    const report = JSON.parse((await profile('hook.js', '--yes', '--time', '1', '--no-save', '-f', 'json')).out) as ProfileReport;
    assert.deepEqual(report.program?.files, [here('hook.js')]);
    assert.deepEqual(
      report.inlineCaches.filter(({ place }) => place.file === here('changed.js')),
      [],
    );
    assert.deepEqual(report.problems, [
      `${here('changed.js')} was compiled while loading, and the code that ran differs from the source. V8 data for it cannot be mapped to source locations and is omitted.`,
    ]);
  });

  it('writes Markdown', async () => {
    const { out, code } = await profile('quiet.js', '--yes', '--time', '1', '--no-save', '-f', 'markdown');
    assert.match(out, /^# node quiet\.js on Node \d[^]*\n## Verdicts\n/);
    assert.equal(code, 0);
  });

  it('says why it cannot run, and what to do', async () => {
    const cases: [argv: string[], says: RegExp][] = [
      [['--script', 'strat'], /Script `strat` not found in .*package\.json\. Did you mean `start`\?/],
      [['--script', 'start'], /Nothing was run\. To skip the confirmation, use `--yes`/],
      [['--script', 'none', '--yes', '--time', '1'], /The command did not start a Node program that could be measured/],
      [
        ['gone.js', '--yes', '--time', '1'],
        /The program cannot be loaded: Error: Cannot find module '@none\/of-these'\. If `@none\/of-these` is a package of the project, run `npm install` first\./,
      ],
      [['broken.js', '--yes', '--time', '1'], /The program cannot be loaded: SyntaxError.*broken\.js:1/],
      [
        ['typed.ts', '--yes', '--time', '1'],
        /The program did not start: .*Run the npm script that starts it with its loader: `--script start`\./,
      ],
      [['quiet.js', '--yes', '--node', '99'], /Node 99 was not found on this machine.*`--download-node`/],
      [['quiet.js', '--yes', '--node', 'nothing/node'], /`nothing\/node` is neither a version, such as 22, nor a file/],
      [['node_modules', '--yes'], /`node_modules` is not a file/],
      [['--script', 'start', '--yes', '--read-only'], /An npm script cannot be run under the permission model/],
    ];
    for (const [argv, says] of cases) {
      const { err, code } = await profile(...argv);
      assert.match(err, says, argv.join(' '));
      assert.equal(code, 2, argv.join(' '));
    }
  });

  it('compares Nodes side by side, the one that is told by its version among them', async () => {
    const major = process.versions.node.split('.')[0] ?? '';
    const path = `${dirname(process.execPath)}${delimiter}${process.env.PATH ?? ''}`;
    // More than nothing, on a crowded machine, too.
    const CALL = 'Array.from({ length: 500 }, (_, size) => read({ size })).length';
    const { out } = await run(
      [
        'profile',
        'child.js:read',
        '--call',
        CALL,
        '--yes',
        '--time',
        '1',
        '--no-save',
        '--node',
        `${process.execPath},${major}`,
        '-f',
        'json',
      ],
      { cwd: folder.path, rules, env: { ...env, PATH: path } },
    );
    const { comparison, reports } = JSON.parse(out) as { comparison: ComparisonRow[]; reports: ProfileReport[] };
    assert.equal(reports.length, 2);
    assert.deepEqual(
      comparison.map(({ node, failure, factor }) => [node.split('.')[0], failure, factor === undefined]),
      [
        [major, undefined, true],
        [major, undefined, false],
      ],
    );
    const text = (
      await profile(
        'child.js:read',
        '--call',
        'read({ size: 1 })',
        '--yes',
        '--time',
        '1',
        '--no-save',
        '--node',
        `${process.execPath},${process.execPath}`,
      )
    ).out;
    assert.match(text, /Comparison\n +Node +time +time vs\. Node [\d.]+ +highest tier +deopts/);
  });

  it('reads only under the permission model, and says what it does not see then', async () => {
    const { out } = await profile(
      'child.js:read',
      '--call',
      'read({ size: 1 })',
      '--yes',
      '--time',
      '1',
      '--no-save',
      '--verbose',
      '--read-only',
    );
    const [major = 0] = process.versions.node.split('.').map(Number);
    assert.match(out, /read {2}child\.js:1:14 {2}.*(?:maglev|turbofan)/);
    assert.equal(/does not allow the inspector/.test(out), major < 24);
    assert.ok(!existsSync(here('victim.txt')));
  });
});
