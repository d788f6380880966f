// An editor for one test: starts the server given, has it lint a folder, and says so. It is then killed by the test.
// The server's standard error is this process's own, so that its end is seen by who holds the other end.
import { fork, spawn } from 'node:child_process';

const [, , folder, transport, entry, ...command] = process.argv;
const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  // Without its process id: the server has to notice by itself.
  params: { processId: null, rootUri: null, capabilities: {}, workspaceFolders: [{ uri: folder, name: 'folder' }] },
};
const messages = [
  initialize,
  { jsonrpc: '2.0', method: 'initialized', params: {} },
  { jsonrpc: '2.0', id: 2, method: 'nodometer/lintWorkspace', params: { workDoneToken: 'x' } },
];

function heard(text) {
  if (text.includes('"report"')) process.stdout.write('linting\n');
}

if (transport === '--node-ipc') {
  const server = fork(entry, [transport], { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  server.on('message', (message) => heard(JSON.stringify(message)));
  for (const message of messages) server.send(message);
} else {
  const server = spawn(process.execPath, [entry, ...command, transport], { stdio: ['pipe', 'pipe', 'inherit'] });
  server.stdout.on('data', (chunk) => heard(chunk.toString()));
  for (const message of messages) {
    const body = JSON.stringify(message);
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  }
}
