// From the click to the verdict: the built `nodometer profile` over one function of each kind that the samples have, started as a person
// starts it.
// `npm run bench:verdict [-- --rounds 3] [-- --node path/to/node] [-- --command path/to/nodometer.js] [-- --only nest] [-- --no-save]`
// prints a table and
// writes bench/results/click-to-verdict.json.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import type { ProfileReport } from '../protocol/evidence.ts';
import { buildCommand, table } from './lint-command.ts';
import { median } from './speed/measure.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RESULT = fileURLToPath(new URL('./results/click-to-verdict.json', import.meta.url));
const TARGET_SECONDS = 10;
const MOST_MS = 180_000;

interface Case {
  kind: string;
  sample: string;
  /** As the command takes it; `file` and a text of the line where the function begins, where it has no name. */
  at: string | { file: string; line: string };
}

const CASES: readonly Case[] = [
  { kind: 'plain function, a core call of 6 ms', sample: 'express-shop', at: 'lib/invoices.js:seal' },
  { kind: 'plain function, called as the file calls it', sample: 'batch-report', at: 'rows.js:measure' },
  { kind: 'function of an ES module that throws', sample: 'fastify-orders', at: 'signature.js:checkSignature' },
  { kind: 'async function that starves the event loop', sample: 'batch-report', at: 'queue.js:drain' },
  { kind: 'handler, node:http', sample: 'http-files', at: 'server.js:describe' },
  { kind: 'handler, node:http, computes', sample: 'number-service', at: 'server.js:isPrime' },
  { kind: 'handler, Express', sample: 'express-shop', at: 'lib/products.js:index' },
  { kind: 'handler, Koa', sample: 'koa-notes', at: 'routes/notes.js:list' },
  { kind: 'handler, Fastify, a hook of 30 ms', sample: 'fastify-orders', at: { file: 'app.js', line: "app.addHook('preHandler'" } },
  { kind: "another file's function behind that hook", sample: 'fastify-orders', at: 'totals.js:add' },
  { kind: 'handler, Nest in TypeScript behind tsx', sample: 'nest-users', at: 'src/users.controller.ts:create' },
  { kind: '… and a function behind it, 50 ms', sample: 'nest-users', at: 'src/users.controller.ts:hashOf' },
  { kind: 'TypeScript behind tsx, called', sample: 'nest-users', at: 'src/main.ts:buildApp' },
];

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1' },
    node: { type: 'string' },
    command: { type: 'string' },
    only: { type: 'string' },
    'no-save': { type: 'boolean', default: false },
  },
});

function targetOf({ at }: Case, folder: string): string {
  if (typeof at === 'string') return at;
  const line = readFileSync(join(folder, at.file), 'utf8')
    .split('\n')
    .findIndex((text) => text.includes(at.line));
  if (line < 0) throw new Error(`${at.file} has no line with ${at.line}`);
  return `${at.file}:${line + 1}`;
}

interface Outcome {
  seconds: number;
  /** How much of the machine other programs had meanwhile, from 0 to 1; undefined where the system does not tell. */
  others?: number;
  /** Of the processor, with all processes that were started and ended; undefined where the system does not tell. */
  processor?: number;
  verdicts: string;
  origin: string;
}

function run(command: string, one: Case, samples: string): Outcome {
  const folder = join(samples, one.sample);
  const output = join(samples, 'report.json');
  rmSync(output, { force: true });
  const args = [
    command,
    'profile',
    targetOf(one, folder),
    '--yes',
    '--no-save',
    '--format',
    'json',
    '--output-file',
    output,
    ...(values.node === undefined ? [] : ['--node', values.node]),
  ];
  const busyBefore = busySeconds();
  const start = performance.now();
  // A shell tells what everything below it has taken.
  const hasShell = process.platform !== 'win32';
  const done = hasShell
    ? spawnSync('sh', ['-c', '"$@"; code=$?; times; exit $code', 'sh', process.execPath, ...args], {
        cwd: folder,
        encoding: 'utf8',
        timeout: MOST_MS,
      })
    : spawnSync(process.execPath, args, { cwd: folder, encoding: 'utf8', timeout: MOST_MS });
  const seconds = (performance.now() - start) / 1000;
  if (!existsSync(output)) throw new Error(`${one.kind}: no report after ${seconds.toFixed(1)} s. ${done.stderr.trim()}`);
  const report = JSON.parse(readFileSync(output, 'utf8')) as ProfileReport;
  const processor = hasShell ? processorSeconds(done.stdout) : undefined;
  const others = processor === undefined ? undefined : Math.max(0, (busySeconds() - busyBefore - processor) / (seconds * cpus().length));
  return {
    seconds,
    processor,
    others,
    verdicts: [...new Set(report.verdicts.map(({ ruleId, verdict }) => `${verdict} ${ruleId}`))].join(', ') || 'nothing was claimed',
    origin: report.target.origin,
  };
}

/** Of all processors, since the system started. */
function busySeconds(): number {
  return cpus().reduce((sum, { times: { user, nice, sys, irq } }) => sum + user + nice + sys + irq, 0) / 1000;
}

/** `0m0.01s 0m0.00s` for the shell itself, then the same for what it started. */
function processorSeconds(text: string): number {
  const last = text.trim().split('\n').at(-1) ?? '';
  return [...last.matchAll(/(\d+)m([\d.,]+)s/g)].reduce(
    (sum, [, minutes, seconds]) => sum + Number(minutes) * 60 + Number(seconds?.replace(',', '.')),
    0,
  );
}

function percent(share: number | undefined): string {
  return share === undefined || Number.isNaN(share) ? '?' : `${Math.round(share * 100)} %`;
}

const command = values.command ?? (await buildCommand());
const samples = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-click-')));
try {
  cpSync(join(ROOT, 'samples'), samples, { recursive: true });
  symlinkSync(join(ROOT, 'node_modules'), join(samples, 'node_modules'), 'junction');
  const cases = CASES.filter(({ sample, kind }) => values.only === undefined || `${sample} ${kind}`.includes(values.only));
  const outcomes = new Map<Case, Outcome[]>(cases.map((one) => [one, []]));
  // In turns, so that a machine that others use, too, meets all of them.
  for (let round = 0; round < Number(values.rounds); round += 1) {
    for (const [one, list] of outcomes) {
      const outcome = run(command, one, samples);
      list.push(outcome);
      console.error(
        `${one.kind}: ${outcome.seconds.toFixed(1)} s, ${outcome.verdicts} (others had ${percent(outcome.others)} of the machine)`,
      );
    }
  }
  const rows = [...outcomes].map(([one, list]) => ({
    kind: one.kind,
    target: `${one.sample}/${targetOf(one, join(samples, one.sample))}`,
    origin: list.at(-1)?.origin ?? '',
    seconds: median(list.map(({ seconds }) => seconds)),
    worst: Math.max(...list.map(({ seconds }) => seconds)),
    processor: median(list.flatMap(({ processor }) => processor ?? [])),
    others: median(list.flatMap(({ others }) => others ?? [])),
    verdicts: list.at(-1)?.verdicts ?? '',
  }));
  console.log(
    table(
      ['kind', 'target', 'called', 's', 'worst', 'processor s', 'others', 'verdicts'],
      rows.map(({ kind, target, origin, seconds, worst, processor, others, verdicts }) => [
        kind,
        target,
        origin,
        seconds.toFixed(1),
        worst.toFixed(1),
        processor.toFixed(1),
        percent(others),
        verdicts,
      ]),
    ),
  );
  const late = rows.filter(({ seconds }) => seconds > TARGET_SECONDS);
  console.log(
    late.length === 0
      ? `All within ${TARGET_SECONDS} s.`
      : `Not within ${TARGET_SECONDS} s: ${late.map(({ target }) => target).join(', ')}.`,
  );
  if (!values['no-save']) {
    mkdirSync(join(RESULT, '..'), { recursive: true });
    writeFileSync(
      RESULT,
      `${JSON.stringify({ date: new Date().toISOString(), node: values.node ?? process.version, cpu: `${cpus().length} × ${cpus()[0]?.model ?? '?'}`, rounds: Number(values.rounds), load: loadavg().map((n) => Number(n.toFixed(1))), rows }, null, 2)}\n`,
    );
  }
} finally {
  rmSync(samples, { recursive: true, force: true, maxRetries: 5 });
}
