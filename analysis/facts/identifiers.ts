// What an identifier does at its place: declare, read, write, or only name a property.
import { isFunction, parentOf, type Node, type t } from '../module/ast.ts';

/** The identifiers that a pattern declares, in order. */
export function patternIdentifiers(pattern: Node): t.Identifier[] {
  switch (pattern.type) {
    case 'Identifier':
      return [pattern];
    case 'AssignmentPattern':
      return patternIdentifiers(pattern.left);
    case 'RestElement':
      return patternIdentifiers(pattern.argument);
    case 'ArrayPattern':
      return pattern.elements.flatMap((element) => (element ? patternIdentifiers(element) : []));
    case 'ObjectPattern':
      // Babel recovers from `({ get a() {} }) => 1` by leaving the method in the pattern.
      return (pattern.properties as readonly Node[]).flatMap((property) =>
        property.type === 'ObjectProperty' ? patternIdentifiers(property.value) : patternIdentifiers(property),
      );
    default:
      return [];
  }
}

/** Whether an identifier refers to a variable, and is not a property name, a label, a key or the name of a declaration. */
export function isReference(identifier: t.Identifier | t.JSXIdentifier): boolean {
  const parent = parentOf(identifier);
  if (!parent) return false;
  switch (parent.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.object === identifier || parent.computed;
    case 'ObjectProperty':
      // In `{ a }`, key and value are two nodes at one position. Only the value counts.
      return parent.value === identifier ? !isDeclaration(identifier) : parent.computed;
    case 'ClassProperty':
    case 'ClassAccessorProperty':
      return parent.value === identifier || (parent.computed === true && parent.key === identifier);
    case 'ClassPrivateProperty':
      return parent.value === identifier;
    case 'ObjectMethod':
    case 'ClassMethod':
      return parent.computed && parent.key === identifier;
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassPrivateMethod':
    case 'CatchClause':
    case 'TSParameterProperty':
    case 'LabeledStatement':
    case 'BreakStatement':
    case 'ContinueStatement':
    case 'PrivateName':
    case 'MetaProperty':
    case 'ImportSpecifier':
    case 'ImportDefaultSpecifier':
    case 'ImportNamespaceSpecifier':
    case 'ExportNamespaceSpecifier':
    case 'ExportDefaultSpecifier':
    case 'TSEnumDeclaration':
    case 'TSModuleDeclaration':
    case 'EnumDeclaration':
    case 'EnumStringMember':
    case 'EnumNumberMember':
    case 'EnumBooleanMember':
    case 'EnumDefaultedMember':
    case 'JSXAttribute':
    case 'JSXNamespacedName':
    case 'ImportAttribute':
      return false;
    case 'TSEnumMember':
      return parent.initializer === identifier;
    case 'TSImportEqualsDeclaration':
      return parent.moduleReference === identifier;
    case 'ExportSpecifier': {
      const declaration = parentOf(parent);
      return parent.local === identifier && !(declaration?.type === 'ExportNamedDeclaration' && declaration.source);
    }
    case 'JSXMemberExpression':
      return parent.object === identifier;
    case 'JSXOpeningElement':
    case 'JSXClosingElement':
      // `<div>` is the name of a tag, `<Menu>` and `<_menu>` are variables.
      return identifier.type === 'JSXIdentifier' && /^[^a-z]/.test(identifier.name) && !identifier.name.includes('-');
    case 'ClassDeclaration':
    case 'ClassExpression':
      return parent.superClass === identifier;
    case 'ArrowFunctionExpression':
      return parent.body === identifier;
    case 'VariableDeclarator':
      return parent.init === identifier;
    case 'AssignmentPattern':
      return parent.right === identifier || !isDeclaration(identifier);
    case 'ArrayPattern':
    case 'RestElement':
      return !isDeclaration(identifier);
    default:
      return true;
  }
}

/** Whether the identifier is in a pattern that declares it: `const [a] = …`, `function f({ a }) {}`. */
function isDeclaration(identifier: Node): boolean {
  let from: Node = identifier;
  for (let at = parentOf(identifier); at; from = at, at = parentOf(at)) {
    switch (at.type) {
      case 'ObjectProperty':
      case 'ObjectPattern':
      case 'ArrayPattern':
      case 'RestElement':
      case 'TSParameterProperty':
        continue;
      case 'AssignmentPattern':
        if (at.right === from) return false;
        continue;
      case 'VariableDeclarator':
        return at.id === from;
      case 'CatchClause':
        return at.param === from;
      default:
        return isFunction(at) && at.body !== from;
    }
  }
  return false;
}

/** The write that an identifier is the target of, with the value if there is a single one. */
export function writeOf(identifier: t.Identifier): { node: Node; value: Node | undefined } | undefined {
  const parent = parentOf(identifier);
  if (!parent) return undefined;
  if (parent.type === 'AssignmentExpression' && parent.left === identifier) {
    return {
      node: parent,
      value:
        parent.operator === '=' || (parent.operator.length === 3 && /^(?:\?\?|\|\||&&)=$/.test(parent.operator)) ? parent.right : undefined,
    };
  }
  if (parent.type === 'UpdateExpression') return { node: parent, value: undefined };
  if ((parent.type === 'ForInStatement' || parent.type === 'ForOfStatement') && parent.left === identifier)
    return { node: parent, value: undefined };
  // Inside an assignment pattern: `[a, b] = …`, `({ a } = …)`.
  let from: Node = identifier;
  for (let at: Node | undefined = parent; at; from = at, at = parentOf(at)) {
    switch (at.type) {
      case 'ObjectProperty':
        if (at.value !== from) return undefined;
        continue;
      case 'ObjectPattern':
      case 'ArrayPattern':
      case 'RestElement':
        continue;
      case 'AssignmentPattern':
        if (at.right === from) return undefined;
        continue;
      case 'AssignmentExpression':
        return at.left === from && from !== identifier ? { node: at, value: undefined } : undefined;
      case 'ForInStatement':
      case 'ForOfStatement':
        return at.left === from && from !== identifier ? { node: at, value: undefined } : undefined;
      default:
        return undefined;
    }
  }
  return undefined;
}
