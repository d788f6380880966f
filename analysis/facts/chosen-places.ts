// Which places of a function only some of its runs reach.
import { isFunction, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';

/** For one file. Where a block may return early is found once. */
export class ChosenPlaces {
  /** By block: the end of its first statement that may return early; `Infinity` if there is none. */
  readonly #firstWayOut = new Map<Node, number>();

  /**
   * Whether a condition of its own function chooses the node: a branch of `if`, `?:`, `switch`, a right side of `&&`, `||`, `??`, a `catch`, or
   * a statement before it that returns early. What rejects the request (an error, a status from 400 on, `null`) does not count: few of those
   * that are served are rejected.
   */
  has(node: Node): boolean {
    let from = node;
    for (let at = parentOf(node); at && !isFunction(from); from = at, at = parentOf(at)) {
      if ((at.type === 'IfStatement' || at.type === 'ConditionalExpression') && at.test !== from) return true;
      if (at.type === 'LogicalExpression' && at.right === from) return true;
      if (at.type === 'SwitchCase' || at.type === 'CatchClause') return true;
      if (at.type === 'BlockStatement' && (from.start ?? 0) >= this.#wayOutOf(at)) return true;
    }
    return false;
  }

  #wayOutOf(block: t.BlockStatement): number {
    let end = this.#firstWayOut.get(block);
    if (end === undefined) {
      end = block.body.find(servesOthers)?.end ?? Infinity;
      this.#firstWayOut.set(block, end);
    }
    return end;
  }
}

/** Whether a statement may return although the request is not rejected. */
function servesOthers(statement: t.Statement): boolean {
  let does = false;
  walkWithin(statement, (node) => {
    if (isFunction(node) || node.type === 'CatchClause') return false;
    if (node.type !== 'ReturnStatement') return true;
    does = !isRejection(node);
    return does ? 'stop' : false;
  });
  return does;
}

function isRejection(node: t.ReturnStatement): boolean {
  if (node.argument && isNothing(node.argument)) return true;
  const parent = parentOf(node);
  const branch = parent?.type === 'BlockStatement' && !isFunction(parentOf(parent) ?? parent) ? parent : node;
  let rejects = false;
  walkWithin(branch, (inner) => {
    rejects = saysError(inner);
    return rejects ? 'stop' : !isFunction(inner);
  });
  return rejects;
}

/** `null`, `false`, `undefined` */
function isNothing(value: Node): boolean {
  const node = unwrap(value);
  return (
    node.type === 'NullLiteral' ||
    (node.type === 'BooleanLiteral' && !node.value) ||
    (node.type === 'Identifier' && node.name === 'undefined') ||
    (node.type === 'UnaryExpression' && node.operator === 'void')
  );
}

const ERROR_NAME =
  /^(?:reject|fail|abort|deny|forbid|unauthorized|forbidden|badRequest|notFound)|(?:Error|Exception|Boom)$|^(?:error|err|boom)$/i;
const CONTINUATION = /^(?:next|done|cb|callback)$/;

function saysError(node: Node): boolean {
  if (node.type === 'NumericLiteral') return node.value >= 400 && node.value < 600;
  if (node.type === 'ObjectProperty') return /^errors?$/.test(staticName(node.key, node.computed) ?? '');
  if (node.type !== 'CallExpression' && node.type !== 'NewExpression') return false;
  const callee = unwrap(node.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name === undefined) return false;
  if (ERROR_NAME.test(name)) return true;
  // `next(error)`, `done(null, false)`
  const [first, second] = node.arguments;
  return CONTINUATION.test(name) && ((first !== undefined && !isNothing(first)) || (second !== undefined && isNothing(second)));
}
