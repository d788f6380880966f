// The files of a project that the rule reads, each of them once: texts, package.json files, and the source file that a start command means.
import type { Node as JsonNode } from 'jsonc-parser';
import { readJsonTree } from './json-tree.ts';
import type { DeploymentFile, DeploymentProject } from '../../protocol/project.ts';
import type { Span } from '../../protocol/finding.ts';
import { BUILT_FOLDER, basename, dirname, isInside, join, toSlashes } from './paths.ts';

export interface ManifestScript {
  /** The command that the shell gets. */
  text: string;
  /** The JSON string with its quotes. */
  span: Span;
  /** Offset in the file of each character of `text`, and of its end. */
  offsets: readonly number[];
}

export interface Manifest {
  path: string;
  folder: string;
  text: string;
  name: string | undefined;
  main: string | undefined;
  bin: ReadonlyMap<string, string>;
  scripts: ReadonlyMap<string, ManifestScript>;
  dependencies: ReadonlySet<string>;
  devDependencies: ReadonlySet<string>;
}

// The folder of a start command is seldom deeper below its package.json. The limit only ends a walk to the root of the disk.
const MAX_FOLDERS_UP = 12;

const SCRIPT_ENDINGS = [
  '.js',
  '.cjs',
  '.mjs',
  '.ts',
  '.cts',
  '.mts',
  '.tsx',
  '.jsx',
  '/index.js',
  '/index.ts',
  '/index.mjs',
  '/index.cjs',
  '/index.tsx',
  '/index.jsx',
];
const SOURCE_FOLDERS = ['src', '', 'source', 'server', 'app', 'lib'];

export class ProjectFiles {
  readonly root: string;
  readonly files: readonly DeploymentFile[];
  readonly #read: (path: string) => string | undefined;
  readonly #texts = new Map<string, string | undefined>();
  readonly #manifests = new Map<string, Manifest | undefined>();
  readonly #byPath: ReadonlyMap<string, DeploymentFile>;

  constructor(project: DeploymentProject) {
    this.root = toSlashes(project.root).replace(/(?<=.)\/$/, '');
    this.files = project.files;
    this.#byPath = new Map(project.files.map((file) => [toSlashes(file.path), file]));
    this.#read = (path) => project.readText(path);
  }

  readText(path: string): string | undefined {
    if (this.#texts.has(path)) return this.#texts.get(path);
    const text = this.#byPath.get(path)?.text ?? this.#read(path);
    this.#texts.set(path, text);
    return text;
  }

  has(path: string): boolean {
    return this.readText(path) !== undefined;
  }

  /** The project's deployment file at a path. */
  findFile(path: string): DeploymentFile | undefined {
    return this.#byPath.get(path);
  }

  manifestAt(path: string): Manifest | undefined {
    if (this.#manifests.has(path)) return this.#manifests.get(path);
    const text = basename(path).endsWith('.json') ? this.readText(path) : undefined;
    const manifest = text === undefined ? undefined : parseManifest(path, text);
    this.#manifests.set(path, manifest);
    return manifest;
  }

  /** The nearest package.json, in a folder or above it, with a name, dependencies or scripts. `{"type": "module"}` alone is skipped. */
  nearestManifest(folder: string): Manifest | undefined {
    let at = folder;
    for (let i = 0; i < MAX_FOLDERS_UP; i++) {
      const manifest = this.manifestAt(join(at, 'package.json'));
      if (manifest && (manifest.name !== undefined || manifest.dependencies.size > 0 || manifest.scripts.size > 0)) return manifest;
      const up = dirname(at);
      if (up === at || at === this.root) return undefined;
      at = up;
    }
    return undefined;
  }

  /**
   * The source file that `path` means to Node: with its extension, as a folder with an index or a package.json, or as the source of a built
   * file that does not exist.
   */
  findModule(path: string): string | undefined {
    return this.#findExact(path) ?? this.#findSourceOfBuilt(path);
  }

  #findExact(path: string): string | undefined {
    if (/\.[A-Za-z]+$/.test(path) && this.has(path)) return path;
    const asSource = path.replace(/\.([cm]?)js(x?)$/, '.$1ts$2');
    if (asSource !== path && this.has(asSource)) return asSource;
    for (const ending of SCRIPT_ENDINGS) if (this.has(path + ending)) return path + ending;
    const main = this.manifestAt(join(path, 'package.json'))?.main;
    if (main && main !== '.' && main !== './') {
      const target = join(path, main);
      if (target !== path) return this.findModule(target);
    }
    // `bin/www`: a file without an extension.
    return !/\.[A-Za-z]+$/.test(basename(path)) && this.has(path) ? path : undefined;
  }

  #findSourceOfBuilt(path: string): string | undefined {
    if (!isInside(path, this.root)) return undefined;
    const below = path.slice(this.root.length + 1).split('/');
    for (const [i, part] of below.entries()) {
      if (i === below.length - 1 || !BUILT_FOLDER.test(part)) continue;
      const before = [this.root, ...below.slice(0, i)].join('/');
      const after = below
        .slice(i + 1)
        .join('/')
        .replace(/\.[cm]?js$/, '');
      for (const folder of SOURCE_FOLDERS) {
        const found = this.#findExact(join(before, `./${folder}/${after}`));
        if (found) return found;
      }
      // Nx and Nest monorepos: `dist/apps/api/main.js` is built from `apps/api/src/main.ts`.
      const found = this.#findExact(join(before, `${dirname(after)}/src/${basename(after)}`));
      if (found) return found;
    }
    return undefined;
  }
}

function parseManifest(path: string, text: string): Manifest | undefined {
  const root = readJsonTree(text, { allowTrailingComma: true });
  if (root?.type !== 'object') return undefined;
  const scripts = new Map<string, ManifestScript>();
  for (const [name, value] of properties(child(root, 'scripts'))) {
    if (value.type === 'string')
      scripts.set(name, {
        text: String(value.value),
        span: { start: value.offset, end: value.offset + value.length },
        offsets: stringOffsets(text, value),
      });
  }
  const bin = new Map<string, string>();
  const binNode = child(root, 'bin');
  const name = stringAt(root, 'name');
  if (binNode?.type === 'string' && name) bin.set(name.replace(/^@[^/]+\//, ''), String(binNode.value));
  for (const [key, value] of properties(binNode)) if (value.type === 'string') bin.set(key, String(value.value));
  return {
    path,
    folder: dirname(path),
    text,
    name,
    main: stringAt(root, 'main'),
    bin,
    scripts,
    dependencies: new Set(
      ['dependencies', 'optionalDependencies'].flatMap((key) => [...properties(child(root, key))].map(([dependency]) => dependency)),
    ),
    devDependencies: new Set([...properties(child(root, 'devDependencies'))].map(([dependency]) => dependency)),
  };
}

function child(node: JsonNode | undefined, name: string): JsonNode | undefined {
  return [...properties(node)].find(([key]) => key === name)?.[1];
}

function stringAt(node: JsonNode, name: string): string | undefined {
  const value = child(node, name);
  return value?.type === 'string' ? String(value.value) : undefined;
}

export function* properties(node: JsonNode | undefined): Generator<[string, JsonNode]> {
  if (node?.type !== 'object') return;
  for (const property of node.children ?? []) {
    const [key, value] = property.children ?? [];
    if (key && value) yield [String(key.value), value];
  }
}

/** The offset in the text for each character of a JSON string. An escape counts as one character. */
export function stringOffsets(text: string, node: { offset: number; length: number }): number[] {
  const offsets: number[] = [];
  const end = node.offset + node.length - 1;
  for (let at = node.offset + 1; at < end; ) {
    offsets.push(at);
    if (text[at] !== '\\') at++;
    else at += text[at + 1] === 'u' ? 6 : 2;
  }
  offsets.push(Math.max(node.offset, end));
  return offsets;
}
