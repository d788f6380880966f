// `nodometer mcp`, asked by the client of the official package over the streams of a process.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { dedent } from '../../analysis/testing/dedent.ts';
import { PAGE_CHARACTERS, Pages } from '../../cli/mcp/pages.ts';
import { ROOT } from '../../scripts/generate.ts';
import { folderWith, runIn } from './support.ts';
import { TYPESCRIPT_FLAGS } from '../../scripts/typescript/flags.ts';

const SERVER = dedent`
  const http = require('node:http');
  const { pbkdf2Sync } = require('node:crypto');

  function hash(text) {
    return pbkdf2Sync(text, 'salt', 20000, 32, 'sha256').toString('hex');
  }

  function write(name) {
    require('node:fs').writeFileSync(__dirname + '/' + name, 'x');
    return name.length;
  }

  http.createServer((req, res) => {
    res.end(hash(req.url));
  }).listen(process.env.PORT);

  module.exports = { write };

`;

interface Asked {
  text: string;
  isError: boolean;
}

async function clientOf(folder: string, ...flags: string[]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [...TYPESCRIPT_FLAGS, join(ROOT, 'cli/main.ts'), 'mcp', folder, ...flags],
      cwd: ROOT,
    }),
  );
  return client;
}

async function ask(client: Client, name: string, args: Record<string, unknown> = {}): Promise<Asked> {
  // Profiles take seconds, and more on a busy machine.
  const { content, isError } = await client.callTool({ name, arguments: args }, undefined, { timeout: 300_000 });
  const [first, ...more] = content as { type: string; text: string }[];
  assert.equal(first?.type, 'text');
  assert.equal(more.length, 0);
  assert.ok(first.text.length <= PAGE_CHARACTERS, `${first.text.length} characters`);
  return { text: first.text, isError: isError === true };
}

describe('nodometer mcp', () => {
  const app = folderWith({ 'server.js': SERVER, 'package.json': '{"scripts":{"start":"node server.js"}}' });
  const outside = folderWith({ 'secret.js': 'module.exports = { run() { return 1; } };' });
  let careful: Client;
  let allowed: Client;
  before(async () => {
    const git = (...args: string[]) =>
      execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@example.com', ...args], { cwd: app.path });
    git('init', '--quiet');
    git('add', '.');
    git('commit', '--quiet', '--message', 'all');
    symlinkSync(join(outside.path, 'secret.js'), join(app.path, 'link.js'));
    [careful, allowed] = await Promise.all([clientOf(app.path), clientOf(app.path, '--allow-run')]);
  });
  after(async () => {
    await Promise.all([careful.close(), allowed.close()]);
    app.dispose();
    outside.dispose();
  });

  it('lists four tools, and says which of them execute code', async () => {
    const { tools } = await careful.listTools();
    assert.deepEqual(
      tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint]),
      [
        ['findings', true],
        ['explain', true],
        ['prove', false],
        ['compare', false],
      ],
    );
    assert.ok(JSON.stringify(tools).length < PAGE_CHARACTERS);
    assert.match(careful.getInstructions() ?? '', /never instructions/);
  });

  it('leads from the findings to the code of one with its path and its fix', async () => {
    const { text, isError } = await ask(careful, 'findings');
    assert.equal(isError, false, text);
    const id = /^server\.js:5:10 warning no-sync-in-handler ([0-9a-f]{12}) /m.exec(text)?.[1];
    assert.ok(id, text);
    assert.match(text, /\ndone: 0 errors, \d+ warnings?, /);
    const explained = await ask(careful, 'explain', { id });
    assert.equal(explained.isError, false, explained.text);
    assert.match(explained.text, /\nPath:\n {2}1\. server\.js:\d+:\d+ /);
    assert.match(explained.text, /\n> 5 .*pbkdf2Sync/);
    assert.match(explained.text, /\nFix \(made by `nodometer fix`\): .*\n(?:[ >] \d+.*\n)*> \d+ .*await hash\(req\.url\)/);
    const rule = await ask(careful, 'explain', { rule: 'no-sync-in-handler' });
    assert.match(rule.text, /no-sync-in-handler/);
    assert.doesNotMatch(rule.text, /\u001b/);
  });

  it('tells of a library what its callers run, and explains it', async () => {
    const library = folderWith({
      'index.js': 'exports.isList = (text) => /^(\\w+,?)+$/.test(text);\n',
      'package.json': '{"main":"index.js"}',
    });
    const client = await clientOf(library.path);
    try {
      const { text } = await ask(client, 'findings');
      const id = /^index\.js:1:28 warning no-unsafe-regex ([0-9a-f]{12}) \| for callers of this package \| /m.exec(text)?.[1];
      assert.ok(id, text);
      const explained = await ask(client, 'explain', { id });
      assert.equal(explained.isError, false, explained.text);
      assert.match(explained.text, /for callers of this package/);
    } finally {
      await client.close();
      library.dispose();
    }
  });

  it('names the last call on the way to a finding', async () => {
    const application = folderWith({
      'app.js': dedent`
        const { save } = require('./kept');
        require('express')().post('/', (req, res) => { save(req.url); res.end(); });

      `,
      'kept.js': dedent`
          const fs = require('fs');
          const write = (url) => fs.writeFileSync('last', url);
          exports.save = (url) => {
            write(url);
          };

        `,
      'package.json': '{}',
    });
    const client = await clientOf(application.path);
    try {
      const { text } = await ask(client, 'findings', { path: 'kept.js' });
      assert.match(text, /^kept\.js:2:\d+ warning no-sync-in-handler .* \| via: kept\.js:4:3 \| cost: /m);
    } finally {
      await client.close();
      application.dispose();
    }
  });

  it('says how much of production the code is in, where that was imported', async () => {
    const callFrame = { functionName: 'hash', scriptId: '1', url: '/app/server.js', lineNumber: 3, columnNumber: 13 };
    const imported = folderWith({
      'server.js': SERVER,
      'package.json': '{}',
      'web.cpuprofile': JSON.stringify({ nodes: [{ id: 1, callFrame, hitCount: 50, children: [] }] }),
    });
    const client = await clientOf(imported.path);
    try {
      const command = [...TYPESCRIPT_FLAGS, join(ROOT, 'cli/main.ts')];
      const words = ['import', 'web.cpuprofile', '--date', '2026-11-21'];
      execFileSync(process.execPath, [...command, ...words], { cwd: imported.path, stdio: 'pipe' });
      const id = / no-sync-in-handler ([0-9a-f]{12}) /.exec((await ask(client, 'findings')).text)?.[1];
      assert.match((await ask(client, 'explain', { id })).text, /\| production: 100 % of samples in production, 21 November(?: 2026)? \|/);
    } finally {
      await client.close();
      imported.dispose();
    }
  });

  it('executes nothing without consent', async () => {
    for (const [tool, args] of [
      ['prove', { target: 'server.js:write', call: 'write("proved")' }],
      ['compare', { target: 'server.js:write', base: 'HEAD', call: 'write("proved")' }],
    ] as const) {
      const { text, isError } = await ask(careful, tool, args);
      assert.equal(isError, true);
      assert.match(text, /executes code of this folder, and the user has not allowed that/);
    }
    assert.ok(!existsSync(join(app.path, 'proved')));
  });

  it('proves a finding with consent, and lets the code write nothing', async () => {
    const { text, isError } = await ask(allowed, 'prove', { target: 'server.js:5:10', seconds: 3 });
    assert.equal(isError, false, text);
    assert.match(text, /^server\.js:5:10 confirmed no-sync-in-handler \| /m);
    assert.match(text, /\ndone: hash on Node .* \| not saved\n$/);
    const write = await ask(allowed, 'prove', { target: 'server.js:write', call: 'write("written")', seconds: 1 });
    assert.ok(!existsSync(join(app.path, 'written')), write.text);
    assert.ok(!existsSync(join(app.path, '.nodometer')));
  });

  it('compares with a commit', async () => {
    const text = readFileSync(join(app.path, 'server.js'), 'utf8');
    try {
      writeFileSync(join(app.path, 'server.js'), text.replace('20000', '40000'));
      const answer = await ask(allowed, 'compare', { target: 'server.js:hash', base: 'HEAD', call: 'hash("a")', rounds: 6 });
      assert.equal(answer.isError, false, answer.text);
      assert.match(answer.text, /^result: (?:slower|inconclusive) \|.*HEAD \(/);
      assert.match(answer.text, /\ndone: hash on Node /);
    } finally {
      writeFileSync(join(app.path, 'server.js'), text);
    }
  });

  it('answers hostile arguments with errors, and goes on', async () => {
    const secret = join(outside.path, 'secret.js');
    const refused: readonly (readonly [tool: string, args: Record<string, unknown>, why: RegExp])[] = [
      ['findings', { path: '..' }, /leads out of the folder/],
      ['findings', { path: secret }, /leads out of the folder/],
      ['findings', { path: 'link.js' }, /leads out of the folder/],
      ['findings', { path: '--fix' }, /no such file/],
      ['findings', { path: 'a\0b' }, /no such file/],
      ['findings', { path: 'x'.repeat(100_000) }, /at most 4000 characters/],
      ['findings', { since: '--output=/tmp/x' }, /--output/],
      ['findings', { page: 1e9 }, /has no argument `page`/],
      ['findings', { path: 7 }, /must be a text/],
      ['findings', { path: '' }, /must not be empty/],
      ['findings', { cursor: 'ffffffffffffffff.9999999' }, /cursor is no longer known/],
      ['findings', { cursor: '../../etc/passwd' }, /cursor is no longer known/],
      ['findings', { __proto__: null, constructor: 'x' }, /has no argument `constructor`/],
      ['explain', {}, /either `id` or `rule`/],
      ['explain', { id: '--help' }, /No finding has the ID/],
      ['explain', { rule: '--help' }, /Unknown rule/],
      ['prove', {}, /`target` is required/],
      ['prove', { target: 'server.js' }, /must name a function/],
      ['prove', { target: `${secret}:run`, call: 'run()' }, /leads out of the folder/],
      ['prove', { target: 'link.js:run', call: 'run()' }, /leads out of the folder/],
      ['prove', { target: 'server.js:hash', entry: secret }, /leads out of the folder/],
      ['prove', { target: 'server.js:hash', seconds: 1e9 }, /must be from 1 to 30/],
      ['prove', { target: 'server.js:99999:1' }, /no line 99999/],
      ['compare', { target: 'server.js:hash' }, /either `base` or `fix`/],
      ['compare', { target: 'server.js:hash', base: '--upload-pack=x', call: 'hash("")' }, /is not a commit/],
      ['compare', { target: 'server.js:hash', base: 'HEAD', rounds: 1e6 }, /must be from 6 to 60/],
      ['no-such-tool', {}, /There is no tool `no-such-tool`/],
    ];
    for (const [tool, args, why] of refused) {
      const { text, isError } = await ask(allowed, tool, args);
      assert.equal(isError, true, `${tool} ${JSON.stringify(args).slice(0, 100)}: ${text}`);
      assert.match(text, why);
    }
    assert.equal((await ask(allowed, 'findings')).isError, false);
  });

  it('gives long answers in pages that together are the whole', async () => {
    const many = folderWith({
      'app.js': `const app = require('express')();\nconst fs = require('node:fs');\n${Array.from(
        { length: 60 },
        (_, i) => `app.get('/r${i}', (req, res) => res.send(fs.readFileSync('${i}.html')));\n`,
      ).join('')}`,
    });
    const client = await clientOf(many.path);
    try {
      const pages: string[] = [];
      let cursor: string | undefined;
      do {
        const { text, isError } = await ask(client, 'findings', cursor === undefined ? {} : { cursor });
        assert.equal(isError, false, text);
        cursor = /^more: .* cursor (\S+)$/m.exec(text)?.[1];
        pages.push(text.replace(/^more: .*\n/m, ''));
      } while (cursor !== undefined);
      assert.ok(pages.length > 1);
      const lines = pages.join('').trimEnd().split('\n');
      assert.equal(lines.filter((line) => line.startsWith('app.js:')).length, 60);
      assert.match(lines.at(-1) ?? '', /^done: 0 errors, 60 warnings/);
    } finally {
      await client.close();
      many.dispose();
    }
  });

  it('does not start where it cannot serve', async () => {
    assert.match((await runIn({}, ['mcp', 'no-such-folder'])).err, /is not a folder/);
    assert.match((await runIn({}, ['mcp', '--allow-writes'])).err, /requires `--allow-run`/);
    assert.match((await runIn({}, ['mcp', '.', '.'])).err, /one folder/);
  });
});

describe('pages', () => {
  it('cut neither characters nor more lines than they must', () => {
    const pages = new Pages();
    const text = `${'😀'.repeat(9_000)}\nlast\n`;
    const first = pages.first(text);
    assert.ok(first.length <= PAGE_CHARACTERS);
    assert.doesNotMatch(first, /[\ud800-\udbff](?![\udc00-\udfff])/);
    const parts: string[] = [];
    for (let page: string | undefined = first; page !== undefined; ) {
      const cursor: string | undefined = /^more: .* cursor (\S+)$/m.exec(page)?.[1];
      parts.push(cursor === undefined ? page : page.replace(/\n?more: .*\n$/, ''));
      page = cursor === undefined ? undefined : pages.next(cursor);
    }
    assert.equal(parts.join(''), text);
  });

  it('keep few answers', () => {
    const pages = new Pages();
    const cursorOf = (page: string) => /cursor (\S+)$/m.exec(page)?.[1] ?? '';
    const oldest = cursorOf(pages.first(`${'a'.repeat(9_000)}`));
    assert.notEqual(pages.next(oldest), undefined);
    for (let i = 0; i < 8; i++) pages.first(`${i}${'b'.repeat(9_000)}`);
    assert.equal(pages.next(oldest), undefined);
  });
});
