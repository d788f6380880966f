// Lints a labeled corpus of real applications and scores the findings with the corpus' own scripts.
// `npm run bench:corpus -- --corpus <folder with materialize.mjs, labels.jsonl, score.mjs> --mirror <folder of snapshots>`
//   --dest <folder>      where the applications are laid out (default .cache/corpus); laid out again only with --fresh
//   --only a/b,c/d       these repositories alone      --list fp|fn|unlabeled   places, from score.mjs
//   --rule <id>          one rule alone                --out <folder>            findings.json, sites-found.json (default .cache)
// The two folders may also stand in NODOMETER_CORPUS and NODOMETER_MIRROR.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { startOf } from '../analysis/module/ast.ts';
import { Facts } from '../analysis/facts/index.ts';
import { ModuleIndex } from '../analysis/module/module-index.ts';
import { parse } from '../analysis/module/parse.ts';
import { Source } from '../analysis/module/source.ts';
import { ProjectFinder } from '../workspace/project.ts';
import { buildCommand, lintFolder, table, type ListedFinding } from './lint-command.ts';
import { scriptsBelow } from './script-files.ts';

const CACHE = fileURLToPath(new URL('../.cache/', import.meta.url));

// Node-RED keeps its sources in such a folder. The corpus holds no dependencies, so what is there is the application's own.
const OWN_PACKAGES = ['packages/node_modules'];

const { values } = parseArgs({
  options: {
    corpus: { type: 'string', default: process.env.NODOMETER_CORPUS },
    mirror: { type: 'string', default: process.env.NODOMETER_MIRROR },
    dest: { type: 'string', default: join(CACHE, 'corpus') },
    out: { type: 'string', default: CACHE },
    only: { type: 'string' },
    rule: { type: 'string' },
    list: { type: 'string' },
    fresh: { type: 'boolean', default: false },
  },
});

function run(script: string, args: readonly string[]): number {
  return spawnSync(process.execPath, [script, ...args], { stdio: 'inherit' }).status ?? 1;
}

function layOut(corpus: string): boolean {
  if (existsSync(values.dest) && readdirSync(values.dest).length > 0 && !values.fresh) return true;
  if (!values.mirror) return false;
  return (
    run(join(corpus, 'materialize.mjs'), [values.dest, '--mirror', values.mirror, ...(values.only ? ['--only', values.only] : [])]) === 0
  );
}

/** Calls that the handler recognizer takes for route registrations, by the line of the verb. */
function sitesIn(folder: string): { file: string; line: number }[] {
  const sites: { file: string; line: number }[] = [];
  const projects = new ProjectFinder({ nodeOption: undefined, runningNode: process.version, warn: () => undefined });
  for (const path of scriptsBelow(folder, () => false)) {
    const text = readFileSync(path, 'utf8');
    const outcome = parse(path, text);
    if (!outcome.ok) continue;
    const source = new Source(path, text);
    const facts = new Facts(new ModuleIndex(outcome.ast), source, projects.infoFor(dirname(path)));
    for (const { verb } of facts.handlers.routeSites) sites.push({ file: path, line: source.positionAt(startOf(verb)).line });
  }
  return sites;
}

async function main(): Promise<number> {
  const { corpus } = values;
  if (!corpus) {
    console.error('usage: npm run bench:corpus -- --corpus <folder> --mirror <folder of snapshots>');
    return 2;
  }
  const command = await buildCommand();
  if (!layOut(corpus)) {
    console.error('the corpus could not be laid out: is --mirror given, and does it hold a snapshot of each repository?');
    return 2;
  }
  const findings: ListedFinding[] = [];
  const sites: { file: string; line: number }[] = [];
  const rows: (string | number)[][] = [];
  const crashes: string[] = [];
  const only = values.only?.split(',').map((repo) => repo.replace('/', '+'));
  for (const repo of readdirSync(values.dest).sort()) {
    if (only && !only.includes(repo)) continue;
    const folder = join(values.dest, repo);
    const ownPackages = OWN_PACKAGES.map((path) => join(folder, path)).filter((path) => existsSync(path));
    const result = lintFolder(command, folder, ownPackages);
    const own = result.findings.filter((finding) => !values.rule || finding.ruleId === values.rule);
    findings.push(...own);
    crashes.push(...result.crashes);
    sites.push(...sitesIn(folder));
    rows.push([repo, result.files.length, own.length, result.unread.length, result.crashes.length, Math.round(result.ms)]);
  }
  console.log(table(['repository', 'files', 'findings', 'unread', 'crashes', 'ms'], rows));
  for (const crash of crashes) console.log(crash);
  mkdirSync(values.out, { recursive: true });
  const findingsFile = join(values.out, 'findings.json');
  const sitesFile = join(values.out, 'sites-found.json');
  writeFileSync(findingsFile, JSON.stringify(findings, null, 1));
  writeFileSync(sitesFile, JSON.stringify(sites));
  const scope = [
    ...(values.rule ? ['--rule', values.rule] : []),
    ...(values.only ? ['--only-repos', values.only] : []),
    ...(values.list ? ['--list', values.list] : []),
  ];
  console.log('\nAll labeled applications');
  run(join(corpus, 'score.mjs'), [findingsFile, ...scope]);
  if (!values.only) {
    console.log('\nRepositories in which every call named …Sync is labeled');
    run(join(corpus, 'score.mjs'), [findingsFile, '--exhaustive', '--rule', 'no-sync-in-handler']);
  }
  if (!values.rule) {
    console.log(`\nHandler recognizer (${sites.length} registrations)`);
    run(join(corpus, 'score-handlers.mjs'), [sitesFile]);
  }
  return crashes.length > 0 ? 1 : 0;
}

process.exitCode = await main();
