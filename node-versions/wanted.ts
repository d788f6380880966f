// From what a user asks for (`22`, `22.11.0`, a path) to programs: paths first, then what the machine has, then a download where it is
// allowed.
import { posix, win32 } from 'node:path';
import { findNodes, type FoundNode, type Machine } from './discovery.ts';
import type { NodeVersions } from './versions.ts';

export interface WantedDeps {
  machine: Machine;
  versions: NodeVersions;
  /** Folder that relative paths start from. */
  cwd: string;
  /** Fetches a version that the machine lacks; undefined where the user did not allow it. */
  download?(version: string): Promise<{ ok: true; path: string } | { ok: false; why: string }>;
}

export type WantedNode =
  | {
      ok: true;
      requested: string;
      path: string /** Where it was found: `PATH`, a version manager's name, `path`, `download`. */;
      from: string;
    }
  /** `why` is a sentence; `isMissing` when no Node of that version is on the machine. */
  | { ok: false; requested: string; why: string; isMissing: boolean };

const VERSION = /^v?(\d+(?:\.\d+){0,2})$/;

/** In the order in which they were asked for. */
export async function findWanted(requested: readonly string[], deps: WantedDeps): Promise<WantedNode[]> {
  const { machine } = deps;
  let known: Promise<readonly KnownNode[]> | undefined;
  const found: WantedNode[] = [];
  for (const one of requested) {
    const version = VERSION.exec(one)?.[1];
    found.push(
      version === undefined ? ofPath(one, deps) : await ofVersion(one, version, await (known ??= knownNodes(machine, deps.versions)), deps),
    );
  }
  return found;
}

export interface KnownNode extends FoundNode {
  version: string;
}

/** The Nodes of the machine that say which they are, each once, the one on PATH first. */
export async function knownNodes(machine: Machine, versions: NodeVersions): Promise<KnownNode[]> {
  const nodes = findNodes(machine);
  const answers = await versions.ofAll(nodes.map(({ path }) => path));
  return nodes.flatMap((node, index) => {
    const version = answers[index];
    return version === undefined ? [] : [{ ...node, version }];
  });
}

function ofPath(requested: string, { machine, cwd }: WantedDeps): WantedNode {
  const path = machine.platform === 'win32' ? win32 : posix;
  const full = path.resolve(cwd, requested);
  if (machine.isFile(full)) return { ok: true, requested, path: full, from: 'path' };
  if (requested === 'node') {
    const [first] = findNodes(machine).filter(({ from }) => from === 'PATH');
    return first
      ? { ok: true, requested, path: first.path, from: 'PATH' }
      : { ok: false, requested, why: '`node` was not found on the PATH.', isMissing: true };
  }
  return { ok: false, requested, why: `\`${requested}\` is neither a version, such as 22, nor a file.`, isMissing: false };
}

async function ofVersion(
  requested: string,
  version: string,
  known: readonly KnownNode[],
  { download, machine }: WantedDeps,
): Promise<WantedNode> {
  const [newest] = known
    .filter((node) => node.version === version || node.version.startsWith(`${version}.`))
    .sort((a, b) => compareVersions(b.version, a.version));
  if (newest) return { ok: true, requested, path: newest.path, from: newest.from };
  if (!download)
    return { ok: false, requested, why: `Node ${version} was not found on this machine${hereText(known, machine)}.`, isMissing: true };
  const outcome = await download(version);
  return outcome.ok
    ? { ok: true, requested, path: outcome.path, from: 'download' }
    : { ok: false, requested, why: outcome.why, isMissing: true };
}

function hereText(known: readonly KnownNode[], { platform }: Machine): string {
  if (known.length === 0)
    return `, neither on the PATH nor with ${platform === 'win32' ? 'nvm-windows, fnm, Volta, or mise' : 'nvm, fnm, Volta, asdf, mise, or n'}`;
  return `; available: ${[...new Set(known.map((node) => node.version))].sort(compareVersions).join(', ')}`;
}

export function compareVersions(a: string, b: string): number {
  const [left, right] = [a, b].map((version) => version.split('.').map(Number));
  return [0, 1, 2].map((part) => (left?.[part] ?? 0) - (right?.[part] ?? 0)).find((difference) => difference !== 0) ?? 0;
}
