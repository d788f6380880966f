// How the TypeScript of a project becomes JavaScript when it is profiled: by what its own start script uses, else by a loader or compiler
// that it has.
// Nothing of ours compiles it: a project's own tool at the project's own version gives the code that the project runs.
import { isRecord } from '../../protocol/unknown-values.ts';
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parse as parseJsonc } from 'jsonc-parser';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import type { t } from '../../analysis/module/ast.ts';
import { TYPESCRIPT_FILE } from '../../analysis/module/parse.ts';
import type { Compiler, Loading } from '../../profiler/plan/plan.ts';

export type LoaderName = 'tsx' | 'ts-node' | 'swc-node';

/** What names a loader in a command or in a flag of Node. */
const LOADERS: readonly { name: LoaderName; command: RegExp; flag: RegExp }[] = [
  { name: 'tsx', command: /^tsx$/, flag: /^tsx(?:\/|$)/ },
  { name: 'ts-node', command: /^(?:ts-node(?:-(?:esm|script|dev|transpile-only))?|tsnd)$/, flag: /^(?:ts-node|tsconfig-paths)(?:\/|$)/ },
  { name: 'swc-node', command: /^swc-node$/, flag: /^@swc-node\/register(?:\/|$)/ },
];

export function loaderOfCommand(word: string): LoaderName | undefined {
  return LOADERS.find(({ command }) => command.test(word))?.name;
}

export function loaderOfFlags(values: readonly string[]): LoaderName | undefined {
  return LOADERS.find(({ flag }) => values.some((value) => flag.test(value)))?.name;
}

/** Whether a flag's value names what compiles code while it is loaded. */
export function isLoaderFlag(value: string): boolean {
  return LOADERS.some(({ flag }) => flag.test(value)) || /(?:^|\/)(?:esbuild|babel|jiti|sucrase|swc)\b/.test(value);
}

/** Whether the file, or one that it imports by its path, is TypeScript that is not this file alone. */
export function importsTypeScript(file: string, { body }: t.Program): boolean {
  return body.some((statement) => {
    if (statement.type !== 'ImportDeclaration' && statement.type !== 'ExportNamedDeclaration' && statement.type !== 'ExportAllDeclaration')
      return false;
    const kind = statement.type === 'ImportDeclaration' ? statement.importKind : statement.exportKind;
    if (!statement.source?.value.startsWith('.') || kind === 'type') return false;
    const path = resolve(dirname(file), statement.source.value);
    return [path, ...['.ts', '.tsx', '/index.ts'].map((ending) => path + ending), path.replace(/\.([cm]?)js$/, '.$1ts')].some(
      (one) => TYPESCRIPT_FILE.test(one) && existsSync(one),
    );
  });
}

export interface LoadingSearch {
  /** Of the code that is to run. */
  file: string;
  /** Folder of the package.json. */
  root: string | undefined;
  isModule: boolean;
  /** What the project's start script uses. */
  own?: LoaderName;
}

/** Undefined where the project has nothing that could do it. */
export function findLoading({ file, root, isModule, own }: LoadingSearch): Loading | undefined {
  const options = compilerOptions(dirname(file), root);
  // Most compilers leave out the types of parameters that decorators may ask for.
  const needsTypes = options.emitDecoratorMetadata === true;
  const order: readonly LoaderName[] = needsTypes ? ['swc-node', 'ts-node'] : ['tsx', 'swc-node', 'ts-node'];
  const config = findConfig(dirname(file), root);
  for (const name of own ? [own, ...order] : order) {
    const flags = loaderFlags(name, file, isModule);
    if (flags) return { flags, ...(config !== undefined && { env: { [CONFIG_VARIABLES[name]]: config } }) };
  }
  const compiler = findCompiler(file, options, needsTypes);
  return compiler && { flags: [], compiler };
}

/**
 * The loaders look for tsconfig.json in the working directory and above it. A program that is started from elsewhere, such as from the root
 * of a monorepo, would lose its settings: decorators are then syntax errors.
 */
const CONFIG_VARIABLES: Readonly<Record<LoaderName, string>> = {
  tsx: 'TSX_TSCONFIG_PATH',
  'ts-node': 'TS_NODE_PROJECT',
  'swc-node': 'TS_NODE_PROJECT',
};

function loaderFlags(name: LoaderName, file: string, isModule: boolean): string[] | undefined {
  const find = (id: string) => findModule(id, file);
  if (name === 'tsx') {
    const path = find('tsx');
    return path === undefined ? undefined : ['--import', pathToFileURL(path).href];
  }
  // Both have two doors, and each only one kind of module behind it.
  const path =
    name === 'ts-node'
      ? isModule
        ? undefined
        : (find('ts-node/register/transpile-only') ?? find('ts-node/register'))
      : find(isModule ? '@swc-node/register/esm-register' : '@swc-node/register');
  if (path === undefined) return undefined;
  return isModule ? ['--import', pathToFileURL(path).href] : ['--require', path];
}

function findModule(id: string, from: string): string | undefined {
  try {
    return createRequire(from).resolve(id);
  } catch {
    // It is not installed there.
    return undefined;
  }
}

/** From 7 on `typescript` is a program of its own, without functions that a loader could call. */
const LAST_TYPESCRIPT = 6;

function findCompiler(file: string, options: Readonly<Record<string, unknown>>, needsTypes: boolean): Compiler | undefined {
  const manifest = findModule('typescript/package.json', file);
  const version = manifest === undefined ? undefined : readJson(manifest)?.version;
  const major = typeof version === 'string' ? Number.parseInt(version, 10) : Infinity;
  const typescript = major <= LAST_TYPESCRIPT ? findModule('typescript', file) : undefined;
  const esbuild = findModule('esbuild', file);
  const found: Compiler[] = [];
  if (esbuild !== undefined) found.push({ kind: 'esbuild', path: esbuild, options });
  if (typescript !== undefined) found.push({ kind: 'typescript', path: typescript, options });
  return needsTypes ? found.at(-1) : found[0];
}

/** Those that change what the code does. */
const MEANINGFUL = [
  'experimentalDecorators',
  'emitDecoratorMetadata',
  'useDefineForClassFields',
  'jsx',
  'jsxFactory',
  'jsxFragmentFactory',
  'jsxImportSource',
  'verbatimModuleSyntax',
  'alwaysStrict',
  'strict',
];
const MOST_EXTENDS = 5;

/** Of the nearest tsconfig.json, and of those that it extends by their path. */
function compilerOptions(folder: string, root: string | undefined): Readonly<Record<string, unknown>> {
  const path = findConfig(folder, root);
  if (path === undefined) return {};
  return Object.fromEntries(Object.entries(readOptions(path, MOST_EXTENDS)).filter(([name]) => MEANINGFUL.includes(name)));
}

function findConfig(folder: string, root: string | undefined): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const path = join(at, 'tsconfig.json');
    if (existsSync(path)) return path;
    if (at === root || dirname(at) === at) return undefined;
  }
}

function readOptions(path: string, left: number): Record<string, unknown> {
  const config = readJson(path);
  if (!config) return {};
  const base =
    typeof config.extends === 'string' && config.extends.startsWith('.') && left > 0 ? resolve(dirname(path), config.extends) : undefined;
  const inherited = base === undefined ? {} : readOptions(existsSync(base) ? base : `${base}.json`, left - 1);
  return { ...inherited, ...(isRecord(config.compilerOptions) ? config.compilerOptions : {}) };
}

function readJson(path: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = parseJsonc(textOfFile(path, MOST_BYTES.settings) ?? '');
    return isRecord(value) ? value : undefined;
  } catch {
    // It is not there, or not readable: what it would say is unknown.
    return undefined;
  }
}
