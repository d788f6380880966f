// Loaded before a case of the truth bench: counters and a clock for code that was inserted by hand, servers on a free port, a timer that is
// due.
'use strict';
const fs = require('node:fs');
const net = require('node:net');
const { isMainThread } = require('node:worker_threads');

// What the case starts itself is not asked.
const { TRUTH_PLAN: plan, TRUTH_RESULT: resultFile } = process.env;
delete process.env.TRUTH_PLAN;
delete process.env.TRUTH_RESULT;
globalThis.__plan = plan === undefined ? undefined : JSON.parse(plan);

const hits = Object.create(null);
const ms = Object.create(null);
const times = Object.create(null);
const MOST_KEPT = 1000;
let late = 0;

globalThis.__hit = (name, count = 1) => {
  hits[name] = (hits[name] ?? 0) + count;
};
const add = (name, time) => {
  const one = (ms[name] ??= { total: 0, longest: 0, count: 0, middle: 0 });
  if (one.count < MOST_KEPT) (times[name] ??= []).push(time);
  one.total += time;
  one.count += 1;
  if (time > one.longest) one.longest = time;
};
globalThis.__timed = (name, fn) => {
  const start = performance.now();
  try {
    return fn();
  } finally {
    add(name, performance.now() - start);
  }
};
const begun = Object.create(null);
globalThis.__from = (name) => {
  begun[name] = performance.now();
};
globalThis.__to = (name) => add(name, performance.now() - begun[name]);

const DUE_MS = 2;
const spent = () => process.cpuUsage().user / 1000;
/** How late a timer is, again and again; what other programs take of the processor is not counted. */
globalThis.__watch = () => {
  let due;
  let before;
  const note = () => {
    late = Math.max(late, Math.min(performance.now() - due, spent() - before));
  };
  const set = () => {
    due = performance.now() + DUE_MS;
    before = spent();
    setTimeout(() => {
      note();
      set();
    }, DUE_MS).unref();
  };
  set();
  return note;
};
globalThis.__result = (perDrive) => {
  for (const name in times) ms[name].middle = times[name].sort((a, b) => a - b)[times[name].length >> 1];
  if (resultFile) fs.writeFileSync(resultFile, JSON.stringify({ perDrive, counters: { hits, ms, late } }));
};

if (isMainThread) {
  const { listen } = net.Server.prototype;
  net.Server.prototype.listen = function (...args) {
    this.once('listening', () => {
      globalThis.__port = this.address().port;
      globalThis.__listening?.();
    });
    if (typeof args[0] === 'object' && args[0] !== null) args[0] = { ...args[0], port: 0 };
    else args[0] = 0;
    return listen.apply(this, args);
  };
  // A program that is run as it is tells at its end what there is to tell.
  if (!/driver\.mjs$/.test(process.argv[1] ?? '')) {
    const end = globalThis.__watch();
    process.once('exit', () => {
      end();
      globalThis.__result(undefined);
    });
  }
}
