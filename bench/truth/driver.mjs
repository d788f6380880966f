// Calls the function of a case, or sends its requests, and writes what it took. The calls see what the module exports.
import http from 'node:http';
import { setTimeout as pause } from 'node:timers/promises';

const WARM_UP_MS = 120;
const MEASURE_MS = 120;
const BATCH_MS = 1;
const ROUND = 8;
const { file, calls, requests, isTimed, clock, rounds } = globalThis.__plan;
const CALLS = rounds ?? 300;
const REQUESTS = rounds ?? 6;

/** Of the processor, in ms. */
const spent = () => process.cpuUsage().user / 1000;
/** The same with what the system does for it. */
const spentInAll = () => {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
};

const middle = (list) => list.sort((a, b) => a - b)[list.length >> 1];

async function byCalls() {
  const namespace = await import(file);
  const m = namespace.default && typeof namespace.default === 'object' ? { ...namespace, ...namespace.default } : namespace;
  const names = Object.keys(m).filter((name) => /^[A-Za-z_$][\w$]*$/.test(name) && name !== 'default');
  const fns = calls.map((text) => new Function('m', ...names, `return () => (${text});`)(m, ...names.map((name) => m[name])));
  const each = () => {
    let last;
    for (const fn of fns) last = fn();
    return last;
  };
  if (!isTimed) {
    const stop = globalThis.__watch();
    const start = performance.now();
    for (let i = 0; i < CALLS; i += 1) for (const fn of fns) await fn();
    const perDrive = (performance.now() - start) / CALLS;
    await pause(5);
    stop();
    return perDrive;
  }
  const first = each();
  if (typeof first?.then === 'function') {
    await first;
    const times = [];
    for (const end = performance.now() + MEASURE_MS + WARM_UP_MS; performance.now() < end; ) {
      const start = performance.now();
      await each();
      times.push(performance.now() - start);
    }
    return middle(times.slice(times.length >> 1));
  }
  let count = 0;
  // By the processor's time: a busy machine would warm up less.
  for (const end = spent() + WARM_UP_MS; spent() < end; ) for (let i = 0; i < ROUND; i += 1, count += 1) each();
  const batch = Math.max(1, Math.ceil((count / WARM_UP_MS) * BATCH_MS));
  const times = [];
  for (const end = spent() + MEASURE_MS; spent() < end; ) {
    const start = performance.now();
    for (let i = 0; i < batch; i += 1) each();
    times.push((performance.now() - start) / batch);
  }
  return middle(times);
}

function ask(text) {
  const [, method, path] = /^(\S+) (\S+)/.exec(text);
  const body = /\{.*\}$/.exec(text)?.[0];
  return new Promise((resolve, reject) => {
    const headers = body ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) } : {};
    const request = http.request({ host: '127.0.0.1', port: globalThis.__port, method, path, headers, agent }, (response) => {
      response.resume();
      response.once('end', resolve);
    });
    request.once('error', reject);
    request.end(body);
  });
}
const agent = new http.Agent({ keepAlive: true, maxSockets: 1 });

async function byRequests() {
  const listening = new Promise((resolve) => {
    globalThis.__listening = resolve;
  });
  await import(file);
  await listening;
  const times = [];
  const round = async () => {
    const start = performance.now();
    for (const text of requests) await ask(text);
    times.push((performance.now() - start) / requests.length);
  };
  const stop = globalThis.__watch();
  if (isTimed && clock === 'processor') {
    const until = spentInAll() + WARM_UP_MS;
    while (spentInAll() < until) await round();
    const start = spentInAll();
    const before = times.length;
    while (spentInAll() < start + 2 * MEASURE_MS || times.length < before + 4) await round();
    stop();
    return (spentInAll() - start) / ((times.length - before) * requests.length);
  }
  if (isTimed)
    for (const end = performance.now() + WARM_UP_MS + 2 * MEASURE_MS; performance.now() < end || times.length < 4; ) await round();
  else for (let i = 0; i < REQUESTS; i += 1) await round();
  stop();
  return middle(times.slice(times.length >> 2));
}

globalThis.__result(requests.length > 0 ? await byRequests() : await byCalls());
process.exit(0);
