// The same keys in another order make another shape: `{ id, name }` and `{ name, id }` that end up at one place.
import {
  endOf,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { returnedValues } from '../../analysis/facts/shapes.ts';
import type { Edit, Fix, RefusedFix } from '../../protocol/finding.ts';
import { hasComment } from './delete-fixes.ts';
import { KeyQuestions } from './key-questions.ts';
import { isOneOff } from './one-off.ts';
import { findRoundOfPlace, findRoundOfPlaceElsewhere, Waits, type Round } from './rounds.ts';

export interface KeyOrders {
  /** The first literal, with the order that the others are compared with. */
  first: t.ObjectExpression;
  /** One literal for each other order. */
  others: readonly t.ObjectExpression[];
  place: string;
  round: Round;
}

const DEEPEST_CHOICE = 20;

interface MeetingPlace {
  place: string;
  literals: t.ObjectExpression[];
}

export function findKeyOrders(facts: Facts): KeyOrders[] {
  const found: KeyOrders[] = [];
  const reported = new Set<Node>();
  const waits = new Waits();
  for (const { place, literals } of meetingPlaces(facts)) {
    for (const group of byKeySet(facts, literals)) {
      const others = group.slice(1).filter((literal) => !reported.has(literal));
      const [first] = group;
      if (!first || others.length === 0) continue;
      const own = others.map((literal) => findRoundOfPlace(facts, literal, waits)).find((one) => one !== undefined);
      if (own?.isAwaited || (own?.repetition && isOneOff(facts, own.repetition))) continue;
      const round = own ?? findRoundOfPlaceElsewhere(facts, others[0] as Node);
      if (!round) continue;
      for (const literal of others) reported.add(literal);
      found.push({ first, others, place, round });
    }
  }
  return found;
}

/** Literals with one set of keys in several orders: one literal per order, in source order. */
function byKeySet(facts: Facts, literals: readonly t.ObjectExpression[]): t.ObjectExpression[][] {
  const sets = new Map<string, Map<string, t.ObjectExpression>>();
  for (const literal of literals) {
    const shape = facts.shapes.shapeOfLiteral(literal);
    if (shape.made !== 'literal' || !shape.isComplete || shape.keys.length < 2) continue;
    const set = [...shape.keys].sort().join('\n');
    const orders = sets.get(set) ?? new Map<string, t.ObjectExpression>();
    sets.set(set, orders);
    const order = shape.keys.join('\n');
    if (!orders.has(order)) orders.set(order, literal);
  }
  return [...sets.values()].filter((orders) => orders.size > 1).map((orders) => [...orders.values()]);
}

/** Places that several literals reach: the results of a function, a list, a parameter, a variable. */
function meetingPlaces(facts: Facts): MeetingPlace[] {
  const all = new Map<unknown, MeetingPlace>();
  const add = (key: unknown, place: string, value: Node) => {
    const literals = literalsOf(value);
    if (literals.length === 0) return;
    const known = all.get(key);
    if (known) known.literals.push(...literals);
    else all.set(key, { place, literals });
  };
  const functions = new Set<FunctionNode>();
  for (const literal of facts.module.nodes('ObjectExpression')) {
    if (literal.properties.length < 2) continue;
    let at: Node = literal;
    let parent = parentOf(at);
    while (parent && (unwrap(parent) === literal || parent.type === 'ConditionalExpression' || parent.type === 'LogicalExpression')) {
      at = parent;
      parent = parentOf(at);
    }
    if (!parent) continue;
    if (parent.type === 'ReturnStatement' || (isFunction(parent) && parent.body === at)) {
      const fn = functionAround(at);
      if (fn) functions.add(fn);
    } else if (
      parent.type === 'AssignmentExpression' &&
      parent.operator === '=' &&
      parent.right === at &&
      parent.left.type === 'Identifier'
    ) {
      const binding = facts.bindings.resolve(parent.left);
      if (binding) add(binding, `\`${binding.name}\``, at);
    } else if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier' && parent.init === at) {
      const binding = facts.bindings.resolve(parent.id);
      if (binding) add(binding, `\`${binding.name}\``, at);
    } else if (parent.type === 'CallExpression' && parent.callee !== at) {
      const { callee } = parent;
      if (isMember(callee) && (memberName(callee) === 'push' || memberName(callee) === 'unshift') && callee.object.type === 'Identifier') {
        const binding = facts.bindings.resolve(callee.object);
        if (binding) add(binding.identifier, `\`${binding.name}\``, at);
      } else {
        const targets = facts.calls.functionsOf(callee);
        const target = targets[0];
        const index = parent.arguments.indexOf(at as t.Expression);
        const parameter = targets.length === 1 ? target?.params[index] : undefined;
        if (parameter?.type === 'Identifier') add(parameter, `the parameter \`${parameter.name}\``, at);
      }
    }
  }
  for (const fn of functions) for (const value of returnedValues(fn)) add(fn, 'the results of one function', value);
  return [...all.values()].filter(({ literals }) => literals.length > 1);
}

function literalsOf(value: Node, depth = 0): t.ObjectExpression[] {
  const node = unwrap(value);
  // Generated chains of thousands would overflow the stack.
  if (depth > DEEPEST_CHOICE) return [];
  if (node.type === 'ObjectExpression') return [node];
  if (node.type === 'ConditionalExpression') return [...literalsOf(node.consequent, depth + 1), ...literalsOf(node.alternate, depth + 1)];
  if (node.type === 'LogicalExpression') return [...literalsOf(node.left, depth + 1), ...literalsOf(node.right, depth + 1)];
  return [];
}

function functionAround(node: Node): FunctionNode | undefined {
  for (let at = parentOf(node); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

export function putInOrder(facts: Facts, found: KeyOrders): Fix | RefusedFix {
  const title = 'Write the keys in the same order as the other literal';
  const order = found.first.properties.map((property) => keyOf(property));
  const edits: Edit[] = [];
  for (const literal of found.others) {
    if (hasComment(facts, startOf(literal), endOf(literal)))
      return { title, reason: `there are comments between the keys (line ${lineOf(literal, facts)}). Move them above the object` };
    const running = literal.properties.find((property) => runsCode(property));
    if (running)
      return {
        title,
        reason: `the values are evaluated in the order of the keys, and that of line ${lineOf(running, facts)} may do something. Compute it before the object`,
      };
    const byKey = new Map(literal.properties.map((property) => [keyOf(property), property]));
    literal.properties.forEach((property, i) => {
      const wanted = byKey.get(order[i] as string);
      if (wanted && wanted !== property) edits.push({ start: startOf(property), end: endOf(property), text: facts.source.slice(wanted) });
    });
  }
  for (const literal of found.others) {
    const questions = new KeyQuestions(facts, order, { isOrder: true });
    questions.follow(literal);
    if (questions.found)
      return {
        title,
        reason: `${questions.found} may show the order of the keys, as JSON does. Reorder them by hand if nobody depends on it`,
      };
  }
  return { title, kind: 'suggestion', edits };
}

function lineOf(node: Node, facts: Facts): number {
  return facts.source.positionAt(startOf(node)).line;
}

function keyOf(property: t.ObjectExpression['properties'][number]): string {
  return property.type === 'SpreadElement' ? '' : (staticName(property.key, property.computed) ?? '');
}

function runsCode(property: Node): boolean {
  let runs = false;
  walkWithin(property, (node) => {
    if (node !== property && isFunction(node)) return false;
    if (
      isCall(node) ||
      /^(?:AwaitExpression|YieldExpression|AssignmentExpression|UpdateExpression|TaggedTemplateExpression|ImportExpression)$/.test(
        node.type,
      )
    )
      runs = true;
    return true;
  });
  return runs;
}
