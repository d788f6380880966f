// Which file a specifier means: paths, folders, packages of the same repository with their `exports` and `imports`, path aliases. The host
// reads these descriptions from disk; this module only compares text.

import type { SchemaText } from '../summary/format.ts';
import { StarTable } from './star-table.ts';

export interface PackageLayout {
  /** Absolute folder with forward slashes. */
  root: string;
  name?: string;
  main?: string;
  module?: string;
  exports?: unknown;
  imports?: unknown;
  /** Files that its scripts name, as they write them: `plugins/app.js` of `fastify start plugins/app.js`. */
  runs?: readonly string[];
  /** Names of the other packages of the repository that it depends on. */
  needs?: readonly string[];
}

/** What a folder says of specifiers: the `compilerOptions` of a tsconfig.json or jsconfig.json, `_moduleAliases`, Babel's module-resolver. */
export interface AliasLayout {
  /** Absolute folder that the configuration applies to. */
  root: string;
  /** Absolute folder that the targets are relative to. */
  base: string;
  /** Whether bare specifiers are also resolved in `base`. */
  hasBaseUrl: boolean;
  paths: Readonly<Record<string, readonly string[]>>;
}

/** A file in the schema language of GraphQL. */
export interface SchemaLayout extends SchemaText {
  /** Absolute path. */
  file: string;
}

export interface ProjectLayout {
  packages: readonly PackageLayout[];
  aliases: readonly AliasLayout[];
  schemas?: readonly SchemaLayout[];
}

export const EMPTY_LAYOUT: ProjectLayout = { packages: [], aliases: [] };

const ENDINGS = ['.js', '.ts', '.mjs', '.cjs', '.tsx', '.jsx', '.mts', '.cts'];
const WRITTEN_AS: Readonly<Record<string, readonly string[]>> = {
  '.js': ['.ts', '.tsx'],
  '.jsx': ['.tsx'],
  '.mjs': ['.mts'],
  '.cjs': ['.cts'],
};
/** TypeScript looks for its own files first, and so does what runs or bundles it. */
const TYPED_ENDINGS = ['.ts', '.tsx', '.mts', '.cts', ...ENDINGS];
const TYPED = /\.[cm]?tsx?$/;
/** Output folders of a build. Their sources are in a sibling folder. */
const BUILT = /(^|\/)(?:dist|lib|build|out|esm|cjs|output|compiled)(?=\/|$)/;
// A folder that is loaded by a computed name tells nothing if it has more files than this.
const MOST_FILES = 400;
/** Of one pattern of `paths`. */
const MOST_TARGETS = 100;

/** Resolves specifiers to file numbers. */
export type Specifiers = Pick<Resolver, 'resolve' | 'matching'>;

export class Resolver {
  readonly #files: ReadonlyMap<string, number>;
  readonly #layout: ProjectLayout;
  readonly #byRoot: ReadonlyMap<string, PackageLayout>;
  readonly #byName: ReadonlyMap<string, PackageLayout>;
  readonly #aliases: ReadonlyMap<string, readonly AliasLayout[]>;
  /** By folder, language, and specifier; -1 if it is not a file of the project. */
  readonly #known = new Map<string, Map<string, number>>();
  /** By path without extension: the file with the extension that is tried first, from JavaScript and from TypeScript. */
  readonly #byStem = new Map<string, string>();
  readonly #byStemTyped = new Map<string, string>();
  readonly #tables = new Map<object, StarTable<unknown>>();
  #folders: Map<string, string[]> | undefined;
  #importer = '';
  #isTyped = false;
  #fileOf = new Map<string, number>();

  /** `files`: absolute paths with forward slashes, and their numbers. */
  constructor(files: ReadonlyMap<string, number>, layout: ProjectLayout) {
    this.#files = files;
    this.#layout = layout;
    this.#byRoot = new Map(layout.packages.map((one) => [one.root, one]));
    this.#byName = new Map(layout.packages.flatMap((one) => (one.name ? [[one.name, one] as const] : [])));
    const aliases = new Map<string, AliasLayout[]>();
    for (const one of layout.aliases) aliases.set(one.root, [...(aliases.get(one.root) ?? []), one]);
    this.#aliases = aliases;
    for (const file of files.keys()) {
      const ending = file.slice(file.lastIndexOf('.'));
      const stem = file.slice(0, -ending.length);
      for (const [endings, known] of [
        [ENDINGS, this.#byStem],
        [TYPED_ENDINGS, this.#byStemTyped],
      ] as const) {
        const rank = endings.indexOf(ending);
        const before = known.get(stem);
        if (rank >= 0 && (before === undefined || rank < endings.indexOf(before.slice(stem.length)))) known.set(stem, file);
      }
    }
  }

  /** The number of the file that a specifier in `from` means; undefined if it is not a file of the project. */
  resolve(from: string, specifier: string): number | undefined {
    // All specifiers of one file are usually resolved in a row.
    if (from !== this.#importer) {
      this.#isTyped = TYPED.test(from);
      const key = `${folderOf(from)}${this.#isTyped ? '/*.ts' : ''}`;
      let fileOf = this.#known.get(key);
      if (!fileOf) this.#known.set(key, (fileOf = new Map()));
      this.#importer = from;
      this.#fileOf = fileOf;
    }
    let found = this.#fileOf.get(specifier);
    if (found === undefined) {
      const path = this.#find(from, specifier.includes('?') ? specifier.slice(0, specifier.indexOf('?')) : specifier);
      this.#fileOf.set(specifier, (found = path === undefined ? -1 : (this.#files.get(path) ?? -1)));
    }
    return found < 0 ? undefined : found;
  }

  /** All files that a path with `*` may mean, relative to the file's folder or its package. */
  matching(from: string, pattern: string): readonly number[] {
    if (!pattern.startsWith('.') && !pattern.startsWith('/')) return [];
    const folders = [folderOf(from), ...(this.#packageOf(from) ? [(this.#packageOf(from) as PackageLayout).root] : [])];
    for (const folder of folders) {
      const path = pattern.startsWith('/') ? normalize(pattern) : join(folder, pattern);
      let found = this.#match(path, from);
      // A folder of compiled files, which are left out.
      if (found.length === 0 && pattern.startsWith('.') && BUILT.test(pattern))
        found = this.#match(join(folder, pattern.replace(BUILT, '$1src')), from);
      if (found.length > 0) return found.length > MOST_FILES ? [] : found;
    }
    return [];
  }

  /** The same resolver with other numbers: `places` maps the old numbers to the new ones, -1 for files that are left out. */
  renumbered(places: Int32Array): Specifiers {
    const placeOf = (file: number): number => places[file] ?? -1;
    return {
      resolve: (from, specifier) => {
        const file = this.resolve(from, specifier);
        const place = file === undefined ? -1 : placeOf(file);
        return place < 0 ? undefined : place;
      },
      matching: (from, pattern) =>
        this.matching(from, pattern)
          .map(placeOf)
          .filter((place) => place >= 0),
    };
  }

  #match(path: string, from: string): number[] {
    const head = path.slice(0, path.indexOf('*'));
    const folder = head.slice(0, head.lastIndexOf('/'));
    const source = path
      .slice(folder.length + 1)
      .split('*')
      .map((part) => part.replace(/[.+?^${}()|[\]\\]/g, '\\$&'))
      .join('[^/]+');
    const test = new RegExp(`^${source}(?:\\.[cm]?[jt]sx?|/index\\.[cm]?[jt]sx?)?$`);
    const found: number[] = [];
    for (const file of this.#below(folder)) {
      if (file !== from && test.test(file.slice(folder.length + 1))) found.push(this.#files.get(file) ?? -1);
    }
    return found.filter((id) => id >= 0);
  }

  #below(folder: string): readonly string[] {
    if (!this.#folders) {
      this.#folders = new Map();
      for (const file of this.#files.keys()) {
        // Two levels, because a loader may take `routes/users/index.js`.
        for (let at = folderOf(file), i = 0; i < 3 && at !== ''; at = folderOf(at), i++) {
          const list = this.#folders.get(at);
          if (list) list.push(file);
          else this.#folders.set(at, [file]);
        }
      }
    }
    return this.#folders.get(folder) ?? [];
  }

  #find(from: string, specifier: string): string | undefined {
    if (specifier.startsWith('.')) {
      const path = join(folderOf(from), specifier);
      return this.#file(path) ?? this.#builtFrom(path, from) ?? this.#fromPackage(from, specifier);
    }
    if (specifier.startsWith('/')) return this.#file(normalize(specifier)) ?? this.#fromRoot(from, `.${specifier}`);
    if (specifier.startsWith('#')) return this.#imports(from, specifier);
    return this.#aliased(from, specifier) ?? this.#workspace(specifier) ?? this.#customary(from, specifier);
  }

  /** The source of a compiled file that is not among the files: `src/users.ts` for `./dist/users`. */
  #builtFrom(path: string, from: string): string | undefined {
    const parts = path.replace(/\.[cm]?jsx?$/, '').split('/');
    const at = parts.findLastIndex((part) => BUILT.test(part));
    if (at < 1) return undefined;
    const above = parts.slice(0, at).join('/');
    const inside = parts.slice(at + 1).join('/');
    const found = this.#file(`${above}/src/${inside}`) ?? (inside === '' ? undefined : this.#file(`${above}/${inside}`));
    return found === from ? undefined : found;
  }

  /** `require(path.resolve('./config'))` is relative to the folder where the program starts. */
  #fromPackage(from: string, specifier: string): string | undefined {
    const found = this.#packageOf(from);
    return found && this.#file(join(found.root, specifier));
  }

  /** `require(process.env.ROOT + '/config')`: from the folder of the package, or from one that holds several. */
  #fromRoot(from: string, specifier: string): string | undefined {
    for (let at = this.#packageOf(from)?.root ?? folderOf(from); ; at = folderOf(at)) {
      const found = this.#file(join(at, specifier));
      if (found !== undefined || at === '') return found;
    }
  }

  #file(path: string): string | undefined {
    const stems = this.#isTyped ? this.#byStemTyped : this.#byStem;
    const written = path.endsWith('js') || path.endsWith('jsx') ? /\.[cm]?jsx?$/.exec(path)?.[0] : undefined;
    const source =
      written && (WRITTEN_AS[written] ?? []).map((ending) => path.slice(0, -written.length) + ending).find((one) => this.#files.has(one));
    if (source !== undefined && this.#isTyped) return source;
    if (this.#files.has(path)) return path;
    const known = stems.get(path);
    if (known !== undefined) return known;
    if (source !== undefined) return source;
    const main = this.#byRoot.get(path)?.main;
    if (main) {
      const target = join(path, main);
      if (target !== path) {
        const found = this.#file(target);
        if (found) return found;
      }
    }
    return stems.get(`${path}/index`);
  }

  /** The folder of the package that the file belongs to; '' for none. */
  packageRootOf(file: string): string {
    return this.#packageOf(file.replaceAll('\\', '/'))?.root ?? '';
  }

  #packageOf(file: string): PackageLayout | undefined {
    for (let at = folderOf(file); at !== ''; at = folderOf(at)) {
      const found = this.#byRoot.get(at);
      if (found) return found;
    }
    return this.#byRoot.get('');
  }

  #aliased(from: string, specifier: string): string | undefined {
    for (let at = folderOf(from); ; at = folderOf(at)) {
      for (const alias of this.#aliases.get(at) ?? []) {
        const found = this.#throughAlias(alias, specifier);
        if (found) return found;
      }
      if (at === '') return undefined;
    }
  }

  #throughAlias(alias: AliasLayout, specifier: string): string | undefined {
    for (const { value: targets, star } of this.#tableOf(alias.paths).matching(specifier)) {
      const paths = targets.slice(0, MOST_TARGETS).map((target) => target.replace('*', star));
      const rootOf = (path: string): string => (path.startsWith('/') ? '' : alias.base);
      // A file that is there goes before one that a build writes.
      for (const path of paths) {
        const found = this.#file(join(rootOf(path), path));
        if (found) return found;
      }
      for (const path of paths) {
        const found = this.#target(rootOf(path), path);
        if (found) return found;
      }
    }
    return alias.hasBaseUrl ? this.#file(join(alias.base, specifier)) : undefined;
  }

  /** `@/x` and `~/x`, which bundlers and frameworks map to the source folder. */
  #customary(from: string, specifier: string): string | undefined {
    const rest = /^(?:@|~|~~|src|@src|@app)\/(.+)$/.exec(specifier)?.[1];
    const own = rest === undefined ? undefined : this.#packageOf(from);
    if (rest === undefined || !own) return undefined;
    return this.#file(join(own.root, `src/${rest}`)) ?? this.#file(join(own.root, rest)) ?? this.#file(join(own.root, `app/${rest}`));
  }

  #imports(from: string, specifier: string): string | undefined {
    const own = this.#packageOf(from);
    if (!own || typeof own.imports !== 'object' || own.imports === null) return undefined;
    return this.#mapped(own.root, own.imports as Record<string, unknown>, specifier);
  }

  #workspace(specifier: string): string | undefined {
    const parts = specifier.split('/');
    const name = specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? '');
    const found = this.#byName.get(name);
    if (!found) return undefined;
    const rest = specifier.slice(name.length + 1);
    const subpath = rest === '' ? '.' : `./${rest}`;
    const { exports } = found;
    if (typeof exports === 'string' && rest === '') return this.#target(found.root, exports) ?? this.#entry(found);
    if (typeof exports === 'object' && exports !== null) {
      const table = exports as Record<string, unknown>;
      const isMap = Object.keys(table).some((key) => key.startsWith('.'));
      const mapped = isMap ? this.#mapped(found.root, table, subpath) : rest === '' ? this.#conditional(found.root, table, '') : undefined;
      if (mapped) return mapped;
    }
    return rest === '' ? this.#entry(found) : (this.#target(found.root, rest) ?? this.#file(join(found.root, `src/${rest}`)));
  }

  #entry({ root, main, module }: PackageLayout): string | undefined {
    for (const entry of [module, main]) {
      const found = entry ? this.#target(root, entry) : undefined;
      if (found) return found;
    }
    return this.#file(join(root, 'src/index')) ?? this.#file(join(root, 'index')) ?? this.#file(join(root, 'src/main'));
  }

  #mapped(root: string, table: Record<string, unknown>, specifier: string): string | undefined {
    const exact = table[specifier];
    if (exact !== undefined) return this.#conditional(root, exact, '');
    for (const { pattern, value: target, star } of this.#tableOf(table).matching(specifier)) {
      const found = pattern.includes('*') ? this.#conditional(root, target, star) : undefined;
      if (found) return found;
    }
    return undefined;
  }

  #tableOf<T>(table: Readonly<Record<string, T>>): StarTable<T> {
    let known = this.#tables.get(table) as StarTable<T> | undefined;
    if (!known) this.#tables.set(table, (known = new StarTable(table)));
    return known;
  }

  /** The first condition whose target exists. Which one Node would choose makes no difference to the calls. */
  #conditional(root: string, target: unknown, star: string): string | undefined {
    if (typeof target === 'string') return this.#target(root, target.replaceAll('*', star));
    if (typeof target !== 'object' || target === null) return undefined;
    for (const inner of Array.isArray(target) ? target : Object.values(target)) {
      const found = this.#conditional(root, inner, star);
      if (found) return found;
    }
    return undefined;
  }

  /** A file of a package. If a build generates it, the source that it is built from. */
  #target(root: string, target: string): string | undefined {
    const path = join(root, target);
    const found = this.#file(path);
    if (found) return found;
    const inside = path.slice(root.length + 1);
    if (!BUILT.test(inside)) return undefined;
    const plain = inside.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '');
    return this.#file(join(root, plain.replace(BUILT, '$1src'))) ?? this.#file(join(root, plain.replace(/^[^/]+\//, '')));
  }

  get layout(): ProjectLayout {
    return this.#layout;
  }
}

export function folderOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0));
}

export function join(folder: string, path: string): string {
  return normalize(`${folder}/${path}`);
}

function normalize(path: string): string {
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue;
    if (part === '..') parts.pop();
    else parts.push(part);
  }
  const joined = parts.join('/');
  return path.startsWith('/') ? `/${joined}` : joined;
}
