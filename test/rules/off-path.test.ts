// Predictions about V8 in code to which no request, message, or job leads, although some lead to its package, are not reported.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf, type Files } from './whole-project.ts';

const SERVER = `
const app = require('express')();
const { clean } = require('./clean');
app.post('/rows', (req, res) => res.json(clean(req.body.rows)));
app.listen(3000);
`;

const OTHER_SERVER = `
const app = require('express')();
app.get('/', (req, res) => res.send('ok'));
app.listen(3000);
`;

const CLEAN = `
exports.clean = function clean(rows) {
  for (const row of rows) delete row.secret;
  return rows;
};
`;

const PROBE = `
exports.clean = function clean(rows) {
  const urls = [];
  for (const row of rows) {
    try {
      new URL(row.url);
      urls.push(row.url);
    } catch {
      continue;
    }
  }
  return urls;
};
`;

const LONG = `
exports.run = function run() {
  let sum = 0;
  for (let i = 0; i < 100000; i++) {
    const point = { a: i, b: 1 };
    delete point.a;
    sum += point.b;
  }
  return sum;
};
`;

const AT_THE_TOP = `
import { createInterface } from 'node:readline';
const urls = [];
for await (const line of createInterface({ input: process.stdin })) {
  try {
    new URL(line);
    urls.push(line);
  } catch {
    continue;
  }
}
console.log(urls);
`;

const found = (files: Files): string[] =>
  findingsOf(['no-unstable-shape', 'no-throw-in-hot-path'], files).map(
    ({ messageId, file }) => `${messageId} ${file.replace(/^.*\//, '')}`,
  );

const STARVES = `
exports.clean = async function clean(rows) {
  for (let i = 0; i < rows.length; i++) await Promise.resolve();
};
`;

describe('code off request paths', () => {
  for (const [name, files, expected] of [
    ['a loop that starves, where a request leads', { 'server.js': SERVER, 'clean.js': STARVES }, ['warning', true]],
    ['where no request leads', { 'server.js': OTHER_SERVER, 'clean.js': STARVES }, ['hint', false]],
    ['in a project without entry points', { 'clean.js': STARVES }, ['warning', true]],
  ] as const satisfies readonly (readonly [string, Files, readonly [string, boolean]])[])
    it(name, () => {
      assert.deepEqual(
        findingsOf(['no-microtask-starvation'], files).map(({ severity, fixes }) => [severity, fixes.length > 0]),
        [expected],
      );
    });
  for (const [name, files, expected] of [
    ['fields are deleted where a request leads', { 'server.js': SERVER, 'clean.js': CLEAN }, ['deletedField clean.js']],
    ['the same where no request leads', { 'server.js': OTHER_SERVER, 'clean.js': CLEAN }, []],
    ['the same in a project without entry points', { 'clean.js': CLEAN }, ['deletedField clean.js']],
    ['a throw per row where a request leads', { 'server.js': SERVER, 'clean.js': PROBE }, ['urlProbe clean.js']],
    ['the same where no request leads', { 'server.js': OTHER_SERVER, 'clean.js': PROBE }, []],
    ['a loop that is long by a constant', { 'server.js': OTHER_SERVER, 'run.js': LONG }, ['deletedField run.js']],
    ['code outside of functions', { 'server.js': OTHER_SERVER, 'script.mjs': AT_THE_TOP }, ['urlProbe script.mjs']],
  ] as const satisfies readonly (readonly [string, Files, readonly string[]])[])
    it(name, () => {
      assert.deepEqual(found(files), expected);
    });
});
