// What is registered on the same application before a route, and answers first: a file server, or a route for the same path.
import { isCall, isFunction, isMember, memberName, parentOf, staticName, unwrap, type Node } from '../module/ast.ts';
import type { Origins } from './origins.ts';

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
export function isBehindFiles(site: Node, origins: Origins): boolean {
  const servesFiles = (node: Node): boolean => {
    const made = unwrap(node);
    const origin = isCall(made) ? origins.moduleMember(unwrap(made.callee)) : undefined;
    return origin !== undefined && FILE_SERVERS.test([origin.module, ...origin.path].join('.'));
  };
  return isAfter(
    site,
    (own, { method, path = '', rest }) =>
      /^(?:get|all)$/.test(own.method) &&
      PAGE.test(own.path ?? '') &&
      method === 'use' &&
      `${own.path}/`.startsWith(path.replace(/\/?\*?$/, '/')) &&
      rest.some(servesFiles),
  );
}

/** Whether a route for the same path has one handler, which passes nothing on. With more, one may call `next('route')`. */
export function isNeverReached(site: Node): boolean {
  return isAfter(
    site,
    (own, { method, path, rest }) =>
      path !== undefined &&
      path === own.path &&
      (method === own.method || method === 'all') &&
      own.method !== 'use' &&
      rest.length === 1 &&
      endsHere(rest[0] as Node),
  );
}

/** Whether an earlier statement beside it registers something on the same application that passes a test. */
function isAfter(site: Node, test: (own: Registration, earlier: Registration) => boolean): boolean {
  const own = registrationOf(site);
  const statement = own && parentOf(site);
  const block = statement?.type === 'ExpressionStatement' ? parentOf(statement) : undefined;
  if (!own || (block?.type !== 'BlockStatement' && block?.type !== 'Program')) return false;
  for (const one of block.body) {
    if (one === statement) break;
    const earlier = one.type === 'ExpressionStatement' ? registrationOf(one.expression) : undefined;
    if (earlier?.app === own.app && test(own, earlier)) return true;
  }
  return false;
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
