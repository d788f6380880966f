// What has been found so far. Several parts of the search add to it.
import type { FunctionNode, Node } from '../../module/ast.ts';
import type { HandlerArgument, RegistrationParts, Handler, HandlerKind, RouteSite } from './handler.ts';

export class Found {
  readonly handlers: Handler[] = [];
  readonly handlerArguments: HandlerArgument[] = [];
  readonly routeSites: RouteSite[] = [];
  readonly #routesOf = new Map<FunctionNode, Set<string>>();

  has(fn: FunctionNode): boolean {
    return this.#routesOf.has(fn);
  }

  /** One function may handle several routes. Each is kept once. */
  addHandler(
    fn: FunctionNode,
    kind: HandlerKind,
    framework: string,
    route: string | undefined,
    site: Node,
    more: Pick<Handler, 'parts' | 'versions' | 'interval'> = {},
  ): void {
    const key = `${kind} ${route ?? ''}`;
    const routes = this.#routesOf.get(fn);
    if (routes?.has(key)) return;
    if (routes) routes.add(key);
    else this.#routesOf.set(fn, new Set([key]));
    this.handlers.push({ fn, kind, framework, site, ...(route === undefined ? {} : { route }), ...more });
  }

  /** Nothing calls it, whatever its parameters look like. */
  leaveOut(fn: FunctionNode): void {
    if (!this.has(fn)) this.#routesOf.set(fn, new Set());
  }

  /** Sets the route of a handler that was found without one. */
  setRoute(fn: FunctionNode, route: string): void {
    for (const handler of this.handlers) if (handler.fn === fn) handler.route ??= route;
  }

  /** An expression passed as a handler. Its value at run time may come from another file. */
  addArgument(
    node: Node,
    kind: HandlerKind,
    framework: string,
    route: string | undefined,
    site: Node,
    more: { options?: readonly string[]; isDeep?: boolean; parts?: RegistrationParts } = {},
  ): void {
    this.handlerArguments.push({ node, kind, framework, site, ...(route === undefined ? {} : { route }), ...more });
  }

  addSite(call: Node, verb: Node, framework: string, route: string | undefined): void {
    this.routeSites.push({ call, verb, framework, ...(route === undefined ? {} : { route }) });
  }
}
