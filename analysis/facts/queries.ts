// Which calls send a query to a database, or a request, and wait for what comes back.
import {
  BATCH_OF_SQL,
  DRIVERS_WITH_CONNECTION,
  IN_PROCESS_DATABASES,
  QUERY_DRIVERS,
  type QueryDriver,
} from '../../knowledge/query-calls.ts';
import {
  contains,
  enclosingFunction,
  isCall,
  isFunction,
  isLoop,
  isMember,
  memberName,
  parentOf,
  staticName,
  unwrap,
  type CallNode,
  type FunctionNode,
  type Node,
  type t,
} from '../module/ast.ts';
import { textOf } from './constants.ts';
import { conditionsOn } from './control-flow.ts';
import { runsOnce } from './once.ts';
import { walkWithin } from '../module/module-index.ts';
import { propertyValue } from './handlers/route-paths.ts';
import { batchFor, codeOf, remedyFor, type Form } from './outside/query-remedies.ts';
import { filtersOf, isByPrimaryKey, sumsUp } from './outside/query-filters.ts';
import { keyOfFilter, keyOfSql, type Key } from './outside/query-keys.ts';
import type { Facts } from './index.ts';

export interface Query {
  /** Identifies the driver and the form for many elements; see `outside/query-remedies.ts`. */
  code: number;
  isWrite: boolean;
  isHttp: boolean;
  /** Which field tells the row. */
  key: Key;
  /** The form for many elements, for messages; '' for requests. */
  batch: string;
  /** For messages: what to do instead of one query for each element. */
  remedy: string;
  /** Whether calls of the same tick travel together. */
  isBatchedPerTick: boolean;
}

type Known = Pick<QueryDriver, 'shape' | 'packages' | 'reads' | 'writes' | 'batch' | 'sameTick'>;

// The longest chain of calls and members to look down.
const MAX_CHAIN = 12;
const SQL_TEXT = /^\s{0,200}(?:\/\*[^*]{0,200}\*\/\s{0,20})?(?:select|with|insert|update|delete|replace|call|merge)\b/i;
const WRITING_SQL = /^\s{0,200}(?:\/\*[^*]{0,200}\*\/\s{0,20})?(?:insert|update|delete|replace|merge)\b/i;
/** The query is already one for many. */
const BATCHED = /\$in\b|\bwhereIn\b|\bIn\(|\bin:|\bIN\s?\(|\bANY\s?\(|\bunnest\b|\bbulk|[Oo]p\.in\b/;
/** Queries that must run one after the other, on one connection. */
const IN_TRANSACTION = /\b(?:transaction|transacting|trx|tx|session|queryRunner)\b/;
const MODEL_NAME = /(?:^[A-Z]\w*$|Model$|Repository$|Repo$)/;
/** Classes of the project itself, with methods of the same names. */
const SERVICE_NAME = /(?:Service|Controller|Helpers?|Utils?|Store|Api|API|Client|Manager|Cache|Factory|Loader|Registry|Map|Set)$/;
const COLLECTION_NAME = /(?:collections?|coll|col)$/i;

const ANY_OF_THESE: ReadonlySet<string> = new Set(QUERY_DRIVERS.flatMap(({ reads, writes }) => [...reads, ...writes]));
const SQL_DRIVERS = QUERY_DRIVERS.filter(({ shape }) => shape === 'sql');
const ANY_SQL: Known = { shape: 'sql', packages: [], reads: SQL_DRIVERS[0]?.reads ?? [], writes: [], batch: BATCH_OF_SQL };

/** Not behind a cache, and not only for some of its arguments. A check of the arguments before it is fine. */
export function runsEachTime(call: CallNode, fn: Node, facts: Facts): boolean {
  if (runsOnce(call, facts)) return false;
  return conditionsOn(call, fn).every((one) => /^\s{0,9}!(?!.{0,80}(?:cache|memo|\.has|\.get))/i.test(facts.source.slice(one)));
}

export function usesParameter(call: CallNode, fn: FunctionNode, facts: Facts): boolean {
  let uses = false;
  for (const argument of call.arguments)
    walkWithin(argument, (inner) => {
      if (uses) return false;
      if (inner.type !== 'Identifier') return undefined;
      const binding = facts.bindings.resolve(inner);
      uses = binding !== undefined && contains(fn, binding.identifier);
      return undefined;
    });
  return uses;
}

const REQUEST_NAMES = /^(?:\w{0,20}fetch|axios|got|ky|request|superagent|needle|rp)$/i;

/**
 * Whether a call sends a query or a request. `isOfAnyKind`: also queries that are for many already, requests to any address, and the calls
 * in the middle of a builder's chain.
 */
export function findQuery(call: CallNode, facts: Facts, isOfAnyKind = false): Query | undefined {
  if (call.type === 'NewExpression') return undefined;
  const callee = unwrap(call.callee);
  if (callee.type === 'Identifier') return REQUEST_NAMES.test(callee.name) ? findRequest(call, callee, facts, isOfAnyKind) : undefined;
  if (!isMember(callee)) return undefined;
  const method = memberName(callee);
  if (method === undefined || !ANY_OF_THESE.has(method)) return undefined;
  const first = call.arguments[0];
  // `users.find((one) => …)` looks through a list.
  if (first && isFunction(unwrap(first))) return undefined;
  const sql = findSql(call, method, facts);
  if (sql !== undefined) return sql ? answer(sql, method, call, facts, isOfAnyKind) : undefined;
  for (const driver of QUERY_DRIVERS) {
    if (driver.shape === 'sql' || (!driver.reads.includes(method) && !driver.writes.includes(method))) continue;
    if (isCallOf(driver, call, callee, facts, isOfAnyKind))
      // A class of the file with a method of that name.
      return facts.calls.functionsOf(callee).length > 0 ? undefined : answer(driver, method, call, facts, isOfAnyKind);
  }
  return undefined;
}

function answer(
  driver: Known,
  method: string,
  call: t.CallExpression | t.OptionalCallExpression,
  facts: Facts,
  isOfAnyKind: boolean,
): Query | undefined {
  const text = facts.source.slice(call);
  if (driver.shape !== 'http' && ((!isOfAnyKind && BATCHED.test(text)) || IN_TRANSACTION.test(text))) return undefined;
  const [first] = call.arguments;
  const isWrite =
    driver.shape === 'sql'
      ? WRITING_SQL.test((first && sqlOf(first, facts)) ?? '')
      : driver.shape === 'builder'
        ? driver.writes.some((name) => text.includes(`.${name}(`))
        : driver.writes.includes(method);
  const form = isWrite ? formWithRows(formOf(driver, method, call, facts), driver, method, call) : 'read';
  const key = isOfAnyKind ? undefined : keyOf(driver, method, call, facts);
  const batch = batchFor(driver.batch, key);
  return {
    code: codeOf((QUERY_DRIVERS as readonly Known[]).indexOf(driver), form),
    isWrite,
    isHttp: driver.shape === 'http',
    key,
    batch: batch.read,
    remedy: remedyFor(form, batch),
    isBatchedPerTick: driver.sameTick !== undefined && (driver.sameTick.includes('*') || driver.sameTick.includes(method)),
  };
}

/** The forms for many return no rows; `findOneAndUpdate` of Mongoose and `update` of Prisma do. */
function formWithRows(form: Form, { shape }: Known, method: string, call: CallNode): Form {
  if (form !== 'each' && form !== 'change') return form;
  const returnsRow = /^find\w{1,20}And/.test(method) || (shape === 'delegate' && method === 'update');
  return returnsRow && isKept(call) ? 'returned' : form;
}

/** Whether a variable takes what a call returns, a list, or code that reads a property of it. */
function isKept(call: CallNode): boolean {
  let from: Node = call;
  let isAwaited = false;
  for (let parent = parentOf(from), steps = 0; parent && steps < MAX_CHAIN; from = parent, parent = parentOf(from), steps++) {
    if (parent.type === 'AwaitExpression') isAwaited = true;
    else if (isMember(parent) && parent.object === from && isAwaited) return true;
    else if (isCall(parent) && parent.callee !== from)
      return isAwaited && isMember(parent.callee) && /^(?:push|concat)$/.test(memberName(parent.callee) ?? '');
    else if (!isMember(parent) && !isCall(parent) && unwrap(parent) === parent)
      return isAwaited && (parent.type === 'VariableDeclarator' || parent.type === 'AssignmentExpression');
  }
  return false;
}

function formOf(driver: Known, method: string, call: CallNode, facts: Facts): Form {
  if (driver.shape === 'sql') return formOfSql(call, facts);
  const own = driver.shape === 'builder' ? (driver.writes.find((name) => writerIn(call, name)) ?? method) : method;
  if (own === 'save' || own === 'upsert') return own;
  if (own === 'findOrCreate') return 'other';
  if (driver.shape === 'builder' && writerIn(call, 'onConflict') && writerIn(call, 'merge')) return 'upsert';
  if (/^(?:create|insert|insertOne)$/.test(own)) return 'insert';
  if (/delete|destroy|remove|^(?:del|unlink)$/i.test(own))
    return driver.shape === 'command' && own !== 'del' && own !== 'unlink' ? 'each' : 'delete';
  if (driver.shape === 'command') return own === 'set' ? 'insert' : 'each';
  const parts = changeOf(driver, own, call);
  if (!parts) return 'each';
  const scope = repeatedAround(call);
  if (!scope) return 'each';
  const isOfRow = (nodes: readonly Node[]): boolean => nodes.some((node) => usesBindingIn(node, scope, facts));
  if (!isOfRow(parts.keys)) return parts.keys.length > 0 && isOfRow(parts.values) ? 'row' : 'each';
  return isOfRow(parts.values) ? 'each' : 'change';
}

/** `UPDATE t SET done = true WHERE id = $1` sets the same for all, as far as the beginning of the text shows it. */
function formOfSql(call: CallNode, facts: Facts): Form {
  const [first] = call.arguments;
  const text = (first && sqlOf(first, facts)) ?? '';
  const verb = /\b(insert|replace|merge|update|delete)\b/i.exec(text)?.[1]?.toLowerCase();
  if (verb === 'delete') return 'delete';
  if (verb === 'insert' && first && CONFLICT.test(text + facts.source.slice(first)) && UPDATES.test(text + facts.source.slice(first)))
    return 'upsert';
  if (verb !== 'update') return verb === 'insert' ? 'insert' : 'other';
  const from = text.search(/\bset\b/i);
  const to = text.search(/\bwhere\b/i);
  return from >= 0 && to > from && !/[$?:@%]/.test(text.slice(from, to)) ? 'change' : 'each';
}

const CONFLICT = /\bon\s{1,20}conflict\b/i;
const UPDATES = /\bdo\s{1,20}update\b/i;

/** What tells the rows of a query: the field that is different for each element. Undefined for the primary key. */
function keyOf(driver: Known, method: string, call: CallNode, facts: Facts): Key {
  const [first, second] = call.arguments;
  if (driver.shape === 'http' || driver.shape === 'command') return undefined;
  if (sumsUp(driver, method)) return { name: undefined };
  // The elements of a loop may be used in functions inside of it.
  for (let scope = repeatedAround(call), steps = 0; scope && steps < MOST_SCOPES; scope = repeatedAround(scope), steps++) {
    const around = scope;
    const isOfElement = (node: Node): boolean => usesBindingIn(node, around, facts);
    const key =
      driver.shape === 'sql' && first
        ? keyOfSql(sqlOf(first, facts) ?? '', unwrap(first), second && unwrap(second), isOfElement)
        : keyOfFilter(filtersOf(driver, method, call, facts), isOfElement);
    if (key !== undefined) return key;
  }
  return isByPrimaryKey(call, method) ? undefined : { name: undefined };
}

const MOST_SCOPES = 3;

/** The call of a chain's method: `update({ … })` in `knex('users').where({ id }).update({ … })`. */
function writerIn(call: CallNode, name: string): CallNode | undefined {
  let at: Node = call;
  for (let i = 0; i < MAX_CHAIN && isCall(at); i++) {
    const callee = unwrap(at.callee);
    if (!isMember(callee)) return undefined;
    if (memberName(callee) === name) return at;
    at = unwrap(callee.object);
  }
  return undefined;
}

/** What tells the rows that a query changes, and what they get. */
function changeOf(driver: Known, method: string, call: CallNode): { keys: readonly Node[]; values: readonly Node[] } | undefined {
  const [first, second] = call.arguments;
  if (driver.shape === 'builder') {
    const writer = writerIn(call, method);
    const callee = writer && unwrap(writer.callee);
    return writer && isMember(callee) ? { keys: [callee.object], values: writer.arguments } : undefined;
  }
  if (driver.shape === 'delegate') {
    const options = first && unwrap(first);
    if (options?.type !== 'ObjectExpression') return undefined;
    const part = (name: string): Node[] =>
      options.properties.flatMap((one) => (one.type === 'ObjectProperty' && staticName(one.key, one.computed) === name ? [one.value] : []));
    const [keys, values] = [part('where'), part('data')];
    return keys.length > 0 && values.length > 0 ? { keys, values } : undefined;
  }
  if (!first || !second) return undefined;
  // Sequelize has the values first: https://sequelize.org/docs/v6/core-concepts/model-querying-basics/#simple-update-queries
  return driver.packages.includes('sequelize') ? { keys: [second], values: [first] } : { keys: [first], values: [second] };
}

/** The innermost loop or function around a call: what it declares may be different in the next round. */
function repeatedAround(call: Node): Node | undefined {
  for (let at = parentOf(call); at; at = parentOf(at)) if (isLoop(at) || isFunction(at)) return at;
  return undefined;
}

/**
 * Whether an expression uses what is declared, or assigned, in a loop or function. `this` may be another one each time a function is
 * called.
 */
function usesBindingIn(node: Node, scope: Node, facts: Facts): boolean {
  let does = false;
  walkWithin(node, (inner) => {
    if (does) return false;
    if (inner.type === 'ThisExpression') does = isFunction(scope) && scope.type !== 'ArrowFunctionExpression';
    if (inner.type !== 'Identifier') return undefined;
    const binding = facts.bindings.resolve(inner);
    does =
      binding !== undefined &&
      ((contains(scope, binding.identifier) && !contains(node, binding.identifier)) ||
        facts.bindings.writes(binding).some((write) => contains(scope, write.node)));
    return undefined;
  });
  return does;
}

/** False: a query to a database of the same process. */
function findSql(call: CallNode, method: string, facts: Facts): Known | false | undefined {
  const [first] = call.arguments;
  const driver = SQL_DRIVERS.find((one) => usesPackage(one.packages, facts));
  if (!first || !ANY_SQL.reads.includes(method)) return undefined;
  if (!SQL_TEXT.test(sqlOf(first, facts) ?? '')) return undefined;
  return isInProcessOnly(facts) ? false : (driver ?? ANY_SQL);
}

/** The beginning of the text of a query. */
export function sqlOf(argument: Node, facts: Facts): string | undefined {
  let node = unwrap(argument);
  for (let i = 0; i < MAX_CHAIN; i++) {
    if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.cooked ?? undefined;
    if (node.type === 'TaggedTemplateExpression') node = node.quasi;
    else if (node.type === 'BinaryExpression') node = unwrap(node.left);
    else if (node.type === 'ObjectExpression') {
      const text = node.properties.find(
        (one): one is t.ObjectProperty =>
          one.type === 'ObjectProperty' && one.key.type === 'Identifier' && /^(?:text|sql)$/.test(one.key.name),
      );
      if (!text) return undefined;
      node = unwrap(text.value);
    } else if (node.type === 'Identifier') {
      const declaration = facts.bindings.resolve(node)?.declaration;
      if (declaration?.type !== 'VariableDeclarator' || declaration.id.type !== 'Identifier' || !declaration.init) return undefined;
      node = unwrap(declaration.init);
    } else return textOf(node, facts.bindings);
  }
  return undefined;
}

function isCallOf(
  driver: Known,
  call: CallNode,
  callee: t.MemberExpression | t.OptionalMemberExpression,
  facts: Facts,
  isOfAnyKind: boolean,
): boolean {
  const object = unwrap(callee.object);
  switch (driver.shape) {
    case 'http': {
      const origin = facts.origins.moduleMember(callee);
      return origin !== undefined && driver.packages.includes(origin.module) && isRequest(call, facts, isOfAnyKind);
    }
    case 'delegate':
      return isMember(object) && isClientOfDelegates(unwrap(object.object), driver, facts) && !hasOtherOptions(call);
    case 'model':
      return usesPackage(driver.packages, facts) && isModel(object, facts);
    case 'collection':
      return usesPackage(driver.packages, facts) && (isCollection(object) || isUsedAsCollection(object, facts));
    case 'builder':
      return (
        usesPackage(driver.packages, facts) &&
        !isInProcessOnly(facts) &&
        (isOfAnyKind || isOutermost(call)) &&
        startsWithTable(call) &&
        !isPartOfUnion(call)
      );
    case 'command':
      return isRedis(object, driver, facts);
    default:
      return false;
  }
}

function isClientOfDelegates(client: Node, driver: Known, facts: Facts): boolean {
  const name = nameOf(client) ?? '';
  return /prisma/i.test(name) || (/^(?:db|client|database)$/.test(name) && usesPackage(driver.packages, facts));
}

/** https://www.prisma.io/docs/orm/reference/prisma-client-reference */
const DELEGATE_OPTIONS =
  /^(?:where|data|select|include|omit|orderBy|cursor|take|skip|distinct|by|having|create|update|relationLoadStrategy|_\w{1,9})$/;

/** `client.chat.delete({ channel, ts })`: another client, whose methods have the same names. */
function hasOtherOptions({ arguments: [first] }: CallNode): boolean {
  const options = first && unwrap(first);
  return (
    options?.type === 'ObjectExpression' &&
    options.properties.length > 0 &&
    options.properties.every(
      (property) => property.type !== 'SpreadElement' && !DELEGATE_OPTIONS.test(staticName(property.key, property.computed) ?? 'where'),
    )
  );
}

/** `User`, `models.User`, `this.userModel`, `userRepository`, `mongoose.model('User')` */
function isModel(object: Node, facts: Facts): boolean {
  const name = nameOf(object);
  if (name === undefined)
    return isCall(object) && isMember(object.callee) && /^(?:model|getRepository|getModel)$/.test(memberName(object.callee) ?? '');
  if (!MODEL_NAME.test(name) || SERVICE_NAME.test(name)) return false;
  const origin = facts.origins.of(object);
  // `Math.…`, and classes of packages. A model comes from a file of the project, or is made here.
  return !(origin?.root === 'global' || (origin?.root === 'module' && !/^[./#~@]/.test(origin.name) && !MODEL_MAKERS.has(origin.name)));
}

const MODEL_MAKERS: ReadonlySet<string> = new Set(['mongoose', 'sequelize', 'typeorm']);

function isCollection(object: Node): boolean {
  if (isCall(object)) return isMember(object.callee) && /^(?:collection|getCollection)$/.test(memberName(object.callee) ?? '');
  const name = nameOf(object) ?? '';
  if (COLLECTION_NAME.test(name)) return true;
  // `db.users.findOne(…)`, but not `db.userRepository.findOne(…)`, which an ORM has
  return isMember(object) && !OF_AN_ORM.test(name) && /^(?:db|database)$/.test(nameOf(unwrap(object.object)) ?? '');
}

const OF_AN_ORM = /(?:Repository|Repo|Model)$/;

/** Methods that a collection of MongoDB has, and hardly anything else. */
const OF_COLLECTIONS = /^(?:insertOne|insertMany|bulkWrite|replaceOne|findOneAndReplace|estimatedDocumentCount)$/;

/** `const users = await this.getModel(); users.insertMany(…)`: whatever its name is. */
function isUsedAsCollection(object: Node, facts: Facts): boolean {
  const binding = object.type === 'Identifier' ? facts.bindings.resolve(object) : undefined;
  if (binding?.declaration.type !== 'VariableDeclarator') return false;
  return facts.bindings.references(binding).some((reference) => {
    const member = parentOf(reference);
    return member && isMember(member) && member.object === reference && OF_COLLECTIONS.test(memberName(member) ?? '');
  });
}

function isRedis(object: Node, driver: Known, facts: Facts): boolean {
  const name = nameOf(object);
  if (name === undefined || /pipeline|multi|batch/i.test(name)) return false;
  if (/redis/i.test(name)) return true;
  if (object.type !== 'Identifier') return false;
  const declaration = facts.bindings.resolve(object)?.declaration;
  const init = declaration?.type === 'VariableDeclarator' && declaration.init ? unwrap(declaration.init) : undefined;
  const origin = isCall(init) ? facts.origins.moduleMember(init.callee) : undefined;
  return origin !== undefined && driver.packages.includes(origin.module) && !/pipeline|multi/i.test(facts.source.slice(init as Node));
}

/** `knex('users').where(…)`, `db('users').select()`, `knex.select().from('users')`, `User.query().findById(id)` */
function startsWithTable(call: CallNode): boolean {
  let at: Node = call;
  for (let i = 0; i < MAX_CHAIN; i++) {
    if (!isCall(at)) return false;
    const callee = unwrap(at.callee);
    if (callee.type === 'Identifier')
      return /^(?:knex|db|database|qb)$|knex/i.test(callee.name) && unwrap(at.arguments[0] ?? at).type === 'StringLiteral';
    if (!isMember(callee)) return false;
    const object = unwrap(callee.object);
    const method = memberName(callee);
    if (method === 'query' && at.arguments.length === 0 && /^[A-Z]/.test(nameOf(object) ?? '')) return true;
    if (/^(?:from|into|table|select|insert)$/.test(method ?? '') && /knex/i.test(nameOf(object) ?? '')) return true;
    at = object;
  }
  return false;
}

/** `knex.unionAll(ids.map((id) => knex.select(…)))`: parts of one query, none of which is sent on its own. */
function isPartOfUnion(call: Node): boolean {
  let at: Node = call;
  for (let parent = parentOf(at); parent; at = parent, parent = parentOf(at)) {
    if (isCall(parent) && at !== parent.callee) {
      const name = isMember(parent.callee) ? memberName(parent.callee) : undefined;
      if (/^(?:union|intersect|except)(?:All)?$/.test(name ?? '')) return true;
      if (name !== 'map') return false;
    } else if (/Statement$/.test(parent.type) && !/^(?:Return|Block)Statement$/.test(parent.type)) return false;
    else if (parent.type === 'AwaitExpression') return false;
  }
  return false;
}

/** Whether nothing is called on the result but what waits for it. */
function isOutermost(call: Node): boolean {
  const parent = parentOf(call);
  return !(isMember(parent) && parent.object === call) || /^(?:then|catch|finally)$/.test(memberName(parent) ?? '');
}

/** `fetch(url)`, `axios(options)` */
function findRequest(
  call: t.CallExpression | t.OptionalCallExpression,
  callee: t.Identifier,
  facts: Facts,
  isOfAnyKind: boolean,
): Query | undefined {
  const driver = QUERY_DRIVERS.find(({ shape }) => shape === 'http') as QueryDriver;
  const origin = facts.origins.of(callee);
  if (!origin || facts.calls.functionsOf(callee).length > 0) return undefined;
  const isKnown =
    origin.root === 'global'
      ? origin.name === 'fetch' && origin.path.length === 0
      : driver.packages.includes(origin.name) && origin.path.length <= 1;
  return isKnown && isRequest(call, facts, isOfAnyKind) ? answer(driver, '', call, facts, isOfAnyKind) : undefined;
}

/** Reads from one service: `fetch(`${API}/users/${id}`)`. Requests to places that the elements name cannot become one. */
function isRequest(call: CallNode, facts: Facts, isOfAnyKind: boolean): boolean {
  const [first, options] = call.arguments;
  if (!first || (options && /method\W{1,9}(?:POST|PUT|PATCH|DELETE)|\bbody\b/i.test(facts.source.slice(options)))) return false;
  if (isOfAnyKind) return true;
  const url = unwrap(first);
  if (url.type === 'TemplateLiteral') {
    const start = url.quasis[0]?.value.raw ?? '';
    if (/^https?:\/\/[^/]+\//.test(start)) return true;
    const [base] = url.expressions;
    return start === '' && base !== undefined && isConstantBase(base, facts);
  }
  if (url.type !== 'BinaryExpression' || url.operator !== '+') return false;
  let left: Node = url.left;
  for (let i = 0; i < MAX_CHAIN && left.type === 'BinaryExpression'; i++) left = unwrap(left.left);
  return left.type === 'StringLiteral' ? /^https?:\/\/[^/]+\//.test(left.value) : isConstantBase(left, facts);
}

/** `API_URL`, `config.url`, `process.env.API`, `this.baseUrl` */
function isConstantBase(expression: Node, facts: Facts): boolean {
  let at = unwrap(expression);
  while (isMember(at)) at = unwrap(at.object);
  if (at.type === 'ThisExpression') return true;
  if (at.type !== 'Identifier') return false;
  const binding = facts.bindings.resolve(at);
  return binding ? binding.kind === 'import' || binding.scope.type === 'Program' : at.name === 'process';
}

/** The last name of `a.b.users`, `users`, `this.users`. */
function nameOf(expression: Node): string | undefined {
  const node = unwrap(expression);
  return node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
}

/** Whether the project depends on a package, or the file loads it. */
export function usesPackage(packages: readonly string[], facts: Facts): boolean {
  const { manifest } = facts.project;
  if (packages.some((name) => manifest?.dependencies?.[name] !== undefined || manifest?.devDependencies?.[name] !== undefined)) return true;
  const loaded = facts.remember(
    'packages that the file names',
    () => new Set(facts.source.text.match(/(?<=['"])[@\w][\w./-]{1,60}(?=['"])/g)),
  );
  return packages.some((name) => loaded.has(name));
}

/** Whether the only databases that a project knows are in its own process. */
export function isInProcessOnly(facts: Facts): boolean {
  return facts.remember(
    'queries stay in the process',
    () => usesPackage([...IN_PROCESS_DATABASES], facts) && !usesPackage([...DRIVERS_WITH_CONNECTION], facts),
  );
}

// Getters that Sequelize gives to models: each call of `order.getItems()` sends a query.
// https://sequelize.org/docs/v6/core-concepts/assocs/#special-methodsmixins-added-to-instances
const ASSOCIATES = /^(?:belongsTo|hasOne|hasMany|belongsToMany)$/;
const TO_MANY = /Many$/;
const GETTER = /^(?:get|count)[A-Z]\w{0,80}$/;

/** `order.getItems()`, if the project uses Sequelize. Whether there is such an association, other files say. */
export function isAssociationCall(call: CallNode, facts: Facts): boolean {
  const callee = unwrap(call.callee);
  return (
    call.type !== 'NewExpression' &&
    isMember(callee) &&
    callee.object.type !== 'ThisExpression' &&
    GETTER.test(memberName(callee) ?? '') &&
    usesPackage(['sequelize'], facts)
  );
}

/** The calls of a file that may be such, with their functions. */
export function associationCalls(facts: Facts): { fn: FunctionNode; call: CallNode; name: string }[] {
  return facts.module.nodes('CallExpression').flatMap((call) => {
    const callee = unwrap(call.callee);
    const name = isMember(callee) ? memberName(callee) : undefined;
    const fn = name !== undefined && GETTER.test(name) && isAssociationCall(call, facts) ? enclosingFunction(call) : undefined;
    return fn && name !== undefined ? [{ fn, call, name }] : [];
  });
}

/** The getters that the associations of a file make: `Order.hasMany(models.Item)`, `Order.belongsTo(User, { as: 'buyer' })`. */
export function associationGetters(facts: Facts): readonly string[] {
  if (!usesPackage(['sequelize'], facts)) return [];
  return facts.module.nodes('CallExpression').flatMap((call) => {
    const callee = unwrap(call.callee);
    const kind = isMember(callee) ? (memberName(callee) ?? '') : '';
    const [target, second] = call.arguments;
    if (!ASSOCIATES.test(kind) || !target) return [];
    const options = second && unwrap(second);
    const alias = options?.type === 'ObjectExpression' ? propertyValue(options, 'as') : undefined;
    const given = alias && unwrap(alias);
    const model = unwrap(target);
    // `as: { singular, plural }`
    if (given && given.type !== 'StringLiteral') return [];
    const name = given?.type === 'StringLiteral' ? given.value : isMember(model) ? memberName(model) : staticName(model, false);
    if (name === undefined || !/^[A-Za-z]/.test(name)) return [];
    const own = name.charAt(0).toUpperCase() + name.slice(1);
    const names = TO_MANY.test(kind) && !given ? [own, pluralOf(own)] : [own];
    return names.flatMap((one) => (TO_MANY.test(kind) ? [`get${one}`, `count${one}`] : [`get${one}`]));
  });
}

function pluralOf(name: string): string {
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return /(?:s|x|ch|sh)$/.test(name) ? `${name}es` : `${name}s`;
}
