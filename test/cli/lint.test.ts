// `nodometer lint`: options, exit codes, standard input.
import assert from 'node:assert/strict';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, it } from 'node:test';
import { defineRule, type AnyRule } from '../../analysis/rule.ts';
import { findClosestName } from '../../workspace/config/closest-name.ts';
import { whyUnreadable } from '../../files/read-text-file.ts';
import { filesOf, folderWith, placesOf, run, runIn, testRules } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** A rule that finds nothing and does something while a file is linted. */
function acting(act: (file: string) => unknown): AnyRule {
  return defineRule<'never'>({
    meta: {
      id: 'no-act',
      group: 'api',
      summary: 'Acts',
      severity: 'hint',
      proof: 'documented',
      nodeRange: '*',
      fix: 'none',
      messages: { never: { what: 'a', why: 'b', remedy: 'c' } },
      options: {},
      confirmedBy: [],
    },
    create: ({ file }) => ({ Program: () => void act(file) }),
  });
}

const APP = {
  'package.json': '{"engines":{"node":">=18"}}',
  'src/app.js': dedent`
  slow();
  note();
  block();

`,
};

describe('the command line', () => {
  it('shows help and version and ends with 0', async () => {
    for (const argv of [[], ['--help'], ['-h'], ['help']]) {
      const { code, out } = await runIn({}, argv);
      assert.equal(code, 0);
      assert.match(out, /nodometer lint \[paths…\]/);
    }
    for (const argv of [['--version'], ['-v']]) assert.deepEqual(await runIn({}, argv), { code: 0, out: '1.2.3\n', err: '' });
    for (const command of ['lint', 'explain', 'rules']) {
      assert.match((await runIn({}, [command, '--help'])).out, new RegExp(`Usage: nodometer ${command}`));
      assert.match((await runIn({}, ['help', command])).out, new RegExp(`Usage: nodometer ${command}`));
    }
  });

  it('documents every option that it takes', async () => {
    const { LINT_OPTIONS } = await import('../../cli/commands/lint-arguments.ts');
    const { out } = await runIn({}, ['lint', '--help']);
    for (const name of Object.keys(LINT_OPTIONS))
      if (name !== 'help') assert.ok(out.includes(`--${name}`), `--help does not tell of --${name}`);
  });

  it('refuses what it does not understand, with the word that was meant', async () => {
    const refused: [string[], RegExp][] = [
      [['lnit'], /Unknown command `lnit`\. Did you mean `lint`\?/],
      [['src'], /Unknown command `src`\. To lint a path, run: nodometer lint src/],
      [['--fix'], /Unknown option `--fix` before a command/],
      [['constructor'], /Unknown command `constructor`/],
      [['lint', '--formt', 'json'], /Unknown option `--formt`\. Did you mean `--format`\?/],
      [
        ['lint', '--format', 'jsn'],
        /`--format` must be stylish, json, sarif, github, gitlab, junit, markdown, or agent, not `jsn`\. Did you mean `json`\?/,
      ],
      [['lint', '--format'], /`--format` requires a value/],
      [['lint', '--format=json', '--format=json'], /Only one report can be written to standard output/],
      [['lint', '--format=json:'], /`--format json:` requires a file after the colon/],
      [['lint', '--format=json:a.json', '--output-file=b.json'], /`--output-file` has no report to write/],
      [['lint', '--update-baseline', '--prune-baseline'], /cannot be used together/],
      [['lint', '--update-baseline', '--shard=1/2'], /cannot be used together/],
      [['lint', '--update-baseline', '--since=main'], /cannot be used together/],
      [['lint', '--baseline', '--baseline'], /`--baseline` can be given only once/],
      [['lint', '--baseline='], /`--baseline=` requires a value/],
      [['lint', '--baseline-reason=x'], /`--baseline-reason` requires `--update-baseline`/],
      [['lint', '--report-suppressed'], /`--report-suppressed` requires `--format sarif`/],
      [['lint', '--quiet=yes'], /`--quiet` does not take a value/],
      [['lint', '--rule', 'no-slow'], /`--rule` must have the form `<id>=<severity>`/],
      [['lint', '--rule', 'no-slow=warn'], /off, hint, warning, or error, not `warn`\. Did you mean `warning`\?/],
      [['lint', '--rule', 'no-slwo=error'], /Unknown rule `no-slwo`\. Did you mean `no-slow`\?/],
      [['lint', '--rule', 'blocking=error'], /Did you mean `no-blocking`\?/],
      [['lint', '--max-warnings', 'few'], /whole number, not `few`/],
      [['lint', '--node', 'eighteen'], /`--node` must be a semver range/],
      [['lint', '--fix-type', 'all'], /safe or suggestion, not `all`/],
      [['lint', '--color', '--no-color'], /cannot be used together/],
      [['lint', '--config', 'a.json', '--no-config'], /cannot be used together/],
      [['lint', '--stdin-filename', 'a.js'], /requires `--stdin`/],
      [['lint', '--stdin', 'a.js'], /`--stdin` does not take a path, but `a\.js` was given/],
      [['lint', '-'], /use `--stdin/],
      [['lint', 'nowhere'], /File or folder not found: `nowhere`/],
      [['lint', 'src/*.ts'], /No file to lint matches/],
      [['lint', 'nowhere/*.js'], /folder `nowhere` not found/],
      [['lint', '--config', 'nowhere.json'], /Cannot read the configuration .*nowhere\.json: ENOENT/],
      [['lint', '--output-file', 'src/app.js/where.txt', 'src'], /Cannot write src\/app\.js\/where\.txt: E[A-Z]+\./],
    ];
    for (const [argv, message] of refused) {
      const { code, out, err } = await runIn(APP, argv);
      assert.equal(code, 2, `${argv.join(' ')} should end with 2`);
      assert.equal(out, '', argv.join(' '));
      assert.match(err, message);
    }
  });

  it('finds no name in words that are too far away', () => {
    assert.equal(findClosestName('xyz', ['lint', 'rules']), undefined);
    assert.equal(findClosestName('ruels', ['lint', 'rules']), 'rules');
  });
});

describe('exit codes', () => {
  it('1 for errors, 0 for warnings and hints, 2 for nothing', async () => {
    assert.equal((await runIn({ 'a.js': 'block()' }, ['lint'])).code, 1);
    assert.equal((await runIn({ 'a.js': 'slow(); note()' }, ['lint'])).code, 0);
    assert.equal((await runIn({ 'a.js': 'ok()' }, ['lint'])).code, 0);
    assert.equal((await runIn({}, ['lint'])).code, 2);
    assert.equal((await runIn({}, ['lint', '--pass-on-no-files'])).code, 0);
  });

  it('1 for more warnings than allowed; hints never count', async () => {
    const files = { 'a.js': 'slow(); slow(); note()' };
    assert.equal((await runIn(files, ['lint', '--max-warnings', '1'])).code, 1);
    assert.equal((await runIn(files, ['lint', '--max-warnings', '2'])).code, 0);
    assert.equal(
      (await runIn(files, ['lint', '--max-warnings', '0', '--quiet'])).code,
      1,
      '--quiet hides warnings, it does not forgive them',
    );
    assert.equal((await runIn({ 'a.js': 'note()' }, ['lint', '--max-warnings', '0'])).code, 0);
    assert.equal((await runIn(files, ['lint', '--max-warnings=-1'])).code, 0);
  });

  it('--exit-zero turns 1 into 0, and leaves 2', async () => {
    assert.equal((await runIn({ 'a.js': 'block()' }, ['lint', '--exit-zero'])).code, 0);
    assert.equal((await runIn({ 'a.js': 'crashMe()' }, ['lint', '--exit-zero'])).code, 2);
  });

  it('2 for a rule that crashes: told once, with rule and file, and the other findings are kept', async () => {
    const { code, out, err } = await runIn({ 'a.js': 'crashMe(); crashMe(); slow()', 'b.js': 'note()' }, ['lint', '--format', 'json']);
    assert.equal(code, 2);
    assert.deepEqual(placesOf(out), ['a.js:1:23 no-slow', 'b.js:1:1 no-note']);
    assert.equal(err, 'nodometer: Rule no-crash crashed on a.js: out of order. Its findings for this file are missing.\n');
  });

  it('2 for an error of our own, which is no finding', async () => {
    const docs = Object.defineProperty({}, 'no-slow', {
      get: () => {
        throw new TypeError('out of order');
      },
    });
    const { code, err } = await runIn({}, ['explain', 'no-slow'], { docs });
    assert.equal(code, 2);
    assert.match(err, /^nodometer: internal error\. This is a bug in Nodometer; please report it\.\nTypeError: out of order\n/);
  });

  it('files that cannot be parsed are named on standard error and change no exit code', async () => {
    const { code, out, err } = await runIn({ 'a.js': 'const a = 1;\nfoo(', 'b.js': 'note()' }, ['lint', '--format', 'json']);
    assert.equal(code, 0);
    assert.deepEqual(placesOf(out), ['b.js:1:1 no-note']);
    assert.match(err, /^nodometer: a\.js:2:5: could not be parsed: Unexpected token/);
    const { out: report } = await runIn({ 'a.js': 'foo(' }, ['lint']);
    assert.match(report, /not parsed +1 file with syntax errors/);
  });

  it('names ten files that cannot be parsed and counts the others, but all of them beside json', async () => {
    const files = Object.fromEntries(Array.from({ length: 13 }, (_, i) => [`f${i}.js`, 'foo(']));
    const lines = async (argv: string[]) => (await runIn(files, ['lint', ...argv])).err.trim().split('\n');
    const shown = await lines([]);
    assert.equal(shown.length, 11);
    assert.equal(shown.at(-1), 'nodometer: 3 more files could not be parsed; use `--format json` to list all of them.');
    assert.equal((await lines(['--format', 'json'])).length, 13);
  });

  it('130 when the user stops it, without a report', async () => {
    const controller = new AbortController();
    const files = Object.fromEntries(Array.from({ length: 5 }, (_, i) => [`f${i}.js`, 'block()']));
    const linted: string[] = [];
    const stopping = acting((file) => {
      linted.push(basename(file));
      if (linted.length === 2) controller.abort();
    });
    const { code, out, err } = await runIn(files, ['lint'], { signal: controller.signal, rules: [...testRules, stopping] });
    assert.deepEqual({ code, out, linted }, { code: 130, out: '', linted: ['f0.js', 'f1.js'] });
    assert.match(err, /interrupted; no report was written/);
    const before = AbortSignal.abort();
    assert.equal((await runIn(files, ['lint', '--list-files'], { signal: before })).code, 130, 'while folders are read');
  });
});

describe('rules and Node versions', () => {
  it('--rule sets a severity, and wins over the configuration', async () => {
    const severities = async (argv: string[], files: Record<string, string> = {}) => {
      const { out } = await runIn({ ...APP, ...files }, ['lint', '--format', 'json', ...argv]);
      return (JSON.parse(out) as { ruleId: string; severity: string }[]).map((finding) => `${finding.ruleId}=${finding.severity}`);
    };
    assert.deepEqual(await severities([]), ['no-slow=warning', 'no-note=hint', 'no-blocking=error']);
    assert.deepEqual(await severities(['--rule', 'no-slow=error', '--rule=no-blocking=off']), ['no-slow=error', 'no-note=hint']);
    const config = { 'nodometer.config.json': '{"rules":{"no-slow":"off","no-blocking":"warning"}}' };
    assert.deepEqual(await severities([], config), ['no-note=hint', 'no-blocking=warning']);
    assert.deepEqual(await severities(['--rule', 'no-slow=hint'], config), ['no-slow=hint', 'no-note=hint', 'no-blocking=warning']);
    assert.deepEqual(await severities(['--no-config'], config), ['no-slow=warning', 'no-note=hint', 'no-blocking=error']);
  });

  it('--exports also checks what callers of a library pass, in the terminal and by the configuration', async () => {
    const files = { 'index.js': "exports.cut = (text) => text.replace(/\\s+$/, '');\n" };
    const config = JSON.stringify({ rules: { 'no-unsafe-regex': { options: { exports: true } } } });
    const { rules } = await import('../../rules/index.ts');
    assert.doesNotMatch((await runIn(files, ['lint', '.'], { rules })).out, /no-unsafe-regex/);
    for (const [some, argv] of [
      [files, ['lint', '--exports', '.']],
      [{ ...files, 'nodometer.config.json': config }, ['lint', '.']],
    ] as const)
      assert.match(
        (await runIn(some, argv, { rules })).out,
        /hint {2}no-unsafe-regex[^]*to the power of 2, and nothing here limits the text to less than 100,000 characters/,
      );
    const perCall = { 'index.js': "exports.money = (n) => new Intl.NumberFormat('en-US').format(n);\n" };
    assert.doesNotMatch((await runIn(perCall, ['lint', '.'], { rules })).out, /no-setup-per-request/);
    assert.match(
      (await runIn(perCall, ['lint', '--exports', '.'], { rules })).out,
      /hint {2}no-setup-per-request[^]*call of `money`, which this module exports/,
    );
  });

  it('shows the Node range and where it comes from', async () => {
    assert.match((await runIn(APP, ['lint'])).out, /Node +>=18 \(engines\.node in package\.json\)/);
    assert.match((await runIn(APP, ['lint', '--node', '>=22'])).out, /Node +>=22 \(--node\)/);
    assert.match((await runIn({ 'a.js': '' }, ['lint'])).out, /Node +20\.19\.0 \(the running Node\)/);
    assert.match(
      (await runIn({ ...APP, 'nodometer.config.json': '{"node":"20 || 22"}' }, ['lint'])).out,
      /Node +20 \|\| 22 \(node in nodometer\.config\.json\)/,
    );
  });

  it('silences by comment, counts it, and reports comments that silence nothing', async () => {
    const { out } = await runIn(
      {
        'a.js': dedent`
        // nodometer-disable-next-line no-slow -- known
        slow();
        // nodometer-disable-next-line no-slow
        ok();

      `,
      },
      ['lint'],
    );
    assert.match(out, /suppressed +1 finding by nodometer-disable comments/);
    assert.match(out, /a\.js:3:1 .*nodometer-disable/);
  });
});

describe('reports', () => {
  it('--quiet shows errors only', async () => {
    const { out } = await runIn(APP, ['lint', '--quiet', '--format', 'json']);
    assert.deepEqual(placesOf(out), ['src/app.js:3:1 no-blocking']);
  });

  it('--output-file takes the report, and standard output stays empty', async () => {
    const folder = folderWith(APP);
    try {
      const { code, out } = await run(['lint', '-f', 'json', '-o', 'report.json'], { cwd: folder.path });
      assert.deepEqual({ code, out }, { code: 1, out: '' });
      assert.equal((JSON.parse(readFileSync(join(folder.path, 'report.json'), 'utf8')) as unknown[]).length, 3);
      await run(['lint', '-o', 'new/reports/report.txt'], { cwd: folder.path, columns: 80, env: { TERM: 'xterm' } });
      assert.ok(!readFileSync(join(folder.path, 'new/reports/report.txt'), 'utf8').includes('\u001b['), 'no colors in a file');
    } finally {
      folder.dispose();
    }
  });

  it('colors follow the option, then the environment, then the terminal', async () => {
    const isColoured = async (argv: string[], env: Record<string, string>, columns?: number) =>
      (await runIn(APP, ['lint', '--no-progress', ...argv], { env, columns })).out.includes('\u001b[');
    assert.equal(await isColoured([], {}), false);
    assert.equal(await isColoured([], {}, 80), true);
    assert.equal(await isColoured([], { TERM: 'dumb' }, 80), false);
    assert.equal(await isColoured([], { NO_COLOR: '1' }, 80), false);
    assert.equal(await isColoured([], { NO_COLOR: '' }, 80), true);
    assert.equal(await isColoured([], { FORCE_COLOR: '1' }), true);
    assert.equal(await isColoured([], { FORCE_COLOR: '0' }, 80), false);
    assert.equal(await isColoured([], { NO_COLOR: '1', FORCE_COLOR: '1' }), false);
    assert.equal(await isColoured(['--color'], { NO_COLOR: '1' }), true);
    assert.equal(await isColoured(['--no-color'], { FORCE_COLOR: '1' }, 80), false);
  });

  it('shows progress on a terminal and takes it away', async () => {
    const files = { 'a.js': '', 'b.js': '', 'c.js': '' };
    const { err } = await runIn(files, ['lint'], { columns: 80 });
    assert.match(err, /\r\u001b\[2K {2}1\/3 b\.js/);
    assert.ok(err.endsWith('\r\u001b[2K'));
    assert.equal((await runIn(files, ['lint', '--no-progress'], { columns: 80 })).err, '');
    assert.equal((await runIn(files, ['lint'], { columns: 80, env: { CI: '1' } })).err, '');
    assert.equal((await runIn(files, ['lint'])).err, '');
  });

  it('--list-files prints the files and lints nothing', async () => {
    const { code, out, err } = await runIn({ ...APP, Dockerfile: 'FROM node', 'node_modules/x/index.js': '', 'src/x.min.js': '' }, [
      'lint',
      '--list-files',
    ]);
    assert.deepEqual(
      { code, out },
      {
        code: 0,
        out: dedent`
      Dockerfile
      package.json
      src/app.js

    `,
      },
    );
    assert.equal(err, 'nodometer: skipped: 1 node_modules folder, 1 minified file\n');
  });
});

describe('standard input', () => {
  it('is linted as the file that it is named', async () => {
    const lint = (name: string, stdin: string, files: Record<string, string> = {}) =>
      runIn(files, ['lint', '--format', 'json', '--stdin', '--stdin-filename', name], { stdin });
    assert.deepEqual(placesOf((await lint('src/new.ts', 'let a: number = 1; slow()')).out), ['src/new.ts:1:20 no-slow']);
    assert.match((await lint('src/new.js', 'let a: number = 1; slow()')).err, /src\/new\.js:1:6: could not be parsed/);
    const config = { 'src/nodometer.config.json': '{"rules":{"no-slow":"off"}}' };
    assert.deepEqual(placesOf((await lint('src/new.js', 'slow()', config)).out), []);
    assert.deepEqual(placesOf((await lint('lib/new.js', 'slow()', config)).out), ['lib/new.js:1:1 no-slow']);
    assert.deepEqual(filesOf((await runIn({}, ['lint', '-f', 'json', '--stdin'], { stdin: 'slow()' })).out), ['stdin.js']);
  });

  it('may be a deployment file, seen with the others of its project', async () => {
    const stdin = '{"scripts":{"start":"node ."}}';
    const argv = ['lint', '--format', 'json', '--stdin', '--stdin-filename', 'package.json'];
    assert.deepEqual(placesOf((await runIn({}, argv, { stdin })).out), ['package.json:1:22 require-flag']);
    assert.deepEqual(placesOf((await runIn({ 'package.json': '{}', Procfile: 'web: FLAG=on node .' }, argv, { stdin })).out), []);
  });

  it('with --fix gives the fixed text, and the report on standard error', async () => {
    const { code, out, err } = await runIn({}, ['lint', '--stdin', '--fix'], {
      stdin: dedent`
      slow();
      block();

    `,
    });
    assert.deepEqual(
      { code, out },
      {
        code: 1,
        out: dedent`
      quick();
      block();

    `,
      },
    );
    assert.match(err, /no-blocking/);
    const dry = await runIn({}, ['lint', '--stdin', '--fix-dry-run', '-f', 'json'], { stdin: 'slow();' });
    assert.deepEqual(placesOf(dry.out), []);
  });
});

describe('files that change or cannot be read', () => {
  it('warns of a file that cannot be opened and goes on', async () => {
    const folder = folderWith({ 'b.js': 'slow()' });
    try {
      // A link to itself: unlike a file without permission, root cannot open it either.
      symlinkSync('a.js', join(folder.path, 'a.js'));
      const { code, out, err } = await run(['lint', '-f', 'json'], { cwd: folder.path });
      assert.equal(code, 0);
      assert.equal((JSON.parse(out) as unknown[]).length, 1);
      assert.equal(err, 'nodometer: a.js is a circular symbolic link.\n');
      assert.match((await run(['lint'], { cwd: folder.path })).out, /skipped +1 unreadable path/);
    } finally {
      folder.dispose();
    }
  });

  it('has a sentence for every way in which a file cannot be read', () => {
    const why = (code: string) => whyUnreadable(Object.assign(new Error('no'), { code }));
    assert.deepEqual(['ENOENT', 'EACCES', 'EPERM', 'EISDIR', 'EIO'].map(why), [
      'no longer exists',
      'cannot be read (permission denied)',
      'cannot be read (permission denied)',
      'is a folder',
      'cannot be read (EIO)',
    ]);
  });

  it('warns of a file that is gone when its turn comes', async () => {
    const folder = folderWith({ 'a.js': 'slow()', 'b.js': 'slow()', 'c.js': '' });
    try {
      // What checks fixes is loaded when the files are found, and before they are read.
      const removing = {
        cwd: folder.path,
        get fixCheck(): undefined {
          rmSync(join(folder.path, 'b.js'));
          return undefined;
        },
      };
      const { code, out, err } = await run(['lint', '-f', 'json', '--fix-dry-run'], removing);
      assert.equal(code, 0);
      assert.deepEqual(JSON.parse(out), [], 'the others are read and fixed');
      assert.match(err, /b\.js no longer exists/);
    } finally {
      folder.dispose();
    }
  });

  it('reads past a broken package.json', async () => {
    const { code, out, err } = await runIn({ 'package.json': '{"name": ', 'a.js': 'slow()' }, ['lint', '-f', 'json']);
    assert.equal(code, 0);
    assert.deepEqual(filesOf(out), ['a.js']);
    assert.match(err, /package\.json: invalid JSON \(.+\); treated as an empty package\.json/);
  });

  it('counts columns as editors do: without the byte order mark', async () => {
    const folder = folderWith({});
    try {
      writeFileSync(join(folder.path, 'a.js'), '\uFEFFslow();\r\nslow();\r\n');
      const { out } = await run(['lint', '-f', 'json'], { cwd: folder.path });
      assert.deepEqual(
        (JSON.parse(out) as { line: number; column: number }[]).map(({ line, column }) => [line, column]),
        [
          [1, 1],
          [2, 1],
        ],
      );
    } finally {
      folder.dispose();
    }
  });
});
