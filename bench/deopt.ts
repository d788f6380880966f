// The example that every page on deoptimizations has: numbers a million times, then one string. Is all of it told, every time? `npm run
// bench:deopt [-- --node 20,22,path/to/node] [-- --runs 20] [-- --form file] [-- --time 2] [-- --no-save]` profiles the function and the
// whole file as the command does, prints how often which part was told, and writes bench/results/deopt.json after each round.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { profileCommand } from '../cli/commands/profile.ts';
import type { ProfileReport } from '../protocol/evidence.ts';
import { table } from './lint-command.ts';
import { hostFor } from './truth/host.ts';
import { nodesFor } from './truth/nodes.ts';
import { inFolder } from './truth/run-check.ts';

const RESULT = fileURLToPath(new URL('./results/deopt.json', import.meta.url));
const FILE = 'add.js';
const TEXT = `function add(a, b) {
  return a + b;
}
let last;
for (let i = 0; i < 1_000_000; i += 1) last = add(i, i + 1);
last = add('', '');
module.exports = { add, last };
`;
/** The parameters of the function, and its operator. */
const FUNCTION_LINE = 1;
const OPERATOR = { line: 2, column: 12 };
const FORMS = { function: `${FILE}:add`, file: FILE } as const;
type Form = keyof typeof FORMS;

/** What has to be told, in a report as JSON. */
const PARTS: Readonly<Record<string, (report: ProfileReport) => boolean>> = {
  optimized: ({ tiers }) =>
    tiers.some(
      ({ place, tier, inlinedInto }) => place.line === FUNCTION_LINE && !inlinedInto && (tier === 'maglev' || tier === 'turbofan'),
    ),
  'deoptimized at the operator, "not a Smi"': ({ deopts }) =>
    deopts.some(
      ({ benign, reason, place }) => !benign && reason === 'not a Smi' && place.line === OPERATOR.line && place.column === OPERATOR.column,
    ),
  'a cost, or a bound of it': ({ verdicts }) =>
    verdicts.some(
      ({ ruleId, verdict, grounds }) =>
        ruleId === 'no-polymorphic-call' &&
        (verdict === 'confirmed' || verdict === 'seen') &&
        grounds.some((ground) => /no difference shown|ns per call|cost less than/.test(ground)),
    ),
};

const { values } = parseArgs({
  options: {
    node: { type: 'string' },
    runs: { type: 'string', default: '20' },
    form: { type: 'string' },
    time: { type: 'string', default: '2' },
    'no-save': { type: 'boolean', default: false },
  },
});

interface Row {
  node: string;
  form: Form;
  runs: number;
  /** Runs that told all of it. */
  complete: number;
  /** Runs by the part that they told. */
  told: Record<string, number>;
  /** What was said where a part was missing. */
  misses: string[];
  date: string;
  load: number;
}

async function profiled(form: Form, node: string): Promise<{ report?: ProfileReport; why: string }> {
  return inFolder({ [FILE]: TEXT }, async (folder) => {
    const { host, kept } = hostFor(folder);
    try {
      await profileCommand([FORMS[form], '--yes', '--no-save', '--format', 'json', '--time', values.time ?? '2', '--node', node], host);
    } catch (error) {
      return { why: error instanceof Error ? error.message : String(error) };
    }
    const report = JSON.parse(kept.out) as ProfileReport;
    const deopts = report.deopts.map(
      ({ place, reason, benign }) => `${benign ? 'warm-up ' : ''}${reason} at ${place.line}:${place.column}`,
    );
    const verdicts = report.verdicts.map(({ verdict, figure }) => `${verdict}: ${figure}`);
    return { report, why: [...deopts, ...verdicts, ...report.problems].join('; ') };
  });
}

const nodes = await nodesFor(values.node);
const forms = (Object.keys(FORMS) as Form[]).filter((form) => values.form === undefined || form === values.form);
const rows = new Map<string, Row>();
const keyOf = ({ node, form }: Pick<Row, 'node' | 'form'>): string => `${node} ${form}`;

function save(): void {
  // What was not asked for keeps its row, so that a record can be made in parts, even at the same time.
  const before = existsSync(RESULT) ? (JSON.parse(readFileSync(RESULT, 'utf8')) as { rows: Row[] }).rows : [];
  const all = new Map([...before.map((row) => [keyOf(row), row] as const), ...rows]);
  const sorted = [...all.values()].sort((a, b) => keyOf(a).localeCompare(keyOf(b), 'en', { numeric: true }));
  mkdirSync(dirname(RESULT), { recursive: true });
  const cpu = `${cpus().length} × ${cpus()[0]?.model ?? '?'}`;
  writeFileSync(RESULT, `${JSON.stringify({ cpu, seconds: Number(values.time), rows: sorted }, null, 2)}\n`);
}

// In turns, so that a change of the machine meets all of them.
for (let round = 0; round < Number(values.runs); round += 1) {
  for (const { path, version } of nodes)
    for (const form of forms) {
      const { report, why } = await profiled(form, path);
      const told = Object.entries(PARTS).map(([name, isTold]) => [name, report !== undefined && isTold(report)] as const);
      const isComplete = told.every(([, is]) => is);
      const empty: Row = { node: version, form, runs: 0, complete: 0, told: {}, misses: [], date: '', load: 0 };
      const row = rows.get(keyOf(empty)) ?? empty;
      rows.set(keyOf(row), row);
      row.runs += 1;
      row.complete += Number(isComplete);
      for (const [name, is] of told) row.told[name] = (row.told[name] ?? 0) + Number(is);
      if (!isComplete) row.misses.push(why);
      row.date = new Date().toISOString();
      row.load = Number((loadavg()[0] ?? 0).toFixed(1));
      console.error(`${round + 1}/${values.runs} Node ${version} ${form}: ${isComplete ? 'told' : `MISSED (${why})`}`);
    }
  if (!values['no-save']) save();
}

const names = Object.keys(PARTS);
console.log(
  table(
    ['Node', 'profiled', 'runs', ...names, 'all'],
    [...rows.values()].map(({ node, form, runs, told, complete }) => [
      node,
      form,
      String(runs),
      ...names.map((name) => String(told[name] ?? 0)),
      String(complete),
    ]),
  ),
);
for (const { node, form, misses } of rows.values()) for (const miss of misses) console.log(`missed on Node ${node}, ${form}: ${miss}`);
