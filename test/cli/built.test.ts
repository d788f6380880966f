// The built command as its users get it: packed, installed elsewhere, run as a process of its own.
import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { build } from '../../scripts/build.ts';
import { withoutRelativeLinks } from '../../scripts/extension-readme.ts';
import { ROOT, ruleIds } from '../../scripts/generate.ts';
import { QUICK_LIMIT_MS } from '../../workspace/time-limit.ts';
import { folderWith } from './support.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-built-')));
let command = '';
/** More than any report of these tests; spawnSync itself stops at 1 MB. */
const MAX_OUTPUT = 64 * 1024 * 1024;

interface Ran {
  code: number | null;
  out: string;
  err: string;
}

function nodometer(argv: readonly string[], cwd: string, input = ''): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...argv], {
    cwd,
    input,
    encoding: 'utf8',
    env: { PATH: process.env.PATH },
    maxBuffer: MAX_OUTPUT,
  });
  return { code: status, out: stdout, err: stderr };
}

before(async () => {
  // Outside the project, so that nothing is found there by chance.
  ({ command } = await build(join(work, 'dist')));
});
after(() => rmSync(work, { recursive: true, force: true }));

describe('the built command', () => {
  it('knows its version without loading a rule', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
    assert.deepEqual(nodometer(['--version'], work), { code: 0, out: `${version}\n`, err: '' });
    const { stderr } = spawnSync(process.execPath, [command, '--version'], {
      encoding: 'utf8',
      env: { ...process.env, NODE_DEBUG: 'esm' },
    });
    const loaded = new Set(stderr.match(/[\w-]+\.js(?=[^/]*$)/gm) ?? []);
    assert.ok(![...loaded].some((name) => name.startsWith('rules-') || name.startsWith('lint-')), [...loaded].join(' '));
  });

  it('can be started by its own name and has no link to the sources', () => {
    assert.match(readFileSync(command, 'utf8'), /^#!\/usr\/bin\/env node\n/);
    assert.equal(statSync(command).mode & 0o111, 0o111);
    for (const name of readdirSync(join(work, 'dist')).filter((one) => one.endsWith('.js'))) {
      assert.ok(!readFileSync(join(work, 'dist', name), 'utf8').includes(ROOT), `${name} holds the path of the machine that built it`);
    }
  });

  it('keeps its findings where the machine is so slow that loading what judges expressions takes longer than a first look at a file', () => {
    const folder = folderWith({
      'package.json': '{}',
      'app.js': dedent`
        const app = require('express')();
        app.get('/search', (req, res) => res.json(/^(a+)+$/.test(req.query.q)));

      `,
    });
    const slow = join(work, 'slow');
    cpSync(join(work, 'dist'), slow, { recursive: true });
    const late = join(slow, 'late', 'scslre.cjs');
    const lint = (): string => {
      const { stdout, stderr } = spawnSync(process.execPath, [join(slow, 'nodometer.js'), 'lint', '--no-cache', '--format', 'json'], {
        cwd: folder.path,
        encoding: 'utf8',
      });
      assert.equal(stderr, '');
      return stdout;
    };
    try {
      const expected = lint();
      assert.match(expected, /"ruleId": "no-unsafe-regex"/);
      const wait = `for (const end = Date.now() + ${QUICK_LIMIT_MS + 200}; Date.now() < end; );`;
      writeFileSync(late, `${wait}${readFileSync(late, 'utf8')}`);
      assert.equal(lint(), expected);
    } finally {
      folder.dispose();
    }
  });

  it('lints, with exit codes, and reads its configuration', () => {
    const folder = folderWith({ 'a.js': 'foo(', 'b.js': 'ok();', 'package.json': '{"engines":{"node":">=20"}}' });
    try {
      const { code, out, err } = nodometer(['lint'], folder.path);
      assert.equal(code, 0);
      assert.match(out, /No problems found \(.*\n +checked +2 files, 1 deployment file\n/);
      assert.match(err, /a\.js:1:5: could not be parsed/);
      assert.equal(nodometer(['lint', '--stdin'], folder.path, 'ok()').code, 0);
      writeFileSync(
        join(folder.path, 'nodometer.config.json'),
        '{"rules":{"no-such-rule":"off"},"overrides":[{"files":["*.js"],"rules":{}}]}',
      );
      const broken = nodometer(['lint'], folder.path);
      assert.equal(broken.code, 2);
      assert.match(broken.err, /nodometer\.config\.json:1:11: unknown rule `no-such-rule`/);
      writeFileSync(join(folder.path, 'nodometer.config.json'), '{"overrides":[{"files":["*.js"],"rules":{}}]}');
      for (const format of ['stylish', 'json', 'sarif', 'github', 'gitlab', 'junit', 'markdown'])
        assert.equal(nodometer(['lint', '--format', format, '*.js'], folder.path).code, 0, format);
    } finally {
      folder.dispose();
    }
  });

  it('lists and explains every rule', () => {
    const ids = (JSON.parse(nodometer(['rules', '--format', 'json'], work).out) as { id: string }[]).map(({ id }) => id);
    for (const id of ids) {
      const { code, out } = nodometer(['explain', id], work);
      assert.equal(code, 0);
      assert.match(out, new RegExp(`^${id}\n`));
      if (existsSync(join(ROOT, 'rules', id, 'README.md')))
        assert.equal(
          (JSON.parse(nodometer(['explain', '-f', 'json', id], work).out) as { documentation: string }).documentation,
          withoutRelativeLinks(readFileSync(join(ROOT, 'rules', id, 'README.md'), 'utf8')),
        );
    }
    assert.deepEqual(
      readdirSync(join(work, 'dist', 'docs')).sort(),
      // Findings of runs link to the page on profiles.
      [...ruleIds().filter((id) => existsSync(join(ROOT, 'rules', id, 'README.md'))), 'profiling'].sort().map((id) => `${id}.md`),
    );
  });

  it('ends with 2, not with 1, where an error of its own comes out of a callback', () => {
    // Findings end a command with 1.
    const late = "process.stdout.write = () => setImmediate(() => { throw new TypeError('late \\u001b[2J'); });";
    const preload = `data:text/javascript,${encodeURIComponent(late)}`;
    const { status, stderr } = spawnSync(process.execPath, ['--import', preload, command, '--version'], { encoding: 'utf8' });
    assert.equal(status, 2);
    assert.match(stderr, /^nodometer: internal error\. This is a bug in Nodometer; please report it\.\nTypeError: late \\u001b\[2J\n/);
  });

  it('ends quietly when its reader has gone', async () => {
    const folder = folderWith(
      Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`f${i}.js`, '// nodometer-disable-line\n'.repeat(400)])),
    );
    try {
      const child = spawn(process.execPath, [command, 'lint'], { cwd: folder.path });
      let err = '';
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      child.stdout.once('data', () => child.stdout.destroy());
      await new Promise((resolve) => child.once('close', resolve));
      assert.equal(err, '');
    } finally {
      folder.dispose();
    }
  });

  it('gives the whole of a long report to a slow reader', () => {
    const folder = folderWith({ 'a.js': '// nodometer-disable-line\n'.repeat(5000) });
    try {
      const { out } = nodometer(['lint', '-f', 'json'], folder.path);
      assert.equal((JSON.parse(out) as unknown[]).length, 5000);
    } finally {
      folder.dispose();
    }
  });

  it('stops with 130 on Ctrl-C, without half a report', { skip: process.platform === 'win32' ? 'no SIGINT to send' : false }, async () => {
    const statement = 'function f(a) { return a.map((b) => b + 1).filter(Boolean); }\n';
    const folder = folderWith(
      Object.fromEntries(Array.from({ length: 400 }, (_, i) => [i === 0 ? 'named.min.js' : `f${i}.js`, statement.repeat(700)])),
    );
    try {
      const child = spawn(process.execPath, [command, 'lint', '.', 'named.min.js'], { cwd: folder.path });
      let out = '';
      let err = '';
      child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
      child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
      // The note about the file that looks minified comes before the first file is linted; 400 files then take seconds.
      child.stderr.once('data', () => child.kill('SIGINT'));
      const code = await new Promise((resolve) => child.once('close', resolve));
      assert.deepEqual({ code, out }, { code: 130, out: '' });
      assert.match(err, /interrupted; no report was written/);
    } finally {
      folder.dispose();
    }
  });

  it('sends load with its own generator, from which the command line of autocannon is left out', () => {
    const folder = folderWith({
      'app.js': dedent`
        const { createServer } = require('node:http');
        createServer((request, response) => response.end(request.url)).listen(process.env.PORT || 0);
      `,
    });
    try {
      const argv = ['load', '--yes', '--entry', 'app.js', '--route', 'GET /', '--duration', '1', '--format', 'json'];
      const { code, out, err } = nodometer(argv, folder.path);
      assert.equal(code, 0, err);
      const { traffic } = JSON.parse(out) as { traffic: { answered: number; statuses: Record<string, number> } };
      assert.ok(traffic.answered > 0, out);
      assert.deepEqual(traffic.statuses, { 200: traffic.answered });
    } finally {
      folder.dispose();
    }
  });
});

describe('the package', () => {
  it('holds the command, its chunks, the documentation, the licenses and the schema, and runs without dependencies', () => {
    const target = join(work, 'packed');
    const pack = join(work, 'pack');
    mkdirSync(target);
    mkdirSync(join(pack, 'dist'), { recursive: true });
    for (const name of ['package.json', 'nodometer.schema.json', 'nodometer-evidence.schema.json', 'nodometer-production.schema.json'])
      writeFileSync(join(pack, name), readFileSync(join(ROOT, name)));
    spawnSync('cp', ['-r', join(work, 'dist'), pack]);
    const { stdout, stderr, status } = spawnSync('npm', ['pack', '--ignore-scripts', '--json', '--pack-destination', target], {
      cwd: pack,
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    const [packed] = JSON.parse(stdout) as { filename: string; files: { path: string }[] }[];
    const paths = packed?.files.map((file) => file.path) ?? [];
    for (const path of [
      'dist/nodometer.js',
      'dist/THIRD-PARTY-LICENSES.txt',
      'nodometer.schema.json',
      'nodometer-evidence.schema.json',
      'nodometer-production.schema.json',
      'package.json',
    ])
      assert.ok(paths.includes(path), `${path} is missing`);
    assert.deepEqual(
      paths.filter((path) => path.endsWith('.cjs') && !/^dist\/(?:harness|late)\//.test(path)),
      [],
      'the extension is for VS Code only',
    );
    assert.deepEqual(
      paths.filter((path) => /\.ts$|^(?:cli|rules|test)\//.test(path)),
      [],
    );
    spawnSync('tar', ['xzf', join(target, packed?.filename ?? ''), '-C', target]);
    const manifest = JSON.parse(readFileSync(join(target, 'package', 'package.json'), 'utf8')) as Record<string, unknown>;
    const installsNothing = ['dependencies', 'optionalDependencies', 'peerDependencies', 'bundleDependencies'];
    assert.deepEqual(
      installsNothing.filter((field) => field in manifest),
      [],
      'everything is bundled: npm would install it once more',
    );
    const installed = join(target, 'package', 'dist', 'nodometer.js');
    const { stdout: rules, status: ran } = spawnSync(process.execPath, [installed, 'rules'], { cwd: target, encoding: 'utf8' });
    assert.equal(ran, 0);
    assert.match(rules, /^Rule/);
    // What is read only when a regular expression is to be judged came along.
    writeFileSync(
      join(target, 'app.js'),
      dedent`
        const app = require('express')();
        app.get('/', (req, res) => res.send(/^(a+)+$/.test(req.query.q)));

      `,
    );
    assert.match(spawnSync(process.execPath, [installed, 'lint', 'app.js'], { cwd: target, encoding: 'utf8' }).stdout, /no-unsafe-regex/);
  });
});
