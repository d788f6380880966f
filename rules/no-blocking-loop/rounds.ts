// How many iterations a counting loop has, and how long they take at least.
import { isFunction, isLoop, isMember, memberName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { numberOf } from '../../analysis/facts/constants.ts';
import { isAlwaysTrue } from '../../analysis/facts/control-flow.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { leaves } from './waits.ts';

export type CountingLoop = t.ForStatement | t.WhileStatement | t.DoWhileStatement;

/**
 * The minimum duration of an iteration in nanoseconds, by what the loop contains: below the lowest values that `node bench/loop-rounds.js`
 * measured on Node 18 to 26.
 */
const ROUND_NS = { count: 0.25, update: 0.4, plain: 0.8, call: 1, allocation: 12, heavy: 90 } as const;

// Clinic.js calls an event loop delay of 10 ms a problem (its analysis of event-loop delay). The value compared with this is the minimum on
// an idle machine. Before V8 has optimized anything, it takes at least a quarter longer.
export const LONG_MS = 8;
/** Ten million empty iterations: 2.7 to 5 ms on Node 18 to 26, 6 to 11 ms the first time. Reported as a hint. */
export const NOTABLE_MS = 2.5;
const NS_PER_MS = 1e6;

export interface Rounds {
  rounds: number;
  /** Minimum time for all of them, in ms. */
  ms: number;
}

/** The counter of a loop, and the bound that it counts to. */
export interface Count {
  counter: t.Identifier;
  bound: Node;
  from: number | undefined;
  step: number;
  isDown: boolean;
  /** `i * i < bound`: as many iterations as the root of the bound. */
  isSquared?: boolean;
}

/** Reads `for (let i = 0; i < bound; i += 2)`, `while (i < bound) { i++ }` and the same downwards. */
export function readCount(loop: CountingLoop, facts: Facts): Count | undefined {
  const test = loop.test && unwrap(loop.test);
  if (test?.type === 'UpdateExpression' || test?.type === 'Identifier') return readCountdown(loop, test, facts);
  if (test?.type !== 'BinaryExpression' || !/^(?:[<>]=?|!==?)$/.test(test.operator)) return undefined;
  const isLess = test.operator.startsWith('<') || test.operator.startsWith('!');
  for (const [side, other, isDown] of [
    [test.left, test.right, !isLess],
    [test.right, test.left, test.operator.startsWith('<')],
  ] as const) {
    const counter = counterIn(side);
    if (!counter) continue;
    const step = stepOf(loop, counter, facts);
    if (step === undefined || step < 0 !== isDown) continue;
    return {
      counter,
      bound: isDown ? (startOfCounter(counter, facts) ?? other) : other,
      from: isDown ? numberOf(other, facts.bindings) : startNumber(counter, facts),
      step: Math.abs(step),
      isDown,
      isSquared: unwrap(side) !== counter,
    };
  }
  return undefined;
}

/** `i`, or `i * i`: the loop has as many iterations as the root of the bound. */
function counterIn(side: Node): t.Identifier | undefined {
  const node = unwrap(side);
  if (node.type === 'Identifier') return node;
  return node.type === 'BinaryExpression' &&
    node.operator === '*' &&
    node.left.type === 'Identifier' &&
    node.right.type === 'Identifier' &&
    node.left.name === node.right.name
    ? node.left
    : undefined;
}

/** `while (n--)` */
function readCountdown(loop: CountingLoop, test: t.UpdateExpression | t.Identifier, facts: Facts): Count | undefined {
  const counter = unwrap(test.type === 'UpdateExpression' ? test.argument : test);
  if (counter.type !== 'Identifier') return undefined;
  const isDown = test.type === 'UpdateExpression' ? test.operator === '--' : stepOf(loop, counter, facts) === -1;
  const bound = isDown ? startOfCounter(counter, facts) : undefined;
  return bound && { counter, bound, from: 0, step: 1, isDown };
}

/** How much the loop adds to its counter in each iteration; undefined if that is not simple. */
function stepOf(loop: CountingLoop, counter: t.Identifier, facts: Facts): number | undefined {
  const binding = facts.bindings.resolve(counter);
  if (!binding) return undefined;
  for (const { node } of facts.bindings.writes(binding)) {
    if ((node.start ?? 0) < (loop.start ?? 0) || (node.end ?? 0) > (loop.end ?? 0)) continue;
    if (node.type === 'UpdateExpression') return node.operator === '++' ? 1 : -1;
    if (node.type !== 'AssignmentExpression') continue;
    const added =
      node.operator === '+=' || node.operator === '-=' ? node.right : node.operator === '=' ? addedIn(node.right, counter.name) : undefined;
    const number = added && numberOf(added, facts.bindings);
    if (number === undefined || number <= 0) return undefined;
    return node.operator === '-=' ? -number : number;
  }
  return undefined;
}

/** `i = i + 1` */
function addedIn(value: Node, name: string): Node | undefined {
  const node = unwrap(value);
  if (node.type !== 'BinaryExpression' || node.operator !== '+') return undefined;
  return node.left.type === 'Identifier' && node.left.name === name ? node.right : undefined;
}

function startOfCounter(counter: t.Identifier, facts: Facts): Node | undefined {
  const declaration = facts.bindings.resolve(counter)?.declaration;
  return declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' ? (declaration.init ?? undefined) : counter;
}

function startNumber(counter: t.Identifier, facts: Facts): number | undefined {
  const start = startOfCounter(counter, facts);
  return start && start !== counter ? numberOf(start, facts.bindings) : undefined;
}

/** The number of iterations of a loop whose bound the source shows, with their cost; undefined if the loop may end early or yields. */
export function roundsOf(loop: CountingLoop, facts: Facts): Rounds | undefined {
  const own = ownRounds(loop, facts);
  if (own === undefined || mayEndEarly(loop)) return undefined;
  let inner = 0;
  let cost: number = ROUND_NS.count;
  const counter = readCount(loop, facts)?.counter.name;
  walkWithin(loop.body, (node) => {
    if (isFunction(node)) return false;
    if (isLoop(node)) {
      const below =
        node.type === 'ForOfStatement' || node.type === 'ForInStatement' || !isResetIn(node, loop, facts)
          ? undefined
          : roundsOf(node, facts);
      inner += below ? below.ms * NS_PER_MS : 0;
      if (below) return false;
    }
    // `while (i > 0) i--` does nothing but count.
    if (node.type === 'UpdateExpression' && node.argument.type === 'Identifier' && node.argument.name === counter) return false;
    cost = Math.max(cost, costOf(node));
    return true;
  });
  return { rounds: own, ms: (own * (cost + inner)) / NS_PER_MS };
}

/** Whether each iteration of the outer loop resets the counter of the inner one. */
function isResetIn(inner: CountingLoop, outer: CountingLoop, facts: Facts): boolean {
  const name = readCount(inner, facts)?.counter;
  const binding = name && facts.bindings.resolve(name);
  if (!binding) return false;
  const isWithin = (node: Node): boolean => (node.start ?? 0) >= (outer.body.start ?? 0) && (node.end ?? 0) <= (outer.body.end ?? 0);
  return (
    isWithin(binding.identifier) ||
    (inner.type === 'ForStatement' &&
      inner.init?.type === 'AssignmentExpression' &&
      inner.init.left.type === 'Identifier' &&
      inner.init.left.name === binding.name)
  );
}

function ownRounds(loop: CountingLoop, facts: Facts): number | undefined {
  const count = readCount(loop, facts);
  if (!count) return undefined;
  const end = boundNumber(count.bound, facts);
  return end === undefined ? undefined : Math.max(0, (count.isSquared ? Math.sqrt(end) : end) - (count.from ?? 0)) / count.step;
}

function boundNumber(bound: Node, facts: Facts): number | undefined {
  const number = numberOf(bound, facts.bindings) ?? lowestPassedNumber(bound, facts);
  if (number !== undefined) return number;
  const node = unwrap(bound);
  if (facts.origins.isGlobal(node, 'Number.MAX_SAFE_INTEGER')) return Number.MAX_SAFE_INTEGER;
  return node.type === 'BigIntLiteral' ? Number(node.value) : undefined;
}

/** `countPrimes(5_000_000)`: the lowest number that the file's calls pass, if all of them pass one and a request reaches the function. */
function lowestPassedNumber(bound: Node, facts: Facts): number | undefined {
  const node = unwrap(bound);
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  if (binding?.kind !== 'param' || !isFunction(binding.declaration) || !isOnlyCounted(binding, facts)) return undefined;
  const fn = binding.declaration;
  const numbers = facts.callArguments
    .of(fn, fn.params.indexOf(binding.identifier))
    .map(({ argument }) => numberOf(argument, facts.bindings));
  const known = numbers.filter((number) => number !== undefined);
  return known.length > 0 && known.length === numbers.length && facts.requestPaths.toFunction(fn) ? Math.min(...known) : undefined;
}

/** Whether the parameter is only ever counted down by one. */
function isOnlyCounted(binding: Binding, facts: Facts): boolean {
  return facts.bindings.writes(binding).every(({ node }) => node.type === 'UpdateExpression' || node === binding.declaration);
}

function costOf(node: Node): number {
  switch (node.type) {
    case 'ObjectExpression':
    case 'ArrayExpression':
    case 'NewExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionExpression':
    case 'TemplateLiteral':
      return ROUND_NS.allocation;
    case 'CallExpression': {
      const callee = unwrap(node.callee);
      const name = isMember(callee) ? memberName(callee) : undefined;
      if (name === 'parse' || name === 'stringify' || name === 'createHash' || name === 'createHmac' || name === 'digest')
        return ROUND_NS.heavy;
      return ROUND_NS.call;
    }
    case 'UpdateExpression':
      return ROUND_NS.update;
    case 'AssignmentExpression':
    case 'BinaryExpression':
      return ROUND_NS.plain;
    default:
      return 0;
  }
}

/** Whether something in the loop may end it, or lets other code run in between. */
export function mayEndEarly(loop: CountingLoop): boolean {
  let found = false;
  walkWithin(loop, (node) => {
    if (found || isFunction(node)) return false;
    if (
      node.type === 'ReturnStatement' ||
      node.type === 'ThrowStatement' ||
      node.type === 'AwaitExpression' ||
      node.type === 'YieldExpression'
    )
      found = true;
    if (node.type === 'BreakStatement' && leaves(node, loop)) found = true;
    return !found;
  });
  return found;
}

/** `while (true) {}` that nothing inside ends. */
export function isEndless(loop: CountingLoop): boolean {
  return (!loop.test ? loop.type === 'ForStatement' : isAlwaysTrue(loop.test)) && !mayEndEarly(loop);
}

/** Whether the loop yields between two iterations, or ends in the first one. */
export function yieldsOrEnds(loop: CountingLoop): boolean {
  let found = false;
  walkWithin(loop, (node) => {
    if (found || isFunction(node)) return false;
    found = node.type === 'AwaitExpression' || node.type === 'YieldExpression';
    return !found;
  });
  return (
    found ||
    (loop.body.type === 'BlockStatement' && loop.body.body.some((statement) => /^(?:Break|Return|Throw)Statement$/.test(statement.type)))
  );
}
