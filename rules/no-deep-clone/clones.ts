// Calls that make a deep copy of a value.
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, parentOf, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';

export interface Clone {
  /** `json` also drops what is undefined, and turns dates and other objects into texts; `structured` drops the class of an object. */
  kind: 'json' | 'structured' | 'deep';
  call: CallNode;
  /** The call with the casts around it. */
  whole: Node;
  source: Node;
  /** As messages name it. */
  name: string;
}

const MAY_CLONE = /JSON\.parse\(|structuredClone|deserialize|clone|rfdc|klona|fast-copy/i;

/** Whether a text may copy anything. Most files do not, and cost no more than this check. */
export function mayClone(text: string): boolean {
  return MAY_CLONE.test(text);
}

/** Packages whose export copies. */
const CLONING: ReadonlySet<string> = new Set([
  'lodash.clonedeep',
  'clone',
  'clone-deep',
  'fast-copy',
  'lodash/cloneDeep',
  'lodash-es/cloneDeep',
]);
/** Packages with a member that does. */
const MEMBERS: ReadonlySet<string> = new Set([
  'lodash.cloneDeep',
  'lodash-es.cloneDeep',
  'klona.klona',
  'klona/json.klona',
  'fast-copy.copy',
]);

export function findClone(call: CallNode, facts: Facts): Clone | undefined {
  const own = cloneByItself(call, facts);
  if (own) return own;
  // `clone(value)`, where the file has `function clone(value) { return structuredClone(value); }`
  const callee = unwrap(call.callee);
  if (callee.type !== 'Identifier' || call.arguments.length !== 1) return undefined;
  const [fn, other] = facts.calls.functionsOf(callee);
  if (!fn || other || fn.async || fn.generator || fn.params[0]?.type !== 'Identifier' || fn.params.length !== 1) return undefined;
  const [value, more] = facts.shapes.returnedValues(fn);
  const returned = value && unwrap(value);
  const inner = returned && !more && isCall(returned) ? cloneByItself(returned, facts) : undefined;
  const source = inner && unwrap(inner.source);
  const parameter = facts.bindings.resolve(fn.params[0]);
  if (!inner || source?.type !== 'Identifier' || facts.bindings.resolve(source) !== parameter) return undefined;
  const body = fn.body.type === 'BlockStatement' ? fn.body.body : [];
  if (body.length > 1) return undefined;
  return made(inner.kind, call, call.arguments[0], callee.name);
}

function cloneByItself(call: CallNode, facts: Facts): Clone | undefined {
  const [first, second] = call.arguments;
  if (call.type === 'NewExpression' || !first || second || first.type === 'SpreadElement') return undefined;
  const { origins } = facts;
  if (origins.isGlobal(call.callee, 'structuredClone')) return made('structured', call, first, 'structuredClone');
  const inner = unwrap(first);
  const source = isCall(inner) && inner.type !== 'NewExpression' && inner.arguments.length === 1 ? inner.arguments[0] : undefined;
  if (source && isCall(inner)) {
    if (origins.isGlobal(call.callee, 'JSON.parse') && origins.isGlobal(inner.callee, 'JSON.stringify'))
      return made('json', call, source, 'JSON.parse(JSON.stringify(…))');
    if (isOf(call, 'v8', 'deserialize', facts) && isOf(inner, 'v8', 'serialize', facts))
      return made('structured', call, source, 'v8.deserialize(v8.serialize(…))');
  }
  const name = nameOfPackage(call, facts);
  return name === undefined ? undefined : made('deep', call, first, name);
}

function made(kind: Clone['kind'], call: CallNode, source: Node | undefined, name: string): Clone | undefined {
  if (!source || source.type === 'SpreadElement') return undefined;
  let whole: Node = call;
  for (let up = parentOf(whole); up && up !== whole && unwrap(up) === call; up = parentOf(whole)) whole = up;
  return { kind, call, whole, source, name };
}

function isOf(call: CallNode, module: string, member: string, facts: Facts): boolean {
  const origin = facts.origins.moduleMember(call.callee);
  return origin?.module === module && origin.path.at(-1) === member;
}

function nameOfPackage(call: CallNode, facts: Facts): string | undefined {
  const callee = unwrap(call.callee);
  const origin = facts.origins.moduleMember(callee);
  if (origin) {
    const path = origin.path.filter((part) => part !== 'default').join('.');
    if (path === '' ? CLONING.has(origin.module) : MEMBERS.has(`${origin.module}.${path}`)) return facts.source.slice(callee);
  }
  // `const clone = require('rfdc')()`
  const declaration = callee.type === 'Identifier' ? facts.bindings.resolve(callee)?.declaration : undefined;
  const init = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  const maker = init && isCall(init) ? facts.origins.moduleMember(init.callee)?.module : undefined;
  return maker === 'rfdc' && callee.type === 'Identifier' ? callee.name : undefined;
}
