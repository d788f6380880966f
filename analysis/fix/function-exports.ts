// How a function gets out of the place where it is written: assignments, literals, modules, registrations.
import {
  contains,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import type { Binding } from '../facts/bindings.ts';
import type { HandlerArgument } from '../facts/handlers/handler.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin, type ModuleIndex } from '../module/module-index.ts';

/** Names under which an assignment exports its value: `default` for `module.exports`, undefined if the target is not a property. */
export function exportedAs(assignment: t.AssignmentExpression): (string | undefined)[] {
  const names: (string | undefined)[] = [];
  for (let at: Node | undefined = assignment; at?.type === 'AssignmentExpression'; at = parentOf(at)) {
    const left = unwrap(at.left);
    if (left.type === 'Identifier' && left.name === 'exports') continue;
    if (!isMember(left) || at.operator !== '=') names.push(undefined);
    else names.push(isModuleExports(left) ? 'default' : memberName(left));
  }
  return names;
}

function isModuleExports(member: t.MemberExpression | t.OptionalMemberExpression): boolean {
  const object = unwrap(member.object);
  return object.type === 'Identifier' && object.name === 'module' && memberName(member) === 'exports';
}

/** `exports.load = …`, `module.exports.load = …`, `module.exports = …` */
export function isOfExports({ left }: t.AssignmentExpression): boolean {
  const target = unwrap(left);
  if (!isMember(target)) return false;
  const object = unwrap(target.object);
  return (
    isModuleExports(target) || (object.type === 'Identifier' && object.name === 'exports') || (isMember(object) && isModuleExports(object))
  );
}

/** Whether a literal is the whole export of a module, and nothing else. */
export function isExportedLiteral(literal: Node): boolean {
  const parent = parentOf(literal);
  return parent?.type === 'ExportDefaultDeclaration' || (parent?.type === 'AssignmentExpression' && isOfExports(parent));
}

/** The outermost literal around a property, with the call that gets it, or whether its type is declared separately. */
export function literalAround(
  property: Node,
): { literal: Node } | { literal: Node; passedTo: CallNode } | { literal: Node; isTyped: true } {
  let literal = property;
  for (let parent = parentOf(literal); parent; parent = parentOf(literal)) {
    if (
      parent.type === 'ObjectExpression' ||
      parent.type === 'ArrayExpression' ||
      (parent.type === 'ObjectProperty' && parent.value === literal)
    )
      literal = parent;
    else if (parent.type === 'TSAsExpression' || parent.type === 'TSSatisfiesExpression') {
      if (
        parent.typeAnnotation.type === 'TSTypeReference' &&
        parent.typeAnnotation.typeName.type === 'Identifier' &&
        parent.typeAnnotation.typeName.name === 'const'
      )
        literal = parent;
      else return { literal, isTyped: true };
    } else if (isCall(parent) && parent.callee !== literal) return isFreezing(parent) ? { literal } : { literal, passedTo: parent };
    else if (parent.type === 'VariableDeclarator' && parent.id.type === 'Identifier' && parent.id.typeAnnotation)
      return { literal, isTyped: true };
    else return { literal };
  }
  return { literal };
}

/** `Object.freeze({ … })` returns its argument. */
function isFreezing(call: CallNode): boolean {
  const callee = unwrap(call.callee);
  return (
    isMember(callee) &&
    callee.object.type === 'Identifier' &&
    callee.object.name === 'Object' &&
    /^(?:freeze|seal)$/.test(memberName(callee) ?? '')
  );
}

/** The specifier of `require('…')` or `await import('…')`. */
export function requiredBy(expression: Node, facts: Facts): string | undefined {
  const node = unwrap(expression);
  if (node.type === 'AwaitExpression') {
    const call = unwrap(node.argument);
    return call.type === 'CallExpression' && call.callee.type === 'Import' ? textOf(call.arguments[0]) : undefined;
  }
  if (
    node.type !== 'CallExpression' ||
    node.callee.type !== 'Identifier' ||
    node.callee.name !== 'require' ||
    !facts.bindings.isGlobal(node.callee)
  )
    return undefined;
  return textOf(node.arguments[0]);
}

function textOf(argument: Node | undefined): string | undefined {
  return argument?.type === 'StringLiteral' ? argument.value : undefined;
}

/** The specifier of the module that a variable holds, or holds a part of. */
export function specifierOf({ declaration }: Binding): string | undefined {
  if (
    declaration.type === 'ImportSpecifier' ||
    declaration.type === 'ImportDefaultSpecifier' ||
    declaration.type === 'ImportNamespaceSpecifier'
  ) {
    const parent = parentOf(declaration);
    return parent?.type === 'ImportDeclaration' ? parent.source.value : undefined;
  }
  if (declaration.type !== 'VariableDeclarator' || !declaration.init) return undefined;
  let init = unwrap(declaration.init);
  while (isMember(init)) init = unwrap(init.object);
  if (init.type === 'AwaitExpression') init = unwrap(init.argument);
  if (init.type !== 'CallExpression') return undefined;
  const isLoading = init.callee.type === 'Import' || (init.callee.type === 'Identifier' && init.callee.name === 'require');
  return isLoading ? textOf(init.arguments[0]) : undefined;
}

const MOST_STEPS = 6;

/**
 * Whether an expression's properties cannot belong to the project: it is a global, a package or a literal. What functions of a package
 * return may hold objects of the project (`container.get('store')`), but not the exports of its modules. `ofExports` says that only those
 * matter. Then `returnsData` says whether everything that a call of the project returns is unrelated as well.
 */
export function isUnrelated(
  expression: Node,
  facts: Facts,
  isForeign: (specifier: string) => boolean,
  ofExports = false,
  returnsData: (call: CallNode) => boolean = () => false,
): boolean {
  let node = unwrap(expression);
  for (let step = 0; step < MOST_STEPS; step++) {
    switch (node.type) {
      case 'StringLiteral':
      case 'TemplateLiteral':
      case 'RegExpLiteral':
      case 'NumericLiteral':
      case 'MetaProperty':
        return true;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        node = unwrap(node.object);
        continue;
      case 'NewExpression':
        if (node.callee.type === 'Identifier' && facts.bindings.isGlobal(node.callee)) return true;
        if (!ofExports) return false;
        node = unwrap(node.callee);
        continue;
      case 'AwaitExpression':
        node = unwrap(node.argument);
        continue;
      case 'CallExpression': {
        const specifier = requiredBy(node, facts);
        if (specifier !== undefined) return isForeign(specifier);
        if (!ofExports) return false;
        if (returnsData(node)) return true;
        node = unwrap(node.callee);
        continue;
      }
      case 'Identifier': {
        const binding = facts.bindings.resolve(node);
        if (!binding) return node.name !== 'exports' && node.name !== 'module' && node.name !== 'globalThis' && node.name !== 'global';
        const specifier = specifierOf(binding);
        if (specifier !== undefined) return isForeign(specifier);
        if (
          binding.declaration.type !== 'VariableDeclarator' ||
          binding.declaration.id.type !== 'Identifier' ||
          !binding.declaration.init ||
          !facts.bindings.isConstant(binding)
        )
          return false;
        node = unwrap(binding.declaration.init);
        continue;
      }
      default:
        return false;
    }
  }
  return false;
}

const FUNCTION_TYPES = [
  'FunctionDeclaration',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ObjectMethod',
  'ClassMethod',
  'ClassPrivateMethod',
] as const;

export function functionAt(start: number, module: ModuleIndex): FunctionNode | undefined {
  return FUNCTION_TYPES.flatMap((type): readonly FunctionNode[] => module.nodes(type)).find((one) => startOf(one) === start);
}

/** What the function that starts at an offset returns, by its return statements; undefined for a generator. */
export function returnedBy(start: number, module: ModuleIndex): Node[] | undefined {
  const fn = functionAt(start, module);
  if (!fn || fn.generator) return undefined;
  if (fn.body.type !== 'BlockStatement') return [fn.body];
  const returned: Node[] = [];
  walkWithin(fn.body, (node) => {
    if (isFunction(node)) return false;
    if (node.type === 'ReturnStatement' && node.argument) returned.push(node.argument);
  });
  return returned;
}

/** The call that gets an expression, directly or in a literal. */
export function callAround(node: Node): CallNode | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) if (isCall(at)) return at;
  return undefined;
}

/** The registration that gets an expression. */
export function handlerArgumentAt(node: Node, facts: Facts): HandlerArgument | undefined {
  return facts.handlers.handlerArguments.find((one) => contains(one.node, node) && isPassed(node, one.node));
}

/** Whether an expression itself is registered: directly, in a list, in a table, or in one wrapper. */
function isPassed(node: Node, handlerArgument: Node): boolean {
  let wrappers = 0;
  for (let at: Node | undefined = node; at && at !== handlerArgument; at = parentOf(at)) {
    const parent = parentOf(at);
    if (isFunction(parent)) return false;
    if (isCall(parent) && (parent.callee === at || ++wrappers > 1)) return false;
  }
  return true;
}
