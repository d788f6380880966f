// Which declaration an identifier means. Built from the index's lists of declarations on the first question, so a file that
// no rule asks about pays nothing. Held against @babel/traverse's own scopes by a test over real code.
import { isClass, isFunction, parentOf, type Node, type t } from '../ast.ts';
import type { ModuleIndex } from '../module.ts';

export type BindingKind = 'var' | 'let' | 'const' | 'function' | 'class' | 'param' | 'import' | 'catch' | 'enum' | 'namespace';

export interface Binding {
  readonly name: string;
  kind: BindingKind;
  /** The identifier that declares it (the first one, for a `var` declared twice). */
  readonly identifier: t.Identifier;
  /** VariableDeclarator, function, class, import specifier, CatchClause, TS enum, … */
  readonly declaration: Node;
  /** The node that opens the scope: Program, function, block, loop, … */
  readonly scope: Node;
}

type Scope = Map<string, Binding>;

export class Bindings {
  readonly #module: ModuleIndex;
  readonly #scopes = new Map<Node, Scope>();
  #identifiers: Map<string, (t.Identifier | t.JSXIdentifier)[]> | undefined;
  readonly #references = new Map<Binding, readonly t.Identifier[]>();

  constructor(module: ModuleIndex) {
    this.#module = module;
    this.#declareAll();
  }

  /** The binding that an identifier refers to, or undefined for a global. */
  resolve(identifier: t.Identifier | t.JSXIdentifier): Binding | undefined {
    return this.lookUp(identifier.name, identifier);
  }

  /** The binding that `name` would have at a node. */
  lookUp(name: string, at: Node): Binding | undefined {
    let from: Node | undefined;
    for (let node: Node | undefined = at; node; from = node, node = parentOf(node)) {
      const found = this.#scopes.get(node)?.get(name);
      if (!found) continue;
      // A function's parameters and default values do not see the body's declarations, nor decorators and `extends` the class's inside.
      if (isFunction(node) && from && from !== node.body && found.kind !== 'param' && found.declaration !== node) continue;
      return found;
    }
    return undefined;
  }

  /** Whether an identifier stands for a global: nothing in the file declares its name around it. */
  isGlobal(identifier: t.Identifier): boolean {
    return this.resolve(identifier) === undefined;
  }

  /** All identifiers that read or write the binding, its declaration left out, in source order. */
  references(binding: Binding): readonly t.Identifier[] {
    let found = this.#references.get(binding);
    if (!found) {
      found = (this.#identifiersByName().get(binding.name) ?? []).filter(
        (identifier): identifier is t.Identifier => identifier !== binding.identifier && isReference(identifier) && this.resolve(identifier) === binding,
      );
      this.#references.set(binding, found);
    }
    return found;
  }

  /** Right-hand sides of `name = value` for the binding; a write that has no single value (`name++`, a pattern, `for (name of …)`) is given as undefined. */
  assignedValues(binding: Binding): readonly (Node | undefined)[] {
    const values: (Node | undefined)[] = [];
    for (const identifier of this.references(binding)) {
      const write = writeOf(identifier);
      if (write) values.push(write.value);
    }
    return values;
  }

  /** Whether nothing but its declaration ever gives the binding a value. */
  isConstant(binding: Binding): boolean {
    if (binding.kind === 'const' || binding.kind === 'import') return true;
    return this.assignedValues(binding).length === 0;
  }

  /** Names declared in a scope, for fixes that need a free one. */
  isNameUsed(name: string): boolean {
    return this.#identifiersByName().has(name);
  }

  /** All identifiers of a name in the file, whatever they mean. */
  identifiersNamed(name: string): readonly (t.Identifier | t.JSXIdentifier)[] {
    return this.#identifiersByName().get(name) ?? [];
  }

  #identifiersByName(): Map<string, (t.Identifier | t.JSXIdentifier)[]> {
    if (this.#identifiers) return this.#identifiers;
    const byName = new Map<string, (t.Identifier | t.JSXIdentifier)[]>();
    for (const type of ['Identifier', 'JSXIdentifier'] as const) {
      for (const identifier of this.#module.nodes(type)) {
        const list = byName.get(identifier.name);
        if (list) list.push(identifier);
        else byName.set(identifier.name, [identifier]);
      }
    }
    return (this.#identifiers = byName);
  }

  #declareAll(): void {
    const module = this.#module;
    for (const node of module.nodes('ImportDeclaration')) {
      if (node.importKind === 'type' || node.importKind === 'typeof') continue;
      for (const specifier of node.specifiers) this.#declare(specifier.local, 'import', specifier, module.program);
    }
    for (const node of module.nodes('TSImportEqualsDeclaration')) this.#declare(node.id, 'import', node, scopeAround(node));
    for (const node of module.nodes('VariableDeclaration')) {
      const isVar = node.kind === 'var';
      const parent = parentOf(node);
      const loopHead = parent && (parent.type === 'ForStatement' || parent.type === 'ForInStatement' || parent.type === 'ForOfStatement');
      const scope = isVar ? functionScopeAround(node) : loopHead ? parent : scopeAround(node);
      const kind = node.kind === 'var' || node.kind === 'let' ? node.kind : 'const';
      for (const declarator of node.declarations) {
        for (const identifier of patternIdentifiers(declarator.id)) this.#declare(identifier, kind, declarator, scope);
      }
    }
    for (const node of module.nodes('FunctionDeclaration')) {
      if (node.id) this.#declare(node.id, 'function', node, scopeAround(node));
      this.#declareParams(node);
    }
    for (const node of module.nodes('FunctionExpression')) {
      this.#declareParams(node);
      if (node.id && !this.#scopes.get(node)?.has(node.id.name)) this.#declare(node.id, 'function', node, node);
    }
    for (const type of ['ArrowFunctionExpression', 'ObjectMethod', 'ClassMethod', 'ClassPrivateMethod'] as const) {
      for (const node of module.nodes(type)) this.#declareParams(node);
    }
    for (const node of module.nodes('ClassDeclaration')) {
      if (!node.id) continue;
      this.#declare(node.id, 'class', node, scopeAround(node));
    }
    for (const node of module.nodes('ClassExpression')) if (node.id) this.#declare(node.id, 'class', node, node);
    for (const node of module.nodes('CatchClause')) {
      if (node.param) for (const identifier of patternIdentifiers(node.param)) this.#declare(identifier, 'catch', node, node);
    }
    for (const node of module.nodes('TSEnumDeclaration')) this.#declare(node.id, 'enum', node, scopeAround(node));
    for (const node of module.nodes('TSModuleDeclaration')) if (node.id.type === 'Identifier') this.#declare(node.id, 'namespace', node, scopeAround(node));
  }

  #declareParams(fn: t.Function): void {
    for (const param of fn.params) {
      const pattern = param.type === 'TSParameterProperty' ? param.parameter : param;
      for (const identifier of patternIdentifiers(pattern)) if (identifier.name !== 'this') this.#declare(identifier, 'param', fn, fn);
    }
  }

  #declare(identifier: t.Identifier, kind: BindingKind, declaration: Node, scope: Node): void {
    let names = this.#scopes.get(scope);
    if (!names) this.#scopes.set(scope, (names = new Map()));
    const before = names.get(identifier.name);
    // `function f(a) { var a; }` is one variable; a later function declaration takes the name over.
    if (before && !(kind === 'function' && before.kind === 'var')) return;
    names.set(identifier.name, { name: identifier.name, kind, identifier, declaration, scope });
  }
}

const BLOCKS: ReadonlySet<string> = new Set([
  'Program', 'BlockStatement', 'ForStatement', 'ForInStatement', 'ForOfStatement', 'SwitchStatement', 'CatchClause', 'StaticBlock', 'TSModuleBlock',
]);

/** The node whose scope holds a `let`, `const`, class or function declared at `node`. A function's body block shares the function's scope. */
function scopeAround(node: Node): Node {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (isFunction(at)) return at;
    if (at.type === 'BlockStatement' && isFunction(parentOf(at))) continue;
    if (BLOCKS.has(at.type)) return at;
  }
  return node;
}

/** The node whose scope holds a `var` declared at `node`. */
function functionScopeAround(node: Node): Node {
  for (let at = parentOf(node); at; at = parentOf(at)) {
    if (isFunction(at) || at.type === 'Program' || at.type === 'StaticBlock' || at.type === 'TSModuleBlock') return at;
  }
  return node;
}

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
      return pattern.properties.flatMap((property) => patternIdentifiers(property.type === 'RestElement' ? property.argument : property.value));
    default:
      return [];
  }
}

/** Whether an identifier is a use of a variable, and not a property name, a label, a key or a declaration's own name. */
export function isReference(identifier: t.Identifier | t.JSXIdentifier): boolean {
  const parent = parentOf(identifier);
  if (!parent) return false;
  switch (parent.type) {
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return parent.object === identifier || parent.computed;
    case 'ObjectProperty':
      // In `{ a }` key and value are two nodes at one place; only the value counts.
      return parent.value === identifier || (parent.computed && parent.key === identifier);
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassProperty':
    case 'ClassAccessorProperty':
      return parent.type === 'ClassProperty' && parent.value === identifier ? true : parent.computed && parent.key === identifier;
    case 'ClassPrivateProperty':
      return parent.value === identifier;
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
    case 'TSEnumMember':
    case 'JSXAttribute':
    case 'JSXNamespacedName':
    case 'ImportAttribute':
      return false;
    case 'ExportSpecifier': {
      const declaration = parentOf(parent);
      return parent.local === identifier && !(declaration?.type === 'ExportNamedDeclaration' && declaration.source);
    }
    case 'JSXMemberExpression':
      return parent.object === identifier;
    case 'JSXOpeningElement':
    case 'JSXClosingElement':
      return identifier.type === 'JSXIdentifier' && /^[^a-z]/.test(identifier.name);
    case 'FunctionDeclaration':
    case 'FunctionExpression':
    case 'ClassDeclaration':
    case 'ClassExpression':
      return isClass(parent) ? parent.superClass === identifier : false;
    case 'ArrowFunctionExpression':
      return parent.body === identifier;
    case 'CatchClause':
    case 'RestElement':
    case 'TSParameterProperty':
      return parent.type === 'RestElement' && !isDeclaration(identifier);
    case 'VariableDeclarator':
      return parent.init === identifier;
    case 'AssignmentPattern':
      return parent.right === identifier || !isDeclaration(identifier);
    case 'ArrayPattern':
      return !isDeclaration(identifier);
    default:
      return true;
  }
}

/** Whether the identifier stands in a pattern that declares it: `const [a] = …`, `function f({ a }) {}`. */
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

/** The write that an identifier is the target of, with the value written where there is a single one. */
export function writeOf(identifier: t.Identifier): { node: Node; value: Node | undefined } | undefined {
  const parent = parentOf(identifier);
  if (!parent) return undefined;
  if (parent.type === 'AssignmentExpression' && parent.left === identifier) {
    return { node: parent, value: parent.operator === '=' || parent.operator.length === 3 && /^(?:\?\?|\|\||&&)=$/.test(parent.operator) ? parent.right : undefined };
  }
  if (parent.type === 'UpdateExpression') return { node: parent, value: undefined };
  if ((parent.type === 'ForInStatement' || parent.type === 'ForOfStatement') && parent.left === identifier) return { node: parent, value: undefined };
  // Inside a pattern that is assigned to: `[a, b] = …`, `({ a } = …)`.
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
