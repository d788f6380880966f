// Calls that run only if the caller leaves an argument out: `if (!db) db = connect()`, `config ?? read()`, `(config = read()) => …`.
import { contains, isFunction, parentOf, unwrap, type FunctionNode, type Node } from '../../module/ast.ts';
import type { Flow } from './walk.ts';
import { leftOutFlag } from './format.ts';

/** The flag of that argument; 0 for other calls. */
export function leftOutFlagOf(flow: Flow, call: Node): number {
  const fn = flow.frame.node;
  if (!fn || fn.params.length === 0) return 0;
  let assigned: string | undefined;
  for (let at: Node = call, up = parentOf(call); up && at !== fn; at = up, up = parentOf(up)) {
    if (up === fn)
      return leftOutFlag(
        fn.params.findIndex((parameter) => parameter === at && parameter.type === 'AssignmentPattern' && contains(parameter.right, call)),
      );
    if (isFunction(up)) return 0;
    if (up.type === 'AssignmentExpression' && up.right === at && up.left.type === 'Identifier') assigned = up.left.name;
    // Only an assignment to the parameter counts. Other code in the branch may also be meant for an empty string.
    const absent =
      up.type === 'IfStatement' && up.consequent === at
        ? takenBy(absentIn(up.test), assigned)
        : up.type === 'LogicalExpression' && up.right === at && up.operator !== '&&'
          ? unwrap(up.left)
          : undefined;
    const index = absent ? indexOf(flow, fn, absent) : -1;
    if (index >= 0) return leftOutFlag(index);
  }
  return 0;
}

function takenBy(absent: Node | undefined, assigned: string | undefined): Node | undefined {
  return absent?.type === 'Identifier' && absent.name === assigned ? absent : undefined;
}

/** The expression that must be missing for a test to hold: `!db`, `db === undefined`, `typeof db === 'undefined'`, `!db && isReady`. */
function absentIn(test: Node): Node | undefined {
  const node = unwrap(test);
  if (node.type === 'UnaryExpression' && node.operator === '!') return unwrap(node.argument);
  if (node.type === 'LogicalExpression' && node.operator === '&&') return absentIn(node.left) ?? absentIn(node.right);
  if (node.type !== 'BinaryExpression' || !/^===?$/.test(node.operator)) return undefined;
  const left = unwrap(node.left);
  if (node.right.type === 'NullLiteral' || (node.right.type === 'Identifier' && node.right.name === 'undefined')) return left;
  return left.type === 'UnaryExpression' &&
    left.operator === 'typeof' &&
    node.right.type === 'StringLiteral' &&
    node.right.value === 'undefined'
    ? unwrap(left.argument)
    : undefined;
}

function indexOf(flow: Flow, fn: FunctionNode, node: Node): number {
  if (node.type !== 'Identifier') return -1;
  const binding = flow.bindings.resolve(node);
  if (binding?.kind !== 'param' || binding.declaration !== fn) return -1;
  return fn.params.findIndex(
    (parameter) => parameter === binding.identifier || (parameter.type === 'AssignmentPattern' && parameter.left === binding.identifier),
  );
}
