// The thread that sends the requests, so that the load does not stand on the program's own: over the loopback, in turns, on connections that are kept.
'use strict';
const http = require('node:http');
const https = require('node:https');
const http2 = require('node:http2');
const { parentPort, threadId, workerData } = require('node:worker_threads');
const { now, openRecords } = require('./records.cjs');

// Nothing is ever sent anywhere else.
const LOOPBACK = '127.0.0.1';
// Two answers in one turn of the loop would be one block of twice the length, and one would wait for the other.
const ONE_BY_ONE = ['watch', 'time'];
const MOST_AT_ONCE = 4;
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
  /** @type {Server | undefined} the one that knows the path */
  server: undefined,
  hanging: false,
}));
const agents = { http: new http.Agent({ keepAlive: true, maxSockets: MOST_AT_ONCE }), https: new https.Agent({ keepAlive: true, maxSockets: MOST_AT_ONCE, rejectUnauthorized: false }) };
/** @type {Map<number, import('node:http2').ClientHttp2Session>} */
const sessions = new Map();
let phase = -1;
let { measureMs, patienceMs, leastCalls, callLimit } = phases[0];
let isOneByOne = false;
let patience = UNANSWERED_MS;
let until = Infinity;

/** Fewer than these would say nothing: they are waited for, within limits. */
const isPatient = () => now() < until + patienceMs && stats.some(({ sent, hanging }) => sent < leastCalls && !hanging);

/** @param {Request} request */
function headersOf({ headers, body }) {
  return { ...(body === undefined ? {} : { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) }), ...headers };
}

/** @param {Server} server @param {Request} request @returns {Promise<number>} the status, when the whole answer is there */
function send({ port, protocol }, request) {
  return new Promise((resolve, reject) => {
    const { method, path, body } = request;
    /** @type {{ destroy(): unknown }} */
    let open;
    const timer = setTimeout(() => {
      reject(Object.assign(new Error('no answer'), { code: 'no answer' }));
      open.destroy();
    }, Math.min(patience, Math.max(GRACE_MS, until + patienceMs + GRACE_MS - now())));
    const settled = (/** @type {() => void} */ what) => {
      clearTimeout(timer);
      what();
    };
    const fail = (/** @type {Error} */ error) => settled(() => reject(error));
    if (protocol === 'h2' || protocol === 'h2c') {
      const stream = sessionOf(port, protocol).request({ ':method': method, ':path': path, ...headersOf(request) });
      open = stream;
      let status = 0;
      stream.on('response', (headers) => { status = Number(headers[':status']); });
      stream.on('error', fail);
      stream.on('end', () => settled(() => resolve(status)));
      stream.resume();
      stream.end(body);
      return;
    }
    const options = { host: LOOPBACK, port, method, path, headers: headersOf(request) };
    const message = protocol === 'https' ? https.request({ ...options, agent: agents.https, rejectUnauthorized: false }) : http.request({ ...options, agent: agents.http });
    open = message;
    message.on('response', (answer) => {
      answer.on('error', fail);
      answer.on('end', () => settled(() => resolve(answer.statusCode ?? 0)));
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
  // Each stream is told of it, too.
  session.on('error', () => session.destroy());
  sessions.set(port, session);
  return session;
}

let flushed = 0;
function flush() {
  flushed = now();
  records.write({ type: 'requests', phase, requests: stats.map(({ request, sent, answered, statuses, errors }) => ({ request: `${request.method} ${request.path}`, sent, answered, statuses, errors })) });
}

let failures = 0;

/** @param {typeof stats[number]} one @param {Server} server @returns {Promise<number | undefined>} the status */
async function ask(one, server) {
  one.sent += 1;
  // Before it is sent: it may be the end of the program.
  if (now() - flushed > FLUSH_EVERY_MS) flush();
  const start = now();
  try {
    const status = await send(server, one.request);
    one.latencies.push((now() - start) * NS_PER_MS);
    one.answered += 1;
    one.statuses[status] = (one.statuses[status] ?? 0) + 1;
    failures = 0;
    return status;
  } catch (error) {
    const { code, message } = /** @type {NodeJS.ErrnoException} */ (error);
    const what = code ?? message;
    one.errors[what] = (one.errors[what] ?? 0) + 1;
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

async function lane() {
  while ((now() < until || isPatient()) && failures < MOST_FAILURES) {
    const one = next();
    if (!one) return;
    await ask(one, one.server ?? servers[0]);
  }
}

function beginPhase() {
  phase += 1;
  const { kinds } = phases[phase];
  ({ measureMs, patienceMs, leastCalls, callLimit } = phases[phase]);
  isOneByOne = kinds.some((/** @type {string} */ kind) => ONE_BY_ONE.includes(kind));
  patience = Math.max(isOneByOne ? GRACE_MS : LEAST_PATIENCE_MS, Math.min(UNANSWERED_MS, measureMs / 2));
  failures = 0;
  // Which server knows a path stays known.
  for (const one of stats) Object.assign(one, { sent: 0, answered: 0, statuses: {}, errors: {}, latencies: [], hanging: false });
  until = now() + measureMs;
}

async function main() {
  beginPhase();
  // One after the other, so that none is asked of a server that does not know it while another one does.
  if (servers.length > 1) for (const one of stats) if (!one.server && now() < until) await askFirst(one);
  await Promise.all(Array.from({ length: isOneByOne ? 1 : MOST_AT_ONCE }, lane));
  flush();
  if (phases[phase].kinds.includes('time')) {
    for (const [call, { latencies }] of stats.entries()) records.write({ type: 'timing', call, samples: latencies.slice(Math.floor(latencies.length * WARM_UP_SHARE)), callsPerSample: 1, overhead: 0 });
  }
  parentPort?.postMessage('done');
}

parentPort?.on('message', (message) => {
  if (message.type === 'server') servers.push({ port: message.port, protocol: message.protocol });
  else if (message.type === 'go') void main();
});
parentPort?.postMessage('ready');
