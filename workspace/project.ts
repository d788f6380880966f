// What is known of the project around a file: its package.json and the Node versions that it runs on. Asked once per folder.
import { dirname, join, relative, sep } from 'node:path';
import { MOST_BYTES, readTextFile } from '../files/read-text-file.ts';
import { RUNNING_NODE, type PackageManifest, type ProjectInfo } from '../protocol/project.ts';
import { findCodeFormat, findLintConfig, type FolderReader } from './code-format.ts';
import { isRecord } from '../protocol/unknown-values.ts';
import { readDevEngines, readDockerfile, readMiseToml, readNodeRange, readToolVersions, readVersionFile } from './node-range.ts';
import { isLibrary } from './library.ts';

export interface ProjectSource {
  /** Range given with `--node`: holds everywhere. */
  nodeOption?: string;
  /** Version of the Node that runs the command. */
  runningNode: string;
  /** Called with each message about a file that cannot be read, once. */
  warn(message: string): void;
}

interface Package {
  folder: string;
  raw: Readonly<Record<string, unknown>>;
  manifest: PackageManifest;
}

interface NodeRange {
  range: string;
  source: string;
}

/** Files of version managers, in the order in which they are believed. */
const VERSION_FILES: readonly { name: string; read: (text: string) => string | undefined }[] = [
  { name: '.nvmrc', read: readVersionFile },
  { name: '.node-version', read: readVersionFile },
];
const TOOL_FILES: readonly { name: string; read: (text: string) => string | undefined }[] = [
  { name: '.tool-versions', read: readToolVersions },
  { name: 'mise.toml', read: readMiseToml },
  { name: '.mise.toml', read: readMiseToml },
];

export class ProjectFinder {
  readonly #source: ProjectSource;
  readonly #packages = new Map<string, Package | undefined>();
  readonly #ranges = new Map<string, NodeRange | undefined>();
  readonly #infos = new Map<string, ProjectInfo>();
  readonly #libraries = new Map<string, boolean>();

  constructor(source: ProjectSource) {
    this.#source = source;
  }

  /** The folder of the nearest package.json, in the folder itself or above. */
  findRoot(folder: string): string | undefined {
    return this.#findPackage(folder)?.folder;
  }

  /** Whether the nearest package is there for other packages to use, and serves nothing itself. */
  isInLibrary(folder: string): boolean {
    const found = this.#findPackage(folder);
    if (!found) return false;
    let known = this.#libraries.get(found.folder);
    if (known === undefined) {
      const text = (path: string): string | undefined => this.#readIfThere(join(found.folder, path));
      this.#libraries.set(found.folder, (known = isLibrary(found.raw, found.manifest, text)));
    }
    return known;
  }

  /** `configNode` is the range that the file's configuration gives, if any. */
  infoFor(folder: string, configNode?: { range: string; source: string }): ProjectInfo {
    const found = this.#findPackage(folder);
    const from = found?.folder ?? folder;
    const key = `${from}\n${configNode ? `${configNode.range}\n${configNode.source}` : ''}`;
    let info = this.#infos.get(key);
    if (!info) {
      const { range, source } = this.#nodeRange(from, configNode);
      const place = found && this.#placeOf(found.folder);
      const format = found && findCodeFormat(found.folder, this.#reader);
      const lint = found && findLintConfig(found.folder, this.#reader);
      info = {
        root: found?.folder,
        ...(place ? { place } : {}),
        manifest: found?.manifest,
        ...(format ? { format } : {}),
        ...(lint ? { lint } : {}),
        nodeRange: range,
        nodeRangeSource: source,
      };
      this.#infos.set(key, info);
    }
    return info;
  }

  get #reader(): FolderReader {
    return { read: (path) => this.#readIfThere(path), packageIn: (one) => this.#packageIn(one)?.raw };
  }

  #nodeRange(folder: string, configNode: { range: string; source: string } | undefined): NodeRange {
    const { nodeOption, runningNode } = this.#source;
    if (nodeOption !== undefined) return { range: nodeOption, source: '--node' };
    if (configNode) return configNode;
    return this.#findRange(folder) ?? this.#findImage(folder) ?? { range: runningNode, source: RUNNING_NODE };
  }

  /** What the folder says, else the nearest folder above that says something: workspaces inherit from their repository. */
  #findRange(folder: string): NodeRange | undefined {
    if (this.#ranges.has(folder)) return this.#ranges.get(folder);
    const parent = dirname(folder);
    const range = this.#readRange(folder) ?? (parent === folder ? undefined : this.#findRange(parent));
    this.#ranges.set(folder, range);
    return range;
  }

  /** The image in the nearest Dockerfile: what a package says itself may hold for more than its image. */
  #findImage(folder: string): NodeRange | undefined {
    const text = this.#readIfThere(join(folder, 'Dockerfile'));
    const reading = readNodeRange((text === undefined ? undefined : readDockerfile(text)) ?? '');
    if (reading.kind === 'range') return { range: reading.range, source: 'Dockerfile' };
    const parent = dirname(folder);
    return parent === folder ? undefined : this.#findImage(parent);
  }

  #readRange(folder: string): NodeRange | undefined {
    const found = this.#packageIn(folder);
    const { engines, volta, devEngines } = found?.raw ?? {};
    const inPackage = (name: string, value: unknown) => ({
      text: typeof value === 'string' ? value : undefined,
      source: `${name} in package.json`,
      file: join(folder, 'package.json'),
    });
    const inFile = ({ name, read }: { name: string; read: (text: string) => string | undefined }) => {
      const file = join(folder, name);
      const text = this.#readIfThere(file);
      return { text: text === undefined ? undefined : read(text), source: name, file };
    };
    const candidates = [
      () => inPackage('engines.node', isRecord(engines) ? engines.node : undefined),
      ...VERSION_FILES.map((one) => () => inFile(one)),
      () => inPackage('volta.node', isRecord(volta) ? volta.node : undefined),
      ...TOOL_FILES.map((one) => () => inFile(one)),
      () => inPackage('devEngines.runtime', readDevEngines(devEngines)),
    ];
    for (const candidate of candidates) {
      const { text, source, file } = candidate();
      if (text === undefined) continue;
      const reading = readNodeRange(text);
      if (reading.kind === 'range') return { range: reading.range, source };
      if (reading.kind === 'invalid')
        this.#source.warn(`${file}: \`${reading.text}\` (${source}) is not a Node version or range and is ignored.`);
    }
    return undefined;
  }

  #findPackage(folder: string): Package | undefined {
    const own = this.#packageIn(folder);
    if (own) return own;
    const parent = dirname(folder);
    return parent === folder ? undefined : this.#findPackage(parent);
  }

  /** Below the outermost folder around it that has a package.json; undefined where there is none. */
  #placeOf(folder: string): string | undefined {
    let outermost: string | undefined;
    for (let around = this.#findPackage(dirname(folder)); around; around = this.#findPackage(dirname(outermost))) {
      if (around.folder === outermost) break;
      outermost = around.folder;
    }
    return outermost === undefined || outermost === folder ? undefined : relative(outermost, folder).split(sep).join('/');
  }

  #packageIn(folder: string): Package | undefined {
    if (this.#packages.has(folder)) return this.#packages.get(folder);
    const path = join(folder, 'package.json');
    const text = this.#readIfThere(path);
    let found: Package | undefined;
    if (text !== undefined) {
      // A broken package.json is still the root of its project.
      const raw = this.#parseJson(path, text);
      found = { folder, raw, manifest: toManifest(raw) };
    }
    this.#packages.set(folder, found);
    return found;
  }

  #parseJson(path: string, text: string): Record<string, unknown> {
    try {
      const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
      if (isRecord(value)) return value;
      this.#source.warn(`${path} is not a JSON object and is treated as an empty package.json.`);
    } catch (error) {
      this.#source.warn(`${path}: invalid JSON (${(error as Error).message}); treated as an empty package.json.`);
    }
    return {};
  }

  #readIfThere(path: string): string | undefined {
    const reading = readTextFile(path, MOST_BYTES.settings);
    if (reading.ok) return reading.text;
    // Most folders have none of these files.
    if (reading.problem !== 'missing') this.#source.warn(`${path} ${reading.why} and is ignored.`);
    return undefined;
  }
}

/** Takes from a package.json what has the right type; what has not is left out. */
export function toManifest(raw: Readonly<Record<string, unknown>>): PackageManifest {
  const { name, type, main, bin } = raw;
  const subpaths = isRecord(raw.exports) ? Object.keys(raw.exports).filter((key) => key.startsWith('./')) : [];
  return {
    name: typeof name === 'string' ? name : undefined,
    type: type === 'module' || type === 'commonjs' ? type : undefined,
    main: typeof main === 'string' ? main : undefined,
    ...(subpaths.length > 0 ? { subpaths } : {}),
    bin: typeof bin === 'string' ? [bin] : Object.values(stringsOf(bin)),
    scripts: stringsOf(raw.scripts),
    dependencies: { ...stringsOf(raw.optionalDependencies), ...stringsOf(raw.dependencies) },
    devDependencies: stringsOf(raw.devDependencies),
    private: raw.private === true,
  };
}

function stringsOf(value: unknown): Record<string, string> {
  if (!isRecord(value)) return {};
  return Object.fromEntries(Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
