// Whether a verb on an unknown receiver registers a route: `x.get(a, b)` may also be a client, a cache or a setting. Decided by the name of
// the receiver, the path, and the parameters of the passed functions.
import { unwrap, type FunctionNode, type Node } from '../../module/ast.ts';
import type { HandlerSources } from './handler.ts';
import { trustOf, type Apps } from './apps.ts';
import { functionsIn, mayBeFunction } from './arguments.ts';
import { isForeignUrl, isPathLike } from './route-paths.ts';
import { handlerLook, parameterName } from './signatures.ts';

/** A call that may register a route. */
export interface CandidateCall {
  /** The arguments of the call. */
  arguments: readonly Node[];
  /** The name of the receiver, if it has one. */
  name: string;
  /** Whether an earlier call got the path: `x.route('/y').get(fn)`. */
  isChain: boolean;
  /** Whether a package that is not a framework created the receiver. */
  isForeign: boolean;
  /** Whether the result is awaited. A registration returns nothing to await, a client's call does. */
  isAwaited: boolean;
}

/** The framework if the call registers a route. */
export function findRouteFramework(call: CandidateCall, sources: HandlerSources, apps: Apps): string | undefined {
  const [first, second] = call.arguments;
  if (!first || isForeignUrl(first)) return undefined;
  const guess = (fns: readonly FunctionNode[]) =>
    frameworkOf(
      fns.find((fn) => isHandlerLike(fn)),
      apps,
    );
  const trust = trustOf(call.name);
  if (call.isChain || call.arguments.length === 1) {
    const fns = call.arguments.flatMap((argument) => [...functionsIn(argument, sources)]);
    // A route object that already has its path only gets handlers: `route.get(fn)`. So does a getter (`virtual.get(fn)`), with other
    // parameters.
    if (!call.isChain) return trust !== 'none' && fns.some((fn) => handlerLook(fn) === 'pair') ? guess(fns) : undefined;
    return call.arguments.some((argument) => mayBeFunction(argument, sources)) ? guess(fns) : undefined;
  }
  // Koa's routers take a name before the path.
  const isPath = isPathLike(first) || (call.arguments.length > 2 && second !== undefined && isPathLike(second));
  const rest = call.arguments.slice(1);
  const last = rest.at(-1) as Node;
  const fns = rest.flatMap((argument) => [...functionsIn(argument, sources)]);
  const looks = new Set(fns.map(handlerLook));
  if (looks.has('pair')) return guess(fns);
  if (call.isAwaited) return undefined;
  const isServerFile = apps.imported.some((model) => model.methods['get'] !== undefined);
  // A mock server's handlers only take a request.
  if (looks.has('request') && (trust === 'strong' || (isPath && (trust === 'likely' || isServerFile)))) return guess(fns);
  if (looks.has('context') && isPath && trust !== 'none') return guess(fns);
  // `app.get('title', other)`: a setting.
  if ((unwrap(first).type === 'StringLiteral' && !isPath) || !mayBeFunction(last, sources)) return undefined;
  if (trust === 'strong' && isPath) return guess(fns);
  // Functions with other parameters are callbacks, unless path and name suggest a route.
  if (call.isForeign || (fns.length > 0 && !looks.has('context'))) return undefined;
  if (trust === 'strong') return guess(fns);
  if (!isPath || !rest.every((argument) => mayBeFunction(argument, sources))) return undefined;
  const hasPattern = isPathPattern(first);
  if (trust === 'likely') return hasPattern || isServerFile ? guess(fns) : undefined;
  return hasPattern && (isServerFile || rest.length > 1) ? guess(fns) : undefined;
}

export function isHandlerLike(fn: FunctionNode): boolean {
  const look = handlerLook(fn);
  return look !== 'other' && look !== 'none';
}

/** The framework that the parameters of a function or the imports of a file suggest. */
export function frameworkOf(fn: FunctionNode | undefined, apps: Apps): string {
  const names = fn?.params.map(parameterName) ?? [];
  if (names[1] === 'reply') return 'fastify';
  if (names[1] === 'h') return 'hapi';
  const imported = apps.imported.find((model) => model.methods['get'] !== undefined);
  if (imported) return imported.id;
  if (names[0] === 'ctx') return 'koa';
  if (names[0] === 'c') return 'hono';
  return 'express';
}

/** A route parameter or wildcard. A URL that a client calls has none. */
function isPathPattern(argument: Node): boolean {
  const node = unwrap(argument);
  if (node.type === 'RegExpLiteral') return true;
  const text =
    node.type === 'StringLiteral'
      ? node.value
      : node.type === 'TemplateLiteral'
        ? node.quasis.map((quasi) => quasi.value.raw).join('')
        : '';
  return /\/:\w|\*/.test(text);
}
