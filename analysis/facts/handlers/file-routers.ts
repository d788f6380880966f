// Routers that another file of the project makes, and that a file of a file-based framework exports: `export default handler().get(list)`.
import { isMember, memberName, unwrap, type Node, type t } from '../../module/ast.ts';
import { functionsIn, mayBeFunction } from './arguments.ts';
import { routeOfFile } from './conventions.ts';
import type { Found } from './found.ts';
import type { HandlerSources } from './handler.ts';
import type { ModuleExports } from './module-exports.ts';
import { isPathLike, joinPaths, readPaths } from './route-paths.ts';

/** The package of the router: https://github.com/hoangvvo/next-connect#nextjs-api-routes */
const ROUTER = 'next-connect';
/** Where the framework calls the default export of a file. */
const CONVENTION = 'next';
const VERBS: ReadonlySet<string> = new Set(['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'all']);

/**
 * The default export of such a file is called for each request to the file's path. If it has methods that take functions, it is a router,
 * and the project has a package for that. `api.get(fn)` on anything else may be a cache or a client.
 */
export function addFileRouters(sources: HandlerSources, exported: ModuleExports, found: Found): void {
  if (!sources.dependencies.has(ROUTER)) return;
  const path = routeOfFile(CONVENTION, sources.file);
  if (path === undefined) return;
  const roots = new Set(exported.values.flatMap(({ name, value }) => (name === 'default' ? rootsOf(value, sources) : [])));
  if (roots.size === 0) return;
  const known = new Set(found.routeSites.map(({ call }) => call));
  for (const call of sources.module.nodes('CallExpression')) {
    const callee = unwrap(call.callee);
    const method = isMember(callee) ? memberName(callee) : undefined;
    if (known.has(call) || !isMember(callee) || method === undefined || !(VERBS.has(method) || method === 'use')) continue;
    const root = rootOf(callee.object, sources);
    if (!root || !roots.has(root) || !isFromElsewhere(root, sources)) continue;
    if (!call.arguments.some((argument) => mayBeFunction(argument, sources))) continue;
    const [first] = call.arguments;
    const own = first && call.arguments.length > 1 && isPathLike(first) ? readPaths(first, sources)?.[0] : path;
    const route = method === 'use' || own === undefined ? undefined : `${method.toUpperCase()} ${joinPaths('', own)}`;
    const kind = method === 'use' ? 'middleware' : 'route';
    if (kind === 'route') found.addSite(call, callee.property, ROUTER, route);
    for (const argument of call.arguments) {
      found.addArgument(argument, kind, ROUTER, route, call);
      for (const fn of functionsIn(argument, sources)) found.addHandler(fn, kind, ROUTER, route, call);
    }
  }
}

/** What is exported, and what is wrapped for that: `export default withSession(api)`. */
function rootsOf(value: Node, sources: HandlerSources): Node[] {
  const root = rootOf(value, sources);
  const node = unwrap(value);
  const wrapped = node.type === 'CallExpression' && !isMember(unwrap(node.callee)) ? node.arguments : [];
  return [root, ...wrapped.map((argument) => rootOf(argument, sources))].filter((one) => one !== undefined);
}

/** The call that makes the router at the start of a chain, or the identifier under which another file's router is imported. */
function rootOf(chain: Node, { bindings }: HandlerSources): Node | undefined {
  let node = unwrap(chain);
  while (node.type === 'CallExpression' && isMember(node.callee)) node = unwrap(node.callee.object);
  if (node.type !== 'Identifier') return node.type === 'CallExpression' ? node : undefined;
  const binding = bindings.resolve(node);
  if (!binding || binding.kind === 'param') return undefined;
  if (binding.kind === 'import') return binding.identifier;
  const { declaration } = binding;
  if (declaration.type !== 'VariableDeclarator' || declaration.id !== binding.identifier || !declaration.init) return undefined;
  let made = unwrap(declaration.init);
  while (made.type === 'CallExpression' && isMember(made.callee)) made = unwrap(made.callee.object);
  return made.type === 'CallExpression' ? made : undefined;
}

/** Routers of this file have been found by their maker. */
function isFromElsewhere(root: Node, { origins, dependencies }: HandlerSources): boolean {
  const origin = origins.of(root.type === 'CallExpression' ? (root.callee as t.Expression) : root);
  if (origin?.root !== 'module') return false;
  const [first = '', second = ''] = origin.name.split('/');
  return !dependencies.has(first) && !dependencies.has(`${first}/${second}`);
}
