// Places that a request gets to only if it fails, or is rejected: a `catch`, a listener for errors, a branch that answers with an error.
import { isForFailures } from '../../../analysis/facts/outside/seldom.ts';
import type { Facts } from '../../../analysis/facts/index.ts';
import {
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
    if (isForErrors(at)) return true;
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
  return endsWithError(branch, facts) && !waysOut(facts).has(branch);
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
  if (ends === undefined) known.set(branch, (ends = endWithError(statementsOf(branch))));
  return ends;
}

function statementsOf(node: Node): readonly Node[] {
  if (node.type === 'BlockStatement') return node.body;
  if (node.type !== 'SwitchCase') return [node];
  const [only] = node.consequent;
  return only?.type === 'BlockStatement' && node.consequent.length === 1 ? only.body : node.consequent;
}

function endWithError(statements: readonly Node[]): boolean {
  const last = statements.at(-1);
  if (last?.type === 'ThrowStatement') return isError(last);
  const isAnswered = statements.some((one) => one.type === 'ExpressionStatement' && answersError(one.expression));
  if (last?.type !== 'ReturnStatement' || !last.argument) return isAnswered;
  // `res.statusCode = 404; return res.end();`
  return answersError(last.argument) || (isAnswered && (isPlain(last.argument) || isOfAnswer(last.argument)));
}

/** `throw redirect('/')` and `throw new Response(null, { status: 302 })` answer with success. */
function isError({ argument }: t.ThrowStatement): boolean {
  const thrown = unwrap(argument);
  if (!isCall(thrown)) return true;
  const name = calledName(thrown) ?? '';
  return !/redirect|^(?:json|data|defer)$/i.test(name) && (name !== 'Response' || answersError(thrown));
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
const TAKES_ERROR = /^(?:next|cb|callback|done|reject|fail)$/;
/** Names of constants: `HttpStatus.BAD_REQUEST`, `StatusCodes.NOT_FOUND`. */
const STATUS_NAME =
  /^(?:HTTP_)?(?:(?:STATUS_)?(?:BAD_REQUEST|UNAUTHORIZED|PAYMENT_REQUIRED|FORBIDDEN|NOT_FOUND|METHOD_NOT_ALLOWED|NOT_ACCEPTABLE|CONFLICT|GONE|(?:PAYLOAD|REQUEST)_TOO_LONG|PAYLOAD_TOO_LARGE|UNSUPPORTED_MEDIA_TYPE|UNPROCESSABLE_ENTITY|TOO_MANY_REQUESTS|INTERNAL_SERVER_ERROR|INTERNAL_ERROR|NOT_IMPLEMENTED|BAD_GATEWAY|SERVICE_UNAVAILABLE|GATEWAY_TIMEOUT)(?:_\d+)?)$/;
/** Methods of answers whose first argument is a status. */
const SETS_STATUS = /^(?:status|sendStatus|code|writeHead|throw|setStatus)$/;
/** Methods of answers that are named for an error: `reply.badRequest()`, `res.notFound()`. */
const NAMED_ANSWER =
  /^(?:badRequest|unauthorized|forbidden|notFound|conflict|unprocessableEntity|payloadTooLarge|unsupportedMediaType|internalServerError|serverError)$/;
const ANSWER = /^(?:res|resp|response|reply|rep|ctx|context|c|h)$/;
/** Whose second argument is a status, or an object that holds one: `new Response(text, { status: 404 })`, `c.json(body, 404)`. */
const WITH_STATUS = /^(?:Response|NextResponse|json|text|html|body|send)$/;

/** `res.status(400).json(…)`, `ctx.status = 404`, `next(error)`, `callback(new Error(…))`, `ctx.throw(400)` */
function answersError(expression: Node): boolean {
  let node = unwrap(expression);
  while (node.type === 'AwaitExpression' || (node.type === 'UnaryExpression' && node.operator === 'void')) node = unwrap(node.argument);
  if (node.type === 'SequenceExpression') return node.expressions.some(answersError);
  if (node.type === 'AssignmentExpression')
    return isMember(node.left) && /^status(?:Code)?$/.test(memberName(node.left) ?? '') && isErrorStatus(node.right);
  if (!isCall(node)) return false;
  const callee = unwrap(node.callee);
  const name = calledName(node) ?? '';
  const [first, second] = node.arguments;
  if (!isMember(callee) && callee.type !== 'Identifier') return false;
  if (TAKES_ERROR.test(name) && (callee.type === 'Identifier' || nameOf(callee.object) === 'Promise'))
    return first !== undefined && isErrorValue(first, name);
  if (first && isMember(callee) && SETS_STATUS.test(name) && isErrorStatus(first)) return true;
  if (isMember(callee) && NAMED_ANSWER.test(name) && ANSWER.test(nameOf(callee.object))) return true;
  if (second && WITH_STATUS.test(name) && (isErrorStatus(second) || hasErrorStatus(second))) return true;
  // `res.status(404).json(…)`, `reply.code(400).header(…).send(…)`
  return isMember(callee) && answersError(callee.object);
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
  return node.type === 'NumericLiteral' ? node.value >= 400 && node.value < 600 : STATUS_NAME.test(nameOf(node));
}

/** `taker`: the function that it is passed to. What `next` of Express is passed is an error; `callback` may also be passed a result. */
function isErrorValue(value: Node, taker: string): boolean {
  const node = unwrap(value);
  if (taker === 'next' && (node.type === 'ObjectExpression' || node.type === 'NewExpression')) return true;
  // SvelteKit: https://svelte.dev/docs/kit/form-actions
  if (taker === 'fail' && isErrorStatus(node)) return true;
  if (node.type === 'StringLiteral') return ERROR_TEXT.test(node.value);
  return isCall(node) ? MAKES_ERROR.test(calledName(node) ?? '') : ERROR_NAME.test(nameOf(node));
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
function isForErrors(fn: FunctionNode): boolean {
  const [first] = fn.params;
  if (fn.params.length === 4 && first?.type === 'Identifier' && ERROR_NAME.test(first.name)) return true;
  const call = parentOf(fn);
  if (!isCall(call) || call.callee === fn) return false;
  return isForFailures(call) || (calledName(call) === 'then' && call.arguments[1] === fn);
}

/** Whether a function runs where it stands: `files.forEach((file) => …)`, `(() => { … })()`. */
function runsWithin(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  return isCall(call) && (call.callee === fn || runsAtOnce(fn));
}

/** Whether nothing but such places of the file runs a function: it is not exported, and only called. */
function isOnlyCalledThere(fn: FunctionNode, facts: Facts, depth: number): boolean {
  const known = facts.remember('functions that only failing requests run', () => new Map<FunctionNode, boolean>());
  let only = known.get(fn);
  if (only === undefined) {
    // A function that calls itself.
    known.set(fn, false);
    known.set(fn, (only = findOnlyCalledThere(fn, facts, depth)));
  }
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
