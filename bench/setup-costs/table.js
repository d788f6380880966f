// The tables on the page of no-setup-per-request, from bench/results/setup-costs.json.
//   node bench/setup-costs/table.js
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const RESULT = fileURLToPath(new URL('../results/setup-costs.json', import.meta.url));
const PAGE = fileURLToPath(new URL('../../rules/no-setup-per-request/README.md', import.meta.url));
const NS_PER_US = 1000;
const NS_PER_MS = 1e6;

const { machine, rows, connections } = JSON.parse(readFileSync(RESULT, 'utf8'));
const [first] = Object.values(rows);
const versions = Object.keys(first.build);
const shown = (ns, unit) => String(Number((ns / unit).toPrecision(2)));
const cells = (byVersion, unit) => versions.map((version) => (byVersion?.[version] === undefined ? '–' : shown(byVersion[version], unit)));
const line = (...all) => `| ${all.join(' | ')} |`;

// What was measured later than the rest has a note.
const later = Object.entries(rows).filter(([, row]) => row.later);
const notes = [
  ...new Set(
    later.map(
      ([
        ,
        {
          later: { date, load, processes },
        },
      ]) => `${date}, load ${load}, median of ${processes} processes`,
    ),
  ),
];
const mark = (row) => (row.later ? ' *' : '');

const text = [
  line('what', ...versions.map((version) => `build, Node ${version}`), ...versions.map((version) => `use, Node ${version}`)),
  `|${'--|'.repeat(2 * versions.length + 1)}`,
  ...Object.entries(rows).map(([name, row]) => line(`${name}${mark(row)}`, ...cells(row.build, NS_PER_US), ...cells(row.use, NS_PER_US))),
  '',
  'µs of processor time. A request or query over a connection that is kept / one of its own, on the same machine, in ms of processor time (of both ends for HTTP, of the client for PostgreSQL):',
  '',
  line('connection', ...versions.map((version) => `Node ${version}`)),
  `|${'--|'.repeat(versions.length + 1)}`,
  ...Object.entries(connections).map(([name, byVersion]) =>
    line(name, ...versions.map((version) => `${shown(byVersion[version].kept, NS_PER_MS)} / ${shown(byVersion[version].own, NS_PER_MS)}`)),
  ),
  '',
  `${machine.platform}, ${machine.cpu}, ${machine.cores} cores, load ${machine.load}, ${machine.date}, median of ${machine.processes} processes; versions of the packages are in \`bench/setup-costs/packages.json\`. \`node bench/setup-costs/measure.js\` measures it again.${notes.length > 0 ? ` \\* ${notes.join('; ')}.` : ''}`,
].join('\n');

const page = readFileSync(PAGE, 'utf8');
const marked = /(<!-- setup-costs: written by bench\/setup-costs\/table\.js -->\n)[^]*?(<!-- \/setup-costs -->)/;
if (!marked.test(page)) throw new Error(`${PAGE} has no place for the table`);
writeFileSync(
  PAGE,
  page.replace(marked, (_, before, after) => `${before}\n${text}\n\n${after}`),
);
