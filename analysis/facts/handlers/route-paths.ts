// Route paths, as far as the source shows them, and how they are joined.
import { isMember, memberName, staticName, unwrap, type Node, type t } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';

// Constants made of constants: real code needs two or three steps.
const MAX_STEPS = 6;

/** The paths of an argument (several for an array); undefined if one is unknown. */
export function readPaths(argument: Node, sources: HandlerSources): readonly string[] | undefined {
  const node = unwrap(argument);
  if (node.type === 'ArrayExpression') {
    const paths: string[] = [];
    for (const element of node.elements) {
      const path = element ? readText(element, sources, 0) : undefined;
      if (path === undefined) return undefined;
      paths.push(path);
    }
    return paths.length > 0 ? paths : undefined;
  }
  const path = readText(node, sources, 0);
  return path === undefined ? undefined : [path];
}

/** The constant text of an expression. */
export function readText(expression: Node, sources: HandlerSources, steps = 0): string | undefined {
  if (steps > MAX_STEPS) return undefined;
  const node = unwrap(expression);
  switch (node.type) {
    case 'StringLiteral':
      return node.value;
    case 'RegExpLiteral':
      return `/${node.pattern}/${node.flags}`;
    case 'TemplateLiteral': {
      let text = '';
      for (let i = 0; i < node.quasis.length; i++) {
        text += node.quasis[i]?.value.cooked ?? '';
        const inner = node.expressions[i];
        if (!inner) continue;
        const value = readText(inner, sources, steps + 1);
        if (value === undefined) return undefined;
        text += value;
      }
      return text;
    }
    case 'BinaryExpression': {
      if (node.operator !== '+') return undefined;
      const left = readText(node.left, sources, steps + 1);
      const right = left === undefined ? undefined : readText(node.right, sources, steps + 1);
      return right === undefined ? undefined : `${left}${right}`;
    }
    case 'Identifier': {
      const binding = sources.bindings.resolve(node);
      const declaration = binding?.declaration;
      if (
        !binding ||
        declaration?.type !== 'VariableDeclarator' ||
        declaration.id !== binding.identifier ||
        !declaration.init ||
        !sources.bindings.isConstant(binding)
      )
        return undefined;
      return readText(declaration.init, sources, steps + 1);
    }
    case 'MemberExpression': {
      const name = memberName(node);
      if (name === undefined) return undefined;
      const values = sources.holders.valuesOf(node.object, name);
      return values.length === 1 && values[0] ? readText(values[0], sources, steps + 1) : undefined;
    }
    default:
      return undefined;
  }
}

/** Whether an argument is written as a route path: `'/users'`, `'*'`, a regular expression, an array of these. */
export function isPathLike(argument: Node): boolean {
  const node = unwrap(argument);
  switch (node.type) {
    case 'StringLiteral':
      return isPathText(node.value);
    case 'TemplateLiteral':
      return (
        node.quasis.some((quasi) => quasi.value.raw.includes('/')) ||
        (node.expressions.length === 0 && isPathText(node.quasis[0]?.value.raw ?? ''))
      );
    case 'RegExpLiteral':
      return true;
    case 'BinaryExpression':
      return node.operator === '+' && (isPathLike(node.left) || (node.right.type === 'StringLiteral' && node.right.value.startsWith('/')));
    case 'ArrayExpression':
      return node.elements.length > 0 && node.elements.every((element) => element !== null && isPathLike(element));
    default:
      return false;
  }
}

/** `''` registers at the router's own path. `*` and `(.*)` are the catch-alls of Express and Koa. */
export function isPathText(text: string): boolean {
  return text === '' || text.startsWith('/') || text.startsWith('*') || text.startsWith('(');
}

/** Whether an argument is a URL on another machine. Such a call is a client's. */
export function isForeignUrl(argument: Node): boolean {
  const node = unwrap(argument);
  const text =
    node.type === 'StringLiteral'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? (node.quasis[0]?.value.raw ?? '')
        : node.type === 'BinaryExpression' && node.left.type === 'StringLiteral'
          ? node.left.value
          : '';
  return /^(?:https?|wss?):\/\//i.test(text);
}

/** `/api` and `/users/:id` give `/api/users/:id`. */
export function joinPaths(prefix: string, path: string): string {
  if (prefix === '' || prefix === '/') return path;
  if (path === '' || path === '/') return prefix;
  // A regular expression or a catch-all without a leading slash cannot be appended.
  if (/^\/.*\/[a-z]*$/.test(path) && /[\\^$()[\]]/.test(path)) return `${prefix} ${path}`;
  return `${prefix.replace(/(?<!\/)\/+$/, '')}/${path.replace(/^\/+/, '')}`;
}

/** The value of a property of an object literal. */
export function propertyValue(object: t.ObjectExpression, ...names: readonly string[]): Node | undefined {
  for (const property of object.properties) {
    if (property.type === 'SpreadElement') continue;
    const name = staticName(property.key, property.computed);
    if (name !== undefined && names.includes(name)) return property.type === 'ObjectMethod' ? property : property.value;
  }
  return undefined;
}

/** A name for what an expression stands for: that of the variable, the member, or the called function without `get` or `create`. */
export function nameOf(expression: Node): string {
  const node = unwrap(expression);
  if (node.type === 'Identifier') return node.name;
  if (isMember(node)) return memberName(node) ?? '';
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression')
    return nameOf(node.callee).replace(/^(?:get|create|make|build|use|new)(?=[A-Z])/, '');
  if (node.type === 'NewExpression') return nameOf(node.callee);
  return '';
}
