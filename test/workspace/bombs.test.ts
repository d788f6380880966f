// Small files that ask for an endless amount of work: each is through in a moment, or is told as not read after its time.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import { parseCompose } from '../../analysis/deployment/compose.ts';
import { imageOf, parseDockerfile, withoutTag } from '../../analysis/deployment/dockerfile.ts';
import { findNodeEnv } from '../../analysis/deployment/env-file.ts';
import { nestingOf } from '../../analysis/deployment/json-tree.ts';
import { parseManifests } from '../../analysis/deployment/kubernetes.ts';
import { parsePm2 } from '../../analysis/deployment/pm2-file.ts';
import { parse } from '../../analysis/module/parse.ts';
import { readProjectLayout } from '../../workspace/project-index/project-layout.ts';
import { TookTooLong, withinTime, withinTimeUnlessStopped } from '../../workspace/time-limit.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith, runIn } from '../cli/support.ts';
import { uriOf, withServer } from '../lsp/harness.ts';
import { PROJECT } from '../lsp/texts.ts';

/** A hundred times what any of these takes on a quiet machine; without bounds none of them ends. */
const MOMENT_MS = 5000;

function soon<T>(work: () => T): T {
  const start = performance.now();
  const result = work();
  const ms = performance.now() - start;
  assert.ok(ms < MOMENT_MS, `${Math.round(ms)} ms`);
  return result;
}

describe('small files of endless work are through in a moment', () => {
  it('stages that copy from themselves, and from all others', () => {
    const own = 'FROM node AS a\nCOPY --from=a /x /y\nCOPY --from=a /y /x\nCMD ["node", "/x/a.js"]\n';
    const image = soon(() =>
      imageOf(parseDockerfile('/p/Dockerfile', own) as NonNullable<ReturnType<typeof parseDockerfile>>, 0, new Map()),
    );
    assert.equal(image.copies.length, 2);
    const stages = Array.from(
      { length: 40 },
      (_, i) => `FROM node AS s${i}\n${Array.from({ length: i }, (_, j) => `COPY --from=s${j} /x /x\n`).join('')}`,
    ).join('');
    const build = parseDockerfile('/p/Dockerfile', stages) as NonNullable<ReturnType<typeof parseDockerfile>>;
    assert.equal(soon(() => imageOf(build, 39, new Map())).copies.length, 39);
  });

  it('services that extend each other over nine files', () => {
    const file = (i: number): string =>
      `services:\n${Array.from({ length: 12 }, (_, s) => `  s${s}:\n    extends:\n      file: c${(i + 1) % 9}.yml\n      service: s${(s + 1) % 12}\n`).join('')}`;
    const services = soon(() => parseCompose('/p/c0.yml', file(0), (path) => file(Number(/c(\d)/.exec(path)?.[1]))));
    assert.equal(services.length, 12);
  });

  it('a service gets what the service in another file says', () => {
    const [service] = parseCompose(
      '/p/a.yml',
      'services:\n  a:\n    extends: { file: b.yml, service: b }\n',
      () => 'services:\n  c:\n    image: redis\n  b:\n    image: node\n    environment:\n      NODE_ENV: production\n',
    );
    assert.equal(service?.image, 'node');
    assert.equal(service?.env?.kind, 'value');
  });

  it('a tsconfig.json that extends itself fifty times', () => {
    const folder = folderWith({
      'tsconfig.json': JSON.stringify({ extends: Array.from({ length: 50 }, () => './tsconfig.json'), compilerOptions: { baseUrl: '.' } }),
      'a.ts': '',
    });
    try {
      const { aliases } = soon(() => readProjectLayout([join(folder.path, 'a.ts')]));
      assert.equal(aliases.length, 1);
    } finally {
      folder.dispose();
    }
  });

  it('aliases of aliases, and arrays of arrays, in PM2 files', () => {
    const yaml = `a0: &a0 [x, x]\n${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n`).join('')}apps:\n  - script: a.js\n`;
    soon(() => parsePm2('/p/ecosystem.config.yml', yaml, PROJECT));
    const js = `const a0 = ['x'];\n${Array.from({ length: 8 }, (_, i) => `const a${i + 1} = [${Array.from({ length: 60 }, () => `a${i}`).join(', ')}];\n`).join('')}module.exports = { apps: [{ script: 'a.js', x: a8 }] };\n`;
    soon(() => parsePm2('/p/ecosystem.config.js', js, PROJECT));
    assert.equal(parsePm2('/p/ecosystem.config.js', "module.exports = { apps: [{ script: 'a.js' }] };", PROJECT).length, 1);
  });

  it('our own expressions, on the texts of the review', () => {
    soon(() => nestingOf('"\\'.repeat(450_000)));
    soon(() => parseManifests('/p/a.yml', `${'{{\n'.repeat(300_000)}`, new Map()));
    soon(() => parseDockerfile('/p/Dockerfile', `FROM ${'--'.repeat(450_000)}\n`));
    soon(() => withoutTag(':'.repeat(900_000)));
    soon(() => findNodeEnv(`NODE_ENV=${' '.repeat(900_000)}x`));
  });

  it('values, and names without tags, are read as before', () => {
    const value = (text: string): string | undefined => findNodeEnv(text)?.value;
    assert.deepEqual(
      ['NODE_ENV=production # as ever', 'NODE_ENV="a b"  # c', "NODE_ENV='x'", 'NODE_ENV=a#b', 'export NODE_ENV = prod  ', 'NODE_ENV='].map(
        value,
      ),
      ['production', 'a b', 'x', 'a', 'prod', ''],
    );
    assert.deepEqual(
      ['node', 'node:24', 'node@sha256:ab', 'node:24@sha256:ab', 'host:5000/a/node', 'host:5000/a/node:24'].map(withoutTag),
      ['node', 'node', 'node', 'node', 'host:5000/a/node', 'host:5000/a/node'],
    );
  });
});

const HANDLER = `const app = require('express')();
app.get('/', (req, res) => res.end(require('node:fs').readFileSync('a')));
`;
/** Babel doubles its work with each level: 22 of them take hours. */
const BOMBS = { 'bomb.ts': '<T>(a={b:'.repeat(22) };

describe('what takes too long', () => {
  it('is ended, and everything else goes on', () => {
    for (const limited of [withinTime, withinTimeUnlessStopped]) {
      assert.equal(
        limited(() => 1 + 1, 1000),
        2,
      );
      assert.throws(() => limited(() => JSON.parse('{'), 1000), SyntaxError);
      assert.throws(
        () =>
          limited(() => {
            for (;;);
          }, 200),
        TookTooLong,
      );
      assert.throws(() => limited(() => /^(a+)+$/.test(`${'a'.repeat(60)}b`), 200), TookTooLong);
      // Neither what catches errors nor what tidies up keeps it alive.
      assert.throws(
        () =>
          limited(() => {
            for (;;)
              try {
                for (;;);
              } catch {}
          }, 200),
        TookTooLong,
      );
      assert.equal(
        limited(() => limited(() => 3, 1000), 1000),
        3,
      );
    }
  });

  it('leaves traces of errors on, which the parser switches off while it works', () => {
    const { stackTraceLimit } = Error;
    assert.ok(stackTraceLimit > 0);
    assert.throws(() => withinTime(() => parse('/p/bomb.ts', BOMBS['bomb.ts']), 200), TookTooLong);
    assert.equal(Error.stackTraceLimit, stackTraceLimit);
  });

  it('is told as not read, and costs no finding of another file', async () => {
    const { code, out, err } = await lint({ 'app.js': HANDLER, ...BOMBS });
    assert.match(out, /app\.js[\s\S]*no-sync-in-handler/, err);
    assert.match(err, /bomb\.ts: not read: took too long \(more than 10 s\)/);
    assert.equal(code, 0);
  });

  it('is ended by Ctrl-C', async () => {
    const { code, ms } = await lint({ 'app.js': HANDLER, 'named.min.js': 'f();\n', ...BOMBS }, 4000);
    assert.equal(code, 130);
    assert.ok(ms < 2000, `${ms} ms after the signal`);
  });

  it('holds up the editor once, and for a moment', async () => {
    const folder = folderWith({ 'package.json': '{}', 'app.js': HANDLER });
    try {
      await withServer({ folders: [folder.path] }, async (session) => {
        const [bomb, app] = ['bomb.ts', 'app.js'].map((name) => uriOf(join(folder.path, name))) as [string, string];
        await session.open(app, HANDLER);
        await session.open(bomb, BOMBS['bomb.ts'], { languageId: 'typescript' });
        assert.deepEqual(await session.diagnose(bomb), []);
        assert.match(session.statuses.get(bomb)?.reason ?? '', /took too long/);
        const start = performance.now();
        assert.deepEqual(await session.lenses(bomb), []);
        assert.deepEqual(await session.diagnose(bomb), []);
        assert.equal((await session.diagnose(app)).length, 1);
        assert.ok(performance.now() - start < 1500, `${performance.now() - start} ms`);
      })();
    } finally {
      folder.dispose();
    }
  });

  it('is a pattern: it is told and left out, the others hold', async () => {
    const name = `${'a'.repeat(60)}b.js`;
    const start = performance.now();
    const overridden = await runIn(
      {
        [name]: 'f();\n',
        'nodometer.config.json': JSON.stringify({
          overrides: [{ files: ['*a'.repeat(25)], rules: {} }],
          ignores: [`${'*a'.repeat(25)}*c`],
        }),
      },
      ['lint', '.'],
    );
    assert.match(overridden.err, /nodometer\.config\.json: the patterns `\*a[^\n]* take too long and are not applied/);
    const deep = `${'a/'.repeat(30)}b.js`;
    const files = Object.fromEntries(
      Array.from({ length: 5 }, (_, i) => [`${'a/'.repeat(i)}.gitignore`, `${'**/a/'.repeat(12)}\nskipped.js\n`]),
    );
    const ignored = await runIn({ ...files, [deep]: 'f();\n', 'skipped.js': 'f();\n' }, ['lint', '.']);
    assert.doesNotMatch(ignored.out, /skipped\.js/);
    assert.ok(performance.now() - start < 30_000);
  });
});

async function lint(
  files: Readonly<Record<string, string>>,
  stopAfterMs?: number,
): Promise<{ code: number | null; out: string; err: string; ms: number }> {
  const folder = folderWith(files);
  const paths = [
    folder.path,
    ...Object.keys(files)
      .filter((name) => name.endsWith('.min.js'))
      .map((name) => join(folder.path, name)),
  ];
  const child = spawn(
    process.execPath,
    ['--import', import.meta.resolve('tsx'), join(ROOT, 'cli/main.ts'), 'lint', '--no-color', '--no-cache', ...paths],
    { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], timeout: 120_000, killSignal: 'SIGKILL' },
  );
  try {
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (texts.out += String(chunk)));
    child.stderr.on('data', (chunk) => (texts.err += String(chunk)));
    let stopped = performance.now();
    // The note about the file that looks minified says that the command has begun.
    if (stopAfterMs !== undefined)
      child.stderr.once('data', () =>
        setTimeout(() => {
          stopped = performance.now();
          child.kill('SIGINT');
        }, stopAfterMs),
      );
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, ...texts, ms: Math.round(performance.now() - stopped) };
  } finally {
    folder.dispose();
  }
}
