// Reads that wait for each other although none of them needs the other's answer.
import type { Binding } from '../../analysis/facts/bindings.ts';
import { isReference, patternIdentifiers } from '../../analysis/facts/identifiers.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  enclosingFunction,
  findAncestor,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { findRead, isPlain, nameOf, type Read } from '../shared/reads.ts';

export interface Member {
  read: Read;
  /** Whether the call may do more than read: an element of the list of a `Promise.all` that calls what is not known. */
  isUnknown?: true;
  /** Undefined for what the list of a `Promise.all` starts without waiting. */
  awaited?: t.AwaitExpression;
  /** The declaration, or the assignment, that keeps the answer; undefined within an expression. */
  keeper?: t.VariableDeclarator | t.AssignmentExpression;
}

export interface Group {
  /** Two or more. */
  members: readonly Member[];
  /** `all`: elements of the list of a `Promise.all`. */
  form: 'statements' | 'expression' | 'all';
  /** Of statements: what stands between the first and the last, and is no member. */
  between: readonly Node[];
}

// Longer blocks are written by programs.
const MOST_STATEMENTS = 200;
const MOST_MEMBERS = 12;

/** The groups in a block, in source order. */
export function groupsOfBlock(block: t.BlockStatement, facts: Facts): Group[] {
  if (block.body.length > MOST_STATEMENTS) return [];
  const groups: Group[] = [];
  let members: Member[] = [];
  let between: Node[] = [];
  /** Since the last member. */
  let since: Node[] = [];
  let tainted = new Set<Binding>();
  const end = (): void => {
    if (members.length > 1) groups.push({ members, form: 'statements', between });
    members = [];
    between = [];
    since = [];
    tainted = new Set();
  };
  for (const piece of block.body.flatMap(piecesOf)) {
    const member = memberOf(piece, facts);
    if (member?.awaited && member.keeper) {
      const isFree =
        !mentions(member.awaited.argument, tainted, facts) &&
        !members.some((one) => isSame(one, member, facts)) &&
        members.length < MOST_MEMBERS;
      if (members.length > 0 && (!isFree || members.at(-1)?.read.isGuard)) end();
      if (members.length > 0) between.push(...since);
      since = [];
      members.push(member);
      for (const binding of bindingsOf(targetOf(member.keeper), facts)) tainted.add(binding);
    } else if (members.length > 0) {
      if (isBetween(piece, tainted, facts)) since.push(piece);
      else end();
    }
  }
  end();
  return groups;
}

/** `const a = 1, b = 2;` is two pieces. */
function piecesOf(statement: Node): Node[] {
  if (statement.type === 'VariableDeclaration')
    return statement.kind === 'using' || statement.kind === 'await using' ? [statement] : statement.declarations;
  return statement.type === 'ExpressionStatement' ? [unwrap(statement.expression)] : [statement];
}

function memberOf(piece: Node, facts: Facts): Member | undefined {
  if (piece.type === 'VariableDeclarator') return piece.init && isPlain(piece.id, facts) ? memberAt(piece.init, piece, facts) : undefined;
  if (piece.type !== 'AssignmentExpression' || piece.operator !== '=') return undefined;
  const left = unwrap(piece.left);
  if (left.type !== 'Identifier' && !(isMember(left) && !left.computed && rootOf(left)?.type === 'Identifier')) return undefined;
  return memberAt(piece.right, piece, facts);
}

function memberAt(value: Node, keeper: Member['keeper'], facts: Facts): Member | undefined {
  const awaited = unwrap(value);
  const read = awaited.type === 'AwaitExpression' ? findRead(awaited.argument, facts) : undefined;
  return read && { read, awaited: awaited as t.AwaitExpression, keeper };
}

export function targetOf(keeper: NonNullable<Member['keeper']>): Node {
  return keeper.type === 'VariableDeclarator' ? keeper.id : keeper.left;
}

/** `a` for `a.b.c`. */
function rootOf(expression: Node): Node | undefined {
  let at = unwrap(expression);
  while (isMember(at)) at = unwrap(at.object);
  return at;
}

/** What holds the answer, or the object that does. */
export function bindingsOf(target: Node, facts: Facts): Binding[] {
  const node = unwrap(target);
  const identifiers = isMember(node) ? [rootOf(node)] : patternIdentifiers(node);
  return identifiers.flatMap((one) => {
    const binding = one?.type === 'Identifier' ? facts.bindings.resolve(one) : undefined;
    return binding ? [binding] : [];
  });
}

export function mentions(expression: Node, bindings: ReadonlySet<Binding>, facts: Facts): boolean {
  let does = false;
  walkWithin(expression, (node) => {
    // `{ include: { company: true } }` names no variable.
    if (node.type === 'Identifier' && isReference(node)) {
      const binding = facts.bindings.resolve(node);
      does ||= binding !== undefined && bindings.has(binding);
    }
    return does ? 'stop' : undefined;
  });
  return does;
}

/** The same query twice is another matter. */
function isSame(one: Member, other: Member, facts: Facts): boolean {
  return facts.source.slice(one.read.call) === facts.source.slice(other.read.call);
}

/** Whether a piece between two reads has no effect, and does not end the function. What it makes of an answer counts as one. */
function isBetween(piece: Node, tainted: Set<Binding>, facts: Facts): boolean {
  if (/^(?:EmptyStatement|FunctionDeclaration|TSTypeAliasDeclaration|TSInterfaceDeclaration)$/.test(piece.type)) return true;
  if (piece.type !== 'VariableDeclarator') return false;
  const { id, init } = piece;
  if (init && !isBody(init, tainted, facts) && !isPlain(init, facts) && !isShaping(init, tainted, facts)) return false;
  if (!isPlain(id, facts)) return false;
  if (init && mentions(init, tainted, facts)) for (const binding of bindingsOf(id, facts)) tainted.add(binding);
  return true;
}

/** Methods of lists that call a function for the elements, and change nothing. */
const VISITS = /^(?:map|filter|reduce|some|every|findIndex|flatMap)$/;

/** `rows.map((row) => ({ id: row.id }))`, of answers: plain but for functions that only compute an expression. */
function isShaping(value: Node, tainted: ReadonlySet<Binding>, facts: Facts): boolean {
  const calls: CallNode[] = [];
  const functions = new Set<Node>();
  walkWithin(value, (node) => {
    if (!isCall(node) || node.type === 'NewExpression') return;
    const callee = unwrap(node.callee);
    const [fn] = node.arguments;
    if (!fn || !isMember(callee) || !VISITS.test(memberName(callee) ?? '') || !isOfAnswer(callee.object, tainted, facts)) return;
    if (fn.type !== 'ArrowFunctionExpression' || fn.async || fn.body.type === 'BlockStatement') return;
    calls.push(node);
    functions.add(fn);
  });
  return calls.length > 0 && isPlain(value, facts, calls, functions);
}

/** `answer.rows`, and what such methods make of it. */
function isOfAnswer(object: Node, tainted: ReadonlySet<Binding>, facts: Facts): boolean {
  let at = unwrap(object);
  while (isMember(at) || at.type === 'CallExpression') at = unwrap(isMember(at) ? at.object : at.callee);
  const binding = at.type === 'Identifier' ? facts.bindings.resolve(at) : undefined;
  return binding !== undefined && tainted.has(binding);
}

/** `await response.json()`, of a response among the answers. */
function isBody(value: Node, tainted: ReadonlySet<Binding>, facts: Facts): boolean {
  const node = unwrap(value);
  const call = node.type === 'AwaitExpression' ? unwrap(node.argument) : undefined;
  if (!call || !isCall(call) || call.arguments.length > 0) return false;
  const callee = unwrap(call.callee);
  return (
    isMember(callee) &&
    /^(?:json|text|arrayBuffer)$/.test(memberName(callee) ?? '') &&
    unwrap(callee.object).type === 'Identifier' &&
    mentions(callee.object, tainted, facts)
  );
}

/** `{ users: await …, posts: await … }`, `[await …, await …]`; undefined if anything else is in it that is not plain. */
export function groupOfList(list: t.ObjectExpression | t.ArrayExpression, facts: Facts): Group | undefined {
  const isAll = isListOfAll(list, facts);
  const members: Member[] = [];
  for (const part of list.type === 'ArrayExpression' ? list.elements : list.properties) {
    if (!part || part.type === 'SpreadElement' || part.type === 'ObjectMethod') return undefined;
    const value = part.type === 'ObjectProperty' ? part.value : part;
    const member = memberAt(value, undefined, facts) ?? (isAll ? (startedAt(value, facts) ?? callAt(value, facts)) : undefined);
    if (member) members.push(member);
    else if (!isPlain(value, facts)) return undefined;
  }
  // What follows an element that is awaited starts late.
  const first = members.findIndex(({ awaited }) => awaited !== undefined);
  const late = first < 0 ? [] : members.slice(first);
  if (late.length < 2 || late.length > MOST_MEMBERS || late.slice(0, -1).some(({ read }) => read.isGuard && !isAll)) return undefined;
  if (late.some((one, i) => late.slice(0, i).some((other) => isSame(one, other, facts)))) return undefined;
  return { members: late, form: isAll ? 'all' : 'expression', between: [] };
}

/** Who writes a `Promise.all` means what is in it to run together, whatever it is. */
function callAt(value: Node, facts: Facts): Member | undefined {
  const awaited = unwrap(value);
  const call = awaited.type === 'AwaitExpression' ? unwrap(awaited.argument) : undefined;
  if (awaited.type !== 'AwaitExpression' || !call || !isCall(call) || call.type === 'NewExpression') return undefined;
  return { read: { call, name: nameOf(call, facts), isGuard: false }, awaited, isUnknown: true };
}

function startedAt(value: Node, facts: Facts): Member | undefined {
  const read = findRead(value, facts);
  return read && { read };
}

function isListOfAll(list: Node, { origins }: Facts): boolean {
  const call = parentOf(list);
  return (
    isCall(call) &&
    call.arguments[0] === list &&
    (origins.isGlobal(call.callee, 'Promise.all') || origins.isGlobal(call.callee, 'Promise.allSettled'))
  );
}

/** Code that must wait on purpose: in a transaction or a lock, on one connection, or in a loop, whose iterations are another matter. */
const ONE_AFTER_THE_OTHER =
  /\b(?:transaction\w{0,20}|\$transaction|transacting|trx|tx|queryRunner|startSession|startTransaction|withTransaction|BEGIN|advisory|mutex|acquire|runExclusive|redlock|rate_?limit\w{0,20}|throttle\w{0,20})\b|\.watch\(/i;
const REPEATS =
  /transaction|lock|mutex|acquire|exclusive|retry|series|queue|^(?:map|forEach|flatMap|filter|reduce|some|every|each|times)$/i;

export function mustWait(node: Node, facts: Facts): boolean {
  if (findAncestor(node, isLoop)) return true;
  for (let fn = enclosingFunction(node); fn; fn = enclosingFunction(fn)) {
    const call = parentOf(fn);
    if (!isCall(call)) continue;
    // `for (const row of rows) started.push((async () => { … })());`: the elements run side by side already.
    if (unwrap(call.callee) === fn && findAncestor(call, isLoop)) return true;
    if (isFunction(unwrap(call.callee))) continue;
    const callee = unwrap(call.callee);
    const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? (memberName(callee) ?? '') : '';
    if (REPEATS.test(name)) return true;
  }
  const fn = enclosingFunction(node);
  return fn === undefined || facts.remember(`one after the other in ${fn.start}`, () => ONE_AFTER_THE_OTHER.test(facts.source.slice(fn)));
}
