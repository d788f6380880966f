// The thread that sends the requests, so that the load does not stand on the program's own: over the loopback, in turns, on connections
// that are kept.
'use strict';
const http = require('node:http');
const https = require('node:https');
const http2 = require('node:http2');
const { parentPort, threadId, workerData } = require('node:worker_threads');
const { makeIsAsleep, makeIsWorthwhile, makeWaited, now, openRecords } = require('./records.cjs');
const { throwCost } = require('./throw-cost.cjs');

// Nothing is ever sent anywhere else.
const LOOPBACK = '127.0.0.1';
// Two answers in one turn of the loop would be one block of twice the length, and one would wait for the other.
const ONE_BY_ONE = ['watch', 'time'];
/**
 * What ends a connection, or its answer, takes away what it has left: each request has one of its own, and one that is not answered is
 * given up.
 */
const RETAINED = 'retained';
/** A stream of events has begun by then. */
const RETAINED_PATIENCE_MS = 300;
/** In a path, a header, or a body: the number of the request. */
const NUMBER = '{n}';
const MOST_AT_ONCE = 4;
// What takes so long mostly works all that time: more at once would come one after the other, and the last of them too late.
const LONG_MS = 100;
// From so long an answer on, a few of them say what they have to say.
const SLOW_MS = 20;
// What comes once or twice may be chance, also where a crowded machine has left no time for more.
const AT_LEAST = 3;
// What has answered before may be late by so many times.
const MOST_TIMES_USUAL = 4;
const UNANSWERED_MS = 3000;
const GRACE_MS = 500;
// On a crowded machine a thread that is started for a request takes a second.
const LEAST_PATIENCE_MS = 1500;
// What never answers must not keep the others from it; what did so once may be late for once.
const MOST_WITHOUT_ANSWER = 2;
const MOST_LATE = 5;
const FLUSH_EVERY_MS = 250;
// So many failures in a row: the server is gone.
const MOST_FAILURES = 50;
// The first answers of a program are those of code that is not warm.
const WARM_UP_SHARE = 0.2;
const NS_PER_MS = 1e6;
const NOT_FOUND = 404;

/** @typedef {{ port: number, protocol: string }} Server */
/** @typedef {{ method: string, path: string, headers?: Record<string, string>, body?: string }} Request */

const { folder, phases } = workerData;
const records = openRecords(folder, threadId);
/** @type {Server[]} */
const servers = workerData.servers;
const stats = workerData.requests.map((/** @type {Request} */ request) => ({
  request,
  sent: 0,
  answered: 0,
  /** @type {Record<string, number>} */
  statuses: {},
  /** @type {Record<string, number>} */
  errors: {},
  /** @type {number[]} */
  latencies: [],
  /** The same without the waits for a processor. @type {number[]} */
  own: [],
  /** @type {Server | undefined} the one that knows the path */
  server: undefined,
  hanging: false,
  /** ms; the longest answer of an earlier phase */
  usual: workerData.usualMs ?? 0,
}));
const agents = {
  http: new http.Agent({ keepAlive: true, maxSockets: MOST_AT_ONCE }),
  https: new https.Agent({ keepAlive: true, maxSockets: MOST_AT_ONCE, rejectUnauthorized: false }),
};
/** @type {Map<number, import('node:http2').ClientHttp2Session>} */
const sessions = new Map();
let phase = -1;
let { measureMs, patienceMs, leastCalls, fewCalls, callLimit } = phases[0];
let isOneByOne = false;
/** As `isOneByOne`, but with the patience of several. */
let isAlone = false;
let isOfRetained = false;
let isTimed = false;
let patience = UNANSWERED_MS;
let began = 0;
let until = Infinity;
const isWorthwhile = makeIsWorthwhile(folder);
/**
 * Both threads may wait for a processor: the one that answers, and this one. By the same clock as the blocking calls that are a part of it
 * (harness/sync-calls.cjs): by the clock on the wall, `pbkdf2Sync` took 20 to 62 % of the requests on a busy machine, and 99 % on an idle
 * one.
 */
const [mainWaited, ownWaited] = [makeWaited(), makeWaited('/proc/thread-self')];
const isMainAsleep = makeIsAsleep();
/** A thread that waits for a processor mostly gets one within this time, in ms. */
const MOST_REST_MS = 10;
const REST_POLL_MS = 0.05;
/** A program that works so many times in a row has work of its own, and goes on with it. */
const MOST_RESTLESS = 5;
const nobody = new Int32Array(new SharedArrayBuffer(4));
let restless = 0;

/** Whether the main thread has come to rest after the request before. Only then is it known what it waits for a processor from here on. */
function comesToRest() {
  const end = now() + (restless < MOST_RESTLESS ? MOST_REST_MS : 0);
  let isAtRest = isMainAsleep();
  while (!isAtRest && now() < end) {
    Atomics.wait(nobody, 0, 0, REST_POLL_MS);
    isAtRest = isMainAsleep();
  }
  restless = isAtRest ? 0 : restless + 1;
  return isAtRest;
}

const sentInAll = () => stats.reduce((/** @type {number} */ sum, { sent }) => sum + sent, 0);

const someBelow = (/** @type {number} */ least) => stats.some(({ sent, hanging }) => sent < least && !hanging);

/** Fewer than these would say nothing: they are waited for, within limits. */
const isPatient = () =>
  now() < until + patienceMs &&
  (someBelow(Math.min(leastCalls, AT_LEAST)) ||
    (someBelow(leastCalls) && isWorthwhile({ done: sentInAll(), began, end: until + patienceMs })));

/** Each has been asked a few times, and they take long: more of the same would tell no more. */
const hasSeenEnough = () =>
  fewCalls !== undefined &&
  fewCalls >= leastCalls &&
  stats.every(({ sent, hanging }) => sent >= fewCalls || hanging) &&
  now() - began > SLOW_MS * sentInAll();

/** @param {Request} request */
function headersOf({ headers, body }) {
  return {
    ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }),
    ...headers,
  };
}

/**
 * @param {Server} server
 * @param {Request} request
 * @param {number} usual ms
 * @returns {Promise<number>} the status, when the whole answer is there
 */
function send({ port, protocol }, request, usual) {
  return new Promise((resolve, reject) => {
    const { method, path, body } = request;
    /** @type {{ destroy(): unknown }} */
    let open;
    const timer = setTimeout(
      () => {
        reject(Object.assign(new Error('no answer'), { code: 'no answer' }));
        open.destroy();
      },
      Math.min(Math.max(patience, usual * MOST_TIMES_USUAL), Math.max(GRACE_MS, until + patienceMs + GRACE_MS - now())),
    );
    const finish = (/** @type {() => void} */ what) => {
      clearTimeout(timer);
      what();
    };
    const fail = (/** @type {Error} */ error) => finish(() => reject(error));
    if (protocol === 'h2' || protocol === 'h2c') {
      const stream = sessionOf(port, protocol).request({ ':method': method, ':path': path, ...headersOf(request) });
      open = stream;
      let status = 0;
      stream.on('response', (headers) => {
        status = Number(headers[':status']);
      });
      stream.on('error', fail);
      stream.on('end', () => finish(() => resolve(status)));
      stream.resume();
      stream.end(body);
      return;
    }
    const options = { host: LOOPBACK, port, method, path, headers: headersOf(request), ...(isOfRetained && { agent: false }) };
    const message =
      protocol === 'https'
        ? https.request({ agent: agents.https, ...options, rejectUnauthorized: false })
        : http.request({ agent: agents.http, ...options });
    open = message;
    message.on('response', (answer) => {
      answer.on('error', fail);
      answer.on('end', () => finish(() => resolve(answer.statusCode ?? 0)));
      answer.resume();
    });
    message.on('error', fail);
    message.end(body);
  });
}

/** @param {number} port @param {string} protocol */
function sessionOf(port, protocol) {
  const known = sessions.get(port);
  if (known && !known.closed && !known.destroyed) return known;
  const session = http2.connect(`${protocol === 'h2' ? 'https' : 'http'}://${LOOPBACK}:${port}`, { rejectUnauthorized: false });
  // Each stream gets it, too.
  session.on('error', () => session.destroy());
  sessions.set(port, session);
  return session;
}

let flushed = 0;
function flush() {
  flushed = now();
  records.write({
    type: 'requests',
    phase,
    requests: stats.map(({ request, sent, answered, statuses, errors }) => ({
      request: `${request.method} ${request.path}`,
      sent,
      answered,
      statuses,
      errors,
    })),
  });
}

let failures = 0;
let number = 0;

/** @param {Request} request */
function numbered({ method, path, headers, body }) {
  number += 1;
  const filled = (/** @type {string} */ text) => text.replaceAll(NUMBER, String(number));
  return {
    method,
    path: filled(path),
    headers: headers && Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
    body: body === undefined ? undefined : filled(body),
  };
}

/** @param {typeof stats[number]} one @param {Server} server @returns {Promise<number | undefined>} the status */
async function ask(one, server) {
  one.sent += 1;
  // Before it is sent: it may be the end of the program.
  if (now() - flushed > FLUSH_EVERY_MS) flush();
  const isAtRest = isTimed && comesToRest();
  const start = now();
  const before = [mainWaited(), ownWaited()];
  try {
    const status = await send(server, numbered(one.request), one.usual);
    // They may wait at the same time: the sum would take off too much, up to the whole request.
    const idle = Math.max(isAtRest ? mainWaited() - (before[0] ?? 0) : 0, ownWaited() - (before[1] ?? 0));
    const latency = now() - start;
    one.latencies.push(latency * NS_PER_MS);
    one.own.push(Math.max(0, latency - idle) * NS_PER_MS);
    one.answered += 1;
    one.statuses[status] = (one.statuses[status] ?? 0) + 1;
    failures = 0;
    return status;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const what = code ?? message;
    one.errors[what] = (one.errors[what] ?? 0) + 1;
    if (what === 'no answer' && isOfRetained) return undefined;
    if (what === 'no answer') one.hanging = isOneByOne || (one.errors[what] ?? 0) >= (one.answered === 0 ? MOST_WITHOUT_ANSWER : MOST_LATE);
    failures += 1;
    return undefined;
  }
}

/** With several servers, the first that knows the path answers it from then on. @param {typeof stats[number]} one */
async function askFirst(one) {
  for (const server of servers) {
    const status = await ask(one, server);
    if (status === undefined || status === NOT_FOUND) continue;
    one.server = server;
    return;
  }
  one.server = servers[0];
}

let turn = 0;
/** The next one whose turn it is. */
function next() {
  for (let i = 0; i < stats.length; i += 1) {
    const one = stats[turn % stats.length];
    turn += 1;
    // What never answers must not keep the others from it.
    if (one && !one.hanging && one.sent < callLimit) return one;
  }
  return undefined;
}

const goesOn = () => (now() < until ? !hasSeenEnough() : isPatient()) && failures < MOST_FAILURES;

/** @param {number} most */
async function lane(most) {
  for (let left = most; left > 0 && goesOn(); left -= 1) {
    const one = next();
    if (!one) return;
    await ask(one, one.server ?? servers[0]);
  }
}

/** @param {number} share of its time that the phase has */
function beginPhase(share) {
  phase += 1;
  const { kinds } = phases[phase];
  isAlone = phases[phase].isOneByOne === true;
  ({ measureMs, patienceMs, leastCalls, fewCalls, callLimit } = phases[phase]);
  measureMs *= share;
  isOneByOne = kinds.some((/** @type {string} */ kind) => ONE_BY_ONE.includes(kind));
  isOfRetained = kinds.includes(RETAINED);
  isTimed = kinds.includes('time');
  patience = isOfRetained
    ? RETAINED_PATIENCE_MS
    : Math.max(isOneByOne ? GRACE_MS : LEAST_PATIENCE_MS, Math.min(UNANSWERED_MS, measureMs / 2));
  failures = 0;
  // Which server knows a path stays known.
  for (const one of stats)
    Object.assign(one, {
      usual: one.latencies.reduce((most, ns) => Math.max(most, ns / NS_PER_MS), one.usual),
      sent: 0,
      answered: 0,
      statuses: {},
      errors: {},
      latencies: [],
      own: [],
      hanging: false,
    });
  began = now();
  until = began + measureMs;
}

/** @param {number} share */
async function main(share) {
  beginPhase(share);
  // One after the other, so that none is asked of a server that does not know it while another one does.
  if (servers.length > 1) for (const one of stats) if (!one.server && now() < until) await askFirst(one);
  // Each by itself, before some at once.
  if (!isOneByOne) await lane(stats.length);
  const isLong = stats.some(({ errors, latencies }) => errors['no answer'] !== undefined || (latencies.at(-1) ?? 0) > LONG_MS * NS_PER_MS);
  await Promise.all(Array.from({ length: isOneByOne || isAlone || (isLong && !isOfRetained) ? 1 : MOST_AT_ONCE }, () => lane(Infinity)));
  flush();
  if (isTimed) {
    for (const [call, { own }] of stats.entries())
      records.write({
        type: 'timing',
        call,
        samples: own.slice(Math.floor(own.length * WARM_UP_SHARE)),
        callsPerSample: 1,
        overhead: 0,
      });
    records.write({ type: 'throw-cost', ...throwCost() });
  }
  parentPort?.postMessage('done');
}

parentPort?.on('message', (message) => {
  if (message.type === 'server') servers.push({ port: message.port, protocol: message.protocol });
  else if (message.type === 'go') void main(message.share);
});
parentPort?.postMessage('ready');
