// The call stacks of `.cpuprofile` files as one tree, and what is left of it without some frames. Pure.
import type { FlameFrame, SourcePlace } from '../../protocol/evidence.ts';

/** What a frame is, without its time. */
export type FrameName = Pick<FlameFrame, 'functionName' | 'owner' | 'place' | 'module'>;

interface TreeNode {
  name: FrameName;
  self: number;
  total: number;
  children: Map<string, TreeNode>;
}

/** More cannot be distinguished on a screen, and all of them are kept with the report. */
const MOST_FRAMES = 300;
/** Deeper ones count as their caller's time. */
const MOST_DEPTH = 60;
/** Less of the time is less than a sample or two, as a rule. */
const LEAST_SHARE = 0.002;

/** Of one profile, or of several that are added one after the other. */
export class FlameTree {
  readonly #root = nodeOf({ functionName: '', owner: 'other' });

  /** @param stack outermost first @param time of the samples that ended in its last frame, in any unit */
  add(stack: readonly FrameName[], time: number): void {
    let at = this.#root;
    at.total += time;
    for (const name of stack.slice(0, MOST_DEPTH)) {
      at = childOf(at, name);
      at.total += time;
    }
    at.self += time;
  }

  /** @param all the time that the shares are of */
  frames(all: number): FlameFrame[] {
    if (all <= 0) return [];
    const found = flat(this.#root, ({ total }) => total / all >= LEAST_SHARE);
    // A caller has at least the time of what it calls, and stands before it: so none is left without its caller.
    const kept = new Set([...found].sort((a, b) => b.total - a.total).slice(0, MOST_FRAMES));
    return found.filter((frame) => kept.has(frame)).map((frame) => ({ ...frame, self: frame.self / all, total: frame.total / all }));
  }
}

/**
 * With the places that `placeOf` gives. Frames without one are left out, and what they call stands in their place: together with what is
 * the same there already.
 */
export function replaced(
  frames: readonly FlameFrame[],
  placeOf: (frame: FlameFrame & { place: SourcePlace }) => SourcePlace | undefined,
): FlameFrame[] {
  const root = nodeOf({ functionName: '', owner: 'other' });
  /** The frames around, outermost first: where what they call is put. */
  const around: TreeNode[] = [];
  for (const { depth, self, total, ...name } of frames) {
    around.length = depth;
    const caller = around.at(-1) ?? root;
    const place = name.place && placeOf({ ...name, depth, self, total, place: name.place });
    if (name.place && !place) {
      around.push(caller);
      continue;
    }
    const node = childOf(caller, place ? { ...name, place } : name);
    node.self += self;
    node.total += total;
    around.push(node);
  }
  return flat(root);
}

function nodeOf(name: FrameName): TreeNode {
  return { name, self: 0, total: 0, children: new Map() };
}

function childOf({ children }: TreeNode, name: FrameName): TreeNode {
  const { functionName, place, module } = name;
  const key = `${functionName} ${place ? `${place.line}:${place.column} ${place.file}` : (module ?? '')}`;
  const known = children.get(key);
  if (known) return known;
  const made = nodeOf(name);
  children.set(key, made);
  return made;
}

/** Each frame before what it calls, the busiest first. */
function flat(root: TreeNode, isShown: (node: TreeNode) => boolean = () => true): FlameFrame[] {
  const found: FlameFrame[] = [];
  const add = ({ children }: TreeNode, depth: number): void => {
    for (const node of [...children.values()].filter(isShown).sort((a, b) => b.total - a.total)) {
      found.push({ ...node.name, depth, self: node.self, total: node.total });
      add(node, depth + 1);
    }
  };
  add(root, 0);
  return found;
}
