// Which functions run while a request waits: everything that a handler of this file reaches, with the shortest path.
import type { Related } from '../../protocol/finding.ts';
import { endOf, functionName, isFunction, parentOf, startOf, type FunctionNode, type Node } from '../module/ast.ts';
import { unitAround, type CallEdge, type Calls } from './calls.ts';
import type { Handler } from './handlers/handler.ts';
import type { ModuleIndex } from '../module/module-index.ts';

export interface RequestPath {
  handler: Handler;
  /** Calls from the handler to the function, outermost first; empty for the handler itself. */
  edges: readonly CallEdge[];
}

export class RequestPaths {
  readonly #module: ModuleIndex;
  readonly #paths = new Map<FunctionNode, RequestPath>();

  constructor(module: ModuleIndex, calls: Calls, handlers: readonly Handler[]) {
    this.#module = module;
    // Breadth first, to find the shortest path. Functions known only by their parameters come last, because most of those that a registered
    // handler calls are its helpers.
    const known = [...handlers].sort((a, b) => Number(a.route === undefined) - Number(b.route === undefined));
    this.#reach(
      known.filter((handler) => handler.kind !== 'signature'),
      calls,
    );
    this.#reach(
      known.filter((handler) => handler.kind === 'signature'),
      calls,
    );
  }

  #reach(handlers: readonly Handler[], calls: Calls): void {
    let frontier: RequestPath[] = [];
    for (const handler of handlers) {
      if (this.#paths.has(handler.fn)) continue;
      const path = { handler, edges: [] };
      this.#paths.set(handler.fn, path);
      frontier.push(path);
    }
    while (frontier.length > 0) {
      const next: RequestPath[] = [];
      for (const path of frontier) {
        const from = path.edges.at(-1)?.target ?? path.handler.fn;
        for (const edge of calls.edgesFrom(from)) {
          if (this.#paths.has(edge.target)) continue;
          const longer = { handler: path.handler, edges: [...path.edges, edge] };
          this.#paths.set(edge.target, longer);
          next.push(longer);
        }
      }
      frontier = next;
    }
  }

  /** The path from a handler to a function, if there is one. */
  toFunction(fn: FunctionNode): RequestPath | undefined {
    return this.#paths.get(fn);
  }

  /** The path to the function around a node. */
  toNode(node: Node): RequestPath | undefined {
    const unit = unitAround(node, this.#module.program);
    return isFunction(unit) ? this.#paths.get(unit) : undefined;
  }

  isEmpty(): boolean {
    return this.#paths.size === 0;
  }
}

/** The path as related places: the registration, then every call. */
export function describePath(path: RequestPath): Related[] {
  const { handler } = path;
  const name = functionName(handler.fn);
  const places: Related[] = [{ span: headSpan(handler.site), message: describeHandler(handler, name) }];
  for (const edge of path.edges) {
    const target = functionName(edge.target);
    places.push({
      span: headSpan(edge.site),
      message:
        edge.via === 'callback'
          ? `passes ${target ? `\`${target}\`` : 'this function'} as a callback`
          : `calls ${target ? `\`${target}\`` : 'this function'}`,
    });
  }
  return places;
}

function describeHandler(handler: Handler, name: string | undefined): string {
  const subject = name ? `\`${name}\`` : 'this function';
  if (handler.kind === 'signature') return `${subject} looks like a request handler: it has the parameters of one and uses them that way`;
  if (handler.route) return `${handler.route} is handled here`;
  return handler.kind === 'socket' ? 'messages are handled here' : 'requests are handled here';
}

/** The first line of a node, so that a whole handler is not underlined. */
export function headSpan(node: Node): { start: number; end: number } {
  const start = startOf(node);
  let end = endOf(node);
  if (node.type === 'CallExpression' || node.type === 'OptionalCallExpression' || node.type === 'NewExpression') end = endOf(node.callee);
  else if (isFunction(node) || node.type === 'ForStatement') end = startOf(node.body);
  else if (node.type === 'WhileStatement') end = startOf(node.body);
  else if (node.type === 'DoWhileStatement') end = start + 'do'.length;
  const parent = parentOf(node);
  return { start, end: Math.max(end, start, parent ? start : end) };
}
