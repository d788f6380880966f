'use strict';
// Sums in several processes. The planted problem: one is started for each processor of the machine, whatever a container may use of them.
const cluster = require('node:cluster');
const { createServer } = require('node:http');
const os = require('node:os');

const WORKERS = Number(process.env.WORKERS) || os.cpus().length;
//                                             ^ prefer-available-parallelism: machine (not by a run)

function sum(limit) {
  let total = 0;
  for (let n = 0; n < limit; n += 1) total += n % 7;
  return total;
}

if (cluster.isPrimary) {
  for (let i = 0; i < WORKERS; i++) cluster.fork();
} else {
  createServer((request, response) => {
    response.end(`${sum(Number(request.url.slice(1)) || 1000)}\n`);
  }).listen(process.env.PORT ?? 3000);
}
