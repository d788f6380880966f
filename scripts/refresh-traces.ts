// Records the traces that the tests of the profiler's parsers read: runs test/profiler/fixtures/ under each Node and keeps of V8's log
// what the parsers look at. `npx tsx scripts/refresh-traces.ts --node <binary> [--node <binary> …]`, with Node 18, 20, 22, 24 and 26.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { PROBE_ROOT, PROBE_VALUE, shapeProbeSource } from '../profiler/parse/shape-probe.ts';
import { V8LogReader, type V8Log } from '../profiler/parse/v8-log.ts';
import { ROOT } from './generate.ts';

const FIXTURES = join(ROOT, 'test/profiler/fixtures');
const TRACES = join(ROOT, 'test/profiler/traces');
const FLAGS = [
  '--log-deopt',
  '--log-ic',
  '--log-maps',
  '--no-log-maps-details',
  '--no-logfile-per-isolate',
  '--no-concurrent-recompilation',
];
const RUN_LIMIT_MS = 120_000;
const MAX_LOG_BYTES = 400 * 1024 * 1024;

interface Fixture {
  file: string;
  /** The name under which it is run; V8 escapes what is in it. */
  as?: string;
  /** Name of the trace. */
  trace?: string;
  flags?: readonly string[];
  args?: readonly string[];
}

const FIXTURE_RUNS: readonly Fixture[] = [
  { file: 'numbers-then-strings.cjs' },
  { file: 'numbers-then-strings.cjs', as: 'we ird, pä/nüm, 文 bers.cjs', trace: 'escaped-name' },
  { file: 'shapes.cjs' },
  { file: 'elements.cjs' },
  { file: 'dictionaries.cjs' },
  { file: 'inlined.cjs' },
  { file: 'try-catch.cjs' },
  { file: 'out-of-bounds.cjs' },
  { file: 'module.mjs' },
  { file: 'module.mjs', as: 'we ird, pä/möd, 文 ule.mjs', trace: 'escaped-url' },
  { file: 'moving.cjs', flags: ['--expose-gc', '--compact-on-every-full-gc'] },
  { file: 'reasons.cjs', trace: 'reasons-maglev', args: ['3000'] },
  { file: 'reasons.cjs', trace: 'reasons-turbofan', args: ['30000'] },
];

const TRIMMED = [
  '# Trimmed by scripts/refresh-traces.ts: without builtins, source text, memory chunks and most source positions;',
  '# before the first line about a fixture only shape probes and the maps that later lines come from; map-create, map-move, sfi-move',
  '# and code-move only where the address is named elsewhere (and the first of each row of moves). The temporary folder of the run is replaced by /.',
];

/** Lines that no parser reads. */
const IRRELEVANT =
  /^(?:code-creation,(?:Builtin|BytecodeHandler|Callback|RegExp|Handler|Stub),|script|map-details,|new,|delete,|heap-|v8-platform,|shared-library|profiler,|tick,|function,|feedback-vector)/;
const IS_FIXTURE = /^code-creation,.*\/fixtures\//;
const HAS_INLINED = /S0x/;
const IS_CACHE = /^[A-Z][A-Za-z]*IC,/;

function plainAddress(field: string | undefined): string {
  return field === undefined ? '' : `0x${Number(field).toString(16)}`;
}

export function trimLog(log: string): string[] {
  const lines = log.split('\n').filter((line) => line !== '' && !IRRELEVANT.test(line));
  const first = lines.findIndex((line) => IS_FIXTURE.test(line));
  if (first < 0) throw new Error('the log names no fixture');
  // From the end to the beginning, so that whatever a kept line rests on is known to be needed when it comes.
  const maps = new Set<string>();
  const code = new Set<string>();
  const functions = new Set<string>();
  for (let index = first; index < lines.length; index++) {
    const line = lines[index] ?? '';
    const fields = line.split(',');
    if (IS_CACHE.test(line)) maps.add(plainAddress(fields[7]));
    else if (line.startsWith('map,')) for (const field of [fields[3], fields[4]]) maps.add(plainAddress(field));
    else if (line.startsWith('code-creation,')) {
      code.add(plainAddress(fields[4]));
      if (line.includes('/fixtures/')) functions.add(plainAddress(fields[7]));
    } else if (line.startsWith('sfi-move,') && functions.has(plainAddress(fields[1]))) functions.add(plainAddress(fields[2]));
    // A move onto an address that was the fixture's says that it is not any more; a chain of moves keeps it known.
    else if (line.startsWith('code-move,') && code.has(plainAddress(fields[1]))) code.add(plainAddress(fields[2]));
  }
  maps.delete('0x0');
  const probed = new Set(lines.filter((line) => line.includes(`,${PROBE_ROOT}`)).map((line) => plainAddress(line.split(',')[4])));
  const kept: string[] = [];
  for (let index = lines.length - 1; index >= 0; index--) {
    const line = lines[index] ?? '';
    const fields = line.split(',');
    let keeps = index >= first;
    if (line.startsWith('map-create,')) keeps = maps.has(plainAddress(fields[2]));
    else if (line.startsWith('map-move,')) {
      keeps = maps.has(plainAddress(fields[2])) || maps.has(plainAddress(fields[3]));
      if (keeps) maps.add(plainAddress(fields[2]));
    } else if (line.startsWith('code-move,'))
      keeps = code.has(plainAddress(fields[1])) || code.has(plainAddress(fields[2])) || !lines[index - 1]?.startsWith('code-move,');
    else if (line.startsWith('sfi-move,')) keeps = functions.has(plainAddress(fields[1])) || functions.has(plainAddress(fields[2]));
    else if (line.startsWith('code-source-info,')) keeps &&= HAS_INLINED.test(line) && (lines[index - 1] ?? '').includes('/fixtures/');
    else if (line.startsWith('map,')) {
      keeps ||= line.includes(`,${PROBE_ROOT}`) || probed.has(plainAddress(fields[3])) || maps.has(plainAddress(fields[4]));
      if (keeps) maps.add(plainAddress(fields[3]));
    } else if (line.startsWith('v8-version,')) keeps = true;
    else if (IS_CACHE.test(line)) keeps ||= line.includes(`,${PROBE_VALUE}`);
    if (keeps) kept.push(line);
  }
  return kept.reverse();
}

function record(node: string, folder: string, fixture: Fixture): string[] {
  const name = fixture.as ?? fixture.file;
  const target = join(folder, 'fixtures', name);
  mkdirSync(dirname(target), { recursive: true });
  cpSync(join(FIXTURES, fixture.file), target);
  const log = join(folder, 'run.v8log');
  const probe = join(folder, 'probe.cjs');
  const flags = [...FLAGS, ...(fixture.flags ?? [])];
  // Up to Node 24 --log-deopt prints on stdout, too.
  execFileSync(node, [...flags, `--logfile=${log}`, '--require', probe, target, ...(fixture.args ?? [])], {
    stdio: ['ignore', 'ignore', 'inherit'],
    timeout: RUN_LIMIT_MS,
  });
  const text = readFileSync(log, 'latin1');
  if (text.length > MAX_LOG_BYTES) throw new Error(`${fixture.file}: the log has ${text.length} bytes`);
  const run = `# Node ${versionOf(node)}: ${[...flags, '--require /probe.cjs', `/fixtures/${name}`, ...(fixture.args ?? [])].join(' ')}`;
  const whole = text.replaceAll(folder, '');
  const trimmed = trimLog(whole);
  assert.deepEqual(read(trimmed.join('\n')), read(whole), `${name}: trimming changed what is read`);
  return [run, ...TRIMMED, ...trimmed];
}

/** What does not depend on the lines that are left out. */
function read(log: string): Omit<V8Log, 'lines' | 'foreignCacheLines'> {
  const reader = new V8LogReader({ isUserFile: (file) => file.startsWith('/fixtures/'), isBenign: () => false });
  reader.write(log);
  const { lines, foreignCacheLines, ...rest } = reader.end();
  assert.ok(lines > foreignCacheLines);
  return rest;
}

function versionOf(node: string): string {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim().slice(1);
}

function refresh(node: string): void {
  const major = versionOf(node).split('.')[0] ?? '';
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-traces-')));
  try {
    writeFileSync(join(folder, 'probe.cjs'), shapeProbeSource());
    mkdirSync(join(TRACES, major), { recursive: true });
    for (const fixture of FIXTURE_RUNS) {
      const trace = fixture.trace ?? basename(fixture.file).replace(/\.[^.]*$/, '');
      const lines = record(node, folder, fixture);
      writeFileSync(join(TRACES, major, `${trace}.v8log`), `${lines.join('\n')}\n`, 'utf8');
      console.log(`${major} ${trace}: ${lines.length} lines`);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

if (process.argv[1] && resolve(process.argv[1]) === import.meta.filename) {
  const { values } = parseArgs({ options: { node: { type: 'string', multiple: true, default: [] } } });
  if (values.node.length === 0) {
    console.error('--node <binary> is missing');
    process.exitCode = 1;
  } else for (const node of values.node) refresh(resolve(node));
}
