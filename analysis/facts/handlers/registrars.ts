// Functions of the file that register their arguments: `function route(method, path, handler) { router[method](path, wrap(handler)); }`. A
// call of such a function registers its arguments.
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import type { HandlerSources } from './handler.ts';
import { functionsIn } from './arguments.ts';
import type { Found } from './found.ts';
import { isPathLike, joinPaths, readPaths } from './route-paths.ts';

export interface Registration {
  call: Node;
  framework: string;
  handlers: readonly Node[];
  /** HTTP method: its name, or the expression for it. */
  method: string | Node | undefined;
  path: Node | undefined;
  prefix: string;
}

interface Parameter {
  fn: FunctionNode;
  index: number;
}

// A registrar is usually called by the function that reads a table, and seldom from deeper.
const MAX_DEPTH = 3;

export class Registrars {
  readonly #sources: HandlerSources;
  readonly #found: Found;
  readonly #pending: Registration[] = [];

  constructor(sources: HandlerSources, found: Found) {
    this.#sources = sources;
    this.#found = found;
  }

  /** Remembers a registration inside a function. At the top level there are no parameters to follow. */
  note(registration: Registration): void {
    if (enclosingFunction(registration.call)) this.#pending.push(registration);
  }

  follow(): void {
    for (const registration of this.#pending) this.#follow(registration, 0);
  }

  #follow(registration: Registration, depth: number): void {
    if (depth >= MAX_DEPTH) return;
    const byFunction = new Map<FunctionNode, Set<number>>();
    for (const handler of registration.handlers) {
      for (const { fn, index } of this.#parametersIn(handler)) {
        const indexes = byFunction.get(fn);
        if (indexes) indexes.add(index);
        else byFunction.set(fn, new Set([index]));
      }
    }
    for (const [fn, indexes] of byFunction) {
      for (const { edge } of this.#sources.calls.callersOf(fn)) {
        if (edge.via !== 'call' || !isCall(edge.site)) continue;
        const args = edge.site.arguments;
        const handlers = [...indexes].flatMap((index) =>
          isRest(fn, index) ? args.slice(index) : args[index] ? [args[index] as Node] : [],
        );
        const resolve = (node: string | Node | undefined) => (typeof node === 'object' ? this.#argumentFor(node, fn, args) : node);
        const next: Registration = {
          ...registration,
          call: edge.site,
          handlers,
          method: resolve(registration.method),
          path: resolve(registration.path) as Node | undefined,
        };
        const route = this.#route(next);
        for (const handler of handlers) {
          this.#found.addArgument(handler, 'route', registration.framework, route, edge.site);
          for (const target of functionsIn(handler, this.#sources))
            this.#found.addHandler(target, 'route', registration.framework, route, edge.site);
        }
        this.#follow(next, depth + 1);
      }
    }
  }

  #route({ method, path, prefix }: Registration): string | undefined {
    const paths = path && (isPathLike(path) || unwrap(path).type === 'Identifier') ? readPaths(path, this.#sources) : undefined;
    const name = typeof method === 'object' ? readPaths(method, this.#sources)?.[0] : method;
    if (!paths || name === undefined) return undefined;
    return `${name.toUpperCase()} ${paths.map((text) => joinPaths(prefix, text) || '/').join(', ')}`;
  }

  /** Parameters whose value becomes a handler: passed directly, through a wrapper, or called from an inline handler. */
  #parametersIn(handler: Node): Parameter[] {
    const found: Parameter[] = [];
    walkWithin(handler, (node) => {
      if (node.type !== 'Identifier') return;
      const parent = parentOf(node);
      if (isMember(parent) && parent.object === node) return;
      const inner = enclosingFunction(node);
      const isInline = inner !== undefined && contains(handler, inner);
      if (isInline && !(isCall(parent) && parent.callee === node)) return;
      const parameter = this.#parameterOf(node);
      if (parameter && !contains(handler, parameter.fn)) found.push(parameter);
    });
    return found;
  }

  #parameterOf(node: t.Identifier): Parameter | undefined {
    const binding = this.#sources.bindings.resolve(node);
    if (binding?.kind !== 'param' || !isFunction(binding.declaration)) return undefined;
    const fn = binding.declaration;
    // A function that is itself an argument is called by others, with unknown arguments.
    if (isCall(parentOf(fn))) return undefined;
    const index = fn.params.findIndex(
      (parameter) =>
        parameter === binding.identifier ||
        (parameter.type === 'AssignmentPattern' && parameter.left === binding.identifier) ||
        (parameter.type === 'RestElement' && parameter.argument === binding.identifier),
    );
    return index < 0 ? undefined : { fn, index };
  }

  #argumentFor(node: Node, fn: FunctionNode, args: readonly Node[]): Node | undefined {
    const name = unwrap(node);
    const parameter = name.type === 'Identifier' ? this.#parameterOf(name) : undefined;
    return parameter?.fn === fn ? args[parameter.index] : node;
  }
}

function isRest(fn: FunctionNode, index: number): boolean {
  return fn.params[index]?.type === 'RestElement';
}
