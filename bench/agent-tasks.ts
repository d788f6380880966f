// Whether what the tools for agents answer is enough to find a known performance problem and its remedy, asked by a script without a model.
// `npm run bench:agents -- --fixes <file of labeled commits> --mirror <folder of git snapshots> [--all] [--later] [--only <text>]
// [--write]` A line of the file has `repo`, `parent`, `file`, `line`, `endLine`, `category`, and `detectable`. The tasks are the first 20
// entries, in the file's order, that the code alone shows and whose category a rule was about on 2026-11-25; with `--all`, the other ones
// of these kinds are tried, too, and with `--later` all. `--only` runs those whose name has the text, and keeps the written results of the
// others. The task names the file, as in "make this file faster". Three calls: `findings` of the file, `explain` of the finding that is
// nearest to the place itself or by the call that leads to it, and `explain` of its rule if there is no fix in code.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { ToolProcess } from '../client/tools/tool-process.ts';
import { buildCommand, table } from './lint-command.ts';

const RESULTS = fileURLToPath(new URL('./results/agent-tasks.json', import.meta.url));
const TASKS = 20;
/** Lines between a finding, or a step of its path, and the place. */
const NEAR = 3;
const MOST_TOKENS = 2_000;
/** Our estimate for code and English. */
const CHARACTERS_PER_TOKEN = 4;
const MOST_FILE_BYTES = 1 << 20;
/** What a run of `lint` reads. */
const READ = /\.(?:[cm]?[jt]sx?|json|ya?ml|sh)$|(?:^|\/)(?:Dockerfile|Procfile)[^/]*$/;

/** Rules by what they are about. A finding of another rule at the place is chance. */
const RULES: Readonly<Record<string, readonly string[]>> = {
  'sync-io': ['no-sync-in-handler'],
  quadratic: ['no-quadratic'],
  'n-plus-one': ['no-query-per-item'],
  'setup-per-request': ['no-setup-per-request'],
  regex: ['no-unsafe-regex'],
  'unbounded-growth': ['no-unbounded-growth'],
  shape: ['no-unstable-shape', 'no-polymorphic-call'],
  'throw-try': ['no-throw-in-hot-path'],
  'thread-pool': ['no-late-threadpool-size', 'no-threadpool-saturation'],
  'slow-api': ['no-slow-api'],
};

/** Kinds that no rule was about when the first tasks were chosen. They come behind these, with `--later`. */
const LATER: Readonly<Record<string, readonly string[]>> = {
  'setup-per-call': ['no-setup-per-request', 'no-redundant-work'],
  'view-cache': ['no-setup-per-request'],
  'redundant-work': ['no-redundant-work'],
  'sequential-await': ['no-sequential-await'],
  'json-clone': ['no-deep-clone'],
  'stack-capture': ['no-stack-capture'],
  'logging-cost': ['no-eager-log'],
  'buffer-concat': ['no-buffer-copy'],
  'startup-cost': ['no-slow-start'],
  'unbounded-fan-out': ['no-unbounded-fan-out'],
};

interface Entry {
  repo: string;
  parent: string;
  file: string;
  line: number;
  endLine: number;
  category: string;
  detectable: string;
}

interface Outcome {
  task: string;
  category: string;
  /** What the answers lead to: code that makes it faster, what to do in words, the place alone, or nothing. */
  found: 'fix' | 'remedy' | 'nothing' | 'no snapshot';
  rule: string;
  calls: number;
  /** Of the longest answer. */
  tokens: number;
}

const { values } = parseArgs({
  options: {
    fixes: { type: 'string', default: process.env.NODOMETER_FIXES },
    mirror: { type: 'string', default: process.env.NODOMETER_MIRROR },
    all: { type: 'boolean', default: false },
    later: { type: 'boolean', default: false },
    only: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const { fixes, mirror } = values;
if (!fixes || !mirror) throw new Error('--fixes and --mirror are required');

const entries = readFileSync(fixes, 'utf8')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.parse(line) as Entry)
  .filter(({ detectable }) => detectable === 'static');
const first = entries.filter(({ category }) => Object.hasOwn(RULES, category));
const later = entries.filter(({ category }) => Object.hasOwn(LATER, category));
const tasks = values.later ? [...first, ...later] : values.all ? first : first.slice(0, TASKS);
const program = join(dirname(await buildCommand()), 'agent-tools.js');
const work = realpathSync(mkdtempSync(join(tmpdir(), 'nodometer-tasks-')));
const outcomes: Outcome[] = [];
const before = values.only === undefined ? [] : (JSON.parse(readFileSync(RESULTS, 'utf8')) as { outcomes: readonly Outcome[] }).outcomes;
try {
  for (const [i, task] of tasks.entries()) {
    const folder = join(work, String(i));
    const name = nameOf(task);
    const known = values.only !== undefined && !name.includes(values.only) ? before.find((one) => one.task === name) : undefined;
    if (known) {
      outcomes.push(known);
      continue;
    }
    const outcome: Outcome = { task: name, category: task.category, found: 'no snapshot', rule: '', calls: 0, tokens: 0 };
    const bare = join(mirror, task.repo.replace('/', '+'), 'repo');
    const gitDir = [bare, join(bare, '.git')].find((one) => existsSync(join(one, 'HEAD')));
    if (gitDir !== undefined && layOut(gitDir, task, folder)) await attempt(task, folder, outcome);
    outcomes.push(outcome);
    console.error(`${i + 1}/${tasks.length} ${outcome.found} ${outcome.task}`);
    rmSync(folder, { recursive: true, force: true });
  }
} finally {
  rmSync(work, { recursive: true, force: true });
}
const rows = outcomes.map(({ task, category, found, rule, calls, tokens }) => [category, found, rule, calls, tokens, task]);
console.log(table(['category', 'found', 'rule', 'calls', 'tokens', 'task'], rows));
const sum = (some: readonly Outcome[]) => {
  const tried = some.filter(({ found }) => found !== 'no snapshot');
  const enough = tried.filter(({ found, tokens }) => found !== 'nothing' && tokens <= MOST_TOKENS);
  return {
    tasks: tried.length,
    enough: enough.length,
    withFix: enough.filter(({ found }) => found === 'fix').length,
    mostCalls: Math.max(...tried.map(({ calls }) => calls)),
    mostTokens: Math.max(...tried.map(({ tokens }) => tokens)),
  };
};
const result = {
  date: new Date().toISOString().slice(0, 10),
  node: process.versions.node,
  first: sum(outcomes.slice(0, TASKS)),
  ...(values.all || values.later ? { all: sum(outcomes.slice(0, first.length)) } : {}),
  ...(values.later ? { withLater: sum(outcomes) } : {}),
};
console.log(JSON.stringify(result));
if (values.write) writeFileSync(RESULTS, `${JSON.stringify({ ...result, outcomes }, undefined, 2)}\n`);

async function attempt(task: Entry, folder: string, outcome: Outcome): Promise<void> {
  const { file, category } = task;
  const wanted = RULES[category] ?? LATER[category] ?? [];
  const tools = new ToolProcess({ file: program, runtime: process.execPath, args: [folder], cwd: work, log: () => undefined });
  const ask = async (tool: 'findings' | 'explain', args: object): Promise<string> => {
    const { text } = await tools.call(tool, args, new AbortController().signal);
    outcome.calls++;
    outcome.tokens = Math.max(outcome.tokens, Math.ceil(text.length / CHARACTERS_PER_TOKEN));
    return text;
  };
  outcome.found = 'nothing';
  try {
    const listed = [...(await ask('findings', { path: file })).matchAll(/^(\S+?):(\d+):\d+ \w+ ([\w-]+) ([0-9a-f]{12}) (.*)/gm)]
      .map(([, , line, rule = '', id = '', rest = '']) => {
        const [, through, at] = / \| via: (\S+?):(\d+):\d+ \| /.exec(rest) ?? [];
        const lines = [Number(line), ...(through === file ? [Number(at)] : [])];
        return { away: Math.min(...lines.map((one) => distance(one, task))), rule, id };
      })
      .filter(({ rule }) => wanted.includes(rule))
      .sort((a, b) => a.away - b.away);
    const [nearest] = listed;
    if (!nearest) return;
    const explained = await ask('explain', { id: nearest.id });
    const steps = [...explained.matchAll(/^ {2}\d+\. (\S+?):(\d+):\d+ /gm)].filter(([, at]) => at === file);
    if (nearest.away > NEAR && !steps.some(([, , line]) => distance(Number(line), task) <= NEAR)) return;
    outcome.rule = nearest.rule;
    outcome.found = /^Fix/m.test(explained) ? 'fix' : 'remedy';
    // Where no code is offered, the rule's page shows what it looks like.
    if (outcome.found === 'remedy') await ask('explain', { rule: nearest.rule });
  } finally {
    tools.dispose();
  }
}

function nameOf({ repo, parent, file, line }: Entry): string {
  return `${repo}@${parent.slice(0, 8)} ${file}:${line}`;
}

/** In lines; 0 within the place. */
function distance(line: number, { line: from, endLine }: Entry): number {
  return Math.max(from - line, line - endLine, 0);
}

/** The scripts and configuration of a commit. A snapshot may lack files, which are left out. False where it lacks the task's. */
function layOut(gitDir: string, { parent, file }: Entry, folder: string): boolean {
  const env = { ...process.env, GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };
  const git = (args: readonly string[], input?: string): Buffer =>
    execFileSync('git', ['-c', 'safe.directory=*', `--git-dir=${gitDir}`, ...args], { env, input, maxBuffer: 1 << 30 });
  const rows = git(['ls-tree', '-r', '-z', '--full-tree', parent])
    .toString()
    .split('\0')
    .flatMap((row) => {
      const [, id, path] = /^100\d+ blob (\w+)\t([^]*)$/.exec(row) ?? [];
      return id !== undefined && path !== undefined && (READ.test(path) || path === file) && !path.includes('node_modules/')
        ? [{ id, path }]
        : [];
    });
  const known = git(['cat-file', '--batch-check'], `${rows.map(({ id }) => id).join('\n')}\n`)
    .toString()
    .split('\n');
  const present = rows.filter((_, i) => Number(/ blob (\d+)$/.exec(known[i] ?? '')?.[1] ?? Infinity) <= MOST_FILE_BYTES);
  const contents = git(['cat-file', '--batch'], `${present.map(({ id }) => id).join('\n')}\n`);
  let at = 0;
  for (const { path } of present) {
    const head = contents.indexOf('\n', at);
    const size = Number(contents.toString('latin1', at, head).split(' ')[2]);
    const target = join(folder, ...path.split('/'));
    mkdirSync(dirname(target), { recursive: true });
    writeFileSync(target, contents.subarray(head + 1, head + 1 + size));
    at = head + 1 + size + 1;
  }
  return present.some(({ path }) => path === file);
}
