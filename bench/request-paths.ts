// Precision and recall on labeled applications, by rule and by the distance between a request and what is found.
// `npm run bench:paths -- <folder with labels.jsonl> <folder of the laid-out applications> [--only a/b,c/d] [--misses] [--findings
// out.json]`
// Labels: { repo, path, line, rule, label: positive | negative | gray, kind, why }; applications: <owner>+<name>/….
// exhaustive.json beside the labels: { repos }, where every call named …Sync has a label, so that a finding without one is wrong.
import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { parseArgs } from 'node:util';
import { buildCommand, lintFolder, table } from './lint-command.ts';
import type { ListedFinding } from './lint-command.ts';

interface Label {
  repo: string;
  path: string;
  line: number;
  rule: string;
  label: 'positive' | 'negative' | 'gray';
  kind: string;
  why: string;
}

/** The labels' names of the rules. */
const FAMILIES: Readonly<Record<string, string>> = {
  'no-sync-in-handler': 'no-sync-in-handler',
  'no-unstable-shape': 'unstable-shape',
  'no-throw-in-hot-path': 'try-catch-hot-path',
  'no-polymorphic-call': 'polymorphic-call-site',
  'no-microtask-starvation': 'microtask-starvation',
  'require-node-env': 'missing-node-env',
  'no-worker-per-request': 'event-loop-blocker',
  'no-unsafe-regex': 'event-loop-blocker',
  'no-blocking-loop': 'event-loop-blocker',
  'no-late-threadpool-size': 'event-loop-blocker',
};
// Node-RED keeps its sources in such a folder.
const OWN_PACKAGES = ['packages/node_modules'];

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { only: { type: 'string' }, misses: { type: 'boolean', default: false }, findings: { type: 'string' } },
});

interface Tally {
  positive: number;
  found: number;
  negative: number;
  wrong: number;
}

function readLabels(folder: string): Label[] {
  return readFileSync(join(folder, 'labels.jsonl'), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Label);
}

/** The label at a place: at its line, else one line beside it, one that nothing has hit yet first; line 0 is the whole file. */
function touched(
  ruleId: string,
  place: { file: string; line: number },
  labels: ReadonlyMap<string, readonly Label[]>,
  folder: string,
  hit: ReadonlySet<Label>,
): Label | undefined {
  const [name = '', ...path] = relative(folder, place.file).split(sep);
  const own = labels.get(`${FAMILIES[ruleId] ?? ruleId} ${name.replace('+', '/')} ${path.join('/')}`) ?? [];
  const beside = own.filter(({ line }) => Math.abs(line - place.line) === 1);
  return (
    own.find(({ line }) => line === place.line) ??
    own.find(({ line }) => line === 0) ??
    beside.find((label) => !hit.has(label)) ??
    beside[0]
  );
}

function percent(part: number, whole: number): string {
  return whole === 0 ? '–' : `${((100 * part) / whole).toFixed(1)}`;
}

function tally(labels: readonly Label[], hit: ReadonlySet<Label>): Tally {
  const positive = labels.filter(({ label }) => label === 'positive');
  const negative = labels.filter(({ label }) => label === 'negative');
  return {
    positive: positive.length,
    found: positive.filter((one) => hit.has(one)).length,
    negative: negative.length,
    wrong: negative.filter((one) => hit.has(one)).length,
  };
}

async function main(): Promise<number> {
  const [labelFolder, folder] = positionals;
  if (labelFolder === undefined || folder === undefined) {
    console.error(
      'usage: npm run bench:paths -- <folder with labels.jsonl> <folder of the applications> [--only a/b,c/d] [--misses] [--findings out.json]',
    );
    return 2;
  }
  const only = values.only?.split(',');
  const repos = readdirSync(folder)
    .filter((name) => name.includes('+') && (!only || only.includes(name.replace('+', '/'))))
    .sort();
  const labels = readLabels(labelFolder).filter(({ repo }) => repos.includes(repo.replace('/', '+')));
  const byPlace = groupByPlace(labels);
  const command = await buildCommand();
  const hit = new Set<Label>();
  const unlabeled: ListedFinding[] = [];
  const all: ListedFinding[] = [];
  for (const name of repos) {
    if (!labels.some(({ repo }) => repo.replace('/', '+') === name)) continue;
    const own = OWN_PACKAGES.map((path) => join(folder, name, path)).filter((path) => existsSync(path));
    const { findings, crashes } = lintFolder(command, join(folder, name), own);
    for (const crash of crashes) console.log(crash);
    all.push(...findings);
    for (const finding of findings) {
      let isLabeled = false;
      // A finding may stand at the cause and point at the effect.
      for (const place of [finding, ...finding.related]) {
        const label = touched(finding.ruleId, place, byPlace, folder, hit);
        if (label === undefined) continue;
        hit.add(label);
        isLabeled = true;
      }
      if (!isLabeled) unlabeled.push(finding);
    }
  }
  if (values.findings !== undefined) writeFileSync(values.findings, JSON.stringify(all));
  const row = (name: string, part: readonly Label[], further = 0): (string | number)[] => {
    const { positive, found, negative, wrong: labeled } = tally(part, hit);
    const wrong = labeled + further;
    return [name, positive, negative, found, wrong, percent(found, found + wrong), percent(found, positive)];
  };
  const head = ['', 'positive', 'negative', 'found', 'wrong', 'precision %', 'recall %'];
  console.log(
    table(
      head,
      [...new Set(labels.map(({ rule }) => rule))].map((rule) =>
        row(
          rule,
          labels.filter((one) => one.rule === rule),
        ),
      ),
    ),
  );
  const sync = labels.filter(({ rule }) => rule === 'no-sync-in-handler');
  console.log('\nno-sync-in-handler by distance, and its innocents by kind');
  console.log(
    table(
      head,
      [...new Set(sync.filter(({ label }) => label !== 'gray').map(({ kind }) => kind))].map((kind) =>
        row(
          kind,
          sync.filter((one) => one.kind === kind),
        ),
      ),
    ),
  );
  const exhaustive = exhaustiveRepos(labelFolder);
  const isWithin = (repo: string): boolean => exhaustive.includes(repo);
  const withoutLabel = unlabeled.filter(
    ({ ruleId, file }) => ruleId === 'no-sync-in-handler' && isWithin((relative(folder, file).split(sep)[0] ?? '').replace('+', '/')),
  );
  console.log(`\nno-sync-in-handler where every …Sync call is labeled: ${exhaustive.length} repositories`);
  console.log(
    table(head, [
      row(
        'exhaustive',
        sync.filter(({ repo }) => isWithin(repo)),
        withoutLabel.length,
      ),
    ]),
  );
  for (const { file, line } of withoutLabel) console.log(`without a label: ${relative(folder, file)}:${line}`);
  console.log(`\n${unlabeled.length} findings at places without a label: ${countByRule(unlabeled)}.`);
  if (values.misses)
    for (const one of labels)
      if ((one.label === 'positive' && !hit.has(one)) || (one.label === 'negative' && hit.has(one)))
        console.log(
          `${one.label === 'positive' ? 'missed' : 'wrong '} ${one.rule} ${one.repo}/${one.path}:${one.line} [${one.kind}] ${one.why}`,
        );
  return 0;
}

function exhaustiveRepos(folder: string): string[] {
  const path = join(folder, 'exhaustive.json');
  return existsSync(path) ? (JSON.parse(readFileSync(path, 'utf8')) as { repos: string[] }).repos : [];
}

function countByRule(findings: readonly ListedFinding[]): string {
  const counts = new Map<string, number>();
  for (const { ruleId } of findings) counts.set(ruleId, (counts.get(ruleId) ?? 0) + 1);
  return [...counts].map(([ruleId, count]) => `${ruleId} ${count}`).join(', ');
}

function groupByPlace(labels: readonly Label[]): Map<string, Label[]> {
  const groups = new Map<string, Label[]>();
  for (const label of labels) {
    const key = `${label.rule} ${label.repo} ${label.path}`;
    groups.set(key, [...(groups.get(key) ?? []), label]);
  }
  return groups;
}

process.exitCode = await main();
