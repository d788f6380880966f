'use strict';
// A handler that computes on the thread of the event loop (docs/sources.md, S8).
const { createServer } = require('node:http');

function compute() {
  let sum = 0;
  for (let n = 0; n < 5_000_000; n += 1) sum = (sum * 31 + n) | 0;
  return sum;
}

createServer((_request, response) => response.end(String(compute()))).listen(3000);
