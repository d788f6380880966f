// Calls that run only if the caller leaves an argument out: `if (!db) db = connect()`, `config ?? read()`, `(config = read()) => …`.
import { contains, isCall, isFunction, parentOf, unwrap, type FunctionNode, type Node } from '../../module/ast.ts';
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
    // `cb ? cb(rows) : print(rows)`: a callback is no empty string, so that any code in the other branch counts.
    for (const callback of absentCallbacks(up, at)) {
      const place = indexOf(flow, fn, callback);
      if (place >= 0 && isCalled(flow, callback)) return leftOutFlag(place);
    }
  }
  return 0;
}

/** The expressions that must be missing for a child of a statement or expression to run, if they are callbacks. */
function absentCallbacks(parent: Node, child: Node): Node[] {
  if (parent.type === 'IfStatement' || parent.type === 'ConditionalExpression') {
    const absent = child === parent.consequent ? absentIn(parent.test) : child === parent.alternate ? presentIn(parent.test) : undefined;
    return absent ? [absent] : [];
  }
  if (parent.type !== 'BlockStatement') return [];
  // `if (cb) return cb(rows);` above it
  const found: Node[] = [];
  for (const statement of parent.body) {
    if (statement === child) break;
    const present = statement.type === 'IfStatement' && endsFunction(statement.consequent) ? presentIn(statement.test) : undefined;
    if (present) found.push(present);
  }
  return found;
}

function endsFunction(branch: Node): boolean {
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

/** The expression that a test asks for: `cb`, `typeof cb === 'function'`, `cb !== undefined`. */
function presentIn(test: Node): Node | undefined {
  const node = unwrap(test);
  if (node.type === 'Identifier') return node;
  if (node.type === 'UnaryExpression' && node.operator === '!') return absentIn(node.argument);
  if (node.type !== 'BinaryExpression') return undefined;
  const left = unwrap(node.left);
  const isTypeof = left.type === 'UnaryExpression' && left.operator === 'typeof' && node.right.type === 'StringLiteral';
  if (/^===?$/.test(node.operator))
    return isTypeof && node.right.type === 'StringLiteral' && node.right.value === 'function' ? unwrap(left.argument) : undefined;
  if (!/^!==?$/.test(node.operator)) return undefined;
  if (isTypeof) return node.right.type === 'StringLiteral' && node.right.value === 'undefined' ? unwrap(left.argument) : undefined;
  return node.right.type === 'NullLiteral' || (node.right.type === 'Identifier' && node.right.name === 'undefined') ? left : undefined;
}

/** Whether a parameter is called in its function, so that whatever is passed for it is a function. */
function isCalled(flow: Flow, parameter: Node): boolean {
  const binding = parameter.type === 'Identifier' ? flow.bindings.resolve(parameter) : undefined;
  return (
    binding !== undefined &&
    flow.bindings.references(binding).some((reference) => {
      const call = parentOf(reference);
      return isCall(call) && call.callee === reference;
    })
  );
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
