// Reads that could start together, and whose fix a maintainer would not merge (bench/fixes-read.md): something else takes longer, a list of
// promises is there already, or as many equal ones would still wait.
import type { Binding } from '../../analysis/facts/bindings.ts';
import { isReference } from '../../analysis/facts/identifiers.ts';
import { conditionsOn, isUnconditional } from '../../analysis/facts/control-flow.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import {
  contains,
  enclosingFunction,
  endOf,
  isCall,
  isFunction,
  isLoop,
  isMember,
  parentOf,
  startOf,
  unwrap,
  type LoopNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { elementsAround } from '../shared/elements.ts';
import { findRead } from '../shared/reads.ts';
import { isRefusal } from '../shared/refusals.ts';
import { bindingsOf, mentions, targetOf, type Group } from './groups.ts';

/** Of statements. */
export function whyNotWorth(group: Group, facts: Facts): string | undefined {
  return whyListed(group, facts) ?? whyEither(group, facts) ?? whyOutweighed(group, facts) ?? whyHalf(group, facts);
}

/** `const a = await first(); const b = await second(); const both = await Promise.all([a, b]);` */
function whyListed({ members }: Group, facts: Facts): string | undefined {
  for (const { keeper } of members)
    for (const binding of keeper ? bindingsOf(targetOf(keeper), facts) : [])
      for (const reference of facts.bindings.references(binding)) {
        const list = parentOf(reference);
        const call = list && parentOf(list);
        if (list?.type === 'ArrayExpression' && isCall(call) && facts.origins.isGlobal(call.callee, 'Promise.all'))
          return `\`Promise.all\` on line ${lineOf(call, facts)} gets their answers. Write the calls into its list`;
      }
  return undefined;
}

/** `if (hasTasks || hasEmployees) …`: where the first has found something, nothing needs the others. */
function whyEither({ members }: Group, facts: Facts): string | undefined {
  let either: Node | undefined;
  for (const { keeper } of members) {
    const [binding, more] = keeper ? bindingsOf(targetOf(keeper), facts) : [];
    const [reference, other] = binding && !more ? facts.bindings.references(binding) : [];
    const asked = reference && !other ? eitherAround(reference) : undefined;
    if (!asked || (either && asked !== either)) return undefined;
    either = asked;
  }
  return (
    either &&
    `line ${lineOf(either, facts)} only asks whether one of them has found something. Await the second there, behind \`||\`: where the first has, it is not needed`
  );
}

/** The whole condition `a || b` around a part of it. */
function eitherAround(part: Node): Node | undefined {
  let at: Node = part;
  for (let up = parentOf(at); up?.type === 'LogicalExpression' && up.operator === '||'; up = parentOf(up)) at = up;
  const user = parentOf(at);
  return at !== part && user?.type === 'IfStatement' && user.test === at ? at : undefined;
}

/** A query in each round of a loop behind them, on the same path. */
function whyOutweighed({ members }: Group, facts: Facts): string | undefined {
  const last = members.at(-1)?.read.call;
  const fn = last && enclosingFunction(last);
  if (!fn || !last) return undefined;
  const loops = facts.remember('loops that wait for queries, by function', () => new Map<Node, Node[]>());
  let own = loops.get(fn);
  if (!own) loops.set(fn, (own = loopsWithQueries(fn.body, facts)));
  const loop = own.find((one) => startOf(one) > endOf(last) && isReachedFrom(last, one, facts));
  return (
    loop &&
    `the loop on line ${lineOf(loop, facts)} waits for a query in each round, and next to these one round trip less is not noticed. Send one query for all rounds first`
  );
}

/** Whether a loop runs whenever a place before it does, unless the request is refused in between. */
function isReachedFrom(place: Node, loop: Node, facts: Facts): boolean {
  let block = parentOf(loop);
  let from = loop;
  for (; block && !contains(block, place); from = block, block = parentOf(block))
    if (block.type !== 'BlockStatement' && !(block.type === 'TryStatement' && block.block === from)) return false;
  if (block?.type !== 'BlockStatement') return false;
  return conditionsOn(loop, block).every((cause) => {
    const end = parentOf(cause)?.type === 'IfStatement' ? (parentOf(cause) as t.IfStatement) : cause;
    if (endOf(end) < startOf(place)) return true;
    return end.type === 'IfStatement' && !contains(end, place) && isRefusal(end, facts);
  });
}

function loopsWithQueries(body: Node, facts: Facts): Node[] {
  const loops: Node[] = [];
  walkWithin(body, (node) => {
    if (isFunction(node)) return false;
    if (!isLoop(node)) return undefined;
    if (waitsForQuery(node, facts)) loops.push(node);
    return false;
  });
  return loops;
}

/** Whether each round waits for one: not a few known rounds, not those until one answer is right, and not only some rounds. */
function waitsForQuery(loop: LoopNode, facts: Facts): boolean {
  let waits = false;
  walkWithin(loop.body, (node) => {
    if (waits || isFunction(node)) return false;
    // Each link of a chain is a call: `User.find().lean()`.
    for (
      let at = node.type === 'AwaitExpression' ? unwrap(node.argument) : node;
      !waits && node.type === 'AwaitExpression' && isCall(at);
    ) {
      waits = findQuery(at, facts, true) !== undefined && isForEach(node, loop, facts);
      const callee: Node = unwrap(at.callee);
      if (!isMember(callee)) break;
      at = unwrap(callee.object);
    }
    return undefined;
  });
  return waits;
}

function isForEach(awaited: t.AwaitExpression, loop: Node, facts: Facts): boolean {
  const elements = elementsAround(awaited, facts);
  return elements?.node === loop && !isLiteral(elements.list, facts) && isUnconditional(awaited, loop);
}

/** `['a', 'b']` has two rounds. */
function isLiteral(list: Node, facts: Facts): boolean {
  const node = unwrap(list);
  const declaration = node.type === 'Identifier' ? facts.bindings.resolve(node)?.declaration : undefined;
  const made = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : node;
  return made.type === 'ArrayExpression' && made.elements.length > 0 && made.elements.every((one) => one?.type !== 'SpreadElement');
}

/** Two of four counts: as many calls of the same method, further up or down, that need none of the answers either. */
function whyHalf({ members }: Group, facts: Facts): string | undefined {
  const statements = members.map(({ keeper }) => keeper && parentOf(keeper));
  const block = statements[0] && parentOf(statements[0]);
  if (block?.type !== 'BlockStatement') return undefined;
  const at = block.body.indexOf(statements[0] as t.Statement);
  const end = block.body.indexOf(statements.at(-1) as t.Statement);
  const called = new Set(members.map(({ read }) => facts.source.slice(read.call.callee)));
  const own = new Set(members.flatMap(({ keeper }) => (keeper ? bindingsOf(targetOf(keeper), facts) : [])));
  const others = [
    ...equalReads(block.body.slice(end + 1), called, own, facts),
    ...equalReads(block.body.slice(0, at).reverse(), called, own, facts).filter(
      ({ bindings }) => !members.some(({ awaited }) => awaited && mentions(awaited.argument, bindings, facts)),
    ),
  ];
  const [first] = others;
  return first && others.length >= members.length
    ? `the query on line ${lineOf(first.call, facts)} does not need their answers either, and would still wait. Start all of them together`
    : undefined;
}

/** Those of statements in this order, up to what may end the function or write. What they are called with must not be used between. */
function equalReads(
  statements: readonly Node[],
  called: ReadonlySet<string>,
  answers: ReadonlySet<Binding>,
  facts: Facts,
): { call: Node; bindings: ReadonlySet<Binding> }[] {
  const found: { call: Node; bindings: ReadonlySet<Binding> }[] = [];
  const used = new Set(answers);
  for (const statement of statements) {
    if (mayEnd(statement)) break;
    const declarator =
      statement.type === 'VariableDeclaration' && statement.declarations.length === 1 ? statement.declarations[0] : undefined;
    const awaited = declarator?.init ? unwrap(declarator.init) : undefined;
    const read = awaited?.type === 'AwaitExpression' ? findRead(awaited.argument, facts) : undefined;
    if (declarator && read && called.has(facts.source.slice(read.call.callee)) && isSteady(read.call, used, facts))
      found.push({ call: read.call, bindings: new Set(bindingsOf(declarator.id, facts)) });
    else if (mayWrite(statement, facts)) break;
    else for (const binding of namedIn(statement, facts)) used.add(binding);
  }
  return found;
}

/** Whether a statement waits for, or sends, what is no read. After a write, a read has another answer. */
function mayWrite(statement: Node, facts: Facts): boolean {
  let may = false;
  walkWithin(statement, (node) => {
    if (node.type === 'AwaitExpression') may ||= findRead(node.argument, facts) === undefined;
    else if (isCall(node)) may ||= findQuery(node, facts, true)?.isWrite === true;
    else if (node.type === 'ForOfStatement') may ||= node.await;
    return may ? 'stop' : undefined;
  });
  return may;
}

function mayEnd(statement: Node): boolean {
  let may = false;
  walkWithin(statement, (node) => {
    if (isFunction(node)) return false;
    may ||= /^(?:Return|Throw|Break|Continue)Statement$/.test(node.type);
    return may ? 'stop' : undefined;
  });
  return may;
}

function isSteady(call: Node, used: ReadonlySet<Binding>, facts: Facts): boolean {
  const fn = enclosingFunction(call);
  return namedIn(call, facts).every(
    (one) => facts.bindings.isConstant(one) && (!used.has(one) || (fn !== undefined && !contains(fn, one.identifier))),
  );
}

function namedIn(node: Node, facts: Facts): Binding[] {
  const found = new Set<Binding>();
  walkWithin(node, (one) => {
    const binding = one.type === 'Identifier' && isReference(one) ? facts.bindings.resolve(one) : undefined;
    if (binding) found.add(binding);
    return undefined;
  });
  return [...found];
}

function lineOf(node: Node, facts: Facts): number {
  return facts.source.positionAt(startOf(node)).line;
}
