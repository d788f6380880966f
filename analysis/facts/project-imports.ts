// What a file imports from other files of the project, judged by its specifiers: relative paths and the usual aliases, but no package
// names.
import { isMember, staticName, unwrap, type Node, type t } from '../module/ast.ts';
import type { ModuleIndex } from '../module/module-index.ts';
import type { Binding, Bindings } from './bindings.ts';
import { patternIdentifiers } from './identifiers.ts';

/** `./a`, `/a`, `#a`, `~/a`, `@/a`: npm has no packages of such names. */
const OWN_SPECIFIER = /^(?:[./#~]|@\/)/;

export class ProjectImports {
  readonly #bindings: Bindings;
  readonly #names = new Set<string>();
  readonly #declarations = new Set<Node>();
  readonly #module: ModuleIndex;
  #calls: readonly t.CallExpression[] | undefined;

  constructor(module: ModuleIndex, bindings: Bindings) {
    this.#bindings = bindings;
    this.#module = module;
    for (const { source, specifiers } of module.nodes('ImportDeclaration')) {
      if (OWN_SPECIFIER.test(source.value)) for (const specifier of specifiers) this.#take(specifier.local.name, specifier);
    }
    for (const declarator of module.nodes('VariableDeclarator')) {
      const init = declarator.init?.type;
      if ((init === 'CallExpression' || init === 'MemberExpression') && isOwnRequire(declarator.init as Node))
        for (const { name } of patternIdentifiers(declarator.id)) this.#take(name, declarator);
    }
  }

  get isEmpty(): boolean {
    return this.#names.size === 0;
  }

  /** Calls of imports and of their members. */
  get calls(): readonly t.CallExpression[] {
    return (this.#calls ??= this.isEmpty ? [] : this.#module.nodes('CallExpression').filter(({ callee }) => this.has(callee)));
  }

  /** Whether an expression is an import or a member of one: `step`, `queue.drain`. */
  has(expression: Node): boolean {
    const root = rootOf(expression);
    if (!root || !this.#names.has(root.name)) return false;
    const binding = this.#bindings.resolve(root);
    return binding !== undefined && this.#declarations.has(binding.declaration) && this.#isOnlyThat(binding);
  }

  #take(name: string, declaration: Node): void {
    this.#names.add(name);
    this.#declarations.add(declaration);
  }

  #isOnlyThat(binding: Binding): boolean {
    return binding.kind === 'import' || binding.kind === 'const' || this.#bindings.isConstant(binding);
  }
}

/** `a` of `a` and of `a.b`. */
function rootOf(expression: Node): t.Identifier | undefined {
  if (expression.type === 'Identifier') return expression;
  const node = unwrap(expression);
  const root = isMember(node) ? unwrap(node.object) : node;
  return root.type === 'Identifier' ? root : undefined;
}

/** `require('./a')`, `require('./a').b` */
function isOwnRequire(expression: Node): boolean {
  const call = isMember(expression) ? expression.object : expression;
  if (call.type !== 'CallExpression' || call.callee.type !== 'Identifier' || call.callee.name !== 'require') return false;
  const first = call.arguments[0];
  const specifier = first && staticName(unwrap(first), true);
  return specifier !== undefined && OWN_SPECIFIER.test(specifier);
}
