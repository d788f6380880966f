// Records that get some of their fields on some paths only: one shape for each combination.
import { enclosingFunction, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { doKeysCount } from './meaning-keys.ts';
import { isOneOff } from './one-off.ts';
import { isDictionaryName, isMadeAsDictionary } from './records.ts';
import { findRoundOfPlace, findRoundOfPlaceElsewhere, isLong, Waits, type Round } from './rounds.ts';
import { isListWrittenOut, isWrittenOut } from './written-out.ts';
import { findConstructedPaths, findShapePaths, type AddedField, type ShapePaths } from './shape-paths.ts';

export interface ConditionalFields {
  /** The literal or `new C()` that creates each record, or the constructor. */
  made: t.ObjectExpression | t.NewExpression | Constructor;
  shapes: number;
  added: readonly AddedField[];
  isOrder: boolean;
  round: Round;
  /** Where code of this file reads the records in a loop, if it does. */
  reader: Node | undefined;
}

// V8 keeps up to four shapes at one place. The fifth makes it megamorphic (reads take 3 to 5 times as long, Node 18 to 26).
export const CLIFF = 5;

// With two shapes at one place, reads take 1.0 to 1.7 times as long (more on newer Node versions). Worth a hint if the file shows the loop.
const FEWEST_SHAPES = 2;
const FEWEST_FROM_CALLERS = 3;

/** Results that many records share. */
interface Memory {
  readers: Map<Binding, Node | undefined>;
  waits: Waits;
}

export function findConditionalFields(facts: Facts): ConditionalFields[] {
  const found: ConditionalFields[] = [];
  const memory: Memory = { readers: new Map(), waits: new Waits() };
  for (const binding of candidates(facts)) {
    const one = check(facts, binding, memory);
    if (one) found.push(one);
  }
  for (const constructor of findConstructors(facts)) {
    const one = checkConstructor(facts, constructor, memory);
    if (one) found.push(one);
  }
  return found;
}

/** Variables to which an assignment `o.x = …` adds a field under a condition. */
function candidates(facts: Facts): Set<Binding> {
  const bindings = new Set<Binding>();
  for (const node of facts.module.nodes('AssignmentExpression')) {
    if (node.operator !== '=' || !isMember(node.left) || node.left.computed || node.left.object.type !== 'Identifier') continue;
    if (!isUnderCondition(node)) continue;
    const binding = facts.bindings.resolve(node.left.object);
    if (binding?.declaration.type === 'VariableDeclarator' && binding.declaration.id === binding.identifier && binding.declaration.init)
      bindings.add(binding);
  }
  return bindings;
}

function isUnderCondition(node: Node): boolean {
  let at: Node = node;
  for (let up = parentOf(at); up; at = up, up = parentOf(up)) {
    switch (up.type) {
      case 'ExpressionStatement':
      case 'BlockStatement':
      case 'SequenceExpression':
        continue;
      case 'IfStatement':
        return up.test !== at;
      case 'SwitchCase':
      case 'CatchClause':
      case 'LogicalExpression':
      case 'ConditionalExpression':
        return true;
      default:
        return false;
    }
  }
  return false;
}

function check(facts: Facts, binding: Binding, memory: Memory): ConditionalFields | undefined {
  const declarator = binding.declaration as t.VariableDeclarator;
  const made = unwrap(declarator.init as Node);
  if (made.type !== 'ObjectExpression' && made.type !== 'NewExpression') return undefined;
  if (isDictionaryName(binding.name) || isMadeAsDictionary(facts, binding.identifier)) return undefined;
  const shape = facts.shapes.shapeOf(made);
  if (!shape?.isComplete || shape.made === 'extended') return undefined;
  const paths = findShapePaths(facts, binding, declarator, shape.keys);
  if (!paths || paths.shapes < FEWEST_SHAPES || paths.added.length === 0 || doKeysCount(facts, binding, paths)) return undefined;
  const own = findRoundOfPlace(facts, made, memory.waits);
  if (own?.isAwaited || (own?.repetition && isOneOff(facts, own.repetition))) return undefined;
  const round = own ?? findRoundOfPlaceElsewhere(facts, made);
  // Found only through callers and with a small effect: too uncertain.
  if (!round || paths.shapes < (round.elsewhere ? CLIFF : round.path.length > 0 ? FEWEST_FROM_CALLERS : FEWEST_SHAPES)) return undefined;
  const reader = findReader(facts, paths, memory);
  // Whoever only writes them as JSON reads each of them once, in its own way.
  if (!reader && (paths.shapes < CLIFF || isOnlyWritten(facts, paths))) return undefined;
  return { made, shapes: paths.shapes, added: paths.added, isOrder: paths.isOrder, round, reader };
}

export type Constructor = t.ClassMethod | t.FunctionDeclaration | t.FunctionExpression;

/** Constructors that add a field to `this` under a condition. */
function findConstructors(facts: Facts): Set<Constructor> {
  const constructors = new Set<Constructor>();
  for (const node of facts.module.nodes('AssignmentExpression')) {
    if (
      node.operator !== '=' ||
      !isMember(node.left) ||
      node.left.computed ||
      node.left.object.type !== 'ThisExpression' ||
      !isUnderCondition(node)
    )
      continue;
    const fn = enclosingFunction(node);
    if (fn?.type === 'ClassMethod' ? fn.kind === 'constructor' : fn?.type === 'FunctionDeclaration' || fn?.type === 'FunctionExpression')
      constructors.add(fn as Constructor);
  }
  return constructors;
}

function checkConstructor(facts: Facts, made: Constructor, { waits }: Memory): ConditionalFields | undefined {
  if (isOfException(made)) return undefined;
  const calls = facts.calls.callersOf(made).filter(({ edge }) => edge.via === 'construct');
  if (calls.length === 0 && made.type !== 'ClassMethod') return undefined;
  const paths = findConstructedPaths(facts, made.body, fieldsBefore(made));
  if (!paths || paths.shapes < FEWEST_SHAPES || paths.added.length === 0) return undefined;
  const rounds = calls.map(({ edge }) => findRoundOfPlace(facts, edge.site, waits));
  const own = rounds.find((one) => one?.repetition && !one.isAwaited && !isOneOff(facts, one.repetition));
  const round = own ?? (made.type === 'ClassMethod' && paths.shapes >= CLIFF ? findRoundOfPlaceElsewhere(facts, made.body) : undefined);
  return round && { made, shapes: paths.shapes, added: paths.added, isOrder: paths.isOrder, round, reader: undefined };
}

/** `class RemoteError extends Error`: taking the stack trace costs more than its shape. */
function isOfException(made: Constructor): boolean {
  const owner = parentOf(parentOf(made) ?? made);
  if (owner?.type !== 'ClassDeclaration' && owner?.type !== 'ClassExpression') return false;
  const parent = owner.superClass ? unwrap(owner.superClass) : undefined;
  const name = parent?.type === 'Identifier' ? parent.name : parent && isMember(parent) ? memberName(parent) : undefined;
  return name !== undefined && /(?:Error|Exception)$/.test(name);
}

/** Fields that a class declares. They exist before the body of the constructor runs. */
function fieldsBefore(made: Constructor): string[] {
  const body = made.type === 'ClassMethod' ? parentOf(made) : undefined;
  if (body?.type !== 'ClassBody') return [];
  return body.body.flatMap((member) =>
    member.type === 'ClassProperty' && !member.static && !member.declare ? (staticName(member.key, Boolean(member.computed)) ?? []) : [],
  );
}

/** A loop of this file over the collection that the records go into. */
function findReader(facts: Facts, paths: ShapePaths, { readers }: Memory): Node | undefined {
  for (const exit of paths.exits) {
    const collection = collectionOf(facts, exit);
    if (!collection) continue;
    if (!readers.has(collection))
      readers.set(
        collection,
        facts.bindings
          .references(collection)
          .map((reference) => readerAt(facts, reference))
          .find((reader) => reader !== undefined),
      );
    const reader = readers.get(collection);
    if (reader) return reader;
  }
  return undefined;
}

function isOnlyWritten(facts: Facts, { exits }: ShapePaths): boolean {
  return (
    exits.length > 0 &&
    exits.every((exit) => {
      if (isWrittenOut(facts, exit)) return true;
      const collection = collectionOf(facts, exit);
      return collection !== undefined && isListWrittenOut(facts, collection);
    })
  );
}

/** The variable that holds all the records: the target of `push`, or of the assignment of the `map` that returns them. */
function collectionOf(facts: Facts, exit: Node): Binding | undefined {
  const parent = parentOf(exit);
  if (parent?.type === 'CallExpression' && isMember(parent.callee) && parent.callee.object.type === 'Identifier')
    return facts.bindings.resolve(parent.callee.object);
  const repetition = facts.hotness.repetitionsInFunction(exit)[0];
  if (parent?.type !== 'ReturnStatement' || repetition?.by !== 'map') return undefined;
  let at = parentOf(repetition.node);
  while (at && (at.type === 'AwaitExpression' || at.type === 'CallExpression' || at.type === 'MemberExpression')) at = parentOf(at);
  return at?.type === 'VariableDeclarator' && at.id.type === 'Identifier' ? facts.bindings.resolve(at.id) : undefined;
}

const READING: ReadonlySet<string> = new Set([
  'forEach',
  'map',
  'filter',
  'reduce',
  'some',
  'every',
  'find',
  'findIndex',
  'flatMap',
  'sort',
]);

/** `for (const o of list)`, `list.map(…)`, `list[i]` in a loop. */
function readerAt(facts: Facts, reference: Node): Node | undefined {
  const parent = parentOf(reference);
  if (parent?.type === 'ForOfStatement' && parent.right === reference) return parent.right;
  if (!isMember(parent) || parent.object !== reference) return undefined;
  const call = parentOf(parent);
  if (call?.type === 'CallExpression' && call.callee === parent && READING.has(memberName(parent) ?? '')) return parent;
  return memberName(parent) === undefined &&
    isMember(call) &&
    facts.hotness.repetitionsInFunction(parent).some((repetition) => isLong(facts, repetition))
    ? parent
    : undefined;
}
