'use strict';
// The same in workers that are started once: one for each processor, each with a queue of its own (docs/sources.md, S9).
const { createServer } = require('node:http');
const { availableParallelism } = require('node:os');
const { Worker, isMainThread, parentPort } = require('node:worker_threads');

function compute() {
  let sum = 0;
  for (let n = 0; n < 5_000_000; n += 1) sum = (sum * 31 + n) | 0;
  return sum;
}

if (isMainThread) {
  const waiting = [];
  const idle = Array.from({ length: availableParallelism() }, () => new Worker(__filename));
  const next = () => {
    while (idle.length > 0 && waiting.length > 0) {
      const [worker, response] = [idle.pop(), waiting.shift()];
      worker.once('message', (sum) => {
        response.end(String(sum));
        idle.push(worker);
        next();
      });
      worker.postMessage('compute');
    }
  };
  createServer((_request, response) => {
    waiting.push(response);
    next();
  }).listen(3000);
} else parentPort.on('message', () => parentPort.postMessage(compute()));
