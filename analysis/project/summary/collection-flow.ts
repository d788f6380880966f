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
const LIBRARIES: ReadonlySet<string> = new Set(['lodash', 'lodash-es', 'underscore', 'async', 'bluebird']);
/** Functions that call their callback with an item as the first argument. */
const WITH_ITEM =
  /^(?:each|forEach|eachOf|forEachOf|map|mapValues|flatMap|filter|reject|find|detect|some|any|every|all|forOwn|forIn|eachRight|forEachRight|sortBy|groupBy|keyBy|partition)(?:Series|Limit)?$/;
const MAPPING = /^(?:map|mapValues|flatMap)(?:Series|Limit)?$/;
const RETURNING_LIST: ReadonlySet<string> = new Set(['filter', 'reject', 'sortBy', 'each', 'forEach']);

/** Without a function: lists of items that the first argument has. */
const PART: ReadonlySet<string> = new Set(['compact', 'uniq', 'reverse', 'tail', 'initial', 'take', 'drop', 'slice', 'concat', 'union']);
const FLAT: ReadonlySet<string> = new Set(['flatten', 'flattenDeep', 'values']);

/** Reads a call of such a function; its value flows into `result`. Returns false for other calls. */
export function ofCollection(flow: Flow, node: Call, args: readonly number[], result: number): boolean {
  const [collection = 0] = args;
  if (collection <= 0) return false;
  const origin = flow.facts.origins.of(node.callee);
  // `import forEach from 'lodash/forEach'`
  const [library = '', own] = origin?.root === 'module' ? origin.name.split('/') : [];
  const [name = '', more] = own === undefined ? (origin?.path ?? []) : [own.replace(/\.js$/, '')];
  if (more !== undefined || !LIBRARIES.has(library)) return false;
  if (PART.has(name) || FLAT.has(name)) return ofList(flow, name, args, result);
  if (args.length < 2 || !WITH_ITEM.test(name)) return false;
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

/** `compact([log, show])`, `flatten(lists)`, `values(table)` */
function ofList({ out }: Flow, name: string, args: readonly number[], result: number): boolean {
  const [collection = 0] = args;
  if (!FLAT.has(name)) {
    for (const list of /^(?:concat|union)$/.test(name) ? args : [collection]) if (list > 0) out.copy(result, list);
    return true;
  }
  const element = out.text(ELEMENT);
  const list = out.object(ObjectKind.Array);
  const item = out.load(collection, name === 'values' ? ANY_METHOD : element);
  out.field(list, element, item);
  if (name !== 'values') out.field(list, element, out.load(item, element));
  out.put(result, list);
  return true;
}
