// `nodometer compare` on real code in real processes: what is slower, what is not, and that nothing of the user's is changed.
import type { Difference } from '../../protocol/evidence.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { dedent } from '../../analysis/testing/dedent.ts';
import { formatDifference } from '../../cli/formats/difference-text.ts';
import { judgeDifference } from '../../profiler/compare/difference.ts';
import { probeNode } from '../../profiler/run/probe-node.ts';
import { timeInTurns } from '../../profiler/compare/in-turns.ts';
import { MARKDOWN } from '../../workspace/formats/profile-style.ts';
import { rules } from '../../rules/index.ts';
import { folderWith, run } from './support.ts';

const SLOW = dedent`
  /** @profile hash('nodometer') */
  exports.hash = function hash(text) {
    let sum = 0;
    for (let round = 0; round < 40; round += 1) for (let i = 0; i < text.length; i += 1) sum = (sum * 31 + text.charCodeAt(i)) | 0;
    return sum;
  };
`;
/** By so much that no two processes on a crowded machine, one of which takes twice as long, look alike. */
const FAST = SLOW.replace('round < 40', 'round < 10');

interface Report {
  functionName: string;
  difference: Difference;
}

describe('compare', () => {
  let folder = folderWith({});
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], {
      cwd: folder.path,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  const compare = (...args: string[]) => run(['compare', ...args, '--yes'], { cwd: folder.path, rules });
  /**
   * Goes on with more rounds while no difference is shown: what disturbs one process of eight widens the interval beyond it, as it should.
   * A wrong direction is told at once.
   */
  const compareUntilShown = async (...args: string[]) => {
    let result = await compare(...args, '--rounds', '8');
    for (const rounds of ['16', '32']) {
      if (!/No difference shown|Inconclusive|"verdict": ?"(?:same|inconclusive)"/.test(result.out)) break;
      result = await compare(...args, '--rounds', rounds);
    }
    return result;
  };
  const differenceOf = (out: string): Difference => (JSON.parse(out) as Report).difference;

  before(() => {
    folder.dispose();
    folder = folderWith({
      'package.json': '{ "name": "a", "version": "1.0.0" }',
      'lib/hash.js': FAST,
      'other/lib/hash.js': SLOW,
      'other/package.json': '{ "name": "b", "version": "1.0.0" }',
    });
    git('init', '-q');
    git('add', '.');
    git('commit', '-q', '-m', 'first');
    git('tag', 'first');
    writeFileSync(join(folder.path, 'lib/hash.js'), SLOW);
    git('commit', '-q', '-am', 'second');
  });
  after(() => folder.dispose());

  it('finds what became slower since a commit, and changes nothing', async () => {
    const status = git('status', '--porcelain');
    const index = readFileSync(join(folder.path, '.git/index'));
    const names = readdirSync(folder.path, { recursive: true }).length;
    const { code, out, err } = await compareUntilShown('--base', 'first', 'lib/hash.js:hash', '-f', 'json');
    const difference = differenceOf(out || err);
    assert.equal(difference.verdict, 'slower', out);
    assert.equal(code, 1);
    assert.ok(difference.ratio !== undefined && difference.ratio > 2, out);
    assert.ok([8, 16, 32].includes(difference.first.figures.length), out);
    assert.equal(difference.second.figures.length, difference.first.figures.length);
    assert.match(difference.first.name, /^first \([0-9a-f]{8}\)$/);
    assert.equal(git('status', '--porcelain'), status);
    assert.ok(readFileSync(join(folder.path, '.git/index')).equals(index));
    assert.equal(readdirSync(folder.path, { recursive: true }).length, names);
  });

  it('says of a commit with the same code that no difference is shown', async () => {
    const { code, out } = await compare('--base', 'HEAD', 'lib/hash.js:hash', '--rounds', '8');
    // A crowded machine may leave it open; it may never be told as slower or faster.
    assert.ok(code === 0 || code === 3, out);
    assert.match(out, /No difference shown|Inconclusive/);
    assert.match(out, /99\.7 % interval of the difference: .+ per call/);
  });

  it('compares with another folder', async () => {
    writeFileSync(join(folder.path, 'lib/hash.js'), FAST);
    const { code, out } = await compareUntilShown('--against', 'other', 'lib/hash.js:hash');
    git('checkout', '-q', '--', 'lib/hash.js');
    assert.equal(code, 0, out);
    assert.match(out, /✔ Faster now: by .+ per call, 0\.\d\d× the time/);
  });

  it('compares with a fix, in memory only', async () => {
    const text = dedent`
      /** @profile sum(Array.from({ length: 500 }, (_, id) => ({ id, name: 'Tea', margin: 0.4 }))) */
      function sum(given) {
        const rows = given.map(({ id, name, margin }) => ({ id, name, margin }));
        for (const row of rows) delete row.name;
        let total = 0;
        for (let i = 0; i < 20; i += 1) for (const row of rows) total += row.id;
        return total;
      }
      require('node:http').createServer((req, res) => res.end(String(sum([{ id: 1, name: '', margin: 1 }])))).listen(0);
    `;
    const file = join(folder.path, 'rows.js');
    writeFileSync(file, text);
    const { code, out, err } = await compareUntilShown('--fix', 'no-unstable-shape', 'rows.js:sum', '-f', 'json');
    assert.equal(code, 0, err);
    assert.equal(differenceOf(out).verdict, 'faster', out);
    assert.equal(differenceOf(out).second.name, 'with the fix');
    assert.equal(readFileSync(file, 'utf8'), text);
  });

  it('compares whole programs: a file with its arguments, and a script of package.json', async () => {
    const program = (rounds: string): string => `let sum = 0;
for (let i = 0; i < ${rounds}; i += 1) sum += Math.sqrt(i);
if (process.argv[2] !== 'go') process.exitCode = 1;
`;
    const own = folderWith({
      'package.json': '{ "name": "a", "scripts": { "work": "node work.js go" } }',
      'work.js': program('2e8'),
      'before/package.json': '{ "name": "a", "scripts": { "work": "node work.js go" } }',
      'before/work.js': program('1e5'),
    });
    const compareIn = (...args: string[]) =>
      run(['compare', '--against', 'before', ...args], {
        cwd: own.path,
        rules,
        env: process.env as Record<string, string>,
      });
    for (const args of [
      ['work.js', '--yes', '-f', 'json', '--', 'go'],
      ['--script', 'work', '--yes', '-f', 'json'],
    ]) {
      let { code, out, err } = await compareIn('--rounds', '6', ...args);
      if (code === 3 || code === 0) ({ code, out, err } = await compareIn('--rounds', '16', ...args));
      assert.equal(err, '');
      const { verdict, per, ns } = differenceOf(out);
      assert.deepEqual([code, verdict, per], [1, 'slower', 'run'], out);
      assert.ok(ns > 5e7, out);
    }
    const failed = await compareIn('work.js', '--rounds', '6', '--yes');
    assert.equal(failed.code, 2);
    assert.match(failed.err, /before: The program exited with code 1/);
    own.dispose();
  });

  it('says of a program that does not end what to compare instead', async () => {
    const probe = await probeNode(process.execPath);
    assert.ok(probe.ok);
    const { node } = probe;
    const own = folderWith({ 'server.js': 'setInterval(() => {}, 1000);\n' });
    const outcome = await timeInTurns(
      [
        {
          processes: [
            { process: { node, target: { type: 'file', file: join(own.path, 'server.js'), arguments: [] }, cwd: own.path }, weight: 1 },
          ],
        },
      ],
      { rounds: 1, measureMs: 500 },
    );
    assert.ok(
      !outcome.ok && /did not end within 0.5 s\. A server has no end: compare one of its routes\./.test(outcome.reason),
      JSON.stringify(outcome),
    );
    own.dispose();
  });

  it('says what to do where the times vary too much, in either direction', () => {
    const told = (first: readonly number[], second: readonly number[]): string => {
      const of = (name: string, figures: readonly number[]) => ({ name, figures });
      const difference = judgeDifference(of('before', first), of('now', second), 'call', 0.05);
      const report = { file: 'a.js', functionName: 'f', node: '24.0.0', calls: ['f()'], difference };
      return formatDifference(report, MARKDOWN);
    };
    // Half of the processes ran beside a neighbor, and took twice as long.
    const once = [700, 701, 702, 703, 1400, 1401, 1402, 1403];
    const twice = [350, 351, 352, 353, 700.5, 701.5, 702.5, 703.5];
    assert.match(told(once, twice), /No difference shown[^]*not slower by 20 % or more, but it may be faster[^]*--rounds 40\./);
    assert.match(told(twice, once), /Inconclusive[^]*vary too much to tell[^]*--rounds 40\./);
    assert.match(told([...twice, ...twice, ...twice], [...once, ...once, ...once]), /Slower now/);
    const steady = [700, 701, 702, 703, 704, 705, 706, 707];
    assert.doesNotMatch(told(steady, steady.toReversed()), /--rounds/);
  });

  it('says what is missing', async () => {
    const failed = async (...args: string[]): Promise<string> => {
      const { code, err } = await compare(...args);
      assert.equal(code, 2, err);
      return err;
    };
    assert.match(await failed('lib/hash.js:hash'), /Specify what to compare with, one of: `--base <commit>`/);
    assert.match(await failed('--base', 'HEAD'), /Specify a function/);
    assert.match(await failed('--fix', 'no-x', 'lib/hash.js'), /`--fix` requires a function/);
    assert.match(await failed('--base', 'HEAD', 'lib/hash.js', '--call', 'hash(1)'), /`--call` requires a function/);
    assert.match(await failed('--base', 'HEAD', 'lib/hash.js:hash', '--', 'a'), /are for files and scripts/);
    assert.match(await failed('--base', 'HEAD', '--script', 'nothing'), /nothing/);
    assert.match(await failed('--base', 'nowhere', 'lib/hash.js:hash'), /`nowhere` is not a commit of /);
    assert.match(await failed('--base', '--output=x', 'lib/hash.js:hash'), /requires a value|is not a commit/);
    assert.match(await failed('--base', 'HEAD', '--fix', 'no-x', 'lib/hash.js:hash'), /one of/);
    assert.match(
      await failed('--fix', 'no-unstable-shape', 'lib/hash.js:hash'),
      /There is no finding of `no-unstable-shape` in `exports\.hash`/,
    );
    assert.match(await failed('--against', 'nowhere', 'lib/hash.js:hash'), /does not exist in nowhere/);
    assert.match(await failed('--base', 'HEAD', 'lib/hash.js:hash', '--rounds', '3'), /`--rounds` must be a whole number from 6 to 200/);
    assert.match(await failed('--base', 'HEAD', 'lib/hash.js:hash', '--call', 'hash(null)'), /`exports\.hash\(null\)` threw every time/);
    assert.match(await failed('--base', 'HEAD', 'lib/hash.js:missing'), /Function `missing` not found/);
  });
});
