// The table on the page of no-sync-in-handler, from bench/results/blocking-packages.json.
//   node bench/blocking-packages/table.js
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RESULT = fileURLToPath(new URL('../results/blocking-packages.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../../rules/no-sync-in-handler/README.md', import.meta.url));

const { machine, rows, blocks } = JSON.parse(readFileSync(RESULT, 'utf8'));
const line = (...all) => `| ${all.join(' | ')} |`;
const versions = [...new Set(Object.values(rows).flatMap((row) => Object.keys(row)))];
const cells = (row, key) => versions.map((version) => row[version]?.[key] ?? '–');

const text = [
  line('call', ...versions.map((version) => `Node ${version}`), ...versions.map((version) => `first call, Node ${version}`)),
  `|${'--|'.repeat(2 * versions.length + 1)}`,
  ...Object.entries(rows).map(([name, row]) => line(name, ...cells(row, 'each'), ...cells(row, 'first'))),
  '',
  'The longest time between two turns of the event loop, in wall-clock time, which other work on the machine increases:',
  '',
  line('calls', ...versions.map((version) => `Node ${version}`)),
  `|${'--|'.repeat(versions.length + 1)}`,
  ...Object.entries(blocks).map(([name, row]) => line(name, ...cells(row, 'longest'))),
  '',
  `All in ms. ${machine.platform}, ${machine.cpu}, ${machine.cores} cores, load ${machine.load}, ${machine.date}, median of ${machine.processes} ${String(machine.processes) === '1' ? 'process' : 'processes'}; versions of the packages are in \`bench/blocking-packages/packages.json\`. \`node bench/blocking-packages/measure.js\` measures it again.`,
].join('\n');

const page = readFileSync(PAGE, 'utf8');
const marked = /(<!-- packages: written by bench\/blocking-packages\/table\.js -->\n)[^]*?(<!-- \/packages -->)/;
if (!marked.test(page)) throw new Error(`${PAGE} has no place for the table`);
writeFileSync(
  PAGE,
  page.replace(marked, (_, before, after) => `${before}\n${text}\n\n${after}`),
);
