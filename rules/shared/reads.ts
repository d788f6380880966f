// Awaited expressions that only read, over a connection: a query, or a request.
import { driverOf } from '../../analysis/facts/outside/query-remedies.ts';
import { findQuery, isInProcessOnly } from '../../analysis/facts/queries.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isMember,
  memberName,
  parentOf,
  unwrap,
  type CallNode,
  type Node,
  type t,
} from '../../analysis/module/ast.ts';
import { walkWithin } from '../../analysis/module/module-index.ts';

export interface Read {
  /** The outermost call of the chain: `User.find().lean()`. */
  call: CallNode;
  /** As messages name it: `User.find`. */
  name: string;
  /** Without an answer it throws: what stands below only runs if there is one. */
  isGuard: boolean;
}

// The longest chain of calls to look down.
const MAX_CHAIN = 12;
// Longer names are shortened.
const MAX_NAME = 40;

/** Methods of a chain around a query that only shape it, and what reads the body of an answer. */
const SHAPES =
  /^(?:sort|limit|skip|lean|select|populate|exec|toArray|where|andWhere|orWhere|whereIn|whereNot|whereNull|whereNotNull|join|leftJoin|innerJoin|orderBy|groupBy|offset|first|project|hint|collation|maxTimeMS|distinct|withGraphFetched|timeout|json|text|set|query|orFail|then)$/;
const GUARDS = /OrThrow$|OrFail$|^orFail$|^throwIfNotFound$|^one$|^many$|^queryRow$/;
const STREAMS = /^(?:find|aggregate)$/;

/** Statements that read, and do more: locks, sequences, and the state of a connection. */
const EFFECTS =
  /\b(?:insert|update|delete|merge|truncate|create|drop|call|lock|nextval|currval|lastval|setval|set_config|pg_\w{1,40}|last_insert_id|found_rows|sql_calc_found_rows|scope_identity|into|share|forUpdate|forShare|watch)\b|@\w|\$out\b|\$merge\b|rejectOnEmpty|throwIfNotFound/i;
/** A function of the database, which may do anything, unless it is known to compute its result from its arguments and rows alone. */
const CALLS_FUNCTION =
  /select\s{1,40}(?!(?:count|sum|max|min|avg|coalesce|json_agg|array_agg|distinct|exists|round|date_trunc|date_part|date_format|extract|to_char|strftime|lower|upper|trim|length|concat|concat_ws|cast|nullif|ifnull|abs|floor|ceil|greatest|least|year|month|day|date|hour|string_agg|group_concat|jsonb_agg|json_build_object|jsonb_build_object|percentile_cont)\b)[a-z_][\w.]{0,60}\s{0,20}\(/i;
/** Connections that answer one query after the other. */
const ONE_CONNECTION = /client|conn|session|manager|runner|^(?:c|t|tx|trx|em)$/i;
const CONNECTS = /createConnection|new Client|getConnection|\.connect\(|acquire|reserve|checkout/;
/** Requests whose answer decides whether others may be sent, or that set cookies. */
const DECIDES = /log_?in|log_?out|auth|token|session|csrf|sign_?in|verif|captcha|health|status|refresh|webhook/i;

/** What an expression reads when it is awaited; undefined for all that is not known. */
export function findRead(awaited: Node, facts: Facts): Read | undefined {
  const outermost = unwrap(awaited);
  if (!isCall(outermost)) return undefined;
  const chain: CallNode[] = [];
  let at: Node = outermost;
  for (let i = 0; i < MAX_CHAIN; i++) {
    if (!isCall(at) || at.type === 'NewExpression') return undefined;
    chain.push(at);
    const query = findQuery(at, facts, true);
    if (query) {
      if (query.isWrite || !isHarmless(at, outermost, query.code, facts)) return undefined;
      if (!isPlain(outermost, facts, chain)) return undefined;
      return { call: outermost, name: nameOf(at, facts), isGuard: chain.some(isGuard) };
    }
    const callee: Node = unwrap(at.callee);
    if (!isMember(callee) || !SHAPES.test(memberName(callee) ?? '')) return undefined;
    at = unwrap(callee.object);
  }
  return undefined;
}

function isGuard({ callee }: CallNode): boolean {
  const node = unwrap(callee);
  return isMember(node) && GUARDS.test(memberName(node) ?? '');
}

function isHarmless(call: t.CallExpression | t.OptionalCallExpression, outermost: Node, code: number, facts: Facts): boolean {
  const text = facts.source.slice(outermost);
  // Of a text without a known package, only the shape is known.
  const driver = driverOf(code);
  const shape = driver?.shape ?? 'sql';
  if (shape === 'http') return !DECIDES.test(text);
  const isMongo = driver?.packages.some((name) => name.includes('mongo')) === true;
  if (EFFECTS.test(text)) return false;
  const callee = unwrap(call.callee);
  if (shape === 'collection' && isMember(callee) && STREAMS.test(memberName(callee) ?? '')) return /\.toArray\(/.test(text);
  if (hasOptionsOfCaller(call, isMongo ? 1 : 0, facts)) return false;
  if (shape === 'command' || isMongo) return true;
  if (isInProcessOnly(facts)) return false;
  return shape !== 'sql' || isOfPool(call, text, facts);
}

/** Methods whose first argument is a value, and not options. */
const BY_VALUE = /^(?:findByPk|findById|findBy|findOneBy|findOneByOrFail|countBy|get|query|execute)$/;

/** `User.findOne({ where, ...options })`, `User.findByPk(id, options)`: a transaction may be in what the caller passes. */
function hasOptionsOfCaller(call: t.CallExpression | t.OptionalCallExpression, from: number, facts: Facts): boolean {
  const method = isMember(call.callee) ? (memberName(call.callee) ?? '') : '';
  const options = call.arguments.slice(BY_VALUE.test(method) ? 1 : from).map((one) => unwrap(one));
  return options.some((one) => {
    const parts: readonly Node[] =
      one.type === 'ObjectExpression' ? one.properties.flatMap((part) => (part.type === 'SpreadElement' ? [part.argument] : [])) : [one];
    return parts.some((part) => {
      const binding = part.type === 'Identifier' ? facts.bindings.resolve(part) : undefined;
      return binding?.kind === 'param';
    });
  });
}

/** Whether the queries of the receiver may run at the same time, as far as its name and its declaration tell. */
function isOfPool(call: t.CallExpression | t.OptionalCallExpression, text: string, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  const object = isMember(callee) ? unwrap(callee.object) : callee;
  const name = object.type === 'Identifier' ? object.name : isMember(object) ? (memberName(object) ?? '') : '';
  if (name === '' || ONE_CONNECTION.test(name)) return false;
  const [first] = call.arguments;
  const query = first && unwrap(first);
  const sql = query?.type === 'Identifier' ? initOf(query, facts) : text;
  if (EFFECTS.test(sql) || CALLS_FUNCTION.test(sql)) return false;
  return object.type !== 'Identifier' || (!CONNECTS.test(initOf(object, facts)) && !mayBeConnection(object, facts));
}

const TYPES_OF_CONNECTIONS = /\b(?:\w*Client|\w*Connection|\w*Transaction|\w*Tx|\w*Runner|EntityManager|Queryable|\w*Executor)\b/;

/**
 * Whether a parameter may stand for one connection: `db: Queryable = pool`, for which other callers pass another value, a type that says so,
 * or a caller in the file that passes one.
 */
function mayBeConnection(object: t.Identifier, facts: Facts): boolean {
  const binding = facts.bindings.resolve(object);
  if (binding?.kind !== 'param') return false;
  const { identifier } = binding;
  if (parentOf(identifier)?.type === 'AssignmentPattern') return true;
  if (identifier.typeAnnotation && TYPES_OF_CONNECTIONS.test(facts.source.slice(identifier.typeAnnotation))) return true;
  const fn = enclosingFunction(identifier);
  const place = fn ? (fn.params as readonly Node[]).indexOf(identifier) : -1;
  if (!fn || place < 0) return false;
  return facts.calls.callersOf(fn).some(({ edge: { site, via } }) => {
    const given = via === 'call' && isCall(site) ? site.arguments[place] : undefined;
    return given?.type === 'Identifier' && ONE_CONNECTION.test(given.name);
  });
}

/** What a variable is declared as. */
function initOf(identifier: t.Identifier, facts: Facts): string {
  const declaration = facts.bindings.resolve(identifier)?.declaration;
  return declaration?.type === 'VariableDeclarator' && declaration.init ? facts.source.slice(declaration.init) : '';
}

const PLAIN_FUNCTIONS =
  /^(?:Number|String|Boolean|parseInt|parseFloat|encodeURIComponent|ObjectId|In|Not|Like|ILike|Between|MoreThan|LessThan|MoreThanOrEqual|LessThanOrEqual|IsNull)$/;
const PLAIN_METHODS =
  /^(?:toString|trim|toLowerCase|toUpperCase|slice|split|join|getTime|toISOString|concat|includes|startsWith|endsWith|replace|replaceAll|padStart|toFixed|now|keys|values|stringify|floor|ceil|round|min|max|abs|ObjectId|collection|model|getRepository|getModel|db|from|literal|col|fn|param|header)$/;
const MADE = /^(?:Date|ObjectId|RegExp|Set|Map|URL|URLSearchParams)$/;

/**
 * Whether an expression has no effect, and depends on nothing but the values that it names: no calls of what is not known, nothing awaited,
 * no assignment, no function. `chain`: calls that are known. `functions`: arguments of these calls, which must be plain themselves.
 */
export function isPlain(expression: Node, facts: Facts, chain: readonly Node[] = [], functions?: ReadonlySet<Node>): boolean {
  let is = true;
  walkWithin(expression, (node) => {
    if (!is) return 'stop';
    if (isFunction(node)) {
      if (functions?.has(node)) return undefined;
      is = chain.some((call) => isCall(call) && call.arguments.some((one) => one === node)) && takesBody(node, facts);
      return false;
    }
    if (isCall(node) && !chain.includes(node)) is = isPlainCall(node);
    else if (NOT_PLAIN.has(node.type) || (node.type === 'UnaryExpression' && node.operator === 'delete')) is = false;
    return undefined;
  });
  return is;
}

const NOT_PLAIN: ReadonlySet<string> = new Set([
  'AwaitExpression',
  'YieldExpression',
  'AssignmentExpression',
  'UpdateExpression',
  'TaggedTemplateExpression',
  'ImportExpression',
  'Import',
  'ClassExpression',
  'DoExpression',
]);

function isPlainCall(call: CallNode): boolean {
  const callee = unwrap(call.callee);
  const name = callee.type === 'Identifier' ? callee.name : isMember(callee) ? (memberName(callee) ?? '') : '';
  if (call.type === 'NewExpression') return MADE.test(name);
  if (callee.type === 'Identifier') return PLAIN_FUNCTIONS.test(name) || name === 'Date';
  if (!isMember(callee)) return false;
  if (PLAIN_METHODS.test(name)) return true;
  // `searchParams.get('page')`, `req.get('Host')`
  return name === 'get' && call.arguments.length === 1 && call.arguments[0]?.type === 'StringLiteral';
}

/** `(response) => response.json()`, `({ data }) => data` */
function takesBody(fn: Node & t.Function, facts: Facts): boolean {
  if (fn.type !== 'ArrowFunctionExpression' || fn.params.length !== 1 || fn.body.type === 'BlockStatement') return false;
  let is = true;
  walkWithin(fn.body, (node) => {
    if (NOT_PLAIN.has(node.type) || isFunction(node)) is = false;
    if (isCall(node))
      is &&= isMember(node.callee) && /^(?:json|text|blob|arrayBuffer|toObject|toJSON)$/.test(memberName(node.callee) ?? '');
    if (node.type === 'Identifier') {
      const binding = facts.bindings.resolve(node);
      is &&= binding === undefined || contains(fn, binding.identifier);
    }
    return is ? undefined : 'stop';
  });
  return is;
}

/** What is called, as messages name it. */
export function nameOf(call: CallNode, facts: Facts): string {
  const callee = unwrap(call.callee);
  const written = facts.source.slice(callee);
  if (written.length <= MAX_NAME && !/\s/.test(written)) return written;
  return isMember(callee) ? `….${memberName(callee) ?? ''}` : `${written.slice(0, MAX_NAME)}…`;
}
