// What a `.cpuprofile` says of where the processor's time went: by function of the user's, by package, in Node itself.
import type { CpuFunction, CpuLine, CpuShares, SourcePlace } from '../../protocol/evidence.ts';
import { list, number, object, orMissing, string } from './checks.ts';
import { toFilePath } from './escapes.ts';
import { FlameTree, replaced, type FrameName } from './flame.ts';

/** Of the file, as V8's inspector writes it; lines and columns count from 0. */
interface ProfileNode {
  id: number;
  callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number };
  children?: readonly number[];
  /** How many samples each line got; lines count from 1. */
  positionTicks?: readonly { line: number; ticks: number }[];
}

interface CpuProfile {
  nodes: readonly ProfileNode[];
  samples?: readonly number[];
  /** In µs, one for each sample. */
  timeDeltas?: readonly number[];
}

const US_PER_MS = 1000;
const MOST_FUNCTIONS = 40;
const MOST_LINES = 400;
const MOST_PACKAGES = 12;
/** V8's own names for what is no function. */
const IDLE = '(idle)';
const GARBAGE = '(garbage collector)';
const ROOT = '(root)';
const OTHERS: ReadonlySet<string> = new Set([ROOT, '(program)', IDLE, GARBAGE]);

interface Sums {
  busy: number;
  user: number;
  packages: number;
  core: number;
  gc: number;
  functions: Map<string, { functionName: string; place: SourcePlace; self: number; total: number }>;
  lines: Map<string, CpuLine>;
  byPackage: Map<string, number>;
  flame: FlameTree;
}

/**
 * Of the texts of profiles, one for each process; undefined where none could be read.
 * @param isHarness a file of what ran the program: its own work, and what Node does for it alone, is not the program's
 */
export function cpuShares(
  texts: readonly string[],
  isUserFile: (file: string) => boolean,
  isHarness: (file: string) => boolean = () => false,
): CpuShares | undefined {
  const sums: Sums = {
    busy: 0,
    user: 0,
    packages: 0,
    core: 0,
    gc: 0,
    functions: new Map(),
    lines: new Map(),
    byPackage: new Map(),
    flame: new FlameTree(),
  };
  for (const text of texts)
    addProfile(sums, decode(text), (url, name) =>
      url !== '' && isHarness(toFilePath(url)) ? { kind: 'harness' } : ownerOfUrl(url, name, isUserFile),
    );
  return sharesOf(sums);
}

/**
 * Without functions that cannot be named.
 * @param isLess whether their time is not the program's, either: the shares are then of the time that is left
 */
export function withoutForeign(cpu: CpuShares, isOwn: (place: SourcePlace) => boolean, isLess: boolean): CpuShares {
  const foreign = !isLess ? 0 : cpu.functions.filter(({ place }) => !isOwn(place)).reduce((sum, { self }) => sum + self, 0);
  const left = Math.max(Number.EPSILON, 1 - foreign);
  const share = (of: number): number => of / left;
  return {
    busyMs: cpu.busyMs * left,
    user: share(Math.max(0, cpu.user - foreign)),
    packages: share(cpu.packages),
    core: share(cpu.core),
    gc: share(cpu.gc),
    functions: cpu.functions.filter(({ place }) => isOwn(place)).map((one) => ({ ...one, self: share(one.self), total: share(one.total) })),
    lines: cpu.lines.filter(({ file, line }) => isOwn({ file, line, column: 1 })).map((one) => ({ ...one, self: share(one.self) })),
    byPackage: cpu.byPackage.map((one) => ({ ...one, self: share(one.self) })),
    flame: replaced(cpu.flame, ({ owner, place }) => (owner !== 'user' || isOwn(place) ? place : undefined)).map((one) => ({
      ...one,
      self: share(one.self),
      total: share(one.total),
    })),
  };
}

const HAS_SHAPE = object({
  nodes: list(
    object({
      id: number,
      callFrame: object({ functionName: string, url: string, lineNumber: number, columnNumber: number }),
      children: orMissing(list(number)),
      positionTicks: orMissing(list(object({ line: number, ticks: number }))),
    }),
  ),
  samples: orMissing(list(number)),
  timeDeltas: orMissing(list(number)),
});

function isProfile(value: unknown): value is CpuProfile {
  return HAS_SHAPE(value);
}

/** V8 numbers nodes as they come up, so that no node is below itself; the program may have written another file in the place of V8's. */
function decode(text: string): CpuProfile | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return isProfile(value) && value.nodes.every(({ id, children }) => children?.every((child) => child > id) ?? true) ? value : undefined;
  } catch {
    // A process that was killed while it wrote leaves half of one.
    return undefined;
  }
}

function addProfile(sums: Sums, profile: CpuProfile | undefined, ownerOfName: (url: string, functionName: string) => Owner): void {
  if (!profile) return;
  const self = new Map<number, number>();
  for (const [index, id] of (profile.samples ?? []).entries())
    self.set(id, (self.get(id) ?? 0) + Math.max(0, profile.timeDeltas?.[index] ?? 0));
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const known = new Map<string, Owner>();
  const ownerOf = ({ callFrame: { url, functionName } }: ProfileNode): Owner => {
    const key = url === '' ? functionName : url;
    const owner = known.get(key) ?? ownerOfName(url, functionName);
    known.set(key, owner);
    return owner;
  };
  const parents = new Map<number, ProfileNode>();
  for (const node of profile.nodes) for (const child of node.children ?? []) parents.set(child, node);
  for (const [id, time] of self) {
    const node = nodes.get(id);
    if (!node) continue;
    const owner = ownerOf(node);
    if (owner.kind === 'idle' || isOfHarness(node, ownerOf, parents)) continue;
    sums.busy += time;
    if (owner.kind === 'gc') sums.gc += time;
    else if (owner.kind !== 'other' && owner.kind !== 'harness') sums[owner.kind] += time;
    if (owner.kind === 'user') addLines(sums, owner.name, node, time);
    if (owner.kind === 'packages') sums.byPackage.set(owner.name, (sums.byPackage.get(owner.name) ?? 0) + time);
    // Once for each function on the stack, however often it is there.
    const seen = new Set<string>();
    const stack: FrameName[] = [];
    for (let at: ProfileNode | undefined = node; at; at = parents.get(at.id)) {
      const where = ownerOf(at);
      const name = frameName(at, where);
      if (name) stack.push(name);
      if (where.kind !== 'user') continue;
      const key = `${at.callFrame.lineNumber}:${at.callFrame.columnNumber} ${at.callFrame.url}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const entry = sums.functions.get(key) ?? {
        functionName: at.callFrame.functionName,
        place: { file: where.name, line: at.callFrame.lineNumber + 1, column: at.callFrame.columnNumber + 1 },
        self: 0,
        total: 0,
      };
      sums.functions.set(key, entry);
      entry.total += time;
      if (at === node) entry.self += time;
    }
    sums.flame.add(stack.reverse(), time);
  }
}

/** Whether it works on its own: no code of the program is between it and the harness. */
function isOfHarness(node: ProfileNode, ownerOf: (node: ProfileNode) => Owner, parents: ReadonlyMap<number, ProfileNode>): boolean {
  for (let at: ProfileNode | undefined = node; at; at = parents.get(at.id)) {
    const { kind } = ownerOf(at);
    if (kind === 'harness') return true;
    if (kind === 'user' || kind === 'packages') return false;
  }
  return false;
}

/** Undefined for the root, and for what is neither the program's nor V8's. */
function frameName({ callFrame: { functionName, url, lineNumber, columnNumber } }: ProfileNode, owner: Owner): FrameName | undefined {
  if (functionName === ROOT || owner.kind === 'idle' || owner.kind === 'harness' || (owner.kind === 'other' && url !== ''))
    return undefined;
  if (url === '') return { functionName, owner: owner.kind };
  if (owner.kind === 'core') return { functionName, owner: 'core', module: url };
  const place = { file: toFilePath(url), line: lineNumber + 1, column: columnNumber + 1 };
  return { functionName, owner: owner.kind, place, ...(owner.kind === 'packages' ? { module: owner.name } : {}) };
}

/** A node's time goes to its lines by their samples. */
function addLines({ lines }: Sums, file: string, { positionTicks = [] }: ProfileNode, time: number): void {
  const all = positionTicks.reduce((sum, { ticks }) => sum + ticks, 0);
  for (const { line, ticks } of positionTicks) {
    const key = `${line} ${file}`;
    const entry = lines.get(key) ?? { file, line, self: 0 };
    entry.self += (time * ticks) / all;
    lines.set(key, entry);
  }
}

type Owner = { kind: 'user' | 'packages'; name: string } | { kind: 'core' | 'gc' | 'idle' | 'other' | 'harness' };

const PACKAGE = /[/\\]node_modules[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/g;

function ownerOfUrl(url: string, functionName: string, isUserFile: (file: string) => boolean): Owner {
  if (url === '') {
    if (functionName === IDLE) return { kind: 'idle' };
    if (functionName === GARBAGE) return { kind: 'gc' };
    // What has a name and no file is Node's or V8's own, written in C++.
    return { kind: OTHERS.has(functionName) ? 'other' : 'core' };
  }
  if (url.startsWith('node:')) return { kind: 'core' };
  const file = toFilePath(url);
  const inPackage = [...file.matchAll(PACKAGE)].at(-1)?.[1];
  if (inPackage !== undefined) return { kind: 'packages', name: inPackage.replace('\\', '/') };
  return isUserFile(file) ? { kind: 'user', name: file } : { kind: 'other' };
}

function sharesOf({ busy, user, packages, core, gc, functions, lines, byPackage, flame }: Sums): CpuShares | undefined {
  if (busy === 0) return undefined;
  const share = (time: number): number => time / busy;
  const own = [...functions.values()].sort((a, b) => b.self - a.self || b.total - a.total).slice(0, MOST_FUNCTIONS);
  return {
    busyMs: busy / US_PER_MS,
    user: share(user),
    packages: share(packages),
    core: share(core),
    gc: share(gc),
    functions: own.map(({ self, total, ...where }): CpuFunction => ({ ...where, self: share(self), total: share(total) })),
    lines: [...lines.values()]
      .sort((a, b) => b.self - a.self)
      .slice(0, MOST_LINES)
      .map((line) => ({ ...line, self: share(line.self) })),
    byPackage: [...byPackage]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MOST_PACKAGES)
      .map(([name, self]) => ({ name, self: share(self) })),
    flame: flame.frames(busy),
  };
}
