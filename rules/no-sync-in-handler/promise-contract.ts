// Whether a framework accepts a promise from a handler that returned none before, and handles its errors.
import semver from 'semver';
import { findAncestor, isCall, parentOf, contains, type FunctionNode, type Node } from '../../analysis/module/ast.ts';
import type { Handler } from '../../analysis/facts/handlers/handler.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCatching } from '../../analysis/fix/make-async.ts';

/**
 * A reason against making a handler async, or undefined. `site` will be awaited in it. `handlerArgument` registers it, and `facts` are
 * those of the file where it does.
 */
export function whyNotAsync(
  { fn, framework }: Pick<Handler, 'fn' | 'framework'>,
  site: Node,
  facts: Facts,
  handlerArgument: Node = fn,
): string | undefined {
  if (isWrapped(handlerArgument)) return undefined;
  switch (framework) {
    case 'express':
    case 'connect':
    case 'polka': {
      const express = facts.project.manifest?.dependencies['express'];
      // Express 5 passes a rejected promise to the error handler (expressjs.com, "Migrating to Express 5": Rejected promises handling).
      const rejectsSafely = framework === 'express' && express !== undefined && isAtLeast(express, 5);
      if (rejectsSafely || isCaughtAround(site, fn)) return undefined;
      return `${framework === 'express' ? 'Express before 5' : framework} does not catch rejected promises, so an error would leave the request hanging. Wrap the handler, or call \`next(error)\` in a catch block`;
    }
    case 'restify':
      return 'restify rejects async handlers that take `next`';
    case 'fastify':
      return fn.params.length >= 3 ? 'a Fastify handler cannot both return a promise and take a `done` callback' : undefined;
    case 'lambda':
    case 'serverless':
      return fn.params.length >= 3 ? 'a serverless handler that takes a callback must not also return a promise' : undefined;
    default:
      return undefined;
  }
}

function isAtLeast(range: string, major: number): boolean {
  const lowest = semver.validRange(range) ? semver.minVersion(range) : null;
  return lowest !== null && lowest.major >= major;
}

/** Whether the handler is passed to something like `asyncHandler`. */
function isWrapped(handlerArgument: Node): boolean {
  const call = parentOf(handlerArgument);
  if (!call || !isCall(call) || call.callee === handlerArgument) return false;
  return isCatching(call);
}

/** Whether the place is in the block of a `try` with a `catch` in the same function. An await there throws where the call threw. */
function isCaughtAround(site: Node, fn: FunctionNode): boolean {
  const guard = findAncestor(site, (node) => node.type === 'TryStatement' && node.handler != null && contains(node.block, site));
  return guard !== undefined && contains(fn, guard);
}
