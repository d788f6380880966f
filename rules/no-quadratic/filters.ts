// Whether a query asks for a whole table, or only for some of its rows: those of one customer, or of the IDs in a list.
import { textOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { isCall, isMember, memberName, unwrap, type CallNode, type Node } from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

/**
 * `where: { … }`, `.where(…)`, `.whereIn(…)`, `.andWhere(…)`, `SELECT … WHERE …`, `{ $match: … }`, `KeyConditionExpression`, and those of
 * Supabase.
 */
const FILTERS =
  /where|\$match|having\b|KeyCondition|FilterExpression|\.(?:eq|neq|gt|gte|lt|lte|in|match|like|ilike|contains|filter|equals)\(/i;
/** They take a filter first, or options that hold none. */
const BY_OBJECT = /^(?:find|findAll|findMany|findBy|findAndCount|findAndCountAll|findAndCountBy|scan)$/;
const OPTIONS =
  /^(?:include|select|attributes|order|orderBy|relations|raw|lean|projection|cache|lock|transaction|logging|paranoid|distinct|group|populate|sort|sorting|omit|nest|plain|with|columns|loadRelationIds|withDeleted|session|TableName)$/;
/** They take a text or a pipeline first. */
const BY_TEXT = /^(?:query|execute|all|any|many|manyOrNone|aggregate|\$queryRaw)$/;
/** They take the name of a collection first. */
const BY_KEY = /^(?:hgetall|hGetAll|smembers|sMembers|zrange|zRange|lrange|lRange)$/;
/** What a list that is asked for stands behind: `{ id: { in: ids } }`, `whereIn('id', ids)`. */
const OF_LIST = /^(?:in|\$in|anyOf)$/;
const LIST_CALLS = /^(?:whereIn|andWhereIn|inArray|In|any|in)$/;
const MAX_CALLS = 12;

/** Of a call that is known to be a query. */
export function isFiltered(call: CallNode, facts: Facts): boolean {
  if (FILTERS.test(facts.source.slice(call))) return true;
  let at: Node = call;
  for (let i = 0; i < MAX_CALLS && isCall(at) && isMember(at.callee); i++) {
    const method = memberName(at.callee) ?? '';
    const [first] = at.arguments;
    if (first && choosesRows(method, unwrap(first), facts)) return true;
    at = unwrap(at.callee.object);
  }
  return false;
}

function choosesRows(method: string, first: Node, facts: Facts): boolean {
  if (BY_OBJECT.test(method))
    return (
      first.type !== 'ObjectExpression' ||
      first.properties.some((one) => one.type !== 'ObjectProperty' || one.key.type !== 'Identifier' || !OPTIONS.test(one.key.name))
    );
  if (BY_KEY.test(method)) return textOf(first, facts.bindings) === undefined;
  if (!BY_TEXT.test(method)) return false;
  // Its text holds no filter, as was checked; a text of elsewhere may.
  if (first.type === 'ArrayExpression' || first.type === 'TemplateLiteral') return false;
  const text = textOf(first, facts.bindings);
  return text === undefined || FILTERS.test(text);
}

/** The lists that a filter asks for: as many rows come back. */
export function listsAskedFor(call: CallNode): readonly Node[] {
  const lists: Node[] = [];
  walkWithin(call, (node) => {
    if (node.type === 'ObjectProperty') {
      const name = node.key.type === 'Identifier' ? node.key.name : isMember(node.key) ? memberName(node.key) : undefined;
      if (name !== undefined && OF_LIST.test(name)) lists.push(node.value);
    } else if (isCall(node)) {
      const callee = unwrap(node.callee);
      const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' ? callee.name : undefined;
      const last = node.arguments.at(-1);
      if (name !== undefined && LIST_CALLS.test(name) && last) lists.push(last);
    }
    return undefined;
  });
  return lists;
}
