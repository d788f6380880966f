// Speed, all of it in one run: bare Babel parse, Nodometer with all rules, ESLint 10 with n/no-sync alone, oxlint's perf category.
// `npm run bench:speed [-- --set small] [-- --rounds 3] [-- --no-save]` prints a table and writes bench/results/speed.json.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build } from 'esbuild';
import { buildCommand, table } from './lint-command.ts';
import { measure, median, percentile, type Command, type Measurement } from './speed/measure.ts';
import { getFileSet, SET_NAMES, type FileSet } from './speed/sets.ts';
import { fetchPackage } from './packages.ts';
import { installPeers, PEERS, peerVersion } from './peers.ts';
import { scriptsBelow } from './script-files.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const CACHE = fileURLToPath(new URL('../.cache/speed', import.meta.url));
const RESULT = join(HERE, 'results', 'speed.json');

/** What we hold ourselves to. */
const TARGETS = { lintPerParse: 2, eslintPerNodometer: 4, editPerParse: 2.5 } as const;

const { values } = parseArgs({
  options: {
    set: { type: 'string', multiple: true },
    rounds: { type: 'string', default: '3' },
    edits: { type: 'string', default: '60' },
    'no-save': { type: 'boolean', default: false },
  },
});
const rounds = Number(values.rounds);

async function bundleInProcess(): Promise<string> {
  const outfile = join(CACHE, 'in-process.mjs');
  await build({
    entryPoints: [join(HERE, 'speed', 'in-process.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: `import{createRequire as benchRequire}from'node:module';const require=benchRequire(import.meta.url);` },
  });
  return outfile;
}

/** ESLint's configuration for a set: the one rule, and the parser that TypeScript needs. */
function writeEslintConfig(set: FileSet): string {
  const path = join(PEERS, `eslint.${set.name}.mjs`);
  writeFileSync(
    path,
    `import n from 'eslint-plugin-n';
import * as typescript from '@typescript-eslint/parser';
// With the parser's services, n/no-sync 18.5 refuses to run unless types are worked out too, which would cost ESLint far more.
const parser = { meta: typescript.meta, parseForESLint: (text, options) => ({ ...typescript.parseForESLint(text, options), services: {} }) };
export default [
  // Comments of the files themselves name rules that are not loaded here.
  { linterOptions: { noInlineConfig: true, reportUnusedDisableDirectives: 'off' } },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], languageOptions: { sourceType: 'commonjs' } },
  { files: ['**/*.ts'], languageOptions: { parser } },
  { files: ['**/*.{js,mjs,cjs,ts}'], plugins: { n }, rules: { 'n/no-sync': 'warn' } },
];
`,
  );
  return path;
}

function commandsFor(set: FileSet, command: string, inProcess: string): Command[] {
  const list = join(CACHE, `${set.name}.files`);
  writeFileSync(list, set.files.join('\n'));
  const targets = set.namesFiles ? set.files : [set.folder];
  const lint = [
    command,
    'lint',
    ...targets,
    '--no-ignore',
    '--no-config',
    '--no-progress',
    '--no-project',
    '--format',
    'json',
    '--exit-zero',
  ];
  return [
    { name: 'Babel parse', file: process.execPath, args: [inProcess, 'parse', list], okCodes: [0] },
    { name: 'Nodometer, all rules', file: process.execPath, args: [...lint, '--no-cache'], okCodes: [0] },
    { name: 'Nodometer, nothing changed', file: process.execPath, args: lint, okCodes: [0] },
    {
      name: `ESLint ${peerVersion('eslint')}, n/no-sync`,
      file: process.execPath,
      args: [
        join(PEERS, 'node_modules/eslint/bin/eslint.js'),
        '--no-ignore',
        '--config',
        writeEslintConfig(set),
        '--format',
        'json',
        ...targets,
      ],
      cwd: CACHE,
      okCodes: [0, 1],
    },
    {
      name: `oxlint ${peerVersion('oxlint')}, perf`,
      file: join(PEERS, 'node_modules/.bin/oxlint'),
      args: ['-A', 'all', '-W', 'perf', '--no-ignore', '--format', 'json', ...targets],
      cwd: CACHE,
      okCodes: [0, 1],
    },
  ];
}

interface SetResult {
  set: string;
  about: string;
  files: number;
  lines: number;
  megabytes: number;
  cold: Record<string, { seconds: number; megabytes?: number; all: number[] }>;
  warm: { parseMs: number; lintMs: number; ratio: number; findings: number };
  coldRatioToParse: number;
  eslintPerNodometer: number;
}

function measureSet(name: string, command: string, inProcess: string): SetResult {
  const set = getFileSet(name, CACHE);
  const commands = commandsFor(set, command, inProcess);
  const samples = new Map<string, Measurement[]>(commands.map((one) => [one.name, []]));
  // Round by round, not tool by tool: what the machine does beside it hits all alike. The first round warms the disk and is dropped.
  for (let round = -1; round < rounds; round++) {
    for (const one of commands) {
      const result = measure(one);
      if (round >= 0) samples.get(one.name)?.push(result);
    }
  }
  const cold: SetResult['cold'] = {};
  for (const [tool, runs] of samples) {
    const memory = runs.flatMap((run) => (run.megabytes === undefined ? [] : [run.megabytes]));
    cold[tool] = {
      seconds: median(runs.map((run) => run.seconds)),
      ...(memory.length > 0 ? { megabytes: Math.max(...memory) } : {}),
      all: runs.map((run) => run.seconds),
    };
  }
  const warm = JSON.parse(
    measure({
      name: 'in process',
      file: process.execPath,
      args: [inProcess, 'rounds', join(CACHE, `${set.name}.files`), String(Math.max(rounds, 3))],
      okCodes: [0],
    }).stdout,
  ) as { parseMs: number[]; lintMs: number[]; findings: number };
  const seconds = (part: string): number => Object.entries(cold).find(([tool]) => tool.startsWith(part))?.[1].seconds ?? Number.NaN;
  return {
    set: set.name,
    about: set.about,
    files: set.files.length,
    lines: set.lines,
    megabytes: set.bytes / 1e6,
    cold,
    warm: {
      parseMs: median(warm.parseMs),
      lintMs: median(warm.lintMs),
      ratio: median(warm.lintMs) / median(warm.parseMs),
      findings: warm.findings,
    },
    coldRatioToParse: seconds('Nodometer') / seconds('Babel'),
    eslintPerNodometer: seconds('ESLint') / seconds('Nodometer'),
  };
}

interface EditResult {
  file: string;
  lines: number;
  p50: Record<string, number>;
  p95: Record<string, number>;
  ratio: number;
}

/** The published file whose number of lines is nearest; servers' own code, CommonJS, so that all three read it alike. */
function fileOfLength(lines: number): string {
  const files = (['fastify@5.12.8', 'ghost@5.130.6', 'pm2@7.0.4', 'sequelize@6.37.8', 'mongoose@9.12.1'] as const).flatMap((spec) =>
    [...scriptsBelow(fetchPackage(spec))].filter((file) => file.endsWith('.js') && !/\.min\.|\/built\/|\/public\//.test(file)),
  );
  const distance = (file: string): number => Math.abs(readFileSync(file, 'utf8').split('\n').length - lines);
  return files.map((file) => ({ file, away: distance(file) })).reduce((best, one) => (one.away < best.away ? one : best)).file;
}

function measureEdits(lines: number, inProcess: string): EditResult {
  const file = fileOfLength(lines);
  const result = JSON.parse(
    measure({ name: 'edits', file: process.execPath, args: [inProcess, 'edit', file, values.edits, PEERS], okCodes: [0] }).stdout,
  ) as { lines: number; samples: Record<string, number[]> };
  const of = (share: number): Record<string, number> =>
    Object.fromEntries(Object.entries(result.samples).map(([who, ms]) => [who, percentile(ms, share)]));
  const p50 = of(0.5);
  return {
    file: relative(join(CACHE, '..', 'packages'), file),
    lines: result.lines,
    p50,
    p95: of(0.95),
    ratio: (p50.nodometer ?? Number.NaN) / (p50.parse ?? Number.NaN),
  };
}

function verdict(value: number, isReached: boolean): string {
  return `${value.toFixed(2)} (${isReached ? 'reached' : 'missed'})`;
}

async function main(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  installPeers();
  const command = await buildCommand();
  const inProcess = await bundleInProcess();
  const names = values.set ?? SET_NAMES;
  const sets = names.map((name) => measureSet(name, command, inProcess));
  const edits = [500, 5000].map((lines) => measureEdits(lines, inProcess));
  const tools = Object.keys(sets[0]?.cold ?? {});
  console.log(`Cold command, median of ${rounds}: wall seconds (peak MB)\n`);
  console.log(
    table(
      ['tool', ...sets.map((set) => set.set)],
      tools.map((tool) => [
        tool,
        ...sets.map((set) => {
          const one = set.cold[tool];
          return one ? `${one.seconds.toFixed(2)}${one.megabytes ? ` (${one.megabytes})` : ''}` : '-';
        }),
      ]),
    ),
  );
  console.log(`\nfiles ${sets.map((set) => `${set.set} ${set.files} (${set.lines} lines, ${set.megabytes.toFixed(1)} MB)`).join(', ')}`);
  console.log('\nAgainst the targets\n');
  console.log(
    table(
      ['', ...sets.map((set) => set.set)],
      [
        [
          `all rules / bare parse, warm (at most ${TARGETS.lintPerParse})`,
          ...sets.map((set) => verdict(set.warm.ratio, set.warm.ratio <= TARGETS.lintPerParse)),
        ],
        ['  parse ms, all rules ms', ...sets.map((set) => `${set.warm.parseMs.toFixed(0)}, ${set.warm.lintMs.toFixed(0)}`)],
        [
          `ESLint / Nodometer, cold (at least ${TARGETS.eslintPerNodometer})`,
          ...sets.map((set) => verdict(set.eslintPerNodometer, set.eslintPerNodometer >= TARGETS.eslintPerNodometer)),
        ],
        ['Nodometer / bare parse, cold', ...sets.map((set) => set.coldRatioToParse.toFixed(2))],
      ],
    ),
  );
  console.log('\nOne edited file, warm: p50 / p95 ms\n');
  console.log(
    table(
      ['file', 'lines', 'Babel parse', 'Nodometer', 'ESLint n/no-sync', `Nodometer / parse (at most ${TARGETS.editPerParse})`],
      edits.map((edit) => [
        edit.file,
        edit.lines,
        ...['parse', 'nodometer', 'eslint'].map((who) => `${edit.p50[who]?.toFixed(1)} / ${edit.p95[who]?.toFixed(1)}`),
        verdict(edit.ratio, edit.ratio <= TARGETS.editPerParse),
      ]),
    ),
  );
  if (values['no-save']) return;
  mkdirSync(join(HERE, 'results'), { recursive: true });
  writeFileSync(
    RESULT,
    `${JSON.stringify(
      {
        machine: {
          cpu: cpus()[0]?.model,
          cores: cpus().length,
          memoryGb: Math.round(totalmem() / 2 ** 30),
          node: process.version,
          platform: `${process.platform} ${process.arch}`,
        },
        versions: Object.fromEntries(
          ['eslint', 'eslint-plugin-n', '@typescript-eslint/parser', 'oxlint'].map((name) => [name, peerVersion(name)]),
        ),
        rounds,
        targets: TARGETS,
        sets,
        edits,
      },
      null,
      1,
    )}\n`,
  );
}

await main();
