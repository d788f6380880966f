'use strict';
// The same in a worker for each request (docs/sources.md, S8).
const { createServer } = require('node:http');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

function compute() {
  let sum = 0;
  for (let n = 0; n < 5_000_000; n += 1) sum = (sum * 31 + n) | 0;
  return sum;
}

if (isMainThread)
  createServer((_request, response) => {
    new Worker(__filename).once('message', (sum) => response.end(String(sum)));
  }).listen(3000);
else parentPort.postMessage(compute());
