// Loaded before the user's code in runs under Node's permission model (`--require`), in its worker threads, too: closes what the model
// leaves open. It is a guard against what a program does by itself; code that looks for a way out finds one, and the documents say so.
'use strict';
const fs = require('node:fs');
const Module = require('node:module');
const threads = require('node:worker_threads');
// These keep the class as it is, for threads of the harness's own.
require('./servers.cjs');
require('./watchdog.cjs');

const { Worker } = threads;
const { construct } = Reflect;
const { assign, defineProperty } = Object;
/** The host's own; a program could change what its threads are started with. */
const { NODE_OPTIONS } = process.env;

/** As Node refuses. @param {string} what @param {string} permission */
function denied(what, permission) {
  return assign(new Error(`Access to this API has been restricted: ${what} is not available in read-only runs`), {
    code: 'ERR_ACCESS_DENIED',
    permission,
  });
}

/** @param {string} what @param {string} permission @returns {(...args: unknown[]) => never} */
function refusing(what, permission) {
  return () => {
    throw denied(what, permission);
  };
}

/**
 * Flags of its own, or NODE_OPTIONS in its environment, give a thread all permissions again (Node 20 to 26): it gets those of its parent.
 * A function, and not a subclass: that would lead to the class itself.
 * @this {unknown} @param {any} file @param {any} [options]
 */
function GuardedWorker(file, options) {
  if (!new.target) throw new TypeError("Class constructor Worker cannot be invoked without 'new'");
  const { execArgv: _, env, ...others } = options ?? {};
  /** @type {Record<string, unknown>} */
  const variables = { ...(typeof env === 'object' && env !== null ? env : process.env) };
  for (const name of Object.keys(variables)) if (name.toUpperCase() === 'NODE_OPTIONS') delete variables[name];
  if (NODE_OPTIONS !== undefined) variables.NODE_OPTIONS = NODE_OPTIONS;
  return construct(Worker, [file, { __proto__: null, ...others, env: variables }], new.target);
}

function guardThreads() {
  defineProperty(GuardedWorker, 'name', { value: 'Worker' });
  GuardedWorker.prototype = Worker.prototype;
  defineProperty(Worker.prototype, 'constructor', { value: GuardedWorker, writable: true, configurable: true });
  /** @type {any} */ (threads).Worker = GuardedWorker;
}

/** A second name for a file outside, in a folder that may be written to, would let the file be written. */
function guardLinks() {
  const refuse = () => denied('fs.link', 'FileSystemWrite');
  fs.linkSync = refusing('fs.link', 'FileSystemWrite');
  /** @type {any} */ (fs).link = (/** @type {unknown[]} */ ...args) => {
    const done = args[args.length - 1];
    if (typeof done !== 'function') throw refuse();
    process.nextTick(done, refuse());
  };
  fs.promises.link = async () => {
    throw refuse();
  };
}

/** SQLite opens files by itself, and the permission model does not see it (Node 22 to 26). */
function guardDatabases() {
  if (!Module.builtinModules.includes('node:sqlite') && !Module.isBuiltin?.('node:sqlite')) return;
  const { emitWarning } = process;
  // That it is experimental is said when the program itself loads it, or not at all.
  process.emitWarning = () => {
    /* See above. */
  };
  let sqlite;
  try {
    sqlite = Module.createRequire(__filename)('node:sqlite');
  } catch {
    // Known, but switched off: then it is for the program, too.
    return;
  } finally {
    process.emitWarning = emitWarning;
  }
  for (const [name, value] of Object.entries(sqlite)) {
    if (typeof value !== 'function' || !/^Database/.test(name)) continue;
    const Guarded = class {
      constructor() {
        throw denied('node:sqlite', 'FileSystemWrite');
      }
    };
    defineProperty(Guarded, 'name', { value: name });
    defineProperty(value.prototype, 'constructor', { value: Guarded, writable: true, configurable: true });
    sqlite[name] = Guarded;
  }
}

guardThreads();
guardLinks();
guardDatabases();
Module.syncBuiltinESMExports();
