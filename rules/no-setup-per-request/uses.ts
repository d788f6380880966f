// What is done with what was built: whether it belongs to the request after all.
import type { Facts } from '../../analysis/facts/index.ts';
import { enclosingFunction, isCall, isFunction, isMember, memberName, parentOf, type Node } from '../../analysis/module/ast.ts';
import type { SetupKind } from '../../knowledge/setup-calls.ts';
import { isFixed } from './fixed.ts';

/** Methods that change what they are called on. */
const CHANGES_THING = /^(?:use|on|once|plugin|plugins|configure|enable|disable|extend|register\w*|set[A-Z]\w*|add[A-Z]?\w*|remove\w*)$/;
const CHANGES_CLIENT = /^(?:use|on|once|addListener|prependListener|\$use|addHook|setConfig)$/;
const CLOSES = /^(?:end|quit|close|disconnect|\$disconnect|destroy|terminate|shutdown|stop)$/;
// The longest chain of functions that each return what the next one built.
const MAX_MAKERS = 3;

/**
 * Whether the request changes it (`md.use(pluginOf(request))`), hears it, or closes it at the end. A client of its own that is closed may be
 * meant: it shares nothing with other requests.
 */
export function belongsToRequest(built: Node, kind: SetupKind, facts: Facts): boolean {
  return usesOf(built, facts).some((use) => {
    const change = changeBy(use, kind);
    return change !== undefined && (change.closes || !change.by.every((one) => isFixed(one, facts)));
  });
}

/** Whether the function goes on to change it (`md.use(plugin)`): a shared one would be changed again by each request. */
export function isChangedAfter(built: Node, kind: SetupKind, facts: Facts): boolean {
  return usesOf(built, facts).some((use) => changeBy(use, kind) !== undefined);
}

/** Where what was built is looked into: by its name, at once, or by the callers of the function that returns it. */
function usesOf(built: Node, facts: Facts, steps = 0): readonly Node[] {
  let value = built;
  let up = parentOf(value);
  while (up && (up.type === 'AwaitExpression' || up.type === 'ParenthesizedExpression' || /^TS.*Expression$/.test(up.type))) {
    value = up;
    up = parentOf(value);
  }
  if (!up) return [];
  if (isMember(up) && up.object === value) return [value];
  const maker = up.type === 'ReturnStatement' ? enclosingFunction(up) : isFunction(up) && up.body === value ? up : undefined;
  if (maker)
    return steps < MAX_MAKERS
      ? facts.calls.callersOf(maker).flatMap(({ edge }) => (edge.via === 'call' ? usesOf(edge.site, facts, steps + 1) : []))
      : [];
  const name =
    up.type === 'VariableDeclarator' && up.init === value
      ? up.id
      : up.type === 'AssignmentExpression' && up.right === value
        ? up.left
        : undefined;
  const binding = name?.type === 'Identifier' ? facts.bindings.resolve(name) : undefined;
  return binding ? facts.bindings.references(binding) : [];
}

interface Change {
  closes: boolean;
  /** What it is changed by. */
  by: readonly Node[];
}

function changeBy(use: Node, kind: SetupKind): Change | undefined {
  let at = use;
  let up = parentOf(at);
  let method: string | undefined;
  while (isMember(up) && up.object === at) {
    method = memberName(up);
    at = up;
    up = parentOf(at);
  }
  if (at === use) return undefined;
  if (up?.type === 'AssignmentExpression' && up.left === at) return { closes: false, by: [up.right] };
  if (!isCall(up) || up.callee !== at || method === undefined) return undefined;
  if (kind === 'client' && CLOSES.test(method)) return { closes: true, by: [] };
  return (kind === 'client' ? CHANGES_CLIENT : CHANGES_THING).test(method) ? { closes: false, by: up.arguments } : undefined;
}
