// Makes a function and all its callers async, over all files of a project, or says where a caller cannot be converted.
import {
  contains,
  enclosingFunction,
  endOf,
  isCall,
  isMember,
  memberName,
  parentOf,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../module/ast.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin } from '../module/module-index.ts';
import type { CallSite } from '../project/answers/call-sites.ts';
import type { Edit } from '../rule.ts';
import {
  asyncEdits,
  awaitEdits,
  callbackReason,
  calledName,
  declaredType,
  isEndListener,
  isPromiseCallback,
  isPromiseType,
  whyNoAwait,
  whyToldSync,
} from './make-async.ts';
import type { AcrossFilesHost, ConversionInProgress } from './across-files-host.ts';
import { CannotConvert } from './cannot-convert.ts';
import { functionAt } from './function-exports.ts';
import { whyNoGap } from './await-gap.ts';
import type { PassedOn } from './pass-errors-on.ts';
import type { FunctionsOfCall } from './wrapper.ts';
import { UseSearch } from './function-uses.ts';

export interface AcrossFiles {
  /** By file: absolute paths. */
  edits: ReadonlyMap<string, readonly Edit[]>;
  /** Edits that move lines to the right in handlers that pass their errors on; see withIndents. */
  indents: ReadonlyMap<string, readonly Edit[]>;
  /** How many functions call what becomes async. */
  callers: number;
  /** What becomes async, with its file. */
  asyncs: ReadonlyMap<FunctionNode, string>;
}

/** What will be awaited in a function of a file. */
export interface AwaitedSite {
  file: string;
  fn: FunctionNode;
  site: Node;
}

/** If the place is in another file than the queried one, whoever displays the reason names that file. */
export type AcrossFilesOutcome = { plan: AcrossFiles } | { refused: { reason: string; file: string; offset: number } };

/** The sites' own edits are up to the caller. */
export function convertAcrossFiles(sites: readonly AwaitedSite[], host: AcrossFilesHost): AcrossFilesOutcome {
  const conversion = new Conversion(host);
  try {
    for (const { file, fn, site } of sites) conversion.include(file, fn, site);
    return { plan: conversion.finish() };
  } catch (error) {
    if (!(error instanceof CannotConvert)) throw error;
    return { refused: { reason: error.message, file: error.file, offset: error.offset } };
  }
}

/** Methods that pass items to a callback and do not await its promises. */
const NOT_WAITING: ReadonlySet<string> = new Set([
  'forEach',
  'filter',
  'some',
  'every',
  'find',
  'findIndex',
  'findLast',
  'findLastIndex',
  'sort',
  'toSorted',
]);

export class Conversion implements ConversionInProgress {
  readonly host: AcrossFilesHost;
  readonly #asyncs = new Map<FunctionNode, string>();
  readonly #awaited = new Map<CallNode, string>();
  /** What is awaited in a function. */
  readonly #sites = new Map<FunctionNode, Node[]>();
  readonly #callers = new Set<FunctionNode>();
  /** Callers that stay as they are. */
  readonly #passing = new Set<FunctionNode>();
  /** Calls that need no await or already have one. */
  readonly #seen = new Set<string>();
  readonly #registered: { fn: FunctionNode; file: string; framework: string; handlerArgument: Node; in: string }[] = [];

  constructor(host: AcrossFilesHost) {
    this.host = host;
  }

  facts(file: string): Facts {
    const facts = this.host.factsOf(file);
    if (!facts) throw new CannotConvert('the file cannot be parsed, and it may contain a caller', file, 0);
    return facts;
  }

  elsewhere(file: string): FunctionsOfCall {
    return (call) =>
      this.host.calls.functionsAt(file, startOf(call), endOf(call.callee))?.flatMap((place) => {
        const facts = this.host.factsOf(place.file);
        const fn = facts && functionAt(place.start, facts.module);
        return fn ? [{ fn, facts }] : [];
      });
  }

  /** `site` will be awaited in `fn`, which becomes async together with its callers. */
  include(file: string, fn: FunctionNode, site: Node): void {
    const facts = this.facts(file);
    const reason = whyNoAwait(fn, site) ?? whyToldSync(fn, facts) ?? whyNoGap(fn, site, facts);
    if (reason !== undefined) throw new CannotConvert(reason, file, startOf(site));
    const sites = this.#sites.get(fn);
    if (sites) sites.push(site);
    else this.#sites.set(fn, [site]);
    if (fn.async) {
      const call = parentOf(fn);
      const callee = call && isCall(call) && call.callee !== fn ? unwrap(call.callee) : undefined;
      if (call && isCall(call) && isMember(callee) && NOT_WAITING.has(memberName(callee) ?? ''))
        throw new CannotConvert(callbackReason(call, facts), file, startOf(site));
      return;
    }
    if (this.#asyncs.has(fn)) return;
    if (facts.role === 'test' && isTestCallback(fn)) {
      this.#asyncs.set(fn, file);
      return;
    }
    if (facts.role === 'test') throw new CannotConvert('a test calls it from a function that is not async', file, startOf(site));
    if (facts.role === 'browser') throw new CannotConvert('browser code calls it', file, startOf(site));
    this.#asyncs.set(fn, file);
    if (!returnsPromise(fn)) this.#followCallers(file, fn, facts);
  }

  /** A call of a function that becomes async. */
  awaitCall(file: string, call: CallNode): void {
    const key = keyOf(file, call);
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    const { parent, refuse } = this.#at(file, call);
    if (call.type === 'NewExpression') refuse('it is called as a constructor here');
    if (isListOfPromises(parent)) return;
    const caller = enclosingFunction(call);
    if (!caller) this.#awaitAtTop(file, call);
    if (caller) this.#callers.add(caller);
    if (caller && this.#passesOn(caller, call, file)) {
      if (!this.#passing.has(caller)) {
        this.#passing.add(caller);
        this.#followCallers(file, caller, this.facts(file));
      }
      return;
    }
    if (caller && isReturnedByAsync(caller, call)) return;
    this.#awaited.set(call, file);
    if (caller) this.include(file, caller, call);
  }

  /** `(id) => load(id)` gives the promise as it is; its callers await it. A handler is not called by code that is known to do so. */
  #passesOn(caller: FunctionNode, call: CallNode, file: string): boolean {
    const { body } = caller;
    const [only, second] = body.type === 'BlockStatement' ? body.body : [];
    const isAll = body === call || (only?.type === 'ReturnStatement' && only.argument === call && !second);
    return (
      isAll &&
      !caller.async &&
      !caller.generator &&
      declaredType(caller) === undefined &&
      !(isMethod(caller) && caller.kind !== 'method') &&
      this.facts(file).role !== 'test' &&
      this.facts(file).handlers.handlers.every(({ fn }) => fn !== caller) &&
      !isCall(parentOf(caller))
    );
  }

  /** The function is the callback of a promise: its result is awaited. */
  takeCallback(file: string, call: CallNode): void {
    this.#seen.add(keyOf(file, call));
  }

  /** `handlerArgument` registers the function as a handler. */
  register(file: string, fn: FunctionNode, framework: string, handlerArgument: Node, where: string): void {
    this.#registered.push({ file, fn, framework, handlerArgument, in: where });
  }

  /** Every call that the project graph knows must have been processed. */
  checkCalls(file: string, fn: FunctionNode): void {
    for (const site of this.host.calls.callsOf({ file, start: startOf(fn) })) {
      if (!this.#seen.has(`${site.file} ${site.start} ${site.end}`) && !this.#takesPromise(site))
        throw new CannotConvert(
          `${calledName(fn)} is called here under another name, or by code that it was passed to`,
          site.file,
          site.start,
        );
    }
  }

  /** Whether a call can handle a promise: `await f()`, `Promise.resolve(f())`, `f().catch(next)`. */
  #takesPromise({ file, start, end }: CallSite): boolean {
    const call = this.facts(file)
      .module.nodes('CallExpression')
      .find((one) => startOf(one) === start && endOf(one.callee) === end);
    const parent = call && parentOf(call);
    if (!parent) return false;
    if (parent.type === 'AwaitExpression') return true;
    const fn = enclosingFunction(call);
    if (fn?.async && (parent.type === 'ReturnStatement' || fn.body === call)) return true;
    if (isMember(parent)) return parent.object === call && /^(?:then|catch|finally)$/.test(memberName(parent) ?? '');
    return isCall(parent) && parent.callee !== call && isOfPromise(parent.callee, /^(?:resolve|all|allSettled)$/);
  }

  finish(): AcrossFiles {
    const passed = new Map<FunctionNode, { file: string; edits: PassedOn }>();
    for (const { fn, file, framework, handlerArgument, in: where } of this.#registered) {
      for (const site of this.#sites.get(fn) ?? []) {
        const reason = fn.async
          ? undefined
          : this.host.whyNotHandler({ fn, framework }, this.facts(where), handlerArgument, this.facts(file), this.elsewhere(where));
        if (reason === undefined || passed.has(fn)) continue;
        const edits = this.host.passErrorsOn({ fn, framework }, this.facts(where), handlerArgument, this.facts(file));
        if (!edits) throw new CannotConvert(reason, file, startOf(site));
        passed.set(fn, { file, edits });
      }
    }
    const edits = new Map<string, Edit[]>();
    const add = (file: string, some: readonly Edit[]): void => {
      edits.set(file, [...(edits.get(file) ?? []), ...some]);
    };
    const seen = new Set<FunctionNode>();
    for (const { fn, file, framework } of this.#registered) {
      if (!fn.async && !seen.has(fn)) add(file, this.host.handlerEdits({ fn, framework }, this.facts(file)));
      seen.add(fn);
    }
    for (const [fn, file] of this.#asyncs) add(file, asyncEdits(fn, this.facts(file)));
    // Of calls that start at the same offset, the outer one is awaited around the inner one.
    for (const [call, file] of [...this.#awaited].sort(([a], [b]) => endOf(b) - endOf(a))) add(file, awaitEdits(call, this.facts(file)));
    const indents = new Map<string, readonly Edit[]>();
    for (const { file, edits: own } of passed.values()) {
      add(file, own.edits);
      indents.set(file, [...(indents.get(file) ?? []), ...own.indents]);
    }
    return { edits, indents, callers: this.#callers.size, asyncs: this.#asyncs };
  }

  #followCallers(file: string, fn: FunctionNode, facts: Facts): void {
    const parent = parentOf(fn);
    const handlers = facts.handlersOf(fn).filter((one) => one.kind !== 'signature');
    // A function that a registration names is checked together with its uses.
    for (const { framework, site } of handlers) if (!isCall(site) || contains(site, fn)) this.register(file, fn, framework, fn, file);
    // It is written inline in its registration, so nothing else can name it.
    if (handlers.some(({ site }) => isCall(site) && contains(site, fn))) return;
    if (parent && isCall(parent)) {
      if (parent.callee === fn) return this.awaitCall(file, parent);
      if (handlers.length > 0) return;
      if (isPromiseCallback(parent) || isEndListener(parent, facts)) return this.takeCallback(file, parent);
      throw new CannotConvert(callbackReason(parent, facts), file, startOf(fn));
    }
    new UseSearch(this, file, fn).run();
    this.checkCalls(file, fn);
    const signature = facts.handlersOf(fn).find((one) => one.kind === 'signature');
    // A function with the parameters of a handler that is called is a helper: its callers can await it.
    if (signature && this.host.calls.callsOf({ file, start: startOf(fn) }).length === 0 && !this.#registered.some((one) => one.fn === fn))
      this.register(file, fn, signature.framework, fn, file);
  }

  #at(file: string, node: Node): { parent: Node | undefined; refuse(reason: string): never } {
    return {
      parent: parentOf(node),
      refuse: (reason) => {
        throw new CannotConvert(reason, file, startOf(node));
      },
    };
  }

  /** Only an ES module that Node runs directly can await at its top level, and only if nothing loads it with `require`. */
  #awaitAtTop(file: string, call: CallNode): void {
    const { refuse } = this.#at(file, call);
    if (isInClassOrNamespace(call)) refuse('a class field, static block, or namespace calls it at startup, where `await` is not possible');
    if (!this.#isModule(file)) refuse('it is called at the top level, where a CommonJS module or a compiled module cannot use `await`');
    const queue = [file];
    for (const one of queue) {
      for (const importer of this.host.calls.importersOf(one)) {
        if (queue.includes(importer)) continue;
        if (!this.#isModule(importer)) refuse('it is called at the top level of a module that CommonJS code loads');
        queue.push(importer);
      }
    }
  }

  #isModule(file: string): boolean {
    if (/\.mjs$/i.test(file)) return true;
    const { project, module } = this.facts(file);
    return /\.js$/i.test(file) && project.manifest?.type === 'module' && module.ast.program.sourceType === 'module';
  }
}

/** `it('…', () => …)`: runners wait for the promise of a test or hook that takes no callback. */
function isTestCallback(fn: FunctionNode): boolean {
  const call = parentOf(fn);
  if (!call || !isCall(call) || call.callee === fn || fn.params.length > 0) return false;
  let callee = unwrap(call.callee);
  while (isMember(callee)) callee = unwrap(callee.object);
  return callee.type === 'Identifier' && TEST_FUNCTIONS.has(callee.name);
}

/** Of Mocha, Jest, Vitest, and node:test. `describe` does not wait. */
const TEST_FUNCTIONS: ReadonlySet<string> = new Set([
  'it',
  'test',
  'specify',
  'before',
  'after',
  'beforeEach',
  'afterEach',
  'beforeAll',
  'afterAll',
]);

function keyOf(file: string, call: CallNode): string {
  return `${file} ${startOf(call)} ${endOf(call.callee)}`;
}

function isInClassOrNamespace(node: Node): boolean {
  for (let at = parentOf(node); at; at = parentOf(at))
    if (at.type === 'ClassBody' || at.type === 'TSModuleBlock' || at.type === 'TSEnumDeclaration') return true;
  return false;
}

/** `Promise.all([f(), g()])` takes promises. */
function isListOfPromises(list: Node | undefined): boolean {
  const call = list?.type === 'ArrayExpression' ? parentOf(list) : undefined;
  if (!call || call.type !== 'CallExpression') return false;
  return isOfPromise(call.callee, /^(?:all|allSettled)$/);
}

function isOfPromise(expression: Node, name: RegExp): boolean {
  const callee = unwrap(expression);
  if (!isMember(callee) || !name.test(memberName(callee) ?? '')) return false;
  const object = unwrap(callee.object);
  return object.type === 'Identifier' && object.name === 'Promise';
}

/** Whether a function already returns only promises, so its callers expect them. */
function returnsPromise(fn: FunctionNode): boolean {
  const type = declaredType(fn);
  if (type) return isPromiseType(type);
  if (fn.body.type !== 'BlockStatement') return isPromise(fn.body);
  const results: (Node | null | undefined)[] = [];
  walkWithin(fn.body, (node) => {
    if (node.type === 'ReturnStatement') results.push(node.argument);
    return (
      node.type !== 'FunctionDeclaration' &&
      node.type !== 'FunctionExpression' &&
      node.type !== 'ArrowFunctionExpression' &&
      node.type !== 'ObjectMethod' &&
      node.type !== 'ClassMethod' &&
      node.type !== 'ClassPrivateMethod'
    );
  });
  const [last] = fn.body.body.slice(-1);
  return (
    results.length > 0 &&
    (last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement') &&
    results.every((result) => result != null && isPromise(result))
  );
}

function isPromise(result: Node): boolean {
  const node = unwrap(result);
  if (!isCall(node)) return false;
  const callee = unwrap(node.callee);
  if (node.type === 'NewExpression') return callee.type === 'Identifier' && callee.name === 'Promise';
  return isOfPromise(callee, /./);
}

function isMethod(fn: FunctionNode): fn is Extract<FunctionNode, { kind: string }> {
  return fn.type === 'ClassMethod' || fn.type === 'ObjectMethod' || fn.type === 'ClassPrivateMethod';
}

/** `return load(id)` in an async function gives what the promise gives; in a `try`, its `catch` would be left out. */
function isReturnedByAsync(caller: FunctionNode, call: CallNode): boolean {
  const statement = parentOf(call);
  if (!caller.async || caller.generator || statement?.type !== 'ReturnStatement') return false;
  for (let at = parentOf(statement); at && at !== caller; at = parentOf(at)) if (at.type === 'TryStatement') return false;
  return true;
}
