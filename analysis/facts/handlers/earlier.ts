// What is registered on the same application before a route, and answers first: a file server, or a route for the same path.
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
} from '../../module/ast.ts';
import type { Origins } from '../origins.ts';

/** Calls that make a file server. */
const FILE_SERVERS =
  /^(?:express\.static|serve-static|koa-static|sirv|(?:@hono\/node-server\/|hono\/(?:serve-static|bun|deno|cloudflare-workers)\.?).*serveStatic)$/;
/** Its path is that of a file or a folder, as far as anybody can tell. */
const OF_A_PAGE = /^\/(?!api\b)[^:*]*$/;
const VERB = /^(?:get|post|put|patch|delete|all)$/;

interface Registration {
  app: string;
  method: string;
  path: string | undefined;
  /** The arguments after the path. */
  rest: readonly Node[];
}

/** Of the statements of one block, in their order. */
type Earlier = readonly (Registration & { at: number })[];

export class EarlierAnswers {
  readonly #origins: Origins;
  readonly #byBlock = new Map<Node, Earlier>();

  constructor(origins: Origins) {
    this.#origins = origins;
  }

  /** Whether a file server stands before a page: it answers what it finds in its folder. */
  isBehindFiles(site: Node): boolean {
    const own = registrationOf(site);
    if (!own || !/^(?:get|all)$/.test(own.method) || !OF_A_PAGE.test(own.path ?? '')) return false;
    return this.#before(site).some(
      ({ app, method, path = '', rest }) =>
        app === own.app &&
        method === 'use' &&
        `${own.path}/`.startsWith(path.replace(/\/?\*?$/, '/')) &&
        rest.some((one) => this.#servesFiles(one)),
    );
  }

  /** Whether a route for the same path has one handler, which passes nothing on: this one is never called. With more, one may call `next('route')`. */
  isNeverReached(site: Node): boolean {
    const own = registrationOf(site);
    if (!own || own.path === undefined || !VERB.test(own.method)) return false;
    return this.#before(site).some(
      ({ app, method, path, rest }) =>
        app === own.app && path === own.path && (method === own.method || method === 'all') && rest.length === 1 && endsHere(rest[0]),
    );
  }

  #servesFiles(node: Node): boolean {
    const call = unwrap(node);
    const origin = isCall(call) ? this.#origins.moduleMember(unwrap(call.callee)) : undefined;
    return origin !== undefined && FILE_SERVERS.test([origin.module, ...origin.path].filter((part) => part !== 'default').join('.'));
  }

  #before(site: Node): Earlier {
    const statement = parentOf(site);
    const block = statement?.type === 'ExpressionStatement' ? parentOf(statement) : undefined;
    if (block?.type !== 'BlockStatement' && block?.type !== 'Program') return [];
    let known = this.#byBlock.get(block);
    if (!known) {
      known = block.body.flatMap((one) => {
        const registration = one.type === 'ExpressionStatement' ? registrationOf(one.expression) : undefined;
        return registration ? [{ ...registration, at: startOf(one) }] : [];
      });
      this.#byBlock.set(block, known);
    }
    return known.filter(({ at }) => at < startOf(site));
  }
}

function registrationOf(node: Node): Registration | undefined {
  const call = unwrap(node);
  if (!isCall(call) || call.type === 'NewExpression') return undefined;
  const callee = unwrap(call.callee);
  const method = isMember(callee) && callee.object.type === 'Identifier' ? memberName(callee) : undefined;
  if (!isMember(callee) || callee.object.type !== 'Identifier' || method === undefined) return undefined;
  if (method !== 'use' && !VERB.test(method)) return undefined;
  const [first] = call.arguments as CallNode['arguments'];
  const path = first && staticName(unwrap(first), true);
  return { app: callee.object.name, method, path, rest: path === undefined ? call.arguments : call.arguments.slice(1) };
}

/** `(req, res) => …`, `(c) => …`: there is no `next` that it could call. */
function endsHere(handler: Node | undefined): boolean {
  const fn = handler && unwrap(handler);
  if (!fn || !isFunction(fn) || fn.params.some(({ type }) => type === 'RestElement')) return false;
  const [first, second] = fn.params.map((one) => (one.type === 'Identifier' ? one.name : ''));
  if (fn.params.length === 2) return /^(?:_?req|request|_)$/.test(first ?? '') && /^(?:res|response)$/.test(second ?? '');
  return fn.params.length === 1 && /^(?:c|ctx|context)$/.test(first ?? '');
}
