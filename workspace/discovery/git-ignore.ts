// .gitignore files as git reads them: nested ones, those above the start up to the repository's root, and .git/info/exclude.
import { existsSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import ignore, { type Ignore } from 'ignore';
import { inTime, LONGEST_PATTERN } from './globs.ts';
import { PatternIndex } from './pattern-index.ts';
import { SharedLimit } from '../shared-limit.ts';
import { MOST_BYTES, readTextFile, textOfFile } from '../../files/read-text-file.ts';

export type IgnoreAnswer = 'ignored' | 'unignored' | 'unmentioned';

type MatchTest = (path: string) => ReturnType<Ignore['test']>;

interface ScopeOptions {
  ignorecase: boolean;
  time: SharedLimit;
  /** Called once when patterns took too long. */
  tooSlow(): void;
  /** Called once when patterns are longer than any path. */
  tooLong(): void;
}

/** The patterns that hold in a folder: its own, and behind them those of the folders above. */
export class IgnoreScope {
  readonly #base: string;
  readonly #test: MatchTest;
  readonly #outer: IgnoreScope | undefined;

  constructor(base: string, patterns: string, options: ScopeOptions, outer: IgnoreScope | undefined) {
    this.#base = base;
    const lines = patterns.split(/\r?\n/);
    const applied = lines.filter((line) => line.length <= LONGEST_PATTERN);
    if (lines.some((line) => line.length > LONGEST_PATTERN && !line.startsWith('#'))) options.tooLong();
    this.#test = testOf(new PatternIndex(applied, options.ignorecase), options);
    this.#outer = outer;
  }

  /** The innermost .gitignore that mentions a path decides. Folders above the path are taken to be not ignored. */
  answer(path: string, isFolder: boolean): IgnoreAnswer {
    const inside = relative(this.#base, path).split(sep).join('/');
    if (inside === '') return 'unmentioned';
    const { ignored, unignored } = this.#test(isFolder ? `${inside}/` : inside);
    if (ignored) return 'ignored';
    if (unignored) return 'unignored';
    return this.#outer?.answer(path, isFolder) ?? 'unmentioned';
  }
}

/** Patterns that may be tried for a path without a limit: as many as a .gitignore has that people write. */
const MANY_PATTERNS = 200;
/** Sets of patterns that are kept compiled: most paths have the same. */
const MOST_MATCHERS = 200;
/** What every path may take, in ms, also when nothing is left of the common time. */
const OWN_MS = 0.1;
const UNMENTIONED = { ignored: false, unignored: false };

function testOf(index: PatternIndex, { ignorecase, time, tooSlow }: ScopeOptions): MatchTest {
  const matchers = new Map<string, Ignore>();
  const test = (path: string, candidates: readonly number[]): ReturnType<MatchTest> => {
    if (candidates.length === 0) return UNMENTIONED;
    const key = candidates.join();
    let matcher = matchers.get(key);
    if (!matcher) {
      if (matchers.size >= MOST_MATCHERS) matchers.clear();
      matchers.set(key, (matcher = ignore({ ignorecase }).add(candidates.map((i) => index.lines[i] ?? ''))));
    }
    return matcher.test(path);
  };
  const quick = (path: string): ReturnType<MatchTest> => {
    const candidates = index.candidates(path).filter((i) => !index.isSlow(i));
    return candidates.length > MANY_PATTERNS ? UNMENTIONED : test(path, candidates);
  };
  // Once the patterns have taken too long, those that can be the reason are left out.
  const slow = inTime((path) => test(path, index.candidates(path)), quick, tooSlow, time);
  let isTold = false;
  return (path) => {
    const candidates = index.candidates(path);
    if (candidates.length > MANY_PATTERNS || candidates.some((i) => index.isSlow(i))) return slow(path);
    if (index.lines.length <= MANY_PATTERNS) return test(path, candidates);
    // Each is quick, but every path may need others.
    if (time.isUsedUp) {
      if (!isTold) tooSlow();
      isTold = true;
      return UNMENTIONED;
    }
    const start = performance.now();
    const answer = test(path, candidates);
    time.took(OWN_MS, performance.now() - start);
    return answer;
  };
}

export interface GitIgnoreOptions {
  /** As git's core.ignorecase: on by default where file systems ignore case. */
  ignorecase: boolean;
  /** For the slow patterns of all files. */
  time: SharedLimit;
  warn(message: string): void;
}

/** For slow patterns of all .gitignore files together, in ms: a repository may have one in each folder. Our choice. */
const ALL_PATTERNS_LIMIT_MS = 5000;

export function gitIgnoreOptions(platform: string, warn: (message: string) => void): GitIgnoreOptions {
  return { ignorecase: platform === 'win32' || platform === 'darwin', time: new SharedLimit(ALL_PATTERNS_LIMIT_MS), warn };
}

function scopeOptions(file: string, { ignorecase, time, warn }: GitIgnoreOptions): ScopeOptions {
  return {
    ignorecase,
    time,
    tooSlow: () => warn(`${file}: some of its patterns take too long and are not applied.`),
    tooLong: () => warn(`${file}: its patterns of more than ${LONGEST_PATTERN.toLocaleString('en-US')} characters are not applied.`),
  };
}

/** The scope of a folder, given that of the folder above. */
export function scopeIn(folder: string, outer: IgnoreScope | undefined, options: GitIgnoreOptions): IgnoreScope | undefined {
  const patterns = readPatterns(join(folder, '.gitignore'), options);
  return patterns === undefined ? outer : new IgnoreScope(folder, patterns, scopeOptions(join(folder, '.gitignore'), options), outer);
}

/** The scope that holds above a folder: of every folder from the repository's root down to the folder's parent. */
export function scopeAbove(folder: string, options: GitIgnoreOptions): IgnoreScope | undefined {
  const root = findRepositoryRoot(folder);
  if (root === undefined) return undefined;
  const exclude = findExcludeFile(root);
  const patterns = exclude === undefined ? undefined : readPatterns(exclude, options);
  let scope = patterns === undefined ? undefined : new IgnoreScope(root, patterns, scopeOptions(exclude ?? root, options), undefined);
  if (folder === root) return scope;
  scope = scopeIn(root, scope, options);
  let at = root;
  for (const name of relative(root, dirname(folder)).split(sep).filter(Boolean)) {
    at = join(at, name);
    scope = scopeIn(at, scope, options);
  }
  return scope;
}

/** The nearest folder, in or above the given one, that holds a `.git`. */
export function findRepositoryRoot(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** `.git` is a folder in a clone, and a file that names one in a worktree or submodule. */
function findExcludeFile(root: string): string | undefined {
  const dotGit = join(root, '.git');
  try {
    if (statSync(dotGit).isDirectory()) return join(dotGit, 'info', 'exclude');
    const target = /^gitdir:[ \t]*(\S.*)$/m.exec(textOfFile(dotGit, MOST_BYTES.words) ?? '')?.[1]?.trim();
    if (target === undefined) return undefined;
    const gitFolder = isAbsolute(target) ? target : resolve(root, target);
    const common = textOfFile(join(gitFolder, 'commondir'), MOST_BYTES.words);
    return join(common === undefined ? gitFolder : resolve(gitFolder, common.trim()), 'info', 'exclude');
  } catch {
    // A `.git` that cannot be read ignores nothing; git itself will complain about it.
    return undefined;
  }
}

function readPatterns(file: string, options: GitIgnoreOptions): string | undefined {
  const reading = readTextFile(file, MOST_BYTES.words);
  if (reading.ok) return reading.text.replace(/^\uFEFF/, '');
  if (reading.problem !== 'missing') options.warn(`${file} ${reading.why}; its patterns are not applied.`);
  return undefined;
}
