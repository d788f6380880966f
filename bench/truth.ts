// Is the verdict true? Profiles every case of bench/truth/cases as `nodometer profile` does, and holds each verdict against what is known
// from elsewhere (truth/establish.ts). `npm run bench:truth [-- --node 20,22] [--only <part of a name>] [--rule <id>] [--ci] [--all]
// [--time 2] [--lanes 2] [--no-save]` prints right and wrong by verdict and by rule, then the wrong ones with what was said and why, and
// writes bench/results/truth.json.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, loadavg } from 'node:os';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { profileCommand } from '../cli/commands/profile.ts';
import type { ProfileReport } from '../protocol/evidence.ts';
import { table } from './lint-command.ts';
import { lineOf, truthOn, WORDS, type TruthCase, type Word } from './truth/case.ts';
import { cases } from './truth/cases/index.ts';
import { hostFor } from './truth/host.ts';
import { nodesFor, type TruthNode } from './truth/nodes.ts';
import { keyOf, readRecord } from './truth/record.ts';
import { inFolder } from './truth/run-check.ts';

const RESULT = fileURLToPath(new URL('./results/truth.json', import.meta.url));

const { values } = parseArgs({
  options: {
    node: { type: 'string' },
    only: { type: 'string' },
    rule: { type: 'string' },
    ci: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    time: { type: 'string', default: '2' },
    lanes: { type: 'string', default: '1' },
    'no-save': { type: 'boolean', default: false },
  },
});

interface Row {
  rule: string;
  messageId: string;
  name: string;
  node: string;
  truth: Word;
  /** What was said; `none` where the finding got no verdict, `no report` where the run failed. */
  said: string;
  figure: string;
  grounds: readonly string[];
  seconds: number;
}

async function judged(one: TruthCase, { path, version }: TruthNode, truth: Word): Promise<Row> {
  const { target, finding } = one;
  const start = performance.now();
  const row = { rule: finding.ruleId, messageId: finding.messageId, name: one.name, node: version, truth };
  const ended = (said: string, figure: string, grounds: readonly string[] = []): Row => ({
    ...row,
    said,
    figure,
    grounds,
    seconds: Math.round((performance.now() - start) / 100) / 10,
  });
  return inFolder(one.files, async (folder) => {
    const { host, kept } = hostFor(folder);
    const argv = [
      target.function === undefined ? target.file : `${target.file}:${target.function}`,
      ...(target.calls ?? []).flatMap((call) => ['--call', call]),
      ...(target.requests ?? []).flatMap((request) => ['--request', request]),
      ...(target.entry === undefined ? [] : ['--entry', target.entry]),
      ...['--yes', '--no-save', '--format', 'json', '--time', values.time ?? '2', '--node', path],
    ];
    try {
      await profileCommand(argv, host);
    } catch (error) {
      return ended('no report', error instanceof Error ? error.message : String(error));
    }
    const report = JSON.parse(kept.out) as ProfileReport;
    const line = lineOf(one);
    const file = `${folder}/${finding.file ?? target.file}`;
    const here = report.verdicts.find(
      ({ ruleId, messageId, place }) =>
        ruleId === finding.ruleId && messageId === finding.messageId && place.line === line && place.file === file,
    );
    if (here) return ended(here.verdict, here.figure, here.grounds);
    const others = report.verdicts.map(
      ({ ruleId, messageId, place, verdict }) => `${ruleId} ${messageId} ${place.line}:${place.column} ${verdict}`,
    );
    return ended('none', others.length > 0 ? `only ${others.join('; ')}` : 'no verdict at all', report.problems);
  });
}

const wanted = cases.filter(
  ({ name, finding, inCi }) =>
    (values.only === undefined || name.includes(values.only)) &&
    (values.rule === undefined || finding.ruleId === values.rule) &&
    (!values.ci || inCi),
);
const record = readRecord();
let unproven = 0;
const waiting = (await nodesFor(values.node)).flatMap((node) =>
  wanted.flatMap((one) => {
    const truth = truthOn(one.truth, node.major);
    if (truth === undefined) return [];
    const known = record[keyOf(one)]?.[node.major];
    if (!values.all && !(known?.holds && known.truth === truth)) {
      unproven += 1;
      return [];
    }
    return [{ one, node, truth }];
  }),
);
const total = waiting.length;
const rows: Row[] = [];
const lane = async (): Promise<void> => {
  for (let next = waiting.shift(); next; next = waiting.shift()) {
    const row = await judged(next.one, next.node, next.truth);
    rows.push(row);
    const isRight = row.said === row.truth;
    console.error(
      `${rows.length}/${total} ${isRight ? 'right' : 'WRONG'} ${row.node} ${row.rule} ${row.name}: ${row.said}${isRight ? '' : `, and ${row.truth} is true`} (${row.seconds} s)`,
    );
  }
};
await Promise.all(Array.from({ length: Number(values.lanes) }, lane));

const done = rows.length;
const asked = [...rows];
// What was not asked for keeps its row, so that a record can be made in parts.
if (!values['no-save']) {
  const kept = existsSync(RESULT) ? (JSON.parse(readFileSync(RESULT, 'utf8')) as { rows: Row[] }).rows : [];
  const caseOf = new Map(cases.map((one) => [keyOf(one), one]));
  const keyOfRow = ({ rule, name, node }: Row) => `${rule}: ${name}: ${node}`;
  const isNew = new Set(rows.map(keyOfRow));
  for (const row of kept) {
    const one = caseOf.get(`${row.rule}: ${row.name}`);
    const isStill = one !== undefined && truthOn(one.truth, Number.parseInt(row.node, 10)) === row.truth;
    if (isStill && !isNew.has(keyOfRow(row))) rows.push({ ...row, messageId: one.finding.messageId });
  }
}

const right = (some: readonly Row[]) => some.filter(({ said, truth }) => said === truth).length;
const share = (some: readonly Row[]) => (some.length === 0 ? '' : `${Math.round((right(some) / some.length) * 100)} %`);
const lines = (title: string, groups: readonly (readonly [string, readonly Row[]])[]) =>
  table(
    [title, 'right', 'wrong', ''],
    groups
      .filter(([, some]) => some.length > 0)
      .map(([name, some]) => [name, String(right(some)), String(some.length - right(some)), share(some)]),
  );
const by = (key: (row: Row) => string) =>
  [...new Set(rows.map(key))].sort().map((name) => [name, rows.filter((row) => key(row) === name)] as const);
const saidWords = [...WORDS, 'none', 'no report'];

console.log(
  lines(
    'said',
    saidWords.map((word) => [word, rows.filter(({ said }) => said === word)] as const),
  ),
);
console.log(
  lines(
    'true',
    WORDS.map((word) => [word, rows.filter(({ truth }) => truth === word)] as const),
  ),
);
console.log(
  lines(
    'rule',
    by(({ rule }) => rule),
  ),
);
console.log(
  lines(
    'Node',
    by(({ node }) => node),
  ),
);
for (const { rule, messageId, name, node, said, truth, figure, grounds } of asked.filter((row) => row.said !== row.truth)) {
  console.log(`\n${rule} ${messageId}, Node ${node}: ${name}\n  said ${said}, true ${truth}: ${figure}`);
  for (const ground of grounds) console.log(`  ${ground}`);
}
console.log(`\n${right(asked)} of ${done} right (${share(asked)}).`);
if (rows.length > done) console.log(`With the rows that are kept: ${right(rows)} of ${rows.length} right (${share(rows)}).`);
if (unproven > 0)
  console.log(`${unproven} left out: their truth was not established on that Node, or did not hold (--all runs them, too).`);
if (!values['no-save']) {
  mkdirSync(dirname(RESULT), { recursive: true });
  const counted = (groups: readonly (readonly [string, readonly Row[]])[]) =>
    Object.fromEntries(groups.filter(([, some]) => some.length > 0).map(([name, some]) => [name, { right: right(some), of: some.length }]));
  const result = {
    date: new Date().toISOString(),
    nodes: [...new Set(rows.map(({ node }) => node))],
    cpu: `${cpus().length} × ${cpus()[0]?.model ?? '?'}`,
    load: loadavg().map((n) => Number(n.toFixed(1))),
    seconds: Number(values.time),
    right: right(rows),
    of: rows.length,
    leftOut: unproven,
    said: counted(saidWords.map((word) => [word, rows.filter(({ said }) => said === word)] as const)),
    true: counted(WORDS.map((word) => [word, rows.filter(({ truth }) => truth === word)] as const)),
    rules: counted(by(({ rule }) => rule)),
    // The grounds are in the output only.
    rows: [...rows]
      .sort((a, b) => (`${a.node} ${a.rule} ${a.name}` < `${b.node} ${b.rule} ${b.name}` ? -1 : 1))
      .map((row) => ({ ...row, grounds: [] })),
  };
  writeFileSync(RESULT, `${JSON.stringify(result, null, 2)}\n`);
}
