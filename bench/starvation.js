// When a timer of 5 ms and a read of a small file are done while a function requeues itself for 300 ms, by the way it does so.
//   node bench/starvation.js [--header]    one line of the Markdown table on the page of the rule no-microtask-starvation
// No dependencies, Node 18 or later.
import { readFile } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { setImmediate as yieldToEventLoop, setTimeout as sleep } from 'node:timers/promises';

const BUSY_MS = 300;
const TIMER_MS = 5;
const EVERY = 1000;

const ways = {
  'process.nextTick': (isOver) =>
    new Promise((resolve) => {
      (function round() {
        if (isOver()) resolve();
        else process.nextTick(round);
      })();
    }),
  queueMicrotask: (isOver) =>
    new Promise((resolve) => {
      (function round() {
        if (isOver()) resolve();
        else queueMicrotask(round);
      })();
    }),
  'Promise.resolve().then': (isOver) =>
    new Promise((resolve) => {
      (function round() {
        if (isOver()) resolve();
        else Promise.resolve().then(round);
      })();
    }),
  'await null; return itself': (isOver) =>
    (async function round() {
      await null;
      return isOver() ? undefined : round();
    })(),
  'while (…) await null': async (isOver) => {
    while (!isOver()) await null;
  },
  'for await (generator)': async (isOver) => {
    async function* rounds() {
      while (true) yield isOver();
    }
    for await (const over of rounds()) if (over) return;
  },
  setImmediate: (isOver) =>
    new Promise((resolve) => {
      (function round() {
        if (isOver()) resolve();
        else setImmediate(round);
      })();
    }),
  'a turn every 1,000 rounds': async (isOver) => {
    for (let n = 1; !isOver(); n += 1) {
      await null;
      if (n % EVERY === 0) await yieldToEventLoop();
    }
  },
};

async function measure(way) {
  const start = performance.now();
  const done = { timer: NaN, file: NaN };
  const waiting = Promise.all([
    new Promise((resolve) =>
      setTimeout(() => {
        done.timer = performance.now() - start;
        resolve();
      }, TIMER_MS),
    ),
    new Promise((resolve) =>
      readFile(new URL(import.meta.url), () => {
        done.file = performance.now() - start;
        resolve();
      }),
    ),
  ]);
  await way(() => performance.now() - start > BUSY_MS);
  await waiting;
  await sleep(TIMER_MS);
  return `${Math.round(done.timer)} / ${Math.round(done.file)}`;
}

const cells = [];
for (const way of Object.values(ways)) cells.push(await measure(way));
if (process.argv.includes('--header')) {
  console.log(
    `| Node | ${Object.keys(ways)
      .map((name) => `\`${name}\``)
      .join(' | ')
      .replace('`a turn every 1,000 rounds`', 'a turn every 1,000 rounds')} |`,
  );
  console.log(`|--|${'--|'.repeat(cells.length)}`);
}
console.log(`| ${process.versions.node} | ${cells.join(' | ')} |`);
