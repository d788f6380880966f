// Where a regular expression is tested on a text: `re.test(text)`, `text.match(re)`, and validators of request fields.
import type { ExpressionMethod } from '../../protocol/attack.ts';
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import type { Binding } from '../../analysis/facts/bindings.ts';
import { constantOf, textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { limitOf } from './texts.ts';

export interface Expression {
  node: t.RegExpLiteral | t.CallExpression | t.NewExpression;
  pattern: string;
  flags: string;
}

export interface Use {
  call: CallNode;
  text: Node;
  method: ExpressionMethod;
}

/** `new RegExp('…')` with a constant string. */
export function readConstructed(node: t.CallExpression | t.NewExpression, facts: Facts): Expression | undefined {
  if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp' || !facts.bindings.isGlobal(node.callee)) return undefined;
  const [first, second] = node.arguments;
  const pattern = first && (patternOf(first, facts) ?? headOf(first, facts));
  const flags = second ? flagsOf(unwrap(second), facts) : '';
  return pattern === undefined || flags === undefined ? undefined : { node, pattern, flags };
}

/** `isGlobal ? 'g' : ''`: the longer ones, which search everywhere. */
function flagsOf(node: Node, facts: Facts): string | undefined {
  if (node.type !== 'ConditionalExpression') return textOf(node, facts.bindings);
  const both = [node.consequent, node.alternate].flatMap((part) => textOf(part, facts.bindings) ?? []);
  return both.sort((a, b) => b.length - a.length)[0];
}

// The longest chain of constants to follow.
const MAX_STEPS = 8;

/** The text of a pattern that is put together from constants: `'a' + b`, templates, `[a, b].join('|')`, `re.source`. */
function patternOf(expression: Node, facts: Facts, steps = 0): string | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  if (node.type === 'TemplateElement') return node.value.cooked ?? undefined;
  const known = textOf(node, facts.bindings);
  if (known !== undefined) return known;
  const all = (parts: readonly (Node | null)[]): string[] | undefined => {
    const texts = parts.map((part) => (part ? patternOf(part, facts, steps + 1) : undefined));
    return texts.every((text) => text !== undefined) ? texts : undefined;
  };
  if (node.type === 'RegExpLiteral') return node.pattern;
  // `'^' + [a, b]`
  if (node.type === 'ArrayExpression') return all(node.elements)?.join(',');
  if (node.type === 'BinaryExpression' && node.operator === '+') return all([node.left, node.right])?.join('');
  if (node.type === 'TemplateLiteral') {
    const values = all(node.expressions);
    return values && node.quasis.map(({ value }, i) => (value.cooked ?? '') + (values[i] ?? '')).join('');
  }
  if (isMember(node) && memberName(node) === 'source') return patternOf(node.object, facts, steps + 1);
  if (isCall(node) && isMember(node.callee) && memberName(node.callee) === 'join') {
    const list = unwrap(node.callee.object);
    const [separator] = node.arguments;
    const between = separator ? textOf(separator, facts.bindings) : ',';
    return list.type === 'ArrayExpression' && between !== undefined ? all(list.elements)?.join(between) : undefined;
  }
  const init = constantOf(node, facts.bindings);
  return init && patternOf(init, facts, steps + 1);
}

/** `escapeRegExp(tag)`: a text that is not empty, and matches itself. */
const ESCAPES = /^(?:escape|quote)|(?<!un|Un)(?:Escape|Quote)/;
/** The last character of the text need not be there. */
const OPTIONAL = /^[?*{]/;
/** Stands for such a text. */
const SOME_TEXT = '\uE000';

/**
 * `'([^]*?)' + escapeRegExp(tag) + more`: up to that text, which an attack leaves out. What comes behind it is then never tried, unless it
 * is another alternative.
 */
function headOf(expression: Node, facts: Facts): string | undefined {
  const parts = partsOf(unwrap(expression));
  const texts = parts.map((part) => patternOf(part, facts));
  const at = texts.indexOf(undefined);
  const escaped = unwrap(parts[at] ?? expression);
  if (at < 1 || !isCall(escaped)) return undefined;
  const callee = unwrap(escaped.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  const head = texts.slice(0, at).join('');
  const rest = texts.slice(at + 1).join('');
  const isWhole = head.split('(').length === head.split(')').length && !/[\\[\]]$/.test(head);
  return isWhole && ESCAPES.test(name ?? '') && !OPTIONAL.test(rest) && !hasAlternatives(rest) ? `${head}${SOME_TEXT}` : undefined;
}

function partsOf(node: Node): Node[] {
  if (node.type === 'BinaryExpression' && node.operator === '+') return [...partsOf(unwrap(node.left)), unwrap(node.right)];
  if (node.type !== 'TemplateLiteral') return [node];
  return node.quasis.flatMap((quasi, i) => [quasi, ...node.expressions.slice(i, i + 1)]);
}

/** Outside of its groups. */
function hasAlternatives(pattern: string): boolean {
  let depth = 0;
  for (let i = 0; i < pattern.length; i++) {
    const character = pattern[i];
    if (character === '\\') i++;
    else if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === '|' && depth <= 0) return true;
  }
  return false;
}

const OF_EXPRESSION: readonly ExpressionMethod[] = ['test', 'exec'];
const OF_TEXT: readonly ExpressionMethod[] = ['match', 'matchAll', 'replace', 'replaceAll', 'search', 'split'];

/** Whether the search goes on behind a match. */
export function isEverywhere(method: ExpressionMethod, flags: string): boolean {
  return method === 'split' || (flags.includes('g') && method !== 'test' && method !== 'exec' && method !== 'search');
}

/** All uses of an expression in the file: in place, and through the constant, the property or the `this` field that holds it. */
export function usesOf({ node }: Expression, facts: Facts): Use[] {
  const places: Node[] = [node];
  const parent = parentOf(node);
  if (parent?.type === 'VariableDeclarator' && parent.init === node && parent.id.type === 'Identifier') {
    const binding = facts.bindings.resolve(parent.id);
    if (binding && facts.bindings.isConstant(binding)) places.push(...facts.bindings.references(binding));
  }
  // `const patterns = { name: /…/ }; patterns.name.test(text)`
  const holder = parent?.type === 'ObjectProperty' && parent.value === node ? parentOf(parentOf(parent) ?? parent) : undefined;
  if (
    parent?.type === 'ObjectProperty' &&
    holder?.type === 'VariableDeclarator' &&
    holder.id.type === 'Identifier' &&
    parent.key.type === 'Identifier'
  ) {
    const { name } = parent.key;
    const binding = facts.bindings.resolve(holder.id);
    const members = binding ? facts.bindings.references(binding).map((reference) => parentOf(reference)) : [];
    places.push(...members.filter((member): member is t.MemberExpression => isMember(member) && memberName(member) === name));
  }
  return places.flatMap((place) => useAt(place) ?? usesInHelper(place, facts));
}

/** `match(/…/, text)`, where a function of this file tries the one on the other. A helper that limits the text itself is left alone. */
function usesInHelper(place: Node, facts: Facts): Use[] {
  const { bindings } = facts;
  const call = parentOf(place);
  if (call?.type !== 'CallExpression' || call.callee.type !== 'Identifier' || !call.arguments.every(isExpression)) return [];
  const helper = bindings.resolve(call.callee);
  const fn = helper && bindings.isConstant(helper) ? functionOf(helper.declaration) : undefined;
  const bindingOf = (node: Node | undefined) => (node?.type === 'Identifier' ? bindings.resolve(node) : undefined);
  const passed = fn?.params.map(bindingOf) ?? [];
  const own = passed[call.arguments.indexOf(place as t.Expression)];
  if (!own || !bindings.isConstant(own)) return [];
  // By parameter: a helper with many tests may be called from many places.
  const known = facts.remember('parameters that are expressions', () => new Map<Binding, Tried[]>());
  const tried = known.get(own) ?? triesOf(own, passed, facts);
  known.set(own, tried);
  return tried.flatMap(({ index, method }): Use[] => {
    const text = call.arguments[index];
    return text ? [{ call, text, method }] : [];
  });
}

/** That a helper tries an expression on the parameter of that index. */
interface Tried {
  index: number;
  method: ExpressionMethod;
}

/** What a helper tries the expression on that it is given as `own`: each parameter and method once, however many tests there are. */
function triesOf(own: Binding, passed: readonly (Binding | undefined)[], facts: Facts): Tried[] {
  const { bindings } = facts;
  const found = new Map<string, Tried>();
  for (const reference of bindings.references(own)) {
    const use = useAt(reference);
    const text = use && unwrap(use.text);
    const given = text?.type === 'Identifier' ? bindings.resolve(text) : undefined;
    if (!use || !given || !bindings.isConstant(given)) continue;
    const index = passed.indexOf(given);
    const key = `${index} ${use.method}`;
    if (index < 0 || found.has(key) || limitOf(use.text, use.call, facts) !== undefined) continue;
    found.set(key, { index, method: use.method });
  }
  return [...found.values()];
}

function isExpression(argument: Node): boolean {
  return argument.type !== 'SpreadElement';
}

function functionOf(declaration: Node): FunctionNode | undefined {
  if (declaration.type === 'FunctionDeclaration') return declaration;
  const init = declaration.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  return init && isFunction(init) ? init : undefined;
}

/**
 * In a library: also what other places name like the property that holds it; where it is in a table, uses of what may come from a table;
 * and expressions that are exported, returned or handed over.
 */
export function usesByCallers(expression: Expression, facts: Facts): { uses: Use[]; isExported: boolean } {
  const uses = usesOf(expression, facts);
  const { name, isInTable } = holderOf(expression.node);
  if (name !== undefined)
    for (const type of ['MemberExpression', 'OptionalMemberExpression'] as const)
      for (const member of facts.module.nodes(type))
        uses.push(...[memberName(member) === name ? useAt(member) : undefined].filter((use) => use !== undefined));
  if (uses.length === 0 && isInTable) uses.push(...facts.remember('uses of unknown expressions', () => usesOfUnknown(facts)));
  return { uses, isExported: isHandedOut(expression.node, facts) };
}

/** `tables[name].test(text)`, `text.match(rule.pattern)`, `for (const expression of list) expression.exec(text)` */
function usesOfUnknown(facts: Facts): Use[] {
  return facts.module.nodes('CallExpression').flatMap((call): Use[] => {
    if (!isMember(call.callee)) return [];
    const { callee } = call;
    const [first] = call.arguments;
    const ofExpression = OF_EXPRESSION.find((method) => method === memberName(callee));
    if (ofExpression && first && isUnknown(callee.object, facts)) return [{ call, text: first, method: ofExpression }];
    const ofText = OF_TEXT.find((method) => method === memberName(callee));
    return ofText && first && isUnknown(first, facts) ? [{ call, text: callee.object, method: ofText }] : [];
  });
}

function isUnknown(expression: Node, facts: Facts): boolean {
  const node = unwrap(expression);
  if (isMember(node)) return true;
  if (node.type !== 'Identifier') return false;
  const declaration = facts.bindings.resolve(node)?.declaration;
  return !(declaration?.type === 'VariableDeclarator' && declaration.init && unwrap(declaration.init).type === 'RegExpLiteral');
}

/** `heading` of `{ heading: /…/ }`, `rules.heading = /…/` and of a class's field; whether it is an entry of a table. */
function holderOf(node: Node): { name?: string; isInTable: boolean } {
  const parent = parentOf(node);
  if (parent?.type === 'ArrayExpression') return { isInTable: true };
  if ((parent?.type === 'ObjectProperty' || parent?.type === 'ClassProperty') && parent.value === node)
    return { name: staticName(parent.key, parent.computed), isInTable: true };
  if (parent?.type === 'AssignmentExpression' && parent.right === node && isMember(parent.left))
    return { name: memberName(parent.left), isInTable: true };
  return { isInTable: false };
}

/** `module.exports = /…/`, `return /…/`, `() => /…/`, `addRule(/…/)`: whoever gets it applies it to a text of their own. */
const IN_VALUES: ReadonlySet<string> = new Set([
  'ConditionalExpression',
  'LogicalExpression',
  'ObjectProperty',
  'ObjectExpression',
  'ArrayExpression',
]);

function isHandedOut(node: Node, facts: Facts): boolean {
  let value = node;
  let up = parentOf(value);
  while (up && IN_VALUES.has(up.type)) {
    value = up;
    up = parentOf(up);
  }
  if (up?.type === 'ReturnStatement' || up?.type === 'ExportDefaultDeclaration') return true;
  if (isCall(up) && up.callee !== value)
    return !(isMember(up.callee) && OF_TEXT.some((name) => name === memberName(up.callee as t.MemberExpression)));
  if (up?.type === 'ArrowFunctionExpression') return up.body === value;
  if (up?.type === 'AssignmentExpression' && up.right === value) return /^(?:module\.)?exports\b/.test(facts.source.slice(up.left));
  if (up?.type === 'VariableDeclarator' && up.id.type === 'Identifier') {
    if (parentOf(parentOf(up) ?? up)?.type === 'ExportNamedDeclaration') return true;
    const binding = facts.bindings.resolve(up.id);
    return (
      binding !== undefined &&
      facts.bindings.references(binding).some((reference) => reference !== node && isHandedOutName(reference, facts))
    );
  }
  return false;
}

function isHandedOutName(reference: Node, facts: Facts): boolean {
  const up = parentOf(reference);
  if (up?.type === 'ReturnStatement' || up?.type === 'ExportDefaultDeclaration' || up?.type === 'ExportSpecifier') return true;
  return up?.type === 'AssignmentExpression' && up.right === reference && /^(?:module\.)?exports\b/.test(facts.source.slice(up.left));
}

function useAt(place: Node): Use | undefined {
  let value = place;
  let up = parentOf(value);
  while (up && unwrap(up) === place && !isCall(up) && !isMember(up)) {
    value = up;
    up = parentOf(up);
  }
  if (!up) return undefined;
  if (isMember(up) && up.object === value) {
    const call = parentOf(up);
    const method = OF_EXPRESSION.find((name) => name === memberName(up));
    const text = isCall(call) && call.callee === up ? call.arguments[0] : undefined;
    return isCall(call) && method && text ? { call, text, method } : undefined;
  }
  if (!isCall(up) || up.callee === value || up.arguments[0] !== value || !isMember(up.callee)) return undefined;
  const { callee } = up;
  const method = OF_TEXT.find((name) => name === memberName(callee));
  return method ? { call: up, text: callee.object, method } : undefined;
}

// Packages with schemas for request data, and the methods that take an expression.
const VALIDATORS = /^(?:joi|@hapi\/joi|zod|yup|express-validator|celebrate|valibot|superstruct)$/;
const CHECKS = /^(?:matches|regex|pattern|match)$/;

/**
 * Whether an expression is part of a schema: `Joi.string().pattern(re)`, `body('name').matches(re)`, `@Matches(re)`, `match: re` of
 * mongoose.
 */
export function isInSchema({ node }: Expression, facts: Facts): boolean {
  const up = parentOf(node);
  // mongoose also accepts `match: [re, 'error message']`.
  const holder = up?.type === 'ArrayExpression' && up.elements[0] === node ? parentOf(up) : up;
  if (holder?.type === 'ObjectProperty' && holder.key.type === 'Identifier' && holder.key.name === 'match')
    return isOfMongoose(holder, facts);
  if (!isCall(up) || up.arguments[0] !== node) return false;
  const callee = unwrap(up.callee);
  if (callee.type === 'Identifier')
    return parentOf(up)?.type === 'Decorator' && facts.origins.moduleMember(callee)?.module === 'class-validator';
  if (!isMember(callee) || !CHECKS.test(memberName(callee) ?? '')) return false;
  let root = unwrap(callee.object);
  while (isCall(root) || isMember(root)) root = unwrap(isCall(root) ? root.callee : root.object);
  return root.type === 'Identifier' && VALIDATORS.test(facts.origins.moduleMember(root)?.module ?? '');
}

function isOfMongoose(property: Node, facts: Facts): boolean {
  for (let at = parentOf(property); at; at = parentOf(at))
    if (at.type === 'NewExpression')
      return (
        facts.origins.moduleMember(at.callee)?.path.at(-1) === 'Schema' && facts.origins.moduleMember(at.callee)?.module === 'mongoose'
      );
  return false;
}
