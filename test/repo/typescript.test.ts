// How tests and the commands that they start run TypeScript: `scripts/typescript/`, tried in a project of its own.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { ROOT } from '../../scripts/generate.ts';

describe('TypeScript of the project', () => {
  const project = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-typescript-')));
  const store = join(project, '.cache', 'compiled');
  after(() => rmSync(project, { recursive: true, force: true }));
  const write = (name: string, text: string): void => writeFileSync(join(project, name), text);
  mkdirSync(join(project, 'scripts', 'typescript'), { recursive: true });
  for (const name of ['compiled.mjs', 'hooks.mjs', 'register.mjs'])
    cpSync(join(ROOT, 'scripts', 'typescript', name), join(project, 'scripts', 'typescript', name));
  symlinkSync(join(ROOT, 'node_modules'), join(project, 'node_modules'), 'junction');
  write('package.json', '{ "type": "module" }');
  write(
    'shape.ts',
    dedent`
    export interface Shape { size: number }
    export const sizeOf = (shape: Shape): number => shape.size;

  `,
  );
  write(
    'main.ts',
    dedent`
    import { sizeOf, type Shape } from './shape.ts';
    const shape: Shape = { size: 2 };
    console.log(sizeOf(shape));

  `,
  );

  const run = (file: string): Promise<{ out: string; err: string; code: number }> =>
    new Promise((resolve) => {
      const register = join(project, 'scripts', 'typescript', 'register.mjs');
      execFile(process.execPath, ['--import', register, join(project, file)], { cwd: project }, (error, out, err) =>
        resolve({ out, err, code: error ? Number(error.code) : 0 }),
      );
    });

  it('is compiled by several processes at once', async () => {
    const runs = await Promise.all([1, 2, 3, 4].map(() => run('main.ts')));
    for (const { out, err } of runs) assert.deepEqual({ out, err }, { out: '2\n', err: '' });
    // Both files, and nothing half-written.
    assert.deepEqual(
      readdirSync(store).map((name) => name.replace(/^[0-9a-f]{40}/, 'key')),
      ['key.mjs', 'key.mjs'],
    );
  });

  it('is known by its content, whatever its date', async () => {
    write(
      'shape.ts',
      dedent`
      export interface Shape { size: number }
      export const sizeOf = (shape: Shape): number => shape.size + 1;

    `,
    );
    utimesSync(join(project, 'shape.ts'), new Date(0), new Date(0));
    assert.equal((await run('main.ts')).out, '3\n');
    // One file more; what was there is not written again.
    assert.equal(readdirSync(store).length, 3);
  });

  it('is taken from the store', async () => {
    for (const name of readdirSync(store)) {
      const text = readFileSync(join(store, name), 'utf8');
      writeFileSync(join(store, name), text.replace('shape.size + 1', 'shape.size + 40'));
    }
    assert.equal((await run('main.ts')).out, '42\n');
  });

  it('leaves nothing behind that is old and of no file', async () => {
    const old = join(store, `${'0'.repeat(40)}.mjs`);
    writeFileSync(old, '');
    utimesSync(old, new Date(0), new Date(0));
    write('more.ts', 'export const more: number = 1;\n');
    await run('more.ts');
    assert.ok(!readdirSync(store).includes(`${'0'.repeat(40)}.mjs`));
    assert.equal(readdirSync(store).length, 4);
  });

  it('names the place in the source', async () => {
    write(
      'throws.ts',
      dedent`
        // A comment.

        interface None {
          a: 1;
        }
        export const none: None | undefined = undefined;

        throw new Error("here");

      `,
    );
    assert.match((await run('throws.ts')).err, /Error: here\n\s+at .*throws\.ts:8:7/);
  });

  it('runs beside a file that is broken, which is named when it is loaded', async () => {
    write('broken.ts', 'const a: = 1;\n');
    write('fine.ts', "const fine: string = 'fine';\nconsole.log(fine);\n");
    const count = readdirSync(store).length;
    assert.equal((await run('fine.ts')).out, 'fine\n');
    assert.equal(readdirSync(store).length, count + 1);
    assert.match((await run('broken.ts')).err, /broken\.ts:1:9: ERROR/);
    write('asks.ts', "import './nothing.ts';\n");
    assert.match((await run('asks.ts')).err, /Cannot find module .*nothing\.ts' imported from .*asks\.ts/);
  });
});

describe('a test that fails', () => {
  it('is shown where it stands in the source', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'nodometer-lane-'));
    try {
      const file = join(folder, 'fails.test.ts');
      writeFileSync(
        file,
        dedent`
          import assert from 'node:assert/strict';
          import { it } from 'node:test';

          interface A {
            a: number;
          }

          it('fails', () => {
            const one: A = { a: 1 };
            assert.equal(one.a, 2);
          });

        `,
      );
      const { NODE_TEST_CONTEXT: _, ...env } = process.env;
      const args = ['--import', './scripts/typescript/register.mjs', 'scripts/test-lane.ts', '1', file];
      const out = await new Promise<string>((resolve) =>
        execFile(process.execPath, args, { cwd: ROOT, env }, (_error, text) => resolve(text)),
      );
      assert.match(out, /test at .*fails\.test\.ts:8:1\n/);
      assert.match(out, /at .*fails\.test\.ts:10:10\)/);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
