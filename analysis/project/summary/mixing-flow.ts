// How values flow when objects are merged: `Object.assign(a, b)`, `merge` of lodash, lists of resolvers.
import type { t } from '../../module/ast.ts';
import { argumentsOf } from './call-flow.ts';
import { merged } from './expressions.ts';
import type { Flow } from './walk.ts';
import { ELEMENT, Op } from './format.ts';

type Call = t.CallExpression | t.OptionalCallExpression;

export const MIXING: ReadonlySet<string> = new Set([
  'assign',
  'extend',
  'defaults',
  'merge',
  'mixin',
  '_extend',
  'assignIn',
  'defaultsDeep',
]);

/** `merge` of lodash, `mergeResolvers` of GraphQL Tools: from a package, by its name. */
export function isMixing(flow: Flow, callee: t.Identifier): boolean {
  if (!MIXING.has(callee.name) && callee.name !== 'mergeResolvers' && callee.name !== 'deepmerge') return false;
  const origin = flow.facts.origins.of(callee);
  return origin?.root === 'module' && !/^[./#~]/.test(origin.name);
}

export function ofMixing(flow: Flow, node: Call): number {
  const { args } = argumentsOf(flow, node);
  if (args.length === 1 && (args[0] ?? 0) > 0) {
    // The argument is a list of what is merged.
    const made = flow.out.holding(flow.literal());
    flow.out.op(Op.Mix, made, flow.out.load(args[0] ?? 0, flow.out.text(ELEMENT)));
    return made;
  }
  const [target = 0, ...sources] = args;
  if (target > 0) for (const source of sources) if (source !== 0) flow.out.op(Op.Mix, target, Math.abs(source));
  return Math.max(target, 0) || merged(flow, sources.map(Math.abs));
}
