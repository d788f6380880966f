// What kind of expression a node is, as far as Prettier's layout depends on it.
import { endOf, isCall, isMember, startOf, type FunctionNode, type Node, type t } from '../../module/ast.ts';

export function isParenthesized(node: Node): boolean {
  return (node as { extra?: { parenthesized?: unknown } }).extra?.parenthesized === true;
}

export function isBinaryish(node: Node | null | undefined): node is t.BinaryExpression | t.LogicalExpression {
  return node?.type === 'BinaryExpression' || node?.type === 'LogicalExpression';
}

const PRECEDENCE = new Map(
  [
    ['??'],
    ['||'],
    ['&&'],
    ['|'],
    ['^'],
    ['&'],
    ['==', '===', '!=', '!=='],
    ['<', '>', '<=', '>=', 'in', 'instanceof'],
    ['>>', '<<', '>>>'],
    ['+', '-'],
    ['*', '/', '%'],
    ['**'],
  ].flatMap((operators, rank) => operators.map((operator) => [operator, rank])),
);
const EQUALITY: ReadonlySet<string> = new Set(['==', '===', '!=', '!==']);
const SHIFT: ReadonlySet<string> = new Set(['>>', '<<', '>>>']);

/** Whether `a inner b outer c` is laid out as one list of operands. */
export function keepsPrecedence(outer: string, inner: string): boolean {
  if (PRECEDENCE.get(outer) !== PRECEDENCE.get(inner) || outer === '**') return false;
  if (EQUALITY.has(outer) || SHIFT.has(outer)) return false;
  if ((inner === '%' && (outer === '*' || outer === '/')) || (outer === '%' && (inner === '*' || inner === '/'))) return false;
  return outer === inner || !/^[*/]$/.test(outer) || !/^[*/]$/.test(inner);
}

/** Whether a call's last argument may begin on the line of the call, with the others: `get('/', () => {`. */
export function canHug(node: Node, isInChain = false): boolean {
  switch (node.type) {
    case 'ObjectExpression':
      return node.properties.length > 0;
    case 'ArrayExpression':
      return node.elements.length > 0;
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion':
      return canHug(node.expression);
    case 'FunctionExpression':
      return true;
    case 'ArrowFunctionExpression': {
      const { body } = node;
      if (body.type === 'BlockStatement' || body.type === 'ObjectExpression' || body.type === 'ArrayExpression') return true;
      if (body.type === 'ArrowFunctionExpression') return canHug(body, true);
      return !isInChain && (body.type === 'ConditionalExpression' || (isCall(body) && body.type !== 'NewExpression') || isPlainNew(body));
    }
    default:
      return false;
  }
}

function isPlainNew({ type }: Node): boolean {
  return type === 'NewExpression';
}

const SIGNS: ReadonlySet<string> = new Set(['!', '-', '+', '~']);

function isLiteral({ type }: Node): boolean {
  return /^(?:String|Numeric|Boolean|Null|BigInt|RegExp)Literal$/.test(type);
}

export function isSimpleArgument(node: Node, depth = 2): boolean {
  if (depth <= 0) return false;
  const isSimple = (inner: Node | null | undefined): boolean => inner == null || isSimpleArgument(inner, depth - 1);
  switch (node.type) {
    case 'RegExpLiteral':
      return node.pattern.length <= 5;
    case 'Identifier':
    case 'ThisExpression':
    case 'Super':
    case 'PrivateName':
      return true;
    case 'TemplateLiteral':
      return node.quasis.every(({ value }) => !value.raw.includes('\n')) && node.expressions.every(isSimple);
    case 'ObjectExpression':
      return node.properties.every((one) => one.type === 'ObjectProperty' && !one.computed && (one.shorthand || isSimple(one.value)));
    case 'ArrayExpression':
      return node.elements.every(isSimple);
    case 'CallExpression':
    case 'OptionalCallExpression':
    case 'NewExpression':
      return isSimpleArgument(node.callee, depth) && node.arguments.length <= depth && node.arguments.every(isSimple);
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return isSimpleArgument(node.object, depth) && isSimpleArgument(node.property, depth);
    case 'UnaryExpression':
      return SIGNS.has(node.operator) && isSimpleArgument(node.argument, depth);
    case 'UpdateExpression':
      return isSimpleArgument(node.argument, depth);
    case 'TSNonNullExpression':
      return isSimpleArgument(node.expression, depth);
    default:
      return isLiteral(node);
  }
}

/** A quarter of Prettier's default width. */
const SHORT = 20;

/** An argument that would not be worth a line of its own. */
export function isShortArgument(node: Node): boolean {
  if (node.type === 'ThisExpression') return true;
  if (node.type === 'Identifier') return node.name.length <= SHORT;
  if (node.type === 'UnaryExpression') return isShortArgument(node.argument);
  if (node.type === 'ObjectExpression') return node.properties.length === 0;
  if (node.type === 'ArrayExpression') return node.elements.length === 0;
  if (node.type === 'TemplateLiteral')
    return node.expressions.length === 0 && endOf(node) - startOf(node) <= SHORT + 2 && !node.quasis[0]?.value.raw.includes('\n');
  if (node.type === 'CallExpression')
    return node.arguments.length === 0 && node.callee.type === 'Identifier' && node.callee.name.length <= SHORT - 2;
  if (node.type === 'StringLiteral') return endOf(node) - startOf(node) <= SHORT;
  return isLiteral(node) && (node.type !== 'RegExpLiteral' || node.pattern.length <= SHORT);
}

/** A pattern that is the only parameter: `({ a, b }) => …` is broken within its braces. */
export function hugsOnlyParameter({ params }: FunctionNode): boolean {
  const [only] = params;
  if (!only || params.length > 1) return false;
  if (only.type === 'ObjectPattern' || only.type === 'ArrayPattern') return true;
  if (only.type === 'AssignmentPattern')
    return (
      (only.left.type === 'ObjectPattern' || only.left.type === 'ArrayPattern') &&
      (only.right.type === 'Identifier' ||
        (only.right.type === 'ObjectExpression' && only.right.properties.length === 0) ||
        (only.right.type === 'ArrayExpression' && only.right.elements.length === 0))
    );
  return false;
}

export function isMemberLike(node: Node): boolean {
  return isMember(node);
}
