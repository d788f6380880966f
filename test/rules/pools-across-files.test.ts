// Threads that a pool of the project makes, in another file than the one that creates them.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { findingsOf } from './whole-project.ts';

const managerWith = (how: string): string => `
const { Worker } = require('worker_threads');
const pool = require('./pool');
const start = require('./pool');
function createWorker(id) { const worker = new Worker('./work.js', { workerData: { id } }); return wrapped(worker); }
function wrapped(worker) { return { worker, run: (task) => worker.postMessage(task) }; }
module.exports = ${how};
`;

const POOL = `
module.exports = ({ createWorker, handle }) => {
  const make = createWorker ?? handle;
  const workers = [];
  return {
    init() { workers.push(make(0)); },
    release(worker) { if (worker.needRestart) workers.push(make(workers.length)); },
  };
};
`;

const SERVER = `
const app = require('express')();
const workers = require('./manager');
app.get('/', (req, res) => { workers.release(req.worker); res.end(); });
app.listen(3000);
`;

const found = (how: string): string[] =>
  findingsOf(['no-worker-per-request'], { 'server.js': SERVER, 'manager.js': managerWith(how), 'pool.js': POOL }).map(
    ({ messageId, file }) => `${messageId} ${file.replace(/^.*\//, '')}`,
  );

describe('threads of a pool', () => {
  for (const [name, how, expected] of [
    ['the pool is given what creates them', 'pool({ createWorker: (id) => createWorker(id), size: 4 })', []],
    ['something that is no pool', 'start({ createWorker: (id) => createWorker(id), size: 4 })', ['thread manager.js']],
    ['a pool that is given what handles its work', 'pool({ handle: (id) => createWorker(id), size: 4 })', ['thread manager.js']],
  ] as const)
    it(name, () => {
      assert.deepEqual(found(how), expected);
    });
});
