// Loops that poll the clock until time is up: `while (Date.now() < end);`.
import {
  contains,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type LoopNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { numberOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isAlwaysTrue } from '../../analysis/facts/control-flow.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

export interface Wait {
  /** The duration of the wait in ms, if the source shows it. */
  ms: number | undefined;
}

const CLOCKS: readonly string[] = ['Date.now', 'performance.now', 'process.hrtime', 'process.hrtime.bigint', 'process.uptime'];
const CLOCK_WORD = /^(?:now|hrtime|bigint|uptime|getTime|valueOf|Date)$/;

/** Whether a text may contain such a loop: nothing reads the clock without one of these words. */
export function mayWait(text: string): boolean {
  return /Date|performance|hrtime|uptime/.test(text);
}

/** The wait that a loop makes, if only the clock ends it. */
export function findWait(loop: t.WhileStatement | t.DoWhileStatement | t.ForStatement, facts: Facts): Wait | undefined {
  const isEndless = !loop.test || isAlwaysTrue(loop.test);
  // The test first, because a file has many loops with long bodies.
  if (!isEndless && !hasClockTest(loop.test as Node, loop, facts)) return undefined;
  const inside = look(loop);
  if (inside.waits) return undefined;
  if (!isEndless && isOverAfterStart(unwrap(loop.test as Node), loop, facts)) return undefined;
  if (isEndless) {
    // `while (true) { if (Date.now() > end) break; }`
    const tests = inside.exits.map((exit) => testAround(exit, loop));
    const [first] = tests;
    return first && tests.every((test) => test !== undefined && isClockTest(test, loop, facts))
      ? { ms: durationOf(first, facts) }
      : undefined;
  }
  const test = unwrap(loop.test as Node);
  if (
    inside.exits.some((exit) => {
      const around = testAround(exit, loop);
      return !around || !isClockTest(around, loop, facts);
    })
  )
    return undefined;
  if (movesDeadline(test, loop, facts) || takesFrom(test, loop, facts)) return undefined;
  if (isClockTest(test, loop, facts)) return { ms: durationOf(test, facts) };
  // `while (!ready && Date.now() < end) {}`: an empty loop cannot make it ready.
  if (test.type !== 'LogicalExpression' || test.operator !== '&&' || inside.doesAnything) return undefined;
  const [clock, other] = isClockTest(test.left, loop, facts) ? [test.left, test.right] : [test.right, test.left];
  return isClockTest(clock, loop, facts) && !hasCall(other) ? { ms: durationOf(clock, facts) } : undefined;
}

/** `let ready = Date.now() + 300` at the top of the file, which nothing moves: later calls find that time is up. */
function isOverAfterStart(test: Node, loop: LoopNode, facts: Facts): boolean {
  let found = false;
  walkWithin(test, (node) => {
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    const declaration = binding?.declaration;
    if (binding && declaration?.type === 'VariableDeclarator' && declaration.init && !functionOf(declaration) && functionOf(loop))
      found ||=
        addedTo(node, facts) !== undefined &&
        readsClock(declaration.init, loop, facts) &&
        facts.bindings.writes(binding).every(({ node: write }) => contains(declaration, write));
    return !found;
  });
  return found;
}

/** The function around; undefined at the top level. */
function functionOf(node: Node): Node | undefined {
  let at: Node | undefined = parentOf(node);
  while (at && !isFunction(at)) at = parentOf(at);
  return at;
}

/** Whether the loop itself changes what the clock is compared with: `while (next < now) { next += step; now = Date.now(); }`. */
function movesDeadline(test: Node, loop: LoopNode, facts: Facts): boolean {
  let found = false;
  walkWithin(test, (node) => {
    if (found || isFunction(node)) return false;
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    found =
      binding !== undefined &&
      facts.bindings
        .writes(binding)
        .some(
          ({ node: write, value }) =>
            contains(loop, write) && !contains(test, write) && (value === undefined || !readsClock(value, loop, facts)),
        );
    return !found;
  });
  return found;
}

/**
 * `while (queue.front()?.due < Date.now()) queue.dequeue();`, `while (jobs[0].due < Date.now()) jobs.shift();`: each round asks about
 * another one.
 */
function takesFrom(test: Node, loop: LoopNode, facts: Facts): boolean {
  const asked = new Set<string>();
  walkWithin(test, (node) => {
    const callee = isCall(node) ? unwrap(node.callee) : undefined;
    if (callee && readsClock(node, loop, facts)) return false;
    const object = isMember(callee) ? callee.object : isMember(node) && node.computed ? node.object : undefined;
    if (object) asked.add(facts.source.slice(object));
    return true;
  });
  if (asked.size === 0) return false;
  let takes = false;
  walkWithin(loop.body, (node) => {
    const callee = isCall(node) ? unwrap(node.callee) : undefined;
    takes ||= isMember(callee) && asked.has(facts.source.slice(callee.object));
    return !takes;
  });
  return takes;
}

function hasClockTest(test: Node, loop: LoopNode, facts: Facts): boolean {
  const node = unwrap(test);
  return node.type === 'LogicalExpression'
    ? hasClockTest(node.left, loop, facts) || hasClockTest(node.right, loop, facts)
    : isClockTest(node, loop, facts);
}

interface Inside {
  /** Whether the loop yields: `await`, `yield`. */
  waits: boolean;
  exits: Node[];
  doesAnything: boolean;
}

function look(loop: LoopNode): Inside {
  const found: Inside = { waits: false, exits: [], doesAnything: false };
  walkWithin(loop.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'AwaitExpression' || node.type === 'YieldExpression' || (node.type === 'ForOfStatement' && node.await))
      found.waits = true;
    else if (node.type === 'ReturnStatement' || node.type === 'ThrowStatement') found.exits.push(node);
    else if (node.type === 'BreakStatement' && leaves(node, loop)) found.exits.push(node);
    else if (node.type === 'CallExpression' || node.type === 'AssignmentExpression' || node.type === 'UpdateExpression')
      found.doesAnything = true;
    return true;
  });
  return found;
}

/** Whether a `break` ends the loop, and not something inside it. */
export function leaves(jump: t.BreakStatement, loop: Node): boolean {
  if (jump.label) return true;
  for (let at = parentOf(jump); at; at = parentOf(at)) {
    if (at === loop) return true;
    if (isLoop(at) || at.type === 'SwitchStatement') return false;
  }
  return false;
}

function testAround(exit: Node, loop: Node): Node | undefined {
  for (let at = parentOf(exit); at && at !== loop; at = parentOf(at)) if (at.type === 'IfStatement') return unwrap(at.test);
  return undefined;
}

/** A comparison with the clock on one side. */
function isClockTest(test: Node, loop: LoopNode, facts: Facts): boolean {
  const node = unwrap(test);
  return (
    node.type === 'BinaryExpression' &&
    /^[<>]=?$|^!==?$/.test(node.operator) &&
    (readsClock(node.left, loop, facts) || readsClock(node.right, loop, facts))
  );
}

function readsClock(expression: Node, loop: LoopNode, facts: Facts, steps = 0): boolean {
  const node = unwrap(expression);
  if (steps > MAX_STEPS) return false;
  switch (node.type) {
    case 'CallExpression': {
      const callee = unwrap(node.callee);
      if (!isMember(callee))
        return (
          callee.type === 'Identifier' &&
          (callee.name === 'Number' || callee.name === 'Date'
            ? callee.name === 'Date' || node.arguments.some((argument) => readsClock(argument, loop, facts, steps + 1))
            : isClockOrigin(callee, facts))
        );
      if (!CLOCK_WORD.test(memberName(callee) ?? '')) return false;
      return isClockOrigin(callee, facts) || readsClock(callee.object, loop, facts, steps + 1);
    }
    case 'NewExpression':
      return node.arguments.length === 0 && facts.origins.isGlobal(node.callee, 'Date');
    case 'UnaryExpression':
      return node.operator === '+' && readsClock(node.argument, loop, facts, steps + 1);
    case 'MemberExpression':
      // `process.hrtime(start)[1]`
      return node.computed && readsClock(node.object, loop, facts, steps + 1);
    case 'BinaryExpression':
      return (
        /^[-+*/]$/.test(node.operator) && (readsClock(node.left, loop, facts, steps + 1) || readsClock(node.right, loop, facts, steps + 1))
      );
    case 'AssignmentExpression':
      return readsClock(node.right, loop, facts, steps + 1);
    case 'Identifier': {
      // `while (now < end) now = Date.now();`
      const binding = facts.bindings.resolve(node);
      if (!binding) return false;
      const { declaration } = binding;
      const isInside =
        declaration.type === 'VariableDeclarator' &&
        declaration.init != null &&
        (declaration.start ?? 0) >= (loop.start ?? 0) &&
        (declaration.end ?? 0) <= (loop.end ?? 0);
      if (isInside && declaration.type === 'VariableDeclarator' && declaration.init)
        return readsClock(declaration.init, loop, facts, steps + 1);
      return facts.bindings
        .writes(binding)
        .some(
          (write) =>
            write.value !== undefined &&
            (write.node.start ?? 0) >= (loop.start ?? 0) &&
            (write.node.end ?? 0) <= (loop.end ?? 0) &&
            readsClock(write.value, loop, facts, steps + 1),
        );
    }
    default:
      return false;
  }
}

// The longest chain of variables and arithmetic to follow.
const MAX_STEPS = 6;

function isClockOrigin(callee: Node, facts: Facts): boolean {
  return CLOCKS.some((clock) => facts.origins.isGlobal(callee, clock)) || facts.origins.moduleMember(callee)?.module === 'perf_hooks';
}

function hasCall(node: Node): boolean {
  let found = false;
  walkWithin(node, (at) => {
    if (at.type === 'CallExpression') found = true;
    return !found;
  });
  return found;
}

/** `Date.now() - start < 5000`, `Date.now() < start + 5000`, `Date.now() < end` with `end = Date.now() + 5000`. */
function durationOf(test: Node, facts: Facts): number | undefined {
  const node = unwrap(test);
  if (node.type !== 'BinaryExpression') return undefined;
  for (const side of [node.right, node.left]) {
    const number = numberOf(side, facts.bindings);
    if (number !== undefined) return number;
    const added = addedTo(side, facts);
    if (added !== undefined) return added;
  }
  return undefined;
}

function addedTo(side: Node, facts: Facts): number | undefined {
  let node = unwrap(side);
  if (node.type === 'Identifier') {
    const declaration = facts.bindings.resolve(node)?.declaration;
    if (declaration?.type !== 'VariableDeclarator' || !declaration.init) return undefined;
    node = unwrap(declaration.init);
  }
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  return numberOf(node.right, facts.bindings) ?? numberOf(node.left, facts.bindings);
}
