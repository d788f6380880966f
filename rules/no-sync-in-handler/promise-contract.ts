// Whether a framework accepts a promise from a handler that returned none before, and handles its errors.
import semver from 'semver';
import {
  contains,
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Handler } from '../../analysis/facts/handlers/handler.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCatchingWrapper, throwsItself } from '../../analysis/fix/catching-wrapper.ts';

/**
 * A reason against making a handler async, or undefined. `site` will be awaited in it. `handlerArgument` registers it, and `facts` are
 * those of the file where it does.
 */
export function whyNotAsync(
  { fn, framework }: Pick<Handler, 'fn' | 'framework'>,
  site: Node,
  facts: Facts,
  handlerArgument: Node = fn,
  wrapped: boolean = isWrapped(handlerArgument, facts),
): string | undefined {
  if (wrapped) return undefined;
  switch (framework) {
    case 'express':
    case 'connect':
    case 'polka': {
      const express = facts.project.manifest?.dependencies['express'];
      // Express 5 passes a rejected promise to the error handler (expressjs.com, "Migrating to Express 5": Rejected promises handling).
      const rejectsSafely = framework === 'express' && express !== undefined && isAtLeast(express, 5);
      if (rejectsSafely || isCaughtAround(site, fn)) return undefined;
      return `${framework === 'express' ? 'Express before 5' : framework} does not catch rejected promises, so an error would leave the request hanging. Put the whole body of the handler into \`try { … } catch (error) { next(error) }\``;
    }
    case 'restify':
      return 'restify rejects async handlers that take `next`';
    case 'fastify':
      if (fn.params.length >= 3) return 'a Fastify handler cannot both return a promise and take a `done` callback';
      return repliesLater(fn, facts)
        ? 'the handler replies in a callback, and Fastify would answer with an empty body when the promise of the handler is fulfilled'
        : undefined;
    case 'lambda':
    case 'serverless':
      return fn.params.length >= 3 || /\b\w+\.(?:succeed|fail|done)\s*\(/.test(facts.source.slice(fn))
        ? 'a serverless handler that answers by a callback must not also return a promise'
        : undefined;
    default:
      return undefined;
  }
}

function isAtLeast(range: string, major: number): boolean {
  const lowest = semver.validRange(range) ? semver.minVersion(range) : null;
  return lowest !== null && lowest.major >= major;
}

/** Whether the handler is passed to a function that catches its rejections. */
function isWrapped(handlerArgument: Node, facts: Facts): boolean {
  const call = parentOf(handlerArgument);
  if (!call || !isCall(call) || call.callee === handlerArgument) return false;
  return isCatchingWrapper(call, facts);
}

/**
 * Whether nothing in the function can reject: all that may throw is in one `try` around the place, and its `catch` does not throw. A `try`
 * around the call alone leaves what follows it.
 */
function isCaughtAround(site: Node, fn: FunctionNode): boolean {
  if (fn.body.type !== 'BlockStatement') return false;
  const statements = fn.body.body;
  const index = statements.findIndex((one) => contains(one, site));
  const guard = statements[index];
  return (
    guard?.type === 'TryStatement' &&
    contains(guard.block, site) &&
    guard.handler != null &&
    !throwsItself(guard.handler.body) &&
    !(guard.finalizer && throwsItself(guard.finalizer)) &&
    statements.slice(0, index).every(cannotThrow) &&
    statements.slice(index + 1).every((one) => one.type === 'ReturnStatement' && !one.argument)
  );
}

/** Declarations of what is at hand: `const { id } = req.params`, `const limit = 10`. */
function cannotThrow(statement: Node): boolean {
  if (statement.type === 'FunctionDeclaration') return true;
  return statement.type === 'VariableDeclaration' && statement.declarations.every(({ init }) => !init || isAtHand(unwrap(init)));
}

/** Express and connect set them for every request. */
const ALWAYS_SET: ReadonlySet<string> = new Set(['params', 'query', 'headers']);

function isAtHand(value: Node): boolean {
  if (/^(?:String|Numeric|Boolean|Null|RegExp)Literal$|^(?:Identifier|ArrowFunctionExpression|FunctionExpression)$/.test(value.type))
    return true;
  if (!isMember(value) || value.computed) return false;
  const object = unwrap(value.object);
  if (object.type === 'Identifier') return true;
  return isMember(object) && unwrap(object.object).type === 'Identifier' && ALWAYS_SET.has(memberName(object) ?? '');
}

/** Whether the reply is used in a callback: a promise that is fulfilled before would answer first, with nothing. */
function repliesLater({ params, body }: FunctionNode, facts: Facts): boolean {
  const reply = params[1];
  const binding = reply?.type === 'Identifier' ? facts.bindings.lookUp(reply.name, body) : undefined;
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((identifier) => {
      const inner = enclosingFunction(identifier);
      return inner !== undefined && inner.body !== body;
    })
  );
}
