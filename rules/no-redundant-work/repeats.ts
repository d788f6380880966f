// The same work twice on one path of a function, with nothing between that could change its result.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import {
  contains,
  enclosingFunction,
  endOf,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isPlain } from '../shared/reads.ts';
import { awaitedWork, lastName, madeText, mayBeMade, syncWork, type Work } from './work.ts';

export interface Repeat {
  first: Work;
  second: Work;
}

/** Calls that may be work, by their last names. */
export const SYNC_WORK: ReadonlySet<string> = new Set(['parse', 'stringify', 'readFileSync', 'digest']);
// More of the same text are written by programs.
const MOST_ALIKE = 12;

export function findRepeats(facts: Facts): Repeat[] {
  const groups = new Map<string, Node[]>();
  const add = (node: Node): void => {
    const fn = enclosingFunction(node);
    if (!fn) return;
    const key = `${fn.start} ${facts.source.slice(node)}`;
    const group = groups.get(key);
    if (group) group.push(node);
    else groups.set(key, [node]);
  };
  for (const node of facts.module.nodes('AwaitExpression')) add(node);
  for (const type of ['CallExpression', 'OptionalCallExpression'] as const)
    for (const call of facts.module.nodes(type)) if (SYNC_WORK.has(lastName(call)) || mayBeMade(call)) add(call);
  const found: Repeat[] = [];
  for (const nodes of groups.values()) {
    if (nodes.length < 2 || nodes.length > MOST_ALIKE) continue;
    const work = nodes.flatMap((node) => workOf(node, facts) ?? []);
    for (const second of work.slice(1)) {
      const first = work.find((one) => one !== second && isAlwaysBefore(one.whole, second.whole) && !mayChange(one, second, facts));
      if (first && (first.kind !== 'made' || isKept(first))) found.push({ first, second });
    }
  }
  return found.toSorted((a, b) => startOf(a.second.whole) - startOf(b.second.whole));
}

/** What a variable has already. Two equal calls beside each other may also be two steps that happen to be alike. */
function isKept({ whole }: Work): boolean {
  const up = parentOf(whole);
  return up?.type === 'VariableDeclarator' && up.init === whole && up.id.type === 'Identifier';
}

export function workOf(node: Node, facts: Facts): Work | undefined {
  if (node.type === 'AwaitExpression') return awaitedWork(node, facts);
  return isCall(node) ? (syncWork(node, facts) ?? madeText(node, facts)) : undefined;
}

/** Whether the first has run whenever the second runs. */
export function isAlwaysBefore(first: Node, second: Node): boolean {
  if (endOf(first) > startOf(second)) return false;
  let from = first;
  for (let at = parentOf(first); at && !isFunction(at); from = at, at = parentOf(at)) {
    if (contains(at, second)) {
      // Of the branches of one statement, one runs.
      if (at.type === 'IfStatement' || at.type === 'ConditionalExpression') return at.test === from;
      if (at.type === 'TryStatement') return at.finalizer !== null && at.block !== from && at.finalizer !== from;
      return at.type !== 'SwitchStatement' || at.discriminant === from;
    }
    const isBranch =
      ((at.type === 'IfStatement' || at.type === 'ConditionalExpression') && at.test !== from) ||
      (at.type === 'LogicalExpression' && at.right === from) ||
      (at.type === 'AssignmentPattern' && at.right === from) ||
      at.type === 'SwitchCase' ||
      at.type === 'TryStatement' ||
      at.type === 'CatchClause' ||
      at.type === 'OptionalCallExpression' ||
      at.type === 'LabeledStatement' ||
      isLoop(at);
    if (isBranch) return false;
  }
  return isFunction(parentOf(from)) || from.type === 'Program' || contains(from, second);
}

/** Names of calls that write, or tell others to. */
const WRITES =
  /^(?:save|update|insert|create|delete|remove|destroy|upsert|set|write|emit|add|inc|decr|put|post|patch|publish|send|clear|reset|invalidate|incr|lock|unlock|exec|run|apply|commit|rollback|register|store|replace|rename|unlink|copy|move|sync|refresh|reload|populate|assign|merge|process|handle|execute|mutate|connect|start|stop|init|begin)(?:$|[A-Z_])/i;
const READS_BY_NAME =
  /^(?:get|find|load|fetch|read|list|count|query|is|has|can|check|validate|verify|exists|ensure|assert|require)(?:$|[A-Z_])/;
/** What these do writes nothing that the work reads. */
const ANSWERS = /^(?:res|response|reply|console|logger|log|next|ctx|h|debug|assert|expect|Sentry|Math|Array|Object|Date|Promise|JSON)$/;

/** Whether something between the two may change what the second one finds. */
function mayChange(work: Work, { whole: second }: Work, facts: Facts): boolean {
  const { whole: first, kind } = work;
  const fn = enclosingFunction(first);
  if (!fn || fn !== enclosingFunction(second) || !haveSameNames(first, second, facts)) return true;
  let until = startOf(second);
  // What stands behind it in a loop runs before it, too.
  for (let at = parentOf(second); at && at !== fn; at = parentOf(at)) {
    if (!isLoop(at) || contains(at, first)) continue;
    if (kind !== 'parse' && kind !== 'text' && kind !== 'hash' && kind !== 'made') return true;
    until = Math.max(until, endOf(at));
  }
  return changesWithin({ work, second, around: fn.body, from: endOf(first), until }, facts);
}

export interface Stretch {
  work: Work;
  /** The same work, where there are two. */
  second?: Node;
  around: Node;
  from: number;
  until: number;
}

/** Whether something in a stretch of the text may change what the work finds. */
export function changesWithin({ work: { whole: first, kind, call }, second, around, from, until }: Stretch, facts: Facts): boolean {
  const fn = enclosingFunction(first);
  const names = namesIn(first, facts);
  if (!names) return true;
  for (const binding of names)
    for (const { node } of facts.bindings.writes(binding))
      if (enclosingFunction(node) !== fn || (startOf(node) < until && endOf(node) > from)) return true;
  const roots = new Set(names);
  const kept = keptIn(first, facts);
  const isOfState = kind !== 'parse' && kind !== 'hash';
  const isText = kind === 'text' || kind === 'made';
  let may = false;
  walkWithin(around, (node) => {
    if (may) return 'stop';
    if (endOf(node) <= from || startOf(node) >= until || node === first || node === second) return false;
    if (node.type === 'YieldExpression' || (node.type === 'ForOfStatement' && node.await)) may = true;
    else if (node.type === 'AssignmentExpression' || node.type === 'UpdateExpression') {
      const target = unwrap(node.type === 'AssignmentExpression' ? node.left : node.argument);
      may = isMember(target) && isAbout(target, roots, kept, kind, facts);
    } else if (node.type === 'UnaryExpression') {
      may = node.operator === 'delete' && isAbout(unwrap(node.argument), roots, kept, kind, facts);
    } else if (node.type === 'AwaitExpression') {
      // Meanwhile, other requests may change what is not this function's own.
      if (isText) may = true;
      else if (isOfState) may = !isHarmlessAwait(node, facts);
    } else if (isCall(node) && isOfState)
      may = isText ? touches(node, roots, facts, kind === 'made' ? [first, second] : []) : isWrite(node, call, facts);
    return may ? 'stop' : undefined;
  });
  return may;
}

/** The bindings that an expression names; undefined where one is not known to stay. */
function namesIn(expression: Node, facts: Facts): Binding[] | undefined {
  const names: Binding[] = [];
  let isKnown = true;
  walkWithin(expression, (node) => {
    if (node.type !== 'Identifier') return undefined;
    const binding = facts.bindings.resolve(node);
    if (binding) names.push(binding);
    return undefined;
  });
  // A variable of the module, or of the function around, may be written by whoever else runs.
  const fn = enclosingFunction(expression);
  for (const binding of names) if (!facts.bindings.isConstant(binding) && !(fn && contains(fn, binding.identifier))) isKnown = false;
  return isKnown ? names : undefined;
}

/** The same text may name other variables in another block. */
function haveSameNames(first: Node, second: Node, facts: Facts): boolean {
  const bindingsOf = (expression: Node): (Binding | undefined)[] => {
    const found: (Binding | undefined)[] = [];
    walkWithin(expression, (node) => {
      if (node.type === 'Identifier') found.push(facts.bindings.resolve(node));
      return undefined;
    });
    return found;
  };
  const others = bindingsOf(second);
  return bindingsOf(first).every((one, i) => one === others[i]);
}

/** The variables that keep the result. */
function keptIn(first: Node, facts: Facts): ReadonlySet<Binding> {
  const up = parentOf(first);
  const id = up?.type === 'VariableDeclarator' && unwrap(up.init ?? up) === first ? up.id : undefined;
  const binding = id?.type === 'Identifier' ? facts.bindings.resolve(id) : undefined;
  return new Set(binding ? [binding] : []);
}

function isAbout(target: Node, roots: ReadonlySet<Binding>, kept: ReadonlySet<Binding>, kind: Work['kind'], facts: Facts): boolean {
  // Whose text it is may be reached by another name.
  if (kind === 'text' || kind === 'made') return true;
  const root = rootOf(target);
  if (root.type === 'ThisExpression') return true;
  const binding = root.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
  return binding !== undefined && (roots.has(binding) || kept.has(binding));
}

function rootOf(expression: Node): Node {
  let at = unwrap(expression);
  while (isMember(at) || isCall(at)) at = unwrap(isMember(at) ? at.object : at.callee);
  return at;
}

/** Whether a call gets hold of one of the objects, apart from what is made of them. */
function touches(call: CallNode, roots: ReadonlySet<Binding>, facts: Facts, made: readonly (Node | undefined)[]): boolean {
  const callee = unwrap(call.callee);
  if (isPlain(call, facts, [call]) && isMember(callee) && ANSWERS.test(textOfRoot(callee)) && memberName(callee) !== 'assign') return false;
  let does = false;
  for (const part of [...call.arguments, ...(isMember(callee) ? [callee.object] : [])])
    walkWithin(part, (node) => {
      if (made.includes(node)) return false;
      const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
      does ||= node.type === 'ThisExpression' || (binding !== undefined && roots.has(binding));
      return does ? 'stop' : undefined;
    });
  return does || facts.calls.functionsOf(callee).some((fn) => enclosingFunction(fn) !== undefined);
}

function textOfRoot(callee: Node): string {
  const root = rootOf(callee);
  return root.type === 'Identifier' ? root.name : '';
}

function isWrite(call: CallNode, work: CallNode, facts: Facts): boolean {
  if (call === work || call.type === 'NewExpression') return false;
  if (findQuery(call, facts, true)?.isWrite) return true;
  if (ANSWERS.test(textOfRoot(call.callee))) return false;
  return WRITES.test(lastName(call)) && !isPlain(call, facts, []);
}

/** An await of what reads, as far as its name tells. */
function isHarmlessAwait({ argument }: t.AwaitExpression, facts: Facts): boolean {
  const call = unwrap(argument);
  if (awaitedWork(parentOf(argument) as t.AwaitExpression, facts)) return true;
  if (!isCall(call)) return call.type === 'Identifier' || isMember(call);
  if (/^(?:json|text|all)$/.test(lastName(call))) return true;
  return READS_BY_NAME.test(lastName(call)) && !WRITES.test(lastName(call)) && !/Or[A-Z]|And[A-Z]/.test(lastName(call));
}
