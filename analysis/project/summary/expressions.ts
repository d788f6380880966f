// How values flow through expressions and statements.
import { endOf, isCall, isMember, memberName, parentOf, startOf, staticName, unwrap, type Node, type t } from '../../module/ast.ts';
import { GLOBAL_FILES } from '../../../knowledge/handler-signatures.ts';
import { isAfterLast, isThrownForMistakes } from '../../facts/control-flow.ts';
import { developmentBranchOf, endsInProduction, isFalse, isHoisted } from '../../facts/development.ts';
import { literalKeys } from '../../facts/outside/literal-keys.ts';
import { runsOnce } from '../../facts/once.ts';
import { RUNTIME_KEYS } from '../../module/module-index.ts';
import { assign, ofAssignment, ofDeclarator } from './assignments.ts';
import { readCall, readConstruction } from './call-flow.ts';
import { readClass } from './class-flow.ts';
import { discordClientOf, keepDiscordClient } from './container-flow.ts';
import { EXPORTS_NODE, FIRST_EXPORTS_NODE } from './builder.ts';
import { getterName, type Flow } from './walk.ts';
import { ofFunction, ofObject } from './function-flow.ts';
import { readExport, readImport } from './module-flow.ts';
import { noteArrayRow } from './route-parts.ts';
import { ANY_METHOD, ANY_NAME, ANY_STORED, ELEMENT, INDEXES, ITERATOR, KEY, ObjectKind, Op, RETURNED, SENT, SiteFlag } from './format.ts';
import { behind } from './branches.ts';
import { enterLoop, leaveLoop } from './repeats.ts';
import { readTypeOf } from './type-flow.ts';

/** Globals that hold no functions of the project and need no node. */
export const PLAIN_GLOBALS: ReadonlySet<string> = new Set([
  'undefined',
  'NaN',
  'Infinity',
  'console',
  'Math',
  'JSON',
  'Number',
  'String',
  'Boolean',
  'Date',
  'RegExp',
  'Symbol',
  'BigInt',
  'Intl',
  '__dirname',
  '__filename',
  'Buffer',
  'parseInt',
  'parseFloat',
  'isNaN',
  'encodeURIComponent',
  'decodeURIComponent',
  'Error',
  'TypeError',
  'performance',
  'URL',
  'URLSearchParams',
]);

/** Walks a node. Returns the node of its value if `wanted`, or 0 if the value cannot be called and has no members. */
export function evaluate(flow: Flow, node: Node | null | undefined, wanted = true): number {
  if (!node) return 0;
  switch (node.type) {
    case 'StringLiteral':
    case 'NumericLiteral':
    case 'BooleanLiteral':
    case 'NullLiteral':
    case 'RegExpLiteral':
    case 'BigIntLiteral':
    case 'Super':
      return node.type === 'Super' ? flow.frame.self : 0;
    case 'ParenthesizedExpression':
    case 'TSNonNullExpression':
    case 'TSInstantiationExpression':
    case 'TypeCastExpression':
      return evaluate(flow, node.expression, wanted);
    case 'TSAsExpression':
    case 'TSSatisfiesExpression':
    case 'TSTypeAssertion': {
      const value = evaluate(flow, node.expression, wanted);
      if (!wanted || node.type === 'TSSatisfiesExpression') return value;
      return mergedPair(flow, value, readTypeOf(flow, node.typeAnnotation));
    }
    case 'Identifier':
      return wanted ? ofIdentifier(flow, node) : 0;
    case 'ThisExpression':
      return flow.frame.fn < 0 && flow.frame.self === 0 ? FIRST_EXPORTS_NODE : flow.frame.self;
    case 'MemberExpression':
    case 'OptionalMemberExpression':
      return ofMember(flow, node, wanted);
    case 'CallExpression':
    case 'OptionalCallExpression':
      return readCall(flow, node);
    case 'NewExpression':
      return keepDiscordClient(flow, node, readConstruction(flow, node));
    case 'ImportExpression':
      return readImport(flow, node.source);
    case 'FunctionExpression':
    case 'ArrowFunctionExpression':
    case 'FunctionDeclaration':
      return ofFunction(flow, node);
    case 'ClassExpression':
    case 'ClassDeclaration':
      return readClass(flow, node);
    case 'ObjectExpression':
      return ofObject(flow, node);
    case 'ArrayExpression':
      return ofArray(flow, node, wanted);
    case 'AssignmentExpression':
      return ofAssignment(flow, node);
    case 'ConditionalExpression': {
      evaluate(flow, node.test, false);
      const before = flow.flags;
      const branch = deadBranchOf(flow, node.test);
      const consequent = behind(flow, node.test, () => ofBranch(flow, node.consequent, wanted, before, branch === 'consequent'));
      const alternate = ofBranch(flow, node.alternate, wanted, before, branch === 'alternate');
      return wanted ? mergedPair(flow, consequent, alternate) : 0;
    }
    case 'LogicalExpression': {
      const left = evaluate(flow, node.left, wanted && node.operator !== '&&');
      const right =
        node.operator === '&&'
          ? behind(flow, node.left, () => ofBranch(flow, node.right, wanted, flow.flags, isFalse(node.left, flow.bindings)))
          : evaluate(flow, node.right, wanted);
      return wanted ? mergedPair(flow, left, right) : 0;
    }
    case 'SequenceExpression': {
      let last = 0;
      node.expressions.forEach((expression, i) => {
        last = evaluate(flow, expression, wanted && i === node.expressions.length - 1);
      });
      return last;
    }
    case 'AwaitExpression':
      flow.frame.waits++;
      return evaluate(flow, node.argument, wanted);
    case 'YieldExpression':
      flow.frame.waits++;
      return ofYield(flow, node, wanted);
    case 'TaggedTemplateExpression':
      return flow.out.call({
        site: siteOf(flow, node, node.tag),
        callee: evaluate(flow, node.tag),
        // The first argument holds the texts.
        args: [0, ...node.quasi.expressions.map((one) => evaluate(flow, one))],
      });
    case 'SpreadElement':
      return evaluate(flow, node.argument, wanted);
    case 'VariableDeclaration':
      if (!node.declare) for (const declarator of node.declarations) ofDeclarator(flow, declarator);
      return 0;
    case 'ReturnStatement': {
      const value = evaluate(flow, node.argument, flow.frame.result !== 0);
      flow.out.copy(flow.frame.result, value);
      if (flow.frame.generated >= 0) flow.out.field(flow.frame.generated, flow.out.text(RETURNED), value);
      return 0;
    }
    case 'IfStatement': {
      evaluate(flow, node.test, false);
      const before = flow.flags;
      const branch = deadBranchOf(flow, node.test);
      behind(flow, node.test, () => ofBranch(flow, node.consequent, false, before, branch === 'consequent'));
      ofBranch(flow, node.alternate, false, before, branch === 'alternate');
      return 0;
    }
    case 'ForOfStatement':
    case 'ForInStatement':
      ofForEach(flow, node);
      return 0;
    case 'ForStatement':
    case 'WhileStatement':
    case 'DoWhileStatement':
      return ofLoop(flow, node);
    case 'ThrowStatement':
      noteThrow(flow, node);
      evaluate(flow, node.argument, false);
      return 0;
    case 'TryStatement':
      ofTry(flow, node);
      return 0;
    case 'ImportDeclaration':
      return 0;
    case 'ExportNamedDeclaration':
    case 'ExportDefaultDeclaration':
    case 'ExportAllDeclaration':
    case 'TSExportAssignment':
    case 'TSImportEqualsDeclaration':
      readExport(flow, node);
      return 0;
    case 'BlockStatement':
      readBlock(flow, node);
      return 0;
    case 'SwitchCase':
      evaluate(flow, node.test, false);
      readStatements(flow, node.consequent, node);
      return 0;
    default:
      return ofChildren(flow, node);
  }
}

export function readBlock(flow: Flow, node: t.BlockStatement): void {
  const opened = flow.open(node);
  readStatements(flow, node.body, node);
  if (opened) flow.close();
}

/** Statements that never run, or not in production, are marked as such. */
function readStatements(flow: Flow, statements: readonly t.Statement[], list: t.BlockStatement | t.SwitchCase): void {
  let isDevelopment = false;
  for (const statement of statements) {
    ofBranch(flow, statement, false, flow.flags, (isDevelopment && !isHoisted(statement)) || isAfterLast(statement, list));
    isDevelopment ||= endsInProduction(statement, (node) => flow.slice(node), flow.facts.bindings);
  }
}

/** Whether an expression is a name or a chain of names. Walking it a second time costs little and records nothing twice. */
export function isPlain(expression: Node): boolean {
  let node = unwrap(expression);
  while (isMember(node) && memberName(node) !== undefined) node = unwrap(node.object);
  return node.type === 'Identifier' || node.type === 'ThisExpression';
}

/**
 * The value of an expression that was walked where it stands. Anything but names must not be walked again: inside itself it would be walked
 * twice for each level.
 */
export function valueOfWalked(flow: Flow, node: Node): number {
  return flow.values.get(node) ?? (isPlain(node) ? evaluate(flow, node) : 0);
}

function ofChildren(flow: Flow, node: Node): number {
  const keys = RUNTIME_KEYS.get(node.type);
  if (!keys || keys.length === 0) return 0;
  const opened = flow.open(node);
  for (let k = 0; k < keys.length; k++) {
    const child = (node as unknown as Record<string, unknown>)[keys[k] as string];
    if (!child) continue;
    if (Array.isArray(child)) for (let i = 0; i < child.length; i++) evaluate(flow, child[i] as Node | null, false);
    else evaluate(flow, child as Node, false);
  }
  if (opened) flow.close();
  return 0;
}

/** One node for several values. */
export function merged(flow: Flow, values: readonly number[]): number {
  const [first = 0, ...rest] = values.filter((value) => value !== 0);
  if (rest.every((value) => value === first)) return first;
  const node = flow.out.node();
  flow.out.copy(node, first);
  for (const value of rest) flow.out.copy(node, value);
  return node;
}

function mergedPair(flow: Flow, one: number, other: number): number {
  if (one === 0 || other === 0 || one === other) return one === 0 ? other : one;
  const node = flow.out.node();
  flow.out.copy(node, one);
  flow.out.copy(node, other);
  return node;
}

/** The branch that production does not take. Nobody takes that of `if (false && …)`. */
function deadBranchOf(flow: Flow, test: Node): ReturnType<typeof developmentBranchOf> {
  return isFalse(test, flow.bindings) ? 'consequent' : developmentBranchOf(flow.slice(test));
}

/** A branch of a condition, or a statement, marked if production does not get to it. */
function ofBranch(flow: Flow, node: Node | null | undefined, wanted: boolean, flags: number, isDevelopment: boolean): number {
  if (isDevelopment) flow.flags |= SiteFlag.DevelopmentOnly;
  const value = evaluate(flow, node, wanted);
  flow.flags = flags;
  return value;
}

function ofIdentifier(flow: Flow, node: t.Identifier): number {
  const binding = flow.binding(node.name);
  if (binding) return flow.nodeOf(binding);
  switch (node.name) {
    case 'exports':
      return FIRST_EXPORTS_NODE;
    case 'arguments':
      return ofArguments(flow);
    default:
      return PLAIN_GLOBALS.has(node.name) ? 0 : (ofGlobalFile(flow, node.name) ?? flow.global(node.name));
  }
}

/** `UserService` in a project of Sails: what `api/services/UserService.js` exports. */
function ofGlobalFile(flow: Flow, name: string): number | undefined {
  const { manifest } = flow.facts.project;
  const row = /^[A-Z]/.test(name)
    ? GLOBAL_FILES.find(({ dependency }) => manifest && Object.hasOwn(manifest.dependencies, dependency))
    : undefined;
  return row && !flow.makesGlobal(name) ? flow.globalFile(`/${row.folder}/${name}`) : undefined;
}

function ofArguments(flow: Flow): number {
  const { frame } = flow;
  if (frame.fn < 0) return 0;
  if (frame.arguments === 0) {
    const array = flow.out.object(ObjectKind.Array);
    frame.arguments = flow.out.holding(array);
    const params = frame.node?.params.length ?? 0;
    const first = flow.out.firstParameterOf(frame.fn);
    for (let i = 0; i < params; i++) flow.out.field(array, flow.out.text(ELEMENT), first + i);
    const more = flow.out.node();
    flow.out.field(array, flow.out.text(ELEMENT), more);
    flow.out.op(Op.Arguments, frame.fn, more);
  }
  return frame.arguments;
}

function ofMember(flow: Flow, node: t.MemberExpression | t.OptionalMemberExpression, wanted: boolean): number {
  if (node.computed) evaluate(flow, node.property, false);
  if (isExportsObject(flow, node)) return EXPORTS_NODE;
  const name = memberName(node);
  const isGetter = name !== undefined && flow.getters.has(name);
  const base = evaluate(flow, node.object, wanted || isGetter);
  if (isGetter && base !== 0) {
    const once = flow.frame.fn >= 0 && runsOnce(node, flow.facts) ? SiteFlag.Once : 0;
    flow.out.call({ site: siteOf(flow, node, node.property, once), callee: flow.load(base, getterName(name)), self: base });
  }
  if (!wanted) return 0;
  const value = memberOf(flow, node, base);
  return name === 'client' ? discordClientOf(flow, node, value) : value;
}

/** The node of the member's value. `base`: the node of its object. */
export function memberOf(flow: Flow, node: t.MemberExpression | t.OptionalMemberExpression, base: number, isOpen = false): number {
  if (base === 0) return 0;
  const name = memberName(node) ?? constantKey(flow, node);
  if (name === undefined) return ofLiteralKeys(flow, node, base) ?? flow.out.load(base, isCalledLater(flow, node) ? ANY_METHOD : ANY_NAME);
  if (/^\d+$/.test(name)) return flow.out.load(base, flow.out.text(INDEXES[Number(name)] ?? ELEMENT));
  return flow.out.load(base, flow.out.text(name), isOpen);
}

/** `log[level]`, if only a few names are possible. What was stored under an unknown name may have one of them. */
export function ofLiteralKeys(flow: Flow, { property }: t.MemberExpression | t.OptionalMemberExpression, base: number): number | undefined {
  const names = literalKeys(property, flow.facts);
  if (!names) return undefined;
  const { out } = flow;
  return merged(flow, [...names.map((name) => out.load(base, out.text(name))), out.load(base, ANY_STORED)]);
}

/** `const run = actions[name]; … run()`, `app.get(path, controller[name])` */
function isCalledLater(flow: Flow, node: t.MemberExpression | t.OptionalMemberExpression): boolean {
  let parent = parentOf(node);
  // `const run = actions[name] as Action`
  while (parent && unwrap(parent) === node) parent = parentOf(parent);
  if (parent?.type !== 'VariableDeclarator' || parent.id.type !== 'Identifier')
    return isCall(parent) && parent.callee !== node && isMember(parent.callee) && parent.arguments.length > 1;
  const binding = flow.bindings.lookUp(parent.id.name, parent.id);
  return (
    binding !== undefined &&
    flow.bindings.references(binding).some((reference) => {
      const user = parentOf(reference);
      return isCall(user) && user.callee === reference;
    })
  );
}

/** The node of the method that is called. `base`: the node of its object. */
export function memberNode(flow: Flow, callee: t.MemberExpression | t.OptionalMemberExpression, base: number): number {
  const name = memberName(callee) ?? constantKey(flow, callee);
  if (name === undefined) return ofLiteralKeys(flow, callee, base) ?? flow.out.load(base, ANY_METHOD);
  return flow.out.load(base, flow.out.text(/^\d+$/.test(name) ? (INDEXES[Number(name)] ?? ELEMENT) : name));
}

export function constantKey(flow: Flow, node: t.MemberExpression | t.OptionalMemberExpression): string | undefined {
  const key = unwrap(node.property);
  if (key.type !== 'Identifier') return undefined;
  const binding = flow.binding(key.name);
  const declaration = binding?.declaration;
  if (declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier' || !declaration.init) return undefined;
  return binding && flow.bindings.isConstant(binding) ? staticName(declaration.init, true) : undefined;
}

/** `module.exports` */
export function isExportsObject(flow: Flow, node: Node): boolean {
  return (
    isMember(node) &&
    node.object.type === 'Identifier' &&
    node.object.name === 'module' &&
    memberName(node) === 'exports' &&
    !flow.binding('module')
  );
}

function ofArray(flow: Flow, node: t.ArrayExpression, wanted: boolean): number {
  const { out } = flow;
  const values = node.elements.map((element) => {
    if (!element) return undefined;
    const value = evaluate(flow, element, wanted);
    flow.values.set(element, value);
    return { spread: element.type === 'SpreadElement', value };
  });
  // An empty array may be filled later. An array of plain data has no node.
  if (!wanted || (values.length > 0 && values.every((one) => !one || one.value === 0))) return 0;
  const object = out.object(ObjectKind.Array);
  const name = out.text(ELEMENT);
  let place = 0;
  for (const one of values) {
    if (one) out.field(object, name, one.spread ? out.load(one.value, name) : one.value);
    // After a spread element, positions are unknown.
    if (one?.spread) place = INDEXES.length;
    const index = INDEXES[place++];
    if (one && index !== undefined) out.field(object, out.text(index), one.value === 0 ? out.node() : one.value);
    const row = one ? flow.rows.get(one.value) : undefined;
    if (row !== undefined) out.op(Op.Row, object, row);
  }
  const holder = out.holding(object);
  noteArrayRow(flow, object, holder, node);
  return holder;
}

function ofForEach(flow: Flow, node: t.ForOfStatement | t.ForInStatement): void {
  const opened = flow.open(node);
  const list = evaluate(flow, node.right, node.type === 'ForOfStatement');
  flow.values.set(node.right, list);
  const item = node.type === 'ForOfStatement' && list !== 0 ? itemOf(flow, node, list) : 0;
  const target = node.left.type === 'VariableDeclaration' ? node.left.declarations[0]?.id : node.left;
  if (target) assign(flow, target, item);
  if (target?.type === 'ArrayPattern') ofEntry(flow, target, list, item);
  const start = enterLoop(flow, node);
  evaluate(flow, node.body, false);
  leaveLoop(flow, node, start);
  if (node.type === 'ForOfStatement' && node.await) flow.frame.waits++;
  if (opened) flow.close();
}

/** An element of the list, or what the iterator of the object yields. */
function itemOf(flow: Flow, node: t.ForOfStatement, list: number): number {
  const { out } = flow;
  const element = out.text(ELEMENT);
  const made = out.call({ site: siteOf(flow, node.right, node.right), callee: flow.load(list, ITERATOR), self: list });
  return mergedPair(flow, out.load(list, element), out.load(made, element));
}

/** `for (const [key, value] of map)`, `of list.entries()` */
function ofEntry(flow: Flow, target: t.ArrayPattern, list: number, item: number): void {
  if (list === 0) return;
  const [key, value] = target.elements;
  if (key) assign(flow, key, flow.load(list, KEY), true);
  if (value) assign(flow, value, item, true);
}

/** In a generator, a value is yielded to the caller; what the caller passes to `next` comes back. Elsewhere, `co` gives the value back. */
function ofYield(flow: Flow, node: t.YieldExpression, wanted: boolean): number {
  const { out, frame } = flow;
  const isGenerator = frame.generated >= 0;
  const value = evaluate(flow, node.argument, wanted || isGenerator);
  if (!isGenerator || (value === 0 && !wanted)) return value;
  const element = out.text(ELEMENT);
  out.field(frame.generated, element, node.delegate ? out.load(value, element) : value);
  if (!wanted) return 0;
  return mergedPair(flow, node.delegate ? flow.load(value, RETURNED) : value, flow.load(out.holding(frame.generated), SENT));
}

function ofTry(flow: Flow, node: t.TryStatement): void {
  const before = flow.flags;
  if (node.handler) flow.flags |= SiteFlag.Guarded;
  evaluate(flow, node.block, false);
  flow.flags = before;
  // A `throw` in a catch block is not how the function itself rejects its input.
  const { isCatching } = flow.frame;
  flow.frame.isCatching = true;
  evaluate(flow, node.handler, false);
  flow.frame.isCatching = isCatching;
  evaluate(flow, node.finalizer, false);
}

/** `throw new RangeError(…)` that leaves its function. */
function noteThrow({ frame, flags, out }: Flow, node: t.ThrowStatement): void {
  if (frame.fn < 0 || frame.hasThrown || frame.isCatching || (flags & SiteFlag.Guarded) !== 0) return;
  if (node.argument?.type !== 'NewExpression' || isThrownForMistakes(node)) return;
  frame.hasThrown = true;
  out.throws.push(frame.fn, startOf(node), startOf(node) + 'throw'.length);
}

function ofLoop(flow: Flow, node: t.ForStatement | t.WhileStatement | t.DoWhileStatement): number {
  const opened = flow.open(node);
  if (node.type === 'ForStatement') evaluate(flow, node.init, false);
  const start = enterLoop(flow, node);
  evaluate(flow, node.test, false);
  if (node.type === 'ForStatement') evaluate(flow, node.update, false);
  evaluate(flow, node.body, false);
  leaveLoop(flow, node, start);
  if (opened) flow.close();
  return 0;
}

/** The site of a call: its head. */
export function siteOf(flow: Flow, call: Node, callee: Node, flags = 0): number {
  const site = flow.out.site(flow.frame.fn, startOf(call), endOf(callee), flow.flags | flags);
  if (!flow.sites.has(call)) flow.sites.set(call, site);
  for (const guard of flow.guards) guard.sites.push(site);
  return site;
}
