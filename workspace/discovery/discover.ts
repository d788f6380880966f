// From path arguments to the files to lint. Reads folders, never files; every path left out is counted.
import { readdirSync, realpathSync, type Dirent } from 'node:fs';
import { basename, dirname, extname, relative, resolve, sep } from 'node:path';
import { whyUnreadable } from '../../files/read-text-file.ts';
import type { DeploymentKind } from '../../protocol/project.ts';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import type { ConfigFinder } from '../config/config-finder.ts';
import { scopeAbove, scopeIn, type GitIgnoreOptions, type IgnoreScope } from './git-ignore.ts';
import { compileGlobs, type PathTest } from './globs.ts';
import { CommandError } from '../errors.ts';
import { deploymentFileKind, HISTORY_FOLDERS, isOwnIgnored, scriptKind, whySkipFolder, type Ignoring } from './left-out.ts';
import { findBuiltKind } from './read-source.ts';
import type { Skipped } from './skipped.ts';
import type { Turns } from '../turns.ts';
import { statsOf } from '../../files/path-stats.ts';

export interface FoundFile {
  /** Absolute path. */
  path: string;
  /** The user named this very file: neither .gitignore nor size nor looks leave it out. */
  named: boolean;
  /** Without an ending: it is linted only if its first line starts Node. */
  needsShebang: boolean;
}

export interface FoundDeploymentFile {
  path: string;
  kind: DeploymentKind;
}

export interface Discovery {
  scripts: readonly FoundFile[];
  deployment: readonly FoundDeploymentFile[];
  /** Every folder that was read whole. */
  folders: ReadonlySet<string>;
}

export interface DiscoveryRequest {
  paths: readonly string[];
  cwd: string;
  /** Patterns of `--ignore`, relative to `cwd`. */
  ignores?: { ignores(path: string): boolean };
  /** False with `--no-ignore`: neither .gitignore nor the configuration's `ignores` are read. */
  useIgnoreFiles: boolean;
  git: GitIgnoreOptions;
  configs: ConfigFinder;
  skipped: Skipped;
  turns: Turns;
  warn(message: string): void;
  note(message: string): void;
}

export async function discover(request: DiscoveryRequest): Promise<Discovery> {
  const walk = new Walk(request);
  for (const given of request.paths) await walk.argument(given);
  return walk.result();
}

class Walk {
  readonly #request: DiscoveryRequest;
  readonly #scripts = new Map<string, FoundFile>();
  readonly #deployment = new Map<string, FoundDeploymentFile>();
  readonly #linkedFiles: string[] = [];
  readonly #folders = new Set<string>();
  readonly #ignoring: Ignoring;

  constructor(request: DiscoveryRequest) {
    this.#request = request;
    this.#ignoring = {
      configs: request.configs,
      useIgnoreFiles: request.useIgnoreFiles,
      extra: request.ignores && { folder: request.cwd, matcher: request.ignores },
    };
  }

  async argument(given: string): Promise<void> {
    const path = resolve(this.#request.cwd, given);
    const stats = statsOf(path);
    if (stats?.isDirectory()) return this.#namedFolder(path, undefined);
    if (stats) return this.#namedFile(path);
    if (/[*?{[]/.test(given)) return this.#glob(given);
    throw new CommandError(`File or folder not found: \`${given}\`.`);
  }

  result(): Discovery {
    // A linked file counts once, under its own name if that was found too.
    const real = new Set([...this.#scripts.keys()]);
    for (const path of this.#linkedFiles) {
      try {
        const target = realpathSync(path);
        if (real.has(target) || !statsOf(target)?.isFile()) continue;
        real.add(target);
        // What it holds is shown in findings. --fix writes there only where it lies in the same repository.
        if (![...this.#folders].some((folder) => target.startsWith(folder === sep ? sep : `${folder}${sep}`)))
          this.#request.note(`${this.#shown(path)} is a link to ${target}, outside of the linted folders.`);
        const name = basename(path);
        this.#add(path, name, scriptKind(path, name) === 'maybe-script');
      } catch (error) {
        this.#unreadable(path, error);
      }
    }
    const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);
    return {
      scripts: [...this.#scripts.values()].sort(byPath),
      deployment: [...this.#deployment.values()].sort(byPath),
      folders: this.#folders,
    };
  }

  async #namedFile(path: string): Promise<void> {
    const request = this.#request;
    const name = basename(path);
    const config = await request.configs.forFolder(dirname(path));
    if (isOwnIgnored(path, false, this.#ignoring)) {
      const from = config.path === undefined ? '--ignore' : `\`ignores\` in ${config.path} or --ignore`;
      request.note(`${this.#shown(path)} is skipped because it matches ${from}. To lint it anyway, use \`--no-ignore\`.`);
      request.skipped.add('ignored-file');
      return;
    }
    const kind = deploymentKindOf(path);
    if (kind) this.#deployment.set(path, { path, kind });
    if (!kind && !SCRIPT_FILE.test(name) && extname(name) !== '') {
      request.note(`${this.#shown(path)} is skipped because it is not a JavaScript, TypeScript, or deployment file.`);
    } else if (!kind || SCRIPT_FILE.test(name)) {
      const built = findBuiltKind(path);
      if (built)
        request.note(
          `${this.#shown(path)} looks ${built === 'minified' ? 'minified' : 'like a bundle'}; it is linted because it was named explicitly.`,
        );
      this.#scripts.set(path, { path, named: true, needsShebang: false });
    }
  }

  /** An argument is linted even where git ignores it: then the patterns above it do not hold inside. */
  async #namedFolder(path: string, only: PathTest | undefined): Promise<void> {
    const { useIgnoreFiles, git } = this.#request;
    let outer = useIgnoreFiles ? scopeAbove(path, git) : undefined;
    if (outer?.answer(path, true) === 'ignored') outer = undefined;
    await this.#folder(path, outer, only);
  }

  async #glob(given: string): Promise<void> {
    const { default: picomatch } = await import('picomatch');
    const { base } = picomatch.scan(given.split(sep).join('/'));
    const from = resolve(this.#request.cwd, base);
    if (!statsOf(from)?.isDirectory()) throw new CommandError(`No file matches \`${given}\`: folder \`${base}\` not found.`);
    const absolute = resolve(this.#request.cwd, given).split(sep).join('/');
    const matches = await compileGlobs([absolute], () => {
      throw new CommandError(`\`${given}\` takes too long to match. Use a pattern with fewer wildcards.`);
    });
    const before = this.#scripts.size + this.#deployment.size;
    await this.#namedFolder(from, matches);
    if (this.#scripts.size + this.#deployment.size === before) throw new CommandError(`No file to lint matches \`${given}\`.`);
  }

  // Not recursive: a folder tree may be deeper than the stack.
  async #folder(start: string, outerScope: IgnoreScope | undefined, only: PathTest | undefined): Promise<void> {
    const pending: { path: string; outer: IgnoreScope | undefined }[] = [{ path: start, outer: outerScope }];
    for (let next = pending.pop(); next; next = pending.pop()) {
      const { path: folder, outer } = next;
      await this.#request.turns.take();
      if (only === undefined && this.#folders.has(folder)) continue;
      if (only === undefined) this.#folders.add(folder);
      let entries: Dirent[];
      try {
        entries = readdirSync(folder, { withFileTypes: true });
      } catch (error) {
        this.#unreadable(folder, error);
        continue;
      }
      await this.#request.configs.forFolder(folder);
      const hasIgnoreFile = this.#request.useIgnoreFiles && entries.some((entry) => entry.name === '.gitignore');
      const scope = hasIgnoreFile ? scopeIn(folder, outer, this.#request.git) : outer;
      for (const entry of entries) {
        const path = folder === sep ? `${sep}${entry.name}` : `${folder}${sep}${entry.name}`;
        if (entry.isDirectory()) {
          if (HISTORY_FOLDERS.has(entry.name)) continue;
          const reason = whySkipFolder(path, scope, this.#ignoring);
          if (reason) this.#request.skipped.add(reason);
          else pending.push({ path, outer: scope });
        } else this.#entry(path, entry, scope, only);
      }
    }
  }

  #entry(path: string, entry: Dirent, scope: IgnoreScope | undefined, only: PathTest | undefined): void {
    const { name } = entry;
    const script = scriptKind(path, name);
    if (entry.isSymbolicLink() && !script && !deploymentKindOf(path)) {
      // A link to a folder inside the tree leads to files that are found anyway, one to outside leads out of what was asked for.
      if (statsOf(path)?.isDirectory()) this.#request.skipped.add('linked-folder');
      return;
    }
    if (!script && !deploymentKindOf(path)) return;
    if (only && !only(path.split(sep).join('/'))) return;
    if (scope?.answer(path, false) === 'ignored' || isOwnIgnored(path, false, this.#ignoring)) {
      this.#request.skipped.add('ignored-file');
      return;
    }
    const built = script ? findBuiltKind(path) : undefined;
    if (built) this.#request.skipped.add(built);
    else if (entry.isSymbolicLink()) this.#linkedFiles.push(path);
    else if (entry.isFile()) this.#add(path, name, script === 'maybe-script');
  }

  #add(path: string, name: string, needsShebang: boolean): void {
    const kind = deploymentFileKind(path);
    if (kind) this.#deployment.set(path, { path, kind });
    if (scriptKind(path, name) && !this.#scripts.has(path)) this.#scripts.set(path, { path, named: false, needsShebang });
  }

  #unreadable(path: string, error: unknown): void {
    this.#request.skipped.add('unreadable');
    this.#request.warn(`${this.#shown(path)} ${whyUnreadable(error)}.`);
  }

  #shown(path: string): string {
    return relative(this.#request.cwd, path) || '.';
  }
}
