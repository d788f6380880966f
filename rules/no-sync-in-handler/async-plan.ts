// What must become async so that a call can be awaited: the function, its callers in the file, and what handles its errors.
import {
  enclosingFunction,
  isCall,
  isMember,
  parentOf,
  startOf,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../analysis/module/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { waitsBefore } from '../../analysis/facts/awaits/dropped-results.ts';
import { isOfExports } from '../../analysis/fix/function-exports.ts';
import { whyNoGap } from '../../analysis/fix/await-gap.ts';
import {
  asyncEdits,
  awaitEdits,
  calledName,
  callbackReason,
  isEndListener,
  isPromiseCallback,
  whyNoAwait,
  whyToldSync,
} from '../../analysis/fix/make-async.ts';
import { passErrorsOn, withIndents, type PassedOn } from '../../analysis/fix/pass-errors-on.ts';
import { withoutUnusedImports } from '../../analysis/fix/unused-imports.ts';
import type { Handler } from '../../analysis/facts/handlers/handler.ts';
import type { Edit, Fix } from '../../analysis/rule.ts';
import type { FunctionCondition } from '../../protocol/finding.ts';
import { canPassErrorsOn, handlerEdits, whyNotAsync } from './promise-contract.ts';

export const TITLE = 'Convert to the promise form';

/** Handlers that something outside of the file calls. */
const IS_OUTSIDE: ReadonlySet<Handler['kind']> = new Set(['signature', 'exported', 'invocation']);

/** Nobody reviews a fix that changes more functions, and each is one more level of a recursion. */
const MOST_FUNCTIONS = 50;

/** Two or more callers, in words. */
export const allOf = (callers: number): string => (callers === 2 ? 'both callers' : `all ${callers} callers`);

/** What must become async and which calls must be awaited, so that one function can be async. */
export class AsyncPlan {
  readonly asyncFunctions = new Set<FunctionNode>();
  /** Whether the whole project may know more than the file about what prevents the conversion. */
  isAboutCallers = false;
  /** Handlers that other files may call. */
  readonly #open: FunctionNode[] = [];
  /** Async functions that so far do what follows before their callers go on. */
  readonly #prompt = new Set<FunctionNode>();
  readonly #awaited = new Set<CallNode>();
  readonly #passed: PassedOn[] = [];
  readonly #ofHandlers: Edit[] = [];
  #answersMessages = false;
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Plans `async` for a function in which `site` will be awaited. Returns the reason if that would change what the code does. */
  makeAsync(fn: FunctionNode, site: Node): string | undefined {
    if (fn.async && !waitsBefore(fn, site, this.#facts)) {
      if (this.#isMethodOfUnknown(fn))
        return `${calledName(fn)} is set on an object, so not all of its callers are known. One that does not wait would go on before the rest of it has run`;
      this.#prompt.add(fn);
    }
    if (this.asyncFunctions.has(fn)) return whyNoAwait(fn, site) ?? whyNoGap(fn, site, this.#facts);
    if (this.asyncFunctions.size >= MOST_FUNCTIONS) return `more than ${MOST_FUNCTIONS} functions would have to become async`;
    this.asyncFunctions.add(fn);
    return this.#whyNotAsync(fn, site) ?? whyToldSync(fn, this.#facts) ?? whyNoGap(fn, site, this.#facts);
  }

  /** `client.transcript = async function (…) { … }`, where no framework is known to call it. */
  #isMethodOfUnknown(fn: FunctionNode): boolean {
    const assignment = parentOf(fn);
    if (assignment?.type !== 'AssignmentExpression' || !isMember(assignment.left) || isOfExports(assignment)) return false;
    return this.#facts.handlersOf(fn).every(({ kind }) => kind === 'signature');
  }

  #whyNotAsync(fn: FunctionNode, site: Node): string | undefined {
    const called = calledName(fn);
    const reason = whyNoAwait(fn, site);
    if (reason !== undefined || fn.async) return reason;
    const [handler] = this.#facts.handlersOf(fn);
    if (!handler) return this.#callersOf(fn, called);
    const [direct] = this.#facts.calls.callersOf(fn).filter(({ edge }) => edge.via === 'call');
    const isCalled = direct !== undefined;
    if (isCalled && handler.kind !== 'signature') {
      this.isAboutCallers = true;
      return `${called} is registered as a handler, and this file also calls it without awaiting it (line ${this.#line(direct.edge.site)}). Let both call a function of their own`;
    }
    // A function with the parameters of a handler that this file itself calls is a helper: its callers can await it.
    if (isCalled) return this.#callersOf(fn, called);
    const isInline = isCall(parentOf(fn)) && handler.kind !== 'signature';
    if (!isInline && (IS_OUTSIDE.has(handler.kind) || !isLocal(fn, this.#facts))) this.#open.push(fn);
    const reasonOfFramework = whyNotAsync(handler, this.#facts);
    this.#answersMessages ||= (handler.kind === 'socket' || handler.kind === 'ipc') && isEveryTime(fn);
    if (reasonOfFramework === undefined) this.#ofHandlers.push(...handlerEdits(handler, this.#facts));
    const passed =
      reasonOfFramework !== undefined && handler.kind !== 'signature' && canPassErrorsOn(handler, this.#facts)
        ? passErrorsOn(fn, this.#facts)
        : undefined;
    if (passed) this.#passed.push(passed);
    return passed ? undefined : reasonOfFramework;
  }

  /** Whether handlers pass their errors to `next`, since the framework does not catch rejected promises. */
  get passesErrorsOn(): boolean {
    return this.#passed.length > 0;
  }

  /**
   * The fix that makes `edits` and what they need. `callees`: the expressions that they replace. `isOpen`: what the edits do not contain.
   * `own`: how many functions the edits are in.
   */
  fix(title: string, edits: readonly Edit[], callees: readonly Node[], isOpen: (edit: Edit) => boolean = () => true, own = 1): Fix {
    const callers = this.asyncFunctions.size - own;
    const also = callers > 0 ? ` and await it in ${callers === 1 ? 'the caller' : allOf(callers)}` : '';
    const passed = this.passesErrorsOn ? ', with errors passed to `next`' : '';
    // The next message no longer waits for the answer to the one before.
    const overtaken = this.#answersMessages ? ' (a later message may be answered first)' : '';
    const all = withoutUnusedImports([...edits, ...this.edits().filter(isOpen)], callees, this.#facts);
    const indents = this.#passed.flatMap((one) => one.indents);
    const { unlessCalled, unlessDropped } = this;
    return {
      title: `${title}${also}${passed}${overtaken}`,
      kind: 'suggestion',
      // The answer is the same, but a maintainer who knows that the `catch` does not throw would not write it so.
      ...(this.#passed.some(({ isNested }) => isNested) ? { named: 'nested-try' } : {}),
      // The order of answers is part of what a client sees.
      ...(this.#answersMessages ? { named: 'message-order' } : {}),
      edits: withIndents(all, indents),
      ...(unlessCalled ? { unlessCalled } : {}),
      ...(unlessDropped ? { unlessDropped } : {}),
    };
  }

  /** Set where callers that do not wait would overtake what follows the new `await`. */
  get unlessDropped(): FunctionCondition | undefined {
    const [first] = this.#prompt;
    if (!first) return undefined;
    const reason = `{{caller}} calls ${calledName(first)} without waiting for it, and would go on before the rest of ${calledName(first)} has run. Await the call there`;
    return { functions: [...this.#prompt].map((fn) => ({ start: startOf(fn) })), refused: { title: TITLE, reason } };
  }

  /** Set where only the project can tell whether the handlers have callers. */
  get unlessCalled(): FunctionCondition | undefined {
    const [first] = this.#open;
    if (!first) return undefined;
    const reason = `${calledName(first)} may have callers in other files, which would have to await it`;
    return { functions: this.#open.map((fn) => ({ start: startOf(fn) })), refused: { title: TITLE, reason, acrossFiles: true } };
  }

  edits(): Edit[] {
    return [
      ...[...this.asyncFunctions].flatMap((fn) => asyncEdits(fn, this.#facts)),
      ...[...this.#awaited].flatMap((call) => awaitEdits(call, this.#facts)),
      ...this.#passed.flatMap(({ edits }) => edits),
      ...this.#ofHandlers,
    ];
  }

  #line(node: Node): number {
    return this.#facts.source.positionAt(startOf(node)).line;
  }

  #callersOf(fn: FunctionNode, called: string): string | undefined {
    const reason = this.#awaitInCallers(fn, called);
    if (reason !== undefined) this.isAboutCallers = true;
    return reason;
  }

  #awaitInCallers(fn: FunctionNode, called: string): string | undefined {
    const facts = this.#facts;
    const parent = parentOf(fn);
    if (parent && isCall(parent) && parent.callee !== fn)
      return isPromiseCallback(parent) || isEndListener(parent, facts) ? undefined : callbackReason(parent, facts);
    if (isMethod(fn)) return `${called} is a method, and it may have callers in other files`;
    const identifier =
      fn.type === 'FunctionDeclaration'
        ? fn.id
        : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
          ? parent.id
          : undefined;
    const binding = identifier ? facts.bindings.resolve(identifier) : undefined;
    if (!binding || !facts.bindings.isConstant(binding))
      return `not all callers of ${called} are known (line ${this.#line(fn)}). Give it a name that is declared with \`const\` or \`function\``;
    if (isExported(fn)) return `${called} is exported, and it may have callers in other files`;
    for (const reference of facts.bindings.references(binding)) {
      const call = parentOf(reference);
      if (call?.type === 'ExportSpecifier' || isAssignedToMember(reference))
        return `${called} is exported, and it may have callers in other files`;
      if (call?.type === 'NewExpression')
        return `${called} is a constructor (line ${this.#line(call)}), which cannot wait. Pass it what it reads`;
      if (!call || !isCall(call) || call.callee !== reference)
        return `${called} is passed as a value, and its callers are unknown (line ${this.#line(reference)}). Call it by its name where its result can be awaited`;
      const caller = enclosingFunction(call);
      if (!caller)
        return `${called} is also called at startup, at the top level (line ${this.#line(call)}). Use a function of its own there`;
      const reason = this.makeAsync(caller, call);
      // Most reasons are about the caller itself, which is not where the finding is.
      if (reason) return /\bline \d/i.test(reason) ? reason : `line ${this.#line(call)}: ${reason}`;
      this.#awaited.add(call);
    }
    return undefined;
  }
}

/** A client connects once. */
function isEveryTime(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  const event = isCall(call) ? call.arguments[0] : undefined;
  return !(event?.type === 'StringLiteral' && /^(?:connection|connect|upgrade|close|disconnect)$/.test(event.value));
}

function isMethod(fn: FunctionNode): boolean {
  const parent = parentOf(fn)?.type;
  return (
    fn.type === 'ClassMethod' ||
    fn.type === 'ClassPrivateMethod' ||
    fn.type === 'ObjectMethod' ||
    parent === 'ObjectProperty' ||
    parent === 'ClassProperty' ||
    parent === 'AssignmentExpression'
  );
}

/** Whether nothing outside of the file can name it. */
function isLocal(fn: FunctionNode, facts: Facts): boolean {
  const parent = parentOf(fn);
  const identifier =
    fn.type === 'FunctionDeclaration'
      ? fn.id
      : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier'
        ? parent.id
        : undefined;
  const binding = identifier ? facts.bindings.resolve(identifier) : undefined;
  return (
    binding !== undefined &&
    !isExported(fn) &&
    facts.bindings.references(binding).every((one) => parentOf(one)?.type !== 'ExportSpecifier' && !isAssignedToMember(one))
  );
}

function isExported(fn: FunctionNode): boolean {
  for (let at = parentOf(fn), depth = 0; at && depth < 3; at = parentOf(at), depth++) {
    if (at.type === 'ExportNamedDeclaration' || at.type === 'ExportDefaultDeclaration') return true;
  }
  return false;
}

/** `module.exports = load`, `exports.load = load`, `module.exports = { load }` */
function isAssignedToMember(reference: Node): boolean {
  for (let at = parentOf(reference), depth = 0; at && depth < 4; at = parentOf(at), depth++) {
    if (at.type === 'AssignmentExpression') return isMember(at.left) && at.left !== reference;
    if (at.type !== 'ObjectProperty' && at.type !== 'ObjectExpression' && at.type !== 'ArrayExpression') return false;
  }
  return false;
}
