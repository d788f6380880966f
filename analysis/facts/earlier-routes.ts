// What is registered on the same application before a route, and answers first: a file server, or a route for the same path.
import { isCall, isFunction, isMember, memberName, parentOf, startOf, staticName, unwrap, type Node } from '../module/ast.ts';
import type { Origins } from './origins.ts';

/** The first of a kind in each block, which is looked for once: generated files have thousands of routes in one block. */
type FirstIn = Map<Node, ReadonlyMap<string, number>>;
export interface EarlierRoutes {
  ends: FirstIn;
  fileServers: FirstIn;
}

export const noEarlierRoutes = (): EarlierRoutes => ({ ends: new Map(), fileServers: new Map() });

/** Calls that make a file server. */
const FILE_SERVERS = /^(?:express\.static|serve-static|koa-static|sirv|.*hono.*\.serveStatic)$/;
/** What may be a file or a folder. */
const PAGE = /^\/(?!api\b)[^:*]*$/;

interface Registration {
  app: string;
  method: string;
  path: string | undefined;
  /** The arguments after the path. */
  rest: readonly Node[];
}

/** Whether a file server stands before a page: it answers what it finds in its folder. */
export function isBehindFiles(site: Node, origins: Origins, { fileServers }: EarlierRoutes): boolean {
  const own = registrationOf(site);
  if (!own || !/^(?:get|all)$/.test(own.method) || !PAGE.test(own.path ?? '')) return false;
  const servesFiles = (node: Node): boolean => {
    const made = unwrap(node);
    const origin = isCall(made) ? origins.moduleMember(unwrap(made.callee)) : undefined;
    return origin !== undefined && FILE_SERVERS.test([origin.module, ...origin.path].join('.'));
  };
  const keyOf = ({ app, method, path = '', rest }: Registration): string | undefined =>
    method === 'use' && rest.some(servesFiles) ? `${app} ${path.replace(/\/?\*?$/, '/')}` : undefined;
  // `/docs/` and `/` of `/docs/intro`
  const prefixes = [...`${own.path}/`.matchAll(/\//g)].map(({ index }) => `${own.app} ${`${own.path}/`.slice(0, index + 1)}`);
  return isAfter(site, prefixes, fileServers, keyOf);
}

/** Whether a route for the same path has one handler, which passes nothing on. With more, one may call `next('route')`. */
export function isNeverReached(site: Node, { ends }: EarlierRoutes): boolean {
  const own = registrationOf(site);
  if (own?.path === undefined || own.method === 'use') return false;
  const keyOf = ({ app, method, path, rest }: Registration): string | undefined =>
    path !== undefined && rest.length === 1 && endsHere(rest[0] as Node) ? `${app} ${method} ${path}` : undefined;
  return isAfter(site, [`${own.app} ${own.method} ${own.path}`, `${own.app} all ${own.path}`], ends, keyOf);
}

/** Whether an earlier statement beside it registers something with one of the keys. */
function isAfter(site: Node, keys: readonly string[], known: FirstIn, keyOf: (one: Registration) => string | undefined): boolean {
  const statement = parentOf(site);
  const block = statement?.type === 'ExpressionStatement' ? parentOf(statement) : undefined;
  if (block?.type !== 'BlockStatement' && block?.type !== 'Program') return false;
  const first = known.get(block) ?? firstBy(block.body, keyOf);
  known.set(block, first);
  return keys.some((key) => (first.get(key) ?? Number.POSITIVE_INFINITY) < startOf(statement as Node));
}

function firstBy(body: readonly Node[], keyOf: (one: Registration) => string | undefined): ReadonlyMap<string, number> {
  const first = new Map<string, number>();
  for (const one of body) {
    const registration = one.type === 'ExpressionStatement' ? registrationOf(one.expression) : undefined;
    const key = registration && keyOf(registration);
    if (key !== undefined && !first.has(key)) first.set(key, startOf(one));
  }
  return first;
}

function registrationOf(node: Node): Registration | undefined {
  const callee = isCall(node) ? unwrap(node.callee) : undefined;
  if (!isCall(node) || !isMember(callee) || callee.object.type !== 'Identifier') return undefined;
  const method = memberName(callee) ?? '';
  if (!/^(?:use|get|post|put|patch|delete|all)$/.test(method)) return undefined;
  const [first, ...rest] = node.arguments;
  const path = first && staticName(unwrap(first), true);
  return { app: callee.object.name, method, path, rest: path === undefined ? node.arguments : rest };
}

/** `(req, res) => …`, `(c) => …`: there is no `next` that it could call. */
function endsHere(handler: Node): boolean {
  const fn = unwrap(handler);
  const names = isFunction(fn) ? fn.params.map((one) => (one.type === 'Identifier' ? one.name : '?')).join() : '';
  return /^(?:(?:_?req|request|_),(?:res|response)|c|ctx|context)$/.test(names);
}
