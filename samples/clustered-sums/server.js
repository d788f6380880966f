'use strict';
// Sums in several processes. The planted problem: one is started for each processor of the machine, whatever a container may use of them.
const cluster = require('node:cluster');
const { createServer } = require('node:http');
const os = require('node:os');

/** @profile startWorkers(0) */
function startWorkers(wanted) {
  const count = wanted ?? os.cpus().length;
  //                      ^ prefer-available-parallelism: machine (inconclusive)
  for (let i = 0; i < count; i++) cluster.fork();
}

function sum(limit) {
  let total = 0;
  for (let n = 0; n < limit; n += 1) total += n % 7;
  return total;
}

if (require.main === module) {
  if (cluster.isPrimary) startWorkers(process.env.WORKERS);
  else
    createServer((request, response) => {
      response.end(`${sum(Number(request.url.slice(1)) || 1000)}\n`);
    }).listen(process.env.PORT ?? 3000);
}

module.exports = { startWorkers };
