// One process of `node bench/slow-api/measure.js`: for each row, ns of processor time per call of both forms, as JSON lines. The guards:
// both forms return the same for every input; inputs change from call to call, and all results are added up; one caller calls all forms, so
// that V8 cannot inline one into the loop and leave it out; twice as many calls take twice as long; the empty call is subtracted.
const { createRequire } = require('node:module');
const { isDeepStrictEqual } = require('node:util');
const { rowsOf } = require('./rows.cjs');

const WARM_UP_MS = 60;
const SAMPLES = 9;
const SAMPLE_MS = 6;
const NS_PER_US = 1000;

let sink = 0;
function consume(value) {
  sink += typeof value === 'number' ? value : typeof value === 'string' ? value.length : value ? 1 : 0;
}
const now = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];

function run(form, inputs, calls) {
  const start = now();
  for (let i = 0; i < calls; i += 1) consume(form(inputs[i % inputs.length]));
  return now() - start;
}

async function runAsync(form, inputs, calls) {
  const start = now();
  for (let i = 0; i < calls; i += 1) consume(await form(inputs[i % inputs.length]));
  return now() - start;
}

const EMPTY = [(one) => (typeof one === 'number' ? one : 1), async (one) => (typeof one === 'number' ? one : 1)];

async function measure({ inputs, slow, fast, done }) {
  for (const input of inputs) {
    const [a, b] = [await slow(input), await fast(input)];
    if (!isDeepStrictEqual(a, b)) return { problem: 'the two forms return different things' };
  }
  const timed = done ? runAsync : run;
  const forms = [slow, fast, EMPTY[done ? 1 : 0]];
  const counts = [];
  for (const form of forms) {
    let calls = 0;
    const began = now();
    for (let round = 64; now() - began < WARM_UP_MS * 1000; round = Math.min(2 * round, 4096)) {
      await timed(form, inputs, round);
      calls += round;
    }
    counts.push(Math.max(64, Math.round((calls * SAMPLE_MS) / WARM_UP_MS)));
  }
  const samples = forms.map(() => []);
  const doubled = forms.map(() => []);
  // In turns, so that what slows the machine down meets all of them.
  for (let sample = 0; sample < SAMPLES; sample += 1)
    for (const [at, form] of forms.entries()) {
      samples[at].push(((await timed(form, inputs, counts[at])) * NS_PER_US) / counts[at]);
      doubled[at].push(((await timed(form, inputs, 2 * counts[at])) * NS_PER_US) / (2 * counts[at]));
    }
  const [slowNs, fastNs, emptyNs] = samples.map(median);
  const growth = doubled.map(median).map((ns, at) => ns / [slowNs, fastNs, emptyNs][at]);
  return { slow: slowNs, fast: fastNs, empty: emptyNs, growth: growth.slice(0, 2).map((one) => Number(one.toFixed(2))) };
}

/** `20.12.0` against the running Node. */
function isOlder(version) {
  const [a, b] = [process.versions.node, version].map((one) => one.split('.').map(Number));
  const at = a.findIndex((part, i) => part !== b[i]);
  return at >= 0 && a[at] < b[at];
}

async function main() {
  process.emitWarning = () => undefined;
  for (const [name, row] of Object.entries(rowsOf(createRequire(`${process.argv[2]}/`)('jsonwebtoken')))) {
    if (row.since && isOlder(row.since)) continue;
    globalThis.gc();
    console.log(JSON.stringify({ name, ...(await measure(row)) }));
  }
  if (!Number.isFinite(sink)) process.exitCode = 1;
}
main();
