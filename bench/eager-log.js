// How long it takes to make text of a payload for a log line that nobody reads, by the size of the payload.
//   node bench/eager-log.js [--header]    rows of the Markdown table on the page of the rule no-eager-log
// No dependencies, Node 18 or later. Each figure is the median of several turns, in which the forms take turns.
import { debuglog, inspect, parseArgs } from 'node:util';

const { values } = parseArgs({ options: { header: { type: 'boolean' } } });
const TURNS = 9;
/** Of one turn of one form, at least. */
const LEAST_MS = 20;
const SIZES = [1024, 16 * 1024];

const debug = debuglog('bench');
let sink;
const record = (i) => ({ id: i, name: `Name ${i}`, mail: `name${i}@example.org`, active: i % 2 === 0, price: i / 7, tags: ['a', 'b'] });

/** Records of that many bytes as JSON, about. */
function payloadOf(bytes) {
  const records = [];
  while (JSON.stringify(records).length < bytes) records.push(record(records.length));
  return { records, buffer: Buffer.alloc(bytes, 7) };
}

const forms = [
  ['`JSON.stringify(x)`', ({ records }) => (sink = JSON.stringify(records))],
  ['`JSON.stringify(x, null, 2)`', ({ records }) => (sink = JSON.stringify(records, null, 2))],
  ['`util.inspect(x)`', ({ records }) => (sink = inspect(records))],
  ["`buffer.toString('hex')`", ({ buffer }) => (sink = buffer.toString('hex'))],
  ["a level that is off: `debug('%j', x)`", ({ records }) => debug('%j', records)],
  ['the template alone: `${id}`', ({ records }) => (sink = `asked for ${records.length}`)],
];

/** Waiting for a processor is not the form's fault: where the processor worked for less, that counts. */
function timeOf(form, payload, calls) {
  const before = process.cpuUsage();
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) form(payload);
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return Math.min(wall, (user + system) / 1000);
}

function callsFor(form, payload) {
  let calls = 1;
  while (timeOf(form, payload, calls) < LEAST_MS) calls *= 2;
  return calls;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
const worded = (ns) => (ns >= 1000 ? `${Number((ns / 1000).toPrecision(2))} µs` : `${Number(ns.toPrecision(2))} ns`);

if (values.header) console.log(`| Node | payload | ${forms.map(([name]) => name).join(' | ')} |\n|--|--|${'--|'.repeat(forms.length)}`);
for (const size of SIZES) {
  const payload = payloadOf(size);
  const calls = forms.map(([, form]) => callsFor(form, payload));
  const times = forms.map(() => []);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [i, [, form]] of forms.entries()) times[i].push((timeOf(form, payload, calls[i]) / calls[i]) * 1e6);
  console.log(`| ${process.versions.node} | ${size / 1024} KiB | ${times.map((one) => worded(median(one))).join(' | ')} |`);
}
if (sink === undefined) throw new Error('nothing was made');
