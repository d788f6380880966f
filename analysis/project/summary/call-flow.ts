// How values flow through calls: what is called, what is passed, and what well-known functions do with it.
import {
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import { hasBlockingCalls, mayBeBlockingName } from '../../../knowledge/blocking-calls.ts';
import { COMMON_VERBS } from '../../../knowledge/frameworks.ts';
import { runsWhatItIsPassed } from '../../facts/chosen-places.ts';
import { isDroppedAndFollowed } from '../../facts/awaits/dropped-results.ts';
import { emptiersOf, onceOf, type Once } from '../../facts/once.ts';
import { isForFailures, isOneOfSeveral } from '../../facts/outside/seldom.ts';
import { seldomPlacesOf, startsElectron } from '../../facts/outside/starts.ts';
import { ofCollection } from './collection-flow.ts';
import { noteInjected, noteResult, readContainerCall } from './container-flow.ts';
import { evaluate, memberNode, merged, siteOf } from './expressions.ts';
import type { Flow } from './walk.ts';
import { isMixing, isMixingOfOthers, MIXING, noteDocuments, noteMade, ofMixing } from './mixing-flow.ts';
import { readFolder, readFromRoot, readImport } from './module-flow.ts';
import { endsLoop, eachArguments, iteratesNamed } from './repeats.ts';
import { mount } from './mounts.ts';
import { define, defineAll, defineOld, fillCollection, listOf, nextOf, ofArrayMethod, withField } from './property-flow.ts';
import { noteTexts } from './route-parts.ts';
import { leftOutFlagOf } from './branches.ts';
import { noteLog, noteLogger } from './log-flow.ts';
import { ANY_METHOD, ELEMENT, FunctionFlag, INDEXES, KEY, ObjectKind, Op, SiteFlag } from './format.ts';

type Call = t.CallExpression | t.OptionalCallExpression;
type Member = t.MemberExpression | t.OptionalMemberExpression;

/** Array methods that call their function once per item, with the item as the first argument. */
const WITH_ITEM: ReadonlySet<string> = new Set(
  'forEach map filter some every find findIndex findLast flatMap each mapSeries eachSeries sortBy groupBy'.split(' '),
);
const REDUCING: ReadonlySet<string> = new Set(['reduce', 'reduceRight']);
/** Array methods that return the array or a part of it. */
const RETURNING_LIST: ReadonlySet<string> = new Set([
  'filter',
  'slice',
  'concat',
  'reverse',
  'sort',
  'flat',
  'splice',
  'toSorted',
  'forEach',
  'values',
  'entries',
  'fill',
]);
const RETURNING_ITEM: ReadonlySet<string> = new Set(['pop', 'shift', 'find', 'findLast', 'at']);
const LISTENING: ReadonlySet<string> = new Set(['on', 'once', 'addListener', 'prependListener', 'subscribe', 'addEventListener', 'off']);
const EMITTING: ReadonlySet<string> = new Set(['emit', 'emitAsync', 'publish', 'dispatch', 'trigger', 'dispatchEvent']);
export const REGISTERING: ReadonlySet<string> = new Set([
  'get',
  'post',
  'put',
  'patch',
  'delete',
  'del',
  'all',
  'head',
  'options',
  'use',
  'route',
  'register',
]);
/** Methods whose callbacks run when the server has started or closed. No request waits for them. */
const DETACHED_METHODS: ReadonlySet<string> = new Set(['listen', 'close']);

export function readCall(flow: Flow, node: Call): number {
  const callee = unwrap(node.callee);
  const first = node.arguments[0];
  if (callee.type === 'Import') return first ? readImport(flow, first) : 0;
  if (callee.type === 'Super') {
    const args = argumentsOf(flow, node);
    flow.out.call({ site: callSite(flow, node), callee: flow.frame.base, self: flow.frame.self, flags: SiteFlag.Super, ...args });
    return 0;
  }
  if (callee.type === 'Identifier') {
    if (callee.name === 'require' && first && !flow.binding('require')) return readImport(flow, first);
    const loaded = readFolder(flow, node) ?? readFromRoot(flow, node);
    if (loaded !== undefined) return loaded;
    const known = readContainerCall(flow, node, callee.name, 0);
    if (known !== undefined) return known;
    if (node.arguments.length > 0 && isMixing(flow, callee)) return ofMixing(flow, argumentsOf(flow, node).args);
    // `inherits(A, B)` of `node:util`
    if (callee.name === 'inherits' && node.arguments.length === 2) {
      flow.out.op(Op.Inherits, evaluate(flow, first), evaluate(flow, node.arguments[1]));
      return 0;
    }
  }
  if (isMember(callee)) return readMethod(flow, node, callee);
  const target = evaluate(flow, callee);
  const parts = argumentsOf(flow, node);
  // `flatMap(steps, (step) => …)` of a package gives no function that runs what it was passed later.
  const flags = callee.type === 'Identifier' && WITH_ITEM.has(callee.name) ? SiteFlag.RunsPassed : 0;
  const result = flow.out.call({ site: callSite(flow, node), callee: target, flags, args: parts.args, passed: parts.passed });
  noteTexts(flow, node);
  noteResult(flow, node, result);
  if (callee.type === 'Identifier') {
    noteDocuments(flow, node, callee.name, 0, parts.args, result);
    noteBlocking(flow, node, callee.name);
    noteLog(flow, node, callee.name);
    ofCollection(flow, node, parts.args, result);
  }
  return result;
}

/** A call of something from another file under the name of a blocking function. Only the project knows whether it is that function. */
function noteBlocking(flow: Flow, node: Call, name: string): void {
  if (!mayBeBlockingName(name)) return;
  const callee = unwrap(node.callee);
  const root = isMember(callee) ? unwrap(callee.object) : callee;
  const binding = root.type === 'Identifier' ? flow.bindings.resolve(root) : undefined;
  // A variable that is reassigned may not hold the module.
  if (binding && binding.kind !== 'param' && !flow.bindings.isConstant(binding)) return;
  // If the file itself shows it, the project is not needed.
  const origin = flow.facts.origins.of(node.callee);
  if (origin?.root === 'module' && hasBlockingCalls(origin.name)) return;
  const { index } = flow.out.function(name, startOf(node), startOf(node), 0, FunctionFlag.Call, flow.frame.fn);
  flow.out.op(Op.Blocks, index);
  flow.blocking.set(node, index);
}

export function readConstruction(flow: Flow, node: t.NewExpression): number {
  const callee = unwrap(node.callee);
  const first = node.arguments[0];
  const executor = first ? unwrap(first) : undefined;
  if (callee.type === 'Identifier' && callee.name === 'Promise' && executor && !flow.binding('Promise'))
    return ofPromise(flow, node, executor);
  const target = evaluate(flow, callee);
  const parts = argumentsOf(flow, node);
  const made = flow.out.call({ site: callSite(flow, node, SiteFlag.New), callee: target, flags: SiteFlag.New, ...parts });
  noteLogger(flow, node, made);
  noteMade(flow, callee, target, parts.args, made);
  if (callee.type === 'Identifier' && !flow.binding(callee.name)) fillCollection(flow, callee.name, made, parts.args[0] ?? 0);
  return made;
}

/** `new Promise((resolve) => resolve(x))`: the promise stands for what it resolves to. */
function ofPromise(flow: Flow, node: t.NewExpression, executor: Node): number {
  const { out } = flow;
  const callee = evaluate(flow, executor);
  const promise = out.node();
  const resolve = out.function(undefined, -1, -1, 1, 0, -1);
  if (!isAnsweredLater(flow, executor)) out.copy(promise, resolve.first);
  const object = out.object(ObjectKind.Function, resolve.index);
  out.call({ site: callSite(flow, node, SiteFlag.Callback), callee, args: [out.holding(object)], flags: SiteFlag.Callback });
  return promise;
}

/**
 * `pending[id] = { resolve, reject }`: whoever has the number settles the promise when an answer with it arrives. An answer comes from
 * another process or thread, as data. What this process gives to its own peers under other numbers would seem to come back here.
 */
function isAnsweredLater(flow: Flow, executor: Node): boolean {
  const [resolve] = isFunction(executor) ? executor.params : [];
  const binding = resolve?.type === 'Identifier' ? flow.bindings.resolve(resolve) : undefined;
  const uses = binding ? flow.bindings.references(binding).filter((reference) => reference !== binding.identifier) : [];
  return uses.length > 0 && uses.every(isKeptUnderKey);
}

/** Whether a value, or the object that has it as a property, is stored by a computed key: `pending[id] = …`, `pending.set(id, …)`. */
function isKeptUnderKey(value: Node): boolean {
  let kept = value;
  let parent = parentOf(kept);
  while (parent?.type === 'ObjectProperty' || parent?.type === 'ObjectExpression') {
    kept = parent;
    parent = parentOf(kept);
  }
  if (parent?.type === 'AssignmentExpression') return parent.right === kept && isMember(parent.left) && parent.left.computed;
  return (
    parent?.type === 'CallExpression' && parent.arguments[1] === kept && isMember(parent.callee) && memberName(parent.callee) === 'set'
  );
}

export function callSite(flow: Flow, node: CallNode, flags = 0): number {
  const once = flow.frame.fn >= 0 ? onceFlag(onceOf(node, flow.facts)) : 0;
  const site = siteOf(
    flow,
    node,
    node.callee,
    flags |
      eachArguments(flow, node) |
      leftOutFlagOf(flow, node) |
      (endsLoop(flow, node) ? SiteFlag.EndsLoop : 0) |
      (sends(flow, node) ? SiteFlag.Sends : 0) |
      (writes(node) ? SiteFlag.Writes : 0) |
      once |
      (flow.frame.fn >= 0 && flow.facts.chosenPlaces.has(node) ? SiteFlag.Conditional : 0) |
      (runsWhatItIsPassed(node) ? SiteFlag.RunsPassed : 0) |
      (isDroppedAndFollowed(node, flow.facts) ? SiteFlag.Dropped : 0) |
      (seldomPlacesOf(flow.facts).has(node) || isForFailures(node) ? SiteFlag.Seldom : 0) |
      (isOneOfSeveral(node, flow.bindings) ? SiteFlag.OneOf : 0),
  );
  if ((once & (SiteFlag.Once | SiteFlag.Expires)) === SiteFlag.Once)
    for (const fn of emptiersOf(node, flow.facts)) flow.emptied.push({ site, fn });
  return site;
}

/**
 * `process.send(message)`, `port.postMessage(message)`, `JSON.stringify(message)`, `_.some(list, test)`: the first argument is no callback.
 */
function sends({ facts }: Flow, { callee }: CallNode): boolean {
  const node = unwrap(callee);
  if (!isMember(node)) return false;
  const name = memberName(node) ?? '';
  if (/^(?:send|postMessage|stringify)$/.test(name)) return true;
  const origin = RUNS_FIRST.test(name) ? undefined : facts.origins.moduleMember(node.object);
  return origin !== undefined && origin.path.length === 0 && /^(?:lodash|underscore)$/.test(origin.module);
}

/** Of lodash: `_.debounce(fn)`, `_.invoke(object, 'method')`. */
const RUNS_FIRST =
  /^(?:after|ary|attempt|before|bind\w*|compose|cond|curry\w*|debounce|defer|delay|flip|flow\w*|invoke\w*|iteratee|memoize|negate|once|over\w*|partial\w*|rearg|rest|result|spread|throttle|unary|wrap)$/;

const LOGGING = /^(?:log|trace|debug|verbose|silly|info|notice|warn|warning|error|critical|fatal)$/;
const ESCAPING = /^(?:RegExp|escape[A-Z]\w*)$/;

/** `logger.error('invalid', value)`, `new RegExp(escapeRegExp(value))` */
function writes({ callee }: CallNode): boolean {
  const node = unwrap(callee);
  return isMember(node) ? LOGGING.test(memberName(node) ?? '') : node.type === 'Identifier' && ESCAPING.test(node.name);
}

/** A call that is rejected after setup never runs while the program serves, like one in a development branch. */
function onceFlag(once: Once | undefined): number {
  if (once === 'expires') return SiteFlag.Once | SiteFlag.Expires;
  return once === 'kept' ? SiteFlag.Once : once === 'set-up' ? SiteFlag.DevelopmentOnly : 0;
}

/** Removes a function that was passed before, or the timer that holds it. It does not run the function. */
const REMOVING = /^(?:off|unsubscribe|clear(?:Timeout|Interval|Immediate))$|remove(?:All)?(?:Event)?Listeners?$/i;

/**
 * Nodes of the arguments, and of functions in literals among them. A spread list stands for all arguments that follow, with its elements.
 */
export function argumentsOf(flow: Flow, node: CallNode): { args: number[]; passed: number[] } {
  const args: number[] = [];
  const passed: number[] = [];
  const callee = unwrap(node.callee);
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
  if (name !== undefined && REMOVING.test(name)) {
    for (const argument of node.arguments) evaluate(flow, argument, false);
    return { args, passed };
  }
  let isSpread = false;
  for (let i = 0; i < node.arguments.length; i++) {
    const argument = node.arguments[i] as Node;
    if (argument.type === 'SpreadElement') {
      const list = evaluate(flow, argument.argument);
      flow.values.set(argument.argument, list);
      const isLast = i === node.arguments.length - 1;
      if (list !== 0 && isLast) for (const index of INDEXES) args.push(flow.out.load(list, flow.out.text(index)));
      // Negative: any of the arguments from here on.
      args.push(list === 0 ? 0 : -flow.out.load(list, flow.out.text(ELEMENT)));
      isSpread = true;
      continue;
    }
    const value = evaluate(flow, argument);
    flow.values.set(argument, value);
    args.push(isSpread ? -value : value);
    addPassed(flow, unwrap(argument), passed);
  }
  return { args, passed };
}

function addPassed(flow: Flow, node: Node, passed: number[]): void {
  if (node.type === 'ObjectExpression') {
    for (const property of node.properties) {
      if (property.type === 'SpreadElement') continue;
      if (property.type === 'ObjectMethod') {
        const object = flow.functionObjects.get(property);
        if (object !== undefined) passed.push(flow.out.holding(object));
      } else addPassed(flow, unwrap(property.value), passed);
    }
  } else if (node.type === 'ArrayExpression') {
    for (const element of node.elements) {
      if (!element || element.type === 'SpreadElement') continue;
      const value = isFunction(unwrap(element)) || element.type === 'ObjectExpression' ? 0 : flow.values.get(element);
      if (value) passed.push(value);
      addPassed(flow, unwrap(element), passed);
    }
  } else if (isFunction(node)) {
    const object = flow.functionObjects.get(node);
    if (object !== undefined) passed.push(flow.out.holding(object));
  }
}

function readMethod(flow: Flow, node: Call, callee: Member): number {
  const { out } = flow;
  const method = memberName(callee);
  const object = unwrap(callee.object);
  const loaded = method === 'require' ? readFromRoot(flow, node) : undefined;
  if (loaded !== undefined) return loaded;
  if (object.type === 'Super') return ofSuperMethod(flow, node, callee);
  if (callee.computed) evaluate(flow, callee.property, false);
  if (method === undefined) {
    const base = evaluate(flow, callee.object);
    const target = base === 0 ? 0 : memberNode(flow, callee, base);
    return out.call({ site: callSite(flow, node), callee: target, self: base, ...argumentsOf(flow, node) });
  }
  if (object.type === 'Identifier' && !flow.binding(object.name)) {
    const known = ofGlobalMethod(flow, node, object.name, method);
    if (known !== undefined) return known;
  }
  const base = evaluate(flow, callee.object);
  // `this.router.get(path, show)`, `Router().get(path, show)`: the entry points need the node of the router.
  if (REGISTERING.has(method) && (isMember(object) || isCall(object))) flow.values.set(object, base);
  switch (method) {
    case 'bind':
    case 'call':
    case 'apply':
      return ofBinding(flow, node, method, base);
    case 'then':
    case 'catch':
    case 'finally':
    case 'tap':
      return ofThen(flow, node, method, base);
  }
  const known = readContainerCall(flow, node, method, base);
  if (known !== undefined) return known;
  if (method === 'inherits' && node.arguments.length === 2) {
    flow.out.op(Op.Inherits, evaluate(flow, node.arguments[0]), evaluate(flow, node.arguments[1]));
    return 0;
  }
  if (method === 'listen' && opensPort(node)) {
    if (flow.frame.fn >= 0) out.addFunctionFlag(flow.frame.fn, FunctionFlag.Listens);
    else out.listens = true;
  }
  if (method === 'whenReady' && flow.frame.node && startsElectron(flow.facts, flow.frame.node, callee))
    out.addFunctionFlag(flow.frame.fn, FunctionFlag.Starts);
  const mixes = MIXING.has(method) && node.arguments.length > 1;
  if (mixes && isMixingOfOthers(flow, object, base)) return ofMixing(flow, argumentsOf(flow, node).args);
  if ((method === '__defineGetter__' || method === '__defineSetter__') && node.arguments.length === 2)
    return defineOld(flow, node, method, base);
  const flags = (iteratesNamed(flow, node) ? SiteFlag.Iterates : 0) | (isDetached(object, method, node) ? SiteFlag.Detached : 0);
  const target = base === 0 ? 0 : memberNode(flow, callee, base);
  const parts = argumentsOf(flow, node);
  const result = out.call({ site: callSite(flow, node, flags), callee: target, self: base, flags, args: parts.args, passed: parts.passed });
  // Fastify: `app.decorate('users', users(db))` is `app.users = users(db)`.
  const decorated = method === 'decorate' && node.arguments[0];
  if (decorated && decorated.type === 'StringLiteral') out.store(base, out.text(decorated.value), Math.max(parts.args[1] ?? 0, 0));
  noteInjected(flow, node, callee, method, result);
  noteTexts(flow, node);
  noteBlocking(flow, node, method);
  noteLog(flow, node, method);
  noteResult(flow, node, result);
  noteDocuments(flow, node, method, base, parts.args, result);
  if (mixes) return merged(flow, [ofMixing(flow, parts.args), result]);
  if (ofCollection(flow, node, parts.args, result)) return result;
  return afterMethod(flow, node, method, base, parts.args, result);
}

/** Not `listen(0)`, which looks for a free port or serves one test, and not `history.listen(fn)`. */
function opensPort({ arguments: [first] }: Call): boolean {
  const port = first && unwrap(first);
  return port !== undefined && !isFunction(port) && !(port.type === 'NumericLiteral' && port.value === 0);
}

function isDetached(object: Node, method: string, { arguments: args }: Call): boolean {
  if (DETACHED_METHODS.has(method)) return true;
  const first = args[0];
  const event = first && LISTENING.has(method) ? staticName(unwrap(first), true) : undefined;
  if (event === undefined) return false;
  return (
    (object.type === 'Identifier' && object.name === 'process' && event !== 'message') ||
    /^SIG[A-Z]+\d?$/.test(event) ||
    event === 'listening'
  );
}

/** What arrays, maps and emitters do with their arguments. A class's own methods of these names have already been called. */
function afterMethod(flow: Flow, node: Call, method: string, base: number, args: readonly number[], result: number): number {
  const { out } = flow;
  if (base === 0) return result;
  const element = out.text(ELEMENT);
  const first = args[0] ?? 0;
  const flowOnly = (callee: number, actuals: readonly number[], self = 0) =>
    out.call({ site: out.lastSite, callee, self, args: actuals, flags: SiteFlag.FlowOnly });
  const argument = node.arguments[0];
  if (first > 0 && argument && (isFunction(unwrap(argument)) || unwrap(argument).type === 'Identifier')) {
    if (WITH_ITEM.has(method)) {
      const item = out.load(base, element);
      const made = flowOnly(first, [item, method === 'forEach' ? flow.load(base, KEY) : 0, base], Math.max(args[1] ?? 0, 0));
      if (method === 'map' || method === 'flatMap' || method === 'mapSeries') {
        const list = out.object(ObjectKind.Array);
        out.field(list, element, made);
        if (method === 'flatMap') out.field(list, element, out.load(made, element));
        out.put(result, list);
        return result;
      }
    } else if (REDUCING.has(method)) {
      const made = flowOnly(first, [merged(flow, [args[1] ?? 0, result]), out.load(base, element)]);
      return merged(flow, [result, made, args[1] ?? out.load(base, element)]);
    }
  }
  if (RETURNING_LIST.has(method)) {
    out.copy(result, base);
    if (method === 'flat') out.copy(result, out.load(base, element));
    if (method === 'concat' && first > 0) {
      out.copy(result, first);
      // An argument may be an item, too.
      out.copy(result, listOf(flow, ...args.filter((arg) => arg > 0)));
    }
  } else if (RETURNING_ITEM.has(method)) out.copy(result, out.load(base, element));
  else if ((method === 'push' || method === 'unshift' || method === 'add') && args.length > 0) {
    for (const item of args) out.store(base, element, Math.abs(item));
  } else if (method === 'set' && args.length === 2) {
    out.store(base, element, args[1] ?? 0);
    out.store(base, out.text(KEY), Math.max(first, 0));
  } else if (method === 'next' && args.length < 2) out.copy(result, nextOf(flow, base, first));
  else if (method === 'get' && args.length === 1) out.copy(result, out.load(base, element));
  else if (LISTENING.has(method) && args.length >= 2) listen(flow, node, base, args[1] ?? 0);
  else if (EMITTING.has(method) && args.length >= 1) emit(flow, node, base, args);
  else if (method === 'use' || method === 'register' || method === 'route' || method === 'mount') mount(flow, node, base, args);
  // `export default Router().use('/api', api)`
  if (method === 'use' || (COMMON_VERBS.has(method) && args.length > 1 && isOfRouter(node))) out.copy(result, base);
  return result;
}

/** `Router().get('/x', show)`, not `await this.get({ id }, context)`: nobody waits for a router, and a path is no object. */
function isOfRouter(node: Call): boolean {
  return parentOf(node)?.type !== 'AwaitExpression' && node.arguments[0]?.type !== 'ObjectExpression';
}

function eventOf({ arguments: [first] }: Call): string | undefined {
  return first ? staticName(unwrap(first), true) : undefined;
}

function listen(flow: Flow, node: Call, base: number, listener: number): void {
  const event = eventOf(node);
  if (event !== undefined) flow.out.store(base, flow.out.text(`on ${event}`), listener);
}

function emit(flow: Flow, node: Call, base: number, args: readonly number[]): void {
  const event = eventOf(node);
  if (event === undefined) return;
  const callee = unwrap(node.callee);
  const object = isMember(callee) ? unwrap(callee.object) : undefined;
  // `this.emitter.emit(…)` after an `on` of the class itself.
  const owner = isMember(object) && object.object.type === 'ThisExpression' ? flow.frame.self : 0;
  for (const from of [base, owner])
    if (from !== 0) flow.out.call({ site: callSite(flow, node), callee: flow.load(from, `on ${event}`), args: args.slice(1) });
}

function ofBinding(flow: Flow, node: Call, method: 'bind' | 'call' | 'apply', base: number): number {
  const { out } = flow;
  const {
    args: [self = 0, ...args],
    passed,
  } = argumentsOf(flow, node);
  if (method === 'bind') {
    if (self !== 0 && base !== 0) out.op(Op.This, base, self);
    if (args.some((one) => one !== 0)) out.call({ site: callSite(flow, node), callee: base, self, args, flags: SiteFlag.FlowOnly });
    return base;
  }
  const site = callSite(flow, node);
  // A module or a class may have a method of this name of its own.
  const own = out.call({ site, callee: flow.load(base, method), self: base, args: [self, ...args], passed, flags: SiteFlag.IfOwn });
  const list = method === 'apply' ? (args[0] ?? 0) : 0;
  const applied = method === 'call' ? args : list > 0 ? [-out.load(list, out.text(ELEMENT))] : [];
  const result = out.call({ site, callee: base, self, args: applied, passed: method === 'call' ? passed : [] });
  return merged(flow, [result, own]);
}

/** A promise has the node of its value: `p.then(f)` calls `f` with it. */
function ofThen(flow: Flow, node: Call, method: string, base: number): number {
  const { out } = flow;
  const parts = argumentsOf(flow, node);
  const result = out.node();
  const value = method === 'then' || method === 'tap' ? base : 0;
  parts.args.forEach((fn, i) => {
    if (fn > 0)
      out.copy(
        result,
        out.call({
          site: callSite(flow, node, SiteFlag.Callback),
          callee: fn,
          args: i === 0 && value > 0 ? [value] : [],
          flags: SiteFlag.Callback,
        }),
      );
  });
  if (method !== 'then' || parts.args.length === 0) out.copy(result, base);
  // A class may have its own `then` or `catch`.
  return result;
}

function ofGlobalMethod(flow: Flow, node: Call, object: string, method: string): number | undefined {
  const { out } = flow;
  const first = node.arguments[0];
  const second = node.arguments[1];
  const third = node.arguments[2];
  const element = out.text(ELEMENT);
  if ((object === 'module' || object === 'Npm') && method === 'require' && first) return readImport(flow, first);
  if (object === 'require' && method === 'context' && first) return readImport(flow, first);
  if (object === 'Promise') {
    const { args } = argumentsOf(flow, node);
    if (/^(?:promisify|promisifyAll|method|coroutine|try)$/.test(method))
      return method === 'try' ? out.call({ site: callSite(flow, node, SiteFlag.Callback), callee: args[0] ?? 0 }) : (args[0] ?? 0);
    const value = Math.max(args[0] ?? 0, 0);
    if (value === 0 || (method !== 'race' && method !== 'any' && method !== 'allSettled')) return value;
    const item = out.load(value, element);
    return method === 'allSettled' ? listOf(flow, withField(flow, 'value', item)) : item;
  }
  if (object === 'Array') return ofArrayMethod(flow, node, method);
  if (object !== 'Object') return undefined;
  switch (method) {
    case 'assign':
      return ofMixing(flow, argumentsOf(flow, node).args);
    case 'freeze':
    case 'seal':
    case 'preventExtensions':
      return evaluate(flow, first);
    case 'keys':
    case 'getOwnPropertyNames':
      evaluate(flow, first, false);
      return 0;
    case 'values':
    case 'entries': {
      const from = evaluate(flow, first);
      if (from === 0) return 0;
      const list = out.object(ObjectKind.Array);
      const any = out.load(from, ANY_METHOD);
      if (method === 'values') out.field(list, element, any);
      else {
        const pair = out.object(ObjectKind.Array);
        out.field(pair, element, any);
        out.field(list, element, out.holding(pair));
      }
      return out.holding(list);
    }
    case 'fromEntries':
      return evaluate(flow, first);
    case 'getPrototypeOf':
      // What inherits from the prototype has what the object has.
      return evaluate(flow, first);
    case 'create': {
      const from = evaluate(flow, first);
      const made = flow.literal();
      if (from !== 0) out.op(Op.Inherit, made, from);
      const holder = out.holding(made);
      if (second) defineAll(flow, node, holder, second);
      return holder;
    }
    case 'setPrototypeOf':
      out.op(Op.Mix, evaluate(flow, first), evaluate(flow, second));
      return 0;
    case 'defineProperties': {
      const target = evaluate(flow, first);
      if (second) defineAll(flow, node, target, second);
      return target;
    }
    case 'defineProperty': {
      const target = evaluate(flow, first);
      const name = second ? staticName(unwrap(second), true) : undefined;
      define(flow, node, target, name, evaluate(flow, third && unwrap(third)));
      return target;
    }
    default:
      return undefined;
  }
}

function ofSuperMethod(flow: Flow, node: Call, callee: Member): number {
  const { out, frame } = flow;
  const name = memberName(callee);
  const parts = argumentsOf(flow, node);
  if (name === undefined) return 0;
  // In a literal, `super` is what the literal inherits from.
  let holder = frame.base === 0 ? frame.self : frame.base;
  if (holder === 0) return 0;
  if (!frame.isStatic && frame.base !== 0) {
    holder = out.node();
    out.op(Op.Instance, holder, frame.base);
  }
  return out.call({ site: callSite(flow, node), callee: flow.load(holder, name), self: frame.self, ...parts });
}
