// Which files and folders are not linted, whether a walk meets them or an editor opens them.
import { basename, dirname, extname, join, relative, sep } from 'node:path';
import type { DeploymentKind } from '../../protocol/project.ts';
import { deploymentKindOf } from '../../analysis/deployment/deployment-files.ts';
import { SCRIPT_FILE } from '../../analysis/module/parse.ts';
import { CONFIG_NAME, type ConfigFinder } from '../config/config-finder.ts';
import { scopeAbove, scopeIn, type GitIgnoreOptions, type IgnoreScope } from './git-ignore.ts';
import { findBuiltKind } from './read-source.ts';
import type { SkipReason } from './skipped.ts';

/** Every checkout has one: not worth a word in the summary. */
export const HISTORY_FOLDERS: ReadonlySet<string> = new Set(['.git', '.hg', '.svn', '.jj']);
// What tools write into hidden folders is nobody's source.
const TOOL_FOLDERS: ReadonlySet<string> = new Set([
  '.yarn',
  '.pnpm-store',
  '.next',
  '.nuxt',
  '.output',
  '.svelte-kit',
  '.astro',
  '.turbo',
  '.cache',
  '.parcel-cache',
  '.nyc_output',
  '.vercel',
  '.netlify',
  '.serverless',
  '.aws-sam',
  '.angular',
  '.docusaurus',
  '.vscode-test',
  // Declarations of packages' types.
  'flow-typed',
]);
/** Hidden folders with earlier states of files: VS Code's Local History extension, and backups. */
const COPIES = /^\.(?:history|lh|backups?|bak|trash)(?:$|[-_.])/i;
const DEPENDENCY_FOLDERS: ReadonlySet<string> = new Set(['node_modules', 'bower_components', 'jspm_packages']);
/** Declarations hold types only, and package managers write the other one. */
const NO_CODE = /\.d\.[cm]?ts$|^\.pnp\.(?:cjs|loader\.mjs)$/i;

/** Whether a file in a folder is linted: scripts by their ending, and in `bin` folders those without one if they start Node. */
export function scriptKind(path: string, name: string): 'script' | 'maybe-script' | undefined {
  if (SCRIPT_FILE.test(name)) return NO_CODE.test(name) ? undefined : 'script';
  return !name.includes('.') && basename(dirname(path)) === 'bin' ? 'maybe-script' : undefined;
}

const SHEBANG_OF_NODE = /^#!.*\bnode\b/;

/** Whether the text of a file that may be a script is one. */
export function startsNode(text: string): boolean {
  return SHEBANG_OF_NODE.test(text.slice(0, 200));
}

/** What a deployment file is. Our own configuration is none, whatever its name could mean to others. */
export function deploymentFileKind(path: string): DeploymentKind | undefined {
  return basename(path) === CONFIG_NAME ? undefined : deploymentKindOf(path);
}

/** The patterns of our own that leave files out: of the configurations, and of `--ignore`. */
export interface Ignoring {
  configs: ConfigFinder;
  /** False with `--no-ignore`: the configurations' `ignores` are not read. */
  useIgnoreFiles: boolean;
  extra?: { folder: string; matcher: { ignores(path: string): boolean } };
}

/** Left out by `--ignore` or by the `ignores` of the configuration that holds for the path. */
export function isOwnIgnored(path: string, isFolder: boolean, { configs, useIgnoreFiles, extra }: Ignoring): boolean {
  const suffix = isFolder ? '/' : '';
  const isIn = (base: string, matcher: { ignores(path: string): boolean }) => {
    const inside = relative(base, path).split(sep).join('/');
    return inside !== '' && !inside.startsWith('../') && inside !== '..' && matcher.ignores(inside + suffix);
  };
  if (extra && isIn(extra.folder, extra.matcher)) return true;
  if (!useIgnoreFiles) return false;
  const config = configs.known(dirname(path));
  return config.ignored !== undefined && isIn(config.folder, config.ignored);
}

/** Why a folder that a walk meets is not entered. */
export function whySkipFolder(path: string, scope: IgnoreScope | undefined, ignoring: Ignoring): SkipReason | undefined {
  const name = basename(path);
  if (TOOL_FOLDERS.has(name) || COPIES.test(name)) return 'generated-folder';
  const answer = scope?.answer(path, true);
  if (DEPENDENCY_FOLDERS.has(name)) {
    // `!packages/node_modules` in a .gitignore says that this one is source (Node-RED is laid out so).
    return answer === 'unignored' ? undefined : 'node-modules';
  }
  if (answer === 'ignored' || isOwnIgnored(path, true, ignoring)) return 'ignored-folder';
  return undefined;
}

/**
 * Why a walk from `root` would not lint `path`, by its place and name alone; undefined when it would. Reads the .gitignore files on the
 * way.
 */
export async function findLeftOut(path: string, root: string, ignoring: Ignoring, git: GitIgnoreOptions): Promise<SkipReason | undefined> {
  const { configs, useIgnoreFiles } = ignoring;
  const inside = relative(root, path).split(sep);
  if (inside[0] === '..') return undefined;
  let scope = useIgnoreFiles ? scopeAbove(root, git) : undefined;
  // What was opened or named itself is linted even where git ignores it.
  if (scope?.answer(root, true) === 'ignored') scope = undefined;
  let at = root;
  for (const [i, name] of inside.entries()) {
    await configs.forFolder(at);
    if (useIgnoreFiles) scope = scopeIn(at, scope, git);
    at = join(at, name);
    if (i === inside.length - 1) break;
    if (HISTORY_FOLDERS.has(name)) return 'generated-folder';
    const reason = whySkipFolder(at, scope, ignoring);
    if (reason) return reason;
  }
  if (scope?.answer(path, false) === 'ignored' || isOwnIgnored(path, false, ignoring)) return 'ignored-file';
  return scriptKind(path, basename(path)) ? findBuiltKind(path) : undefined;
}

/** Whether a path is JavaScript or TypeScript by its ending, declarations left out. */
export function isScriptPath(path: string): boolean {
  return scriptKind(path, basename(path)) === 'script';
}

/** Whether a path without an ending may be a script. */
export function hasNoEnding(path: string): boolean {
  return extname(path) === '';
}
