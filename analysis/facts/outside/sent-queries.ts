// The queries that functions send, and what else they write.
import {
  contains,
  endOf,
  enclosingFunction,
  isCall,
  isMember,
  startOf,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
} from '../../module/ast.ts';
import { walkWithin } from '../../module/module-index.ts';
import type { Facts } from '../index.ts';
import { findQuery, runsEachTime, sqlOf, usesParameter } from '../queries.ts';
import type { Key } from './query-keys.ts';
import { formOfCode, withForm } from './query-remedies.ts';

/** A query that a function sends each time it is called, about what it is passed. */
export interface SentQuery {
  fn: FunctionNode;
  call: CallNode;
  code: number;
  key: Key;
}

/** The first one of each function. Left out are requests, and queries that travel together. */
export function sentQueries(facts: Facts): SentQuery[] {
  const found = new Map<FunctionNode, SentQuery>();
  for (const call of facts.module.nodes('CallExpression')) {
    const query = findQuery(call, facts);
    if (!query || query.isHttp || query.isBatchedPerTick) continue;
    const fn = enclosingFunction(call);
    if (!fn || found.has(fn) || facts.hotness.repetitionsInFunction(call).length > 0) continue;
    if (!runsEachTime(call, fn, facts) || !usesParameter(call, fn, facts)) continue;
    const form = query.isWrite ? undefined : formBesideWrites(call, fn, facts);
    found.set(fn, { fn, call, code: form ? withForm(query.code, form) : query.code, key: query.key });
  }
  return [...found.values()];
}

// How many calls below the code around a query a write may be.
const MOST_BELOW = 2;
const INSERTING = /^(?:insert|upsert|save|other)$/;

/** What code that sends a query also writes: `lookup`, rows that the query may look for in the next round; `before`, anything. */
export function formBesideWrites(query: CallNode, around: Node, facts: Facts): 'lookup' | 'before' | undefined {
  const places = tablesOf(query, facts);
  let form: 'lookup' | 'before' | undefined;
  for (const write of writesIn(around, facts, 0)) {
    form ??= 'before';
    if (write.isInsert && write.tables.some((one) => places.includes(one))) form = 'lookup';
  }
  return form;
}

/**
 * Whether an iteration writes to the tables of a query before it sends it.
 * @param site the call in the iteration: the query itself, or what leads to it
 */
export function isWrittenBefore(query: CallNode, site: CallNode, around: Node, facts: Facts): boolean {
  const places = tablesOf(query, facts);
  return writesIn(around, facts, 0).some(({ tables, to }) => to <= startOf(site) && tables.some((one) => places.includes(one)));
}

interface Write {
  /** Where it ends; for one in another function, where the call ends that leads to it. */
  to: number;
  tables: readonly string[];
  isInsert: boolean;
}

function writesIn(around: Node, facts: Facts, depth: number): readonly Write[] {
  return facts.remember(`what is written at ${around.start} to ${around.end}, ${depth}`, () => {
    const found: Write[] = [];
    walkWithin(around, (node) => {
      if (!isCall(node)) return undefined;
      const query = findQuery(node, facts, true);
      if (query) {
        if (query.isWrite) found.push({ tables: tablesOf(node, facts), isInsert: INSERTING.test(formOfCode(query.code)), to: endOf(node) });
        return undefined;
      }
      const [target, ...others] = facts.calls.functionsOf(node.callee);
      if (target && others.length === 0 && depth < MOST_BELOW && !contains(around, target))
        found.push(...writesIn(target, facts, depth + 1).map((one) => ({ ...one, to: endOf(node) })));
      return undefined;
    });
    return found;
  });
}

const TABLE = /\b(?:from|join|into|update)\s{1,20}["`[]?([\w.]{1,80})/gi;

/** The tables, collections, or models of a query, as the source names them. */
function tablesOf(call: CallNode, facts: Facts): readonly string[] {
  return facts.remember(`what the query at ${call.start} asks`, () => searchedTables(call, facts));
}

function searchedTables(call: CallNode, facts: Facts): readonly string[] {
  const [first] = call.arguments;
  const text = first && sqlOf(first, facts);
  if (text !== undefined && /^\s{0,200}\w/.test(text) && / /.test(text.trim()))
    return [...text.matchAll(TABLE)].map(([, name]) => (name as string).toLowerCase());
  let at = unwrap(call.callee);
  for (let steps = 0; isMember(at) && steps < MAX_CHAIN; steps++) {
    const object = unwrap(at.object);
    // `knex('users').where(…)`, `db.collection('users').find(…)`
    if (!isCall(object)) return [facts.source.slice(object)];
    const [name] = object.arguments;
    if (name && unwrap(name).type === 'StringLiteral' && !isMember(unwrap(object.callee))) return [facts.source.slice(name)];
    if (isMember(unwrap(object.callee)) && COLLECTIONS.test(facts.source.slice(object.callee))) return [facts.source.slice(object)];
    at = unwrap(object.callee);
  }
  return [];
}

const MAX_CHAIN = 12;
const COLLECTIONS = /\.(?:collection|model|getRepository|getModel|query)$/;
