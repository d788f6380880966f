// Which files are linted, which are left out, and that the report says so.
import assert from 'node:assert/strict';
import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { findBuiltLook } from '../../workspace/discovery/read-source.ts';
import { folderWith, run, runIn, type RunResult } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

async function list(files: Readonly<Record<string, string>>, argv: readonly string[] = []): Promise<string[]> {
  return linesOf(await runIn(files, ['lint', '--list-files', ...argv]));
}

function linesOf({ code, out, err }: RunResult): string[] {
  assert.equal(code, 0, err);
  return out.split('\n').filter(Boolean);
}

/** Files linted in a folder that is changed by `prepare` before the run. */
async function listIn(
  files: Readonly<Record<string, string>>,
  prepare: (path: string) => void,
  argv: readonly string[] = [],
  from = '',
): Promise<{ files: string[]; err: string }> {
  const folder = folderWith(files);
  try {
    prepare(folder.path);
    const result = await run(['lint', '--list-files', ...argv], { cwd: join(folder.path, from) });
    return { files: linesOf(result), err: result.err };
  } finally {
    folder.dispose();
  }
}

const GIT = { '.git/HEAD': 'ref: refs/heads/main' };

describe('files in a folder', () => {
  it('takes scripts and deployment files, hidden ones too, and nothing else', async () => {
    const files = [
      'a.js',
      'b.cjs',
      'c.mjs',
      'd.ts',
      'e.cts',
      'f.mts',
      'g.jsx',
      'h.tsx',
      'i.d.ts',
      'j.d.mts',
      'k.json',
      'l.css',
      '.env',
      '.hidden.js',
      'Dockerfile',
      'package.json',
      'x/docker-compose.yml',
      '.pnp.cjs',
    ];
    assert.deepEqual(await list(Object.fromEntries(files.map((name) => [name, '']))), [
      '.env',
      '.hidden.js',
      'Dockerfile',
      'a.js',
      'b.cjs',
      'c.mjs',
      'd.ts',
      'e.cts',
      'f.mts',
      'g.jsx',
      'h.tsx',
      'package.json',
      'x/docker-compose.yml',
    ]);
  });

  it('reads files without an ending in bin folders, if they start Node', async () => {
    const { out } = await runIn(
      {
        'bin/www': '#!/usr/bin/env node\nslow()',
        'bin/run': '#!/bin/sh\nslow()',
        'bin/data': 'slow()',
        www: '#!/usr/bin/env node\nslow()',
      },
      ['lint', '-f', 'json'],
    );
    assert.deepEqual(
      (JSON.parse(out) as { file: string }[]).map(({ file }) => file),
      ['<folder>/bin/www'],
    );
  });

  it('leaves out dependencies, what tools write, bundles and minified files, and counts them', async () => {
    const { out } = await runIn(
      {
        'node_modules/x/index.js': '',
        'packages/a/node_modules/y/index.js': '',
        'bower_components/z.js': '',
        '.git/hooks/a.js': '',
        '.next/server.js': '',
        'flow-typed/npm/express_vx.x.x.js': "declare module 'express' { declare module.exports: any; }",
        'jquery.min.js': '',
        'vendor-min.js': '',
        'main.bundle.js': '',
        'src/app.js': 'note()',
      },
      ['lint'],
    );
    assert.match(out, /ℹ 1 hint in 1 file \(.*\n +checked +1 file\n/);
    assert.match(out, /skipped +3 node_modules folders, 2 tool folders \(\.next, \.cache, …\), 2 minified files, 1 bundle\n/);
  });

  it('tells built files by their look', async () => {
    const long = `var a=${'1+'.repeat(4000)}1;`;
    const plain = Array.from({ length: 400 }, (_, i) => `const value${i} = ${i};`).join('\n');
    assert.equal(findBuiltLook(long)?.reason, 'minified');
    assert.equal(
      findBuiltLook(dedent`
      /*! license
       * of many
       * lines
       */
      ${long}
    `)?.reason,
      'minified',
    );
    assert.equal(findBuiltLook(plain), undefined);
    assert.equal(findBuiltLook(`${plain}\nconst table = '${'x'.repeat(3000)}';`), undefined, 'one long line is no minified file');
    assert.equal(findBuiltLook('short();'), undefined);
    assert.equal(findBuiltLook(`/******/ (() => { // webpackBootstrap\n${plain}`)?.reason, 'bundle');
    assert.equal(
      findBuiltLook(dedent`
      "use strict";
      var __commonJS = (cb, mod) => 1;
      ${plain}
    `)?.reason,
      'bundle',
    );
    const { out } = await runIn({ 'long.js': long, 'plain.js': plain }, ['lint']);
    assert.match(out, /checked +1 file\n/);
    assert.match(out, /skipped +1 minified file/);
  });

  it('leaves out what was compiled from a file beside it', async () => {
    const compiled = dedent`
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.a = 1;
    `;
    const mapped = 'export const b = 1;\n//# sourceMappingURL=b.js.map\n';
    const { out } = await runIn(
      {
        'src/a.ts': 'export const a = 1;',
        'dist/a.js': compiled,
        'pkg/b.mts': 'export const b = 1;',
        'pkg/lib/b.js': mapped,
        // No source beside it, no mark of a compiler, and not in a folder that compilers write to.
        'dist/alone.js': compiled,
        'dist/by-hand.js': 'exports.c = 1;',
        'src/by-hand.js': 'exports.c = 1;',
        'other/a.js': compiled,
        '.history/src/a_20260101.ts': 'note();',
      },
      ['lint'],
    );
    assert.match(out, /checked +6 files\n/);
    assert.match(out, /skipped +1 tool folder \(\.next, \.cache, …\), 2 compiled files beside their sources/);
    const { out: named } = await runIn({ 'src/a.ts': 'export const a = 1;', 'dist/a.js': compiled }, ['lint', 'dist/a.js']);
    assert.match(named, /checked +1 file\n/);
  });

  it('leaves out what was compiled only where its source is linted in the same run', async () => {
    const compiled = dedent`
      "use strict";
      Object.defineProperty(exports, "__esModule", { value: true });
      exports.a = 1;
    `;
    const files = { 'src/a.ts': 'export const a = 1;', 'dist/a.js': compiled };
    for (const [given, paths] of [
      [files, ['dist']],
      [{ ...files, 'nodometer.config.json': '{"ignores": ["src/**"]}' }, []],
    ] as const) {
      const { out } = await runIn(given, ['lint', ...paths]);
      assert.match(out, /checked +1 file\n/);
      assert.doesNotMatch(out, /compiled/);
    }
    // Files that only have the same name: what loads the output, and JavaScript of the folder above.
    const { out } = await runIn(
      {
        'r.js': "module.exports = require('./lib/r');",
        'lib/r.js': compiled,
        't.ts': "export * from './lib/t';",
        'lib/t.js': compiled,
        'app/server.js': 'run();',
        'build/app/server.js': compiled,
      },
      ['lint'],
    );
    assert.match(out, /checked +6 files\n/);
    assert.doesNotMatch(out, /compiled/);
  });

  it('leaves out large files and binary ones, and the limit is a setting', async () => {
    const large = 'const value = 1;\n'.repeat(70_000);
    const files = { 'large.js': large, 'binary.js': 'a\0b', 'small.js': 'note();' };
    assert.match(
      (await runIn(files, ['lint'])).out,
      /in 1 file \(.*\n +checked +1 file\n +skipped +1 file over the size limit, 1 binary file/s,
    );
    assert.match(
      (await runIn({ ...files, 'nodometer.config.json': '{"maxFileSize": 5}' }, ['lint'])).out,
      /skipped +2 files over the size limit, 1 binary file/,
    );
    assert.match(
      (await runIn({ ...files, 'nodometer.config.json': '{"maxFileSize": 9000000}' }, ['lint'])).out,
      /in 1 file \(.*\n +checked +2 files\n +skipped +1 binary file/s,
    );
  });

  it('goes through deep trees', async () => {
    const name = `${'d/'.repeat(150)}a.js`;
    assert.deepEqual(await list({ [name]: '' }), [name]);
  });
});

describe('path arguments', () => {
  const files = {
    ...GIT,
    '.gitignore': dedent`
      build/
      *.gen.js

    `,
    'a.js': '',
    'src/b.js': '',
    'build/c.js': '',
    'd.gen.js': '',
    'node_modules/x/e.js': '',
    'node_modules/x/node_modules/y/f.js': '',
    'g.min.js': '',
  };

  it('may be files, folders and globs, overlapping', async () => {
    assert.deepEqual(await list(files), ['a.js', 'src/b.js']);
    assert.deepEqual(await list(files, ['src', 'src/b.js', '.', 'a.js']), ['a.js', 'src/b.js']);
    assert.deepEqual(await list(files, ['**/b.js']), ['src/b.js']);
    assert.deepEqual(await list(files, ['*.js']), ['a.js']);
    assert.deepEqual(await list(files, ['src/*.{js,ts}', 'a.js']), ['a.js', 'src/b.js']);
  });

  it('are linted even where git ignores them or in node_modules', async () => {
    assert.deepEqual(await list(files, ['build']), ['build/c.js']);
    assert.deepEqual(await list(files, ['d.gen.js']), ['d.gen.js']);
    assert.deepEqual(await list(files, ['node_modules/x']), ['node_modules/x/e.js'], 'dependencies of the dependency stay out');
    assert.deepEqual(await list(files, ['node_modules/x/node_modules/y']), ['node_modules/x/node_modules/y/f.js']);
  });

  it('that look built, or are no code, are told in a note', async () => {
    const minified = await runIn(files, ['lint', '--list-files', 'g.min.js']);
    assert.equal(minified.out, 'g.min.js\n');
    assert.match(minified.err, /g\.min\.js looks minified; it is linted because it was named explicitly/);
    const { code, out, err } = await runIn({ 'style.css': 'a{}', 'b.js': 'a\0b' }, ['lint', 'style.css', 'b.js']);
    assert.equal(code, 2);
    assert.match(out, /^No files were checked \(/);
    assert.match(err, /Nothing to lint: no JavaScript, TypeScript, or deployment files to check in `style\.css`, `b\.js`\./);
    assert.match(err, /style\.css is skipped because it is not a JavaScript, TypeScript, or deployment file/);
    assert.match(err, /b\.js is skipped because it contains NUL bytes/);
  });

  it('do not override what was told to Nodometer itself', async () => {
    const config = { ...files, 'nodometer.config.json': '{"ignores":["src"]}' };
    const { out, err } = await runIn(config, ['lint', '--list-files', 'src/b.js', 'a.js']);
    assert.equal(out, 'a.js\n');
    assert.match(err, /src\/b\.js is skipped because it matches `ignores` in .*nodometer\.config\.json or --ignore\./);
    assert.deepEqual(await list(config, ['--no-ignore', 'src/b.js']), ['src/b.js']);
  });

  it('may lie outside the working directory', async () => {
    assert.deepEqual((await listIn(files, () => undefined, ['../a.js'], 'src')).files, ['../a.js']);
  });
});

describe('.gitignore', () => {
  it('holds below its folder; nested ones and negations win', async () => {
    assert.deepEqual(
      await list({
        ...GIT,
        '.gitignore': dedent`
          *.gen.js
          /top.js
          out/

        `,
        'a.gen.js': '',
        'top.js': '',
        'sub/top.js': '',
        'out/x.js': '',
        'sub/out/y.js': '',
        'keep/.gitignore': dedent`
          !b.gen.js
          local.js

        `,
        'keep/b.gen.js': '',
        'keep/c.gen.js': '',
        'keep/local.js': '',
        'keep/deep/local.js': '',
        'local.js': '',
      }),
      ['keep/b.gen.js', 'local.js', 'sub/top.js'],
    );
  });

  it('above the start holds too, up to the repository, and .git/info/exclude', async () => {
    const files = {
      ...GIT,
      '.git/info/exclude': 'excluded.js\n',
      '.gitignore': 'a.js\n',
      'x/.gitignore': 'b.js\n',
      'x/y/a.js': '',
      'x/y/b.js': '',
      'x/y/c.js': '',
      'x/y/excluded.js': '',
    };
    assert.deepEqual(await list(files, ['x/y']), ['x/y/c.js']);
    assert.deepEqual((await listIn(files, () => undefined, [], 'x/y')).files, ['c.js']);
    const { '.git/HEAD': _, ...rest } = files;
    const withoutRepository = Object.fromEntries(Object.entries(rest).filter(([name]) => !name.startsWith('.git/')));
    assert.deepEqual(
      await list(withoutRepository, ['x/y']),
      ['x/y/a.js', 'x/y/b.js', 'x/y/c.js', 'x/y/excluded.js'],
      'outside a repository only what is below the start counts',
    );
  });

  it('is found through the .git file of a worktree', async () => {
    const worktree = {
      'main/.git/info/exclude': 'a.js\n',
      'main/.git/worktrees/w/commondir': '../..\n',
      'w/.git': 'gitdir: ../main/.git/worktrees/w\n',
      'w/a.js': '',
      'w/b.js': '',
    };
    assert.deepEqual((await listIn(worktree, () => undefined, [], 'w')).files, ['b.js']);
  });

  it('tells names apart by case where git does', async () => {
    const files = { ...GIT, '.gitignore': 'BUILD.js\n', 'build.js': '' };
    assert.deepEqual(await list(files), ['build.js']);
    assert.equal((await runIn(files, ['lint', '--list-files'], { platform: 'darwin' })).out, '');
  });

  it('can take a node_modules folder back as source', async () => {
    assert.deepEqual(
      await list({
        ...GIT,
        '.gitignore': dedent`
          node_modules
          !packages/node_modules

        `,
        'packages/node_modules/@red/a.js': '',
        'node_modules/x.js': '',
        'packages/node_modules/@red/node_modules/y.js': '',
      }),
      ['packages/node_modules/@red/a.js'],
    );
  });

  it('and `ignores` are not read with --no-ignore, and --ignore still is', async () => {
    const files = {
      ...GIT,
      '.gitignore': 'a.js\n',
      'nodometer.config.json': '{"ignores":["b.js"]}',
      'a.js': '',
      'b.js': '',
      'c.js': '',
      'd/c.js': '',
    };
    assert.deepEqual(await list(files), ['c.js', 'd/c.js']);
    assert.deepEqual(await list(files, ['--no-ignore']), ['a.js', 'b.js', 'c.js', 'd/c.js']);
    assert.deepEqual(await list(files, ['--no-ignore', '--ignore', 'c.js', '--ignore', '/a.js']), ['b.js']);
    assert.deepEqual(await list(files, ['--ignore', 'd/']), ['c.js']);
    assert.match((await runIn(files, ['lint', '--ignore', 'd'])).out, /skipped +1 ignored folder, 2 ignored files/);
  });
});

describe('symbolic links', () => {
  it('in a circle end, and are counted', async () => {
    const { files, err } = await listIn({ 'a/b.js': '' }, (path) => {
      symlinkSync('..', join(path, 'a', 'up'));
      symlinkSync('.', join(path, 'a', 'self'));
      symlinkSync(join(path, 'one'), join(path, 'two'));
      symlinkSync(join(path, 'two'), join(path, 'one'));
    });
    assert.deepEqual(files, ['a/b.js']);
    assert.match(err, /skipped: 2 symbolic links to folders/);
  });

  it('to a file: the file counts once, under its own name', async () => {
    const links = (path: string) => {
      symlinkSync('z.js', join(path, 'a-link.js'));
      mkdirSync(join(path, 'outside'));
      renameSync(join(path, 'far.js'), join(path, 'outside', 'far.js'));
      symlinkSync(join(path, 'outside', 'far.js'), join(path, 'in', 'near.js'));
    };
    assert.deepEqual((await listIn({ 'z.js': '', 'far.js': '', 'in/b.js': '' }, links)).files, ['in/b.js', 'outside/far.js', 'z.js']);
    assert.deepEqual((await listIn({ 'z.js': '', 'far.js': '', 'in/b.js': '' }, links, ['in'])).files, ['in/b.js', 'in/near.js']);
  });

  it('to a file without an ending in a bin folder: it is read if it starts Node', async () => {
    const folder = folderWith({ 'lib/tool': '#!/bin/sh\nif [ 1 ]; then exit; fi', 'lib/www': '#!/usr/bin/env node\nslow()' });
    try {
      mkdirSync(join(folder.path, 'bin'));
      for (const name of ['tool', 'www']) symlinkSync(`../lib/${name}`, join(folder.path, 'bin', name));
      const { out, err } = await run(['lint', '-f', 'json'], { cwd: folder.path });
      assert.deepEqual(
        (JSON.parse(out) as { file: string }[]).map(({ file }) => file),
        [join(folder.path, 'bin', 'www')],
      );
      assert.doesNotMatch(err, /parsed/);
    } finally {
      folder.dispose();
    }
  });

  it('named as an argument is followed', async () => {
    const { files } = await listIn({ 'real/a.js': '' }, (path) => symlinkSync('real', join(path, 'link')), ['link']);
    assert.deepEqual(files, ['link/a.js']);
  });
});

describe('deployment files', () => {
  const start = '{"scripts":{"start":"node server.js"}}';

  async function flagged(files: Readonly<Record<string, string>>, argv: readonly string[] = []): Promise<string[]> {
    const { out } = await runIn(files, ['lint', '-f', 'json', ...argv]);
    return (JSON.parse(out) as { file: string }[]).map(({ file }) => file.replace('<folder>/', ''));
  }

  it('are looked at project by project, with or without JavaScript', async () => {
    assert.deepEqual(
      await flagged({ 'package.json': start, 'a/package.json': start, 'b/package.json': start, 'b/Procfile': 'FLAG=on', 'c/index.js': '' }),
      ['a/package.json', 'package.json'],
    );
  });

  it('are reported only under the paths given, and understood with the rest of their project', async () => {
    const files = { 'package.json': start, 'deploy/Procfile': 'FLAG=on', 'a/package.json': start, 'src/x.js': '' };
    assert.deepEqual(await flagged(files, ['src']), []);
    assert.deepEqual(await flagged(files, ['a']), ['a/package.json']);
    assert.deepEqual(await flagged(files, ['package.json', 'a/package.json']), ['a/package.json'], 'the Procfile beside it was read');
  });

  it('that git ignores are not read', async () => {
    assert.deepEqual(await flagged({ ...GIT, '.gitignore': '.env\n', '.env': 'FLAG=on', 'package.json': start }), ['package.json']);
    assert.deepEqual(await flagged({ ...GIT, '.env': 'FLAG=on', 'package.json': start }), []);
  });

  it('follow the configuration and its overrides', async () => {
    const config = (rules: object) => ({ 'package.json': start, 'a/package.json': start, 'nodometer.config.json': JSON.stringify(rules) });
    assert.deepEqual(await flagged(config({ rules: { 'require-flag': 'off' } })), []);
    assert.deepEqual(await flagged(config({ overrides: [{ files: ['a/**'], rules: { 'require-flag': 'off' } }] })), ['package.json']);
  });
});

describe('a run that finds nothing to lint', () => {
  const nothing = /Nothing to lint: no JavaScript, TypeScript, or deployment files to check in /;

  it('fails, so that a mistyped folder does not pass a build', async () => {
    for (const format of ['stylish', 'json', 'sarif', 'github']) {
      const { code, err } = await runIn({ 'docs/a.md': '# a' }, ['lint', '--format', format, 'docs']);
      assert.equal(code, 2, format);
      assert.match(err, nothing, format);
      assert.match(err, /in `docs`\. To exit with 0 instead of 2, use `--pass-on-no-files`\./, format);
    }
    const here = await runIn({ 'a.md': '' }, ['lint', '--exit-zero']);
    assert.equal(here.code, 2, 'that option is about findings');
    assert.match(here.err, /to check in the current folder\./);
    const ignored = await runIn({ 'src/a.js': '', 'nodometer.config.json': '{"ignores":["src"]}' }, ['lint']);
    assert.equal(ignored.code, 2, 'everything is ignored');
    const noNode = await runIn({ 'bin/tool': '#!/bin/sh\n' }, ['lint']);
    assert.equal(noNode.code, 2, 'a script of another program');
  });

  it('passes where that is asked for, and says so all the same', async () => {
    const { code, out, err } = await runIn({ 'a.md': '' }, ['lint', '--pass-on-no-files']);
    assert.equal(code, 0);
    assert.match(out, /^No files were checked \(/);
    assert.match(err, nothing);
    assert.doesNotMatch(err, /--pass-on-no-files/);
  });

  it('is not one that has a file, of whichever kind', async () => {
    const texts = [
      ['a.js', ''],
      ['a.js', 'let'],
      ['package.json', '{}'],
      ['Dockerfile', 'FROM node\n'],
    ] as const;
    for (const [name, text] of texts) {
      const { code, err } = await runIn({ [name]: text }, ['lint']);
      assert.equal(code, 0, name);
      assert.doesNotMatch(err, nothing, name);
    }
    const { code } = await runIn({ 'package.json': '{}' }, ['lint', '--stdin']);
    assert.equal(code, 0, 'standard input is a file');
  });

  it('is not a machine that the others left no file', async () => {
    assert.equal((await runIn({ 'a.js': '' }, ['lint', '--shard', '3/3'])).code, 0);
    assert.equal((await runIn({ 'package.json': '{}' }, ['lint', '--shard', '2/2'])).code, 0);
    assert.equal((await runIn({ 'a.md': '' }, ['lint', '--shard', '2/2'])).code, 2);
  });
});
