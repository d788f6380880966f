// From a keystroke to its diagnostics: Nodometer's server, ESLint's lintText with n/no-sync alone, tsserver and the bare Babel parse, in
// one run.
// `npm run bench:latency [-- --edits 160] [-- --rounds 1] [-- --no-save]` prints a table and writes bench/results/latency.json.
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { cpus, loadavg, tmpdir, totalmem } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { build as bundle } from 'esbuild';
import { build } from '../scripts/build.ts';
import type { Answer, Work } from './latency/in-process.ts';
import { startNodometer, type Way } from './latency/nodometer.ts';
import { getServerCode } from './latency/server-code.ts';
import { startTsserver } from './latency/tsserver.ts';
import { KINDS, typeInto, type Into, type Keystroke } from './latency/typing.ts';
import { table } from './lint-command.ts';
import { installPeers, PEERS, peerVersion } from './peers.ts';
import { median, percentile } from './speed/measure.ts';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const BUILT = fileURLToPath(new URL('../.cache/latency', import.meta.url));
const RESULT = join(HERE, 'results', 'latency.json');

/** What we hold ourselves to, for keystrokes whose text can be parsed, at the median. */
const TARGETS = { nodometerPerParse: 3, peerPerNodometer: 3 } as const;
/**
 * Keystrokes before the first that counts, by the length of the file in lines: a few minutes of typing, after which V8 has compiled
 * what matters. A long file's keystroke runs ten times the code.
 */
const WARM_UP: ReadonlyMap<number, number> = new Map([
  [500, 400],
  [5000, 120],
]);

const { values } = parseArgs({
  options: {
    edits: { type: 'string', default: '160' },
    rounds: { type: 'string', default: '1' },
    'no-save': { type: 'boolean', default: false },
  },
});
const edits = Number(values.edits);

interface System {
  name: string;
  open(path: string, text: string): Promise<void>;
  /** Milliseconds from the keystroke to its diagnostics, and how many these are. */
  type(path: string, keystroke: Keystroke): Promise<{ ms: number; found: number }>;
  /** Settles when what goes on behind the answer is over, so that it hits nobody else. */
  settle?(): Promise<void>;
  close(): Promise<void>;
}

async function timed(work: () => Promise<number>): Promise<{ ms: number; found: number }> {
  const start = performance.now();
  const found = await work();
  return { ms: performance.now() - start, found };
}

async function nodometer(name: string, way: Way, folder: string): Promise<System> {
  const client = await startNodometer(join(BUILT, 'server', 'server.js'), folder, way);
  return {
    name,
    open: async (path, text) => void (await client.open(path, text)),
    type: (path, keystroke) => timed(async () => (await client.type(path, keystroke)).length),
    close: () => client.close(),
  };
}

/** The way to the server and back, with an answer that it has already. */
async function withoutWork(folder: string): Promise<System> {
  const client = await startNodometer(join(BUILT, 'server', 'server.js'), folder, 'pull');
  return {
    name: 'Nodometer, asked again',
    open: async (path, text) => void (await client.open(path, text)),
    type: (path) =>
      timed(async () => {
        await client.ask(path);
        return 0;
      }),
    close: () => client.close(),
  };
}

function tsserver(): System {
  const server = startTsserver(join(PEERS, 'node_modules/typescript/lib/tsserver.js'));
  return {
    name: `tsserver ${peerVersion('typescript')}`,
    open: async (path, text) => void (await server.open(path, text)),
    type: (path, keystroke) => timed(() => server.type(path, keystroke)),
    settle: () => server.settle(),
    close: () => server.close(),
  };
}

/** Tools without a protocol measure themselves, so that nobody pays for the way to another process. */
async function inProcess(name: string, args: readonly string[]): Promise<System> {
  const child: ChildProcess = fork(join(BUILT, 'in-process.mjs'), [...args], { execArgv: [] });
  const ask = async (work: Work): Promise<Answer> => {
    const answer = once(child, 'message');
    child.send(work);
    const [{ ms, found }] = (await answer) as [Answer];
    return { ms, found };
  };
  await once(child, 'message');
  return {
    name,
    open: async (file, text) => void (await ask({ file, text })),
    type: (file, { text }) => ask({ file, text }),
    close: async () => {
      const ended = once(child, 'exit');
      child.disconnect();
      await ended;
    },
  };
}

async function startAll(folder: string): Promise<System[]> {
  return [
    await inProcess('Babel parse', ['parse']),
    await nodometer('Nodometer, pulled', 'pull', folder),
    await nodometer('Nodometer, pushed', 'push', folder),
    await withoutWork(folder),
    await inProcess(`ESLint ${peerVersion('eslint')}, n/no-sync`, ['eslint', PEERS]),
    tsserver(),
  ];
}

interface Sample {
  ms: Record<string, number>;
  parses: boolean;
  into: Into;
}

/** What typing into one kind of place costs, of texts that parse. */
interface KindResult {
  into: Into;
  keystrokes: number;
  p50: Record<string, number>;
  nodometerPerParse: number;
}

interface LengthResult {
  lines: number;
  characters: number;
  findings: number;
  /** Keystrokes that count, and how many of these leave a text that parses. */
  edits: number;
  parsing: number;
  p50: Record<string, number>;
  p95: Record<string, number>;
  kinds: readonly KindResult[];
  /** Half-typed texts, which Babel cannot read: the warnings before them stay. */
  halfTyped: { p50: Record<string, number>; p95: Record<string, number> };
  nodometerPerParse: number;
  peersPerNodometer: Record<string, number>;
}

async function measureLength(lines: number): Promise<LengthResult> {
  const code = getServerCode(lines);
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-latency-')));
  const file = join(folder, 'server.js');
  writeFileSync(file, code.text);
  writeFileSync(
    join(folder, 'package.json'),
    JSON.stringify({
      name: 'latency',
      version: '1.0.0',
      private: true,
      engines: { node: '>=20' },
      dependencies: { express: '^5.0.0', koa: '^3.0.0' },
    }),
  );
  const systems = await startAll(folder);
  const warmUp = WARM_UP.get(lines) ?? 0;
  const keystrokes = typeInto(file, code.text, warmUp + edits);
  const samples: Sample[] = [];
  let findings = 0;
  try {
    for (const system of systems) await system.open(file, code.text);
    for (const [i, keystroke] of keystrokes.entries()) {
      const ms: Record<string, number> = {};
      // In turn, so that what the machine does beside it hits all alike; who comes first changes.
      for (let step = 0; step < systems.length; step++) {
        const system = systems[(step + i) % systems.length] as System;
        const answer = await system.type(file, keystroke);
        ms[system.name] = answer.ms;
        if (system.name === 'Nodometer, pulled') findings = answer.found;
        await system.settle?.();
      }
      if (i >= warmUp) samples.push({ ms, parses: keystroke.parses, into: keystroke.into });
    }
  } finally {
    for (const system of systems) await system.close();
    rmSync(folder, { recursive: true, force: true });
  }
  const names = systems.map(({ name }) => name);
  const among = (some: readonly Sample[], share: number): Record<string, number> =>
    Object.fromEntries(
      names.map((name) => [
        name,
        percentile(
          some.map((sample) => sample.ms[name] ?? Number.NaN),
          share,
        ),
      ]),
    );
  const of = (parses: boolean, share: number): Record<string, number> =>
    among(
      samples.filter((sample) => sample.parses === parses),
      share,
    );
  const kinds = KINDS.map((into): KindResult => {
    const own = samples.filter((sample) => sample.parses && sample.into === into);
    const medians = among(own, 0.5);
    return {
      into,
      keystrokes: own.length,
      p50: medians,
      nodometerPerParse: (medians['Nodometer, pulled'] ?? Number.NaN) / (medians['Babel parse'] ?? Number.NaN),
    };
  });
  const p50 = of(true, 0.5);
  const own = p50['Nodometer, pulled'] ?? Number.NaN;
  return {
    lines: code.lines,
    characters: code.text.length,
    findings,
    edits: samples.length,
    parsing: samples.filter(({ parses }) => parses).length,
    p50,
    p95: of(true, 0.95),
    kinds,
    halfTyped: { p50: of(false, 0.5), p95: of(false, 0.95) },
    nodometerPerParse: own / (p50['Babel parse'] ?? Number.NaN),
    peersPerNodometer: Object.fromEntries(
      names.filter((name) => /^(?:ESLint|tsserver)/.test(name)).map((name) => [name, (p50[name] ?? Number.NaN) / own]),
    ),
  };
}

/** Of several rounds the one whose ratio to the parse lies in the middle: a whole round, so that its figures belong together. */
function middleOf(rounds: readonly LengthResult[]): LengthResult {
  const middle = median(rounds.map((round) => round.nodometerPerParse));
  return rounds.reduce((best, round) =>
    Math.abs(round.nodometerPerParse - middle) < Math.abs(best.nodometerPerParse - middle) ? round : best,
  );
}

function verdict(value: number, isReached: boolean): string {
  return `${value.toFixed(2)} (${isReached ? 'reached' : 'missed'})`;
}

async function main(): Promise<void> {
  mkdirSync(BUILT, { recursive: true });
  installPeers();
  await build(join(BUILT, 'server'));
  await bundle({
    entryPoints: [join(HERE, 'latency', 'in-process.ts')],
    outfile: join(BUILT, 'in-process.mjs'),
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    mainFields: ['module', 'main'],
    minifySyntax: true,
    minifyWhitespace: true,
    banner: { js: `import{createRequire as benchRequire}from'node:module';const require=benchRequire(import.meta.url);` },
  });
  const load = loadavg()[0];
  const results: { chosen: LengthResult; rounds: LengthResult[] }[] = [];
  for (const lines of WARM_UP.keys()) {
    const rounds: LengthResult[] = [];
    for (let round = 0; round < Number(values.rounds); round++) rounds.push(await measureLength(lines));
    results.push({ chosen: middleOf(rounds), rounds });
  }
  for (const { chosen, rounds } of results) {
    const show = (p50: Record<string, number>, p95: Record<string, number>, name: string): string =>
      `${p50[name]?.toFixed(1)} / ${p95[name]?.toFixed(1)}`;
    console.log(
      `\n${chosen.lines} lines, ${chosen.findings} findings; ${chosen.parsing} keystrokes whose text parses, ${chosen.edits - chosen.parsing} half-typed; p50 / p95 ms\n`,
    );
    console.log(
      table(
        ['', 'parses', 'half-typed'],
        Object.keys(chosen.p50).map((name) => [
          name,
          show(chosen.p50, chosen.p95, name),
          show(chosen.halfTyped.p50, chosen.halfTyped.p95, name),
        ]),
      ),
    );
    console.log(
      `\nNodometer / parse (at most ${TARGETS.nodometerPerParse}): ${verdict(chosen.nodometerPerParse, chosen.nodometerPerParse <= TARGETS.nodometerPerParse)}; all rounds ${rounds.map((round) => round.nodometerPerParse.toFixed(2)).join(', ')}`,
    );
    for (const { into, keystrokes, p50, nodometerPerParse } of chosen.kinds)
      console.log(
        `  typed into a ${into} (${keystrokes} that parse): ${p50['Nodometer, pulled']?.toFixed(1)} ms, ${nodometerPerParse.toFixed(2)} times the parse`,
      );
    for (const [name, ratio] of Object.entries(chosen.peersPerNodometer))
      console.log(`${name} / Nodometer (at least ${TARGETS.peerPerNodometer}): ${verdict(ratio, ratio >= TARGETS.peerPerNodometer)}`);
  }
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
          loadBefore: load,
          loadAfter: loadavg()[0],
        },
        versions: Object.fromEntries(['eslint', 'eslint-plugin-n', 'typescript'].map((name) => [name, peerVersion(name)])),
        targets: TARGETS,
        warmUp: Object.fromEntries(WARM_UP),
        edits,
        lengths: results.map(({ chosen, rounds }) => ({ ...chosen, allRatiosToParse: rounds.map((round) => round.nodometerPerParse) })),
      },
      null,
      1,
    )}\n`,
  );
}

await main();
