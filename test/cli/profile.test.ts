// `nodometer profile` from the arguments to the exit code, with real runs on the Node that runs the tests.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import type { ProfileReport } from '../../protocol/evidence.ts';
import type { EvidenceFile } from '../../protocol/kept-evidence.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run, type RunResult } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const FILES = {
  'package.json': '{ "name": "p" }',
  'seed.js': `'use strict';
function add(a, b) {
  return a + b;
}
exports.add = add;
`,
  'users.js': `'use strict';
const fs = require('node:fs');
/** @profile exports.show({ params: { id: '1' } }, { json() {} }) */
exports.show = (req, res) => {
  const text = fs.readFileSync('rows.txt', 'utf8');
  res.json(text.length);
};
/** @profile exports.list({ params: {} }, { json() {} }) */
exports.list = (req, res) => {
  if (req.params.all) res.json(fs.readFileSync(__filename, 'utf8'));
  else res.json([]);
};
function parsed(text, fallback) {
  return fallback;
}
exports.parsed = parsed;
`,
  // Half a millisecond to read.
  'rows.txt': 'ä'.repeat(1_000_000),
  'typed.ts': dedent`
      interface Point { x: number }
      function double({ x }: Point): number {
        return x * 2;
      }
      export const four = double({ x: 2 } as Point);

    `,
  'endless.js': dedent`
    function forever() {
      while (true);
    }
    module.exports = forever;

  `,
  'lost.js': `'use strict';
const fs = require('node:fs');
const never = () => new Promise(() => {});
const wait = () => new Promise(() => { setInterval(() => {}, 1000); });
const leave = () => process.exit(3);
/** @profile exports.readAndLeave({}, { json() { process.exit(3); } }) */
exports.readAndLeave = (req, res) => { res.json(fs.readFileSync(__filename, 'utf8')); };
const hostile = () => ({ get then() { throw new Error('no'); } });
function* numbers() { for (let i = 0; ; i += 1) yield i; }
`,
  'broken.js': 'function f( {',
  // The first process that loads it does well, and each other ends in a call.
  'once.js': `const fs = require('node:fs');
function isFirst() {
  try {
    fs.writeFileSync(__dirname + '/first', '', { flag: 'wx' });
    return true;
  } catch {
    return false;
  }
}
const ends = !isFirst();
exports.f = function f() {
  if (ends) process.exit(5);
  return 1;
};
`,
  'served.js': `const http = require('node:http');
http.createServer(handle).listen(3000);
function handle(req, res) {
  if (req.url === '/silent') return;
  if (req.url === '/leave') process.exit(0);
  res.end('x');
}
`,
};

describe('profile', () => {
  const folder = folderWith(FILES);
  after(() => folder.dispose());
  const profile = (...argv: string[]): Promise<RunResult> =>
    run(['profile', ...argv], { cwd: folder.path, rules, env: { PATH: process.env.PATH ?? '' } });
  const reportOf = async (...argv: string[]): Promise<ProfileReport> =>
    JSON.parse((await profile(...argv, '--yes', '--no-save', '--time', '2', '-f', 'json')).out) as ProfileReport;

  it('ends with 2 where no run ended well, or nothing was answered', async () => {
    for (const [path, code] of [
      ['/leave', 2],
      ['/silent', 2],
      ['/', 0],
    ] as const) {
      const result = await profile(
        'served.js:handle',
        '--entry',
        'served.js',
        '--request',
        `GET ${path}`,
        '--yes',
        '--no-save',
        '--time',
        '1',
      );
      assert.equal(result.code, code, `${path}: ${result.out} ${result.err}`);
    }
  });

  it('ends with 3 where some runs failed and there is no verdict', async () => {
    const report = await profile('once.js:f', '--call', 'f()', '--yes', '--no-save', '--time', '1', '-f', 'json');
    const { failedRuns, verdicts } = JSON.parse(report.out) as ProfileReport;
    assert.deepEqual({ failedRuns, verdicts, code: report.code }, { failedRuns: 'some', verdicts: [], code: 3 });
  });

  it('says where optimized code was thrown away and why', async () => {
    const report = await reportOf('seed.js:add', '--call', 'add(1, 2)', '--call', "add('a', 'b')");
    const deopt = report.deopts.find((group) => group.place.file === join(folder.path, 'seed.js'));
    assert.deepEqual(deopt && [deopt.place.line, deopt.place.column, deopt.placement, deopt.reason, deopt.benign], [
      3,
      12,
      'exact',
      'not a Smi',
      false,
    ]);
    const text = (
      await profile(
        'seed.js:add',
        '--call',
        'add(1, 2)',
        '--call',
        "add('a', 'b')",
        '--yes',
        '--no-save',
        '--verbose',
        '--annotate',
        '--time',
        '2',
      )
    ).out;
    assert.match(text, /deopt ×\d+\s+seed\.js:3:12\s+not a Smi/);
    assert.match(text, /add\s+seed\.js:2:13\s+.*turbofan/);
    assert.match(text, /Source\n[ %.\d]* 2 {2}function add\(a, b\) \{\n[ %.\d]* 3 {2} {2}return a \+ b;\n +↓ deopt ×\d+: not a Smi \(/);
  });

  it('a call that throws each time leaves it open, whatever was seen', async () => {
    const call = 'nobody("\u001b[8m")';
    const { out, code } = await profile('users.js:show', '--call', call, '--yes', '--time', '1', '--no-save', '--color');
    // The colors in it are ours: none hides what follows.
    assert.match(out, /\u001b\[1m/);
    assert.doesNotMatch(out, /\u001b\[8m/);
    assert.match(out, /`nobody\("\\u001b\[8m"\)` threw every time \(ReferenceError: nobody is not defined\)/);
    assert.equal(code, 3);
  });

  it('confirms what Node confirms, keeps the verdict, and the linter reads it until the code changes', async () => {
    const { out, code } = await profile('users.js:show', '--yes', '--time', '2');
    assert.match(out, /confirmed\s+no-sync-in-handler\s+users\.js:5:16\s+fs\.readFileSync: \d.* ms per call \(\d+ %\), up to .* each/);
    assert.equal(code, 1);
    const kept = JSON.parse(readFileSync(join(folder.path, '.nodometer', 'evidence.json'), 'utf8')) as EvidenceFile;
    assert.deepEqual(
      kept.profiles.map((one) => [one.file, one.function, one.verdicts.map(({ ruleId, verdict }) => `${ruleId} ${verdict}`)]),
      [['users.js', 'exports.show', ['no-sync-in-handler confirmed']]],
    );
    const lint = async (...more: string[]) => run(['lint', 'users.js', ...more], { cwd: folder.path, rules });
    assert.match((await lint()).out, /evidence +confirmed: fs\.readFileSync: .+ per call/);
    const unproven = await lint('--require-evidence');
    assert.match(unproven.err, /1 warning without evidence/);
    assert.equal(unproven.code, 1);
    writeFileSync(join(folder.path, 'users.js'), FILES['users.js'].replace('res.json(text.length)', 'res.json(text.length + 1)'));
    assert.match((await lint()).out, /evidence +outdated/);
    writeFileSync(
      join(folder.path, 'users.js'),
      dedent`

      // moved down
      ${FILES['users.js']}
    `,
    );
    assert.match((await lint()).out, /evidence +confirmed/);
    writeFileSync(join(folder.path, 'users.js'), FILES['users.js']);
  });

  it('says what was not reached', async () => {
    const report = await reportOf('users.js:list');
    assert.deepEqual(
      report.verdicts.map(({ verdict, figure }) => `${verdict}: ${figure}`),
      ['not-reached: never ran'],
    );
  });

  it('runs TypeScript at its own places', async () => {
    const report = await reportOf('typed.ts:double');
    assert.deepEqual(report.target.calls, ['double({ x: 2 } as Point)']);
    assert.ok(
      report.tiers.some(({ functionName, place, tier }) => functionName === 'double' && place.line === 2 && tier !== 'ignition'),
      JSON.stringify(report.tiers),
    );
    assert.ok((report.timing?.samples ?? 0) > 0);
  });

  it('ends with what never ends', async () => {
    const { out, code } = await profile('endless.js:forever', '--call', 'forever()', '--yes', '--no-save', '--time', '2', '-f', 'json');
    const report = JSON.parse(out) as ProfileReport;
    assert.equal(code, 1, 'that it never ends is a problem of its own, whether or not there is a warning');
    assert.ok(
      report.blocks.some((block) => block.endless && block.kind === 'synchronous' && block.stack[0]?.line === 2),
      JSON.stringify(report.blocks),
    );
  });

  it('tells why where no run came to anything, once', async () => {
    for (const [call, why] of [
      ['never()', /can never settle/],
      ['leave()', /exited the process with code 3/],
      ['wait()', /^nodometer: A call had not returned after [\d.]+ s\.$/],
    ] as const) {
      const { out, err, code } = await profile(`lost.js:${call.slice(0, -2)}`, '--yes', '--no-save', '--time', '1', '-f', 'json');
      assert.deepEqual([out, code], ['', 2], err);
      assert.match(err.trim(), why);
      assert.equal(err.trim().split('\n').length, 1, err);
    }
    // What was seen until then counts.
    const report = await reportOf('lost.js:readAndLeave');
    assert.deepEqual(
      report.syncCalls.map(({ name, count }) => [name, count]),
      [['fs.readFileSync', 1]],
    );
    assert.match(
      report.problems.join('\n'),
      /^Measuring blocking calls, .* and execution time failed: The code exited the process with code 3, while the calls were running\.$/m,
    );
  });

  it('what cannot be looked at was called all the same', async () => {
    const report = await reportOf('lost.js:hostile');
    assert.ok(report.calls > 0 && (report.timing?.calls ?? 0) > 0, JSON.stringify(report.problems));
    assert.deepEqual(report.problems, []);
  });

  it('says that a generator was left', async () => {
    const report = await reportOf('lost.js:numbers');
    assert.deepEqual(report.problems, ['`numbers()` yielded more than 10,000 items. Each call was stopped after that many.']);
  });

  it('asks before it runs anything', async () => {
    const { err, code } = await profile('users.js:show');
    assert.match(err, /Nothing was run\. To skip the confirmation, use `--yes`/);
    assert.equal(code, 2);
  });

  it('says why it cannot run, and what to do', async () => {
    const cases: [argv: string[], says: RegExp][] = [
      [
        ['users.js:parsed'],
        /`parsed` cannot be called: no example arguments found\. Add a comment above it.*@profile parsed\(text, fallback\)/,
      ],
      [['users.js:nobody'], /Function `nobody` not found in .*users\.js\. Available functions: exports\.show/],
      [['gone.js:f'], /File not found: `gone\.js`/],
      [['broken.js:f'], /cannot be parsed/],
      [['users.js'], /Nothing was run/],
      [[], /Specify a function .*a program .*an npm script/],
      [['users.js', '--script', 'test'], /not both/],
      [['users.js', '--call', 'show()'], /`--call` applies to functions only\. Specify one: `nodometer profile users\.js:functionName`/],
      [
        ['users.js:show', '--', 'x'],
        /Arguments after `--` are for programs\. For a function, specify a call.* For a handler, specify the program/,
      ],
      [['users.js:show', '--cpu-profile', 'x.json'], /ends in `\.cpuprofile`/],
      [['gone.js'], /File not found: `gone\.js`/],
      [['--script', 'tset'], /Script `tset` not found in .*package\.json\. It has no scripts/],
      [
        ['users.js:show', '--yes', '--node', '3'],
        /Node 3 was not found on this machine.*Install it with a version manager, specify its path, or use `--download-node` to download it/,
      ],
      [['users.js:show', '--time', '0'], /`--time` must be 1 to 600 seconds/],
      [['users.js:show', '--yes', '--node', join(folder.path, 'package.json')], /--node/],
      [['seed.js:add', '--yes', '--call', 'add(1,'], /call/i],
    ];
    for (const [argv, says] of cases) {
      const { err, code } = await profile(...argv);
      assert.match(err, says, argv.join(' '));
      assert.equal(code, 2, argv.join(' '));
    }
  });

  it('leaves nothing behind that was not asked for', () => {
    assert.ok(!existsSync(join(folder.path, 'isolate.log')));
  });
});
