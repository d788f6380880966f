// Where what a request builds again could be built once. Besides the top level, that is a function that makes handlers of what it is given:
// `validate(schema)` runs where its route is registered, and not for each request. Of a class of which there is one instance, it is a field.
import { handlerLook } from '../../analysis/facts/handlers/signatures.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { enclosingFunction, isCall, isFunction, parentOf, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import { isFixed, type Known, type Made } from './fixed.ts';

/** The farthest out; undefined if a request may change one of the parts. */
export function homeOf(call: Node, parts: readonly Node[], facts: Facts): 'top' | 'field' | 'maker' | undefined {
  const isKnownBy = (known: Known): boolean => parts.every((part) => isFixed(part, facts, 0, known));
  if (isKnownBy({})) return 'top';
  if (isKnownBy({ withFields: true })) return 'field';
  const made = madeAround(call, facts);
  return made && isKnownBy({ made }) ? 'maker' : undefined;
}

/** The handler around a node, if another function returns it: `(schema) => (req, res, next) => { … }`. */
function madeAround(node: Node, facts: Facts): Made | undefined {
  const handler = handlerAround(node);
  const maker = handler && enclosingFunction(handler);
  // Within another handler, it is made for each request.
  if (!maker || maker.async || maker.generator || !isReturned(handler, maker) || handlerAround(maker)) return undefined;
  const isMadePerRequest = facts.calls.callersOf(maker).some(({ edge: { site } }) => {
    const up = parentOf(site);
    return handlerAround(site) !== undefined || (isCall(up) && up.callee === site);
  });
  return isMadePerRequest ? undefined : { maker, handler };
}

/** The innermost function around a node that gets a request, by its parameters. */
function handlerAround(node: Node): FunctionNode | undefined {
  for (let fn: FunctionNode | undefined = enclosingFunction(node); fn; fn = enclosingFunction(fn))
    if (/^(?:pair|request|context)$/.test(handlerLook(fn))) return fn;
  return undefined;
}

/** Itself, or in one wrapper: `return catchErrors(async (req, res) => { … })`. */
function isReturned(handler: FunctionNode, maker: FunctionNode): boolean {
  let at: Node = handler;
  let up = parentOf(at);
  if (isCall(up) && up.callee !== at) {
    at = up;
    up = parentOf(at);
  }
  return up === maker ? isFunction(up) && up.body === at : up?.type === 'ReturnStatement' && enclosingFunction(up) === maker;
}
