// `--baseline` and `--since`: only what is new is reported, and nothing is lost.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, it } from 'node:test';
import { rule } from '../../rules/no-sync-in-handler/rule.ts';
import { readDiff } from '../../workspace/baseline/git-changes.ts';
import { folderWith, placesOf, run, type RunResult } from './support.ts';

const BASELINE = '.nodometer/baseline.json';

interface Place {
  path: string;
  write(name: string, text: string): void;
  lint(...argv: string[]): Promise<RunResult>;
  /** Places of what is reported. */
  found(...argv: string[]): Promise<string[]>;
  entries(): { file: string; function?: string; code: string; date: string; reason?: string }[];
  git(...args: string[]): void;
}

async function within(files: Readonly<Record<string, string>>, use: (place: Place) => Promise<void>): Promise<void> {
  const folder = folderWith(files);
  const lint = (...argv: string[]) => run(['lint', ...argv], { cwd: folder.path });
  try {
    await use({
      path: folder.path,
      write: (name, text) => {
        mkdirSync(dirname(join(folder.path, name)), { recursive: true });
        writeFileSync(join(folder.path, name), text);
      },
      lint,
      found: async (...argv) => placesOf((await lint('--format', 'json', ...argv)).out.replaceAll(folder.path, '<folder>')),
      entries: () => (JSON.parse(readFileSync(join(folder.path, BASELINE), 'utf8')) as { findings: ReturnType<Place['entries']> }).findings,
      git: (...args) =>
        void execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@example.com', '-c', 'commit.gpgsign=false', ...args], {
          cwd: folder.path,
          stdio: 'pipe',
        }),
    });
  } finally {
    folder.dispose();
  }
}

const A = 'function one() { slow(1); }\nfunction two() { slow(2); }\n';

describe('--baseline', () => {
  it('reports only what is new, wherever the known ones have moved in their file', () =>
    within({ 'a.js': A }, async ({ write, lint, found, entries }) => {
      const { code, err } = await lint('--update-baseline', '--baseline-reason', 'old', '--max-warnings', '0');
      assert.equal(code, 0);
      assert.match(err, /\.nodometer\/baseline\.json has 2 findings now: 2 added, 0 removed/);
      assert.deepEqual(
        entries().map(({ file, function: fn, code, date, reason }) => [file, fn, code, date, reason]),
        [
          ['a.js', 'one', 'slow(1)', '2023-11-14', 'old'],
          ['a.js', 'two', 'slow(2)', '2023-11-14', 'old'],
        ],
      );
      write(
        'a.js',
        dedent`
          // moved

          function two () {
            slow( 2 )
          }
          function one() { slow(3); slow(1); }

        `,
      );
      assert.deepEqual(await found('--baseline'), ['a.js:6:18 no-slow']);
      assert.equal((await lint('--baseline', '--max-warnings', '0')).code, 1);
      const { out } = await lint('--baseline');
      assert.match(out, /known +2 findings in the baseline/);
    }));

  it('does not let a finding that is fixed cover one that is new', () =>
    within({ 'a.js': A, 'b.js': 'function one() { }' }, async ({ write, lint, found }) => {
      await lint('--update-baseline');
      write('a.js', 'function one() { slow(1); slow(1); }\n');
      assert.deepEqual(await found('--baseline'), ['a.js:1:27 no-slow']);
      write('a.js', 'function one() { }\nfunction two() { slow(2); }\n');
      write('b.js', 'function one() { other(); slow(1); }');
      assert.deepEqual(await found('--baseline'), ['b.js:1:27 no-slow']);
    }));

  it('recognizes functions that have moved to another file, and renamed files', () =>
    within({ 'a.js': A }, async ({ path, write, lint, found }) => {
      await lint('--update-baseline');
      write('a.js', 'function one() { slow(1); }\n');
      write(
        'lib/b.js',
        dedent`
          /** Two. */
          function two() {
            slow(2)
          }

        `,
      );
      assert.deepEqual(await found('--baseline'), []);
      renameSync(join(path, 'a.js'), join(path, 'c.js'));
      assert.deepEqual(await found('--baseline'), []);
      // Copied: the first is still there.
      write('d.js', 'function one() { slow(1); }\n');
      assert.deepEqual(await found('--baseline'), ['d.js:1:18 no-slow']);
      // Of a run that does not look at it, nobody knows whether it has moved.
      await lint('--update-baseline', '--ignore', 'd.js');
      assert.deepEqual(await found('--baseline', '--no-project', 'd.js'), ['d.js:1:18 no-slow']);
    }));

  it('knows a place that one more route leads to, and tells equal handlers apart by their routes', () =>
    within({ 'package.json': '{"dependencies":{"express":"5"}}' }, async ({ path, write }) => {
      const lint = async (...argv: string[]) =>
        placesOf((await run(['lint', '--format', 'json', ...argv], { cwd: path, rules: [rule] })).out.replaceAll(path, '<folder>'));
      const app = (...lines: string[]) =>
        write('a.js', ["const fs = require('fs');", "const app = require('express')();", ...lines, ''].join('\n'));
      const handler = (route: string) => `app.get('${route}', (req, res) => { res.send(fs.readFileSync(req.query.name)); });`;
      const show = 'function show(req, res) { res.send(fs.readFileSync(req.query.name)); }';
      app(handler('/a'), handler('/b'), show, "app.get('/c', show);");
      assert.equal((await lint()).length, 3);
      assert.deepEqual(await lint('--update-baseline'), []);
      app(show, "app.get('/0', show);", "app.get('/c', show);", handler('/b'), handler('/a'));
      assert.deepEqual(await lint('--baseline'), []);
      // Changed, so that it is not the old one with another route.
      app(handler('/a'), handler('/d').replace('{', '{ log();'), show, "app.get('/c', show);");
      assert.deepEqual(await lint('--baseline'), ['a.js:4:47 no-sync-in-handler']);
    }));

  it('says what is gone, and prunes it on request alone', () =>
    within({ 'a.js': A, 'b.js': 'slow(3)' }, async ({ path, write, lint, entries }) => {
      await lint('--update-baseline', '--baseline-reason', 'old');
      write(
        'a.js',
        dedent`
          function one() { slow(1); }
          note();
          slow(9);

        `,
      );
      rmSync(join(path, 'b.js'));
      const { err } = await lint('--baseline');
      assert.match(
        err,
        /2 findings of \.nodometer\/baseline\.json are gone\. To remove them from the baseline, use `--prune-baseline`\.\n {2}a\.js, two\(\): slow\(2\) \(no-slow\)\n {2}b\.js: slow\(3\) \(no-slow\)/,
      );
      assert.equal(entries().length, 3);
      const pruned = await lint('--prune-baseline', '--max-warnings', '0');
      assert.equal(pruned.code, 1);
      assert.match(pruned.err, /has 1 finding now: 0 added, 2 removed/);
      assert.deepEqual(
        entries().map(({ code, reason }) => [code, reason]),
        [['slow(1)', 'old']],
      );
      await lint('--update-baseline');
      assert.deepEqual(
        entries().map(({ code, reason }) => [code, reason]),
        [
          ['note()', undefined],
          ['slow(9)', undefined],
          ['slow(1)', 'old'],
        ],
      );
    }));

  it('keeps the entries of files and rules that a run did not look at', () =>
    within({ 'a.js': A, 'b.js': 'slow(3)', 'c.js': 'slow(4)' }, async ({ write, lint, entries }) => {
      await lint('--update-baseline');
      write('c.js', 'slow(');
      for (const argv of [
        ['--prune-baseline', 'b.js'],
        ['--update-baseline', 'b.js'],
        ['--prune-baseline'],
        ['--update-baseline'],
        ['--update-baseline', '--rule', 'no-slow=off'],
      ]) {
        assert.equal((await lint(...argv)).code, 0, argv.join(' '));
        assert.equal(entries().length, 4, argv.join(' '));
      }
      assert.equal((await lint('--update-baseline', 'nothing-here')).code, 2);
      assert.equal(entries().length, 4);
    }));

  it('is found above the folder of the run, up to the root of the repository, and by a name', () =>
    within({ '.git/HEAD': '', 'sub/a.js': A }, async ({ path, lint }) => {
      await lint('--update-baseline');
      const below = await run(['lint', '--baseline', '--format', 'json'], { cwd: join(path, 'sub') });
      assert.deepEqual([below.code, below.out], [0, '[]\n']);
      await lint('--baseline', 'ci/known.json', '--update-baseline');
      assert.ok(existsSync(join(path, 'ci/known.json')));
      assert.equal((await lint('--baseline=ci/known.json', '--format', 'json')).out, '[]\n');
    }));

  it('ends with 2 and a sentence where the baseline cannot be used, and leaves it as it is', () =>
    within({ 'a.js': A }, async ({ path, write, lint }) => {
      const missing = await lint('--baseline');
      assert.deepEqual([missing.code, missing.out], [2, '']);
      assert.match(
        missing.err,
        /There is no baseline \.nodometer\/baseline\.json\. To accept all findings of today, run `nodometer lint --update-baseline`/,
      );
      const entry = { file: 'a.js', rule: 'no-slow', routes: [], code: 'x', print: 'x', around: 'x', date: 'x' };
      const table: [text: string, says: RegExp][] = [
        ['{', /is damaged: .*It was left as it is/],
        [
          dedent`
            <<<<<<< HEAD
            {}
            =======
            {}
            >>>>>>> x

          `,
          /is damaged: it has conflict markers of a merge/,
        ],
        ['[]', /is not a baseline: it has no list `findings`/],
        [JSON.stringify({ version: 2, findings: [] }), /has version 2, and this Nodometer reads version 1/],
        [JSON.stringify({ version: 1, findings: [entry, 7] }), /is damaged: entry 2 is not an object/],
        [JSON.stringify({ version: 1, findings: [{ ...entry, print: 1 }] }), /entry 1 has no text `print`/],
        [JSON.stringify({ version: 1, findings: [{ ...entry, reason: {} }] }), /entry 1 has a `reason` that is not a text/],
        [JSON.stringify({ version: 1, findings: [{ ...entry, routes: [1] }] }), /entry 1 has no list of texts `routes`/],
      ];
      for (const [text, says] of table)
        for (const option of ['--baseline', '--update-baseline', '--prune-baseline']) {
          write(BASELINE, text);
          const { code, err } = await lint(option);
          assert.equal(code, 2, text);
          assert.match(err, says);
          assert.equal(readFileSync(join(path, BASELINE), 'utf8'), text);
        }
    }));

  it('is not written through a link', () =>
    within({ 'a.js': A, 'elsewhere/x': '' }, async ({ path, lint }) => {
      symlinkSync(join(path, 'elsewhere'), join(path, '.nodometer'), 'junction');
      const { code, err } = await lint('--update-baseline');
      assert.equal(code, 2);
      assert.match(err, /The baseline was not written, because .*\.nodometer is a link/);
      assert.ok(!existsSync(join(path, 'elsewhere/baseline.json')));
    }));

  it('says when Git ignores it', () =>
    within({ '.git/HEAD': '', '.gitignore': '.nodometer/', 'a.js': A }, async ({ lint }) => {
      assert.match((await lint('--update-baseline')).err, /Git ignores \.nodometer\/baseline\.json.*git add --force/);
    }));
});

describe('--since', () => {
  it('reports what changed lines hold, and what they lead to', () =>
    within(
      {
        'a.js': `one();\nslow();\n`,
        'b.js': dedent`
          x();
          slow();
          // nodometer-disable-next-line no-slow
          slow();

        `,
        'app.js': "app.get('/', go);\n\nblock();\n",
      },
      async ({ write, git, found, lint }) => {
        git('init', '-q', '-b', 'main');
        git('add', '.');
        git('commit', '-qm', 'base');
        assert.deepEqual(await found('--since', 'main'), []);
        git('checkout', '-qb', 'change');
        write(
          'a.js',
          dedent`
            one();
            slow();
            slow();

          `,
        );
        git('commit', '-qam', 'committed');
        assert.deepEqual(await found('--since', 'main'), ['a.js:3:1 no-slow']);
        // Of which the first one disappears, and of which a comment does.
        write('b.js', 'slow();\nslow();\n');
        write('new file.js', 'slow()');
        assert.deepEqual(await found('--since', 'main'), [
          'a.js:3:1 no-slow',
          'b.js:1:1 no-slow',
          'b.js:2:1 no-slow',
          'new file.js:1:1 no-slow',
        ]);
        // The registration of the route is on the way to `block()`.
        write('app.js', "app.get('/', go, more);\n\nblock();\n");
        assert.deepEqual((await found('--since', 'main'))[1], 'app.js:3:1 no-blocking');
        assert.match((await lint('--since', 'main')).out, /unchanged +1 finding that no change since main touches/);
        // What others do on the base meanwhile is not a change of this side.
        git('add', '.');
        git('commit', '-qm', 'all');
        git('checkout', '-q', 'main');
        write('a.js', 'slow();\n');
        git('commit', '-qam', 'theirs');
        git('checkout', '-q', 'change');
        assert.equal((await found('--since', 'main')).length, 5);
      },
    ));

  it('ends with 2 and a sentence for unknown commits, shallow clones, and folders without git', () =>
    within({ 'a.js': 'slow()' }, async ({ path, write, git, lint }) => {
      const outside = await lint('--since', 'main');
      assert.equal(outside.code, 2);
      assert.match(outside.err, /`--since` needs a git repository, and .* is not in one/);
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-qm', 'one');
      for (const ref of ['nowhere', '--output=stolen', 'HEAD~5']) {
        const { code, err } = await lint(`--since=${ref}`);
        assert.equal(code, 2);
        assert.match(err, /is not a commit of .*If it is a branch of a remote, fetch it/);
      }
      assert.ok(!existsSync(join(path, 'stolen')));
      git('checkout', '-q', '--orphan', 'other');
      git('commit', '-qm', 'unrelated');
      assert.match((await lint('--since', 'main')).err, /`main` and HEAD have no common commit/);
      git('checkout', '-q', 'main');
      write('b.js', 'slow()');
      git('add', '.');
      git('commit', '-qm', 'two');
      git('clone', '-q', '--depth', '1', pathToFileURL(path).href, 'shallow');
      const shallow = await run(['lint', '--since', 'HEAD~1'], { cwd: join(path, 'shallow') });
      assert.equal(shallow.code, 2);
      assert.match(
        shallow.err,
        /`HEAD~1` is not in this clone, which is shallow\. Fetch it first: `git fetch --unshallow origin "[^"]+"`\. .*fetch-depth: 0/,
      );
    }));

  it('starts no program that the settings of a repository name', () =>
    within({ 'a.js': 'slow()' }, async ({ path, write, git, found }) => {
      git('init', '-q', '-b', 'main');
      git('add', '.');
      git('commit', '-qm', 'one');
      const trap = `echo x >> ${join(path, 'trapped')}`;
      for (const name of ['core.fsmonitor', 'diff.external', 'diff.x.textconv', 'core.pager']) git('config', name, trap);
      write('.gitattributes', '*.js diff=x\n');
      write('a.js', 'slow(1);\nslow(2);');
      assert.deepEqual(await found('--since', 'main'), ['a.js:1:1 no-slow', 'a.js:2:1 no-slow']);
      assert.ok(!existsSync(join(path, 'trapped')));
    }));

  it('reads names and hunks of diffs as git writes them', () => {
    const diff = [
      'diff --git a/a b.js b/a b.js',
      '--- a/a b.js\t',
      '+++ b/a b.js\t',
      '@@ -1,2 +1 @@ function',
      '---- a/x',
      '-+++ b/y',
      '++++ b/z',
      '@@ -9 +8,0 @@',
      '-x',
      '--- a/gone.js',
      '+++ /dev/null',
      '@@ -1 +0,0 @@',
      '-x',
      '--- "a/q\\"\\t.js"',
      '+++ "b/q\\"\\t.js"',
      '@@ -0,0 +3,4 @@',
      '+x',
    ].join('\n');
    assert.deepEqual(
      [...readDiff(diff)],
      [
        [
          'a b.js',
          [
            [1, 1],
            [8, 9],
          ],
        ],
        ['q"\t.js', [[3, 6]]],
      ],
    );
  });
});
