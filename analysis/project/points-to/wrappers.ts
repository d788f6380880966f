// Functions that return an inner function, which runs an argument: `catchAsync(show)`, `requireRole('admin')(list)`.
import type { Pass, Wrapper } from './call-binding.ts';
import { FUNCTION_STRIDE, ObjectKind, Op, SITE_STRIDE, SiteField, SiteFlag } from '../summary/format.ts';
import type { FunctionTable } from './function-table.ts';
import type { FileBase } from './numbering.ts';
import { CallOperand, CopyOperand, passedCountAt, lengthAt } from '../summary/operations.ts';
import type { Solver } from './solver.ts';

/** Flags that a call in the inner function must not have. A cache, for example, runs its function once, however often it is called. */
const OTHER_TIMES = SiteFlag.Once | SiteFlag.DevelopmentOnly | SiteFlag.Detached;

/** Records by node the function whose parameter it is; -1 for other nodes. */
export function ownParameters({ summary, node, fn, room }: FileBase, functions: FunctionTable, owners: Int32Array): void {
  owners.fill(-1, node + 1, node + 1 + room.node);
  for (let own = fn; own < fn + summary.functions.length / FUNCTION_STRIDE; own++) {
    const first = functions.firstParameterOf(own);
    for (let i = 0; i < functions.parameterCountOf(own); i++) owners[first + i] = own;
  }
}

/** By function of a file: the parameters that its inner functions run. The solver finds out whether it returns those functions. */
export function findWrappers(
  { summary: { ops, sites }, node, fn: base }: FileBase,
  functions: FunctionTable,
  owners: Int32Array,
): Map<number, Wrapper[]> {
  const found = new Map<number, Wrapper[]>();
  const excluded = new Set<string>();
  const see = (at: number, fn: number, flags: number): void => {
    const owner = owners[at] as number;
    const inner = owner >= 0 && owner !== fn ? innerOf(functions, fn, owner) : -1;
    if (inner < 0) return;
    const index = at - functions.firstParameterOf(owner);
    if ((flags & OTHER_TIMES) !== 0) excluded.add(`${index} ${inner}`);
    const known = found.get(owner);
    if (!known) found.set(owner, [{ index, inner }]);
    else if (!known.some((one) => one.index === index && one.inner === inner)) known.push({ index, inner });
  };
  for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
    if (ops[i] !== Op.Call) continue;
    const site = (ops[i + CallOperand.Site] as number) * SITE_STRIDE;
    const own = sites[site + SiteField.Function] as number;
    const fn = own + base;
    if (own < 0 || functions.outerOf(fn) < 0) continue;
    const flags = (sites[site + SiteField.Flags] as number) | (ops[i + CallOperand.Flags] as number);
    for (let k = i + CallOperand.Arguments, end = i + passedCountAt(ops, i); k < end; k++)
      if (ops[k] !== 0) see(Math.abs(ops[k] as number) + node, fn, flags);
    const callee = ops[i + CallOperand.Callee] as number;
    if (callee !== 0) see(callee + node, fn, flags);
  }
  for (const [owner, wrappers] of found)
    found.set(
      owner,
      wrappers.filter(({ index, inner }) => !excluded.has(`${index} ${inner}`)),
    );
  return found;
}

/** By function of a file: the parameters that it returns unchanged. */
export function findPasses({ summary: { ops }, node }: FileBase, functions: FunctionTable, owners: Int32Array): Map<number, Pass[]> {
  const found = new Map<number, { index: number; sources: number[] }[]>();
  for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
    if (ops[i] !== Op.Copy) continue;
    const from = (ops[i + CopyOperand.From] as number) + node;
    const owner = owners[from] as number;
    if (owner < 0 || functions.resultOf(owner) !== (ops[i + CopyOperand.To] as number) + node) continue;
    const pass = { index: from - functions.firstParameterOf(owner), sources: [] };
    const known = found.get(owner);
    if (!known) found.set(owner, [pass]);
    else if (!known.some(({ index }) => index === pass.index)) known.push(pass);
  }
  if (found.size === 0) return found;
  for (let i = 0; i < ops.length; i += lengthAt(ops, i)) {
    if (ops[i] !== Op.Copy) continue;
    const to = (ops[i + CopyOperand.To] as number) + node;
    const owner = owners[to] as number;
    if (owner >= 0)
      found
        .get(owner)
        ?.find(({ index }) => index === to - functions.firstParameterOf(owner))
        ?.sources.push((ops[i + CopyOperand.From] as number) + node);
  }
  return found;
}

/** The function directly inside `owner` that is `fn` or contains it; -1 if there is none. */
export function innerOf(functions: FunctionTable, fn: number, owner: number): number {
  for (let at = fn; at >= 0; ) {
    const around = functions.outerOf(at);
    if (around === owner) return at;
    at = around;
  }
  return -1;
}

/** Whether a function is among the results of the function around it. */
export function isReturned(solver: Solver, object: number, fn: number): boolean {
  const outer = solver.functions.outerOf(fn);
  return (
    outer >= 0 &&
    object >= 0 &&
    solver.kinds[object] === ObjectKind.Function &&
    solver.objectsIn(solver.functions.resultOf(outer)).includes(object)
  );
}
