// Which places of a function only some of its runs reach.
import { isFunction, isLoop, isMember, memberName, parentOf, unwrap, type CallNode, type Node, type t } from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';
import { isAlwaysTrue } from './control-flow.ts';

/** For one file. Where a block may be left early is found once. */
export class ChosenPlaces {
  /** By block: the end of its first statement that may leave it early; `Infinity` if there is none. */
  readonly #firstWayOut = new Map<Node, number>();

  /**
   * Whether a condition of its own function chooses the node: a branch of `if`, `?:`, `switch`, a right side of `&&`, `||`, `??`, a
   * default, a `catch`, or a statement before it that may return, throw, or go on with the next iteration, also from its `catch`. What a
   * call before it throws does not count where nothing catches it, or where a `catch` throws again.
   */
  has(node: Node): boolean {
    let from = node;
    for (let at = parentOf(node); at && !isFunction(from); from = at, at = parentOf(at)) {
      if (chooses(at, from)) return true;
      if (at.type === 'BlockStatement' && (from.start ?? 0) >= this.#wayOutOf(at)) return true;
    }
    return false;
  }

  #wayOutOf(block: t.BlockStatement): number {
    let end = this.#firstWayOut.get(block);
    if (end === undefined) {
      end = block.body.find(mayLeave)?.end ?? Infinity;
      this.#firstWayOut.set(block, end);
    }
    return end;
  }
}

/** Whether a node runs one of its parts only under a condition. */
function chooses(at: Node, part: Node): boolean {
  switch (at.type) {
    case 'IfStatement':
    case 'ConditionalExpression':
      return at.test !== part;
    case 'LogicalExpression':
      return at.right === part;
    case 'AssignmentExpression':
      return at.right === part && /^(?:&&|\|\||\?\?)=$/.test(at.operator);
    // `function f(rows = read())`
    case 'AssignmentPattern':
      return at.right === part;
    case 'SwitchCase':
    case 'CatchClause':
      return true;
    case 'WhileStatement':
      return at.body === part && !isAlwaysTrue(at.test);
    default:
      return false;
  }
}

/** Whether a statement may end its function, or the iteration that it is in. */
function mayLeave(statement: t.Statement): boolean {
  let does = false;
  walkWithin(statement, (node) => {
    if (isFunction(node)) return false;
    does =
      node.type === 'ReturnStatement' ||
      (node.type === 'ThrowStatement' && !isCaught(node, statement)) ||
      ((node.type === 'BreakStatement' || node.type === 'ContinueStatement') && isJumpOutOf(node, statement));
    return does ? 'stop' : true;
  });
  return does;
}

/** Whether the `catch` of a `try` within the statement takes what is thrown, or throws again what a call has thrown. */
function isCaught(node: Node, statement: Node): boolean {
  let from = node;
  for (let at: Node | undefined = parentOf(node); at && from !== statement; from = at, at = parentOf(at))
    if (at.type === 'CatchClause' || (at.type === 'TryStatement' && at.block === from && at.handler)) return true;
  return false;
}

function isJumpOutOf(jump: t.BreakStatement | t.ContinueStatement, statement: Node): boolean {
  if (jump.label) return true;
  for (let at: Node | undefined = parentOf(jump); at; at = parentOf(at)) {
    if (isLoop(at) || (jump.type === 'BreakStatement' && at.type === 'SwitchStatement')) return false;
    if (at === statement) return true;
  }
  return true;
}

/** They run what they are passed once, or once for each element, unless something fails before. */
const RUNNING =
  /^(?:then|tap|finally|map|forEach|flatMap|filter|reduce|reduceRight|some|every|find|findLast|findIndex|findLastIndex|sort|each|eachSeries|eachLimit|mapSeries|mapLimit|parallel|series|waterfall|from|call|apply|run|runInAsyncScope|setImmediate|setTimeout|nextTick|queueMicrotask|\$?transaction|withTransaction|runInTransaction|inTransaction|startActiveSpan|Promise)$/;
/** They run it if something happens. */
const LISTENING = /^(?:on|once|catch|(?:add|prepend)(?:Once)?(?:Event)?Listener|subscribe|on[A-Z]\w*)$/;
const ERROR = /^_?(?:e|er|err|error|ex)$/;

/**
 * Whether a call is known to run the functions that it is passed, each time: `rows.map(show)`, `fs.readFile(path, (error, text) => …)`. An
 * `execute` in options may wait for somebody who asks for it.
 */
export function runsWhatItIsPassed({ callee, arguments: args }: CallNode): boolean {
  const target = unwrap(callee);
  const name = isMember(target) ? memberName(target) : target.type === 'Identifier' ? target.name : undefined;
  if (name === undefined || LISTENING.test(name)) return false;
  if (RUNNING.test(name)) return true;
  const last = args.at(-1);
  const callback = last && unwrap(last);
  const first = callback && isFunction(callback) ? callback.params[0] : undefined;
  return first?.type === 'Identifier' && ERROR.test(first.name);
}
