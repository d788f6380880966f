'use strict';
// A computation in each request, in as many processes as `WORKERS` says (docs/sources.md, S17).
const cluster = require('node:cluster');
const { createServer } = require('node:http');

const WORKERS = Number(process.env.WORKERS || 1);
const STEPS = 1_000_000;

function compute() {
  let sum = 0;
  for (let n = 0; n < STEPS; n += 1) sum = (sum * 31 + n) | 0;
  return sum;
}

if (cluster.isPrimary) for (let n = 0; n < WORKERS; n += 1) cluster.fork();
else createServer((_request, response) => response.end(String(compute()))).listen(3000);
