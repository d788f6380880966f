// How long it takes to capture a stack and to read it, by the depth of the calls and by Error.stackTraceLimit.
//   node bench/stack-capture.js [--header]    rows of the Markdown table on the page of the rule no-stack-capture
// No dependencies, Node 18 or later. Each figure is the median of several turns, in which the forms take turns, less what an object takes.
import { parseArgs } from 'node:util';

const { values } = parseArgs({ options: { header: { type: 'boolean' } } });
const TURNS = 9;
const CALLS = 5000;
/** Frames kept, functions around. */
const SETTINGS = [
  [10, 10],
  [10, 30],
  [30, 30],
  [0, 10],
];

let sink;
const forms = [
  ['an object', () => (sink = { message: 'late' })],
  ['`new Error()`', () => (sink = new Error('late'))],
  ['`new Error().stack`', () => (sink = new Error('late').stack)],
  [
    '`Error.captureStackTrace(object)`',
    () => {
      const object = {};
      Error.captureStackTrace(object);
      sink = object;
    },
  ],
];

/** The addition keeps the call from being the last thing that is done. */
const through = (depth, form) => (depth === 0 ? (form(), 1) : through(depth - 1, form) + 1);

/** Waiting for a processor is not the form's fault: where the processor worked for less, that counts. */
function nsOf(form, depth) {
  const before = process.cpuUsage();
  const start = performance.now();
  for (let i = 0; i < CALLS; i += 1) through(depth, form);
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return (Math.min(wall, (user + system) / 1000) * 1e6) / CALLS;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const worded = (ns) => (ns >= 1000 ? `${Number((ns / 1000).toPrecision(2))} µs` : `${Number(ns.toPrecision(2))} ns`);

const named = forms.slice(1);
if (values.header)
  console.log(
    `| Node | \`stackTraceLimit\` | depth | ${named.map(([name]) => name).join(' | ')} |\n|--|--|--|${'--|'.repeat(named.length)}`,
  );
for (const [limit, depth] of SETTINGS) {
  Error.stackTraceLimit = limit;
  const times = forms.map(() => []);
  for (const [, form] of forms) nsOf(form, depth);
  for (let turn = 0; turn < TURNS; turn += 1) for (const [i, [, form]] of forms.entries()) times[i].push(nsOf(form, depth));
  const [object, ...others] = times.map(median);
  console.log(`| ${process.versions.node} | ${limit} | ${depth} | ${others.map((ns) => worded(Math.max(0, ns - object))).join(' | ')} |`);
}
if (sink === undefined) throw new Error('nothing was captured');
