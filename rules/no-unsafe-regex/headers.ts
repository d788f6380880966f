// Texts of request headers: some characters never occur in them.
import { constantOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, unwrap, type Node } from '../../analysis/module/ast.ts';

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
const REQUEST = /^(?:req|request|ctx|context|c)$/;

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
      isHeaders(declaration.init)
    );
  }
  if (isMember(node)) return isHeaders(node.object) || (node.computed && isCall(unwrap(node.object)) && isToo(node.object));
  if (!isCall(node) || node.type === 'NewExpression') return false;
  const callee = unwrap(node.callee);
  const [first] = node.arguments;
  if (callee.type === 'Identifier') return callee.name === 'String' && first !== undefined && isToo(first);
  if (!isMember(callee)) return false;
  const method = memberName(callee) ?? '';
  if (KEEPS.test(method)) return isToo(callee.object);
  return /^(?:get|header)$/.test(method) && first !== undefined && (isHeaders(callee.object) || isRequest(callee.object));
}

function isPlainText(value: Node, facts: Facts): boolean {
  const text = textOf(value, facts.bindings);
  return text !== undefined && mayBeInHeader(text);
}

function isHeaders(value: Node): boolean {
  const node = unwrap(value);
  return isMember(node) && memberName(node) === 'headers';
}

/** `req.get('x')`, `c.req.header('x')` */
function isRequest(value: Node): boolean {
  const node = unwrap(value);
  return REQUEST.test(node.type === 'Identifier' ? node.name : isMember(node) ? (memberName(node) ?? '') : '');
}
