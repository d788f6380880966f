// Worker threads of the user's code are not measured. A run in which there are any says so, because its figures would pass for the whole.
'use strict';
const { subscribe } = require('node:diagnostics_channel');

/** The harness's own, and a compiler's. @type {WeakSet<object>} */
const own = new WeakSet();

const UNMEASURED =
  'Worker threads were started, and they are not measured. CPU time, blocking calls, exceptions, and event loop blocks are those of the main thread, and code that ran only in a worker thread counts as not reached.';

/** Under load the processor time is that of the process (harness/load-inside.cjs). */
const UNMEASURED_UNDER_LOAD =
  'Worker threads were started. CPU time includes them; event loop delay, blocking calls, and event loop blocks are those of the main thread.';

/** esbuild compiles in one (`transformSync`). */
const COMPILER = /[/\\]node_modules[/\\]esbuild[/\\]/;

/** @template {object} T @param {T} worker @returns {T} */
function asOwn(worker) {
  own.add(worker);
  return worker;
}

/** @param {{ write(record: Record<string, unknown>): void }} records @param {string} [text] */
function tellThreads(records, text = UNMEASURED) {
  const note = (/** @type {import('node:worker_threads').Worker} */ worker) => {
    // Node's own loader thread (`module.register`) is an InternalWorker.
    if (own.has(worker) || worker.constructor.name === 'InternalWorker') return;
    process.removeListener('worker', note);
    records.write({ type: 'problem', text });
  };
  process.on('worker', note);
  // The event comes later; this, from inside of the constructor (Node 18.7 and newer).
  subscribe?.('worker_threads', (message) => {
    if (COMPILER.test(String(new Error().stack))) own.add(/** @type {{ worker: object }} */ (message).worker);
  });
}

/**
 * Of the harness's own threads: none of the program's flags, and under the permission model what the process may do itself, because flags
 * of its own would give a thread all permissions again.
 */
const OWN_FLAGS = process.execArgv.filter((flag) => /^--(?:experimental-)?permission$|^--allow-/.test(flag));

function ownThread() {
  return { execArgv: [...OWN_FLAGS], env: { ...process.env, NODE_OPTIONS: '' }, stdout: false, stderr: false };
}

module.exports = { asOwn, ownThread, tellThreads, UNMEASURED_UNDER_LOAD };
