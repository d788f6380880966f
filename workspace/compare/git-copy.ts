// A commit's files in a folder of their own. The user's files, index and branches are not touched.
import { execFile } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, realpathSync, symlinkSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { promisify } from 'node:util';
import { makeOwnFolder } from '../../profiler/run/run-folder.ts';
import { CommandError } from '../errors.ts';

const run = promisify(execFile);
/** Packages of a workspace lie no deeper, as a rule. */
const MOST_LEVELS = 4;
const NOT_ENTERED: ReadonlySet<string> = new Set(['node_modules', '.git']);
const REMOVE_RETRIES = 5;

export interface GitCopy {
  /** Absolute: the same path in the copy. */
  pathOf(path: string): string;
  /** The commit, abbreviated. */
  commit: string;
  dispose(): Promise<void>;
}

/**
 * @param inside an absolute path in the repository
 * @param ref a branch, tag or commit
 * @throws CommandError where there is no repository, no such commit, or no git
 */
export async function copyOfCommit(inside: string, ref: string, signal?: AbortSignal): Promise<GitCopy> {
  const git = async (args: readonly string[], cwd: string, env?: NodeJS.ProcessEnv): Promise<string> => {
    const { stdout } = await run('git', [...args], { cwd, signal, env: { ...process.env, ...env }, maxBuffer: 16 * 1024 * 1024 });
    return stdout.trim();
  };
  const folder = realpathSync(dirname(inside));
  let root: string;
  let commit: string;
  try {
    root = realpathSync(await git(['rev-parse', '--show-toplevel'], folder));
  } catch (error) {
    throw new CommandError(
      (error as NodeJS.ErrnoException).code === 'ENOENT'
        ? 'Comparing with a commit requires git, which was not found on the PATH.'
        : `${folder} is not in a git repository, so there is no \`${ref}\` to compare with.`,
    );
  }
  try {
    // `--end-of-options`: a ref may not be taken for an option.
    commit = await git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${ref}^{commit}`], root);
  } catch {
    throw new CommandError(`\`${ref}\` is not a commit of ${root}. In a shallow clone, fetch it first: \`git fetch origin ${ref}\`.`);
  }
  const copy = makeOwnFolder(tmpdir(), 'base');
  const dispose = (): Promise<void> => rm(copy, { recursive: true, force: true, maxRetries: REMOVE_RETRIES });
  try {
    const files = join(copy, 'files');
    mkdirSync(files);
    // An index of its own: the user's stays as it is.
    const env = { GIT_INDEX_FILE: join(copy, 'index') };
    await git(['read-tree', commit], root, env);
    await git(['checkout-index', '--all', `--prefix=${files}/`], root, env);
    linkPackages(root, files, MOST_LEVELS);
    return {
      pathOf: (path) => join(files, relative(root, join(realpathSync(dirname(path)), path.slice(dirname(path).length + 1)))),
      commit: commit.slice(0, 8),
      dispose,
    };
  } catch (error) {
    await dispose();
    throw error;
  }
}

/** Installed packages are those of today: installing others takes minutes, and runs their scripts. */
function linkPackages(from: string, to: string, levels: number): void {
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.name === 'node_modules') {
      if (!existsSync(target)) symlinkSync(source, target, 'junction');
    } else if (entry.isDirectory() && !NOT_ENTERED.has(entry.name) && levels > 0 && existsSync(target))
      linkPackages(source, target, levels - 1);
  }
}
