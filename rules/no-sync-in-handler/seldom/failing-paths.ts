// Places that a request gets to only if it fails, or is rejected: a `catch`, a listener for errors, a branch that answers with an error.
import { constantOf } from '../../../analysis/facts/constants.ts';
import { isForFailures } from '../../../analysis/facts/outside/seldom.ts';
import type { Facts } from '../../../analysis/facts/index.ts';
import {
  contains,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../../../analysis/module/ast.ts';
import { walkWithin } from '../../../analysis/module/module-index.ts';
import { callbackAtOnce, runsAtOnce } from '../conditions.ts';
import { calledName } from '../path-uses.ts';

const MAKES_FOLDER = /^(?:mkdirSync|ensureDirSync|mkdirpSync|mkdirsSync|makeDirectorySync)$/;
// How far to follow the callers of a function in its file.
const MOST_CALLERS = 3;
// Of what is around a call. Real code has some 20 nodes around one.
const MOST_LEVELS = 200;
// The longest chain of tests to follow.
const MOST_TESTS = 8;

/** Whether only requests that fail or are rejected get to a call, by what is around it in this file. */
export function isOnFailingPath(call: CallNode, facts: Facts, depth = 0): boolean {
  let from: Node = call;
  for (let at = parentOf(from), level = 0; at && level < MOST_LEVELS; from = at, at = parentOf(at), level++) {
    if (at.type === 'CatchClause') {
      const around = parentOf(at);
      if (around?.type !== 'TryStatement' || !isQuestion(around.block, call, facts)) return true;
    }
    if (isBranch(at, from) && rejects(from, facts)) return true;
    if (!isFunction(at)) continue;
    if (isForErrors(at, facts)) return true;
    if (!runsWithin(at)) return depth < MOST_CALLERS && isOnlyCalledThere(at, facts, depth);
  }
  return false;
}

/** `mkdirSync(folder)`, `mkdirp.sync(folder)` */
export function makesFolder(call: CallNode): boolean {
  const name = calledName(call) ?? '';
  const callee = unwrap(call.callee);
  return MAKES_FOLDER.test(name) || (name === 'sync' && isMember(callee) && /^(?:mkdirp|makeDir)$/.test(nameOf(callee.object)));
}

/** Whether a statement is one of several ways: of an `if`, or of a `switch`. */
function isBranch(at: Node, from: Node): boolean {
  return (at.type === 'IfStatement' && at.test !== from) || (at.type === 'SwitchStatement' && from.type === 'SwitchCase');
}

/** Whether a branch ends with an error for the client, and every way out of it does. */
function rejects(branch: Node, facts: Facts): boolean {
  return endsWithError(branch, facts) && !waysOut(facts).has(branch) && !fallsThrough(branch) && !isCaughtWell(branch, facts);
}

/** Whether a `case` goes on with the next one. */
function fallsThrough(branch: Node): boolean {
  if (branch.type !== 'SwitchCase') return false;
  const around = parentOf(branch);
  if (around?.type !== 'SwitchStatement' || around.cases.at(-1) === branch) return false;
  return !/^(?:Return|Throw|Break|Continue)Statement$/.test(statementsOf(branch).at(-1)?.type ?? '');
}

/** Whether a branch throws or rejects what its function catches, and what catches it does not answer with an error. */
function isCaughtWell(branch: Node, facts: Facts): boolean {
  if (!statementsOf(branch).some(throwsOrRejects)) return false;
  let from = branch;
  for (let at = parentOf(from), level = 0; at && level < MOST_LEVELS; from = at, at = parentOf(at), level++) {
    if (at.type === 'TryStatement' && at.block === from && at.handler) return !rejects(at.handler.body, facts);
    const handler = isMember(at) && at.object === from ? handlerOf(parentOf(at)) : undefined;
    if (handler) return !answersFailure(handler, facts);
    if (isFunction(at) && !runsWithin(at) && !isOfPromise(at)) return false;
  }
  return false;
}

function throwsOrRejects(statement: Node): boolean {
  if (statement.type === 'ThrowStatement') return true;
  const value =
    statement.type === 'ExpressionStatement' ? statement.expression : statement.type === 'ReturnStatement' ? statement.argument : undefined;
  return value != null && calledName(unwrap(value)) === 'reject';
}

/** What `.catch(handler)` and `.then(use, handler)` call for a failure. */
function handlerOf(call: Node | undefined): Node | undefined {
  if (!isCall(call)) return undefined;
  const name = calledName(call);
  return name === 'catch' ? call.arguments[0] : name === 'then' ? call.arguments[1] : undefined;
}

/** `.catch(next)`, `.catch((error) => next(error))`, `.catch(() => { res.status(500).end(); })` */
function answersFailure(handler: Node, facts: Facts): boolean {
  const fn = unwrap(handler);
  if (!isFunction(fn)) return TAKES_ERROR.test(nameOf(fn));
  return fn.body.type === 'BlockStatement' ? rejects(fn.body, facts) : answersError(fn.body, facts);
}

/** `new Promise((resolve, reject) => …)`, `promise.then((value) => …)` */
function isOfPromise(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  return isCall(call) && call.callee !== fn && /^(?:Promise|then|catch|finally)$/.test(calledName(call) ?? '');
}

/**
 * What holds a `return` with which a request succeeds: an early `return res.send(file)` of a branch that ends with 404 is the good path.
 */
function waysOut(facts: Facts): ReadonlySet<Node> {
  return facts.remember('branches that a request succeeds in', () => {
    const found = new Set<Node>();
    for (const statement of facts.module.nodes('ReturnStatement')) {
      const block = parentOf(statement);
      const isBlock = block?.type === 'BlockStatement' || block?.type === 'SwitchCase';
      if (endsWithError(isBlock ? block : statement, facts)) continue;
      for (let at: Node | undefined = statement; at && !isFunction(at) && !found.has(at); at = parentOf(at)) found.add(at);
    }
    return found;
  });
}

function endsWithError(branch: Node, facts: Facts): boolean {
  const known = facts.remember('branches that end with an error', () => new Map<Node, boolean>());
  let ends = known.get(branch);
  if (ends === undefined) known.set(branch, (ends = endWithError(statementsOf(branch), facts)));
  return ends;
}

function statementsOf(node: Node): readonly Node[] {
  if (node.type === 'BlockStatement') return node.body;
  if (node.type !== 'SwitchCase') return [node];
  const [only] = node.consequent;
  return only?.type === 'BlockStatement' && node.consequent.length === 1 ? only.body : node.consequent;
}

function endWithError(statements: readonly Node[], facts: Facts): boolean {
  const last = statements.at(-1);
  if (last?.type === 'ThrowStatement') return isError(last, facts);
  const isAnswered = statements.some((one) => one.type === 'ExpressionStatement' && answersError(one.expression, facts));
  if (last?.type !== 'ReturnStatement' || !last.argument) return isAnswered;
  // `res.statusCode = 404; return res.end();`
  return answersError(last.argument, facts) || (isAnswered && (isPlain(last.argument) || isOfAnswer(last.argument)));
}

/** `throw redirect('/')` and `throw new Response(null, { status: 302 })` answer with success. */
function isError({ argument }: t.ThrowStatement, facts: Facts): boolean {
  const thrown = unwrap(argument);
  if (!isCall(thrown)) return true;
  const name = calledName(thrown) ?? '';
  return !/redirect|^(?:json|data|defer)$/i.test(name) && (name !== 'Response' || answersError(thrown, facts));
}

/** `return;` and `return false;` say nothing: what stands before them has answered. */
function isPlain(value: Node): boolean {
  const node = unwrap(value);
  return /^(?:Null|Boolean)Literal$/.test(node.type) || (node.type === 'Identifier' && node.name === 'undefined');
}

function isOfAnswer(value: Node): boolean {
  let node = unwrap(value);
  while (isCall(node) || isMember(node) || node.type === 'AssignmentExpression')
    node = unwrap(isCall(node) ? node.callee : isMember(node) ? node.object : (node.left as Node));
  return ANSWER.test(nameOf(node));
}

const ERROR_NAME = /^_?(?:e|er|err|error|ex|exception|reason|cause)$|(?:Err|Error|Exception)$/;
/** Functions that make one: of http-errors, Boom, and others. */
const MAKES_ERROR =
  /(?:Err|Error|Exception)$|^(?:bad|badRequest|unauthorized|forbidden|notFound|conflict|unprocessableEntity|badImplementation|internal)$/i;
const REQUEST_NAME = /^_*(?:req|request)$/;
const RESPONSE_NAME = /^_*(?:res|resp|response|reply)$/;
const TAKES_ERROR = /^(?:next|cb|callback|done|reject|fail)$/;
/** Names of constants: `HttpStatus.BAD_REQUEST`, `StatusCodes.NOT_FOUND`. */
const STATUS_NAME =
  /^(?:HTTP_)?(?:(?:STATUS_)?(?:BAD_REQUEST|UNAUTHORIZED|PAYMENT_REQUIRED|FORBIDDEN|NOT_FOUND|METHOD_NOT_ALLOWED|NOT_ACCEPTABLE|CONFLICT|GONE|(?:PAYLOAD|REQUEST)_TOO_LONG|PAYLOAD_TOO_LARGE|UNSUPPORTED_MEDIA_TYPE|UNPROCESSABLE_ENTITY|TOO_MANY_REQUESTS|INTERNAL_SERVER_ERROR|INTERNAL_ERROR|NOT_IMPLEMENTED|BAD_GATEWAY|SERVICE_UNAVAILABLE|GATEWAY_TIMEOUT)(?:_\d+)?)$/;
/** Methods of answers whose first argument is a status. */
const SETS_STATUS = /^(?:status|sendStatus|code|writeHead|throw|setStatus)$/;
/** Methods of answers that are named for an error: `reply.badRequest()`, `res.notFound()`. */
const NAMED_ANSWER =
  /^(?:badRequest|unauthorized|forbidden|notFound|conflict|unprocessableEntity|payloadTooLarge|unsupportedMediaType|internalServerError|serverError)$/;
const ANSWER = /^_?(?:res|resp|response|reply|rep|ctx|context|c|h)$/;
/** Names that are also those of other variables: only a parameter is an answer. */
const SHORT_NAME = /^[ch]$/;
/** Whose second argument is a status, or an object that holds one: `c.json(body, 404)`, `Response.json(body, { status: 404 })`. */
const WITH_STATUS = /^(?:json|text|html|body|send)$/;
const RESPONSE_CLASS = /^(?:Response|NextResponse)$/;

/** `res.status(400).json(…)`, `ctx.status = 404`, `next(error)`, `callback(new Error(…))`, `ctx.throw(400)` */
function answersError(expression: Node, facts: Facts): boolean {
  let node = unwrap(expression);
  while (node.type === 'AwaitExpression' || (node.type === 'UnaryExpression' && node.operator === 'void')) node = unwrap(node.argument);
  if (node.type === 'SequenceExpression') return node.expressions.some((one) => answersError(one, facts));
  if (node.type === 'AssignmentExpression') {
    const { left, right } = node;
    return isMember(left) && /^status(?:Code)?$/.test(memberName(left) ?? '') && isErrorStatus(right) && isAnswer(left.object, facts);
  }
  if (!isCall(node)) return false;
  const callee = unwrap(node.callee);
  const name = calledName(node) ?? '';
  const [first, second] = node.arguments;
  if (callee.type === 'Identifier') {
    if (TAKES_ERROR.test(name)) return first !== undefined && isErrorValue(first, name, facts);
    // `new Response(text, { status: 404 })`, `json(body, { status: 404 })`; `send(res, 404, body)`
    if (!second || !(WITH_STATUS.test(name) || RESPONSE_CLASS.test(name))) return false;
    return hasErrorStatus(second) || (first !== undefined && isAnswer(first, facts) && isErrorStatus(second));
  }
  if (!isMember(callee)) return false;
  if (name === 'reject' && nameOf(callee.object) === 'Promise') return first !== undefined && isErrorValue(first, name, facts);
  if (isAnswer(callee.object, facts)) {
    if (first && SETS_STATUS.test(name) && isErrorStatus(first)) return true;
    if (NAMED_ANSWER.test(name)) return true;
    if (second && WITH_STATUS.test(name) && (isErrorStatus(second) || hasErrorStatus(second))) return true;
  }
  if (second && name === 'json' && RESPONSE_CLASS.test(nameOf(callee.object)) && hasErrorStatus(second)) return true;
  // `res.status(404).json(…)`, `reply.code(400).header(…).send(…)`
  return answersError(callee.object, facts);
}

/** Whether a value is an answer, or what its methods return: `res`, `ctx.response`, `this.res`, `res.set('a', 'b')`. */
function isAnswer(value: Node, facts: Facts): boolean {
  let node = unwrap(value);
  while (isCall(node)) {
    const callee = unwrap(node.callee);
    if (!isMember(callee)) return false;
    node = unwrap(callee.object);
  }
  if (!ANSWER.test(nameOf(node))) return false;
  return !SHORT_NAME.test(nameOf(node)) || (node.type === 'Identifier' && facts.bindings.resolve(node)?.kind === 'param');
}

function hasErrorStatus(options: Node): boolean {
  const node = unwrap(options);
  return (
    node.type === 'ObjectExpression' &&
    node.properties.some(
      (one) => one.type === 'ObjectProperty' && staticName(one.key, one.computed) === 'status' && isErrorStatus(one.value),
    )
  );
}

function isErrorStatus(value: Node): boolean {
  const node = unwrap(value);
  // `error.status || 500`
  if (node.type === 'LogicalExpression' && node.operator !== '&&') {
    const left = unwrap(node.left);
    return isMember(left) && ERROR_NAME.test(nameOf(left.object)) && isErrorStatus(node.right);
  }
  return node.type === 'NumericLiteral' ? node.value >= 400 && node.value < 600 : STATUS_NAME.test(nameOf(node));
}

/** `taker`: the function that it is passed to. What `next` of Express is passed is an error; `callback` may also be passed a result. */
function isErrorValue(value: Node, taker: string, facts: Facts): boolean {
  const node = unwrap(value);
  if (taker === 'next' && (node.type === 'ObjectExpression' || node.type === 'NewExpression')) return true;
  // SvelteKit: https://svelte.dev/docs/kit/form-actions
  if (taker === 'fail' && isErrorStatus(node)) return true;
  if (node.type === 'StringLiteral') return ERROR_TEXT.test(node.value);
  if (isCall(node)) return MAKES_ERROR.test(calledName(node) ?? '');
  return ERROR_NAME.test(nameOf(node)) && (taker === 'reject' || isKnownError(node, facts));
}

/** Whether what is named for an error is one there: `callback(error)` may be passed null, and then tells of success. */
function isKnownError(value: Node, facts: Facts): boolean {
  const binding = value.type === 'Identifier' ? facts.bindings.resolve(value) : undefined;
  const around = binding && parentOf(binding.identifier);
  if (around?.type === 'CatchClause' || (isFunction(around) && around.params[0] === binding?.identifier && isForErrors(around, facts)))
    return true;
  const made = constantOf(value, facts.bindings);
  if (made && MAKES_ERROR.test(calledName(unwrap(made)) ?? '')) return true;
  const text = facts.source.slice(value);
  let from = value;
  for (let at = parentOf(from), level = 0; at && level < MOST_LEVELS; from = at, at = parentOf(at), level++) {
    if (at.type === 'IfStatement' && at.consequent === from && saysThatIs(at.test, text, facts)) return true;
    if (at.type === 'IfStatement' && at.alternate === from && saysThatIsNot(at.test, text, facts)) return true;
    if (isFunction(at) && binding && contains(at, binding.identifier)) return false;
  }
  return false;
}

/** `if (error)`, `if (error && other)`, `if (error instanceof Failure)`, `if (error != null)`, `if (error.code === 'ENOENT')` */
function saysThatIs(test: Node, text: string, facts: Facts, steps = 0): boolean {
  const node = unwrap(test);
  if (steps > MOST_TESTS) return false;
  if (node.type === 'LogicalExpression')
    return node.operator === '&&' && (saysThatIs(node.left, text, facts, steps + 1) || saysThatIs(node.right, text, facts, steps + 1));
  if (node.type !== 'BinaryExpression') return facts.source.slice(node) === text;
  const { left, operator, right } = node;
  const isOfValue = facts.source.slice(unwrap(left)) === text;
  if (operator === 'instanceof') return isOfValue;
  if (/^!==?$/.test(operator)) return isOfValue && (right.type === 'NullLiteral' || nameOf(right) === 'undefined');
  const tested = unwrap(left);
  return /^===?$/.test(operator) && right.type === 'StringLiteral' && isMember(tested) && facts.source.slice(tested.object) === text;
}

/** `if (!error) … else …` */
function saysThatIsNot(test: Node, text: string, facts: Facts): boolean {
  const node = unwrap(test);
  return node.type === 'UnaryExpression' && node.operator === '!' && facts.source.slice(unwrap(node.argument)) === text;
}

const ERROR_TEXT = /^\W*err|invalid|unsupported|not (?:allowed|supported|found)|\bonly\b|denied|failed/i;

function nameOf(value: Node): string {
  const node = unwrap(value);
  return node.type === 'Identifier' ? node.name : isMember(node) ? (memberName(node) ?? '') : '';
}

const PROBES = /^(?:access|stat|lstat|readdir|opendir)(?:Sync)?$/;

/** `try { accessSync(folder) } catch { mkdirSync(folder) }` is an `if`. */
function isQuestion(block: t.BlockStatement, call: CallNode, facts: Facts): boolean {
  const [only] = block.body;
  if (block.body.length === 1 && only?.type === 'ExpressionStatement' && isProbing(only.expression)) return true;
  const [path] = call.arguments;
  return path !== undefined && makesFolder(call) && asksIn(block, facts).has(facts.source.slice(path));
}

function isProbing(expression: Node): boolean {
  const value = unwrap(expression);
  const call = value.type === 'AwaitExpression' ? unwrap(value.argument) : value;
  return isCall(call) && PROBES.test(calledName(call) ?? '');
}

/** The texts of the paths that a block asks for. */
export function asksIn(block: Node, facts: Facts): ReadonlySet<string> {
  const known = facts.remember('paths that blocks ask for', () => new Map<Node, ReadonlySet<string>>());
  let found = known.get(block) as Set<string> | undefined;
  if (!found) {
    const paths = (found = new Set<string>());
    walkWithin(block, (node) => {
      const [path] = isCall(node) && isProbing(node) ? node.arguments : [];
      if (path) paths.add(facts.source.slice(path));
      return !isFunction(node);
    });
    known.set(block, found);
  }
  return found;
}

/** Whether a function is a listener for failures, or the middleware that handles errors: `(err, req, res, next) => …`. */
function isForErrors(fn: FunctionNode, facts: Facts): boolean {
  const call = parentOf(fn);
  const passed = isCall(call) && call.callee !== fn ? call : undefined;
  if (fn.params.length === 4 && ERROR_NAME.test(parameterName(fn, 0)) && handlesErrors(fn, passed, facts)) return true;
  if (!passed) return false;
  return isForFailures(passed) || (calledName(passed) === 'then' && passed.arguments[1] === fn);
}

/** Express tells such a function by its four parameters, but others have four, too: the callbacks of gm, a listener in Electron. */
function handlesErrors(fn: FunctionNode, passed: CallNode | undefined, facts: Facts): boolean {
  if (REQUEST_NAME.test(parameterName(fn, 1)) && RESPONSE_NAME.test(parameterName(fn, 2))) return true;
  if (passed) return calledName(passed) === 'use';
  const own = fn.type === 'FunctionDeclaration' ? fn.id : variableOf(fn);
  const binding = own ? facts.bindings.resolve(own) : undefined;
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((reference) => {
      const call = parentOf(reference);
      return isCall(call) && call.callee !== reference && calledName(call) === 'use';
    })
  );
}

function parameterName(fn: FunctionNode, index: number): string {
  const parameter = fn.params[index];
  return parameter?.type === 'Identifier' ? parameter.name : '';
}

/** Whether a function runs where it stands: `files.forEach((file) => …)`, `(() => { … })()`. */
function runsWithin(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  return isCall(call) && (call.callee === fn || runsAtOnce(fn));
}

/**
 * Whether nothing but such places of the file runs a function: it is not exported, and only called. How far its callers are followed
 * depends on the depth, and so does the answer.
 */
function isOnlyCalledThere(fn: FunctionNode, facts: Facts, depth: number): boolean {
  const known = facts.remember('functions that only failing requests run', () =>
    Array.from({ length: MOST_CALLERS }, () => new Map<FunctionNode, boolean>()),
  )[depth];
  const only = known?.get(fn) ?? findOnlyCalledThere(fn, facts, depth);
  known?.set(fn, only);
  return only;
}

function findOnlyCalledThere(fn: FunctionNode, facts: Facts, depth: number): boolean {
  const own = fn.type === 'FunctionDeclaration' ? fn.id : variableOf(fn);
  const binding = own ? facts.bindings.resolve(own) : undefined;
  if (!binding || !facts.bindings.isConstant(binding) || facts.exports.functions.has(fn)) return false;
  const references = facts.bindings.references(binding);
  return (
    references.length > 0 &&
    references.every((reference) => {
      const call = callOf(reference);
      return call !== undefined && isOnFailingPath(call, facts, depth + 1);
    })
  );
}

function variableOf(fn: FunctionNode): t.Identifier | undefined {
  const declarator = parentOf(fn);
  return declarator?.type === 'VariableDeclarator' && declarator.id.type === 'Identifier' ? declarator.id : undefined;
}

/** `remove(file)`, `files.forEach(remove)` */
function callOf(reference: Node): CallNode | undefined {
  const call = parentOf(reference);
  if (!isCall(call)) return undefined;
  return call.callee === reference || callbackAtOnce(call) === reference ? call : undefined;
}
