// The files of a commit, for recordings of what ran then. Nothing in the repository is changed or run.
import { execFile } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { join, sep } from 'node:path';
import { promisify } from 'node:util';
import { MOST_BYTES } from '../../files/read-text-file.ts';
import { CommandError } from '../errors.ts';
import { insideOf } from '../../files/inside.ts';

const run = promisify(execFile);

export class CommitTexts {
  /** Abbreviated. */
  readonly commit: string;
  /** Absolute, as they were called then. */
  readonly files: readonly string[];
  readonly #renamed: ReadonlyMap<string, string>;
  readonly #git: (args: readonly string[]) => Promise<string>;
  readonly #root: string;
  readonly #known = new Map<string, Promise<string | undefined>>();

  private constructor(
    commit: string,
    root: string,
    names: readonly string[],
    renamed: ReadonlyMap<string, string>,
    git: CommitTexts['git'],
  ) {
    this.commit = commit;
    this.#root = root;
    this.files = names.map((name) => join(root, ...name.split('/')));
    this.#renamed = renamed;
    this.#git = git;
  }

  get git(): (args: readonly string[]) => Promise<string> {
    return this.#git;
  }

  /** @throws CommandError where there is no repository, no such commit, or no git */
  static async open(folder: string, ref: string, signal?: AbortSignal): Promise<CommitTexts> {
    let root = folder;
    const git = async (args: readonly string[]): Promise<string> => {
      // The repository's own settings may name programs to run.
      const safe = ['-c', 'core.fsmonitor=false', '-c', 'core.quotePath=false', '-c', 'core.hooksPath=/dev/null'];
      const env = { ...process.env, GIT_OPTIONAL_LOCKS: '0', LC_ALL: 'C' };
      return (await run('git', [...safe, ...args], { cwd: root, signal, env, maxBuffer: MOST_BYTES.namedSource })).stdout;
    };
    try {
      root = realpathSync((await git(['rev-parse', '--show-toplevel'])).trim());
    } catch (error) {
      throw new CommandError(
        (error as NodeJS.ErrnoException).code === 'ENOENT'
          ? '`--commit` needs git, which was not found on the PATH.'
          : `\`--commit\` needs a git repository, and ${folder} is not in one.`,
      );
    }
    let commit: string;
    try {
      commit = (await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`])).trim();
    } catch {
      const isShallow = (await git(['rev-parse', '--is-shallow-repository'])).trim() === 'true';
      throw new CommandError(
        isShallow
          ? `\`${ref}\` is not in this clone, which is shallow. Fetch it first: \`git fetch --unshallow\`.`
          : `\`${ref}\` is not a commit of ${root}. If it was made elsewhere, fetch it first.`,
      );
    }
    const names = (await git(['ls-tree', '-r', '--name-only', '-z', commit])).split('\0').filter((name) => name !== '');
    const diff = ['diff', '--name-status', '-z', '--find-renames', '--no-ext-diff', '--no-textconv', '--diff-filter=R', commit, '--'];
    const parts = (await git(diff)).split('\0');
    const renamed = new Map<string, string>();
    for (let i = 0; i + 2 < parts.length; i += 3) {
      const [was = '', is = ''] = parts.slice(i + 1, i + 3);
      renamed.set(join(root, ...was.split('/')), join(root, ...is.split('/')));
    }
    return new CommitTexts(commit.slice(0, 12), root, names, renamed, git);
  }

  /** What a file is called now. */
  nameNow(file: string): string {
    return this.#renamed.get(real(file)) ?? file;
  }

  /** Undefined for a file that the commit does not have. */
  textOf(file: string): Promise<string | undefined> {
    let known = this.#known.get(file);
    if (!known) this.#known.set(file, (known = this.#read(file)));
    return known;
  }

  async #read(file: string): Promise<string | undefined> {
    const name = insideOf(this.#root, real(file))?.split(sep).join('/');
    if (name === undefined) return undefined;
    try {
      return await this.#git(['cat-file', 'blob', `${this.commit}:${name}`]);
    } catch (error) {
      if ((error as Error).name === 'AbortError') throw error;
      // It was not there, or is larger than anything that is read.
      return undefined;
    }
  }
}

function real(file: string): string {
  try {
    return realpathSync(file);
  } catch {
    // It is gone by now.
    return file;
  }
}
