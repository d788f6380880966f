// Fix: the promise form of the call, with `await`, and `async` on the function and its callers in this file. Refused if it could change
// what the code does.
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
import {
  asyncEdits,
  awaitEdits,
  calledName,
  callbackReason,
  isEndListener,
  isPromiseCallback,
  whyNoAwait,
} from '../../analysis/fix/make-async.ts';
import { whyNoGap } from '../../analysis/fix/await-gap.ts';
import type { UncalledCondition } from '../../protocol/finding.ts';
import type { Edit, Fix, RefusedFix } from '../../analysis/rule.ts';
import { withoutUnusedImports } from '../../analysis/fix/unused-imports.ts';
import type { BlockingMatch } from './blocking.ts';
import { callEdits } from './call-edits.ts';
import { passErrorsOn, type PassedOn } from '../../analysis/fix/pass-errors-on.ts';
import { canPassErrorsOn, whyNotAsync } from './promise-contract.ts';
import { whySamePath } from './same-path.ts';

export type Conversion = { fix: Fix } | { refused: RefusedFix };

export const TITLE = 'Convert to the promise form';

/** Each finding carries the edits of all of them. Nobody writes so many by hand. */
const MOST_TOGETHER = 50;

/**
 * The conversion of one blocking call, and of all those of its function that can be converted (`siblings`); or the reason why it is not
 * offered.
 */
export function toAsync(match: BlockingMatch, facts: Facts, siblings: readonly BlockingMatch[] = []): readonly Conversion[] {
  const one = convert([match], facts);
  if ('refused' in one || siblings.length < 2 || siblings.length > MOST_TOGETHER) return [one];
  const known = facts.remember('conversions of functions', () => new Map<Node | undefined, Conversion | undefined>());
  const fn = enclosingFunction(match.call);
  if (!known.has(fn)) known.set(fn, convertTogether(siblings, facts));
  const all = known.get(fn);
  return all && 'fix' in all ? [one, all] : [one];
}

function convertTogether(siblings: readonly BlockingMatch[], facts: Facts): Conversion | undefined {
  const convertible = siblings.filter((sibling) => 'fix' in convert([sibling], facts));
  return convertible.length < 2 ? undefined : convert(convertible, facts);
}

function convert(matches: readonly BlockingMatch[], facts: Facts): Conversion {
  const refuse = (reason: string, acrossFiles = false): Conversion => ({
    refused: { title: TITLE, reason, ...(acrossFiles ? { acrossFiles } : {}) },
  });
  const plan = new AsyncPlan(facts);
  const edits: Edit[] = [];
  let called = '';
  let label = '';
  for (const match of matches) {
    const { call, promiseForm } = match;
    if ('reason' in promiseForm) return refuse(promiseForm.reason);
    const fn = enclosingFunction(call);
    if (!fn) return refuse('the call is outside of any function');
    const reason = plan.makeAsync(fn, call) ?? whySamePath(match, fn, facts);
    if (reason) return refuse(reason, plan.isAboutCallers);
    edits.push(...callEdits(match, promiseForm, facts));
    called = calledName(fn);
    label = `\`${promiseForm.label}\``;
  }
  const callers = plan.asyncFunctions.size - 1;
  const passed = plan.passesErrorsOn ? ', with errors passed to `next`' : '';
  const also = callers > 0 ? ` and await it in ${callers === 1 ? 'the caller' : `all ${callers} callers`}` : '';
  return {
    fix: {
      title:
        matches.length === 1
          ? `Convert to ${label}${also}${passed}`
          : `Convert ${matches.length} blocking calls of ${called} to promise forms${also}${passed}`,
      kind: 'suggestion',
      edits: withIndents(
        withoutUnusedImports(
          [...edits, ...plan.edits()],
          matches.map(({ call }) => call.callee),
          facts,
        ),
        plan.indents,
      ),
      ...(plan.unlessCalled ? { unlessCalled: plan.unlessCalled } : {}),
    },
  };
}

/** A line that another edit replaces keeps its place. */
function withIndents(edits: readonly Edit[], indents: readonly Edit[]): Edit[] {
  return [...edits, ...indents.filter((indent) => !edits.some(({ start, end }) => start < indent.start && indent.start < end))];
}

/** What must become async and which calls must be awaited, so that one function can be async. */
class AsyncPlan {
  readonly asyncFunctions = new Set<FunctionNode>();
  /** Whether the whole project may know more than the file about what prevents the conversion. */
  isAboutCallers = false;
  /** Handlers that other files may call. */
  readonly #open: FunctionNode[] = [];
  readonly #awaited = new Set<CallNode>();
  readonly #passed: PassedOn[] = [];
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Plans `async` for a function in which `site` will be awaited. Returns the reason if that would change what the code does. */
  makeAsync(fn: FunctionNode, site: Node): string | undefined {
    if (this.asyncFunctions.has(fn)) return whyNoAwait(fn, site) ?? whyNoGap(fn, site, this.#facts);
    this.asyncFunctions.add(fn);
    return this.#whyNotAsync(fn, site) ?? whyNoGap(fn, site, this.#facts);
  }

  #whyNotAsync(fn: FunctionNode, site: Node): string | undefined {
    const called = calledName(fn);
    const reason = whyNoAwait(fn, site);
    if (reason !== undefined || fn.async) return reason;
    const handler = this.#facts
      .remember('handlers by function', () => new Map(this.#facts.handlers.handlers.toReversed().map((one) => [one.fn, one])))
      .get(fn);
    if (!handler) return this.#callersOf(fn, called);
    const isCalled = this.#facts.calls.callersOf(fn).some(({ edge }) => edge.via === 'call');
    if (isCalled && handler.kind !== 'signature') {
      this.isAboutCallers = true;
      return `${called} is registered as a handler, and this file also calls it without awaiting it`;
    }
    // A function with the parameters of a handler that this file itself calls is a helper: its callers can await it.
    if (isCalled) return this.#callersOf(fn, called);
    const isInline = isCall(parentOf(fn)) && handler.kind !== 'signature';
    if (!isInline && (handler.kind === 'signature' || handler.kind === 'exported' || !isLocal(fn, this.#facts))) this.#open.push(fn);
    const reasonOfFramework = whyNotAsync(handler, this.#facts);
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

  /** Edits that move lines to the right. */
  get indents(): readonly Edit[] {
    return this.#passed.flatMap(({ indents }) => indents);
  }

  /** Set where only the project can tell whether the handlers have callers. */
  get unlessCalled(): UncalledCondition | undefined {
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
    ];
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
    if (!binding || !facts.bindings.isConstant(binding)) return `not all callers of ${called} are known`;
    if (isExported(fn)) return `${called} is exported, and it may have callers in other files`;
    for (const reference of facts.bindings.references(binding)) {
      const call = parentOf(reference);
      if (call?.type === 'ExportSpecifier' || isAssignedToMember(reference))
        return `${called} is exported, and it may have callers in other files`;
      if (call?.type === 'NewExpression') return `${called} is a constructor`;
      if (!call || !isCall(call) || call.callee !== reference) return `${called} is passed as a value, and its callers are unknown`;
      const caller = enclosingFunction(call);
      if (!caller) return `${called} is also called at startup, at the top level`;
      const reason = this.makeAsync(caller, call);
      if (reason) return reason;
      this.#awaited.add(call);
    }
    return undefined;
  }
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
