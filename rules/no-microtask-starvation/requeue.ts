// Functions that put themselves back into a queue that Node empties before the event loop goes on.
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import { constantOf } from '../../analysis/facts/constants.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import { iteratingCallOf } from '../../analysis/facts/hotness.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isState } from '../../analysis/facts/queue-hops.ts';
import { findTicker, type Settled } from '../../analysis/facts/awaits/resolved-awaits.ts';

export interface Hop {
  site: CallNode;
  from: FunctionNode;
  target: FunctionNode;
  /** How the target is reached: by a call, or through a queue. */
  via: 'call' | 'process.nextTick' | 'queueMicrotask' | 'then' | 'await';
  /** For `await`: the last one before the call. */
  after?: Node;
}

export interface Cycle {
  /** The first hop goes through a queue. */
  hops: readonly Hop[];
  /** What decides whether there is another round; empty if nothing does. */
  conditions: readonly Node[];
}

// The longest round to look for. In practice it is one or two functions.
const MAX_HOPS = 6;

export class Requeue {
  readonly #facts: Facts;
  readonly #settled: Settled;
  readonly #hops = new Map<FunctionNode, readonly Hop[]>();
  readonly #others = new Map<FunctionNode, ReadonlySet<FunctionNode>>();

  constructor(facts: Facts, settled: Settled) {
    this.#facts = facts;
    this.#settled = settled;
  }

  /** The path from a function through a queue and back to it, if no timer and no I/O is on it. */
  findCycle(first: Hop): Cycle | undefined {
    const rest = this.#findWay(first.target, first.from, new Set(), 0);
    if (!rest) return undefined;
    const hops = [first, ...rest];
    const functions = new Set(hops.map((hop) => hop.from));
    if ([...functions].some((fn) => this.#hasOtherWay(fn, functions))) return undefined;
    const conditions = hops.flatMap((hop) => conditionsOn(hop.site, hop.from));
    if (!areOfLoop(conditions)) return undefined;
    if (first.via === 'await' && conditions.length > 0 && hops.some((hop) => isWalk(hop))) return undefined;
    return { hops, conditions };
  }

  /** The queued hops of a function. */
  queuedHops(fn: FunctionNode): readonly Hop[] {
    return this.hopsFrom(fn).filter((hop) => hop.via !== 'call');
  }

  /** What a run of a function runs next without leaving the queues. */
  hopsFrom(fn: FunctionNode): readonly Hop[] {
    const known = this.#hops.get(fn);
    if (known) return known;
    this.#hops.set(fn, []);
    const found = this.#waits(fn) ? [] : this.#facts.calls.callsIn(fn).flatMap((site) => this.#hopsOf(site, fn));
    this.#hops.set(fn, found);
    return found;
  }

  #findWay(at: FunctionNode, to: FunctionNode, seen: Set<FunctionNode>, depth: number): Hop[] | undefined {
    if (at === to) return [];
    if (depth >= MAX_HOPS || seen.has(at)) return undefined;
    seen.add(at);
    for (const hop of this.hopsFrom(at)) {
      const way = this.#findWay(hop.target, to, seen, depth + 1);
      if (way) return [hop, ...way];
    }
    return undefined;
  }

  #hopsOf(site: CallNode, from: FunctionNode): Hop[] {
    const hop = (via: Hop['via'], targets: readonly FunctionNode[] | undefined, after?: Node): Hop[] =>
      (targets ?? []).filter((target) => !target.generator).map((target) => ({ site, from, target, via, after }));
    if (site.type === 'NewExpression') {
      // The executor of a promise runs immediately.
      const [executor] = site.arguments;
      return site.callee.type === 'Identifier' &&
        executor &&
        isFunction(unwrap(executor)) &&
        this.#facts.origins.isGlobal(site.callee, 'Promise')
        ? hop('call', [unwrap(executor) as FunctionNode])
        : [];
    }
    const [argument] = site.arguments;
    const ticker = findTicker(this.#facts, site);
    if (ticker) return argument ? hop(ticker, this.#settled.directFunctions(argument)) : [];
    if (this.#isSettledThen(site)) return site.arguments.flatMap((callback) => hop('then', this.#settled.directFunctions(callback)));
    const callback = site.arguments
      .map((item) => unwrap(item))
      .find((item): item is FunctionNode => isFunction(item) && iteratingCallOf(item)?.node === site);
    if (callback) return hop('call', [callback]);
    const after = from.async ? this.#settled.lastAwaitBefore(site, from) : undefined;
    return hop(after ? 'await' : 'call', this.#settled.directFunctions(site.callee), after);
  }

  #isSettledThen(site: CallNode): boolean {
    const { callee } = site;
    if (!isMember(callee)) return false;
    const method = memberName(callee);
    return (
      (method === 'then' || method === 'catch' || method === 'finally') &&
      this.#isPromise(callee.object) &&
      this.#settled.isSettled(callee.object)
    );
  }

  /** A call, or a constant that holds the result of a call. */
  #isPromise(object: Node): boolean {
    const node = unwrap(object);
    const value = constantOf(node, this.#facts.bindings) ?? node;
    return isCall(unwrap(value));
  }

  /** Whether a function really waits, or leaves control to its caller. */
  #waits(fn: FunctionNode): boolean {
    if (fn.generator) return true;
    return this.#settled.waitsIn(fn);
  }

  /** Whether a function also passes a function of the round to a timer, to `setImmediate` or to an unknown call. */
  #hasOtherWay(fn: FunctionNode, cycle: ReadonlySet<FunctionNode>): boolean {
    let others = this.#others.get(fn);
    if (!others) this.#others.set(fn, (others = this.#passedElsewhere(fn)));
    for (const one of cycle) if (others.has(one)) return true;
    return false;
  }

  /** What a function passes to calls that are no hops, and what that runs next. */
  #passedElsewhere(fn: FunctionNode): ReadonlySet<FunctionNode> {
    const passed = new Set<FunctionNode>();
    for (const site of this.#facts.calls.callsIn(fn))
      if (this.#hopsOf(site, fn).length === 0)
        for (const { via, target } of this.#facts.calls.edgesOfCall(site)) if (via === 'callback') passed.add(target);
    return new Set([...passed, ...[...passed].flatMap((one) => this.hopsFrom(one).map(({ target }) => target))]);
  }
}

// A loop made of functions tests whether there is more to do, and perhaps whether it was stopped. More tests, or others, suggest a state
// machine: a loop in the source, but not at run time.
const MOST_CONDITIONS = 2;

function areOfLoop(conditions: readonly Node[]): boolean {
  return conditions.length <= MOST_CONDITIONS && !conditions.some(isState);
}

/** Whether a hop runs once per child, as in a walk over a tree. It ends with the tree. */
function isWalk(hop: Hop): boolean {
  for (let at = parentOf(hop.site); at && at !== hop.from; at = parentOf(at))
    if (at.type === 'ForOfStatement' || at.type === 'ForInStatement') return true;
  return iteratingCallOf(hop.from) !== undefined || (isFunction(hop.target) && iteratingCallOf(hop.target) !== undefined);
}
