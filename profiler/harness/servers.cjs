// Makes every server of the program listen on a free loopback port instead of the one that it asks for, and has a worker send it the
// requests.
'use strict';
const net = require('node:net');
const { join } = require('node:path');
const { PerformanceObserver } = require('node:perf_hooks');
const { Worker } = require('node:worker_threads');
const { asOwn, ownThread } = require('./threads.cjs');

const LOOPBACK = '127.0.0.1';
const OWN_HOSTS = new Set([LOOPBACK, 'localhost', '::1', '0.0.0.0', '::']);

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

/** Of what `listen` is called with; undefined for a pipe, a handle, and where any port will do. @param {any} first */
function portAsked(first) {
  const port = Number(typeof first === 'object' && first !== null ? first.port : first);
  return Number.isInteger(port) && port > 0 ? port : undefined;
}

/**
 * A program that asks itself names the port that it wanted.
 * @param {Map<number, number>} ports the ones that its servers have instead
 */
function redirectConnections(ports) {
  const { connect } = net.Socket.prototype;
  Object.defineProperty(net.Socket.prototype, 'connect', {
    value: /** @this {net.Socket} */ function connect_(/** @type {any[]} */ ...args) {
      // Node's own calls hand over a list that they have put in order; users write `(port, host)` or options.
      const list = Array.isArray(args[0]) ? args[0] : args;
      const [first, second] = list;
      const isObject = typeof first === 'object' && first !== null;
      const host = isObject ? first.host : typeof second === 'string' ? second : undefined;
      const port = ports.get(Number(isObject ? first.port : first));
      if (port === undefined || (isObject && first.path) || (host && !OWN_HOSTS.has(host))) return Reflect.apply(connect, this, args);
      if (isObject) list[0] = { ...first, port, host: LOOPBACK };
      else list.splice(0, typeof second === 'string' ? 2 : 1, port, LOOPBACK);
      return Reflect.apply(connect, this, args);
    },
    writable: true,
    configurable: true,
    enumerable: true,
  });
}

/**
 * No server is seen from outside, and none meets a port that is taken.
 * @param {(server: net.Server) => void} listening @param {() => boolean} [isMeant] asked for each server; all are where it is missing
 */
function redirectServers(listening, isMeant) {
  const { listen } = net.Server.prototype;
  /** @type {Map<number, number>} */
  const ports = new Map();
  redirectConnections(ports);
  // All forms of the call: port, path, options, a handle, with and without what follows.
  Object.defineProperty(net.Server.prototype, 'listen', {
    value: /** @this {net.Server} */ function listen_(/** @type {any[]} */ ...args) {
      const asked = portAsked(args[0]);
      if (isMeant && !isMeant()) {
        if (asked !== undefined) ports.delete(asked);
        return Reflect.apply(listen, this, args);
      }
      const callback = args.find((one) => typeof one === 'function');
      const { backlog, exclusive, signal } = typeof args[0] === 'object' && args[0] !== null ? args[0] : /** @type {any} */ ({});
      this.once('listening', () => {
        const address = this.address();
        if (asked !== undefined && address && typeof address === 'object') ports.set(asked, address.port);
        listening(this);
      });
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
