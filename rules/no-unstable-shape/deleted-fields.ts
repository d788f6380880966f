// `delete row.field` on every row: V8 turns each row into a hash table.
import { isFunction, isMember, memberName, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { endsLoopAfter } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { findRound, findRoundElsewhere, Waits, type Round } from './rounds.ts';
import { lacksField } from './lacked-fields.ts';
import { functionThatRuns, isOneOff } from './one-off.ts';
import { isEntryByName, isMadeAsDictionary } from './records.ts';

export type Deletion = t.UnaryExpression & { argument: t.MemberExpression | t.OptionalMemberExpression };

export interface DeletedFields {
  /** All deletions of fields of the same record in the same function, in source order. */
  deletions: readonly Deletion[];
  fields: readonly string[];
  /** The common object of the deletions; undefined if parts of the record lose fields, too. */
  object: Node | undefined;
  round: Round;
  /** The position of the field in the record, as far as the source shows it. */
  position: 'last' | 'earlier' | 'unknown';
}

export function findDeletedFields(facts: Facts): DeletedFields[] {
  // Undefined for an object that is no record, so that a thousand deletions of it are checked once.
  const waits = new Waits();
  const groups = new Map<string, { deletions: Deletion[]; round: Round } | undefined>();
  for (const node of facts.module.nodes('UnaryExpression')) {
    if (!isFieldDeletion(node) || isRare(node) || isEntryByName(node.argument.object, memberName(node.argument) ?? '')) continue;
    if (lacksField(unwrap(node.argument.object), memberName(node.argument) ?? '', facts)) continue;
    const key = groupKey(facts, node);
    if (groups.has(key)) groups.get(key)?.deletions.push(node);
    else {
      const round = isMadeAsDictionary(facts, unwrap(node.argument.object))
        ? undefined
        : (findRound(facts, node.argument.object) ?? (isAlways(node) ? findRoundElsewhere(facts, node.argument.object) : undefined));
      groups.set(key, round && isWorthReporting(facts, node, round, waits) ? { deletions: [node], round } : undefined);
    }
  }
  return [...groups.values()].flatMap((group) => (group ? [describe(facts, group.deletions, group.round)] : []));
}

function isWorthReporting(facts: Facts, node: Deletion, { repetition, path, isAwaited }: Round, waits: Waits): boolean {
  if (!repetition) return !isAwaited;
  // One wait takes a thousand times longer than what V8 does to the record.
  if (isAwaited || waits.isInTurn(repetition, node) || isOneOff(facts, repetition) || endsLoopAfter(node, repetition.node)) return false;
  // Which of its records have the field, the loop of another function does not show.
  return path.length === 0 || isAlways(node);
}

/**
 * Without any condition except an early return. `if (message.isDraft) delete message.isDraft` removes it from the few that have it, which
 * other files create.
 */
function isAlways(node: Node): boolean {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at))
    if (/^(?:If|Switch|Try)Statement$|^(?:Conditional|Logical)Expression$/.test(at.type)) return false;
  return true;
}

/** In a `catch`, or in one of many iterations: `if (index === 0) delete row.previous`. */
function isRare(node: Node): boolean {
  for (let at: Node = node, up = parentOf(node); up; at = up, up = parentOf(up)) {
    if (up.type === 'CatchClause') return true;
    if (up.type === 'IfStatement' && up.consequent === at && selectsOneRound(up.test)) return true;
    // A callback of `map` belongs to that repetition. Conditions around the call apply to all iterations.
    if (isFunction(up)) return false;
  }
  return false;
}

function selectsOneRound(test: Node): boolean {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression' && node.operator === '&&') return selectsOneRound(node.left) || selectsOneRound(node.right);
  if (node.type !== 'BinaryExpression' || !/^===?$/.test(node.operator)) return false;
  return [
    [node.left, node.right],
    [node.right, node.left],
  ].some(([counter, place]) => {
    const name = unwrap(counter as Node);
    const at = unwrap(place as Node);
    return (
      name.type === 'Identifier' &&
      COUNTER_NAME.test(name.name) &&
      (at.type === 'NumericLiteral' ||
        (at.type === 'BinaryExpression' && at.operator === '-' && isMember(at.left) && memberName(at.left) === 'length'))
    );
  });
}

const COUNTER_NAME = /^(?:i|j|idx|index|\w+I(?:dx|ndex))$/;

function describe(facts: Facts, deletions: readonly Deletion[], round: Round): DeletedFields {
  const object = unwrap((deletions[0] as Deletion).argument.object);
  const isOneObject = new Set(deletions.map((deletion) => facts.source.slice(deletion.argument.object))).size === 1;
  const fields = [...new Set(deletions.map((deletion) => (isOneObject ? (memberName(deletion.argument) ?? '') : fieldOf(deletion))))];
  return {
    deletions,
    fields,
    object: isOneObject ? object : undefined,
    round,
    position: fields.length === 1 ? positionOf(facts, object, fields[0] as string) : 'unknown',
  };
}

/** `delete o.x` and `delete o['x']`; not `delete o[key]` (a dictionary) and not `delete list[0]` (an array). */
function isFieldDeletion(node: t.UnaryExpression): node is Deletion {
  if (node.operator !== 'delete' || !isMember(node.argument)) return false;
  const name = memberName(node.argument);
  return (
    name !== undefined &&
    node.argument.property.type !== 'NumericLiteral' &&
    node.argument.property.type !== 'PrivateName' &&
    !/^\d+$/.test(name)
  );
}

/** The same variable in the same function, including its parts: `delete post.ip; delete post.data.ip` is one report. */
function groupKey(facts: Facts, node: Deletion): string {
  const root = rootOf(node.argument.object);
  const binding = root.type === 'Identifier' ? facts.bindings.resolve(root) : undefined;
  return `${binding?.identifier.start ?? ''} ${functionThatRuns(node)?.start ?? ''} ${facts.source.slice(root)}`;
}

function rootOf(expression: Node): Node {
  let root = unwrap(expression);
  while (isMember(root)) root = unwrap(root.object);
  return root;
}

/** `ip`, and `data.ip` for a part of the record. */
function fieldOf(deletion: Deletion): string {
  const parts: string[] = [memberName(deletion.argument) ?? ''];
  for (let at = unwrap(deletion.argument.object); isMember(at) && memberName(at) !== undefined; at = unwrap(at.object))
    parts.unshift(memberName(at) ?? '');
  return parts.join('.');
}

/** For a record created by one literal or class of this file and not extended since: whether the field was added last. */
function positionOf(facts: Facts, object: Node, field: string): DeletedFields['position'] {
  const binding = object.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  if (binding?.declaration.type !== 'VariableDeclarator' || binding.declaration.id !== binding.identifier || !binding.declaration.init)
    return 'unknown';
  const shape = facts.shapes.shapeOf(binding.declaration.init);
  if (!shape?.isComplete || !shape.keys.includes(field)) return 'unknown';
  if (shape.keys.indexOf(field) < shape.keys.length - 1) return 'earlier';
  return facts.bindings.references(binding).every((reference) => isNeutral(reference, shape.keys)) ? 'last' : 'unknown';
}

/** A use that adds no field: a read, a write of an existing field, a return. */
function isNeutral(reference: Node, keys: readonly string[]): boolean {
  const parent = parentOf(reference);
  if (!isMember(parent))
    return (
      parent?.type === 'ReturnStatement' ||
      (parent?.type === 'CallExpression' && isMember(parent.callee) && memberName(parent.callee) === 'push')
    );
  const above = parentOf(parent);
  return above?.type !== 'AssignmentExpression' || above.left !== parent || keys.includes(memberName(parent) ?? '');
}

/** `password`; `_id`, `__v` and `uid`; `_id`, `__v` and 4 more. */
export function listNames(names: readonly string[]): string {
  const quoted = names.map((name) => `\`${name}\``);
  if (quoted.length <= 1) return quoted[0] ?? '';
  if (quoted.length <= 3) return `${quoted.slice(0, -1).join(', ')} and ${quoted.at(-1)}`;
  return `${quoted.slice(0, 2).join(', ')} and ${quoted.length - 2} more`;
}

/** The statement that consists of the deletion alone. */
export function statementOf(deletion: Deletion): t.ExpressionStatement | undefined {
  const parent = parentOf(deletion);
  return parent?.type === 'ExpressionStatement' ? parent : undefined;
}
