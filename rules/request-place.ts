// Where a piece of work stands on a request path, for rules about work that a request should not have to wait for.
import { isCall, isFunction, isMember, memberName, parentOf, unwrap, type Node } from '../analysis/ast.ts';
import type { Facts } from '../analysis/facts/index.ts';
import { runsOnce } from '../analysis/facts/once.ts';
import { describePath, type RequestPath } from '../analysis/facts/request-paths.ts';
import { THREAD_PACKAGES } from '../knowledge/thread-starters.ts';
import type { Related } from '../protocol/finding.ts';

export interface RequestPlace {
  path: RequestPath;
  /** As a message names it: "`GET /users`", "request", "message". */
  where: string;
  route: string | undefined;
  related: Related[];
}

/** The way from a handler to a node that runs for every request; undefined in start-up code, in what runs once only, in branches for development and on threads. */
export function findRequestPlace(node: Node, facts: Facts): RequestPlace | undefined {
  const path = facts.requestPaths.toNode(node);
  if (!path) return undefined;
  const sites = [node, ...path.edges.map((edge) => edge.site)];
  if (sites.some((site) => runsOnce(site, facts) || isHandedToThread(site, facts)) || [...sites, path.handler.site].some((site) => isInDevelopmentBranch(site, facts))) return undefined;
  return { path, where: whereOf(path), route: path.handler.route, related: describePath(path) };
}

function whereOf({ handler }: RequestPath): string {
  if (handler.route) return `\`${handler.route}\``;
  return handler.kind === 'socket' ? 'message' : 'request';
}

/** Whether a node is, or stands in, a function that a thread gets: `new Worker(function () { … })`, `pool.exec((n) => …)`. */
export function isHandedToThread(node: Node, facts: Facts): boolean {
  for (let at: Node | undefined = node; at; at = parentOf(at)) {
    const call = isFunction(at) || at === node ? parentOf(at) : undefined;
    if (call && isCall(call) && call.callee !== at && call.arguments.some((argument) => argument === at) && runsOnThread(call.callee, call.type === 'NewExpression', facts)) return true;
  }
  return false;
}

/** Whether a callee runs its function argument elsewhere. A name is enough here: taking it for a thread only keeps a rule silent. */
function runsOnThread(callee: Node, isNew: boolean, facts: Facts): boolean {
  const node = unwrap(callee);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  if (isNew) return /Worker$|Thread$|^Parallel$/.test(name ?? '');
  if (!isMember(node) || !/^(?:exec|run|runTask|enqueue|queue|spawn|map|eval|evalAll|any|all)$/.test(name ?? '')) return false;
  const object = unwrap(node.object);
  const declaration = object.type === 'Identifier' ? facts.bindings.resolve(object)?.declaration : undefined;
  const maker = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : object;
  const origin = facts.origins.moduleMember(isCall(maker) ? maker.callee : maker);
  return origin !== undefined && THREAD_PACKAGES.has(origin.module);
}

/** Whether a node stands in a branch that production does not take. */
export function isInDevelopmentBranch(site: Node, facts: Facts): boolean {
  let from = site;
  for (let at = parentOf(site); at; from = at, at = parentOf(at)) {
    if (at.type !== 'IfStatement' && at.type !== 'ConditionalExpression') continue;
    const test = facts.source.slice(at.test);
    if (!/NODE_ENV/.test(test)) continue;
    const unlessProduction = /!==?\s*['"]production['"]|===?\s*['"](?:development|dev|test)['"]/.test(test);
    const ifProduction = /===?\s*['"]production['"]/.test(test);
    if ((unlessProduction && at.consequent === from) || (ifProduction && at.alternate === from)) return true;
  }
  return false;
}
