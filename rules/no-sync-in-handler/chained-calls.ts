// Blocking calls of the same action: in functions that become async with another call, and in functions of the file that these call.
import { parentOf, type FunctionNode } from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { BlockingMatch } from './blocking.ts';

/**
 * The functions that belong to those that wait: a fix that leaves their blocking calls has done half of the work. A caller that is async
 * already has a fix of its own, and so has a helper that others call.
 */
export function chainOf(functions: Iterable<FunctionNode>, facts: Facts): ReadonlySet<FunctionNode> {
  const all = [...functions];
  const chain = new Set(all.filter((fn) => !fn.async));
  const isOwn = (target: FunctionNode, fn: FunctionNode): boolean => facts.calls.callersOf(target).every(({ from }) => from === fn);
  for (const fn of all)
    for (const { via, target } of facts.calls.edgesFrom(fn))
      if (via === 'call' && !target.async && !target.generator && (!fn.async || isOwn(target, fn))) chain.add(target);
  return chain;
}

/**
 * The other methods of a function's class that call one of the same functions. Beside a function of the module, only those that compute the
 * same: to hash a password, and to check it.
 */
export function methodsBeside(
  fn: FunctionNode,
  own: readonly BlockingMatch[],
  callsOf: (fn: FunctionNode) => readonly BlockingMatch[],
): { fn: FunctionNode; calls: readonly BlockingMatch[] }[] {
  const names = new Set(own.map(nameOf));
  return functionsBeside(fn, own).flatMap((other) => {
    const calls = other === fn ? [] : callsOf(other);
    return calls.some((one) => names.has(nameOf(one))) ? [{ fn: other, calls }] : [];
  });
}

function functionsBeside(fn: FunctionNode, own: readonly BlockingMatch[]): readonly FunctionNode[] {
  const body = parentOf(fn);
  if (body?.type === 'ClassBody')
    return body.body.filter((member) => member.type === 'ClassMethod' && member.kind === 'method') as FunctionNode[];
  const exported = body?.type === 'ExportNamedDeclaration' ? parentOf(body) : body;
  if (fn.type !== 'FunctionDeclaration' || exported?.type !== 'Program' || own.some(({ row }) => row.cost !== 'cpu')) return [];
  return exported.body.flatMap((statement) => {
    const declared = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    return declared?.type === 'FunctionDeclaration' ? [declared] : [];
  });
}

/** A password is hashed by one function of bcrypt, and compared by another. */
export const nameOf = ({ row }: BlockingMatch): string =>
  row.module.startsWith('bcrypt') ? row.module : `${row.module}.${row.path.join('.')}`;
