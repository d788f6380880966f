// Under which conditions a node runs, judged by the statements around it and before it.
import { endOf, isFunction, isLoop, parentOf, startOf, unwrap, type Node, type t } from '../module/ast.ts';
import { firstFrom } from '../module/group-by.ts';
import { walkWithin } from '../module/module-index.ts';

/**
 * What decides whether a node runs when `upTo` (a function or a loop) does: the tests of `if`, `?:`, `&&` and loops around it, and
 * statements before it that may leave early. Empty if it always runs. Exceptions thrown by calls do not count.
 */
export function conditionsOn(node: Node, upTo: Node): Node[] {
  let found: Node[] = [];
  let from = node;
  for (let at = parentOf(node); at && from !== upTo; from = at, at = parentOf(at)) {
    switch (at.type) {
      case 'IfStatement':
      case 'ConditionalExpression':
        if (at.test !== from) found.push(at.test);
        break;
      case 'LogicalExpression':
        if (at.right === from) found.push(at.left);
        break;
      case 'SwitchCase':
        found.push(at);
        break;
      case 'CatchClause':
        found.push(at);
        break;
      case 'BlockStatement':
      case 'Program': {
        const { statements, causes } = earlyEndsIn(at);
        // All at once: a function may have thousands of early ends, and as many places after them.
        if (causes.length > 0) found = found.concat(causes.slice(0, firstFrom(statements, startOf(from))));
        break;
      }
      default:
        if (isLoop(at) && at !== upTo) found.push(...loopCondition(at, from));
    }
    if (at === upTo) break;
  }
  return found;
}

export function isUnconditional(node: Node, upTo: Node): boolean {
  return conditionsOn(node, upTo).length === 0;
}

interface EarlyEnds {
  /** In source order. */
  statements: readonly Node[];
  /** Of each of them, what `findEarlyEnd` says. */
  causes: readonly Node[];
  /** The statements, and each `break` among them. */
  ways: readonly Node[];
}

const EARLY_ENDS = new WeakMap<Node, EarlyEnds>();
const CAUSES = new WeakMap<Node, Node | null>();

/** The statements of a block that may leave early. */
function earlyEndsIn(block: t.BlockStatement | t.SwitchCase | t.Program): EarlyEnds {
  const known = EARLY_ENDS.get(block);
  if (known) return known;
  const statements: Node[] = [];
  const causes: Node[] = [];
  const ways: Node[] = [];
  for (const statement of block.type === 'SwitchCase' ? block.consequent : block.body) {
    const cause = causeOf(statement);
    if (cause || statement.type === 'BreakStatement') ways.push(statement);
    if (!cause) continue;
    statements.push(statement);
    causes.push(cause);
  }
  const ends = { statements, causes, ways };
  // An edit replaces the whole body of a function, but single statements of a program.
  if (block.type !== 'Program') EARLY_ENDS.set(block, ends);
  return ends;
}

/** As `findEarlyEnd`, remembered. An edit of a function in the statement does not change it, because functions are left out. */
function causeOf(statement: Node): Node | undefined {
  let cause = CAUSES.get(statement);
  if (cause === undefined) CAUSES.set(statement, (cause = findEarlyEnd(statement) ?? null));
  return cause ?? undefined;
}

/** The test of a statement that may end its function or loop. If there is no single test, the statement. */
function findEarlyEnd(statement: Node): Node | undefined {
  let ends = false;
  walkWithin(statement, (node) => {
    if (ends || isFunction(node)) return false;
    if (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') ends = true;
    if ((node.type === 'BreakStatement' || node.type === 'ContinueStatement') && leaves(node, statement)) ends = true;
    return !ends;
  });
  if (!ends) return undefined;
  return statement.type === 'IfStatement' ? statement.test : statement;
}

/** Whether the loop ends after a node has run: `if (row.id === id) { delete row.old; break; }`. Exceptions thrown by calls do not count. */
export function endsLoopAfter(node: Node, loop: Node): boolean {
  if (!isLoop(loop) || !isWithin(node, loop)) return false;
  let from = node;
  for (let at = parentOf(node); at && at !== loop; from = at, at = parentOf(at)) {
    if (at.type !== 'BlockStatement' && at.type !== 'SwitchCase') continue;
    const { ways } = earlyEndsIn(at);
    const statement = ways[firstFrom(ways, endOf(from))];
    if (statement?.type === 'ReturnStatement' || statement?.type === 'ThrowStatement') return true;
    // Out of a `switch`, or back to the loop's head.
    if (statement?.type === 'BreakStatement') return leaves(statement, at) && !isInSwitch(at, loop);
    if (statement) return false;
  }
  return false;
}

/** Whether there are only statements between a node and a loop around it: no function and no other loop. */
function isWithin(node: Node, loop: Node): boolean {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (at === loop) return true;
    if (isFunction(at) || isLoop(at)) return false;
  }
  return false;
}

function isInSwitch(node: Node, loop: Node): boolean {
  for (let at: Node | undefined = node; at && at !== loop; at = parentOf(at)) if (at.type === 'SwitchStatement') return true;
  return false;
}

/** Whether a `break` or `continue` jumps out of a statement. */
function leaves(jump: t.BreakStatement | t.ContinueStatement, statement: Node): boolean {
  if (jump.label) return true;
  for (let at: Node | undefined = parentOf(jump); at; at = parentOf(at)) {
    if (isLoop(at) || (jump.type === 'BreakStatement' && at.type === 'SwitchStatement')) return false;
    if (at === statement) return true;
  }
  return true;
}

function loopCondition(loop: Node, from: Node): Node[] {
  switch (loop.type) {
    case 'WhileStatement':
      return loop.test === from || isAlwaysTrue(loop.test) ? [] : [loop.test];
    case 'ForStatement':
      return loop.init === from || loop.test === from || !loop.test || isAlwaysTrue(loop.test) ? [] : [loop.test];
    case 'ForInStatement':
    case 'ForOfStatement':
      return loop.right === from ? [] : [loop.right];
    default:
      return [];
  }
}

/** `true`, `1`, `!0`: the usual tests of an endless loop. */
export function isAlwaysTrue(test: Node): boolean {
  if (test.type === 'BooleanLiteral') return test.value;
  if (test.type === 'NumericLiteral') return test.value !== 0;
  return (
    test.type === 'UnaryExpression' &&
    test.operator === '!' &&
    ((test.argument.type === 'NumericLiteral' && test.argument.value === 0) ||
      (test.argument.type === 'BooleanLiteral' && !test.argument.value))
  );
}

/**
 * `if (typeof callback !== 'function') throw …`, `if (result instanceof Promise) throw …`: only a mistake in the program gets there,
 * because data holds neither functions nor promises.
 */
export function isThrownForMistakes(node: t.ThrowStatement): boolean {
  const parent = parentOf(node);
  const branch = parent?.type === 'BlockStatement' ? parent : node;
  const around = parentOf(branch);
  return around?.type === 'IfStatement' && around.consequent === branch && asksForCode(around.test);
}

function asksForCode(test: Node): boolean {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression') {
    const { left, right } = node;
    if (node.operator === '&&') return asksForCode(left) || asksForCode(right);
    // `!callback || typeof callback !== 'function'`
    return node.operator === '||' && (asksForCode(left) || isMissing(left)) && asksForCode(right);
  }
  if (node.type !== 'BinaryExpression') return false;
  if (node.operator === 'instanceof') return node.right.type === 'Identifier' && node.right.name === 'Promise';
  if (!/^[!=]==?$/.test(node.operator)) return false;
  return (
    [node.left, node.right].some((side) => side.type === 'StringLiteral' && side.value === 'function') &&
    [node.left, node.right].some((side) => side.type === 'UnaryExpression' && side.operator === 'typeof')
  );
}

function isMissing(test: Node): boolean {
  const node = unwrap(test);
  return node.type === 'UnaryExpression' && node.operator === '!' && unwrap(node.argument).type === 'Identifier';
}

type StatementList = t.BlockStatement | t.SwitchCase;

const LAST_RUN = new WeakMap<Node, Node | null>();

/** The first statement of a list after which no other one of it runs: `return`, or an `if` whose branches both return. */
export function lastRunIn(list: StatementList): Node | undefined {
  let last = LAST_RUN.get(list);
  if (last === undefined)
    LAST_RUN.set(list, (last = (list.type === 'SwitchCase' ? list.consequent : list.body).find(isAlwaysLeft) ?? null));
  return last ?? undefined;
}

/** Whether what comes after a statement never runs. Exceptions thrown by calls do not count, nor do loops without an end. */
function isAlwaysLeft(statement: Node): boolean {
  for (let at: Node | null | undefined = statement; ; at = at.alternate) {
    switch (at?.type) {
      case 'ReturnStatement':
      case 'ThrowStatement':
      case 'BreakStatement':
      case 'ContinueStatement':
        return true;
      case 'BlockStatement':
        return lastRunIn(at) !== undefined;
      case 'TryStatement':
        return (
          (at.finalizer != null && lastRunIn(at.finalizer) !== undefined) ||
          (lastRunIn(at.block) !== undefined && (!at.handler || lastRunIn(at.handler.body) !== undefined))
        );
      case 'IfStatement':
        if (!isAlwaysLeft(at.consequent)) return false;
        break;
      default:
        return false;
    }
  }
}

/** Whether a node comes after a statement that always leaves its block: `return res.sendStatus(403); await report();` */
export function isUnreachable(node: Node): boolean {
  let from = node;
  for (let at = parentOf(node); at; from = at, at = parentOf(at))
    if ((at.type === 'BlockStatement' || at.type === 'SwitchCase') && isAfterLast(from, at)) return true;
  return false;
}

/** Whether a statement of the list comes after the last one that runs. Function declarations are there from the start. */
export function isAfterLast(statement: Node, list: StatementList): boolean {
  if (statement.type === 'FunctionDeclaration' || (list.type === 'SwitchCase' && statement === list.test)) return false;
  const last = lastRunIn(list);
  return last !== undefined && startOf(statement) >= endOf(last);
}
