// Which lines have changed since a commit, as git sees it: committed, staged, and in the working tree, with files that git does not track.
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { promisify } from 'node:util';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import { CommandError } from '../errors.ts';
import { EVIDENCE_FILE } from '../profile/evidence-store.ts';
import { changedVerdicts, type ChangedVerdict } from './changed-verdicts.ts';

const run = promisify(execFile);
/** Of the output of git: a diff without context of some million lines. */
const MOST_OUTPUT = 256 * 1024 * 1024;
/** A clone of one commit follows one branch: without the last word, others would be fetched, and still have no name. */
const FETCH_ALL = 'git fetch --unshallow origin "+refs/heads/*:refs/remotes/origin/*"';

/** First and last line, from 1. */
type Lines = readonly [from: number, to: number];

export class GitChanges {
  readonly #files: ReadonlyMap<string, 'all' | readonly Lines[]>;
  readonly ref: string;
  readonly verdicts: readonly ChangedVerdict[];

  constructor(ref: string, files: ReadonlyMap<string, 'all' | readonly Lines[]>, verdicts: readonly ChangedVerdict[] = []) {
    this.ref = ref;
    this.#files = files;
    this.verdicts = verdicts;
  }

  get fileCount(): number {
    return this.#files.size;
  }

  /** Whether one of the lines has changed. */
  touches(file: string, from: number, to: number): boolean {
    const changed = this.#files.get(file) ?? this.#files.get(real(file));
    return changed === 'all' || (changed?.some(([first, last]) => first <= to && from <= last) ?? false);
  }
}

/**
 * The changes on this side only: since the commit where the two lines of history parted, as a pull request shows them.
 * @param folder in the repository
 * @throws CommandError where there is no repository, no such commit, no common commit, or no git
 */
export async function changesSince(folder: string, ref: string, signal?: AbortSignal): Promise<GitChanges> {
  const git = async (args: readonly string[], cwd: string): Promise<string> => {
    // The repository's own settings may name programs to run. Nothing is written: no lock, no refreshed index.
    const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'core.hooksPath=/dev/null'];
    const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
    return (await run('git', [...safe, ...args], { cwd, signal, env, maxBuffer: MOST_OUTPUT })).stdout;
  };
  let root: string;
  try {
    root = realpathSync((await git(['rev-parse', '--show-toplevel'], folder)).trim());
  } catch (error) {
    throw new CommandError(
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? '`--since` needs git, which was not found on the PATH.'
        : `\`--since\` needs a git repository, and ${folder} is not in one.`,
    );
  }
  const isShallow = (await git(['rev-parse', '--is-shallow-repository'], root)).trim() === 'true';
  let commit: string;
  try {
    commit = (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], root)).trim();
  } catch {
    throw new CommandError(
      isShallow
        ? `\`${ref}\` is not in this clone, which is shallow. Fetch it first: \`${FETCH_ALL}\`. On GitHub Actions, set \`fetch-depth: 0\` for actions/checkout; on GitLab, \`GIT_DEPTH: 0\`.`
        : `\`${ref}\` is not a commit of ${root}. If it is a branch of a remote, fetch it, or name it with the remote: \`origin/${ref}\`.`,
    );
  }
  let base: string;
  try {
    base = (await git(['merge-base', commit, 'HEAD'], root)).trim();
  } catch {
    throw new CommandError(
      isShallow
        ? `This clone is shallow and does not contain the commit where \`${ref}\` and HEAD parted. Run \`${FETCH_ALL}\` first. On GitHub Actions, set \`fetch-depth: 0\` for actions/checkout; on GitLab, \`GIT_DEPTH: 0\`.`
        : `\`${ref}\` and HEAD have no common commit, so there are no changes since \`${ref}\`.`,
    );
  }
  const format = ['--unified=0', '--no-color', '--no-ext-diff', '--no-textconv', '--find-renames', '--src-prefix=a/', '--dst-prefix=b/'];
  const diff = await git(['diff', ...format, '--submodule=short', base, '--'], root);
  const files = new Map<string, 'all' | readonly Lines[]>(
    [...readDiff(diff)].map(([name, lines]) => [join(root, ...name.split('/')), lines] as const),
  );
  for (const name of (await git(['ls-files', '--others', '--exclude-standard', '-z'], root)).split('\0'))
    if (name !== '') files.set(join(root, ...name.split('/')), 'all');
  const verdicts: ChangedVerdict[] = [];
  for (const path of [...files.keys()].filter((one) => one.endsWith(`${sep}${EVIDENCE_FILE}`))) {
    const name = relative(root, path).split(sep).join('/');
    const now = textOfFile(path, MOST_BYTES.evidence);
    if (now === undefined) continue;
    // New files have no earlier text.
    const before = await git(['show', `${base}:${name}`], root).catch(() => '');
    verdicts.push(...changedVerdicts(dirname(dirname(path)), before, now));
  }
  return new GitChanges(ref, files, verdicts);
}

/** The changed lines of each file, by its name in the later version, of a diff without context. */
export function readDiff(diff: string): Map<string, Lines[]> {
  const files = new Map<string, Lines[]>();
  let lines: Lines[] | undefined;
  /** Lines of the hunk that are still to come: one of them may look like a header. */
  let rest = 0;
  for (const line of diff.split('\n')) {
    if (rest > 0 && /^[-+]/.test(line)) {
      rest--;
      continue;
    }
    const hunk = /^@@ -\d+(?:,(\d+))? \+(\d+)(?:,(\d+))? @@/.exec(line);
    if (hunk) {
      const [, removed = '1', start = '0', added = '1'] = hunk;
      rest = Number(removed) + Number(added);
      const first = Number(start);
      // What was removed leaves no line; those around it are what it may have changed, such as the line below a comment.
      lines?.push(added === '0' ? [first, first + 1] : [first, first + Number(added) - 1]);
    } else if (line.startsWith('+++ ')) {
      const name = nameOf(line.slice('+++ '.length));
      lines = name === undefined ? undefined : [];
      if (name !== undefined && lines) files.set(name, lines);
    }
  }
  return files;
}

const ESCAPES: Readonly<Record<string, string>> = { a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' };

/** `b/src/app.js`, in quotation marks if the name has characters that need them; undefined for `/dev/null`. */
function nameOf(text: string): string | undefined {
  const quoted = /^"(.*)"$/.exec(text);
  // Git ends a name that has a space with a tab.
  const name = quoted
    ? (quoted[1] ?? '').replace(/\\([abfnrtv"\\]|[0-7]{3})/g, (_, code: string) =>
        code.length === 3 ? String.fromCharCode(Number.parseInt(code, 8)) : (ESCAPES[code] ?? code),
      )
    : text.replace(/\t$/, '');
  return name.startsWith('b/') ? name.slice('b/'.length) : undefined;
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It is gone, or is standard input under a name of its own: no other name will do.
    return file;
  }
}
