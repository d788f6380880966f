// Edits of object literals: declaring fields from the start, reordering keys.
import { endOf, isCall, isFunction, startOf, staticName, type Node, type t } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import type { Edit, Fix, RefusedFix } from '../../protocol/finding.ts';
import type { ConditionalFields, Constructor } from './conditional-fields.ts';
import { hasComment, usesSemicolons } from './delete-fixes.ts';
import { listNames } from './deleted-fields.ts';
import { whyHidden } from './inherited-members.ts';
import type { KeyOrders } from './key-orders.ts';
import { findKeyQuestion } from './key-questions.ts';

export function declareInLiteral(facts: Facts, found: ConditionalFields): Fix | RefusedFix {
  const names = found.added.map(({ name }) => name);
  const title = `Give every record ${listNames(names)} from the start, as undefined`;
  if (found.made.type === 'NewExpression')
    return {
      title,
      reason: `the fields belong in the class that line ${lineOf(found.made, facts)} creates an object of, and other code may also use it. Set them in its constructor`,
    };
  const hidden = found.made.type === 'ObjectExpression' ? inheritedByLiterals(names) : whyHidden(facts, found.made, names);
  if (hidden !== undefined) return { title, reason: hidden };
  const question = found.isOrder ? undefined : findKeyQuestion(names, facts, found.made);
  if (question)
    return {
      title,
      reason: `${question.text} on line ${facts.source.positionAt(startOf(question.node)).line} may see the keys of the records. Ask for the values there, not for the keys`,
    };
  const edits = found.made.type === 'ObjectExpression' ? appendFields(facts, found.made, names) : assignFirst(facts, found.made, names);
  if (!edits)
    return {
      title,
      reason: `the constructor (line ${lineOf(found.made, facts)}) has no line of its own for the fields. Write its body on several lines`,
    };
  return { title: found.isOrder ? title : `${title} (the keys then always exist)`, kind: 'suggestion', named: 'initial-field', edits };
}

/** `this.x = undefined;` at the start of a constructor. */
function assignFirst(facts: Facts, made: Constructor, names: readonly string[]): Edit[] | undefined {
  const { source } = facts;
  const [first] = made.body.body;
  if (!first) return undefined;
  const end = usesSemicolons(facts) ? ';' : '';
  const lines = names.map((name) => `this.${name} = undefined${end}`);
  const at = startOf(first);
  const line = source.lineStart(source.positionAt(at).line);
  const isOwnLine = /^\s*$/.test(source.text.slice(line, at));
  if (!isOwnLine) return end ? [{ start: at, end: at, text: `${lines.join(' ')} ` }] : undefined;
  const indent = source.indentAt(at);
  return [{ start: line, end: line, text: lines.map((text) => `${indent}${text}${source.lineBreak}`).join('') }];
}

function inheritedByLiterals(names: readonly string[]): string | undefined {
  const name = names.find((one) => one in Object.prototype);
  return name === undefined ? undefined : `every object inherits \`${name}\`, and the field would hide it. Give the field another name`;
}

function appendFields(facts: Facts, literal: t.ObjectExpression, names: readonly string[]): Edit[] {
  const { source } = facts;
  const fields = names.map((name) => `${name}: undefined`);
  const last = literal.properties.at(-1);
  const close = endOf(literal) - 1;
  if (!last) return [{ start: startOf(literal) + 1, end: startOf(literal) + 1, text: ` ${fields.join(', ')} ` }];
  const isOneLine = source.positionAt(endOf(last)).line === source.positionAt(close).line;
  if (isOneLine) return [{ start: endOf(last), end: endOf(last), text: `, ${fields.join(', ')}` }];
  const hasTrailingComma = /^(?:\s|\/\/[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*,/.test(source.text.slice(endOf(last), close));
  const indent = source.indentAt(startOf(last));
  const line = source.lineStart(source.positionAt(close).line);
  const added = fields
    .map((field, i) => `${indent}${field}${i < fields.length - 1 || hasTrailingComma ? ',' : ''}${source.lineBreak}`)
    .join('');
  return [...(hasTrailingComma ? [] : [{ start: endOf(last), end: endOf(last), text: ',' }]), { start: line, end: line, text: added }];
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
  return { title: `${title} (changes the order in Object.keys and JSON)`, kind: 'suggestion', edits };
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
