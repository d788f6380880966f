// Whether requests bring ever new keys, or the same few again.
import type { Facts } from '../../analysis/facts/index.ts';
import { conditionsOn } from '../../analysis/facts/control-flow.ts';
import { patternIdentifiers, type Binding } from '../../analysis/facts/bindings.ts';
import {
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { groupBy } from '../../analysis/module/group-by.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { RequestData } from '../shared/request-data.ts';

/** `made`: new each time, such as a random id or the connection itself. `sent`: whatever clients send. */
export type KeySource = 'made' | 'sent';

const MAX_STEPS = 6;
const MAKERS =
  /^(?:randomUUID|randomBytes|uuid|uuidv[1-7]|v[1-7]|nanoid|ulid|cuid|createId|shortid|generate|objectId|hrtime|now|random|getTime|customAlphabet)$/i;
const MAKING_PACKAGES: ReadonlySet<string> = new Set([
  'crypto',
  'uuid',
  'nanoid',
  'ulid',
  'cuid',
  '@paralleldrive/cuid2',
  'shortid',
  'bson',
  'mongodb',
]);
/** Methods whose result still holds what is in the receiver or the arguments. */
const KEEPING =
  /^(?:toString|toLowerCase|toUpperCase|trim|slice|substring|substr|replace|replaceAll|concat|padStart|join|digest|update|toHexString|valueOf)$/;
/** What all requests of an application share a few values of. A list of the names that people give to such values. */
const FEW =
  /^(?:\w*(?:[tT]ype|[kK]ind|[mM]ethod|[aA]ction|[eE]vent|[sS]tatus|[lL]evel|[lL]ang|[lL]anguage|[lL]ocale|[rR]ole|[cC]ategory|[pP]rotocol|[vV]ersion|[mM]ode|[fF]ormat|[uU]nit|[cC]urrency|[cC]ountry|[cC]ommand|[pP]rovider|[pP]latform|[tT]heme|[tT]opic|[mM]odel|[tT]able|[cC]ollection|[pP]lugin|[mM]odule|[nN]amespace|[sS]trategy|[fF]eature|[eE]nv|[rR]egion|[tT]enant|[sS]ite|[dD]omain|[sS]ource|[sS]ort|[oO]rder|[cC]olor|[sS]tate|[oO]peration)|op|cmd|lng|ns|env|db|app|route|baseUrl|method|httpVersion|hostname|host|server|secure|xhr)$/;

export function keySourceOf(key: Node, facts: Facts): KeySource | undefined {
  if (isOfFew(key)) return undefined;
  if (isMade(key, facts, 0)) return 'made';
  return new RequestData(facts, 'any').isSent(key) || isOfClient(key, facts, 0) ? 'sent' : undefined;
}

function isOfFew(key: Node): boolean {
  const node = unwrap(key);
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  return name !== undefined && FEW.test(name);
}

function isMade(key: Node, facts: Facts, steps: number): boolean {
  const node = unwrap(key);
  if (steps > MAX_STEPS) return false;
  switch (node.type) {
    case 'Identifier':
      return isHandlerObject(node, facts) || isCounter(node, facts) || isMadeVariable(node, facts, steps);
    case 'UpdateExpression':
      return node.argument.type === 'Identifier' && facts.bindings.resolve(node.argument)?.scope.type === 'Program';
    case 'TemplateLiteral':
      return node.expressions.some((one) => isMade(one, facts, steps + 1));
    case 'BinaryExpression':
      return node.operator === '+' && (isMade(node.left, facts, steps + 1) || isMade(node.right, facts, steps + 1));
    case 'CallExpression':
    case 'OptionalCallExpression': {
      const callee = unwrap(node.callee);
      const method = isMember(callee) ? memberName(callee) : undefined;
      if (isMember(callee) && KEEPING.test(method ?? '')) return isMade(callee.object, facts, steps + 1);
      const origin = facts.origins.of(callee);
      if (!origin) return false;
      const last = origin.path.at(-1) ?? origin.name;
      if (origin.root === 'module') return MAKING_PACKAGES.has(origin.name) && MAKERS.test(last);
      if (origin.name === 'String') return node.arguments.some((one) => isMade(one, facts, steps + 1));
      return /^(?:Date\.now|Math\.random|crypto\.randomUUID|performance\.now|process\.hrtime(?:\.bigint)?|Symbol)$/.test(
        [origin.name, ...origin.path].join('.'),
      );
    }
    case 'NewExpression':
    case 'ObjectExpression':
      // As a key of a Map or an element of a Set, each is another one.
      return true;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      // The id of a connection: `socket.id`
      if (memberName(node) === 'id' && node.object.type === 'Identifier' && isHandlerObject(node.object, facts, 'socket')) return true;
      return isMadeField(node, facts, steps);
    default:
      return false;
  }
}

function isMadeVariable(node: t.Identifier, facts: Facts, steps: number): boolean {
  const binding = facts.bindings.resolve(node);
  const declaration = binding?.declaration;
  if (declaration?.type !== 'VariableDeclarator' || declaration.id !== binding?.identifier || !declaration.init) return false;
  if (binding.scope.type === 'Program') return false;
  const init = unwrap(declaration.init);
  // What an element of a list is, is not known to be new.
  return init.type !== 'ObjectExpression' && init.type !== 'NewExpression' && isMade(init, facts, steps + 1);
}

/** `let count = 0` at the top level, with `count++` in a function */
function isCounter(node: t.Identifier, facts: Facts): boolean {
  const binding = facts.bindings.resolve(node);
  if (binding?.scope.type !== 'Program' || (binding.kind !== 'let' && binding.kind !== 'var')) return false;
  const known = facts.remember('counters', () => new Map<Binding, boolean>());
  let isOne = known.get(binding);
  if (isOne === undefined) {
    const writes = facts.bindings.writes(binding);
    isOne =
      writes.length > 0 &&
      writes.every(
        ({ node: write }) => write.type === 'UpdateExpression' && write.operator === '++' && enclosingFunction(write) !== undefined,
      );
    known.set(binding, isOne);
  }
  return isOne;
}

/** `this.id = 'c' + count` in the same function */
function isMadeField(member: Node, facts: Facts, steps: number): boolean {
  const text = facts.source.slice(member);
  const fn = enclosingFunction(member);
  if (!fn) return false;
  const byFunction = facts.remember('made fields', () => new Map<Node, Map<string, boolean>>());
  const known = byFunction.get(fn) ?? new Map<string, boolean>();
  byFunction.set(fn, known);
  // What is made of the field itself is followed until there are too many steps.
  const question = `${steps} ${text}`;
  let is = known.get(question);
  if (is === undefined) {
    const byText = facts.remember('assignments by what they change', () =>
      groupBy(facts.module.nodes('AssignmentExpression'), ({ left }) => facts.source.slice(left)),
    );
    const values = (byText.get(text) ?? []).filter(({ left }) => enclosingFunction(left) === fn);
    is = values.length > 0 && values.every(({ right, operator }) => operator === '=' && isMade(right, facts, steps + 1));
    known.set(question, is);
  }
  return is;
}

/** Whether a name is the request, the response or the connection of a handler: another object each time. */
function isHandlerObject(node: t.Identifier, facts: Facts, only?: 'socket'): boolean {
  const binding = facts.bindings.resolve(node);
  if (binding?.kind !== 'param' || !isFunction(binding.declaration)) return false;
  const { declaration } = binding;
  const handler = facts.handlersOf(declaration)[0];
  if (!handler) return false;
  if (/^(?:socket|ws|conn|connection|client|spark|peer)$/i.test(node.name)) return handler.kind === 'socket' || only === undefined;
  return only === undefined && /^(?:res|response|req|request|reply)$/.test(node.name);
}

/** `req.ip`, `req.user.id`, `req.session.id`, `req.socket.remoteAddress` */
function isOfClient(key: Node, facts: Facts, steps: number): boolean {
  const node = unwrap(key);
  if (steps > MAX_STEPS) return false;
  if (isMember(node)) {
    const path: string[] = [];
    let at: Node = node;
    while (isMember(at)) {
      const name = memberName(at);
      if (name === undefined) return false;
      path.unshift(name);
      at = unwrap(at.object);
    }
    if (at.type !== 'Identifier' || !isRequest(at, facts)) return false;
    return /^(?:ip|ips|id|sessionID|requestId|(?:(?:request|req|info|ip|raw)\.)?(?:socket|connection)\.remoteAddress|(?:state\.|auth\.)?(?:user|session|account|auth|token|jwt|userId|uid|sub)(?:\.\w+)?)$/.test(
      path.join('.'),
    );
  }
  if (node.type === 'TemplateLiteral') return node.expressions.some((one) => keySourceOf(one, facts) !== undefined);
  if (node.type === 'LogicalExpression') return isOfClient(node.left, facts, steps + 1) || isOfClient(node.right, facts, steps + 1);
  if (node.type !== 'Identifier') return false;
  const declaration = facts.bindings.resolve(node)?.declaration;
  return declaration?.type === 'VariableDeclarator' && declaration.id.type === 'Identifier' && declaration.init != null
    ? isOfClient(declaration.init, facts, steps + 1)
    : false;
}

function isRequest(node: t.Identifier, facts: Facts): boolean {
  const binding = facts.bindings.resolve(node);
  if (binding?.kind !== 'param' || !isFunction(binding.declaration)) return false;
  const { declaration } = binding;
  return (
    /^_?(?:req|request|ctx|context|c)$/.test(node.name) &&
    (facts.handlersOf(declaration).length > 0 || facts.requestPaths.toFunction(declaration) !== undefined)
  );
}

/** What the code checks before it adds. */
export type Check =
  /** Only what is there already is replaced, or only what is on a list gets here. */
  | 'limited'
  /** Something was looked up for the key, and must have been found: there are as many keys as there are records. */
  | 'looked-up'
  | 'none';

export function checkBefore(site: Node, key: Node, container: string, facts: Facts): Check {
  const names = namesIn(key);
  if (names.size === 0) return 'none';
  let found: Check = 'none';
  let fn: FunctionNode | undefined = enclosingFunction(site);
  let at = site;
  for (let depth = 0; fn && depth < MAX_STEPS; depth++) {
    for (const test of conditionsOn(at, fn)) {
      const check = checkOf(test, names, container, facts);
      if (check === 'limited') return check;
      if (check === 'looked-up') found = check;
    }
    at = fn;
    fn = enclosingFunction(fn);
  }
  return found;
}

function checkOf(test: Node, names: ReadonlySet<string>, container: string, facts: Facts): Check {
  const text = facts.source.slice(test);
  if (test.type === 'SwitchCase') return mentions(facts.source.slice(parentOf(test) ?? test), names) ? 'limited' : 'none';
  // `if (!cache.has(id)) cache.set(id, …)` lets new keys in, `if (sessions[id]) sessions[id] = …` only those that are there.
  if (text.includes(container)) return asksForPresence(test, container, facts) ? 'limited' : 'none';
  let check: Check = 'none';
  walkWithin(test, (node) => {
    if (check === 'limited') return false;
    if (
      isCall(node) &&
      isMember(node.callee) &&
      /^(?:has|includes|indexOf|hasOwnProperty|hasOwn|test|match|find|some)$/.test(memberName(node.callee) ?? '')
    ) {
      if (node.arguments.some((argument) => mentions(facts.source.slice(argument), names))) check = 'limited';
    } else if (node.type === 'BinaryExpression' && (node.operator === 'in' || /^[!=]==?$/.test(node.operator))) {
      const sides = [unwrap(node.left as Node), unwrap(node.right)];
      if (node.operator === 'in' ? mentions(facts.source.slice(node.left), names) : isComparedWithText(sides, names, facts))
        check = 'limited';
    } else if (isMember(node) && node.computed && mentions(facts.source.slice(node.property), names)) check = 'limited';
    else if (node.type === 'Identifier' && check === 'none' && !names.has(node.name) && isLookUp(node, names, facts)) check = 'looked-up';
    return undefined;
  });
  return check;
}

function isComparedWithText(sides: readonly Node[], names: ReadonlySet<string>, facts: Facts): boolean {
  return (
    sides.some((side) => side.type === 'StringLiteral' && side.value !== '') &&
    sides.some((side) => mentions(facts.source.slice(side), names))
  );
}

/** Whether the variable comes from something that was asked with the key. */
function isLookUp(node: t.Identifier, names: ReadonlySet<string>, facts: Facts): boolean {
  const binding = facts.bindings.resolve(node);
  const declaration = binding?.declaration;
  if (declaration?.type !== 'VariableDeclarator' || !declaration.init || binding?.scope.type === 'Program') return false;
  const init = unwrap(declaration.init);
  const asked = init.type === 'AwaitExpression' ? unwrap(init.argument) : init;
  if (patternIdentifiers(declaration.id).some(({ name }) => names.has(name))) return false;
  return (isCall(asked) || isMember(asked)) && mentions(facts.source.slice(asked), names);
}

function asksForPresence(test: Node, container: string, facts: Facts): boolean {
  const node = unwrap(test);
  if (node.type === 'LogicalExpression')
    return asksForPresence(node.left, container, facts) || asksForPresence(node.right, container, facts);
  // An early `return` behind `!map.has(key)` lets only known keys through, an `if` only new ones. The place tells them apart.
  const holder = parentOf(test);
  const isEarlyEnd = holder?.type === 'IfStatement' && holder.test === test && endsEarly(holder.consequent);
  const isNegated =
    (node.type === 'UnaryExpression' && node.operator === '!') ||
    (node.type === 'BinaryExpression' && /^===?$/.test(node.operator) && /^(?:undefined|null)$/.test(facts.source.slice(node.right)));
  return isEarlyEnd === isNegated && facts.source.slice(node).includes(container);
}

function endsEarly(statement: Node): boolean {
  const last = statement.type === 'BlockStatement' ? statement.body.at(-1) : statement;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement' || last?.type === 'ContinueStatement';
}

function namesIn(key: Node): Set<string> {
  const names = new Set<string>();
  walkWithin(key, (node) => {
    if (node.type === 'Identifier' && !/^(?:req|request|ctx|context|c|params|query|body|res|socket|String|Number)$/.test(node.name))
      names.add(node.name);
    return undefined;
  });
  return names;
}

function mentions(text: string, names: ReadonlySet<string>): boolean {
  for (const word of text.match(/[\w$]+/g) ?? []) if (names.has(word)) return true;
  return false;
}
