// Branches whose condition callers or other files decide. Calls that run only if the caller leaves an argument out: `if (!db) db = connect()`,
// `config ?? read()`, `(config = read()) => …`. Calls that never run, because no file sets the property: `if (scene.imagePath) …`.
import {
  contains,
  enclosingFunction,
  functionName,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  startOf,
  staticName,
  unwrap,
  type FunctionNode,
  type Node,
  type t,
} from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import { neededToLack, objectsIn, objectsReturnedBy, returnedValues, type Read } from '../../facts/outside/known-objects.ts';
import type { Flow, OpenGuard } from './walk.ts';
import { FunctionFlag, leftOutFlag, type FileSummary, type Instead, type Lack, type Result } from './format.ts';

/** The flag of that argument; 0 for other calls. */
export function leftOutFlagOf(flow: Flow, call: Node): number {
  const fn = flow.frame.node;
  if (!fn || fn.params.length === 0) return 0;
  let assigned: string | undefined;
  for (let at: Node = call, up = parentOf(call); up && at !== fn; at = up, up = parentOf(up)) {
    if (up === fn)
      return leftOutFlag(
        fn.params.findIndex((parameter) => parameter === at && parameter.type === 'AssignmentPattern' && contains(parameter.right, call)),
      );
    if (isFunction(up)) return 0;
    if (up.type === 'AssignmentExpression' && up.right === at && up.left.type === 'Identifier') assigned = up.left.name;
    // Only an assignment to the parameter counts. Other code in the branch may also be meant for an empty string.
    const absent =
      up.type === 'IfStatement' && up.consequent === at
        ? takenBy(absentIn(up.test), assigned)
        : up.type === 'LogicalExpression' && up.right === at && up.operator !== '&&'
          ? unwrap(up.left)
          : undefined;
    const index = absent ? indexOf(flow, fn, absent) : -1;
    if (index >= 0) return leftOutFlag(index);
    // `cb ? cb(rows) : print(rows)`: a callback is no empty string, so that any code in the other branch counts.
    const place = up.type === 'BlockStatement' ? placeAbove(flow, fn, up, at) : calledPlace(flow, fn, absentCallback(up, at));
    if (place >= 0) return leftOutFlag(place);
  }
  return 0;
}

/** The expression that must be missing for a branch of a statement or expression to run, if it is a callback. */
function absentCallback(parent: Node, child: Node): Node | undefined {
  if (parent.type !== 'IfStatement' && parent.type !== 'ConditionalExpression') return undefined;
  return child === parent.consequent ? absentIn(parent.test) : child === parent.alternate ? presentIn(parent.test) : undefined;
}

/** The parameter that a statement above a child of a block asks for, and ends the function: `if (cb) return cb(rows);`. -1 for none. */
function placeAbove(flow: Flow, fn: FunctionNode, block: t.BlockStatement, child: Node): number {
  let first = flow.callbackEnds.get(block);
  if (first === undefined) {
    first = null;
    for (const statement of block.body) {
      const isEnd = statement.type === 'IfStatement' && endsFunction(statement.consequent);
      const place = isEnd ? calledPlace(flow, fn, presentIn(statement.test)) : -1;
      if (place < 0) continue;
      first = { statement, place };
      break;
    }
    flow.callbackEnds.set(block, first);
  }
  return first && startOf(first.statement) < startOf(child) ? first.place : -1;
}

/** The position of a parameter that its function calls; -1 for other expressions. */
function calledPlace(flow: Flow, fn: FunctionNode, node: Node | undefined): number {
  const place = node ? indexOf(flow, fn, node) : -1;
  return node && place >= 0 && isCalled(flow, node) ? place : -1;
}

function endsFunction(branch: Node): boolean {
  const last = branch.type === 'BlockStatement' ? branch.body.at(-1) : branch;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement';
}

/** The expression that a test asks for: `cb`, `typeof cb === 'function'`, `cb !== undefined`. */
function presentIn(test: Node): Node | undefined {
  const node = unwrap(test);
  if (node.type === 'Identifier') return node;
  if (node.type === 'UnaryExpression' && node.operator === '!') return absentIn(node.argument);
  if (node.type !== 'BinaryExpression') return undefined;
  const left = unwrap(node.left);
  const isTypeof = left.type === 'UnaryExpression' && left.operator === 'typeof' && node.right.type === 'StringLiteral';
  if (/^===?$/.test(node.operator))
    return isTypeof && node.right.type === 'StringLiteral' && node.right.value === 'function' ? unwrap(left.argument) : undefined;
  if (!/^!==?$/.test(node.operator)) return undefined;
  if (isTypeof) return node.right.type === 'StringLiteral' && node.right.value === 'undefined' ? unwrap(left.argument) : undefined;
  return node.right.type === 'NullLiteral' || (node.right.type === 'Identifier' && node.right.name === 'undefined') ? left : undefined;
}

/** Whether a parameter is called in its function, so that whatever is passed for it is a function. */
function isCalled(flow: Flow, parameter: Node): boolean {
  const binding = parameter.type === 'Identifier' ? flow.bindings.resolve(parameter) : undefined;
  return (
    binding !== undefined &&
    flow.bindings.references(binding).some((reference) => {
      const call = parentOf(reference);
      return isCall(call) && call.callee === reference;
    })
  );
}

function takenBy(absent: Node | undefined, assigned: string | undefined): Node | undefined {
  return absent?.type === 'Identifier' && absent.name === assigned ? absent : undefined;
}

/** The expression that must be missing for a test to hold: `!db`, `db === undefined`, `typeof db === 'undefined'`, `!db && isReady`. */
function absentIn(test: Node): Node | undefined {
  const node = unwrap(test);
  if (node.type === 'UnaryExpression' && node.operator === '!') return unwrap(node.argument);
  if (node.type === 'LogicalExpression' && node.operator === '&&') return absentIn(node.left) ?? absentIn(node.right);
  if (node.type !== 'BinaryExpression' || !/^===?$/.test(node.operator)) return undefined;
  const left = unwrap(node.left);
  if (node.right.type === 'NullLiteral' || (node.right.type === 'Identifier' && node.right.name === 'undefined')) return left;
  return left.type === 'UnaryExpression' &&
    left.operator === 'typeof' &&
    node.right.type === 'StringLiteral' &&
    node.right.value === 'undefined'
    ? unwrap(left.argument)
    : undefined;
}

function indexOf(flow: Flow, fn: FunctionNode, node: Node): number {
  if (node.type !== 'Identifier') return -1;
  const binding = flow.bindings.resolve(node);
  if (binding?.kind !== 'param' || binding.declaration !== fn) return -1;
  return fn.params.findIndex(
    (parameter) => parameter === binding.identifier || (parameter.type === 'AssignmentPattern' && parameter.left === binding.identifier),
  );
}

/** Our choice, so that a call costs no more in a deep nest. */
const MOST_AROUND = 8;
const LONGEST_TEST = 20;

/** Walks what runs only if a test holds. */
export function behind<T>(flow: Flow, test: Node, walk: () => T): T {
  const around = flow.guards;
  const own = around.length < MOST_AROUND ? guardsOf(flow, test) : [];
  if (own.length > 0) flow.guards = [...around, ...own];
  const value = walk();
  flow.guards = around;
  return value;
}

function guardsOf(flow: Flow, test: Node): OpenGuard[] {
  const found: OpenGuard[] = [];
  let rest: Node | undefined = test;
  for (let i = 0; rest && i < LONGEST_TEST; i++) {
    const node: Node = unwrap(rest);
    const isBoth: boolean = node.type === 'LogicalExpression' && node.operator === '&&';
    rest = node.type === 'LogicalExpression' && isBoth ? node.left : undefined;
    const guard = guardOf(flow, node.type === 'LogicalExpression' && isBoth ? node.right : node);
    if (guard) found.push(guard);
  }
  for (const guard of found) flow.allGuards.push(guard);
  return found;
}

/** `scene.imagePath` */
function guardOf(flow: Flow, part: Node): OpenGuard | undefined {
  const node = unwrap(part);
  const name = isMember(node) ? memberName(node) : undefined;
  const object = isMember(node) ? unwrap(node.object) : undefined;
  if (name === undefined || object?.type !== 'Identifier') return undefined;
  const binding = flow.binding(object.name);
  // What outlives the call may be changed by whoever gets it.
  const fn = binding && enclosingFunction(binding.declaration);
  if (!fn || fn !== enclosingFunction(node)) return undefined;
  const objects = objectsIn(binding, flow.facts);
  const reads = objects && neededToLack(objects, name);
  return reads && { reads, sites: [] };
}

/** `let load = async () => …`: its callers may run another one. */
function mayBeReplaced(fn: FunctionNode, { facts: { bindings } }: Flow): boolean {
  const holder = parentOf(fn);
  const id = fn.type === 'FunctionDeclaration' ? fn.id : holder?.type === 'VariableDeclarator' ? holder.id : undefined;
  const binding = id?.type === 'Identifier' ? bindings.resolve(id) : undefined;
  return binding !== undefined && !bindings.isConstant(binding);
}

/** After the walk. */
export function readGuards(flow: Flow): Pick<FileSummary, 'guards' | 'instead' | 'replaces' | 'results'> {
  const { facts, functionIndexes, allGuards } = flow;
  const lacks = (reads: readonly Read[]): Lack[] => reads.map(({ call, name }) => ({ site: flow.sites.get(call) ?? -1, name }));
  const guards = allGuards.flatMap(({ reads, sites }) => (sites.length > 0 ? [{ lacks: lacks(reads), sites }] : []));
  const results: Result[] = [];
  const returned = returnedValues(facts);
  for (const [fn, index] of functionIndexes) {
    const values = returned.get(fn);
    // Nobody keeps the result of a callback in a variable.
    if (functionName(fn) === undefined || mayBeReplaced(fn, flow) || (!values && fn.body.type === 'BlockStatement')) continue;
    const objects = objectsReturnedBy(fn, values ?? [], facts);
    if (!objects) continue;
    const copied = [...objects.copied].map(([name, reads]) => [name, lacks(reads)] as const);
    results.push({
      fn: index,
      set: [...objects.set],
      calls: objects.calls.map((call) => flow.sites.get(call) ?? -1),
      ...(copied.length > 0 ? { copied } : {}),
    });
  }
  const instead = insteadIn(flow);
  const replaces = markKept(flow);
  return {
    ...(guards.length > 0 ? { guards } : {}),
    ...(results.length > 0 ? { results } : {}),
    ...(instead.length > 0 ? { instead } : {}),
    ...(replaces.length > 0 ? { replaces } : {}),
  };
}

/** Marks the methods that all instances of their class have. The names of properties that the file takes away. */
function markKept(flow: Flow): string[] {
  const { module } = flow.facts;
  const assigned = new Set<string>();
  const taken = new Set<string>();
  const assign = (name: string | undefined, value: Node | null | undefined): void => {
    if (name === undefined) return;
    assigned.add(name);
    if (value && isNothing(value)) taken.add(name);
  };
  for (const { left, right } of module.nodes('AssignmentExpression')) if (isMember(left)) assign(memberName(left), right);
  for (const { key, computed, value } of module.nodes('ClassProperty')) assign(staticName(key, Boolean(computed)), value);
  for (const { operator, argument } of module.nodes('UnaryExpression')) {
    const name = operator === 'delete' && isMember(argument) ? memberName(argument) : undefined;
    if (name !== undefined) taken.add(name);
  }
  const classes = new Map<string, number>();
  for (const kind of ['ClassDeclaration', 'ClassExpression'] as const)
    for (const { id } of module.nodes(kind)) if (id) classes.set(id.name, (classes.get(id.name) ?? 0) + 1);
  const methods = module.nodes('ClassMethod');
  for (const one of methods) if (!isPlain(one)) assign(staticName(one.key, one.computed), undefined);
  for (const one of methods) {
    const fn = flow.functionIndexes.get(one);
    const name = staticName(one.key, one.computed);
    const owner = parentOf(parentOf(one) ?? one);
    const id = owner?.type === 'ClassDeclaration' ? owner.id : undefined;
    if (fn === undefined || name === undefined || !id || classes.get(id.name) !== 1) continue;
    if (isPlain(one) && !assigned.has(name) && !taken.has(name)) flow.out.addFunctionFlag(fn, FunctionFlag.Kept);
  }
  return [...taken];
}

function isPlain(method: t.ClassMethod): boolean {
  return method.kind === 'method' && !method.static && !method.abstract && !method.optional;
}

/** `undefined`, `null`, `false`, `void 0` */
function isNothing(value: Node): boolean {
  const node = unwrap(value);
  if (node.type === 'Identifier') return node.name === 'undefined';
  return node.type === 'NullLiteral' || (node.type === 'UnaryExpression' && node.operator === 'void') || isFalse(node);
}

function isFalse(node: Node): boolean {
  return node.type === 'BooleanLiteral' && !node.value;
}

/** The calls that run only if an object lacks another method: of an `else`, and behind `if (typeof db.closeAndWait === 'function') return …`. */
function insteadIn(flow: Flow): Instead[] {
  const { module } = flow.facts;
  const found: Instead[] = [];
  for (const one of module.nodes('ConditionalExpression')) addInstead(flow, one.test, () => [one.alternate], found);
  for (const one of module.nodes('IfStatement'))
    if (one.alternate || endsFunction(one.consequent))
      addInstead(flow, one.test, () => (one.alternate ? [one.alternate] : statementsAfter(one)), found);
  return found;
}

/** Our choices: of thousands of conditions in one block or chain, each would read all that follow. */
const MOST_BEHIND = 50;
const MOST_STATEMENTS = 500;
const MOST_NODES = 2000;

function statementsAfter(statement: Node): readonly Node[] {
  const block = parentOf(statement);
  if (block?.type !== 'BlockStatement' || block.body.length > MOST_STATEMENTS) return [];
  const at = (block.body as readonly Node[]).indexOf(statement);
  return block.body.slice(at + 1, at + 1 + MOST_BEHIND);
}

function addInstead(flow: Flow, test: Node, placesOf: () => readonly Node[], found: Instead[]): void {
  const asked = isMember(unwrap(test)) ? unwrap(test) : presentIn(test);
  const of = isMember(asked) ? memberName(asked) : undefined;
  const object = isMember(asked) ? unwrap(asked.object) : undefined;
  if (of === undefined || object?.type !== 'Identifier') return;
  const binding = flow.bindings.resolve(object);
  if (!binding || flow.bindings.assignedValues(binding).length > 0) return;
  let left = MOST_NODES;
  for (const place of placesOf())
    walkWithin(place, (node) => {
      if (isFunction(node)) return false;
      if (--left < 0) return 'stop';
      const callee = isCall(node) ? unwrap(node.callee) : undefined;
      const called = isMember(callee) && memberName(callee) !== of ? unwrap(callee.object) : undefined;
      const site = called?.type === 'Identifier' && flow.bindings.resolve(called) === binding ? flow.sites.get(node) : undefined;
      if (site !== undefined) found.push({ site, of });
      return undefined;
    });
}
