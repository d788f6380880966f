// Results that are not used: by nothing, or not on the way out that the next statement may take.
import type { Binding } from '../../analysis/facts/bindings.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { findQuery } from '../../analysis/facts/queries.ts';
import { enclosingFunctionName, findAncestor, isCall, parentOf, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';
import { isPlain } from '../shared/reads.ts';
import { unreadList } from './unread.ts';
import { awaitedWork, syncWork, type Work } from './work.ts';

export interface Dropped {
  work: Work;
  declaration: t.VariableDeclaration;
  /** The condition, and where the function ends without the result; undefined if nothing uses it at all. */
  early?: { test: t.IfStatement; exit: Node };
  /** An element of a list of a `Promise.all`. */
  isPart: boolean;
}

/** A call that is made to find out whether it can be made. */
const PROBES = /health|ping|check|test|probe|ready|alive|warm|verify|valid|ensure|assert/i;
const PROBE_QUERY = /select\s{1,9}1\b|information_schema|version\(/i;

export function findDropped(declaration: t.VariableDeclaration, facts: Facts): Dropped[] {
  if (declaration.declarations.length !== 1 || (declaration.kind === 'var' && declaration.declare)) return [];
  const [declarator] = declaration.declarations;
  const block = parentOf(declaration);
  if (!declarator?.init || block?.type !== 'BlockStatement') return [];
  const parts = partsOf(declarator, facts);
  return parts.flatMap(({ work, id, isPart, ifUnused }): Dropped[] => {
    const bindings = bindingsIn(id, facts);
    if (bindings.length === 0) return [];
    if (bindings.every((one) => facts.bindings.references(one).length === 0 && facts.bindings.writes(one).length === 0)) {
      const isMeant = bindings.some(({ name }) => name.startsWith('_')) || isProbe(work, facts);
      return isMeant ? [] : [{ work, declaration, isPart }];
    }
    const early = isPart || ifUnused || work.isGuard ? undefined : findEarlyExit(declaration, block, bindings, facts);
    return early ? [{ work, declaration, early, isPart }] : [];
  });
}

/** What a declaration keeps: one result, or those of a list. */
function partsOf({ id, init }: t.VariableDeclarator, facts: Facts): { work: Work; id: Node; isPart: boolean; ifUnused?: true }[] {
  const value = unwrap(init as Node);
  if (value.type === 'AwaitExpression') {
    const list = listOfAll(value.argument, facts);
    if (list && id.type === 'ArrayPattern')
      return id.elements.flatMap((part, i) => {
        const element = list.elements[i];
        if (!part || part.type !== 'Identifier' || !element || element.type === 'SpreadElement') return [];
        // An element of the list is awaited by it.
        const work = awaitedWork({ ...value, argument: element } as t.AwaitExpression, facts);
        return work?.kind === 'query' ? [{ work: { ...work, whole: element }, id: part, isPart: true }] : [];
      });
    const work = awaitedWork(value, facts);
    return work && isWorth(work) ? [{ work, id, isPart: false }] : [];
  }
  if (!isCall(value)) return [];
  const work = syncWork(value, facts);
  if (work && isWorth(work)) return [{ work, id, isPart: false }];
  const list = unreadList(value, facts);
  return list ? [{ work: list, id, isPart: false, ifUnused: true }] : [];
}

/** What may fail is also a check: `JSON.parse`, files. Names of helpers say too little. */
function isWorth({ kind }: Work): boolean {
  return kind === 'query' || kind === 'text' || kind === 'hash';
}

function listOfAll(value: Node, facts: Facts): t.ArrayExpression | undefined {
  const call = unwrap(value);
  if (!isCall(call) || !facts.origins.isGlobal(call.callee, 'Promise.all')) return undefined;
  const [list] = call.arguments;
  return list?.type === 'ArrayExpression' ? list : undefined;
}

function bindingsIn(id: Node, facts: Facts): Binding[] {
  const found: Binding[] = [];
  walkWithin(id, (node) => {
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    if (binding?.identifier === node) found.push(binding);
    return undefined;
  });
  return found;
}

function isProbe({ call, whole }: Work, facts: Facts): boolean {
  if (PROBES.test(enclosingFunctionName(call) ?? '') || PROBE_QUERY.test(facts.source.slice(call))) return true;
  // A request does something in another service, or finds out whether it is there.
  if (findQuery(call, facts, true)?.isHttp || /fetch|axios|request|got\b/.test(facts.source.slice(call))) return true;
  return findAncestor(whole, (node) => node.type === 'TryStatement' && isProbing(node)) !== undefined;
}

/** `try { await User.findOne(); } catch { … }` */
function isProbing({ block }: t.TryStatement): boolean {
  return block.body.length === 1;
}

/** An `if` below that ends the function without the result, and could have been asked before. */
function findEarlyExit(
  declaration: t.VariableDeclaration,
  block: t.BlockStatement,
  bindings: readonly Binding[],
  facts: Facts,
): Dropped['early'] {
  const tainted = new Set(bindings);
  for (const statement of block.body.slice(block.body.indexOf(declaration) + 1)) {
    if (mentions(statement, tainted, facts)) return undefined;
    if (statement.type === 'IfStatement') {
      const exit = statement.alternate ? undefined : exitOf(statement.consequent);
      if (exit) return awaits(statement.test) ? undefined : { test: statement, exit };
      return undefined;
    }
    if (
      statement.type !== 'VariableDeclaration' ||
      !statement.declarations.every(({ id, init }) => isPlain(id, facts) && (!init || isPlain(init, facts)))
    )
      return undefined;
  }
  return undefined;
}

export function exitOf(consequent: Node): Node | undefined {
  const last = consequent.type === 'BlockStatement' ? consequent.body.at(-1) : consequent;
  return last?.type === 'ReturnStatement' || last?.type === 'ThrowStatement' ? last : undefined;
}

function awaits(test: Node): boolean {
  let does = false;
  walkWithin(test, (node) => {
    does ||= node.type === 'AwaitExpression' || node.type === 'AssignmentExpression' || node.type === 'UpdateExpression';
    return does ? 'stop' : undefined;
  });
  return does;
}

function mentions(statement: Node, bindings: ReadonlySet<Binding>, facts: Facts): boolean {
  let does = false;
  walkWithin(statement, (node) => {
    const binding = node.type === 'Identifier' ? facts.bindings.resolve(node) : undefined;
    does ||= binding !== undefined && bindings.has(binding);
    return does ? 'stop' : undefined;
  });
  return does;
}
