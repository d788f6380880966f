// The .vsix: it holds what runs and nothing else, is small, and what it holds runs on its own.
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createMessageConnection, StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { extensionReadme, picturesOf } from '../../scripts/extension-readme.ts';
import { ROOT, ruleIds } from '../../scripts/generate.ts';
import { makePackage, MAX_BYTES, reachedFrom, type Package } from '../../scripts/package.ts';
import { readVsix, unpack } from '../../scripts/vsix.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-vsix-')));
let made: Package = { file: '', bytes: 0, contents: [] };
let entries: ReadonlyMap<string, Buffer> = new Map();

before(async () => {
  made = await makePackage(join(work, 'out'));
  entries = readVsix(made.file);
});
after(() => rmSync(work, { recursive: true, force: true }));

const text = (path: string): string => {
  const contents = entries.get(`extension/${path}`);
  assert.ok(contents, `${path} is missing`);
  return contents.toString('utf8');
};

describe('the .vsix', () => {
  it('holds these files and no others', () => {
    // Chunks have a name and a hash of their contents.
    const fixed = [...entries.keys()].filter((path) => !/^extension\/dist\/[\w.-]+-[A-Z0-9]{8}\.js$/.test(path)).sort();
    assert.deepEqual(
      fixed,
      [
        '[Content_Types].xml',
        'extension.vsixmanifest',
        'extension/LICENSE.txt',
        'extension/changelog.md',
        'extension/dist/THIRD-PARTY-LICENSES.txt',
        'extension/dist/agent-tools.js',
        'extension/dist/analysis-thread.js',
        ...[...ruleIds(), 'profiling'].map((page) => `extension/dist/docs/${page}.md`).sort(),
        'extension/dist/extension.cjs',
        // Loaded by the Node that is profiled.
        ...readdirSync(join(ROOT, 'profiler', 'harness'))
          .filter((name) => /\.[cm]js$/.test(name))
          .map((name) => `extension/dist/harness/${name}`),
        'extension/dist/index-thread.js',
        'extension/dist/language-client.cjs',
        'extension/dist/late/scslre.cjs',
        'extension/dist/lint-worker.js',
        'extension/dist/profile.cjs',
        'extension/dist/report-style.css',
        'extension/dist/report.js',
        'extension/dist/server.js',
        'extension/images/icon.png',
        ...['configure', 'fix', 'profile', 'warning', 'workspace'].map((step) => `extension/images/walkthrough/${step}.svg`),
        'extension/l10n/bundle.l10n.json',
        'extension/nodometer-evidence.schema.json',
        'extension/nodometer-production.schema.json',
        'extension/nodometer.schema.json',
        'extension/package.json',
        'extension/package.nls.json',
        'extension/readme.md',
        ...['accounts.js', 'package.json', 'pages.js', 'server.js', 'terms.txt'].map((name) => `extension/walkthrough/sample/${name}`),
      ].sort(),
    );
  });

  it('is small', () => {
    assert.ok(made.bytes > 100_000 && made.bytes < MAX_BYTES, `${made.bytes} bytes`);
    assert.ok(made.contents.every(({ bytes }) => bytes > 0));
  });

  it('has the language client apart from what is read at activation', () => {
    assert.ok(!text('dist/extension.cjs').includes('textDocument/didOpen'), 'the library is in the file that VS Code reads first');
    assert.ok(text('dist/language-client.cjs').length > 8 * text('dist/extension.cjs').length);
  });

  it('is refused when it grows too large, or lacks a file that is started', async () => {
    await assert.rejects(makePackage(join(work, 'large'), made.bytes - 1), /bytes, \d+ are allowed/);
    assert.throws(() => reachedFrom(['server.js'], new Map([['extension.cjs', []]])), /the build made no server\.js/);
    assert.deepEqual(
      [
        ...reachedFrom(
          ['a'],
          new Map([
            ['a', ['b']],
            ['b', ['a']],
            ['c', []],
          ]),
        ),
      ],
      ['a', 'b'],
    );
  });

  it('holds everything that its manifest and its code ask for', () => {
    const manifest = text('package.json');
    for (const [, path] of manifest.matchAll(/"(?:\.\/)?((?:dist|images)\/[^"]+\.\w+|nodometer\.schema\.json)"/g)) text(path ?? '');
    const code = [...entries.keys()].filter((path) => /\.c?js$/.test(path));
    assert.ok(code.length > 6);
    for (const path of code) {
      const source = entries.get(path)?.toString('utf8') ?? '';
      for (const [, wanted] of source.matchAll(/(?:\bfrom|\bimport|\bimport\(|\brequire\()\s*"(\.\/[^"]+\.c?js)"/g))
        assert.ok(entries.has(posix.join(posix.dirname(path), wanted ?? '')), `${path} asks for ${wanted ?? ''}`);
      assert.ok(!source.includes(ROOT), `${path} holds the path of the machine that built it`);
    }
  });

  it('has a page without links and pictures that lead nowhere', () => {
    const readme = text('readme.md');
    const { repository } = JSON.parse(text('package.json')) as { repository?: unknown };
    const images = (markdown: string) => [...markdown.matchAll(/<img [^>]*src="([^"]*)"/g)].map(([, src]) => src);
    assert.equal(images(readme).length, picturesOf(repository) === undefined ? 0 : 2);
    const base = picturesOf({ type: 'git', url: 'git+https://github.com/someone/nodometer.git' });
    assert.deepEqual(images(extensionReadme(readFileSync(join(ROOT, 'README.md'), 'utf8'), base)), [
      'https://raw.githubusercontent.com/someone/nodometer/HEAD/images/editor-light.png',
      'https://raw.githubusercontent.com/someone/nodometer/HEAD/images/profile-light.png',
    ]);
    assert.deepEqual([picturesOf(undefined), picturesOf('https://example.org/x')], [undefined, undefined]);
    assert.deepEqual(relativeIn(readme), []);
    assert.deepEqual(relativeIn('[a](docs/a.md) ![b](images/b.png) <img src="c.png"> [d](https://e.f) [g](#h)'), [
      'docs/a.md',
      'images/b.png',
      'c.png',
    ]);
    // What takes a checkout is left out, and nothing else.
    assert.doesNotMatch(readme, /npm |checkout|node dist/);
    for (const heading of ['# Nodometer', '## In the editor', '## Rules', '## Let Node prove it'])
      assert.ok(readme.includes(`${heading}\n`), heading);
    for (const id of ruleIds()) assert.ok(readme.includes(`| ${id} |`), id);
  });

  it('has a manifest without what only npm reads', () => {
    const manifest = JSON.parse(text('package.json')) as Record<string, unknown>;
    for (const field of ['scripts', 'bin', 'dependencies', 'devDependencies', 'browser']) assert.ok(!(field in manifest), field);
    assert.deepEqual(
      [manifest.publisher, manifest.main, (manifest.engines as { vscode: string }).vscode],
      ['nodometer', './dist/extension.cjs', '^1.100.0'],
    );
  });

  it('names the licenses of the packages inside', () => {
    for (const name of ['vscode-languageclient', 'vscode-languageserver', '@babel/parser', 'semver'])
      assert.match(text('dist/THIRD-PARTY-LICENSES.txt'), new RegExp(`^${name} \\d`, 'm'));
  });

  it('holds a server that finds something, away from the project', async () => {
    const folder = join(work, 'installed');
    unpack(entries, folder);
    const server = spawn(process.execPath, [join(folder, 'dist', 'server.js'), '--stdio'], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const ended = new Promise((resolve) => server.on('exit', resolve));
    const connection = createMessageConnection(new StreamMessageReader(server.stdout), new StreamMessageWriter(server.stdin));
    try {
      connection.onRequest(() => null);
      connection.listen();
      await connection.sendRequest('initialize', {
        processId: process.pid,
        rootUri: null,
        capabilities: { textDocument: { diagnostic: {} } },
      });
      await connection.sendNotification('initialized', {});
      const uri = 'untitled:Untitled-1';
      await connection.sendNotification('textDocument/didOpen', {
        textDocument: {
          uri,
          languageId: 'javascript',
          version: 1,
          text: "require('http').createServer((req, res) => res.end(require('fs').readFileSync('page')));",
        },
      });
      const { items } = await connection.sendRequest<{ items: { code: string }[] }>('textDocument/diagnostic', { textDocument: { uri } });
      assert.deepEqual(
        items.map(({ code }) => code),
        ['no-sync-in-handler'],
      );
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      assert.equal(await ended, 0);
    } finally {
      connection.dispose();
      server.kill();
    }
  });
});

/** Links and pictures that VS Code's page cannot follow. */
function relativeIn(markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^)\s]+)\)|\bsrc="([^"]*)"|\bsrcset="([^"]*)"/g)].map(
    ([, ...found]) => found.find(Boolean) ?? '',
  );
  return links.filter((link) => !/^(?:https?:|data:|#)/.test(link));
}
