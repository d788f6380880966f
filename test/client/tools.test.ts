// The tools for language models, without VS Code: what is asked before a run, and the process that answers.
import assert from 'node:assert/strict';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TOOLS } from '../../cli/mcp/tools.ts';
import { questionOf, requestOf } from '../../client/tools/tool-request.ts';
import { ToolProcess, type ToolAnswer } from '../../client/tools/tool-process.ts';
import { AGENT_TOOLS, ALLOW_RUN, type AgentToolName } from '../../protocol/agent-tools.ts';
import { builtIn } from '../built.ts';
import { ROOT } from '../../scripts/generate.ts';
import { english } from './english.ts';

const SHOP = { name: 'shop', path: '/projects/shop' };
const NOTES = { name: 'notes', path: '/projects/notes' };
const SERVER = `const http = require('node:http');
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
module.exports = { hash, write };
`;

describe('tools for language models', () => {
  it('are those of `nodometer mcp`, and their names in the manifest are known to the client', () => {
    const { contributes } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
      contributes: { languageModelTools: { name: string; when: string; inputSchema: { properties: Record<string, unknown> } }[] };
    };
    assert.deepEqual(
      TOOLS.map(({ name, runs }) => [name, runs]),
      Object.entries(AGENT_TOOLS).map(([name, { executesCode }]) => [name, executesCode]),
    );
    assert.deepEqual(
      contributes.languageModelTools.map(({ name, when, inputSchema }) => [name, when, Object.keys(inputSchema.properties)]),
      TOOLS.map(({ name, properties }) => [`nodometer_${name}`, 'isWorkspaceTrusted', [...Object.keys(properties), 'folder']]),
    );
  });

  it('ask before each run, and before nothing else', () => {
    const question = (tool: AgentToolName, input: Record<string, unknown>) => questionOf(tool, input, 'shop', english);
    assert.equal(question('findings', {}), undefined);
    assert.equal(question('explain', { id: 'x' }), undefined);
    assert.equal(question('prove', { cursor: '0123456789abcdef.7800' }), undefined);
    assert.match(
      question('prove', { target: 'a.js:3', call: 'add(1)' })?.message ?? '',
      /will execute a\.js:3, add\(1\) on your machine, repeatedly/,
    );
    assert.match(
      question('compare', { target: 'a.js:3', base: 'HEAD' })?.message ?? '',
      /execute a\.js:3 .* another version of it \(HEAD\)/,
    );
    assert.equal(question('prove', { target: 'a.js:3' })?.title, 'Execute code of shop?');
    assert.ok((question('prove', { target: 'a.js:3', call: 'x'.repeat(4000) })?.message.length ?? Infinity) < 1000);
  });

  it('need the name of a folder where the window has several', () => {
    assert.deepEqual(requestOf({ path: 'lib' }, [SHOP]), { folder: SHOP, args: { path: 'lib' } });
    assert.deepEqual(requestOf({ folder: 'notes', id: 'x' }, [SHOP, NOTES]), { folder: NOTES, args: { id: 'x' } });
    assert.deepEqual(requestOf({}, [SHOP, NOTES]), { problem: 'Specify `folder`: shop, notes.' });
    assert.deepEqual(requestOf({ folder: 'other' }, [SHOP]), { problem: 'There is no such folder. There are: shop.' });
    assert.deepEqual(requestOf({}, []), { problem: 'No folder on a disk is open.' });
  });
});

describe('the process of the tools', () => {
  const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-tools-')));
  const app = join(work, 'app');
  const processes: ToolProcess[] = [];
  const said: string[] = [];
  const processOf = (...args: string[]): ToolProcess => {
    const one = new ToolProcess({
      file: join(work, 'dist', 'agent-tools.js'),
      runtime: process.execPath,
      args: [app, ...args],
      cwd: work,
      log: (message) => said.push(message),
    });
    processes.push(one);
    return one;
  };
  const ask = (from: ToolProcess, tool: AgentToolName, args: object, signal = new AbortController().signal): Promise<ToolAnswer> =>
    from.call(tool, args, signal);

  before(async () => {
    await builtIn(join(work, 'dist'));
    mkdirSync(app);
    writeFileSync(join(app, 'server.js'), SERVER);
    writeFileSync(join(app, 'package.json'), '{"scripts":{"start":"node server.js"}}');
  });
  after(() => {
    for (const one of processes) one.dispose();
    rmSync(work, { recursive: true, force: true });
  });

  it('answers as `nodometer mcp` does, and executes nothing without consent', async () => {
    const tools = processOf();
    const { text, isError } = await ask(tools, 'findings', {});
    assert.equal(isError, false, text);
    const id = /^server\.js:4:10 warning no-sync-in-handler ([0-9a-f]{12}) /m.exec(text)?.[1];
    assert.ok(id, text);
    assert.match((await ask(tools, 'explain', { id })).text, /\nCode:\n(?:.*\n)*> 4 .*pbkdf2Sync/);
    const refused = await ask(tools, 'prove', { target: 'server.js:write', call: 'write("proved")' });
    assert.equal(refused.isError, true);
    assert.match(refused.text, /the user has not allowed that/);
    assert.match((await ask(tools, 'findings', { paths: 'x' })).text, /`findings` has no argument `paths`/);
  });

  it('executes code after consent, which still writes nothing', async () => {
    const tools = processOf(ALLOW_RUN);
    const wrote = await ask(tools, 'prove', { target: 'server.js:write', call: 'write("proved")', seconds: 1 });
    assert.ok(!existsSync(join(app, 'proved')), wrote.text);
    const proved = await ask(tools, 'prove', { target: 'server.js:hash', call: 'hash("a")', seconds: 1 });
    assert.match(proved.text, /\ndone: hash on Node |^done: hash on Node /m);
  });

  it('cancels, tells when it dies, and starts again', async () => {
    const tools = processOf();
    assert.deepEqual(await ask(tools, 'findings', {}, AbortSignal.abort()), { text: 'error: Canceled.', isError: true });
    const asked = ask(tools, 'findings', {});
    tools.dispose();
    await assert.rejects(asked, /Nodometer did not answer/);
    assert.match((await ask(tools, 'findings', {})).text, /\ndone: /);
    const broken = new ToolProcess({
      file: join(work, 'nothing.js'),
      runtime: process.execPath,
      args: [app],
      cwd: work,
      log: (message) => said.push(message),
    });
    await assert.rejects(ask(broken, 'findings', {}), /Nodometer did not answer: exit code 1/);
    assert.match(said.join('\n'), /the process of the tools ended: exit code 1/);
  });

  it('ends when nobody has called for a while', async () => {
    const short = new ToolProcess({
      file: join(work, 'dist', 'agent-tools.js'),
      runtime: process.execPath,
      args: [app],
      cwd: work,
      log: (message) => said.push(message),
      idleMs: 10,
    });
    const first = await ask(short, 'findings', {});
    while (!said.includes('nobody calls the tools: their process ends')) await sleep(10);
    // A new process answers the same.
    assert.deepEqual(await ask(short, 'findings', {}), first);
    short.dispose();
  });
});
