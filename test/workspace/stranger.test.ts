// A stranger's folder that has everything at once: devices, pipes, bombs for every reader, hostile names, and forged evidence. The command
// ends with its findings, and the editor answers.
import { dedent } from '../../analysis/testing/dedent.ts';
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { ROOT } from '../../scripts/generate.ts';
import { uriOf, withServer } from '../lsp/harness.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const HANDLER = `const app = require('express')();
const { load } = require('./lib/load');
app.get('/', (req, res) => res.end(load(req.query.name)));
app.listen(3000);
`;
const LOAD = `const fs = require('node:fs');
exports.load = function load(name) { return fs.readFileSync(name, 'utf8'); };
`;
const HOSTILE = '[a](command:x)\u001b[2J\n::error::x$(sync~spin)\u202e';

const FILES: Readonly<Record<string, string>> = {
  'package.json': JSON.stringify({
    name: HOSTILE,
    main: 'app.js',
    engines: { node: `>=20 || ${HOSTILE}` },
    scripts: { start: `node app.js # ${HOSTILE}` },
    dependencies: { express: '^5.0.0', ...Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`package-${i}`, '*'])) },
  }),
  'app.js': HANDLER,
  'lib/load.js': LOAD,
  [`lib/${HOSTILE}.js`]: LOAD,
  'lib/![t](https:host)[.js': LOAD,
  'bombs/parser.ts': '<T>(a={b:'.repeat(22),
  'bombs/deep.js': `${'['.repeat(20_000)}`,
  'bombs/calls.js': `f${'(f'.repeat(20_000)}`,
  Dockerfile: dedent`
    FROM node AS a
    COPY --from=a /x /y
    COPY --from=a /y /x
    CMD ["node", "/x/app.js"]

  `,
  ...Object.fromEntries(
    Array.from({ length: 9 }, (_, i) => [
      i === 0 ? 'compose.yaml' : `c${i}.yml`,
      dedent`
        services:
        ${Array.from({ length: 12 }, (_, s) => `  s${s}:\n    extends:\n      file: ${(i + 1) % 9 === 0 ? 'compose.yaml' : `c${(i + 1) % 9}.yml`}\n      service: s${(s + 1) % 12}\n`).join('')}
      `,
    ]),
  ),
  'ecosystem.config.js': dedent`
    const a0 = ['x'];
    ${Array.from({ length: 8 }, (_, i) => `const a${i + 1} = [${Array.from({ length: 60 }, () => `a${i}`).join(', ')}];\n`).join('')}module.exports = { apps: [{ script: 'app.js', x: a8 }] };

  `,
  'deploy/manifest.yaml': `${'{{\n'.repeat(100_000)}`,
  'patterns/.gitignore': `${'**/a/'.repeat(12)}\n${'*a'.repeat(25)}\n`,
  [`patterns/${'a/'.repeat(20)}${'a'.repeat(60)}b.js`]: 'f();\n',
  'extends/tsconfig.json': JSON.stringify({ extends: Array.from({ length: 50 }, () => './tsconfig.json') }),
  'extends/a.ts': 'export const a = 1;\n',
  'evidence/package.json': '{}',
  'evidence/.nodometer/evidence.json': JSON.stringify({ version: 1, profiles: [{ file: '../app.js', verdicts: [null] }, null] }),
  'evidence/a.js': 'f();\n',
};
/** Paths that lead to endless files, or to pipes that nobody writes to. */
const ENDLESS = [
  '.gitignore',
  'tsconfig.json',
  'lib/.gitignore',
  'endless/package.json',
  '.nodometer/evidence.json',
  'endless/a.js',
  'Procfile',
];
const PIPES = ['.nvmrc', 'pipes/package.json', 'pipes/jsconfig.json', 'pipes/a.js', 'pipes/Dockerfile', '.env'];
/** A run that has not ended by then hangs, on any machine. */
const HANGS_MS = 240_000;

function strangersFolder(): { path: string; dispose(): void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-stranger-')));
  const at = (name: string): string => {
    mkdirSync(dirname(join(path, name)), { recursive: true });
    return join(path, name);
  };
  for (const [name, text] of Object.entries(FILES)) writeFileSync(at(name), text);
  for (const name of ENDLESS) symlinkSync('/dev/zero', at(name));
  for (const name of PIPES) execFileSync('mkfifo', [at(name)]);
  symlinkSync('/', at('root'));
  symlinkSync('.', at('circle'));
  symlinkSync('/etc/passwd', at('lib/link.js'));
  return { path, dispose: () => rmSync(path, { recursive: true, force: true }) };
}

describe("a stranger's folder", { skip: process.platform === 'win32' && 'Windows has no such files' }, () => {
  it('is linted to its end, with its findings', async () => {
    const folder = strangersFolder();
    try {
      const child = spawn(
        process.execPath,
        [...TYPESCRIPT_FLAGS, join(ROOT, 'cli/main.ts'), 'lint', '--no-color', '--no-cache', folder.path],
        { cwd: ROOT, stdio: ['ignore', 'pipe', 'pipe'], timeout: HANGS_MS, killSignal: 'SIGKILL' },
      );
      const texts = { out: '', err: '' };
      child.stdout.on('data', (chunk) => (texts.out += String(chunk)));
      child.stderr.on('data', (chunk) => (texts.err += String(chunk)));
      const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
      assert.match(texts.out, /load\.js[\s\S]*no-sync-in-handler/, texts.err);
      assert.match(texts.err, /parser\.ts: not read: took too long/);
      assert.doesNotMatch(texts.err, /is a bug/);
      for (const text of Object.values(texts)) assert.doesNotMatch(text, /\u001b|\u202e|^::error/m);
      assert.ok(code === 0 || code === 1, `exit code ${code}`);
    } finally {
      folder.dispose();
    }
  });

  it('is opened in the editor, which answers', async () => {
    const folder = strangersFolder();
    try {
      await withServer({ folders: [folder.path], options: { clientCommands: true, trusted: false } }, async (session) => {
        const load = uriOf(join(folder.path, 'lib/load.js'));
        await session.open(load, LOAD);
        await session.until('the path over files', () => session.refreshes > 1);
        assert.equal((await session.diagnose(load)).length, 1);
        const bomb = uriOf(join(folder.path, 'bombs/parser.ts'));
        await session.open(bomb, FILES['bombs/parser.ts'] ?? '', { languageId: 'typescript' });
        assert.deepEqual(await session.diagnose(bomb), []);
        assert.equal((await session.diagnose(load)).length, 1);
        session.takeErrors();
      })();
    } finally {
      folder.dispose();
    }
  });
});
