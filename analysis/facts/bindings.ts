// Which declaration an identifier refers to. Built from the index's lists of declarations on first use, so a file costs nothing if no rule
// asks. A test over real code compares it with the scopes of @babel/traverse.
import { isFunction, parentOf, type Node, type t } from '../module/ast.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import { isReference, patternIdentifiers, writeOf } from './identifiers.ts';

export { isReference, patternIdentifiers, writeOf };

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

/** An assignment to a variable, with its value if there is a single one. */
export interface Write {
  identifier: t.Identifier;
  node: Node;
  value: Node | undefined;
}

interface Scope {
  readonly names: Map<string, Binding>;
  /** The name of a function or class expression: visible inside, but hidden by every declaration there. */
  own?: Binding;
}

const NO_WRITES: readonly Write[] = [];

/** After this many steps towards the root, the path is cached. A chain of 2,000 calls must not cost 2,000 steps for each of its names. */
const LONG_WAY = 64;

export class Bindings {
  readonly #module: ModuleIndex;
  readonly #scopes = new Map<Node, Scope>();
  readonly #writes = new Map<Binding, Write[]>();
  readonly #namesWritten = new Set<string>();
  /** For nodes far from their scope: the last node on the path to it. */
  readonly #ways = new Map<Node, Node>();
  #identifiers: Map<string, (t.Identifier | t.JSXIdentifier)[]> | undefined;
  readonly #references = new Map<Binding, t.Identifier[]>();
  readonly #namesRead = new Set<string>();
  readonly #assigned = new Map<Binding, readonly (Node | undefined)[]>();

  constructor(module: ModuleIndex) {
    this.#module = module;
    this.#declareAll();
  }

  /** The binding that an identifier refers to, or undefined for a global. */
  resolve(identifier: t.Identifier | t.JSXIdentifier): Binding | undefined {
    return this.lookUp(identifier.name, identifier);
  }

  /** The binding that `name` has at a node. */
  lookUp(name: string, at: Node): Binding | undefined {
    let from: Node | undefined;
    let node: Node | undefined = at;
    while (node) {
      const scope = this.#scopes.get(node);
      if (scope && (!from || isInside(node, from))) {
        const found = scope.names.get(name);
        // A function's parameters and default values do not see the body's declarations.
        if (found && !(isFunction(node) && from && from !== node.body && found.kind !== 'param')) return found;
        if (scope.own?.name === name) return scope.own;
      }
      // A function's own `arguments` never refers to an outer variable.
      if (name === 'arguments' && from && isFunction(node) && node.type !== 'ArrowFunctionExpression' && isInside(node, from))
        return undefined;
      from = this.#lastBeforeScope(node);
      node = parentOf(from);
    }
    return undefined;
  }

  /** The highest node, from `node` upwards, whose parent opens a scope, is a function or is missing. */
  #lastBeforeScope(node: Node): Node {
    let at = node;
    let steps = 0;
    for (let up = parentOf(at); up && !this.#scopes.has(up) && !isFunction(up); up = parentOf(at)) {
      at = up;
      if (++steps < LONG_WAY) continue;
      const known = this.#ways.get(at);
      if (!known) continue;
      at = known;
      break;
    }
    if (steps >= LONG_WAY)
      for (let below = node; below !== at && !this.#ways.has(below); below = parentOf(below) ?? at) this.#ways.set(below, at);
    return at;
  }

  /** Whether an identifier refers to a global: no scope around it declares its name. */
  isGlobal(identifier: t.Identifier): boolean {
    return this.resolve(identifier) === undefined;
  }

  /** All identifiers that read or write the binding, except its declaration, in source order. */
  references(binding: Binding): readonly t.Identifier[] {
    if (this.#namesRead.has(binding.name)) return this.#references.get(binding) ?? [];
    this.#namesRead.add(binding.name);
    // All bindings of the name at once: in minified code, hundreds of them share ten thousand identifiers.
    for (const identifier of this.#identifiersByName().get(binding.name) ?? []) {
      if (identifier.type !== 'Identifier' || !isReference(identifier)) continue;
      const owner = this.resolve(identifier);
      if (!owner || owner.identifier === identifier) continue;
      const list = this.#references.get(owner);
      if (list) list.push(identifier);
      else this.#references.set(owner, [identifier]);
    }
    return this.#references.get(binding) ?? [];
  }

  /**
   * Right-hand sides of `name = value` for the binding. A write without a single value (`name++`, a pattern, `for (name of …)`) is
   * undefined.
   */
  assignedValues(binding: Binding): readonly (Node | undefined)[] {
    const known = this.#assigned.get(binding);
    if (known) return known;
    const values = this.writes(binding).map((write) => write.value);
    this.#assigned.set(binding, values);
    return values;
  }

  /** The writes to the binding, in source order. */
  writes(binding: Binding): readonly Write[] {
    const { name } = binding;
    if (!this.#namesWritten.has(name)) {
      this.#namesWritten.add(name);
      // Most names are only read, so an identifier is resolved only if it is the target of a write.
      for (const identifier of this.#identifiersByName().get(name) ?? []) {
        if (identifier.type !== 'Identifier') continue;
        const write = writeOf(identifier);
        if (!write || !isReference(identifier)) continue;
        const owner = this.resolve(identifier);
        if (!owner || owner.identifier === identifier) continue;
        const list = this.#writes.get(owner);
        if (list) list.push({ identifier, ...write });
        else this.#writes.set(owner, [{ identifier, ...write }]);
      }
    }
    return this.#writes.get(binding) ?? NO_WRITES;
  }

  /** Whether the binding has no value but that of its declaration. */
  isConstant(binding: Binding): boolean {
    if (binding.kind === 'const' || binding.kind === 'import') return true;
    return this.assignedValues(binding).length === 0;
  }

  /** Whether the file uses a name, for fixes that need a free one. */
  isNameUsed(name: string): boolean {
    return this.#identifiersByName().has(name);
  }

  /** All identifiers of a name in the file, whatever they refer to. */
  identifiersNamed(name: string): readonly (t.Identifier | t.JSXIdentifier)[] {
    return this.#identifiersByName().get(name) ?? [];
  }

  #identifiersByName(): Map<string, (t.Identifier | t.JSXIdentifier)[]> {
    if (this.#identifiers) return this.#identifiers;
    const byName = new Map<string, (t.Identifier | t.JSXIdentifier)[]>();
    for (const type of ['Identifier', 'JSXIdentifier'] as const) {
      const identifiers = this.#module.nodes(type);
      for (let i = 0; i < identifiers.length; i++) {
        const identifier = identifiers[i] as t.Identifier | t.JSXIdentifier;
        const list = byName.get(identifier.name);
        if (list) list.push(identifier);
        else byName.set(identifier.name, [identifier]);
      }
    }
    return (this.#identifiers = byName);
  }

  /** The variables of the scope that a node opens, and the name that only its inside sees. */
  scopeOf(node: Node): { readonly names: ReadonlyMap<string, Binding>; readonly own?: Binding } | undefined {
    return this.#scopes.get(node);
  }

  #declareAll(): void {
    const module = this.#module;
    for (const node of module.nodes('ImportDeclaration')) {
      if (isTypeImport(node)) continue;
      for (const specifier of node.specifiers)
        if (specifier.type !== 'ImportSpecifier' || !isTypeImport(specifier))
          this.#declare(specifier.local, 'import', specifier, scopeAround(node));
    }
    for (const node of module.nodes('TSImportEqualsDeclaration'))
      if (!isTypeImport(node)) this.#declare(node.id, 'import', node, scopeAround(node));
    for (const node of module.nodes('VariableDeclaration')) {
      // `declare const x` declares an existing global.
      if (node.declare) continue;
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
      if (node.id) this.#declareOwn(node.id, 'function', node);
    }
    for (const type of ['ArrowFunctionExpression', 'ObjectMethod', 'ClassMethod', 'ClassPrivateMethod'] as const) {
      for (const node of module.nodes(type)) this.#declareParams(node);
    }
    for (const node of module.nodes('ClassDeclaration')) {
      if (node.id && !node.declare) this.#declare(node.id, 'class', node, scopeAround(node));
    }
    for (const node of module.nodes('ClassExpression')) if (node.id) this.#declareOwn(node.id, 'class', node);
    for (const node of module.nodes('CatchClause')) {
      if (node.param) for (const identifier of patternIdentifiers(node.param)) this.#declare(identifier, 'catch', node, node);
    }
    for (const node of module.nodes('TSEnumDeclaration')) if (!node.declare) this.#declare(node.id, 'enum', node, scopeAround(node));
    // Enums of Flow.
    for (const node of module.nodes('EnumDeclaration')) this.#declare(node.id, 'enum', node, scopeAround(node));
    for (const node of module.nodes('TSModuleDeclaration')) {
      // `declare global` declares no variable, and `namespace a.b` declares only `a`.
      if (node.declare || node.id.type !== 'Identifier' || parentOf(node)?.type === 'TSModuleDeclaration') continue;
      this.#declare(node.id, 'namespace', node, scopeAround(node));
    }
  }

  #declareParams(fn: t.Function): void {
    for (const param of fn.params) {
      const pattern = param.type === 'TSParameterProperty' ? param.parameter : param;
      for (const identifier of patternIdentifiers(pattern)) if (identifier.name !== 'this') this.#declare(identifier, 'param', fn, fn);
    }
  }

  #declare(identifier: t.Identifier, kind: BindingKind, declaration: Node, scope: Node): void {
    const { names } = this.#scopeOf(scope);
    const before = names.get(identifier.name);
    // A repeated declaration is still one variable: `function f(a) { var a; }`. Of several functions, the last one counts.
    if (before && !(kind === 'function' && (before.kind === 'var' || before.kind === 'function'))) return;
    names.set(identifier.name, { name: identifier.name, kind, identifier, declaration, scope });
  }

  #declareOwn(identifier: t.Identifier, kind: BindingKind, node: Node): void {
    this.#scopeOf(node).own = { name: identifier.name, kind, identifier, declaration: node, scope: node };
  }

  #scopeOf(node: Node): Scope {
    let scope = this.#scopes.get(node);
    if (!scope) this.#scopes.set(node, (scope = { names: new Map() }));
    return scope;
  }
}

function isTypeImport(node: { importKind?: string | null }): boolean {
  return node.importKind === 'type' || node.importKind === 'typeof';
}

/**
 * Whether `child` is inside the scope that its parent opens. A computed key, a decorator, the name of a declaration and the subject of a
 * switch are not.
 */
function isInside(parent: Node, child: Node): boolean {
  switch (parent.type) {
    case 'SwitchStatement':
      return child !== parent.discriminant;
    case 'FunctionDeclaration':
      return child !== parent.id;
    case 'ObjectMethod':
    case 'ClassMethod':
    case 'ClassPrivateMethod':
      return child !== parent.key && child.type !== 'Decorator';
    case 'ClassExpression':
      return child.type !== 'Decorator';
    default:
      return true;
  }
}

const BLOCKS: ReadonlySet<string> = new Set([
  'Program',
  'BlockStatement',
  'ForStatement',
  'ForInStatement',
  'ForOfStatement',
  'SwitchStatement',
  'CatchClause',
  'StaticBlock',
  'TSModuleBlock',
]);

/**
 * The node whose scope holds a `let`, `const`, class or function declared at `node`. A function's body block shares the function's scope.
 */
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
