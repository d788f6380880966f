// How values flow through collection functions of libraries, which take the collection first: `_.each(table, run)`, `async.eachLimit(list,
// 3, run)`.
import type { t } from '../../module/ast.ts';
import { merged } from './expressions.ts';
import type { Flow } from './walk.ts';
import { ANY_METHOD, ELEMENT, ObjectKind, SiteFlag } from './format.ts';

type Call = t.CallExpression | t.OptionalCallExpression;

/**
 * https://lodash.com/docs, https://underscorejs.org, https://caolan.github.io/async/v3/docs.html,
 * http://bluebirdjs.com/docs/api/collections.html
 */
const LIBRARIES: ReadonlySet<string> = new Set(['lodash', 'underscore', 'async', 'bluebird']);
/** Functions that call their callback with an item as the first argument. */
const WITH_ITEM =
  /^(?:each|forEach|eachOf|forEachOf|map|mapValues|flatMap|filter|reject|find|detect|some|any|every|all|forOwn|forIn|eachRight|forEachRight|sortBy|groupBy|keyBy|partition)(?:Series|Limit)?$/;
const MAPPING = /^(?:map|mapValues|flatMap)(?:Series|Limit)?$/;
const RETURNING_LIST: ReadonlySet<string> = new Set(['filter', 'reject', 'sortBy', 'each', 'forEach']);

/** Reads a call of such a function; its value flows into `result`. Returns false for other calls. */
export function ofCollection(flow: Flow, node: Call, args: readonly number[], result: number): boolean {
  const [collection = 0] = args;
  if (collection <= 0 || args.length < 2) return false;
  const origin = flow.facts.origins.of(node.callee);
  const [name = '', more] = origin?.path ?? [];
  if (origin?.root !== 'module' || more !== undefined || !LIBRARIES.has(origin.name) || !WITH_ITEM.test(name)) return false;
  // A limit comes before the function.
  const fn = args[name.endsWith('Limit') ? 2 : 1] ?? 0;
  if (fn <= 0) return false;
  const { out } = flow;
  const element = out.text(ELEMENT);
  const item = merged(flow, [out.load(collection, element), out.load(collection, ANY_METHOD)]);
  const made = out.call({ site: out.lastSite, callee: fn, args: [item], flags: SiteFlag.FlowOnly });
  if (MAPPING.test(name)) {
    const list = out.object(ObjectKind.Array);
    out.field(list, element, made);
    out.put(result, list);
  } else if (RETURNING_LIST.has(name)) out.copy(result, collection);
  else if (name === 'find' || name === 'detect') out.copy(result, item);
  return true;
}
