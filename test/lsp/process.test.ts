// The built server as a process of its own, over standard input and output and over Node's IPC; it ends when its client does.
import assert from 'node:assert/strict';
import { fork, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import {
  createProtocolConnection,
  IPCMessageReader,
  IPCMessageWriter,
  StreamMessageReader,
  StreamMessageWriter,
} from 'vscode-languageserver/node';
import { builtIn } from '../built.ts';
import { folderWith } from '../cli/support.ts';
import { Client, uriOf, vscodeUri } from './harness.ts';
import { HANDLER, HANDLER_PLACES } from './texts.ts';

const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-process-')));
const dist = join(work, 'dist');
const STATEMENT = 'function f(a) { return a.map((b) => b + 1).filter(Boolean); }\n';
const folder = folderWith({
  'package.json': '{}',
  'a.js': HANDLER,
  ...Object.fromEntries(Array.from({ length: 120 }, (_, i) => [`many/f${i}.js`, STATEMENT.repeat(60)])),
});

before(() => builtIn(dist));
after(() => {
  rmSync(work, { recursive: true, force: true });
  folder.dispose();
});

interface Served {
  client: Client;
  child: ChildProcess;
  /** Code and signal, when the process has ended. */
  ended: Promise<unknown[]>;
  stderr(): string;
}

/** The ways to start the server that people and VS Code use. */
const STARTS: Readonly<Record<string, () => Served>> = {
  'nodometer lsp --stdio': () => overStdio(['nodometer.js', 'lsp', '--stdio']),
  'server.js --stdio': () => overStdio(['server.js', '--stdio']),
  'server.js --node-ipc': () => {
    const child = fork(join(dist, 'server.js'), ['--node-ipc'], { cwd: work, stdio: ['ignore', 'pipe', 'pipe', 'ipc'], execArgv: [] });
    return served(child, new Client(createProtocolConnection(new IPCMessageReader(child), new IPCMessageWriter(child))));
  },
};

function overStdio([script = '', ...args]: string[]): Served {
  const child = spawn(process.execPath, [join(dist, script), ...args], { cwd: work, stdio: 'pipe' });
  // A server that has ended reads no more; what is still written to it is nobody's error.
  child.stdin.on('error', () => undefined);
  return served(child, new Client(createProtocolConnection(new StreamMessageReader(child.stdout), new StreamMessageWriter(child.stdin))));
}

function served(child: ChildProcess, client: Client): Served {
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  client.connection.listen();
  return { client, child, ended: once(child, 'exit'), stderr: () => stderr };
}

for (const [name, startIt] of Object.entries(STARTS)) {
  describe(name, () => {
    it('lints documents and the workspace, in threads of its own, and ends when it is told', async () => {
      const { client, ended, stderr } = startIt();
      const { serverInfo } = await client.initialize({ folders: [folder.path], options: { clientCommands: true } });
      assert.equal(serverInfo?.name, 'Nodometer');
      const uri = uriOf(join(folder.path, 'a.js'));
      await client.open(uri, HANDLER);
      const [found] = await client.diagnose(uri);
      assert.deepEqual(await client.places(uri), HANDLER_PLACES);
      assert.equal(found?.codeDescription?.href, vscodeUri(join(dist, 'docs', 'no-sync-in-handler.md')));
      assert.ok((await client.actions(uri, client.rangeOf(uri, 'fs.readFileSync'))).length > 0);
      assert.ok((await client.fixAll(uri, 'suggestion')).made > 0);
      assert.notEqual(await client.hover(uri, client.rangeOf(uri, 'fs.readFileSync').start), null);
      const { files, findings, cancelled } = await client.lintWorkspace({ workDoneToken: 'x' });
      assert.deepEqual([files, findings, cancelled], [122, 1, false]);
      assert.ok(client.progress.some(({ value }) => value.kind === 'report'));
      await client.connection.sendRequest('shutdown');
      await client.connection.sendNotification('exit');
      assert.deepEqual(await ended, [0, null]);
      assert.equal(stderr(), '');
      assert.deepEqual(
        client.logs.filter(({ type }) => type === 1),
        [],
      );
    });

    // What follows is about the transport, which the command has in common with the server's own entry.
    if (name === 'server.js --stdio') return;

    it('ends with 1 when it is told to without a shutdown, in the middle of a run', async () => {
      const { client, ended } = startIt();
      await client.initialize({ folders: [folder.path] });
      void client.lintWorkspace({ workDoneToken: 'x' }).catch(() => undefined);
      await client.until('progress', () => client.progress.some(({ value }) => value.kind === 'report'));
      await client.connection.sendNotification('exit');
      assert.deepEqual(await ended, [1, null]);
    });

    it('ends when the client lets go, in the middle of a run', async () => {
      const { client, child, ended } = startIt();
      await client.initialize({ folders: [folder.path] });
      void client.lintWorkspace({ workDoneToken: 'x' }).catch(() => undefined);
      await client.until('progress', () => client.progress.some(({ value }) => value.kind === 'report'));
      client.connection.dispose();
      if (child.connected) child.disconnect();
      else child.stdin?.end();
      const [code, signal] = await ended;
      assert.deepEqual([code, signal], [1, null]);
    });
  });
}

describe('a message of more bytes than can be read', () => {
  it('ends the server, which would hear nothing any more', async () => {
    const server = spawn(process.execPath, [join(dist, 'nodometer.js'), 'lsp', '--stdio'], { stdio: ['pipe', 'ignore', 'pipe'] });
    let stderr = '';
    server.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { processId: null, rootUri: null, capabilities: {} },
    });
    server.stdin.write(`Content-Length: ${body.length}\r\n\r\n${body}Content-Length: 2000000000\r\n\r\n{"jsonrpc":`);
    const [code] = await once(server, 'close');
    assert.equal(code, 1);
    assert.equal(stderr, 'The client announced a message of 2000000000 bytes, which is more than Node can read. The server ends.\n');
  });
});

describe('a client that is killed', () => {
  it('is noticed by its closed end of the pipe, before standard input is', async () => {
    const server = spawn(process.execPath, [join(dist, 'nodometer.js'), 'lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'pipe'] });
    let stderr = '';
    server.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
    const send = (message: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', ...message });
      server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
    };
    send({
      id: 1,
      method: 'initialize',
      params: { processId: null, rootUri: null, capabilities: {}, workspaceFolders: [{ uri: uriOf(folder.path), name: 'folder' }] },
    });
    send({ method: 'initialized', params: {} });
    send({ id: 2, method: 'nodometer/lintWorkspace', params: { workDoneToken: 'x' } });
    let heard = '';
    for await (const chunk of server.stdout) {
      heard += String(chunk);
      // Leaving the loop lets go of the stream.
      if (heard.includes('"report"')) break;
    }
    const [code, signal] = await once(server, 'close');
    assert.deepEqual([code, signal, stderr], [1, null, '']);
  });

  for (const [transport, entry, ...command] of [
    ['--stdio', 'nodometer.js', 'lsp'],
    ['--node-ipc', 'server.js'],
  ] as const) {
    it(`takes ${[entry, ...command, transport].join(' ')} with it`, async () => {
      const client = spawn(
        process.execPath,
        [fileURLToPath(new URL('./dying-client.mjs', import.meta.url)), uriOf(folder.path), transport, join(dist, entry), ...command],
        { stdio: ['ignore', 'pipe', 'pipe'] },
      );
      let stderr = '';
      client.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
      await once(client.stdout, 'data');
      client.kill('SIGKILL');
      // Standard error is held by the server as well: it is closed when both have ended, threads included.
      await once(client.stderr, 'close');
      assert.deepEqual([client.signalCode, stderr], ['SIGKILL', '']);
    });
  }
});
