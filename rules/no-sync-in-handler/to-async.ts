// Fix: the call's promise form, with `await`, `async` on the function and on its callers in this file. Refused where that could change what the code does.
import { endOf, enclosingFunction, findAncestor, functionName, isCall, isClass, isMember, memberName, parentOf, startOf, unwrap, contains, type CallNode, type FunctionNode, type Node } from '../../analysis/ast.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { addImport } from '../../analysis/fix/add-import.ts';
import type { Edit, Fix, RefusedFix } from '../../analysis/rule.ts';
import type { BlockingMatch, PromiseForm } from './blocking.ts';
import { whyNotAsync } from './promise-contract.ts';

export type Conversion = { fix: Fix } | { refused: RefusedFix };

const TITLE = 'Use the promise form';

/** The conversion of one blocking call, or the reason why it is not offered. */
export function toAsync(match: BlockingMatch, facts: Facts): Conversion {
  const refuse = (reason: string): Conversion => ({ refused: { title: TITLE, reason } });
  const { call, promiseForm } = match;
  if ('reason' in promiseForm) return refuse(promiseForm.reason);
  const fn = enclosingFunction(call);
  if (!fn) return refuse('the call stands outside of any function');
  const plan = new AsyncPlan(facts);
  const reason = plan.makeAsync(fn, call);
  if (reason) return refuse(reason);
  const callers = plan.asyncFunctions.size - 1;
  const also = callers > 0 ? `, and make ${callers === 1 ? 'its caller' : `its ${callers} callers`} await it` : '';
  return { fix: { title: `${TITLE} \`${promiseForm.label}\`${also}`, kind: 'suggestion', edits: [...callEdits(match, promiseForm, facts), ...plan.edits()] } };
}

/** Places inside of a function where `await` does not mean the function's own. */
function isRunElsewhere({ type }: Node): boolean {
  return type === 'ClassProperty' || type === 'ClassPrivateProperty' || type === 'ClassAccessorProperty' || type === 'StaticBlock' || type === 'TSModuleBlock' || type === 'TSEnumDeclaration';
}

/** What has to become async, and which calls have to be awaited, so that one function can be async. */
class AsyncPlan {
  readonly asyncFunctions = new Set<FunctionNode>();
  readonly #awaited = new Set<CallNode>();
  readonly #facts: Facts;

  constructor(facts: Facts) {
    this.#facts = facts;
  }

  /** Plans `async` for a function in which `site` is to be awaited; answers with the reason when that would change what the code does. */
  makeAsync(fn: FunctionNode, site: Node): string | undefined {
    if (this.asyncFunctions.has(fn)) return undefined;
    this.asyncFunctions.add(fn);
    const name = functionName(fn);
    const called = name ? `\`${name}\`` : 'the function';
    if (!contains(fn.body, site)) return "the call stands in a parameter's default value";
    if (findAncestor(site, isRunElsewhere)) return 'the call stands in a class field, a static block or a namespace, which cannot wait';
    if (fn.generator) return `${called} is a generator: its consumers expect values, not promises`;
    if (fn.async) return undefined;
    if (declaredType(fn)?.type === 'TSTypePredicate') return `${called} is a type guard, which cannot be async`;
    if ('kind' in fn && fn.kind === 'constructor') return 'a constructor cannot be async';
    if ('kind' in fn && (fn.kind === 'get' || fn.kind === 'set')) return `a ${fn.kind === 'get' ? 'getter' : 'setter'} cannot be async`;
    const handler = this.#facts.remember('handlers by function', () => new Map(this.#facts.handlers.handlers.toReversed().map((one) => [one.fn, one]))).get(fn);
    // A function with a handler's parameters that this file itself calls is a helper: its callers can wait for it.
    const isHelper = handler?.kind === 'signature' && this.#facts.calls.callersOf(fn).some(({ edge }) => edge.via === 'call');
    return handler && !isHelper ? whyNotAsync(handler, site, this.#facts) : this.#awaitInCallers(fn, called);
  }

  edits(): Edit[] {
    const edits: Edit[] = [];
    for (const fn of this.asyncFunctions) {
      if (fn.async) continue;
      edits.push(insert(asyncOffset(fn, this.#facts), 'async '));
      const type = declaredType(fn);
      if (type && !isPromiseType(type)) edits.push(insert(startOf(type), 'Promise<'), insert(endOf(type), '>'));
    }
    for (const call of this.#awaited) {
      if (parentOf(call)?.type === 'AwaitExpression') continue;
      const tight = bindsTighter(call);
      edits.push(insert(startOf(call), tight ? '(await ' : 'await '));
      if (tight) edits.push(insert(endOf(call), ')'));
    }
    return edits;
  }

  #awaitInCallers(fn: FunctionNode, called: string): string | undefined {
    const facts = this.#facts;
    const parent = parentOf(fn);
    if (parent && isCall(parent) && parent.callee !== fn) return isPromiseCallback(parent) ? undefined : callbackReason(parent, facts);
    if (isMethod(fn)) return `${called} is a method: callers in other files are not seen`;
    const identifier = fn.type === 'FunctionDeclaration' ? fn.id : parent?.type === 'VariableDeclarator' && parent.id.type === 'Identifier' ? parent.id : undefined;
    const binding = identifier ? facts.bindings.resolve(identifier) : undefined;
    if (!binding || !facts.bindings.isConstant(binding)) return `not all callers of ${called} are seen`;
    if (isExported(fn)) return `${called} is exported: callers in other files are not seen`;
    for (const reference of facts.bindings.references(binding)) {
      const call = parentOf(reference);
      if (call?.type === 'ExportSpecifier' || isAssignedToMember(reference)) return `${called} is exported: callers in other files are not seen`;
      if (call?.type === 'NewExpression') return `${called} is a constructor`;
      if (!call || !isCall(call) || call.callee !== reference) return `${called} is passed on as a value: who calls it is not seen`;
      const caller = enclosingFunction(call);
      if (!caller) return `${called} is also called at start-up, at the top level`;
      const reason = this.makeAsync(caller, call);
      if (reason) return reason;
      this.#awaited.add(call);
    }
    return undefined;
  }
}

/** Edits of the blocking call itself: another callee, the same arguments. */
function callEdits({ call, row }: BlockingMatch, form: PromiseForm, facts: Facts): Edit[] {
  const edits: Edit[] = [];
  const callee = unwrap(call.callee);
  // Type arguments (`readFileSync<string>(…)`) do not fit the other function.
  const argumentsStart = facts.source.text.indexOf('(', Math.max(endOf(call.callee), 'typeParameters' in call && call.typeParameters ? endOf(call.typeParameters) : 0));
  let target: string;
  if (form.kind === 'method') target = `${isMember(callee) ? facts.source.slice(callee.object) : ''}.${form.name}`;
  else {
    // `bcrypt.hashSync` becomes `bcrypt.hash`: the object is there already, whatever it was loaded from.
    if (isMember(callee) && row.path.length === 1 && form.module.replace(/^node:/, '') === row.module) target = `${facts.source.slice(callee.object)}.${form.name}`;
    else {
      const imported = addImport(facts, form.module, form.name);
      edits.push(...imported.edits);
      target = imported.local;
    }
    if (form.promisify) {
      const promisify = addImport(facts, 'node:util', 'promisify');
      edits.push(...promisify.edits);
      target = `${promisify.local}(${target})`;
    }
  }
  const after = form.kind === 'export' && form.probe ? '.then(() => true, () => false)' : '';
  const tight = bindsTighter(call);
  edits.push({ start: startOf(call), end: argumentsStart, text: `${tight ? '(' : ''}await ${target}` });
  if (after || tight) edits.push(insert(endOf(call), `${after}${tight ? ')' : ''}`));
  return edits;
}

/** The result's type as it is written down, in TypeScript or Flow. */
function declaredType({ returnType }: FunctionNode): Node | undefined {
  return returnType?.type === 'TSTypeAnnotation' || returnType?.type === 'TypeAnnotation' ? returnType.typeAnnotation : undefined;
}

function isPromiseType(type: Node): boolean {
  const name = type.type === 'TSTypeReference' ? type.typeName : type.type === 'GenericTypeAnnotation' ? type.id : undefined;
  return name?.type === 'Identifier' && name.name === 'Promise';
}

function insert(offset: number, text: string): Edit {
  return { start: offset, end: offset, text };
}

/** Whether `await` in front of the call would take in more than the call. */
function bindsTighter(call: Node): boolean {
  const parent = parentOf(call);
  if (!parent) return false;
  if (isMember(parent)) return parent.object === call;
  if (isCall(parent)) return parent.callee === call;
  return (parent.type === 'TaggedTemplateExpression' && parent.tag === call) || (parent.type === 'BinaryExpression' && parent.operator === '**' && parent.left === call) || parent.type === 'TSNonNullExpression' || (isClass(parent) && parent.superClass === call);
}

/** Where `async` goes: before `function`, before an arrow's parameters, before a method's name. */
function asyncOffset(fn: FunctionNode, facts: Facts): number {
  if (fn.type !== 'ClassMethod' && fn.type !== 'ClassPrivateMethod' && fn.type !== 'ObjectMethod') return startOf(fn);
  // Decorators, `public` and `static` come first.
  return fn.type !== 'ClassPrivateMethod' && fn.computed ? facts.source.text.lastIndexOf('[', startOf(fn.key)) : startOf(fn.key);
}

function isMethod(fn: FunctionNode): boolean {
  const parent = parentOf(fn)?.type;
  return fn.type === 'ClassMethod' || fn.type === 'ClassPrivateMethod' || fn.type === 'ObjectMethod' || parent === 'ObjectProperty' || parent === 'ClassProperty' || parent === 'AssignmentExpression';
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

/** A callback whose promise is waited for: `.then(fn)`. */
function isPromiseCallback(call: CallNode): boolean {
  const callee = unwrap(call.callee);
  return isMember(callee) && /^(?:then|catch|finally)$/.test(memberName(callee) ?? '');
}

function callbackReason(call: CallNode, facts: Facts): string {
  const callee = unwrap(call.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name === 'sort' || name === 'toSorted') return 'a sort comparator must answer at once';
  if (call.type === 'NewExpression' && name === 'Promise') return "a promise's executor is not waited for";
  return `the callback of \`${name ?? facts.source.slice(callee)}\` must answer at once, or its caller is not seen to wait`;
}
