// Named pipes, devices, and files of any size where files of words are expected: a repository can hold them, as links. Each is told, or
// passed over in silence; the other files keep their findings, and nothing waits.
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { closeSync, existsSync, ftruncateSync, mkdirSync, mkdtempSync, openSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { MOST_BYTES, readBytes, readTextFile, targetOutside } from '../../files/read-text-file.ts';
import { findBuilt } from '../../profiler/parse/built-files.ts';
import { builtIn } from '../built.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith } from '../cli/support.ts';
import { uriOf, withServer } from '../lsp/harness.ts';

const HANDLER = `const app = require('express')();
app.get('/', (req, res) => res.end(require('node:fs').readFileSync('a')));
`;
const FILES = { 'app.js': HANDLER };

const MAKE = {
  'a pipe': (path: string) => execFileSync('mkfifo', [path]),
  'a device without end': (path: string) => symlinkSync('/dev/zero', path),
  'a terminal': (path: string) => symlinkSync('/dev/tty', path),
  'a file of the kernel': (path: string) => symlinkSync('/proc/self/mem', path),
  'a link to itself': (path: string) => symlinkSync(path, path),
  'a folder': (path: string) => mkdirSync(path),
  '600 MB': (path: string) => {
    const file = openSync(path, 'w');
    ftruncateSync(file, 600 * 1024 * 1024);
    closeSync(file);
  },
};

const NAMES = [
  '.gitignore',
  'package.json',
  'tsconfig.json',
  'jsconfig.json',
  'lib/base.json',
  '.nvmrc',
  '.tool-versions',
  'pnpm-workspace.yaml',
  'Dockerfile',
  'docker-compose.yml',
  'ecosystem.config.js',
  '.env',
  '.nodometer/evidence.json',
  '.git',
  'other.js',
  'lib/.gitignore',
  'service/.nodometer',
];

/** Far more than a run takes on a busy machine, and far less than for ever. */
const PATIENCE_MS = 60_000;

/** Built once: it starts in a third of the processor time that its sources take. */
let command = '';
const built = mkdtempSync(join(tmpdir(), 'nodometer-special-'));
before(async () => {
  ({ command } = await builtIn(join(built, 'dist')));
});
after(() => rmSync(built, { recursive: true, force: true }));

async function lint(folder: string, ...names: string[]): Promise<{ code: number | null; out: string; err: string }> {
  const paths = names.length === 0 ? [folder] : names.map((name) => join(folder, name));
  const child = spawn(process.execPath, [command, 'lint', '--no-color', '--no-cache', ...paths], {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  const texts = { out: '', err: '' };
  child.stdout.on('data', (chunk) => (texts.out += String(chunk)));
  child.stderr.on('data', (chunk) => (texts.err += String(chunk)));
  const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
  return { code, ...texts };
}

function specialFolder(make: (path: string) => unknown): ReturnType<typeof folderWith> {
  const folder = folderWith({
    ...FILES,
    'lib/tsconfig.json': '{ "extends": "./base.json" }',
    'lib/a.js': 'exports.a = 1;\n',
    'service/package.json': '{}',
    'service/app.js': HANDLER,
  });
  for (const name of NAMES) {
    mkdirSync(dirname(join(folder.path, name)), { recursive: true });
    make(join(folder.path, name));
  }
  return folder;
}

describe('files that are none', { skip: process.platform === 'win32' && 'Windows has no such files' }, () => {
  for (const [what, make] of Object.entries(MAKE)) {
    it(`are told, not read: ${what}`, () => {
      const folder = folderWith({});
      const path = join(folder.path, 'a');
      try {
        make(path);
        const reading = readTextFile(path, MOST_BYTES.settings);
        assert.equal(reading.ok, false);
        assert.match(reading.ok ? '' : reading.why, /^(?:is |cannot be read)/);
      } finally {
        folder.dispose();
      }
    });

    it(`cost no finding of another file: ${what}`, async () => {
      const folder = specialFolder(make);
      try {
        const { code, out, err } = await lint(folder.path);
        assert.match(out, /app\.js[\s\S]*no-sync-in-handler/, err);
        assert.match(out, /service\/app\.js/, err);
        assert.equal(code, 0, err);
        assert.doesNotMatch(err, /bug|^ +at /m);
        make(join(folder.path, 'nodometer.config.json'));
        const broken = await lint(folder.path);
        assert.equal(broken.code, what === 'a link to itself' ? 0 : 2, broken.err);
        if (broken.code === 2) assert.match(broken.err, /^nodometer: The configuration file \S+ (?:is|cannot be read).*\n$/);
      } finally {
        folder.dispose();
      }
    });
  }

  it('do not hold up the server, on opening an untrusted folder', async () => {
    for (const what of ['a pipe', 'a device without end', '600 MB'] as const) {
      const folder = specialFolder(MAKE[what]);
      MAKE[what](join(folder.path, 'nodometer.config.json'));
      try {
        await withServer({ folders: [folder.path], options: { clientCommands: true, trusted: false } }, async (session) => {
          const uri = uriOf(join(folder.path, 'app.js'));
          await session.open(uri, HANDLER);
          assert.equal((await session.diagnose(uri)).length, 1, what);
          assert.ok((await session.lintWorkspace()).findings > 0);
          session.takeErrors();
        })();
      } finally {
        folder.dispose();
      }
    }
  });

  it('are told where their names are no UTF-8, which only Linux has', {
    skip: process.platform !== 'linux' && 'only Linux has such names',
  }, async () => {
    const folder = folderWith(FILES);
    const named = (name: string, ...bytes: number[]) => Buffer.concat([Buffer.from(join(folder.path, name)), Buffer.from(bytes)]);
    try {
      writeFileSync(Buffer.concat([named('bad', 0xff, 0xfe), Buffer.from('.js')]), HANDLER);
      mkdirSync(named('folder', 0xe9));
      const { code, out, err } = await lint(folder.path);
      assert.match(out, /app\.js[\s\S]*no-sync-in-handler/, err);
      assert.match(err, /bad\S+\.js has a name that is not valid UTF-8\./);
      assert.match(err, /folder\S+ has a name that is not valid UTF-8\./);
      assert.equal(code, 0);
    } finally {
      folder.dispose();
    }
  });

  it('are told where they are named', async () => {
    const folder = folderWith(FILES);
    try {
      execFileSync('mkfifo', [join(folder.path, 'pipe.js')]);
      symlinkSync('/dev/zero', join(folder.path, 'zero.js'));
      const { err } = await lint(folder.path, 'pipe.js', 'zero.js', 'app.js');
      assert.match(err, /pipe\.js is not a regular file/);
      assert.match(err, /zero\.js is not a regular file/);
    } finally {
      folder.dispose();
    }
  });

  it('are told where a link leads out of the folder', async () => {
    const [folder, other] = [folderWith(FILES), folderWith(FILES)];
    try {
      symlinkSync(join(other.path, 'app.js'), join(folder.path, 'out.js'));
      symlinkSync('app.js', join(folder.path, 'in.js'));
      const { err } = await lint(folder.path);
      assert.match(err, /out\.js is a link to \S+app\.js, outside of the linted folders\./);
      assert.doesNotMatch(err, /\bin\.js/);
    } finally {
      folder.dispose();
      other.dispose();
    }
  });

  it('are no source maps', () => {
    const folder = folderWith({});
    try {
      symlinkSync('/dev/zero', join(folder.path, 'a.js.map'));
      assert.equal(
        findBuilt(join(folder.path, 'a.js'), 'f();\n//# sourceMappingURL=a.js.map\n', () => true),
        undefined,
      );
      assert.equal(
        findBuilt(join(folder.path, 'a.js'), 'f();\n//# sourceMappingURL=../../../../dev/zero\n', () => true),
        undefined,
      );
    } finally {
      folder.dispose();
    }
  });
});

describe('reading', () => {
  it('gives the whole file, and nothing of a larger one', () => {
    const folder = folderWith({ empty: '', small: 'é', exact: 'x'.repeat(5000) });
    try {
      const at = (name: string) => join(folder.path, name);
      assert.deepEqual(readTextFile(at('empty'), 10), { ok: true, text: '' });
      assert.deepEqual(readTextFile(at('small'), 10), { ok: true, text: 'é' });
      assert.deepEqual(readTextFile(at('exact'), 5000), { ok: true, text: 'x'.repeat(5000) });
      assert.deepEqual(readTextFile(at('exact'), 4999), {
        ok: false,
        problem: 'too-large',
        why: 'is too large (4.9 KB, limit 4.8 KB)',
      });
      assert.deepEqual(readTextFile(at('none'), 10), { ok: false, problem: 'missing', why: 'no longer exists' });
    } finally {
      folder.dispose();
    }
  });

  it('goes by what is read where the size is a lie', { skip: !existsSync('/proc/self/status') && 'no /proc' }, () => {
    const whole = readBytes('/proc/self/status', 64 * 1024);
    assert.ok(whole.ok && whole.bytes.length > 100);
    const cut = readBytes('/proc/self/status', 10);
    assert.equal(cut.ok, false);
  });

  it('knows links that lead out of a folder', () => {
    const folder = folderWith({ 'a/b': '', c: '' });
    try {
      const inside = join(folder.path, 'a');
      symlinkSync('../c', join(inside, 'out'));
      symlinkSync('b', join(inside, 'in'));
      assert.equal(targetOutside(join(inside, 'out'), inside), join(folder.path, 'c'));
      assert.equal(targetOutside(join(inside, 'in'), inside), undefined);
      assert.equal(targetOutside(join(inside, 'none'), inside), undefined);
    } finally {
      folder.dispose();
    }
  });
});
