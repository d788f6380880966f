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

/** @profile GET /double-anew?n=21 */
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

/**
 * Meant to slow a client down that asks too often; it slows all of them down.
 * @profile GET /again
 */
async function penalise(ms) {
  const end = Date.now() + ms;
  while (Date.now() < end);
  // @3 no-blocking-loop: waits (confirmed)
}

/** @profile GET /prime?n=1000000000000037 */
function isPrime(number) {
  if (number < 2) return false;
  for (let divisor = 2; divisor <= Math.sqrt(number); divisor++) {
    // @3 no-blocking-loop: requested (confirmed)
    if (number % divisor === 0) return false;
  }
  return true;
}

/** @profile GET /marked?text=00000000000000000000000000 */
function isMarked(text) {
  return /^([0-9]+)+!$/.test(text);
  //     ^ no-unsafe-regex: exponential (confirmed)
}

/** @profile POST /threads?n=8 */
function resizePool(threads) {
  process.env.UV_THREADPOOL_SIZE = String(threads);
  // @3 no-late-threadpool-size: function (seen)
}

const MOST = 1000;

function sumTo(number) {
  let sum = 0;
  // Nobody can ask for more than a thousand rounds.
  for (let i = 1; i <= Math.min(number, MOST); i++) sum += i;
  return sum;
}

const server = http.createServer(async (request, response) => {
  const url = new URL(request.url, 'http://localhost');
  const number = Number(url.searchParams.get('n'));
  if (url.pathname === '/double') response.end(String(await double(number)));
  else if (url.pathname === '/double-anew') response.end(String(await doubleAnew(number)));
  else if (url.pathname === '/sum') response.end(String(sumTo(number)));
  else if (url.pathname === '/marked') response.end(String(isMarked(url.searchParams.get('text'))));
  else if (url.pathname === '/prime') response.end(String(isPrime(number)));
  else if (url.pathname === '/threads' && request.method === 'POST') {
    resizePool(number);
    response.end('resized');
  } else if (url.pathname === '/again') {
    await penalise(50);
    response.writeHead(429).end();
  } else if (url.pathname === '/export') response.end(startExport('numbers'));
  else response.writeHead(404).end();
});

if (require.main === module) server.listen(process.env.PORT || 3000, () => console.log(`numbers on ${server.address().port}`));

module.exports = { server };
