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

/** More are no longer told apart on a screen, and all of them are kept with the report. */
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
      const key = `${name.functionName} ${name.place ? `${name.place.line}:${name.place.column} ${name.place.file}` : (name.module ?? '')}`;
      let next = at.children.get(key);
      if (!next) {
        next = nodeOf(name);
        at.children.set(key, next);
      }
      next.total += time;
      at = next;
    }
    at.self += time;
  }

  /** @param all the time that the shares are of */
  frames(all: number): FlameFrame[] {
    const found: FlameFrame[] = [];
    const waiting = [...byTime(this.#root)].map((node) => ({ node, depth: 0 }));
    for (let next = waiting.shift(); next; next = waiting.shift()) {
      const { node, depth } = next;
      if (all <= 0 || node.total / all < LEAST_SHARE) continue;
      found.push({ ...node.name, depth, self: node.self / all, total: node.total / all });
      waiting.unshift(...byTime(node).map((child) => ({ node: child, depth: depth + 1 })));
    }
    // A caller has at least the time of what it calls, and stands before it: so none is left without its caller.
    const kept = new Set([...found].sort((a, b) => b.total - a.total).slice(0, MOST_FRAMES));
    return found.filter((frame) => kept.has(frame));
  }
}

function nodeOf(name: FrameName): TreeNode {
  return { name, self: 0, total: 0, children: new Map() };
}

function byTime({ children }: TreeNode): TreeNode[] {
  return [...children.values()].sort((a, b) => b.total - a.total);
}

/** With the places that `placeOf` gives; frames without one are left out, and what they call stands in their place. */
export function replaced(
  frames: readonly FlameFrame[],
  placeOf: (frame: FlameFrame & { place: SourcePlace }) => SourcePlace | undefined,
): FlameFrame[] {
  /** Depths of those around that were left out. */
  const left: number[] = [];
  return frames.flatMap((frame) => {
    while ((left.at(-1) ?? -1) >= frame.depth) left.pop();
    const { place } = frame;
    const now = place && placeOf({ ...frame, place });
    if (place && !now) {
      left.push(frame.depth);
      return [];
    }
    return [{ ...frame, ...(now && { place: now }), depth: frame.depth - left.length }];
  });
}
