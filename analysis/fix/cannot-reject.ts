// Whether a handler answers its own errors: a framework that drops a rejected promise never sees one.
import { isFunction, isMember, memberName, unwrap, type FunctionNode, type Node, type t } from '../module/ast.ts';
import { walkWithin } from '../module/module-index.ts';
import type { Facts } from '../facts/index.ts';

/**
 * Whether nothing that the function does can reject the promise that it returns once it is async. All that may throw must be in the block
 * of a `try`, before and after the `await` alike, and its `catch` must not throw.
 */
export function cannotReject(fn: FunctionNode, facts: Facts): boolean {
  if (fn.body.type !== 'BlockStatement') return false;
  return fn.params.every((parameter) => parameter.type === 'Identifier') && fn.body.body.every((one) => isQuiet(one, fn, facts));
}

/** The `catch` of a function whose only other statements cannot throw: what is left that can reject its promise. */
export function onlyCatchThatMayThrow(fn: FunctionNode, facts: Facts): t.BlockStatement | undefined {
  if (fn.body.type !== 'BlockStatement' || !fn.params.every((parameter) => parameter.type === 'Identifier')) return undefined;
  const [last, ...others] = fn.body.body.filter((one) => !isQuiet(one, fn, facts));
  if (last?.type !== 'TryStatement' || others.length > 0 || last.finalizer) return undefined;
  const handler = last.handler?.param?.type === 'Identifier' ? last.handler.body : undefined;
  // A `catch` that throws on purpose is no place to answer.
  return handler?.body.some(({ type }) => type === 'ThrowStatement') ? undefined : handler;
}

function isQuiet(statement: t.Statement, fn: FunctionNode, facts: Facts): boolean {
  switch (statement.type) {
    case 'TryStatement':
      return (
        statement.handler != null &&
        (statement.handler.param == null || statement.handler.param.type === 'Identifier') &&
        statement.handler.body.body.every((one) => isQuiet(one, fn, facts)) &&
        (statement.finalizer?.body ?? []).every((one) => isQuiet(one, fn, facts))
      );
    case 'VariableDeclaration':
      return statement.declarations.every(({ id, init }) =>
        id.type === 'Identifier'
          ? init == null || cannotThrow(init, fn, facts)
          : init != null && isFlat(id) && isRequestPart(init, fn, facts),
      );
    case 'ReturnStatement':
      return statement.argument == null || cannotThrow(statement.argument, fn, facts);
    case 'ExpressionStatement':
      return cannotThrow(statement.expression, fn, facts);
    case 'IfStatement':
      return (
        cannotThrow(statement.test, fn, facts) &&
        isQuiet(statement.consequent, fn, facts) &&
        (statement.alternate == null || isQuiet(statement.alternate, fn, facts))
      );
    case 'BlockStatement':
      return statement.body.every((one) => isQuiet(one, fn, facts));
    case 'EmptyStatement':
    case 'FunctionDeclaration':
      return true;
    default:
      return false;
  }
}

/** What these expressions do is known: they answer the request, pass the error on, write a log, or only read. */
function cannotThrow(expression: Node, fn: FunctionNode, facts: Facts): boolean {
  let quiet = true;
  walkWithin(expression, (node) => {
    if (isFunction(node)) return false;
    switch (node.type) {
      case 'CallExpression':
      case 'OptionalCallExpression':
        quiet &&= isHarmlessCall(node, fn, facts);
        break;
      case 'MemberExpression':
        quiet &&= isHarmlessRead(node, fn, facts);
        break;
      case 'NewExpression':
      case 'AwaitExpression':
      case 'YieldExpression':
      case 'TaggedTemplateExpression':
      case 'SpreadElement':
      case 'UpdateExpression':
      case 'UnaryExpression':
      case 'BinaryExpression':
        quiet &&= isHarmlessOperation(node);
        break;
      default:
    }
    return quiet;
  });
  return quiet;
}

function isHarmlessOperation(node: Node): boolean {
  if (node.type === 'BinaryExpression') return /^[!=]==?$/.test(node.operator) || node.operator === '+' || node.operator === 'instanceof';
  return node.type === 'UnaryExpression' && node.operator !== 'delete';
}

/** `next(error)`, `res.status(500).send('…')`, `console.error(…)` */
function isHarmlessCall(call: t.CallExpression | t.OptionalCallExpression, fn: FunctionNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier')
    return (
      parameterAt(callee, fn, facts) >= 2 || (callee.name === 'String' && facts.bindings.isGlobal(callee)) || isDebugLog(callee, facts)
    );
  let root: Node = callee;
  while (isMember(root) || root.type === 'CallExpression') root = unwrap(isMember(root) ? root.object : root.callee);
  if (root.type !== 'Identifier') return false;
  if (root.name === 'console') return facts.bindings.isGlobal(root);
  return parameterAt(root, fn, facts) === 1;
}

/** `debug('…', error)` for `const debug = require('debug')('app')`: it formats and writes, as `console.error` does. */
function isDebugLog(callee: t.Identifier, facts: Facts): boolean {
  const binding = facts.bindings.resolve(callee);
  if (!binding || !facts.bindings.isConstant(binding) || binding.declaration.type !== 'VariableDeclarator') return false;
  const { id, init } = binding.declaration;
  const maker = init?.type === 'CallExpression' && id.type === 'Identifier' ? facts.origins.moduleMember(init.callee) : undefined;
  return maker?.module === 'debug' && (maker.path.length === 0 || maker.path.join('.') === 'debug');
}

/** `req.params.id`, `error.message`, `console.error`: none of their objects is missing. */
function isHarmlessRead(member: t.MemberExpression, fn: FunctionNode, facts: Facts): boolean {
  const object: Node = unwrap(member.object);
  if (object.type !== 'Identifier') return object.type === 'CallExpression' || isRequestPart(object, fn, facts);
  if (facts.bindings.isGlobal(object)) return object.name === 'console' || object.name === 'process';
  // What is caught is an error as a rule; only `throw null` and `throw undefined` are read in vain.
  return parameterAt(object, fn, facts) >= 0 || facts.bindings.resolve(object)?.declaration.type === 'CatchClause';
}

/** `req.params`, `req.query` and `req.headers` are objects for every request; `req.body` is not. */
function isRequestPart(expression: Node, fn: FunctionNode, facts: Facts): boolean {
  const node = unwrap(expression);
  return (
    isMember(node) &&
    /^(?:params|query|headers)$/.test(memberName(node) ?? '') &&
    unwrap(node.object).type === 'Identifier' &&
    parameterAt(unwrap(node.object), fn, facts) === 0
  );
}

/** `{ id, name: other }`: no patterns within, no defaults. */
function isFlat(pattern: Node): boolean {
  return (
    pattern.type === 'ObjectPattern' &&
    pattern.properties.every((one) => one.type === 'ObjectProperty' && !one.computed && one.value.type === 'Identifier')
  );
}

function parameterAt(node: Node, fn: FunctionNode, facts: Facts): number {
  const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
  return binding ? fn.params.indexOf(binding.identifier) : -1;
}
