// Whether a framework accepts a promise from a handler that returned none before, and handles its errors.
import semver from 'semver';
import {
  contains,
  enclosingFunction,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Handler } from '../../analysis/facts/handlers/handler.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { cannotReject } from '../../analysis/fix/cannot-reject.ts';
import { returnReply } from '../../analysis/fix/fastify-reply.ts';
import type { Edit } from '../../analysis/rule.ts';
import { wrappingOf, type FunctionsOfCall } from '../../analysis/fix/wrapper.ts';

/**
 * A reason against making a handler async, or undefined. `handlerArgument` registers it, and `facts` are those of the file where it does;
 * `own` are those of the file with the handler.
 */
export function whyNotAsync(
  { fn, framework }: Pick<Handler, 'fn' | 'framework'>,
  facts: Facts,
  handlerArgument: Node = fn,
  own: Facts = facts,
  elsewhere?: FunctionsOfCall,
): string | undefined {
  const wrapper = wrapperOf(handlerArgument, facts);
  const wrapping = wrapper && wrappingOf(wrapper, facts, elsewhere);
  if (wrapping === 'catches') return undefined;
  const reason = whyNotFramework({ fn, framework }, facts, own);
  const last = fn.params.at(-1);
  if (reason === undefined && last?.type === 'Identifier' && /^(?:cb|callback|done)$/.test(last.name) && !cannotReject(fn, own))
    return `it answers by \`${last.name}\`, and nothing handles the promise of such a function: an error would end the process. Put its whole body into \`try { … } catch (error) { ${last.name}(error) }\``;
  if (reason !== undefined || !wrapper || wrapping !== 'drops' || cannotReject(fn, own)) return reason;
  return `\`${facts.source.slice(wrapper.callee)}\` gets the handler, and nothing shows that it waits for a promise and passes its error on. Answer errors in the handler: \`try { … } catch (error) { next(error) }\` around its whole body`;
}

/** Whether an error that the handler passes to `next` goes where the framework sends one that is thrown. */
export function canPassErrorsOn({ fn, framework }: Pick<Handler, 'fn' | 'framework'>, facts: Facts, handlerArgument: Node = fn): boolean {
  return (framework === 'express' || framework === 'connect') && wrapperOf(handlerArgument, facts) === undefined;
}

/** Why what calls the handler in the end cannot take its promise. */
function whyNotFramework({ fn, framework }: Pick<Handler, 'fn' | 'framework'>, facts: Facts, own: Facts): string | undefined {
  switch (framework) {
    case 'express':
    case 'connect':
    case 'polka': {
      const express = facts.project.manifest?.dependencies['express'];
      // Express 5 passes a rejected promise to the error handler (expressjs.com, "Migrating to Express 5": Rejected promises handling); so
      // does Express 4 with express-async-errors, which patches its layers (npmjs.com/package/express-async-errors).
      const patched = facts.project.manifest?.dependencies['express-async-errors'] !== undefined;
      const rejectsSafely = framework === 'express' && ((express !== undefined && isAtLeast(express, 5)) || patched);
      if (rejectsSafely || cannotReject(fn, own)) return undefined;
      const what =
        framework !== 'express'
          ? framework
          : express === undefined
            ? '`express` is not among the dependencies, and Express before 5'
            : 'Express before 5';
      return `${what} does not catch rejected promises, so an error would leave the request hanging. Put the whole body of the handler into \`try { … } catch (error) { next(error) }\`, or wrap the handler in one that catches`;
    }
    case 'restify':
      return 'restify rejects async handlers that take `next`';
    case 'fastify': {
      if (fn.params.length >= 3) return 'a Fastify handler cannot both return a promise and take a `done` callback';
      const late = answersLater(fn, 1, own);
      const ends = returnReply(fn, own);
      if (late === undefined)
        return 'edits' in ends
          ? undefined
          : `the handler may end here (line ${own.source.positionAt(startOf(ends.unclear)).line}) without returning its reply, and Fastify sends an empty answer once an async handler has returned. Write \`return reply.send(…)\` there`;
      return `the handler replies in a callback (line ${late}), and Fastify sends an empty answer once an async handler has returned. Return the reply's promise instead`;
    }
    case 'koa': {
      const inPassing = [facts, own].flatMap((one) => nextInPassing(fn, one) ?? [])[0];
      return inPassing === undefined
        ? undefined
        : `a middleware calls \`next()\` without waiting for it (line ${inPassing}), so Koa would answer before the handler has ended. Return or await its promise there`;
    }
    case 'hapi': {
      const site = facts.handlersOf(fn)[0]?.site;
      const callee = site && isCall(site) ? unwrap(site.callee) : undefined;
      return isMember(callee) && memberName(callee) === 'method'
        ? 'a server method is called by its name, and its callers would have to await it'
        : undefined;
    }
    case 'aws-lambda':
    case 'azure-functions':
    case 'netlify': {
      if (fn.params.length >= 3 || /\b\w+\.(?:succeed|fail|done)\s*\(/.test(own.source.slice(fn)))
        return 'a serverless handler that answers by a callback must not also return a promise';
      const late = answersLater(fn, framework === 'azure-functions' ? 0 : 1, own);
      return late === undefined
        ? undefined
        : `the handler answers in a callback (line ${late}), and the platform takes what an async handler returns. Return the answer's promise instead`;
    }
    default:
      return undefined;
  }
}

/** The line where another middleware of Koa drops the promise of what comes after it. */
function nextInPassing(fn: FunctionNode, facts: Facts): number | undefined {
  const lines = facts.remember('middlewares of Koa that do not wait', () =>
    facts.handlers.handlers.flatMap((handler) => {
      const [, next] = handler.fn.params;
      const binding = handler.framework === 'koa' && next?.type === 'Identifier' ? facts.bindings.resolve(next) : undefined;
      const dropped =
        binding &&
        facts.bindings.references(binding).find((reference) => {
          const call = parentOf(reference);
          return isCall(call) && call.callee === reference && parentOf(call)?.type === 'ExpressionStatement';
        });
      return dropped ? [{ fn: handler.fn, line: facts.source.positionAt(startOf(dropped)).line }] : [];
    }),
  );
  return lines.find((one) => one.fn !== fn)?.line;
}

/** What a handler's code needs besides `async`, by its framework. */
export function handlerEdits({ fn, framework }: Pick<Handler, 'fn' | 'framework'>, own: Facts): readonly Edit[] {
  const ends = framework === 'fastify' ? returnReply(fn, own) : undefined;
  return ends && 'edits' in ends ? ends.edits : [];
}

/** The line where a function within the handler uses its reply or context. */
function answersLater(fn: FunctionNode, index: number, facts: Facts): number | undefined {
  const parameter = fn.params[index];
  const binding = parameter?.type === 'Identifier' ? facts.bindings.resolve(parameter) : undefined;
  const use = binding && facts.bindings.references(binding).find((reference) => enclosingFunction(reference) !== fn);
  return use && facts.source.positionAt(startOf(use)).line;
}

function isAtLeast(range: string, major: number): boolean {
  const lowest = semver.validRange(range) ? semver.minVersion(range) : null;
  return lowest !== null && lowest.major >= major;
}

/** The call that gets the handler before it is registered: `asyncHandler(show)` in `app.get('/', asyncHandler(show))`. */
export function wrapperOf(handlerArgument: Node, facts: Facts): CallNode | undefined {
  const call = parentOf(handlerArgument);
  if (!call || !isCall(call) || call.callee === handlerArgument) return undefined;
  const { sites, byCall } = facts.remember('calls that register handlers', () => {
    const { handlers, routeSites, handlerArguments } = facts.handlers;
    return {
      sites: new Set<Node>([...handlers.map(({ site }) => site), ...routeSites.map((site) => site.call)]),
      byCall: groupBy(handlerArguments, ({ site }) => site),
    };
  });
  const isRegistration = sites.has(call) || byCall.get(call)?.some(({ node }) => !contains(node, call));
  return isRegistration ? undefined : call;
}
