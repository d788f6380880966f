// What `nodometer paths` tells, as plain data: the routes, what each reaches as a tree, and which routes reach a function.
import type { GraphCall, GraphRoute, Reached } from '../../analysis/project/answers/call-graph.ts';
import type { Mark, Place, ProjectCalls } from './project-calls.ts';

export interface CallTree extends Place {
  name: string | null;
  /** Where it is called or passed on; null for the function in question. */
  calledAt: Place | null;
  via: GraphCall['via'] | null;
  /** Only the first request comes here. */
  isOnce: boolean;
  findings: readonly Mark[];
  calls: CallTree[];
}

export interface RouteReport extends Place {
  /** Null where it is not known, or there is none. */
  route: string | null;
  kind: GraphRoute['kind'];
  framework: string;
}

export interface RouteTree extends RouteReport {
  handler: CallTree;
  /** Functions that it reaches, itself included, and how many of them are not in the tree. */
  functions: number;
  leftOut: number;
}

export interface RouteSummary extends RouteReport {
  handler: Place & { name: string | null };
  functions: number;
  findings: number;
}

export interface FunctionReport {
  function: CallTree;
  functions: number;
  leftOut: number;
  /** The routes that reach it, with the calls of the shortest way; the shortest first. */
  routes: (RouteReport & { handler: string | null; calls: (Place & { to: string | null })[] })[];
  /** If no route is known: calls that may run more functions than the search follows. One of them may lead here. */
  cutAt: Place[];
}

export function describeRoute({ route, kind, framework, at }: GraphRoute, calls: ProjectCalls): RouteReport {
  return { route: route ?? null, kind, framework, ...calls.place(at) };
}

/** In the order of routes, then of places. */
export function summariesOf(routes: readonly GraphRoute[], calls: ProjectCalls): RouteSummary[] {
  // One handler may answer many routes.
  const known = new Map<number, Omit<RouteSummary, keyof RouteReport>>();
  const handlerOf = (handler: number): Omit<RouteSummary, keyof RouteReport> => {
    const reached = calls.graph.numbersFrom([handler]);
    return {
      handler: { name: calls.nameOf(handler), ...calls.placeOf(handler) },
      functions: reached.length,
      findings: reached.reduce((sum, fn) => sum + calls.findingCount(fn), 0),
    };
  };
  return sorted(routes).map((route) => {
    let summary = known.get(route.fn);
    if (!summary) known.set(route.fn, (summary = handlerOf(route.fn)));
    return { ...describeRoute(route, calls), ...summary };
  });
}

export function routeTrees(routes: readonly GraphRoute[], maxNodes: number, calls: ProjectCalls): RouteTree[] {
  return sorted(routes).map((route) => {
    const { tree, functions, leftOut } = treeOf(route.fn, maxNodes, calls);
    return { ...describeRoute(route, calls), handler: tree, functions, leftOut };
  });
}

export function functionReport(fn: number, maxNodes: number, calls: ProjectCalls): FunctionReport {
  const { tree, functions, leftOut } = treeOf(fn, maxNodes, calls);
  const routes = calls.graph.routesTo(fn).map(({ route, calls: way }) => ({
    ...describeRoute(route, calls),
    handler: calls.nameOf(route.fn),
    calls: way.map((call) => ({ ...calls.callPlace(call), to: calls.nameOf(call.to) })),
  }));
  return {
    function: tree,
    functions,
    leftOut,
    routes,
    cutAt: routes.length > 0 ? [] : calls.graph.cutCalls.map((place) => calls.place(place)),
  };
}

function sorted(routes: readonly GraphRoute[]): GraphRoute[] {
  const text = ({ route }: GraphRoute): string => route?.replace(/^(\S+) (.*)$/, '$2 $1') ?? '';
  // Those without a known route come last; the sort keeps the order of files and places.
  return [...routes].sort(
    (a, b) => Number(a.route === undefined) - Number(b.route === undefined) || (text(a) < text(b) ? -1 : text(a) > text(b) ? 1 : 0),
  );
}

function treeOf(fn: number, maxNodes: number, calls: ProjectCalls): { tree: CallTree; functions: number; leftOut: number } {
  const reached = calls.graph.reachedFrom([fn]);
  const kept = keptOf(reached, maxNodes, calls);
  const trees = new Map<number, CallTree>();
  for (const one of reached) {
    if (!kept.has(one.fn)) continue;
    const tree: CallTree = {
      name: calls.nameOf(one.fn),
      ...calls.placeOf(one.fn),
      calledAt: one.by ? calls.callPlace(one.by) : null,
      via: one.by?.via ?? null,
      isOnce: one.isOnce,
      findings: calls.marksOf(one.fn),
      calls: [],
    };
    trees.set(one.fn, tree);
    if (one.by) trees.get(one.by.from)?.calls.push(tree);
  }
  return { tree: trees.get(fn) as CallTree, functions: reached.length, leftOut: reached.length - trees.size };
}

/** What leads to findings first, then what is near. */
function keptOf(reached: readonly Reached[], maxNodes: number, calls: ProjectCalls): ReadonlySet<number> {
  if (reached.length <= maxNodes) return new Set(reached.map(({ fn }) => fn));
  const byFn = new Map(reached.map((one) => [one.fn, one]));
  const kept = new Set<number>(reached.slice(0, 1).map(({ fn }) => fn));
  for (const one of reached) {
    if (!calls.hasFindings(one.fn)) continue;
    const way: number[] = [];
    for (let at: Reached | undefined = one; at && !kept.has(at.fn); at = at.by && byFn.get(at.by.from)) way.push(at.fn);
    if (kept.size + way.length <= maxNodes) for (const fn of way) kept.add(fn);
  }
  for (const { fn } of reached) if (kept.size < maxNodes) kept.add(fn);
  return kept;
}
