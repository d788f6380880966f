// How long a deep copy of records takes, by its size and by how it is made, and a copy of the top level alone.
//   node bench/deep-clone.js [--header]    rows of the Markdown table on the page of the rule no-deep-clone
//   node bench/deep-clone.js --lodash <folder of the package>    with lodash's cloneDeep
// No dependencies, Node 18 or later. Each figure is the median of several turns, in which the forms take turns.
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { deserialize, serialize } from 'node:v8';

const { values } = parseArgs({ options: { header: { type: 'boolean' }, lodash: { type: 'string' } } });
const TURNS = 9;
/** Of one turn of one form, at least. */
const LEAST_MS = 20;
const SIZES = [1, 10, 100, 1000, 10_000];

const record = (i) => ({ id: i, name: `Name ${i}`, mail: `name${i}@example.org`, active: i % 2 === 0, price: i / 7, tags: ['a', 'b'] });
const forms = [
  ['`structuredClone`', structuredClone],
  ['JSON round trip', (value) => JSON.parse(JSON.stringify(value))],
  ['`v8.deserialize(v8.serialize())`', (value) => deserialize(serialize(value))],
  ...(values.lodash === undefined ? [] : [['`cloneDeep` of lodash', createRequire(import.meta.url)(values.lodash).cloneDeep]]),
  ['`[...list]`', (value) => [...value]],
];

let sink;

/** Waiting for a processor is not the copy's fault: where the processor worked for less, that counts. */
function timeOf(copy, input, calls) {
  const before = process.cpuUsage();
  const start = performance.now();
  for (let i = 0; i < calls; i += 1) sink = copy(input);
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return Math.min(wall, (user + system) / 1000);
}

function callsFor(copy, input) {
  let calls = 1;
  while (timeOf(copy, input, calls) < LEAST_MS) calls *= 2;
  return calls;
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[numbers.length >> 1];

/** `0.41 µs`, `1.2 ms` */
function worded(ms) {
  const [value, unit] = ms >= 1 ? [ms, 'ms'] : ms >= 1e-3 ? [ms * 1e3, 'µs'] : [ms * 1e6, 'ns'];
  return `${Number(value.toPrecision(2))} ${unit}`;
}

if (values.header)
  console.log(`| Node | records (bytes as JSON) | ${forms.map(([name]) => name).join(' | ')} |\n|--|--|${'--|'.repeat(forms.length)}`);
for (const size of SIZES) {
  const input = Array.from({ length: size }, (_, i) => record(i));
  const bytes = JSON.stringify(input).length;
  const calls = forms.map(([, copy]) => callsFor(copy, input));
  const times = forms.map(() => []);
  for (let turn = 0; turn < TURNS; turn += 1)
    for (const [i, [, copy]] of forms.entries()) times[i].push(timeOf(copy, input, calls[i]) / calls[i]);
  const cells = times.map((one) => worded(median(one)));
  console.log(`| ${process.versions.node} | ${size.toLocaleString('en-US')} (${bytes.toLocaleString('en-US')}) | ${cells.join(' | ')} |`);
}
if (sink === undefined) throw new Error('nothing was copied');
