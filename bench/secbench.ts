// How many known vulnerable expressions of libraries are found and proven with `--exports`, and how many findings are left in the fixed
// versions. `npm run bench:secbench -- --repo <git directory of SecBench.js> [--only <part of a name>] [--fixed] [--missing] [--no-save]`
// reads the list from https://github.com/cristianstaicu/SecBench.js (folder redos), fetches the packages with npm, and runs nothing of
// them: only their expressions are tried. Nothing that is fetched is kept in this repository, and the record holds names and verdicts only.
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { defaultSettings, type RuleSettings } from '../analysis/run/rule-settings.ts';
import { lintText } from '../analysis/run/run.ts';
import { isJsonAttack } from '../protocol/attack.ts';
import { judgeAttack } from '../profiler/judge/attack.ts';
import type { NodeBinary } from '../profiler/plan/node-binary.ts';
import { runAttack } from '../profiler/run/attack.ts';
import { probeNode } from '../profiler/run/probe-node.ts';
import type { Finding } from '../protocol/finding.ts';
import { rules } from '../rules/index.ts';
import { fetchPackage, type PackageSpec } from './packages.ts';

const RESULT = fileURLToPath(new URL('./results/secbench.json', import.meta.url));
const RULE = 'no-unsafe-regex';
/** Longer than a profile has: on a busy machine Node may take a second to start. */
const WALL_MS = 8000;
/** Bundles of a library hold what its files hold. */
const MOST_BYTES = 1_048_576;
const MOST_TRIED = 12;

const { values } = parseArgs({
  options: {
    repo: { type: 'string' },
    only: { type: 'string', default: '' },
    fixed: { type: 'boolean', default: false },
    missing: { type: 'boolean', default: false },
    'no-save': { type: 'boolean', default: false },
  },
});

interface Entry {
  name: string;
  version: string;
  /** `index.js:4:17`, where the list says. */
  sink: string;
  fixedVersion: string | undefined;
}

interface Outcome {
  proven: boolean;
  /** In the file and on the line that the list names. */
  atSink: boolean;
  /** A finding that was proven: file and line in the package. */
  place?: string;
  problem?: string;
}

function entriesOf(repo: string): Entry[] {
  const git = (...argv: string[]): string => execFileSync('git', ['--git-dir', repo, ...argv], { encoding: 'utf8' });
  const files = git('ls-tree', '-r', '--name-only', 'HEAD', 'redos/')
    .split('\n')
    .filter((path) => /^redos\/[^/]+\/package\.json$/.test(path));
  return files.map((path) => {
    const { dependencies, sink, fixedVersion } = JSON.parse(git('show', `HEAD:${path}`)) as {
      dependencies: Record<string, string>;
      sink?: string;
      fixedVersion?: string;
    };
    const [name = '', version = ''] = Object.entries(dependencies)[0] ?? [];
    return {
      name,
      version,
      sink: sink ?? '',
      fixedVersion: fixedVersion
        ?.split(/[\s<>=]+/)
        .filter((part) => /^\d+\.\d+\.\d+/.test(part))
        .at(-1),
    };
  });
}

function* sourcesIn(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() && !/^(?:node_modules|tests?|__tests__|specs?|examples?|benchmarks?|docs?)$/.test(entry.name))
      yield* sourcesIn(path);
    else if (entry.isFile() && /\.[cm]?js$/.test(entry.name) && statSync(path).size <= MOST_BYTES) yield path;
  }
}

const all = rules.filter(({ meta }) => meta.id === RULE);
const settings: RuleSettings = Object.fromEntries(
  Object.entries(defaultSettings(all)).map(([id, setting]) => [id, { ...setting, options: { ...setting.options, exports: true } }]),
);

function findingsIn(folder: string, files: readonly string[]): Finding[] {
  return files.flatMap((file) => [
    ...lintText({
      file,
      text: readFileSync(file, 'utf8'),
      project: { nodeRange: '>=18', nodeRangeSource: 'the bench', root: folder },
      rules: all,
      settings,
      reportUnusedDisables: false,
    }).findings,
  ]);
}

async function outcomeOf(spec: PackageSpec, sink: string, node: NodeBinary): Promise<Outcome> {
  let folder: string;
  try {
    folder = fetchPackage(spec);
  } catch (error) {
    return { proven: false, atSink: false, problem: `npm has it no more: ${(error as Error).message.split('\n')[0]}` };
  }
  const [sinkFile = '', sinkLine = ''] = sink.split(':');
  const files = [...sourcesIn(folder)];
  const named = files.filter((file) => basename(file) === sinkFile);
  // The file that the list names comes first. If nothing is proven there, the rest of the package is looked at.
  const first = await provenIn(folder, named, sinkFile, Number(sinkLine), node);
  if (first.proven) return first;
  return provenIn(
    folder,
    files.filter((file) => !named.includes(file)),
    sinkFile,
    Number(sinkLine),
    node,
  );
}

async function provenIn(folder: string, files: readonly string[], sinkFile: string, sinkLine: number, node: NodeBinary): Promise<Outcome> {
  const findings = findingsIn(folder, files);
  // The expression may be made above the line that uses it.
  const isNear = (finding: Finding): boolean => basename(finding.file) === sinkFile && Math.abs(lineOf(finding) - sinkLine) <= 3;
  const isInFile = ({ file }: Finding): boolean => basename(file) === sinkFile;
  const ranked = [...findings].sort(
    (a, b) => Number(isNear(b)) - Number(isNear(a)) || Number(isInFile(b)) - Number(isInFile(a)) || a.file.length - b.file.length,
  );
  const tried = new Set<string>();
  for (const finding of ranked) {
    const { attack } = finding;
    if (!attack || isJsonAttack(attack)) continue;
    const key = JSON.stringify([attack.pattern, attack.flags, attack.method]);
    if (tried.has(key)) continue;
    if (tried.size === MOST_TRIED) break;
    tried.add(key);
    const verdict = judgeAttack(attack, await runAttack(node, attack, { wallMs: WALL_MS }), node.version);
    if (verdict?.verdict === 'confirmed')
      return {
        proven: true,
        atSink: isNear(finding),
        place: `${relative(folder, finding.file)}:${lineOf(finding)}`,
      };
  }
  return { proven: false, atSink: false };
}

/**
 * Of a fixed version: whether the expression that was proven is still there, or one of its file that is new or changed is proven. Only
 * where the list names the place of what was proven: other expressions were never fixed.
 */
async function fixedOutcomeOf(old: PackageSpec, spec: PackageSpec, { place = '' }: Outcome, node: NodeBinary): Promise<Outcome> {
  const [, path = '', line] = /^(.*):(\d+)$/.exec(place) ?? [];
  let folder: string;
  try {
    folder = fetchPackage(spec);
  } catch (error) {
    return { proven: false, atSink: false, problem: `npm has it no more: ${(error as Error).message.split('\n')[0]}` };
  }
  const oldFolder = fetchPackage(old);
  const keyOf = ({ attack }: Finding): string => JSON.stringify(attack && !isJsonAttack(attack) ? [attack.pattern, attack.flags] : []);
  const before = findingsIn(oldFolder, [join(oldFolder, path)]);
  const known = new Set(before.map(keyOf));
  const fixed = new Set(before.filter((finding) => lineOf(finding) === Number(line)).map(keyOf));
  const now = findingsIn(
    folder,
    [...sourcesIn(folder)].filter((file) => basename(file) === basename(path)),
  );
  for (const finding of now) {
    const { attack } = finding;
    if (!attack || (known.has(keyOf(finding)) && !fixed.has(keyOf(finding)))) continue;
    const verdict = judgeAttack(attack, await runAttack(node, attack, { wallMs: WALL_MS }), node.version);
    if (verdict?.verdict === 'confirmed')
      return { proven: true, atSink: true, place: `${relative(folder, finding.file)}:${lineOf(finding)}` };
  }
  return { proven: false, atSink: false };
}

function lineOf({ file, span }: Finding): number {
  return readFileSync(file, 'utf8').slice(0, span.start).split('\n').length;
}

if (!values.repo) throw new Error('say where the repository is: --repo <git directory>');
const probe = await probeNode(process.execPath);
if (!probe.ok) throw new Error(probe.reason);
interface Part {
  node: string;
  proven: number;
  atSink: number;
  of: number;
  packages: Record<string, Outcome & { date: string }>;
}
type Kept = Partial<Record<'vulnerable' | 'fixed', Part>>;

const part = values.fixed ? 'fixed' : 'vulnerable';
const kept: Kept = existsSync(RESULT) ? (JSON.parse(readFileSync(RESULT, 'utf8')) as Kept) : {};
const packages: Part['packages'] = { ...kept[part]?.packages };
for (const { name, version, sink, fixedVersion } of entriesOf(values.repo)) {
  if (!name.includes(values.only) || (values.fixed && fixedVersion === undefined)) continue;
  const spec: PackageSpec = `${name}@${values.fixed ? (fixedVersion ?? '') : version}`;
  // What was not proven, or not looked at yet.
  if (values.missing && (values.fixed ? packages[spec] : packages[spec]?.proven)) continue;
  const old: PackageSpec = `${name}@${version}`;
  const vulnerable = kept.vulnerable?.packages[old];
  if (values.fixed && !vulnerable?.atSink) continue;
  const outcome =
    values.fixed && vulnerable ? await fixedOutcomeOf(old, spec, vulnerable, probe.node) : await outcomeOf(spec, sink, probe.node);
  packages[spec] = { ...outcome, date: new Date().toISOString().slice(0, 10) };
  const what = outcome.problem ?? (outcome.proven ? `proven at ${outcome.place}${outcome.atSink ? ' (sink)' : ''}` : 'not proven');
  process.stdout.write(`${spec}: ${what}\n`);
  const list = Object.values(packages);
  kept[part] = {
    node: probe.node.version,
    proven: list.filter((one) => one.proven).length,
    atSink: list.filter((one) => one.atSink).length,
    of: list.length,
    packages,
  };
  // A run takes long: what it has found so far is kept.
  if (!values['no-save']) writeFileSync(RESULT, `${JSON.stringify(kept, undefined, 1)}\n`);
}
const { proven = 0, atSink = 0, of = 0 } = kept[part] ?? {};
process.stdout.write(`${part} versions: ${proven} of ${of} with a proven finding, ${atSink} of them at the place that the list names\n`);
