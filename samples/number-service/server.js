'use strict';
const http = require('node:http');
const path = require('node:path');
const { fork } = require('node:child_process');
const { Worker } = require('node:worker_threads');

const SCRIPT = path.join(__dirname, 'double.js');

// Started with the server. It holds the process only while somebody waits for it.
const kept = new Worker(SCRIPT);
kept.unref();

function double(number) {
  return new Promise((resolve) => {
    kept.ref();
    kept.once('message', (answer) => {
      kept.unref();
      resolve(answer);
    });
    kept.postMessage(number);
  });
}

function doubleAnew(number) {
  return new Promise((resolve, reject) => {
    const worker = new Worker(SCRIPT);
    //             ^ no-worker-per-request: thread (confirmed)
    worker.once('error', reject);
    worker.once('message', (answer) => {
      worker.terminate();
      resolve(answer);
    });
    worker.postMessage(number);
  });
}

const running = new Map();

/** One process for each export; it is kept until it is done, and a second request does not start another. */
function startExport(name) {
  if (running.has(name)) return 'running';
  const child = fork(path.join(__dirname, 'export.js'), [name]);
  running.set(name, child);
  child.once('exit', () => running.delete(name));
  return 'started';
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const number = Number(url.searchParams.get('n'));
  if (url.pathname === '/double') response.end(String(await double(number)));
  else if (url.pathname === '/double-anew') response.end(String(await doubleAnew(number)));
  else if (url.pathname === '/export') response.end(startExport('numbers'));
  else response.writeHead(404).end();
});

if (require.main === module) server.listen(process.env.PORT || 3000, () => console.log(`numbers on ${server.address().port}`));

module.exports = { server };
