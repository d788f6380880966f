// Writes down the steps of a file by which functions may come round again through the queues of ticks and microtasks. `rounds.ts` puts those of all files together.
import { endOf, isFunction, parentOf, startOf, type CallNode, type FunctionNode, type Node } from '../ast.ts';
import { conditionsOf, isQueueing, type HopKind, type QueueHop } from '../facts/queue-hops.ts';
import type { Flow } from './flow.ts';
import { HopFlag, HopKindCode, MOST_CONDITIONS, SITE_STRIDE } from './summary.ts';

/** Functions that come round again are small; longer ones would cost more than they tell. In characters. */
const LONGEST = 1000;

const CODES: Readonly<Record<HopKind, number>> = { call: HopKindCode.Call, 'process.nextTick': HopKindCode.Tick, queueMicrotask: HopKindCode.Microtask, then: HopKindCode.Then, awaited: HopKindCode.Awaited };

export interface Hops {
  hops: number[];
  settled: number[];
}

export function readHops(flow: Flow): Hops {
  const { facts, functionIndexes } = flow;
  const settled: number[] = [];
  for (const [fn, index] of functionIndexes) if (fn.async && facts.queueHops.isSettled(fn)) settled.push(index);
  // A file that takes nothing from another closes no circle with it.
  return { hops: facts.queueHops.isEmpty ? [] : hopsOf(flow), settled };
}

function hopsOf(flow: Flow): number[] {
  const { facts: { queueHops, module }, functionIndexes } = flow;
  const found: QueueHop[] = [];
  const others: CallNode[] = [];
  const take = (site: CallNode): void => {
    const hop = queueHops.hopAt(site);
    if (hop && endOf(hop.from.body) - startOf(hop.from.body) <= LONGEST) found.push(hop);
  };
  for (const call of module.nodes('CallExpression')) {
    if (isQueueing(call) || queueHops.isForeign(call)) take(call);
    else others.push(call);
  }
  // What leads to such steps within the file matters where it has some that lead on: into a queue, or to what an async function may wait for.
  if (found.some(({ kind, from }) => kind !== 'call' || from.async)) for (const call of others) take(call);
  const sites = siteIndexes(flow, new Set(found.flatMap(({ from }) => functionIndexes.get(from) ?? [])));
  const hops: number[] = [];
  for (const hop of found) {
    const fn = functionIndexes.get(hop.from);
    for (const site of sites.get(keyOf(startOf(hop.site), endOf(hop.site.callee))) ?? []) {
      if (fn === undefined || flow.out.sites[site * SITE_STRIDE] !== fn) continue;
      hops.push(fn, site, CODES[hop.kind] | flagsOf(flow, hop));
      if (hop.kind === 'call' && isWaitedFor(hop.site, hop.from)) hops.push(fn, site, HopKindCode.Awaited);
    }
  }
  return hops;
}

function flagsOf({ facts }: Flow, hop: QueueHop): number {
  const { count, isUnfit, isWalk } = conditionsOf(facts, hop);
  return (Math.min(count, MOST_CONDITIONS) * HopFlag.Condition) | (isUnfit ? HopFlag.Unfit : 0) | (isWalk ? HopFlag.Walk : 0) | (hop.after ? HopFlag.AfterAwait : 0);
}

/** Whether an async function's wait or its result hangs on a call. */
function isWaitedFor(site: CallNode, from: FunctionNode): boolean {
  if (!from.async) return false;
  for (let at: Node | undefined = site; at && at !== from; at = parentOf(at)) {
    // `async () => step()`
    if (at === from.body || at.type === 'AwaitExpression' || at.type === 'ReturnStatement') return at.type !== 'BlockStatement';
    if (isFunction(at)) return false;
  }
  return false;
}

/** By place, of the functions that are asked for: a `then` of two functions has two sites. */
function siteIndexes({ out: { sites } }: Flow, functions: ReadonlySet<number>): Map<number, number[]> {
  const found = new Map<number, number[]>();
  for (let i = 0; functions.size > 0 && i < sites.length; i += SITE_STRIDE) {
    if (!functions.has(sites[i] as number)) continue;
    const key = keyOf(sites[i + 1] as number, sites[i + 2] as number);
    const known = found.get(key);
    if (known) known.push(i / SITE_STRIDE);
    else found.set(key, [i / SITE_STRIDE]);
  }
  return found;
}

/** Both are below 2^26: larger texts are not read. */
function keyOf(start: number, end: number): number {
  return start * 67_108_864 + end;
}
