// How values flow into what the language makes: described properties (`Object.defineProperty`), maps and sets, lists, iterators.
import { staticName, unwrap, type Node, type t } from '../../module/ast.ts';
import { argumentsOf, callSite } from './call-flow.ts';
import { evaluate, merged } from './expressions.ts';
import { getterName, setterName, type Flow } from './walk.ts';
import { ANY_NAME, ELEMENT, INDEXES, KEY, ObjectKind, RETURNED, SENT, SiteFlag } from './format.ts';

type Call = t.CallExpression | t.OptionalCallExpression;

/** `descriptor`: the node of `{ value, get, set }`. */
export function define(flow: Flow, node: Call, target: number, name: string | undefined, descriptor: number): void {
  const { out } = flow;
  if (target === 0 || descriptor === 0) return;
  const getter = flow.load(descriptor, 'get');
  // The value of a getter is what it returns.
  const read = out.call({ site: callSite(flow, node, SiteFlag.FlowOnly), callee: getter, self: target, flags: SiteFlag.FlowOnly });
  out.store(target, name === undefined ? ANY_NAME : out.text(name), merged(flow, [flow.load(descriptor, 'value'), read]));
  if (name === undefined) return;
  if (flow.getters.has(name)) out.store(target, out.text(getterName(name)), getter);
  if (flow.setters.has(name)) out.store(target, out.text(setterName(name)), flow.load(descriptor, 'set'));
}

/** `Object.defineProperties(target, { size: { get() { … } } })` */
export function defineAll(flow: Flow, node: Call, target: number, descriptors: Node): void {
  const all = evaluate(flow, descriptors);
  const literal = unwrap(descriptors);
  if (literal.type !== 'ObjectExpression') return;
  for (const property of literal.properties) {
    const name = property.type === 'ObjectProperty' ? staticName(property.key, property.computed) : undefined;
    if (name !== undefined) define(flow, node, target, name, flow.load(all, name));
  }
}

/** `request.__defineGetter__('ip', function () { … })` */
export function defineOld(flow: Flow, node: Call, method: string, target: number): number {
  const { out } = flow;
  const [, fn = 0] = argumentsOf(flow, node).args;
  const name = staticName(unwrap(node.arguments[0] as Node), true);
  if (name === undefined || fn <= 0) return 0;
  if (method === '__defineSetter__') out.store(target, out.text(setterName(name)), fn);
  else {
    out.store(target, out.text(getterName(name)), fn);
    const read = out.call({ site: callSite(flow, node, SiteFlag.FlowOnly), callee: fn, self: target, flags: SiteFlag.FlowOnly });
    out.store(target, out.text(name), read);
  }
  return 0;
}

/** A new list of these items. */
export function listOf(flow: Flow, ...items: readonly number[]): number {
  const list = flow.out.object(ObjectKind.Array);
  for (const item of items) flow.out.field(list, flow.out.text(ELEMENT), item);
  return flow.out.holding(list);
}

/** A new object with one property. */
export function withField(flow: Flow, name: string, value: number): number {
  const object = flow.literal();
  flow.out.field(object, flow.out.text(name), value);
  return flow.out.holding(object);
}

/** What `next` of an iterator gives. `sent`: the node of its argument. */
export function nextOf(flow: Flow, base: number, sent: number): number {
  const { out } = flow;
  if (sent > 0) out.store(base, out.text(SENT), sent);
  return withField(flow, 'value', merged(flow, [out.load(base, out.text(ELEMENT)), flow.load(base, RETURNED)]));
}

/** `new Set(list)`, `new Map([[key, value]])` */
export function fillCollection(flow: Flow, name: string, made: number, list: number): void {
  if (list <= 0) return;
  const { out } = flow;
  const element = out.text(ELEMENT);
  const item = out.load(list, element);
  if (name === 'Set' || name === 'WeakSet') out.store(made, element, item);
  else if (name === 'Map' || name === 'WeakMap') {
    out.store(made, out.text(KEY), merged(flow, [out.load(item, out.text(INDEXES[0])), flow.load(list, KEY)]));
    out.store(made, element, merged(flow, [out.load(item, out.text(INDEXES[1])), item]));
  }
}

/** `Array.from(list, map)`, `Array.of(a, b)` */
export function ofArrayMethod(flow: Flow, node: Call, method: string): number | undefined {
  if (method !== 'from' && method !== 'of') return undefined;
  const { out } = flow;
  const { args } = argumentsOf(flow, node);
  if (method === 'of') return listOf(flow, ...args.map(Math.abs));
  const [list = 0, fn = 0, self = 0] = args;
  const item = list > 0 ? out.load(list, out.text(ELEMENT)) : 0;
  if (fn <= 0) return listOf(flow, item);
  const site = callSite(flow, node, SiteFlag.Callback);
  return listOf(flow, out.call({ site, callee: fn, self: Math.abs(self), args: [item], flags: SiteFlag.Callback }));
}
