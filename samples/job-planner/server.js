'use strict';
// Plans how many jobs of each queue run at once. The planted problem: each queue asks the system for its processors.
const http = require('node:http');
const os = require('node:os');

const QUEUES = Array.from({ length: 60 }, (_, i) => ({ name: `queue ${i + 1}`, jobs: (i * 37) % 50 }));

function rounds({ jobs }) {
  return Math.ceil(jobs / os.cpus().length);
  //                      ^ no-slow-api: each (confirmed)
}

/** @profile GET /plan */
function plan() {
  return QUEUES.map((queue) => `${queue.name}: ${rounds(queue)}`).join('\n');
}

const server = http.createServer((request, response) => {
  response.setHeader('Content-Type', 'text/plain');
  response.end(plan());
});

server.listen(process.env.PORT || 3000);
