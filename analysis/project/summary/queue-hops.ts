// Records the hops through which functions of a file may come round again in the queues of ticks and microtasks. `answers/queue-rounds.ts`
// combines those of all files.
import { endOf, isFunction, parentOf, startOf, type CallNode, type FunctionNode, type Node } from '../../module/ast.ts';
import { unitAround } from '../../facts/calls.ts';
import { conditionsOf, isQueueing, type HopKind, type QueueHop } from '../../facts/queue-hops.ts';
import type { Flow } from './walk.ts';
import { HopFlag, HopKindCode, MOST_CONDITIONS, SITE_STRIDE, SiteField } from './format.ts';

/** Functions of a round are small. Longer ones would cost more than they are worth. In characters. */
const LONGEST = 1000;

const CODES: Readonly<Record<HopKind, number>> = {
  call: HopKindCode.Call,
  'process.nextTick': HopKindCode.Tick,
  queueMicrotask: HopKindCode.Microtask,
  then: HopKindCode.Then,
  awaited: HopKindCode.Awaited,
};

export interface Hops {
  hops: number[];
  settled: number[];
}

export function readHops(flow: Flow): Hops {
  const { facts, functionIndexes } = flow;
  const settled: number[] = [];
  for (const [fn, index] of functionIndexes) if (fn.async && facts.queueHops.isSettled(fn)) settled.push(index);
  // A file that uses nothing of other files closes no round with them.
  return { hops: facts.queueHops.isEmpty ? [] : hopsOf(flow), settled };
}

function hopsOf(flow: Flow): number[] {
  const {
    facts: { queueHops, projectImports, module },
    functionIndexes,
  } = flow;
  const found: QueueHop[] = [];
  const take = (site: CallNode): void => {
    const from = unitAround(site, module.program);
    const hop = isFunction(from) && endOf(from.body) - startOf(from.body) <= LONGEST ? queueHops.hopAt(site, from) : undefined;
    if (hop) found.push(hop);
  };
  const foreign = new Set<CallNode>(projectImports.calls);
  for (const call of foreign) take(call);
  const others: CallNode[] = [];
  for (const call of module.nodes('CallExpression')) {
    if (foreign.has(call)) continue;
    if (isQueueing(call)) take(call);
    else others.push(call);
  }
  // Calls within the file matter only if a hop leads on from it: into a queue, or to something that an async function may wait for.
  if (found.some(({ kind, from }) => kind !== 'call' || from.async)) for (const call of others) take(call);
  const hops: number[] = [];
  for (const hop of found) {
    const fn = functionIndexes.get(hop.from);
    for (const site of fn === undefined ? [] : sitesOf(flow, hop.site)) {
      hops.push(fn as number, site, CODES[hop.kind] | flagsOf(flow, hop));
      if (hop.kind === 'call' && isWaitedFor(hop.site, hop.from)) hops.push(fn as number, site, HopKindCode.Awaited);
    }
  }
  return hops;
}

/** A `then` with two functions has two sites. */
function sitesOf({ sites, out }: Flow, call: CallNode): number[] {
  const first = sites.get(call);
  if (first === undefined) return [];
  const isSame = (site: number): boolean =>
    [SiteField.Function, SiteField.Start, SiteField.End].every(
      (field) => out.sites[site * SITE_STRIDE + field] === out.sites[first * SITE_STRIDE + field],
    );
  return isSame(first + 1) ? [first, first + 1] : [first];
}

function flagsOf({ facts }: Flow, hop: QueueHop): number {
  const { count, isUnfit, isWalk } = conditionsOf(facts, hop);
  return (
    (Math.min(count, MOST_CONDITIONS) * HopFlag.Condition) |
    (isUnfit ? HopFlag.Unfit : 0) |
    (isWalk ? HopFlag.Walk : 0) |
    (hop.after ? HopFlag.AfterAwait : 0)
  );
}

/** Whether an async function awaits a call or returns it. */
function isWaitedFor(site: CallNode, from: FunctionNode): boolean {
  if (!from.async) return false;
  for (let at: Node | undefined = site; at && at !== from; at = parentOf(at)) {
    // `async () => step()`
    if (at === from.body || at.type === 'AwaitExpression' || at.type === 'ReturnStatement') return at.type !== 'BlockStatement';
    if (isFunction(at)) return false;
  }
  return false;
}
