// Functions of several files that put each other back into the queues of ticks and microtasks, so that the event loop never turns: circles
// of the hops in the summaries.
import type { Related } from '../../../protocol/finding.ts';
import type { RoundAnswer } from './function-answer.ts';
import { isAwaiting, isQueued, type Hop, type HopTable } from './queue-hop-table.ts';
import type { LinkedProject } from '../calls/linked-project.ts';
import type { Places } from './places.ts';
import type { Reach } from '../routes/request-reach.ts';
import { FunctionFlag, HopFlag, HopKindCode, MOST_CONDITIONS, ObjectKind } from '../summary/format.ts';
import type { CallRecord } from '../points-to/tasks.ts';

interface Round {
  /** The first one goes through a queue. */
  hops: readonly Hop[];
  isEndless: boolean;
}

// The longest round to look for. In practice it is one or two functions.
const MAX_HOPS = 6;
// A loop made of functions tests whether there is more to do, and perhaps whether it was stopped. More tests suggest a state machine.
const MOST_TESTS = 2;

const QUEUED_WITH: Readonly<Record<number, string>> = {
  [HopKindCode.Tick]: 'process.nextTick',
  [HopKindCode.Microtask]: 'queueMicrotask',
  [HopKindCode.Then]: 'then',
};

export class Rounds {
  readonly #linked: LinkedProject;
  readonly #reach: Reach;
  readonly #places: Places;
  readonly #table: HopTable;
  /** Found on first use. Empty if it is unknown what runs. */
  readonly #targets = new Map<Hop, readonly number[]>();
  #rounds: ReadonlyMap<number, readonly Round[]> | undefined;

  constructor(linked: LinkedProject, reach: Reach, places: Places, table: HopTable) {
    this.#linked = linked;
    this.#reach = reach;
    this.#places = places;
    this.#table = table;
  }

  /** The hops of a function that close a round through other files. `ownFile`: number of the function's file. */
  roundsIn(fn: number, ownFile: number): RoundAnswer[] {
    const found = (this.#rounds ??= this.#findAll()).get(fn) ?? [];
    return found.map(({ hops, isEndless }) => {
      const [first, ...rest] = hops as [Hop, ...Hop[]];
      return {
        site: this.#place(first, ownFile, ''),
        isEndless,
        related: rest.map((hop) => this.#place(hop, ownFile, this.#describe(hop))),
      };
    });
  }

  #place({ site }: Hop, ownFile: number, message: string): Related {
    const { file, start, end } = this.#places.siteOf(site);
    return this.#places.place(ownFile, file, start, end, message);
  }

  #describe(hop: Hop): string {
    const name = this.#places.nameOf(this.#targetsOf(hop)[0] as number);
    const target = name ? `\`${name}\`` : 'this function';
    const via = QUEUED_WITH[hop.kind];
    return via === undefined ? `calls ${target}` : `queues ${target} with ${via}`;
  }

  #findAll(): ReadonlyMap<number, readonly Round[]> {
    const found = new Map<number, Round[]>();
    for (const hop of this.#table.queued) {
      const round = this.#findRound(hop);
      if (!round) continue;
      const known = found.get(hop.fn);
      if (known) known.push(round);
      else found.set(hop.fn, [round]);
    }
    return found;
  }

  /** The round from a hop back to its function, if no timer and no I/O is on the way. */
  #findRound(first: Hop): Round | undefined {
    if (this.#waits(first.fn)) return undefined;
    for (const target of this.#targetsOf(first)) {
      const rest = this.#findWay(target, first.fn, new Set(), 0);
      if (!rest) continue;
      const hops = [first, ...rest];
      if (this.#isRound(hops)) return { hops, isEndless: hops.every((hop) => testsIn(hop) === 0) };
    }
    return undefined;
  }

  #findWay(at: number, to: number, seen: Set<number>, depth: number): Hop[] | undefined {
    if (at === to) return [];
    if (depth >= MAX_HOPS || seen.has(at) || this.#waits(at)) return undefined;
    seen.add(at);
    for (const hop of this.#table.hops.get(at) ?? []) {
      for (const target of this.#targetsOf(hop)) {
        const way = this.#findWay(target, to, seen, depth + 1);
        if (way) return [hop, ...way];
      }
    }
    return undefined;
  }

  /** The same conditions as the rule has for a round within one file. */
  #isRound(hops: readonly Hop[]): boolean {
    const [first] = hops as [Hop, ...Hop[]];
    const functions = new Set(hops.map(({ fn }) => fn));
    // A round within one file, of functions that wait for nothing else, is found by the rule itself.
    const files = new Set(
      [...functions]
        .flatMap((fn) => [fn, ...(this.#table.awaited.get(fn) ?? []).flatMap((hop) => this.#targetsOf(hop))])
        .map((fn) => this.#places.fileOf(fn)),
    );
    if (files.size < 2) return false;
    // Functions that queue each other are one problem, reported once.
    if (hops.some((hop) => isQueued(hop) && hop.fn < first.fn)) return false;
    const tests = hops.reduce((sum, hop) => sum + testsIn(hop), 0);
    if (tests > MOST_TESTS || hops.some(({ flags }) => (flags & HopFlag.Unfit) !== 0)) return false;
    if (isAwaiting(first) && tests > 0 && hops.some(({ flags }) => (flags & HopFlag.Walk) !== 0)) return false;
    return !hops.some(({ fn }) => this.#hasOtherWay(fn, functions));
  }

  /** Whether a function also passes a function of the round to a timer, to `setImmediate` or to an unknown call. */
  #hasOtherWay(fn: number, round: ReadonlySet<number>): boolean {
    const { first, to, site } = this.#reach.edges;
    const own = new Set((this.#table.hops.get(fn) ?? []).map((hop) => hop.site));
    for (let edge = first[fn] as number; edge < (first[fn + 1] as number); edge++) {
      if (this.#reach.viaOf(edge) !== 'callback' || own.has(site[edge] as number)) continue;
      const target = to[edge] as number;
      if (round.has(target)) return true;
      for (let next = first[target] as number; next < (first[target + 1] as number); next++) if (round.has(to[next] as number)) return true;
    }
    return false;
  }

  /** Whether a function really waits for something, as far as other files decide that. */
  #waits(fn: number): boolean {
    return (this.#table.awaited.get(fn) ?? []).some((hop) => {
      const targets = this.#targetsOf(hop);
      return targets.length === 0 || targets.some((target) => !this.#isSettled(target, new Set([fn])));
    });
  }

  #isSettled(fn: number, seen: Set<number>): boolean {
    // A function that awaits itself waits for nothing else.
    if (seen.has(fn)) return true;
    seen.add(fn);
    if (!this.#table.settled.has(fn)) return false;
    return (this.#table.awaited.get(fn) ?? []).every((hop) => {
      const targets = this.#targetsOf(hop);
      return targets.length > 0 && targets.every((target) => this.#isSettled(target, seen));
    });
  }

  /** The only function that a hop can lead to; empty if that is uncertain. */
  #targetsOf(hop: Hop): readonly number[] {
    let targets = this.#targets.get(hop);
    if (!targets) this.#targets.set(hop, (targets = this.#findTargets(hop)));
    return targets;
  }

  #findTargets({ site, kind }: Hop): readonly number[] {
    const { solver, sites } = this.#linked;
    const isTicking = kind === HopKindCode.Tick || kind === HopKindCode.Microtask;
    const found = new Set<number>();
    for (let at = sites.call[site] ?? -1; at >= 0; at = sites.before[at] as number) {
      const call = solver.calls[at] as CallRecord;
      if (!isTicking) {
        if (call.isExternal) return [];
        for (const target of call.targets) found.add(target);
        continue;
      }
      for (const object of solver.objectsIn(call.args[0] ?? 0)) {
        if (solver.kinds[object] !== ObjectKind.Function) return [];
        found.add(solver.objectFn[object] as number);
      }
    }
    const [only] = found;
    if (only === undefined || found.size !== 1) return [];
    return (solver.functions.flagsOf(only) & (FunctionFlag.Generator | FunctionFlag.Call)) === 0 ? [only] : [];
  }
}

function testsIn({ flags }: Hop): number {
  return Math.floor(flags / HopFlag.Condition) & MOST_CONDITIONS;
}
