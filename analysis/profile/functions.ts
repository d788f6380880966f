// The functions of a module as a person would name them to have them profiled, and how code at the module's end can reach each.
import type { Span } from '../../protocol/finding.ts';
import {
  endOf,
  functionName,
  isClass,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type ClassNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';

/** How an expression that stands at the end of the module reaches the function. */
export type Access =
  /** Source text that gives the function, receiver included: `add`, `api.get`, `module.exports.create`. */
  | { kind: 'expression'; text: string }
  /** A method of objects that a class makes; `className` is visible at the module's end. */
  | { kind: 'instance'; className: string; method: string; classNode: ClassNode }
  /** It cannot be reached: the reason, as the end of "It cannot be called because …". */
  | { kind: 'none'; why: string; remedy: string };

export interface FoundFunction {
  fn: FunctionNode;
  /** `add`, `Cart.total`, `api.get`; undefined for functions without any name. */
  name: string | undefined;
  span: Span;
  access: Access;
}

const IDENTIFIER = /^[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*$/u;

/** All functions of the module, in source order. */
export function functionsIn({ module }: Facts): FoundFunction[] {
  const nodes: FunctionNode[] = [
    ...module.nodes('FunctionDeclaration'),
    ...module.nodes('FunctionExpression'),
    ...module.nodes('ArrowFunctionExpression'),
    ...module.nodes('ObjectMethod'),
    ...module.nodes('ClassMethod'),
    ...module.nodes('ClassPrivateMethod'),
  ];
  return nodes
    .filter((fn) => fn.body)
    .sort((a, b) => startOf(a) - startOf(b))
    .map(describe);
}

/** A function's name (`add`, `Cart.total`), an offset in the text, or a line from 1: a function starts there, or it is inside of one. */
export type FunctionQuery = { name: string } | { offset: number } | { line: number };

/** Several where a name is not clear; none where there is no such function. */
export function findFunctions(facts: Facts, at: FunctionQuery): FoundFunction[] {
  if ('name' in at) return findByName(facts, at.name);
  const found = 'line' in at ? findOnLine(facts, at.line) : findAt(facts, at.offset);
  const meant = found ?? userOfConstant(facts, 'line' in at ? { line: at.line } : { line: facts.source.positionAt(at.offset).line });
  return meant ? [meant] : [];
}

/** `const URL = /…/;` at the top level: the function that uses it, one that can be called if there is any. */
function userOfConstant(facts: Facts, { line }: { line: number }): FoundFunction | undefined {
  const { source, bindings, module } = facts;
  const lineOf = (offset: number): number => source.positionAt(offset).line;
  const declared = module
    .nodes('VariableDeclarator')
    .find(
      (one) =>
        lineOf(startOf(one)) <= line &&
        line <= lineOf(endOf(one)) &&
        isTopLevel(parentOf(one)) &&
        one.id.type === 'Identifier' &&
        !isLoaded(one.init),
    );
  const binding = declared?.id.type === 'Identifier' ? bindings.resolve(declared.id) : undefined;
  if (!binding) return undefined;
  const all = functionsIn(facts);
  const users = bindings.references(binding).flatMap((reference) => {
    const around = all.filter(({ span }) => span.start <= startOf(reference) && startOf(reference) <= span.end);
    // A callback in a function is called by that function.
    return around.findLast(({ access }) => access.kind !== 'none') ?? around[0] ?? [];
  });
  return users.find(({ access }) => access.kind !== 'none') ?? users[0];
}

/** A package, or a setting of the process: what uses it says nothing of the line. */
function isLoaded(init: Node | null | undefined): boolean {
  const value = init && unwrap(init);
  return value?.type === 'CallExpression' && value.callee.type === 'Identifier' && value.callee.name === 'require';
}

/** `app.get('/x', (req, res) => {` means the function, not what it stands in. */
function findOnLine(facts: Facts, line: number): FoundFunction | undefined {
  const { source } = facts;
  const started = functionsIn(facts).find(({ span }) => source.positionAt(span.start).line === line);
  return started ?? findAt(facts, source.lineStart(line) + (/^\s*/.exec(source.lineText(line))?.[0].length ?? 0));
}

/** The functions that a name means: `total` finds `Cart.total`, too. Several when the name is not unique. */
export function findByName(facts: Facts, name: string): FoundFunction[] {
  const all = functionsIn(facts);
  const exact = all.filter((found) => found.name === name);
  if (exact.length > 0) return exact;
  return all.filter((found) => found.name?.endsWith(`.${name}`) || functionName(found.fn) === name);
}

/** The innermost function around an offset, or the one that starts on the line whose span is given. */
export function findAt(facts: Facts, offset: number): FoundFunction | undefined {
  return functionsIn(facts)
    .filter(({ span }) => span.start <= offset && offset <= span.end)
    .at(-1);
}

function describe(fn: FunctionNode): FoundFunction {
  const access = accessOf(fn);
  const name =
    access.kind === 'expression'
      ? access.text.replace(/^module\.exports\./, 'exports.')
      : access.kind === 'instance'
        ? `${access.className}.${access.method}`
        : functionName(fn);
  return { fn, name, span: { start: startOf(fn), end: endOf(fn) }, access };
}

function accessOf(fn: FunctionNode): Access {
  const outer = around(fn);
  if (outer) {
    const inside = functionName(outer);
    return none(
      `it is created inside ${inside ? `\`${inside}\`` : 'another function'} and exists only while that function runs`,
      inside ? `Profile \`${inside}\`, which contains it.` : 'Move it to the top level of the file, or profile the whole file.',
    );
  }
  const field = fieldOf(fn);
  if (field) return accessOfMember(fn, field, field.type === 'ClassPrivateProperty' ? undefined : staticName(field.key, field.computed));
  if (fn.type === 'ClassMethod' || fn.type === 'ClassPrivateMethod')
    return accessOfMember(fn, fn, fn.type === 'ClassMethod' ? staticName(fn.key, fn.computed) : undefined);
  const text = expressionOf(fn);
  return text === undefined
    ? none('it has no name in this file', 'Give it a name (`const handler = …`) at the top level of the file.')
    : { kind: 'expression', text };
}

/** `total = () => …` in a class: the field that a function stands in by itself. */
function fieldOf(fn: FunctionNode): t.ClassProperty | t.ClassPrivateProperty | undefined {
  const parent = holderOf(fn);
  return (parent?.type === 'ClassProperty' || parent?.type === 'ClassPrivateProperty') && parent.value && unwrap(parent.value) === fn
    ? parent
    : undefined;
}

function accessOfMember(fn: FunctionNode, member: Node & { static?: boolean | null }, name: string | undefined): Access {
  const classNode = parentOf(parentOf(member) ?? member);
  if (!isClass(classNode)) return none('its class could not be parsed', 'Check the syntax of the class.');
  const className = expressionOf(classNode);
  if (name === undefined)
    return none(
      'private members and members with computed names cannot be called from outside the class',
      'Profile a public method that calls it.',
    );
  if (className === undefined) return none('its class has no name at the top level of the file', 'Name the class.');
  if (fn.type === 'ClassMethod' && fn.kind === 'constructor') return { kind: 'expression', text: `new ${className}` };
  if (fn.type === 'ClassMethod' && fn.kind !== 'method')
    return none('it is a getter or setter', 'Profile a function that reads the property.');
  return member.static
    ? { kind: 'expression', text: `${className}${property(name)}` }
    : { kind: 'instance', className, method: name, classNode };
}

/** Source text that gives a function or class at the end of the module; undefined when nothing names it there. */
function expressionOf(value: Node): string | undefined {
  if ((value.type === 'FunctionDeclaration' || value.type === 'ClassDeclaration') && value.id)
    return isTopLevel(value) ? value.id.name : undefined;
  if (value.type === 'ObjectMethod') {
    if (value.kind !== 'method') return undefined;
    return memberOf(parentOf(value), staticName(value.key, value.computed));
  }
  const parent = holderOf(value);
  switch (parent?.type) {
    case 'ExportDefaultDeclaration':
      return 'exports.default';
    case 'VariableDeclarator':
      return parent.id.type === 'Identifier' && isTopLevel(parentOf(parent)) ? parent.id.name : undefined;
    case 'ObjectProperty':
      return parent.key === value ? undefined : memberOf(parentOf(parent), staticName(parent.key, parent.computed));
    case 'AssignmentExpression':
      return parent.operator === '=' && parentOf(parent)?.type === 'ExpressionStatement' && isTopLevel(parentOf(parent))
        ? targetOf(parent.left)
        : undefined;
    default:
      return undefined;
  }
}

/** What a value stands in; brackets and types around it do not count. */
function holderOf(value: Node): Node | undefined {
  let parent = parentOf(value);
  while (parent && unwrap(parent) === unwrap(value) && parent !== value) parent = parentOf(parent);
  return parent;
}

function memberOf(object: Node | undefined, name: string | undefined): string | undefined {
  if (!object || name === undefined) return undefined;
  const holder = expressionOf(object);
  return holder === undefined ? undefined : `${holder}${property(name)}`;
}

/** `exports.a`, `module.exports`, `Cart.prototype.total`: read back as it was written. */
function targetOf(target: Node): string | undefined {
  if (target.type === 'Identifier') return target.name;
  if (!isMember(target)) return undefined;
  const object = targetOf(target.object);
  const name = memberName(target);
  return object === undefined || name === undefined ? undefined : `${object}${property(name)}`;
}

function property(name: string): string {
  return IDENTIFIER.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`;
}

/** The innermost function around a function; classes in between do not count. */
function around(fn: FunctionNode): FunctionNode | undefined {
  for (let at = parentOf(fn); at; at = parentOf(at)) if (isFunction(at)) return at;
  return undefined;
}

function isTopLevel(node: Node | undefined): boolean {
  const parent = node && parentOf(node);
  return (
    parent?.type === 'Program' ||
    ((parent?.type === 'ExportNamedDeclaration' || parent?.type === 'ExportDefaultDeclaration') && parentOf(parent)?.type === 'Program')
  );
}

function none(why: string, remedy: string): Access {
  return { kind: 'none', why, remedy };
}

/** `clear` of `Cart.prototype.clear`; undefined where a property is named by a text that is no name. */
export function lastNameOf(text: string): string | undefined {
  return /(?<![\p{ID_Continue}$])([\p{ID_Continue}$]+)(?:"\])?$/u.exec(text)?.[1];
}
