// Small files that ask for an endless amount of work: each is read to its end, or reported as not read after its time.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { parseCompose } from '../../analysis/deployment/compose.ts';
import { imageOf, parseDockerfile, withoutTag } from '../../analysis/deployment/dockerfile.ts';
import { findNodeEnv } from '../../analysis/deployment/env-file.ts';
import { nestingOf } from '../../analysis/deployment/json-tree.ts';
import { parseManifests } from '../../analysis/deployment/kubernetes.ts';
import { parsePm2 } from '../../analysis/deployment/pm2-file.ts';
import { parse } from '../../analysis/module/parse.ts';
import { readProjectLayout } from '../../workspace/project-index/project-layout.ts';
import { EDITOR_LIMIT_MS, FILE_LIMIT_MS, TookTooLong, withinTime, withinTimeUnlessStopped } from '../../workspace/time-limit.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith, runIn } from '../cli/support.ts';
import { uriOf, withServer } from '../lsp/harness.ts';
import { PROJECT } from '../lsp/texts.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

/** What has not ended by then, in ms, hangs on any machine: without bounds none of these ends. Each takes milliseconds. */
const HANGS_MS = 120_000;

function ends<T>(work: () => T): T {
  return withinTime(work, HANGS_MS);
}

describe('small files of endless work are read to their end', () => {
  it('stages that copy from themselves, and from all others', () => {
    const own = dedent`
      FROM node AS a
      COPY --from=a /x /y
      COPY --from=a /y /x
      CMD ["node", "/x/a.js"]

    `;
    const image = ends(() =>
      imageOf(parseDockerfile('/p/Dockerfile', own) as NonNullable<ReturnType<typeof parseDockerfile>>, 0, new Map()),
    );
    assert.equal(image.copies.length, 2);
    const stages = Array.from(
      { length: 40 },
      (_, i) => `FROM node AS s${i}\n${Array.from({ length: i }, (_, j) => `COPY --from=s${j} /x /x\n`).join('')}`,
    ).join('');
    const build = parseDockerfile('/p/Dockerfile', stages) as NonNullable<ReturnType<typeof parseDockerfile>>;
    assert.equal(ends(() => imageOf(build, 39, new Map())).copies.length, 39);
  });

  it('variables of a Dockerfile that are twice as long in each line', () => {
    const lines = Array.from({ length: 40 }, (_, i) => `ENV A${i + 1}=$A${i}$A${i}`);
    const text = ['FROM node', 'ENV A0=long', ...lines, 'ENV NODE_ENV=$A40', 'WORKDIR $A40', 'ENV B=$A3'].join('\n');
    const build = parseDockerfile('/p/Dockerfile', text) as NonNullable<ReturnType<typeof parseDockerfile>>;
    const { env, workdir } = ends(() => imageOf(build, 0, new Map()));
    assert.deepEqual([env.kind, workdir], ['unknown', '/app']);
    const open = parseDockerfile('/p/Dockerfile', `FROM node\nENV A=${'${A:-'.repeat(180_000)}\nENV NODE_ENV=\${A:-production}\n`);
    assert.equal(ends(() => imageOf(open as NonNullable<typeof open>, 0, new Map())).env.kind, 'value');
  });

  it('folders of a Dockerfile that each lie in the one before', () => {
    const steps = Array.from({ length: 20_000 }, (_, i) => `WORKDIR w${i}\nCOPY a b`);
    const build = parseDockerfile('/p/Dockerfile', `FROM node\n${steps.join('\n')}`) as NonNullable<ReturnType<typeof parseDockerfile>>;
    const { copies, workdir } = ends(() => imageOf(build, 0, new Map()));
    assert.match(workdir, /^\/w0\/w1\/w2\//);
    assert.ok(workdir.length <= 4096 && copies.every(({ target }) => target.length <= 4096 + '/b'.length));
  });

  it('services that extend each other over nine files', () => {
    const file = (i: number): string =>
      dedent`
        services:
        ${Array.from({ length: 12 }, (_, s) => `  s${s}:\n    extends:\n      file: c${(i + 1) % 9}.yml\n      service: s${(s + 1) % 12}\n`).join('')}
      `;
    const services = ends(() => parseCompose('/p/c0.yml', file(0), (path) => file(Number(/c(\d)/.exec(path)?.[1]))));
    assert.equal(services.length, 12);
  });

  it('thousands of services that merge the same anchor', () => {
    const one = (i: number): string => `  s${i}:\n    image: node\n    environment:\n      <<: *env\n      A: 1\n`;
    const text = dedent`
      x-env: &env
        NODE_ENV: production
      services:
      ${Array.from({ length: 6000 }, (_, i) => one(i)).join('')}
    `;
    const services = ends(() => parseCompose('/p/a.yml', text, () => undefined));
    assert.equal(services.filter(({ env }) => env?.kind === 'value').length, 6000);
  });

  it('an alias names the last node before it that has the anchor', () => {
    const services = parseCompose(
      '/p/a.yml',
      dedent`
        services:
          a:
            image: &i node
          b:
            image: *i
          c:
            image: &i redis
          d:
            image: *i
          e:
            image: *none

      `,
      () => undefined,
    );
    assert.deepEqual(
      services.map(({ image }) => image),
      ['node', 'node', 'redis', 'redis', undefined],
    );
  });

  it('a service gets what the service in another file says', () => {
    const [service] = parseCompose(
      '/p/a.yml',
      dedent`
        services:
          a:
            extends: { file: b.yml, service: b }

      `,
      () => dedent`
        services:
          c:
            image: redis
          b:
            image: node
            environment:
              NODE_ENV: production

      `,
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
      const { aliases } = ends(() => readProjectLayout([join(folder.path, 'a.ts')]));
      assert.equal(aliases.length, 1);
    } finally {
      folder.dispose();
    }
  });

  it('aliases of aliases, and arrays of arrays, in PM2 files', () => {
    const yaml = dedent`
      a0: &a0 [x, x]
      ${Array.from({ length: 30 }, (_, i) => `a${i + 1}: &a${i + 1} [*a${i}, *a${i}, *a${i}]\n`).join('')}apps:
        - script: a.js

    `;
    ends(() => parsePm2('/p/ecosystem.config.yml', yaml, PROJECT));
    const js = dedent`
      const a0 = ['x'];
      ${Array.from({ length: 8 }, (_, i) => `const a${i + 1} = [${Array.from({ length: 60 }, () => `a${i}`).join(', ')}];\n`).join('')}module.exports = { apps: [{ script: 'a.js', x: a8 }] };

    `;
    ends(() => parsePm2('/p/ecosystem.config.js', js, PROJECT));
    assert.equal(parsePm2('/p/ecosystem.config.js', "module.exports = { apps: [{ script: 'a.js' }] };", PROJECT).length, 1);
  });

  it('our own expressions, on the texts of the review', () => {
    ends(() => nestingOf('"\\'.repeat(450_000)));
    ends(() => parseManifests('/p/a.yml', `${'{{\n'.repeat(300_000)}`, new Map()));
    ends(() => parseDockerfile('/p/Dockerfile', `FROM ${'--'.repeat(450_000)}\n`));
    ends(() => withoutTag(':'.repeat(900_000)));
    ends(() => findNodeEnv(`NODE_ENV=${' '.repeat(900_000)}x`));
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
    // So long a file has more time than the command has here: if it did not hear the signal, it would be killed, without an exit code.
    const filler = '\n'.repeat((1e6 * HANGS_MS) / FILE_LIMIT_MS);
    const { code, err } = await lint(
      { 'app.js': HANDLER, 'named.min.js': 'f();\n', 'bomb.ts': `${BOMBS['bomb.ts']}${filler}` },
      { named: ['bomb.ts'], stopAfterMs: 4000 },
    );
    assert.equal(code, 130, err);
  });

  it('holds up the editor once, and the other files keep their findings', async (context) => {
    // On the thread that answers the editor: the index, which is in this process here, has a thread of its own and another limit.
    let ended = 0;
    const run = vm.Script.prototype.runInContext;
    context.mock.method(vm.Script.prototype, 'runInContext', function (this: vm.Script, ...args: Parameters<typeof run>) {
      try {
        return run.apply(this, args) as unknown;
      } catch (error) {
        const { code } = error as NodeJS.ErrnoException;
        if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT' && args[1]?.timeout === EDITOR_LIMIT_MS) ended++;
        throw error;
      }
    });
    const folder = folderWith({ 'package.json': '{}', 'app.js': HANDLER });
    try {
      await withServer({ folders: [folder.path] }, async (session) => {
        const [bomb, app] = ['bomb.ts', 'app.js'].map((name) => uriOf(join(folder.path, name))) as [string, string];
        await session.open(app, HANDLER);
        await session.open(bomb, BOMBS['bomb.ts'], { languageId: 'typescript' });
        assert.deepEqual(await session.diagnose(bomb), []);
        assert.match(session.statuses.get(bomb)?.reason ?? '', /took too long/);
        assert.equal(ended, 1);
        assert.deepEqual(await session.lenses(bomb), []);
        assert.deepEqual(await session.diagnose(bomb), []);
        assert.equal((await session.diagnose(app)).length, 1);
        // Neither the lenses nor the second question tried again.
        assert.equal(ended, 1);
      })();
    } finally {
      folder.dispose();
    }
  });

  it('is a pattern: it is told and left out, the others hold', async () => {
    const name = `${'a'.repeat(60)}b.js`;
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
  });
});

describe('patterns that are longer than any path', () => {
  // V8 cannot compile what `?` and `*(` become.
  const LONG = ['?'.repeat(70_000), '*('.repeat(30_000)];

  it('are told and left out in a .gitignore, and the others hold', async () => {
    const files = { 'app.js': HANDLER, 'skipped.js': HANDLER, '.gitignore': ['# '.repeat(5000), ...LONG, 'skipped.js'].join('\n') };
    const { code, out, err } = await runIn(files, ['lint', '--list-files', '.']);
    assert.deepEqual([code, out], [0, 'app.js\n'], err);
    assert.match(err, /^nodometer: \S+\.gitignore: its patterns of more than 4,096 characters are not applied\.\n/);
  });

  it('are a mistake in a configuration', async () => {
    for (const config of [{ ignores: LONG }, { overrides: [{ files: LONG, rules: {} }] }]) {
      const { code, err } = await runIn({ 'app.js': HANDLER, 'nodometer.config.json': JSON.stringify(config) }, ['lint', '.']);
      assert.equal(code, 2);
      assert.match(err, /nodometer\.config\.json:1:\d+: a pattern has more than 4,096 characters\./);
    }
  });
});

/** `named`: files to be named beside the folder, as everything with `.min.js` is. */
async function lint(
  files: Readonly<Record<string, string>>,
  { named = [], stopAfterMs }: { named?: readonly string[]; stopAfterMs?: number } = {},
): Promise<{ code: number | null; out: string; err: string }> {
  const folder = folderWith(files);
  const paths = [
    folder.path,
    ...Object.keys(files)
      .filter((name) => name.endsWith('.min.js') || named.includes(name))
      .map((name) => join(folder.path, name)),
  ];
  const child = spawn(process.execPath, [...TYPESCRIPT_FLAGS, join(ROOT, 'cli/main.ts'), 'lint', '--no-color', '--no-cache', ...paths], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: HANGS_MS,
    killSignal: 'SIGKILL',
  });
  try {
    const texts = { out: '', err: '' };
    child.stdout.on('data', (chunk) => (texts.out += String(chunk)));
    child.stderr.on('data', (chunk) => (texts.err += String(chunk)));
    // The note about the file that looks minified says that the command has begun.
    if (stopAfterMs !== undefined) child.stderr.once('data', () => setTimeout(() => child.kill('SIGINT'), stopAfterMs));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, ...texts };
  } finally {
    folder.dispose();
  }
}
