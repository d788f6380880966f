// How long `JSON.parse` takes for each megabyte, by what the text holds, and `JSON.stringify` for records.
//   node bench/json-time.js [--header]    one line of the Markdown table on the page of the rule no-unbounded-json
// No dependencies, Node 18 or later. The ranges of knowledge/json-times.ts are those of the table.
const SAMPLES = 9;
const MB = 1024 * 1024;

const record = (i) =>
  JSON.stringify({ id: i, name: `Name ${i}`, mail: `name${i}@example.org`, active: i % 2 === 0, price: i / 7, tags: ['a', 'b'] });
const numberText = (i) => String(i * 7919);
const emptyObject = () => '{}';
const longString = () => JSON.stringify('QUJDREVGR0hJSktMTU5PUFFSU1RVVldYWVo'.repeat(1000));

const columns = [
  ['parse: one long string', longString, 8, JSON.parse],
  ['parse: numbers', numberText, 8, JSON.parse],
  ['parse: records, 1 MB', record, 1, JSON.parse],
  ['parse: records', record, 8, JSON.parse],
  ['parse: `{}`, 1 MB', emptyObject, 1, JSON.parse],
  ['parse: `{}`', emptyObject, 8, JSON.parse],
  ['stringify: records', record, 8, JSON.stringify],
];

function listOf(make, bytes) {
  const parts = [];
  for (let i = 0, length = 2; length < bytes; i += 1) {
    const part = make(i);
    parts.push(part);
    length += part.length + 1;
  }
  return `[${parts.join(',')}]`;
}

function median(numbers) {
  return [...numbers].sort((a, b) => a - b)[numbers.length >> 1];
}

/** Waiting for a processor is not the work's fault: where the processor worked for less, that counts. */
function timeOf(work, input) {
  const before = process.cpuUsage();
  const start = performance.now();
  work(input);
  const wall = performance.now() - start;
  const { user, system } = process.cpuUsage(before);
  return Math.min(wall, (user + system) / 1000);
}

function perMegabyte([, make, megabytes, work]) {
  const text = listOf(make, megabytes * MB);
  const input = work === JSON.parse ? text : JSON.parse(text);
  return median(Array.from({ length: SAMPLES }, () => timeOf(work, input))) / (text.length / MB);
}

if (process.argv.includes('--header'))
  console.log(`| Node | ${columns.map(([name]) => name).join(' | ')} |\n|--|${'--|'.repeat(columns.length)}`);
console.log(`| ${process.versions.node} | ${columns.map((column) => perMegabyte(column).toFixed(1)).join(' | ')} |`);
