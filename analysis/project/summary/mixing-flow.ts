// How values flow when objects are merged: `Object.assign(a, b)`, `merge` of lodash, lists of resolvers; documents and their schema.
import { isFunction, isMember, memberName, unwrap, type Node, type t } from '../../module/ast.ts';
import { merged } from './expressions.ts';
import type { Flow } from './walk.ts';
import { DOCUMENT, DOCUMENTS, ELEMENT, Op, QUERY, SiteFlag } from './format.ts';

type Call = t.CallExpression | t.OptionalCallExpression;

export const MIXING: ReadonlySet<string> = new Set([
  'assign',
  'extend',
  'defaults',
  'merge',
  'mixin',
  '_extend',
  'assignIn',
  'defaultsDeep',
]);

/** `merge` of lodash, `mergeResolvers` of GraphQL Tools: from a package, by its name. */
export function isMixing(flow: Flow, callee: t.Identifier): boolean {
  if (!MIXING.has(callee.name) && callee.name !== 'mergeResolvers' && callee.name !== 'deepmerge') return false;
  const origin = flow.facts.origins.of(callee);
  return origin?.root === 'module' && !/^[./#~]/.test(origin.name);
}

/** `Object.assign(a, b)`, `_.merge(a, b)`: nothing of the project is called. A `tickets.assign(id, user)` may be of its own class. */
export function isMixingOfOthers(flow: Flow, object: Node, base: number): boolean {
  if (base === 0) return true;
  if (object.type !== 'Identifier') return false;
  const origin = flow.facts.origins.of(object);
  return !flow.binding(object.name) || (origin?.root === 'module' && !/^[./#~]/.test(origin.name));
}

/** @param args those of the call, in the order of `Object.assign` */
export function ofMixing(flow: Flow, args: readonly number[]): number {
  if (args.length === 1 && (args[0] ?? 0) > 0) {
    // The argument is a list of what is merged.
    const made = flow.out.holding(flow.literal());
    flow.out.op(Op.Mix, made, flow.out.load(args[0] ?? 0, flow.out.text(ELEMENT)));
    return made;
  }
  const [target = 0, ...sources] = args;
  if (target > 0) for (const source of sources) if (source !== 0) flow.out.op(Op.Mix, target, Math.abs(source));
  return Math.max(target, 0) || merged(flow, sources.map(Math.abs));
}

/** https://mongoosejs.com/docs/api/model.html: methods of a model that give a document, or several. */
const GIVES_ONE = /^(?:findOne|findById|find(?:One|ById)And(?:Update|Delete|Remove|Replace)|create|hydrate|findOneOrCreate)$/;
const GIVES_SEVERAL = /^(?:find|insertMany)$/;
/** Methods of a query that give the query, or what it finds. `lean` gives objects without methods. */
const OF_QUERY = /^(?:exec|populate|select|sort|limit|skip|session|orFail|where|equals|collation|hint|read|maxTimeMS)$/;

/** Whether the file's package uses mongoose. */
function usesMongoose({ facts }: Flow): boolean {
  return facts.remember(
    'uses mongoose',
    () => Object.hasOwn(facts.project.manifest?.dependencies ?? {}, 'mongoose') || facts.source.text.includes('mongoose'),
  );
}

/**
 * `mongoose.model('User', schema)`, `await User.findOne({ … })`: a document has the methods of its own schema, a query its query
 * helpers, and the model its statics. https://mongoosejs.com/docs/guide.html#query-helpers
 */
export function noteDocuments(flow: Flow, node: Call, method: string, base: number, args: readonly number[], result: number): void {
  const { out } = flow;
  const [first, second] = node.arguments;
  if (method === 'model') {
    if (!usesMongoose(flow) || first?.type !== 'StringLiteral') return;
    if (!second) out.op(Op.InjectNamed, result, out.text(`model ${first.value}`));
    else if ((args[1] ?? 0) > 0) declareModel(flow, first.value, args[1] as number, result);
    return;
  }
  if (base === 0) return;
  if (method === 'method' || method === 'static') {
    // `schema.method('name', fn)`
    if (first?.type === 'StringLiteral' && usesMongoose(flow))
      out.store(out.load(base, out.text(`${method}s`), true), out.text(first.value), Math.max(args[1] ?? 0, 0));
    return;
  }
  const given = GIVES_ONE.test(method) ? DOCUMENT : GIVES_SEVERAL.test(method) ? DOCUMENTS : OF_QUERY.test(method) ? QUERY : undefined;
  if (given === undefined || !usesMongoose(flow)) return;
  const found = flow.load(base, given);
  out.copy(result, found);
  // `User.findOne({ … }, (error, user) => { … })`
  const last = node.arguments.at(-1);
  const callback = last && isFunction(unwrap(last)) ? (args.at(-1) ?? 0) : 0;
  if (callback > 0) out.call({ site: out.lastSite, callee: callback, args: [0, found], flags: SiteFlag.FlowOnly });
}

function declareModel(flow: Flow, name: string, schema: number, model: number): void {
  const { out } = flow;
  const document = flow.literal();
  const held = out.holding(document);
  out.op(Op.Inherit, document, flow.load(schema, 'methods'));
  out.op(Op.Mix, model, flow.load(schema, 'statics'));
  out.field(document, out.text(QUERY), held);
  // No array: before it is awaited, it is a query, which has the helpers of the schema and those of plug-ins.
  const list = flow.literal();
  const query = out.holding(list);
  out.op(Op.Inherit, list, flow.load(schema, 'query'));
  out.field(list, out.text(ELEMENT), held);
  out.field(list, out.text(QUERY), query);
  out.store(model, out.text(DOCUMENT), held);
  out.store(model, out.text(DOCUMENTS), query);
  out.op(Op.ProvideNamed, out.text(`model ${name}`), model);
}

/** `new User({ … })`, `new Schema({ … }, { methods: { … }, query: { … } })` */
export function noteMade(flow: Flow, callee: Node, target: number, args: readonly number[], made: number): void {
  const name = isMember(callee) ? memberName(callee) : callee.type === 'Identifier' && flow.binding(callee.name) ? callee.name : undefined;
  if (name === undefined || target === 0 || !usesMongoose(flow)) return;
  if (name !== 'Schema') flow.out.copy(made, flow.load(target, DOCUMENT));
  else if ((args[1] ?? 0) > 0)
    for (const part of ['methods', 'statics', 'query']) flow.out.store(made, flow.out.text(part), flow.load(args[1] as number, part));
}
