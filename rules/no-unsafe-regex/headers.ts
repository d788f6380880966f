// Texts of request headers: some characters never occur in them.
import { constantOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isFunction, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';

/**
 * Tabs, and what Latin-1 can show. "Field values containing CR, LF, or NUL characters are invalid"
 * (https://www.rfc-editor.org/rfc/rfc9110#section-5.5-5). Node answers 400 to each other control character, too.
 */
const OF_HEADERS = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

export function mayBeInHeader(text: string): boolean {
  return OF_HEADERS.test(text);
}

// The longest chain of variables and methods to follow.
const MAX_STEPS = 8;
/** Methods whose result has no other characters. `toUpperCase` of Latin-1 has a few letters more, and no line break. */
const KEEPS = /^(?:trim(?:Start|End)?|to(?:Locale)?(?:Lower|Upper)Case|slice|substring|substr|toString|split|at|pop|shift)$/;
const REQUEST = /^_?(?:req|request|rq|httpReq|httpRequest)$/;
/** What holds the request, and in Koa and Lambda has its headers, too. */
const CONTEXT = /^_?(?:ctx|context|c|event|evt)$/;
/** Members that lead to the request: `ctx.req`, `event.node.req`, `request.raw` */
const TO_REQUEST = /^(?:req|request|raw|node|originalRequest)$/;

/** `req.headers.authorization || ''`, `req.get('user-agent')`, `request.headers.get('cookie').slice(7)` */
export function isOfHeader(text: Node, facts: Facts, steps = 0): boolean {
  if (steps > MAX_STEPS) return false;
  const node = unwrap(text);
  const isToo = (other: Node): boolean => isOfHeader(other, facts, steps + 1);
  if (node.type === 'LogicalExpression') return [node.left, node.right].every((one) => isPlainText(one, facts) || isToo(one));
  if (node.type === 'Identifier') {
    const init = constantOf(node, facts.bindings);
    if (init) return isToo(init);
    // `const { authorization } = req.headers`
    const binding = facts.bindings.resolve(node);
    const { declaration } = binding ?? {};
    return (
      binding !== undefined &&
      facts.bindings.isConstant(binding) &&
      declaration?.type === 'VariableDeclarator' &&
      declaration.id.type === 'ObjectPattern' &&
      declaration.init != null &&
      isHeaders(declaration.init, facts)
    );
  }
  if (isMember(node)) return isHeaders(node.object, facts) || (node.computed && isCall(unwrap(node.object)) && isToo(node.object));
  if (!isCall(node) || node.type === 'NewExpression') return false;
  const callee = unwrap(node.callee);
  const [first] = node.arguments;
  if (callee.type === 'Identifier') return callee.name === 'String' && first !== undefined && isToo(first);
  if (!isMember(callee)) return false;
  const method = memberName(callee) ?? '';
  if (KEEPS.test(method)) return isToo(callee.object);
  if (!/^(?:get|header)$/.test(method) || first === undefined) return false;
  if (isHeaders(callee.object, facts)) return true;
  const source = requestAt(callee.object, facts);
  // `c.get('text')` of Hono is a variable.
  return source === 'request' || (source === 'context' && method === 'get' && isOfKoa(callee, facts));
}

function isPlainText(value: Node, facts: Facts): boolean {
  const text = textOf(value, facts.bindings);
  return text !== undefined && mayBeInHeader(text);
}

/** `req.headers`, and not `req.body.headers`, which is any JSON */
function isHeaders(value: Node, facts: Facts): boolean {
  const node = unwrap(value);
  return isMember(node) && memberName(node) === 'headers' && requestAt(node.object, facts) !== undefined;
}

/** `req`, `c.req`, `event.node.req`; `ctx` */
function requestAt(value: Node, facts: Facts, steps = 0): 'request' | 'context' | undefined {
  const node = unwrap(value);
  if (steps > MAX_STEPS) return undefined;
  if (isMember(node)) return TO_REQUEST.test(memberName(node) ?? '') && requestAt(node.object, facts, steps + 1) ? 'request' : undefined;
  if (node.type !== 'Identifier') return undefined;
  const binding = facts.bindings.resolve(node);
  if (binding?.declaration.type === 'VariableDeclarator') {
    const { id, init } = binding.declaration;
    if (!init || !facts.bindings.isConstant(binding)) return undefined;
    const whole = requestAt(init, facts, steps + 1);
    if (id === binding.identifier) return whole;
    // `const { request } = ctx`
    return whole && id.type === 'ObjectPattern' && id.properties.some((one) => isTaken(one, binding.identifier)) ? 'request' : undefined;
  }
  return REQUEST.test(node.name) ? 'request' : CONTEXT.test(node.name) ? 'context' : undefined;
}

function isTaken(property: t.ObjectPattern['properties'][number], variable: Node): boolean {
  return (
    property.type === 'ObjectProperty' && property.value === variable && TO_REQUEST.test(staticName(property.key, property.computed) ?? '')
  );
}

function isOfKoa(use: Node, facts: Facts): boolean {
  const { handlers } = facts.handlers;
  for (let at: Node | undefined = use; at; at = parentOf(at)) {
    const own = at;
    const handler = isFunction(own) ? handlers.find(({ fn }) => fn === own) : undefined;
    if (handler) return handler.framework === 'koa';
  }
  return false;
}
