// Reads what says which file a specifier means: every package.json, tsconfig.json, and file of aliases in the folders of the project's files
// and above.
import { isRecord } from '../../protocol/unknown-values.ts';
import { existsSync, readdirSync, type Dirent } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { MOST_BYTES, textOfFile } from '../../files/read-text-file.ts';
import { readSchemaText } from '../../analysis/facts/handlers/schema-text.ts';
import type { AliasLayout, PackageLayout, ProjectLayout, SchemaLayout } from '../../analysis/project/files/layout.ts';
import { readJson, slashes } from './json-files.ts';
import { readModuleAliases } from './module-aliases.ts';

const ALIAS_FILES = ['tsconfig.json', 'jsconfig.json'];
// `extends` of `extends`: real projects have two or three.
const MAX_EXTENDS = 8;

/** `files`: absolute paths. Unreadable descriptions are passed over: they only cost paths between files. */
export function readProjectLayout(files: Iterable<string>): ProjectLayout {
  const folders = new Set<string>();
  for (const file of files) {
    for (let folder = dirname(file); !folders.has(folder); folder = dirname(folder)) folders.add(folder);
  }
  const packages: PackageLayout[] = [];
  const names = new Map<PackageLayout, readonly string[]>();
  const aliases: AliasLayout[] = [];
  const read: Read = new Map();
  for (const folder of [...folders].sort()) {
    const raw = readJson(join(folder, 'package.json'));
    if (raw) packages.push(readPackage(folder, raw, names));
    const alias = readAliases(folder, read);
    if (alias) aliases.push(alias);
    aliases.push(...readModuleAliases(folder, raw));
  }
  const own = new Set(packages.map(({ name }) => name));
  for (const one of packages) {
    const needs = names.get(one)?.filter((name) => own.has(name)) ?? [];
    if (needs.length > 0) one.needs = needs;
  }
  const schemas = readSchemas(folders, packages);
  return { packages, aliases, ...(schemas.length > 0 ? { schemas } : {}) };
}

const SCHEMA_FILE = /\.(?:graphqls?|gql)$/;
/** Folders that have no code of their own. */
const SCHEMA_FOLDER = /^(?:graphql|schemas?|gql|type-?defs)$/i;
const MOST_DEEP = 5;
// A schema in more files than this is not written by hand.
const MOST_SCHEMAS = 500;

/** What the schemas in the folders of the code say, if one of its packages has to do with GraphQL. */
function readSchemas(folders: ReadonlySet<string>, packages: readonly PackageLayout[]): SchemaLayout[] {
  if (!packages.some(({ root }) => isOfGraphql(root))) return [];
  const found: SchemaLayout[] = [];
  const look = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      if (found.length >= MOST_SCHEMAS) return;
      const path = join(folder, entry.name);
      if (entry.isDirectory()) {
        const isForSchemas = depth > 0 || SCHEMA_FOLDER.test(entry.name);
        if (isForSchemas && depth < MOST_DEEP && !folders.has(path)) look(path, depth + 1);
      } else if (SCHEMA_FILE.test(entry.name)) {
        const text = textOfFile(path, MOST_BYTES.settings);
        const { lists, members } = readSchemaText(text ?? '');
        if (lists.length + members.length > 0) found.push({ file: path, lists, members });
      }
    }
  };
  const roots = packages.map(({ root }) => root);
  // Not above the packages: nobody keeps a schema there, and the folders are those of others.
  for (const folder of [...folders].sort()) if (roots.some((root) => isWithin(slashes(folder), root))) look(folder, 0);
  return found;
}

function isOfGraphql(root: string): boolean {
  const raw = readJson(join(root === '' ? '/' : root, 'package.json'));
  return [raw?.dependencies, raw?.devDependencies].some(
    (list) => isRecord(list) && Object.keys(list).some((name) => /graphql|apollo|mercurius/.test(name)),
  );
}

function isWithin(folder: string, root: string): boolean {
  return folder === root || folder.startsWith(`${root}/`);
}

/** Folders that cannot be read are passed over. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}

/** @param names gets the packages that it depends on */
function readPackage(folder: string, raw: Record<string, unknown>, names: Map<PackageLayout, readonly string[]>): PackageLayout {
  const text = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
  const found: PackageLayout = {
    root: slashes(folder),
    name: text(raw.name),
    main: text(raw.main),
    module: text(raw.module) ?? text(raw.source),
    exports: raw.exports,
    imports: raw.imports,
  };
  const runs = isRecord(raw.scripts) ? Object.values(raw.scripts).flatMap(filesIn) : [];
  if (runs.length > 0) found.runs = runs;
  const lists = [raw.dependencies, raw.devDependencies, raw.peerDependencies, raw.optionalDependencies];
  names.set(
    found,
    lists.flatMap((list) => (isRecord(list) ? Object.keys(list) : [])),
  );
  return found;
}

/** The scripts that a command names. */
function filesIn(command: unknown): string[] {
  return typeof command === 'string' ? command.split(/[\s"'`;&|=]+/).filter((word) => /\.[cm]?[jt]sx?$/.test(word)) : [];
}

function readAliases(folder: string, read: Read): AliasLayout | undefined {
  for (const name of ALIAS_FILES) {
    const options = readOptions(join(folder, name), MAX_EXTENDS, read);
    if (options && (options.baseUrl !== undefined || Object.keys(options.paths).length > 0)) {
      return {
        root: slashes(folder),
        base: slashes(options.baseUrl ?? options.pathsBase),
        hasBaseUrl: options.baseUrl !== undefined,
        paths: options.paths,
      };
    }
  }
  return undefined;
}

interface Options {
  baseUrl?: string;
  /** Folder of the file that gives `paths`: what they are relative to without `baseUrl`. */
  pathsBase: string;
  paths: Record<string, string[]>;
}

/** By file. A file that many extend is read once; one that is being read extends itself, and adds nothing. */
type Read = Map<string, Options | undefined>;

function readOptions(file: string, left: number, read: Read): Options | undefined {
  if (read.has(file)) return read.get(file);
  read.set(file, undefined);
  const options = readOptionsOf(file, left, read);
  read.set(file, options);
  return options;
}

function readOptionsOf(file: string, left: number, read: Read): Options | undefined {
  const raw = readJson(file);
  if (!raw || left === 0) return undefined;
  const folder = dirname(file);
  const parents = (Array.isArray(raw.extends) ? raw.extends : [raw.extends]).filter(
    (one): one is string => typeof one === 'string' && one.startsWith('.'),
  );
  let found: Options = { pathsBase: folder, paths: {} };
  for (const parent of parents) {
    const path = resolve(folder, parent);
    const inherited = readOptions(existsSync(path) && path.endsWith('.json') ? path : `${path}.json`, left - 1, read);
    if (inherited) found = inherited;
  }
  const options = isRecord(raw.compilerOptions) ? raw.compilerOptions : {};
  if (typeof options.baseUrl === 'string') found = { ...found, baseUrl: resolve(folder, options.baseUrl) };
  if (isRecord(options.paths)) {
    const paths = Object.entries(options.paths).flatMap(([pattern, targets]) =>
      Array.isArray(targets) ? [[pattern, targets.filter((target): target is string => typeof target === 'string')] as const] : [],
    );
    found = { ...found, paths: Object.fromEntries(paths), pathsBase: folder };
  }
  return found;
}
