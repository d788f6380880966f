// Makes every server of the program listen on a free loopback port instead of the one that it asks for, and has a worker send it the
// requests.
'use strict';
const net = require('node:net');
const { join } = require('node:path');
const { PerformanceObserver } = require('node:perf_hooks');
const { Worker } = require('node:worker_threads');
const { asOwn, ownThread } = require('./threads.cjs');

const LOOPBACK = '127.0.0.1';

/** @typedef {{ write(record: Record<string, unknown>): void }} Records */
/** @typedef {'http' | 'https' | 'h2' | 'h2c' | 'tcp'} Protocol */

/** @param {net.Server} server @returns {Protocol} */
function protocolOf(server) {
  // The classes of http2 are not exported.
  for (let at = server; at; at = Object.getPrototypeOf(at)) {
    const { name } = at.constructor ?? {};
    if (name === 'Http2SecureServer') return 'h2';
    if (name === 'Http2Server') return 'h2c';
  }
  // Loaded by the program itself when it has such a server.
  if (server instanceof require('node:http').Server) return 'http';
  return server instanceof require('node:https').Server ? 'https' : 'tcp';
}

/**
 * @param {any} input @param {Records} records
 * @param {{ begin(): Promise<number>, next(): Promise<number | undefined>, end(by: 'done' | 'budget'): void }} run `begin` is called before
 * the first request, `next` after the last one of a phase; both give the share of its time that the phase to come has (undefined: there is
 * no other). `end` is called after the last one of all
 */
function serveRequests(input, records, run) {
  /** @type {Worker | undefined} */
  let worker;
  /** @type {Set<number>} */
  const ports = new Set();

  const note = (/** @type {net.Server} */ server) => {
    const address = server.address();
    if (!address || typeof address === 'string' || ports.has(address.port)) return;
    const { port } = address;
    ports.add(port);
    const protocol = protocolOf(server);
    records.write({ type: 'listening', port, protocol });
    if (protocol === 'tcp') return;
    if (worker) {
      worker.postMessage({ type: 'server', port, protocol });
      return;
    }
    worker = asOwn(
      new Worker(join(__dirname, 'requester.cjs'), {
        workerData: {
          folder: input.folder,
          phases: input.phases,
          requests: input.requests,
          usualMs: input.usualMs,
          servers: [{ port, protocol }],
        },
        ...ownThread(),
      }),
    );
    // A program that ends by itself is not kept.
    worker.unref();
    worker.on('message', (message) => {
      if (message === 'ready') {
        void run.begin().then((share) => worker?.postMessage({ type: 'go', share }));
      } else if (message === 'done') {
        void run.next().then((share) => {
          if (share === undefined) run.end('done');
          else worker?.postMessage({ type: 'go', share });
        });
      }
    });
    worker.on('error', (error) => {
      records.write({ type: 'problem', text: `The requests stopped early: ${error.message}` });
      run.end('budget');
    });
  };

  redirectServers(note);
}

/**
 * No server is seen from outside, and none meets a port that is taken.
 * @param {(server: net.Server) => void} listening @param {() => boolean} [isMeant] asked for each server; all are where it is missing
 */
function redirectServers(listening, isMeant) {
  const { listen } = net.Server.prototype;
  // All forms of the call: port, path, options, a handle, with and without what follows.
  Object.defineProperty(net.Server.prototype, 'listen', {
    value: /** @this {net.Server} */ function listen_(/** @type {any[]} */ ...args) {
      if (isMeant && !isMeant()) return Reflect.apply(listen, this, args);
      const callback = args.find((one) => typeof one === 'function');
      const { backlog, exclusive, signal } = typeof args[0] === 'object' && args[0] !== null ? args[0] : /** @type {any} */ ({});
      this.once('listening', () => listening(this));
      return Reflect.apply(listen, this, [{ port: 0, host: LOOPBACK, backlog, exclusive, signal }, ...(callback ? [callback] : [])]);
    },
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

/** The collector of a timed run: the worker takes the time, this thread tells what was spent on garbage. @param {Records} records */
function installGcTime(records) {
  /** @type {{ duration: number }[]} */
  const collections = [];
  const observer = new PerformanceObserver((list) => {
    collections.push(...list.getEntries());
  });
  return {
    arm() {
      observer.observe({ entryTypes: ['gc'] });
    },
    finish() {
      collections.push(...observer.takeRecords());
      observer.disconnect();
      records.write({
        type: 'gc',
        count: collections.length,
        totalMs: collections.reduce((sum, { duration }) => sum + duration, 0),
        maxMs: Math.max(0, ...collections.map(({ duration }) => duration)),
      });
    },
  };
}

module.exports = { installGcTime, protocolOf, redirectServers, serveRequests };
