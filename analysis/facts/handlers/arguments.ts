// What the arguments of a registration contain: functions, options objects with functions, values that may be functions at run time.
import { OPTION_HANDLERS } from '../../../knowledge/frameworks.ts';
import { isFunction, isMember, memberName, unwrap, type FunctionNode, type Node, type t } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import { propertyValue } from './route-paths.ts';

// `const a = b; const b = c`: real code needs one or two steps.
const MAX_STEPS = 4;

/** The functions in an argument: the argument itself, or those of a wrapper, an array or an options object. */
export function functionsIn(argument: Node, sources: HandlerSources): readonly FunctionNode[] {
  const node = argument.type === 'SpreadElement' ? unwrap(argument.argument) : unwrap(argument);
  const object = objectOf(node, sources);
  if (!object) return sources.calls.functionsOf(node);
  const found: FunctionNode[] = [];
  for (const name of OPTION_HANDLERS) {
    const value = propertyValue(object, name);
    if (value) found.push(...functionsInOption(value, sources));
  }
  for (const name of ['options', 'config']) {
    const value = propertyValue(object, name);
    if (value && unwrap(value).type === 'ObjectExpression') found.push(...functionsIn(value, sources));
  }
  return found;
}

/** `{ preHandler: [a, b] }`, hapi's `{ pre: [{ method: fn }] }` */
function functionsInOption(value: Node, sources: HandlerSources): readonly FunctionNode[] {
  const node = unwrap(value);
  if (node.type === 'ArrayExpression') return node.elements.flatMap((element) => (element ? [...functionsInOption(element, sources)] : []));
  if (node.type !== 'ObjectExpression') return sources.calls.functionsOf(node);
  const method = propertyValue(node, 'method', 'handler', 'fn');
  return method ? sources.calls.functionsOf(method) : [];
}

/** The object literals of a route table: `{ … }`, `[{ … }, { … }]`, or a constant that is one of these. */
export function objectsIn(argument: Node | undefined, sources: HandlerSources): readonly t.ObjectExpression[] {
  const node = argument ? unwrap(argument) : undefined;
  if (!node) return [];
  if (node.type === 'ArrayExpression') return node.elements.flatMap((element) => (element ? [...objectsIn(element, sources)] : []));
  const object = objectOf(node, sources);
  if (object) return [object];
  const init = node.type === 'Identifier' ? constantInit(node, sources) : undefined;
  return init?.type === 'ArrayExpression' ? objectsIn(init, sources) : [];
}

/** The elements of a list of arguments: `[path, fn]`, `[path].concat(guards, fn)`, or a constant that is one of these. */
export function elementsOf(list: Node, sources: HandlerSources, steps = 0): readonly Node[] {
  const node = unwrap(list);
  if (node.type === 'ArrayExpression') return node.elements.filter((element) => element !== null);
  if (node.type === 'CallExpression' && isMember(node.callee) && memberName(node.callee) === 'concat')
    return [...elementsOf(node.callee.object, sources, steps + 1), ...node.arguments];
  const init = node.type === 'Identifier' && steps < MAX_STEPS ? constantInit(node, sources) : undefined;
  return init ? elementsOf(init, sources, steps + 1) : [];
}

function objectOf(node: Node, sources: HandlerSources): t.ObjectExpression | undefined {
  if (node.type === 'ObjectExpression') return node;
  const init = node.type === 'Identifier' ? constantInit(node, sources) : undefined;
  return init?.type === 'ObjectExpression' ? init : undefined;
}

function constantInit(node: t.Identifier, { bindings }: HandlerSources): Node | undefined {
  const binding = bindings.resolve(node);
  const declaration = binding?.declaration;
  if (
    !binding ||
    declaration?.type !== 'VariableDeclarator' ||
    declaration.id !== binding.identifier ||
    !declaration.init ||
    !bindings.isConstant(binding)
  )
    return undefined;
  return unwrap(declaration.init);
}

/** Whether an argument may be a handler from another file. An options object is not one, unless it contains a handler. */
export function mayBeFunction(argument: Node, sources: HandlerSources, steps = 0): boolean {
  const node = argument.type === 'SpreadElement' ? unwrap(argument.argument) : unwrap(argument);
  if (isFunction(node)) return true;
  switch (node.type) {
    case 'Identifier': {
      if (node.name === 'undefined') return false;
      const init = steps < MAX_STEPS ? constantInit(node, sources) : undefined;
      return init ? mayBeFunction(init, sources, steps + 1) : true;
    }
    case 'MemberExpression':
    case 'OptionalMemberExpression':
    case 'CallExpression':
    case 'OptionalCallExpression':
      return true;
    case 'ArrayExpression':
      return node.elements.length > 0 && node.elements.every((element) => element !== null && mayBeFunction(element, sources, steps + 1));
    case 'LogicalExpression':
    case 'AssignmentExpression':
      return mayBeFunction(node.right, sources, steps + 1);
    case 'ConditionalExpression':
      return mayBeFunction(node.consequent, sources, steps + 1) || mayBeFunction(node.alternate, sources, steps + 1);
    case 'ObjectExpression':
      return propertyValue(node, 'handler') !== undefined || OPTION_HANDLERS.some((name) => isFunction(propertyValue(node, name)));
    default:
      return false;
  }
}

/** Anything but a plain string, number or pattern: a cheap check before the costly ones. */
export function mayHoldHandler(argument: Node): boolean {
  switch (argument.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'TemplateLiteral':
    case 'RegExpLiteral':
      return false;
    default:
      return true;
  }
}
