// Calls that test whether something throws: `new URL`, `JSON.parse`, `accessSync`, deep member reads, one key after another.
import {
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  startOf,
  endOf,
  unwrap,
  type CallNode,
  type LoopNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { patternIdentifiers } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isUrl, isValidUrl, isWrittenJson } from './cannot-throw.ts';
import { afterCatch, hasAwait, reportsError, type GuardedTry } from './catch-clause.ts';
import { isBuiltAtLoad, isSetting } from './settings.ts';
import { isAsked, isOnlyCalling, isYesOrNo } from './yes-or-no.ts';

export interface Probe {
  kind: 'url' | 'json' | 'json-until' | 'access' | 'type-error' | 'candidates' | 'throwing-call';
  /** The expression that throws. */
  culprit: Node;
  /** For messages: the call or read as written, shortened. */
  name: string;
  /** Whether the result is used, too: the exception only replaces it. */
  isUsed?: boolean;
  /** Whether the probe runs for every chunk of a stream. */
  isPerChunk?: boolean;
}

// A probe is in a small block. A long block that happens to parse something isolates work.
const MAX_STATEMENTS = 3;

export function findProbe(facts: Facts, node: GuardedTry): Probe | undefined {
  if (afterCatch(node.handler) === 'passes-on') return undefined;
  const { body } = node.block;
  if (body.length === 0 || hasAwait(node.block)) return undefined;
  // Code that logs an error does not expect it.
  if (reportsError(node.handler)) return undefined;
  const until = findJsonUntil(facts, node);
  if (until) return until;
  const candidates = findCandidates(facts, node);
  if (candidates) return candidates;
  if (body.length > MAX_STATEMENTS) return undefined;
  return (
    findUrlProbe(facts, node) ??
    findAccessProbe(facts, node) ??
    findJsonProbe(facts, node) ??
    findTypeErrorProbe(node) ??
    findThrowingCall(facts, node)
  );
}

// ---- new URL

function findUrlProbe(facts: Facts, node: GuardedTry): Probe | undefined {
  const [first] = node.block.body;
  const culprit = first && findCall(first, (call) => call.type === 'NewExpression' && isUrl(facts, call.callee));
  if (!culprit) return undefined;
  const [argument, base] = culprit.arguments;
  if (!argument || argument.type === 'StringLiteral' || isSetting(facts, argument)) return undefined;
  // With a base, nearly every text is a valid URL. A throw is then a real exception.
  if ((base || startsWithHost(argument)) && !isYesOrNo(node)) return undefined;
  if (isCheckedBefore(facts, node, argument) || isValidUrl(facts, argument)) return undefined;
  return { kind: 'url', culprit, name: `new URL(${short(facts, argument)})`, isUsed: !isOnlyTested(facts, first, culprit) };
}

/** Whether only yes or no comes of a call: its value is dropped, cast to a boolean, or never read. */
function isOnlyTested(facts: Facts, statement: t.Statement, call: Node): boolean {
  if (isOnlyCalling(facts, statement, call)) return true;
  let value: Node = call;
  for (let up = parentOf(value); up && unwrap(up) === call; up = parentOf(value)) value = up;
  const user = parentOf(value);
  if (user?.type === 'UnaryExpression') return user.operator === '!' || user.operator === 'typeof';
  if (user?.type === 'ConditionalExpression' || user?.type === 'IfStatement') return user.test === value;
  return isCall(user) && facts.origins.isGlobal(user.callee, 'Boolean');
}

/** `if (!URL.canParse(link)) return null;` right before the try: what it still catches is something else. */
function isCheckedBefore(facts: Facts, node: GuardedTry, argument: Node): boolean {
  const block = parentOf(node);
  const before = block?.type === 'BlockStatement' ? block.body[block.body.indexOf(node) - 1] : undefined;
  return before?.type === 'IfStatement' && facts.source.slice(before.test).includes(`canParse(${facts.source.slice(argument)}`);
}

/** `http://x${path}`: the URL already has its host, whatever follows. */
function startsWithHost(argument: Node): boolean {
  const start =
    argument.type === 'TemplateLiteral'
      ? argument.quasis[0]?.value.raw
      : argument.type === 'BinaryExpression' && argument.left.type === 'StringLiteral'
        ? argument.left.value
        : undefined;
  return start !== undefined && /^[a-z][a-z\d+.-]*:\/\/[\w[]/i.test(start);
}

// ---- fs.accessSync

const EXISTENCE_CALLS: ReadonlySet<string> = new Set(['accessSync', 'statSync', 'lstatSync']);

function findAccessProbe(facts: Facts, node: GuardedTry): Probe | undefined {
  const [first] = node.block.body;
  if (first?.type !== 'ExpressionStatement') return undefined;
  const call = unwrap(first.expression);
  // The result is not used: only whether it throws matters.
  if (!isCall(call)) return undefined;
  const member = facts.origins.moduleMember(call.callee);
  const name = member?.path[0];
  if (member?.module !== 'fs' || member.path.length !== 1 || !name || !EXISTENCE_CALLS.has(name)) return undefined;
  return { kind: 'access', culprit: call, name };
}

// ---- JSON.parse as a test of the type

function findJsonProbe(facts: Facts, node: GuardedTry): Probe | undefined {
  const [first] = node.block.body;
  const culprit = first && findCall(first, (call) => isJsonParse(facts, call));
  const argument = culprit?.arguments[0];
  if (!culprit || !argument || isSetting(facts, argument) || isWrittenJson(facts, argument)) return undefined;
  const text = facts.source.slice(argument);
  // "Not JSON" is an expected result if the raw text is used instead, or if only yes or no results from the parse.
  if (!(fallsBackTo(facts, node, culprit, text) || (isYesOrNo(node) && isUnusedResult(culprit)))) return undefined;
  return { kind: 'json', culprit, name: `JSON.parse(${short(facts, argument)})`, isUsed: !isUnusedResult(culprit) };
}

function isJsonParse(facts: Facts, call: CallNode): boolean {
  return (
    call.type !== 'NewExpression' &&
    isMember(call.callee) &&
    memberName(call.callee) === 'parse' &&
    facts.origins.isGlobal(call.callee, 'JSON.parse')
  );
}

/** Whether the catch uses the parsed text where the try uses the value. */
function fallsBackTo(facts: Facts, node: GuardedTry, culprit: Node, text: string): boolean {
  const values: Node[] = [];
  const taker = parentOf(culprit);
  for (const statement of node.handler.body.body) {
    if (statement.type === 'ReturnStatement' && statement.argument) values.push(statement.argument);
    if (statement.type === 'ExpressionStatement' && statement.expression.type === 'AssignmentExpression')
      values.push(statement.expression.right);
    // `out.push(JSON.parse(text))` and `out.push(text)`; `skipped.push(text)` is another list.
    if (
      statement.type === 'ExpressionStatement' &&
      isCall(statement.expression) &&
      isCall(taker) &&
      facts.source.slice(taker.callee) === facts.source.slice(statement.expression.callee)
    )
      values.push(...statement.expression.arguments);
  }
  if (values.some((value) => facts.source.slice(unwrap(value)) === text)) return true;
  // `try { value = JSON.parse(value) } catch {}` keeps the raw text by doing nothing.
  const [only] = node.block.body;
  return (
    node.handler.body.body.length === 0 &&
    only?.type === 'ExpressionStatement' &&
    only.expression.type === 'AssignmentExpression' &&
    facts.source.slice(only.expression.left) === text &&
    !isReadAsObject(facts, only.expression.left, node)
  );
}

/**
 * `try { data = JSON.parse(data) } catch {} if (data.result) …`: no text is expected here, so the exception is one. What asks first, as in
 * `typeof data === 'object'` and `data?.id`, expects a text, too.
 */
function isReadAsObject(facts: Facts, variable: Node, node: GuardedTry): boolean {
  const binding = variable.type === 'Identifier' ? facts.bindings.resolve(variable) : undefined;
  const later = binding ? facts.bindings.references(binding).filter((reference) => startOf(reference) >= endOf(node)) : [];
  const isRead = later.some((reference) => {
    const member = parentOf(reference);
    if (!isMember(member) || member.object !== reference || member.computed) return false;
    const name = memberName(member) ?? '';
    return name !== 'length' && !HARMLESS_METHODS.has(name);
  });
  return isRead && !later.some(isAsked);
}

function isUnusedResult(call: Node): boolean {
  return parentOf(call)?.type === 'ExpressionStatement';
}

// ---- JSON.parse until it stops throwing

function findJsonUntil(facts: Facts, node: GuardedTry): Probe | undefined {
  const culprit = findCall(node.block, (call) => isJsonParse(facts, call));
  const argument = culprit?.arguments[0];
  if (!culprit || !argument) return undefined;
  const loop = loopInFunction(node);
  const found: Probe = { kind: 'json-until', culprit, name: `JSON.parse(${short(facts, argument)})` };
  // Success leaves the loop, failure continues with more text.
  if (loop && leavesOnSuccess(node, loop) && !leavesOnFailure(node) && !isCandidateItself(facts, argument, loop)) return found;
  return isGrownByChunks(facts, node, argument) ? { ...found, isPerChunk: true } : undefined;
}

/** `for (const line of lines) { try { return JSON.parse(line) } … }` tries different texts, each once. */
function isCandidateItself(facts: Facts, argument: Node, loop: LoopNode): boolean {
  const node = unwrap(argument);
  return (
    node.type === 'Identifier' &&
    loop.type === 'ForOfStatement' &&
    loopNames(loop).has(node.name) &&
    facts.bindings.resolve(node)?.scope === loop
  );
}

/** `stream.on('data', (chunk) => { text += chunk; try { JSON.parse(text) } catch {} })` parses the whole text again for every chunk. */
function isGrownByChunks(facts: Facts, node: GuardedTry, argument: Node): boolean {
  const text = unwrap(argument);
  if (text.type !== 'Identifier') return false;
  let fn: Node | undefined = parentOf(node);
  while (fn && !isFunction(fn)) fn = parentOf(fn);
  const call = fn && parentOf(fn);
  if (!fn || !isCall(call) || !isMember(call.callee) || !/^(?:on|addListener)$/.test(memberName(call.callee) ?? '')) return false;
  const [event] = call.arguments;
  if (event?.type !== 'StringLiteral' || !/^(?:data|message|line|chunk)$/.test(event.value)) return false;
  const binding = facts.bindings.resolve(text);
  return (
    binding !== undefined &&
    facts.bindings.references(binding).some((reference) => {
      const parent = parentOf(reference);
      return (
        parent?.type === 'AssignmentExpression' &&
        parent.left === reference &&
        startOf(parent) > startOf(fn) &&
        endOf(parent) < endOf(fn) &&
        (parent.operator === '+=' ||
          (parent.operator === '=' &&
            parent.right.type === 'BinaryExpression' &&
            parent.right.operator === '+' &&
            facts.source.slice(parent.right.left) === text.name))
      );
    })
  );
}

// ---- one candidate after another until one does not throw

const NOT_CANDIDATES = /^(?:attempts?|tries|retry|retries|n|round)$/i;
// Looking for a file or a module is startup work, and the lookup costs more than the throw.
const FILE_MODULES: ReadonlySet<string> = new Set(['fs', 'child_process', 'module', 'fs-extra', 'graceful-fs']);
const VERIFYING = /verify|decrypt|decode|unseal|unsign|authenticate/i;

function findCandidates(facts: Facts, node: GuardedTry): Probe | undefined {
  if (reportsError(node.handler)) return undefined;
  const loop = loopInFunction(node);
  if (loop) {
    if (loop.type === 'WhileStatement' || loop.type === 'DoWhileStatement' || !leavesOnSuccess(node, loop) || leavesOnFailure(node))
      return undefined;
    const found = candidateCall(facts, node, loopNames(loop));
    // What the program itself has encrypted was encrypted with the first key, as a rule.
    const isOwn =
      found &&
      (isFinal(found.culprit) || isMakingCipher(facts, found.culprit)) &&
      loop.type === 'ForOfStatement' &&
      isBuiltAtLoad(facts, loop.right);
    return isOwn ? undefined : found;
  }
  // `keys.some((key) => { try { return verify(token, key) } catch { return false } })`
  const fn = parentOf(node) && parentOf(parentOf(node) as Node);
  const call = fn && isFunction(fn) ? parentOf(fn) : undefined;
  if (
    !fn ||
    !isFunction(fn) ||
    fn.async ||
    !isCall(call) ||
    !isMember(call.callee) ||
    !/^(?:some|find|every|findIndex|filter)$/.test(memberName(call.callee) ?? '')
  )
    return undefined;
  const names = new Set(
    fn.params
      .flatMap((param) => (param.type === 'TSParameterProperty' ? [] : patternIdentifiers(param)))
      .map((identifier) => identifier.name),
  );
  const found = candidateCall(facts, node, names);
  return found && VERIFYING.test(found.name) ? found : undefined;
}

function candidateCall(facts: Facts, node: GuardedTry, names: ReadonlySet<string>): Probe | undefined {
  const culprit = findCall(
    node.block,
    (call) =>
      !isConversion(facts, call) &&
      (call.arguments.some((argument) => mentions(argument, names)) || (isMember(call.callee) && mentions(call.callee.object, names))),
  );
  if (!culprit || [...names].some((name) => NOT_CANDIDATES.test(name))) return undefined;
  if (isMakingCipher(facts, culprit)) {
    const last = findCall(node.block, isFinal) ?? culprit;
    return { kind: 'candidates', culprit: last, name: short(facts, last.callee) };
  }
  const callee = unwrap(culprit.callee);
  if (
    callee.type === 'Import' ||
    (callee.type === 'Identifier' && /^(?:require|import)/.test(callee.name)) ||
    (isMember(callee) && memberName(callee) === 'resolve')
  )
    return undefined;
  if (
    FILE_MODULES.has(facts.origins.moduleMember(callee)?.module ?? '') ||
    /Sync$/.test(isMember(callee) ? (memberName(callee) ?? '') : callee.type === 'Identifier' ? callee.name : '')
  )
    return undefined;
  return { kind: 'candidates', culprit, name: short(facts, culprit.callee) };
}

const isFinal = (node: Node): boolean => isCall(node) && isMember(node.callee) && memberName(node.callee) === 'final';

/** `createDecipheriv(algorithm, key, iv)` takes any key of the right length. With a wrong one, `final` throws. */
function isMakingCipher(facts: Facts, call: Node): boolean {
  const member = isCall(call) ? facts.origins.moduleMember(call.callee) : undefined;
  return member?.module === 'crypto' && member.path[0] === 'createDecipheriv';
}

/** `parseInt(text)`, `String(value).split('.')`: these have a result for every input. */
function isConversion(facts: Facts, call: CallNode): boolean {
  if (isMember(call.callee) && HARMLESS_METHODS.has(memberName(call.callee) ?? '')) return true;
  return ['parseInt', 'parseFloat', 'Number', 'String', 'Boolean'].some((name) => facts.origins.isGlobal(call.callee, name));
}

function mentions(root: Node, names: ReadonlySet<string>): boolean {
  let found = false;
  walkWithin(root, (node) => {
    if (node.type === 'Identifier' && names.has(node.name)) {
      const parent = parentOf(node);
      if (!(isMember(parent) && parent.property === node && !parent.computed)) found = true;
    }
    return !found;
  });
  return found;
}

function loopNames(loop: LoopNode): Set<string> {
  const head =
    loop.type === 'ForOfStatement' || loop.type === 'ForInStatement' ? loop.left : loop.type === 'ForStatement' ? loop.init : undefined;
  if (head?.type === 'VariableDeclaration')
    return new Set(head.declarations.flatMap((declarator) => patternIdentifiers(declarator.id)).map((identifier) => identifier.name));
  return new Set(head?.type === 'Identifier' ? [head.name] : []);
}

/** The loop statement around a try, in the same function. */
function loopInFunction(node: Node): LoopNode | undefined {
  for (let at = parentOf(node); at && !isFunction(at); at = parentOf(at)) if (isLoop(at)) return at;
  return undefined;
}

/** Whether the last statement of the try, or the one after the try, ends the loop if nothing was thrown. */
function leavesOnSuccess(node: GuardedTry, loop: LoopNode): boolean {
  if (isLeaving(node.block.body.at(-1))) return true;
  const block = parentOf(node);
  if (block?.type === 'BlockStatement') {
    const next = block.body[block.body.indexOf(node) + 1];
    if (next && isLeaving(next) && node.handler.body.body.at(-1)?.type === 'ContinueStatement') return true;
    // `try { payload = verify(token, key) } catch {} if (payload) break;`
    if (
      next?.type === 'IfStatement' &&
      isLeaving(next.consequent.type === 'BlockStatement' ? next.consequent.body.at(-1) : next.consequent) &&
      assignedNames(node.block).some((name) => mentions(next.test, new Set([name])))
    )
      return true;
  }
  // `while (!parsed) { try { parsed = JSON.parse(text) } catch { … } }`
  if (loop.type !== 'WhileStatement' && loop.type !== 'DoWhileStatement') return false;
  return mentions(loop.test, new Set(assignedNames(node.block)));
}

/** Variables that the statements of a block assign. */
function assignedNames(block: t.BlockStatement): string[] {
  return block.body.flatMap((statement) =>
    statement.type === 'ExpressionStatement' &&
    statement.expression.type === 'AssignmentExpression' &&
    statement.expression.left.type === 'Identifier'
      ? [statement.expression.left.name]
      : [],
  );
}

/** `switch (kind) { case 'a': try { …; break; } … }` continues the loop around it. */
function isOfSwitch(statement: t.BreakStatement): boolean {
  let at = parentOf(statement);
  while (at && at.type !== 'SwitchStatement' && !isLoop(at)) at = parentOf(at);
  return !statement.label && at?.type === 'SwitchStatement';
}

function isLeaving(statement: t.Statement | undefined): boolean {
  return (
    (statement?.type === 'BreakStatement' && !isOfSwitch(statement)) ||
    (statement?.type === 'ReturnStatement' &&
      !(statement.argument && statement.argument.type === 'BooleanLiteral' && !statement.argument.value))
  );
}

function leavesOnFailure(node: GuardedTry): boolean {
  return afterCatch(node.handler) !== 'continues';
}

// ---- any other call whose only result is whether it throws

/** What writes does its work in the call. That it fails is an exception. */
const SENDS = /^(?:write|end|send|emit|push|publish|postMessage|destroy|close|kill)$/;

function findThrowingCall(facts: Facts, node: GuardedTry): Probe | undefined {
  const [attempt] = node.block.body;
  if (!isYesOrNo(node) || node.block.body.length !== 2 || node.handler.body.body.length !== 1 || attempt?.type !== 'ExpressionStatement')
    return undefined;
  const call = unwrap(attempt.expression);
  return isCall(call) && call.callee.type !== 'Import' && !(isMember(call.callee) && SENDS.test(memberName(call.callee) ?? ''))
    ? { kind: 'throwing-call', culprit: call, name: short(facts, call.callee) }
    : undefined;
}

// ---- a TypeError instead of `?.`

/** Methods of strings and arrays that only throw if the receiver is missing. */
const HARMLESS_METHODS: ReadonlySet<string> = new Set([
  'match',
  'split',
  'trim',
  'toString',
  'toLowerCase',
  'toUpperCase',
  'indexOf',
  'lastIndexOf',
  'includes',
  'replace',
  'slice',
  'substr',
  'substring',
  'charAt',
  'startsWith',
  'endsWith',
  'join',
  'concat',
  'at',
]);

function findTypeErrorProbe(node: GuardedTry): Probe | undefined {
  if (reportsError(node.handler)) return undefined;
  let culprit: Node | undefined;
  for (const statement of node.block.body) {
    if (!isOnlyReading(statement)) return undefined;
    culprit ??= findRiskyRead(statement);
  }
  return culprit ? { kind: 'type-error', culprit, name: '' } : undefined;
}

/** Properties of elements. They are getters, which may throw by themselves: domino does on a style that it cannot parse. */
const OF_ELEMENTS = /^(?:style|classList|dataset|parentElement|parentNode|ownerDocument|childNodes|innerHTML|outerHTML|textContent)$/;

function isOnlyReading(root: Node): boolean {
  let only = true;
  walkWithin(root, (node) => {
    switch (node.type) {
      case 'Identifier':
      case 'ThisExpression':
      case 'StringLiteral':
      case 'NumericLiteral':
      case 'BooleanLiteral':
      case 'NullLiteral':
      case 'RegExpLiteral':
      case 'TemplateLiteral':
      case 'TemplateElement':
      case 'LogicalExpression':
      case 'BinaryExpression':
      case 'ConditionalExpression':
      case 'ParenthesizedExpression':
      case 'AssignmentExpression':
      case 'ExpressionStatement':
      case 'VariableDeclaration':
      case 'VariableDeclarator':
      case 'ReturnStatement':
      case 'IfStatement':
      case 'BlockStatement':
      case 'TSAsExpression':
      case 'TSNonNullExpression':
      case 'TSTypeAssertion':
      case 'ArrayExpression':
      case 'ObjectExpression':
      case 'ObjectProperty':
        return true;
      case 'MemberExpression':
      case 'OptionalMemberExpression':
        only &&= !OF_ELEMENTS.test(memberName(node) ?? '');
        return only;
      case 'UnaryExpression':
        only &&= node.operator !== 'delete';
        return only;
      case 'CallExpression':
      case 'OptionalCallExpression':
        only &&= isMember(node.callee) && HARMLESS_METHODS.has(memberName(node.callee) ?? '');
        return only;
      default:
        only = false;
        return false;
    }
  });
  return only;
}

/** A read that throws if something in the chain is missing: two members deep, or of a variable that the statement itself replaces. */
function findRiskyRead(statement: Node): Node | undefined {
  let found: Node | undefined;
  walkWithin(statement, (node) => {
    if (found) return false;
    if (node.type !== 'MemberExpression' || isWrittenTo(node) || isWrittenBack(node)) return true;
    const object = unwrap(node.object);
    const isDeep = (object.type === 'MemberExpression' || object.type === 'CallExpression') && !isWellKnown(object) && !isText(object);
    if (isDeep || isStepDown(node, object)) found = node;
    return !found;
  });
  return found;
}

function isWrittenTo(node: Node): boolean {
  const parent = parentOf(node);
  return parent?.type === 'AssignmentExpression' && parent.left === node;
}

/** `headers[key] = '' + headers[key]`: code that writes to a place does not test whether the path to it exists. */
function isWrittenBack(node: t.MemberExpression): boolean {
  let at = parentOf(node);
  while (at && (at.type === 'BinaryExpression' || at.type === 'LogicalExpression' || at.type === 'CallExpression' || isMember(at)))
    at = parentOf(at);
  return at?.type === 'AssignmentExpression' && isMember(at.left) && isSamePlace(at.left, node);
}

function isSamePlace(one: Node, other: Node): boolean {
  if (isMember(one) && isMember(other)) return isSamePlace(one.object, other.object) && isSamePlace(one.property, other.property);
  if (one.type === 'Identifier' && other.type === 'Identifier') return one.name === other.name;
  if (one.type === 'StringLiteral' && other.type === 'StringLiteral') return one.value === other.value;
  return one.type === 'ThisExpression' && other.type === 'ThisExpression';
}

/** `value.toString().trim()`: these methods always return a string. */
function isText(object: t.MemberExpression | t.CallExpression): boolean {
  return (
    object.type === 'CallExpression' &&
    isMember(object.callee) &&
    /^(?:toString|trim|toLowerCase|toUpperCase|replace|slice|substr|substring|charAt|join|concat)$/.test(memberName(object.callee) ?? '')
  );
}

/** `this.options`, `process.env`, `module.exports`, `req.headers`: they always exist. */
function isWellKnown(object: t.MemberExpression | t.CallExpression): boolean {
  if (object.type !== 'MemberExpression') return false;
  return (
    object.object.type === 'ThisExpression' ||
    (object.object.type === 'Identifier' &&
      /^(?:process|module|req|request|res|response|window|document|globalThis|global|exports)$/.test(object.object.name))
  );
}

/** `json = json[key]` */
function isStepDown(node: t.MemberExpression, object: Node): boolean {
  const parent = parentOf(node);
  return (
    parent?.type === 'AssignmentExpression' &&
    parent.right === node &&
    parent.operator === '=' &&
    object.type === 'Identifier' &&
    parent.left.type === 'Identifier' &&
    parent.left.name === object.name
  );
}

// ---- shared

function findCall(root: Node, test: (call: CallNode) => boolean): CallNode | undefined {
  let found: CallNode | undefined;
  walkWithin(root, (node) => {
    if (found || (isFunction(node) && node !== root)) return false;
    // An inner try handles its own exceptions.
    if (node.type === 'TryStatement' && node !== root && node.handler) return false;
    if (isCall(node) && test(node)) found = node;
    return !found;
  });
  return found;
}

// Longer source text would dominate the message.
const MAX_NAME = 40;

export function short(facts: Facts, node: Node): string {
  const text = facts.source.slice(node).replace(/\s+/g, ' ');
  return text.length > MAX_NAME ? `${text.slice(0, MAX_NAME - 1)}…` : text;
}
