// The state of one walk that records how values flow: the current position, and what names mean there.
import { isCall, parentOf, staticName, type FunctionNode, type LoopNode, type Node, type t } from '../../module/ast.ts';
import type { Binding, Bindings } from '../../facts/bindings.ts';
import type { Facts } from '../../facts/index.ts';
import type { Read } from '../../facts/outside/known-objects.ts';
import type { ModuleIndex } from '../../module/module-index.ts';
import type { SummaryBuilder } from './builder.ts';
import { NAMESPACE, ObjectKind, Op } from './format.ts';

/** The function that the walk is in. The top level has none of the nodes. */
export interface Frame {
  /** -1 for the top level. */
  fn: number;
  node: FunctionNode | undefined;
  result: number;
  self: number;
  /** Array of all arguments, created when the function uses it. */
  arguments: number;
  /** In a generator: the object that it returns; otherwise -1. */
  generated: number;
  /** What `super` means: the node of the superclass. */
  base: number;
  isStatic: boolean;
  /** The innermost loop around the position. */
  loop: LoopNode | undefined;
  /** How many waits it has passed. */
  waits: number;
  /** Whether it is in a catch block. */
  isCatching: boolean;
  hasThrown: boolean;
}

/** A condition around the position that may never hold. */
export interface OpenGuard {
  reads: readonly Read[];
  sites: number[];
}

type Scope = NonNullable<ReturnType<Bindings['scopeOf']>>;

export class Flow {
  readonly facts: Facts;
  readonly out: SummaryBuilder;
  readonly bindings: Bindings;
  readonly functionIndexes = new Map<FunctionNode, number>();
  readonly functionObjects = new Map<FunctionNode, number>();
  /** Values of expressions that entry points need later. */
  readonly values = new Map<Node, number>();
  /** Calls that may be a blocking function of a package, or a line of a log that is off, depending on other files. */
  readonly blocking = new Map<Node, number>();
  /** Calls that fill a cache, and functions that empty it. Those may come later in the file. */
  readonly emptied: { site: number; fn: FunctionNode }[] = [];
  /** Literals that may be rows of a route table, by the node that holds them. */
  readonly rows = new Map<number, number>();
  /** The first site of each call. */
  readonly sites = new Map<Node, number>();
  /** Of blocks: the first statement that ends the function if a callback was passed, and the position of that parameter. */
  readonly callbackEnds = new Map<Node, { statement: Node; place: number } | null>();
  /** The path that a variable holds, by how many steps led to it. */
  readonly pathsOfVariables = new Map<Binding, (string | undefined)[]>();
  /** Nodes of names that only exist as types. */
  readonly typeNodes = new Map<string, number>();
  frame: Frame;
  /** Flags of the sites at this position. */
  flags = 0;
  /** The conditions around this position, and all of the file. */
  guards: readonly OpenGuard[] = [];
  readonly allGuards: OpenGuard[] = [];
  readonly #nodes = new Map<Binding, number>();
  readonly #globals = new Map<string, number>();
  readonly #scopes: Scope[] = [];
  #getters: ReadonlySet<string> | undefined;
  #setters: ReadonlySet<string> | undefined;
  #ownGlobals: ReadonlySet<string> | undefined;

  constructor(facts: Facts, out: SummaryBuilder) {
    this.facts = facts;
    this.out = out;
    this.bindings = facts.bindings;
    this.frame = {
      fn: -1,
      node: undefined,
      result: 0,
      self: 0,
      arguments: 0,
      generated: -1,
      base: 0,
      isStatic: false,
      loop: undefined,
      waits: 0,
      isCatching: false,
      hasThrown: false,
    };
  }

  /** Opens the scope of a node. Returns whether there is one to close. */
  open(node: Node): boolean {
    const scope = this.bindings.scopeOf(node);
    if (!scope) return false;
    this.#scopes.push(scope);
    return true;
  }

  close(): void {
    this.#scopes.pop();
  }

  binding(name: string): Binding | undefined {
    for (let i = this.#scopes.length - 1; i >= 0; i--) {
      const scope = this.#scopes[i] as Scope;
      const found = scope.names.get(name);
      if (found) return found;
      if (scope.own?.name === name) return scope.own;
    }
    return undefined;
  }

  nodeOf(binding: Binding): number {
    let node = this.#nodes.get(binding);
    if (node === undefined) this.#nodes.set(binding, (node = this.out.node()));
    return node;
  }

  setNode(binding: Binding, node: number): void {
    this.#nodes.set(binding, node);
  }

  /** Names of the getters in the file's classes and literals. Reading such a name may run a function. */
  get getters(): ReadonlySet<string> {
    return (this.#getters ??= accessorsOf(this.facts.module, 'get'));
  }

  /** Names of the setters. Writing to such a name may run a function. */
  get setters(): ReadonlySet<string> {
    return (this.#setters ??= accessorsOf(this.facts.module, 'set'));
  }

  /** The node of a global. The whole project shares it, unless this file creates it. */
  global(name: string): number {
    let node = this.#globals.get(name);
    if (node === undefined) {
      node = this.out.node();
      this.#globals.set(name, node);
      if (!this.makesGlobal(name)) this.out.op(Op.Import, node, this.out.text(`global:${name}`));
    }
    return node;
  }

  /** The exports of a file that a framework makes a global, by its path from the root of the project. */
  globalFile(path: string): number {
    let node = this.#globals.get(path);
    if (node === undefined) {
      node = this.out.node();
      this.#globals.set(path, node);
      this.out.op(Op.Import, node, this.out.text(path));
    }
    return node;
  }

  /** The node of a type, by its full name. All files with that name share it, unless `from` means a file of the project. */
  namespaceType(name: string, from = ''): number {
    return this.globalFile(`${NAMESPACE}${name}${from && ` from ${from}`}`);
  }

  /** `s = {}` in the first lines of several programs: each has its own, and never sees what the others store in theirs. */
  makesGlobal(name: string): boolean {
    return (this.#ownGlobals ??= globalsMadeBy(this.facts.module)).has(name);
  }

  load(base: number, name: string): number {
    return base === 0 ? 0 : this.out.load(base, this.out.text(name));
  }

  literal(): number {
    return this.out.object(ObjectKind.Literal);
  }

  slice(node: Node): string {
    return this.facts.source.slice(node);
  }
}

function accessorsOf(module: ModuleIndex, kind: 'get' | 'set'): ReadonlySet<string> {
  const names = new Set<string>();
  for (const type of ['ClassMethod', 'ClassPrivateMethod', 'ObjectMethod'] as const) {
    for (const node of module.nodes(type)) {
      const name = node.kind === kind ? staticName(node.key, node.type !== 'ClassPrivateMethod' && node.computed) : undefined;
      if (name !== undefined) names.add(name);
    }
  }
  for (const type of ['ObjectMethod', 'ObjectProperty'] as const)
    for (const node of module.nodes(type)) {
      const name = staticName(node.key, node.computed) === kind ? describedBy(parentOf(node)) : undefined;
      if (name !== undefined) names.add(name);
    }
  return names;
}

/** The property that `{ get() { … } }` describes: in `defineProperty(x, 'size', { … })`, or in `defineProperties(x, { size: { … } })`. */
function describedBy(descriptor: Node | undefined): string | undefined {
  const parent = descriptor && parentOf(descriptor);
  if (parent?.type === 'ObjectProperty') return staticName(parent.key, parent.computed);
  const name = isCall(parent) && parent.arguments[2] === descriptor ? parent.arguments[1] : undefined;
  return name && staticName(name, true);
}

/** Names to which the program's statements assign a new object. Declared names are resolved before. */
function globalsMadeBy(module: ModuleIndex): ReadonlySet<string> {
  const names = new Set<string>();
  for (const statement of module.program.body) {
    if (
      statement.type !== 'ExpressionStatement' ||
      statement.expression.type !== 'AssignmentExpression' ||
      statement.expression.operator !== '='
    )
      continue;
    const { left, right } = statement.expression;
    if (left.type === 'Identifier' && right.type === 'ObjectExpression') names.add(left.name);
  }
  return names;
}

/** The hidden property that holds the getter function. The visible property holds its value. */
export function getterName(name: string): string {
  return `get ${name}`;
}

/** The hidden property that holds the setter function. */
export function setterName(name: string): string {
  return `set ${name}`;
}

export function isIdentifier(node: Node | null | undefined, name: string): node is t.Identifier {
  return node?.type === 'Identifier' && node.name === name;
}
