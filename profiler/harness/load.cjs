// Loaded before a server that is put under load (`--require`, and through NODE_OPTIONS by the processes that it starts). It watches a
// window of time that the load generator names; what comes before is start-up and warm-up, and when it is over the process is ended.
'use strict';
const { existsSync, readFileSync } = require('node:fs');
const { isMainThread, threadId } = require('node:worker_threads');
const { describeError, now, openRecords, PACKAGE_MANAGER, tellReached } = require('./records.cjs');
const { makeInside } = require('./load-inside.cjs');
const { installReplacements } = require('./replace.cjs');
const { protocolOf, redirectServers } = require('./servers.cjs');

const { setInterval: every, setTimeout: after, clearInterval: stop } = globalThis;
const { reallyExit } = /** @type {any} */ (process);

const POLL_MS = 20;
// A program that listens on several ports does so one after the other.
const SETTLE_MS = 200;

// A crowded machine lets the load generator come to its end late; one that has died is the host's business.
const MOST_LATE_MS = 3000;

/** The load generator takes its file away when it has counted its last answer. @param {string} windowFile */
function generatorDone(windowFile) {
  const began = now();
  return new Promise((/** @type {(value?: undefined) => void} */ resolve) => {
    const look = () => {
      if (!existsSync(windowFile) || now() - began > MOST_LATE_MS) resolve();
      else after(look, POLL_MS);
    };
    look();
  });
}

/** @param {string} path */
function start(path) {
  const input = JSON.parse(readFileSync(path, 'utf8'));
  const records = openRecords(input.folder, threadId);
  records.write({ type: 'started', node: process.versions.node, v8: process.versions.v8, main: process.argv[1] ?? '' });
  const tell = (/** @type {string} */ text) => records.write({ type: 'problem', text });
  if (input.compiler) require('./compile.cjs').installCompiler(input.compiler, tell);
  installReplacements(input.replacements, tell);
  const inside = makeInside(input, records);

  /** @type {Set<number>} */
  const ports = new Set();
  redirectServers((server) => {
    const address = server.address();
    if (!address || typeof address === 'string' || ports.has(address.port)) return;
    ports.add(address.port);
    const protocol = protocolOf(server);
    records.write({ type: 'listening', port: address.port, protocol });
    if (protocol !== 'tcp') after(() => tellReached(input.folder, 0), SETTLE_MS).unref();
  });

  process.on('uncaughtExceptionMonitor', (error, origin) => {
    records.write({
      type: 'failure',
      stage: origin === 'unhandledRejection' ? 'rejection' : inside.isWatching() ? 'uncaught' : 'load',
      error: describeError(error),
    });
  });
  let isOver = false;
  process.prependListener('exit', (code) => {
    if (isOver) return;
    inside.finish(false);
    records.write({ type: 'ended', by: 'exit', code });
  });

  const endNow = async () => {
    await inside.flush();
    if (isOver) return;
    inside.finish(true);
    await generatorDone(input.windowFile);
    await inside.afterwards();
    isOver = true;
    records.write({ type: 'ended', by: 'budget', code: 0 });
    // Whatever the program does when it is asked to end: the measurement is done, and it is not asked.
    reallyExit.call(process, 0);
  };
  const poll = every(() => {
    if (!existsSync(input.windowFile)) return;
    stop(poll);
    const window = JSON.parse(readFileSync(input.windowFile, 'utf8'));
    after(
      () => {
        inside.begin();
        after(() => void endNow(), Math.max(0, window.end - now())).unref();
      },
      Math.max(0, window.start - now()),
    ).unref();
  }, POLL_MS);
  poll.unref();
}

const path = process.env.NODOMETER_RUN;
if (path && !isMainThread)
  redirectServers(() => {
    /* A thread's server is no one that is asked, and it stays inside, too. */
  });
if (path && isMainThread && process.argv[1] && !PACKAGE_MANAGER.test(process.argv[1])) start(path);
