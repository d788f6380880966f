// What a team lives through that adopts Nodometer in an old repository as docs/ci.md says. Each step has what is promised and what was
// seen; whoever runs it compares.
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { format, type Options } from 'prettier';
import { ROOT } from '../../scripts/generate.ts';
import { scriptsBelow } from '../script-files.ts';

export interface Step {
  name: string;
  promised: string;
  seen: string;
}

export interface Adoption {
  /** Before anything was accepted. */
  findings: number;
  files: number;
  /** The lines of docs/ci.md that were run. */
  commands: readonly string[];
  steps: readonly Step[];
  /** Of the commands with a warm cache, by what was run. */
  seconds: ReadonlyMap<string, readonly number[]>;
  /** Scripts whose text Prettier has changed, of one style after the other. */
  reformatted: readonly number[];
}

interface Ran {
  code: number | null;
  out: string;
  err: string;
  seconds: number;
}

interface Reported {
  file: string;
  line: number;
  ruleId: string;
}

/** As far as possible from Prettier's own style, and from each other. */
const STYLES: readonly Options[] = [
  {
    semi: false,
    singleQuote: true,
    tabWidth: 4,
    printWidth: 60,
    trailingComma: 'none',
    arrowParens: 'avoid',
    bracketSpacing: false,
    quoteProps: 'consistent',
    objectWrap: 'collapse',
    experimentalTernaries: true,
    experimentalOperatorPosition: 'start',
  },
  { useTabs: true, printWidth: 160, trailingComma: 'all', endOfLine: 'crlf', bracketSameLine: true, quoteProps: 'as-needed' },
];
const PRETTIER_PARSERS: Readonly<Record<string, string>> = { ts: 'typescript', mts: 'typescript', cts: 'typescript', tsx: 'typescript' };

const WEB = 'applications/number-1/web';
const NEW_FILE = `${WEB}/nightly.js`;
/** One blocking call for each request; the second is another function with the same code. */
const ROUTE = `import { readFileSync } from 'node:fs';
import express from 'express';

const app = express();
app.get('/nightly', (req, res) => {
  res.send(readFileSync('nightly.html', 'utf8'));
});
app.listen(process.env.PORT);
`;
const TWO_EQUAL = `import { readFileSync } from 'node:fs';
import express from 'express';

const app = express();

function terms() {
  return readFileSync('terms.html', 'utf8');
}

function imprint() {
  return 'none yet';
}

app.get('/terms', (req, res) => {
  res.send(terms());
});
app.get('/imprint', (req, res) => {
  res.send(imprint());
});
app.listen(process.env.PORT);
`;
const ONE_FOR_THE_OTHER = TWO_EQUAL.replace("readFileSync('terms.html', 'utf8')", "'loaded elsewhere'").replace(
  "'none yet'",
  "readFileSync('terms.html', 'utf8')",
);

/** The five lines below the heading. */
export function commandsOfTheDocs(): string[] {
  const page = readFileSync(join(ROOT, 'docs', 'ci.md'), 'utf8');
  const block = /\n## Adopt it in an old repository\n[^]*?\n```sh\n([^]*?)```/.exec(page)?.[1] ?? '';
  return block
    .split('\n')
    .map((line) => line.replace(/ +#.*$/, ''))
    .filter(Boolean);
}

/**
 * @param command path of the built `nodometer`
 * @param folder with the old repository, not in Git yet; it is changed
 * @param cache folder for the command's cache
 */
export async function runScenario({
  command,
  folder,
  cache,
  rounds,
  styles = STYLES.length,
}: {
  command: string;
  folder: string;
  cache: string;
  /** Of each recipe for hooks; with 0, they are not run. */
  rounds: number;
  /** Of Prettier, one after the other. */
  styles?: number;
}): Promise<Adoption> {
  const steps: Step[] = [];
  const step = (name: string, promised: string, seen: string): void => void steps.push({ name, promised, seen });
  const env = { PATH: process.env.PATH, HOME: process.env.HOME, XDG_CACHE_HOME: cache, LOCALAPPDATA: cache };
  const nodometer = (args: readonly string[], cwd = folder): Ran => {
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, [command, ...args], { cwd, env, encoding: 'utf8', maxBuffer: 1 << 28 });
    return { code: status, out: stdout, err: stderr, seconds: (performance.now() - start) / 1000 };
  };
  const git = (args: readonly string[], cwd = folder): string =>
    execFileSync(
      'git',
      ['-c', 'user.name=a', '-c', 'user.email=a@example.com', '-c', 'commit.gpgsign=false', '-c', 'core.autocrlf=false', ...args],
      {
        cwd,
        encoding: 'utf8',
        stdio: 'pipe',
        maxBuffer: 1 << 28,
      },
    );
  const reported = (args: readonly string[], cwd = folder): Reported[] =>
    JSON.parse(nodometer(['lint', '--format', 'json', '--exit-zero', ...args], cwd).out || '[]') as Reported[];
  const shown = (found: readonly Reported[]): string =>
    found.map(({ file, line, ruleId }) => `${relative(folder, file).replaceAll('\\', '/')}:${line} ${ruleId}`).join(', ') || 'nothing';
  /** Exit code and findings of the gate, and how many entries it says are gone. */
  const gate = (): string => {
    const { code, out, err } = nodometer([...lastWords, '--format', 'json']);
    const gone = /(\d+) findings? of \S+ (?:is|are) gone/.exec(err)?.[1] ?? '0';
    return `exit ${code}; new: ${shown(JSON.parse(out || '[]') as Reported[])}; gone: ${gone}`;
  };
  const write = (name: string, text: string): void => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  const read = (name: string): string => readFileSync(join(folder, name), 'utf8');
  const restore = (): void => {
    git(['reset', '--quiet', '--hard']);
    git(['clean', '--quiet', '-fd']);
  };

  write(`${WEB}/pages.js`, TWO_EQUAL);
  git(['init', '--quiet', '--initial-branch=main']);
  git(['add', '.']);
  git(['commit', '--quiet', '--message', 'all']);
  const findings = reported([]).length;
  const files = nodometer(['lint', '--list-files']).out.split('\n').filter(Boolean).length;

  const commands = commandsOfTheDocs();
  const codes: (number | null)[] = [];
  for (const line of commands) {
    const [program, ...args] = wordsOf(line);
    if (program === 'git') git(args);
    codes.push(program === 'git' ? 0 : nodometer(args).code);
  }
  const lastWords = wordsOf(commands.at(-1) ?? '').slice(1);
  step('the commands of docs/ci.md', 'exit 0, 0, 0, 0, 0', `exit ${codes.join(', ')}`);
  step('the gate without a change', 'exit 0; new: nothing; gone: 0', gate());

  write(NEW_FILE, ROUTE);
  step('one new finding', `exit 1; new: ${NEW_FILE}:6 no-sync-in-handler; gone: 0`, gate());
  restore();

  const handler = `${WEB}/no-sync-in-handler.js`;
  write(handler, read(handler).replace('response.end(scryptSync(', "scryptSync('warm', SALT, KEY_LENGTH);\n    response.end(scryptSync("));
  step('one more in a function with a known one', `exit 1; new: ${handler}:11 no-sync-in-handler; gone: 0`, gate());
  restore();

  const reformatted: number[] = [];
  for (const [i, style] of STYLES.slice(0, styles).entries()) {
    let changed = 0;
    for (const file of scriptsBelow(folder)) changed += (await reformat(file, style)) ? 1 : 0;
    reformatted.push(changed);
    step(`everything reformatted (style ${i + 1})`, 'exit 0; new: nothing; gone: 0', gate());
    restore();
  }

  mkdirSync(join(folder, 'moved', 'deep'), { recursive: true });
  renameSync(join(folder, handler), join(folder, 'moved', 'deep', 'sign-in.js'));
  step('a file that has moved', 'exit 0; new: nothing; gone: 0', gate());
  restore();

  write(`${WEB}/pages.js`, read(`${WEB}/pages.js`).replaceAll('terms()', 'termsOfUse()'));
  step('a function with another name', `exit 1; new: ${WEB}/pages.js:7 no-sync-in-handler; gone: 1`, gate());
  restore();

  write(`${WEB}/pages.js`, ONE_FOR_THE_OTHER);
  step('one fixed, and an equal one added', `exit 1; new: ${WEB}/pages.js:11 no-sync-in-handler; gone: 1`, gate());
  restore();

  await shallowClone();

  const seconds = new Map<string, number[]>();
  write(NEW_FILE, ROUTE);
  git(['add', '.']);
  const recipes = {
    'hook: lint --baseline --since HEAD': ['lint', '--baseline', '--since', 'HEAD', '--max-warnings', '0'],
    'lint-staged: lint --baseline <file>': ['lint', '--baseline', '--max-warnings', '0', join(folder, NEW_FILE)],
    'the whole gate': lastWords,
  };
  for (const [name, args] of rounds === 0 ? [] : Object.entries(recipes)) {
    step(name, 'exit 1', `exit ${nodometer(args).code}`);
    seconds.set(
      name,
      Array.from({ length: rounds }, (_, round) => {
        // One file differs from the run before, as between two commits.
        write(NEW_FILE, `${ROUTE}// ${round}\n`);
        return nodometer(args).seconds;
      }),
    );
  }
  restore();
  return { findings, files, commands, steps, seconds, reformatted };

  /** A branch with one new finding, cloned as CI systems do: without history, and without the other branches. */
  async function shallowClone(): Promise<void> {
    git(['checkout', '--quiet', '-b', 'feature']);
    write(NEW_FILE, ROUTE);
    git(['add', '.']);
    git(['commit', '--quiet', '--message', 'nightly']);
    const clone = `${folder}-clone`;
    git(['clone', '--quiet', '--depth', '1', '--branch', 'feature', pathToFileURL(folder).href, clone]);
    try {
      const since = ['lint', '--since', 'origin/main', '--max-warnings', '0'];
      const refused = nodometer(since, clone);
      step(
        '--since in a shallow clone',
        'exit 2; says that it is shallow',
        `exit ${refused.code}; ${/shallow/.test(refused.err) ? 'says that it is shallow' : refused.err}`,
      );
      const [, remedy = ''] = /`git (fetch [^`]*)`/.exec(refused.err) ?? [];
      try {
        git(wordsOf(remedy), clone);
      } catch (error) {
        step('the command that the sentence names', 'works', (error as Error).message);
      }
      const { code } = nodometer(since, clone);
      const found = reported(['--since', 'origin/main'], clone).map(
        ({ file, line, ruleId }) => `${relative(clone, file).replaceAll('\\', '/')}:${line} ${ruleId}`,
      );
      step('after the command that it names', `exit 1; ${NEW_FILE}:6 no-sync-in-handler`, `exit ${code}; ${found.join(', ')}`);
    } finally {
      rmSync(clone, { recursive: true, force: true });
    }
    git(['checkout', '--quiet', 'main']);
  }
}

/** Whether the text is another now. Prettier leaves what it cannot parse. */
async function reformat(file: string, style: Options): Promise<boolean> {
  const before = readFileSync(file, 'utf8');
  const parser = PRETTIER_PARSERS[file.slice(file.lastIndexOf('.') + 1)] ?? 'babel';
  let after: string;
  try {
    after = await format(before, { ...style, parser });
  } catch {
    return false;
  }
  writeFileSync(file, after);
  return after !== before;
}

/** Words of a line for a shell, with double quotation marks at most. */
function wordsOf(line: string): string[] {
  return [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');
}
