'use strict';
// A file is read while four hashes are computed; the answer waits for the file alone (docs/sources.md, S12 and S16).
const { pbkdf2 } = require('node:crypto');
const { readFile } = require('node:fs');
const { createServer } = require('node:http');

const HASHES = 4;
const ITERATIONS = 50_000;

createServer((_request, response) => {
  for (let n = 0; n < HASHES; n += 1) pbkdf2('secret', 'salt', ITERATIONS, 64, 'sha512', () => undefined);
  readFile(__filename, (error, text) => {
    response.statusCode = error ? 500 : 200;
    response.end(text);
  });
}).listen(3000);
