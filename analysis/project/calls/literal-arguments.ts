// `batch({ items, run: (item) => save(item) })`: a function in an object literal among the arguments belongs to the call with the literal.
// If the callee runs it as a property of its parameter, the edge starts at that call. Otherwise `batch` would lead from each of its callers
// to the `run` of all of them.
import { ObjectKind } from '../summary/format.ts';
import type { CallRecord } from '../points-to/tasks.ts';
import type { SolvedProject } from '../points-to/solved-project.ts';

/** By function: the call with the literal that it stands in, or whose argument it is. */
export type InlineFunctions = ReadonlyMap<number, number>;

/** Edges that start somewhere else. */
export interface MovedEdges {
  /** By call of a parameter's property: the functions that it does not lead to. */
  readonly left: ReadonlyMap<number, ReadonlySet<number>>;
  /** By call with literals: the functions in them that its callees run. */
  readonly added: ReadonlyMap<number, ReadonlySet<number>>;
}

export const NOTHING_MOVED: MovedEdges = { left: new Map(), added: new Map() };

/** The functions that stand in arguments of the calls. */
export function findInlineFunctions({ solver, sites }: SolvedProject, calls: Iterable<number>): Map<number, number> {
  const found = new Map<number, number>();
  for (const index of calls) {
    const { passed, site } = solver.calls[index] as CallRecord;
    for (const node of passed)
      for (const object of solver.objectsIn(node)) {
        const fn = solver.objectFn[object] as number;
        if (solver.kinds[object] === ObjectKind.Function && solver.functions.outerOf(fn) === sites.fn[site]) found.set(fn, index);
      }
  }
  return found;
}

/**
 * @param inline By function: the call that it stands in.
 * @param run Pairs of a call and the parameter whose property it calls.
 * @param callbacks Triples of a call, a parameter of its function, and the parameter of the callee that it is passed as.
 */
export function findMovedEdges(
  { solver }: SolvedProject,
  inline: InlineFunctions,
  run: readonly number[],
  callbacks: readonly number[],
): MovedEdges {
  if (run.length === 0) return NOTHING_MOVED;
  const callsOf = callsByParameter(run, callbacks);
  const left = new Map<number, Set<number>>();
  const added = new Map<number, Set<number>>();
  const functions = new Map<number, number[]>();
  for (const [fn, index] of inline) put(functions, index, fn);
  for (const [index, own] of functions) {
    const { args, targets } = solver.calls[index] as CallRecord;
    for (const target of targets)
      for (let i = 0; i < args.length; i++) {
        if ((args[i] as number) <= 0) continue;
        for (const call of callsOf.get(solver.functions.parameterOf(target, i)) ?? [])
          for (const fn of (solver.calls[call] as CallRecord).targets)
            if (own.includes(fn)) {
              addTo(left, call, fn);
              addTo(added, index, fn);
            }
      }
  }
  return { left, added };
}

/** The calls whose edges are not the same in both. */
export function movedOtherwise(before: MovedEdges, now: MovedEdges): number[] {
  const calls: number[] = [];
  for (const part of ['left', 'added'] as const)
    for (const call of new Set([...before[part].keys(), ...now[part].keys()])) {
      const [a, b] = [before[part].get(call), now[part].get(call)];
      if (a?.size !== b?.size || [...(a ?? [])].some((fn) => !b?.has(fn))) calls.push(call);
    }
  return calls;
}

/** Up to a fixed point: a parameter that is passed on has the calls of the parameter that it becomes. */
function callsByParameter(run: readonly number[], callbacks: readonly number[]): ReadonlyMap<number, ReadonlySet<number>> {
  const calls = new Map<number, Set<number>>();
  for (let i = 0; i < run.length; i += 2) addTo(calls, run[i + 1] as number, run[i] as number);
  const from = new Map<number, number[]>();
  for (let i = 0; i < callbacks.length; i += 3) put(from, callbacks[i + 2] as number, callbacks[i + 1] as number);
  const changed = [...calls.keys()];
  for (const parameter of changed)
    for (const outer of from.get(parameter) ?? []) {
      const size = calls.get(outer)?.size ?? 0;
      for (const call of calls.get(parameter) as Set<number>) addTo(calls, outer, call);
      if ((calls.get(outer) as Set<number>).size > size) changed.push(outer);
    }
  return calls;
}

function put(map: Map<number, number[]>, key: number, value: number): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}

function addTo(map: Map<number, Set<number>>, key: number, value: number): void {
  const known = map.get(key);
  if (known) known.add(value);
  else map.set(key, new Set([value]));
}
