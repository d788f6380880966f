// Limits that a file sets for the JSON of requests: `express.json({ limit: '50mb' })`, `fastify({ bodyLimit })`, `payload: { maxBytes }`.
import { isCall, isFunction, isMember, memberName, parentOf, staticName, unwrap, type Node, type t } from '../../analysis/module/ast.ts';
import { constantOf } from '../../analysis/facts/constants.ts';
import type { Facts } from '../../analysis/facts/index.ts';
import { JSON_PARSERS } from '../../knowledge/text-limits.ts';
import { bytesOf, unlessSet } from '../shared/body-sizes.ts';
import { comesLater } from './earlier-limits.ts';

export interface SetLimit {
  /** The value. */
  node: Node;
  option: string;
  /** `Infinity` where there is none. */
  bytes: number;
  /** Whether it holds for all routes, as far as this file shows. */
  isForAll: boolean;
  /** For messages, where a setting may say otherwise: ` unless \`process.env.BODY_LIMIT\` is set`. */
  unless: string;
}

const OPTIONS: ReadonlySet<string> = new Set([...JSON_PARSERS.map(({ option }) => option), 'maxBytes', 'sizeLimit']);

/** Whether a text names one of the options. Most files do not, and cost no more than this check. */
export function mayBeLimit(text: string): boolean {
  return /limit|maxBytes/i.test(text);
}

export function limitAt(property: t.ObjectProperty, facts: Facts): SetLimit | undefined {
  const option = staticName(property.key, property.computed);
  if (option === undefined || !OPTIONS.has(option)) return undefined;
  const value = unwrap(property.value);
  const bytes = isInfinity(value, facts) ? Number.POSITIVE_INFINITY : bytesOf(value, facts);
  const object = parentOf(property);
  if (bytes === undefined || object?.type !== 'ObjectExpression') return undefined;
  const isForAll = scopeOf(option, object, bytes, facts);
  return isForAll === undefined ? undefined : { node: property.value, option, bytes, isForAll, unless: unlessSet(property.value, facts) };
}

function isInfinity(node: Node, facts: Facts): boolean {
  return (
    (node.type === 'Identifier' && node.name === 'Infinity' && facts.bindings.isGlobal(node)) ||
    (isMember(node) && facts.origins.isGlobal(node, 'Number.POSITIVE_INFINITY'))
  );
}

/** Whether the options are for all routes; undefined where they are not those of a parser of JSON. */
function scopeOf(option: string, object: t.ObjectExpression, bytes: number, facts: Facts): boolean | undefined {
  if (option === 'maxBytes') return scopeOfHapi(object, facts);
  if (option === 'sizeLimit') return isConfigOfNext(object) ? false : undefined;
  for (const place of placesOf(object, facts)) {
    const call = parentOf(place);
    if (!isCall(call) || call.callee === place) continue;
    const callee = unwrap(call.callee);
    const row = parserOf(callee, facts);
    if (row?.option === option) {
      const isParser = (other: t.CallExpression): boolean => parserOf(other.callee, facts)?.option === 'limit';
      const isLate = option === 'limit' && !hasType(object) && comesLater(call, bytes, isParser, facts);
      return isLate ? undefined : (row.isApplication ?? scopeOfParser(call, facts));
    }
    if (!isMember(callee)) continue;
    const method = memberName(callee);
    const [first] = call.arguments;
    // Nest: `app.useBodyParser('json', { limit: '50mb' })`
    if (option === 'limit' && method === 'useBodyParser')
      return first?.type === 'StringLiteral' && first.value === 'json' ? true : undefined;
    // Fastify: `app.post('/import', { bodyLimit: 1e8 }, handler)`, `app.route({ method, url, bodyLimit: 1e8, handler })`
    if (option === 'bodyLimit' && ROUTE.test(method ?? '') && facts.handlers.handlers.some(({ framework }) => framework === 'fastify'))
      return false;
  }
  return undefined;
}

function parserOf(callee: Node, facts: Facts): (typeof JSON_PARSERS)[number] | undefined {
  const origin = facts.origins.moduleMember(unwrap(callee));
  const name = origin?.path.filter((one) => one !== 'default').join('.') ?? '';
  return origin && JSON_PARSERS.find(({ module, makers }) => module === origin.module && makers.includes(name));
}

/** Takes other bodies than the parsers of JSON before it. */
function hasType(options: t.ObjectExpression): boolean {
  return options.properties.some((one) => one.type !== 'SpreadElement' && staticName(one.key, one.computed) === 'type');
}

const ROUTE = /^(?:post|put|patch|delete|all|route)$/;

/** Where an object stands: itself, or the constant that holds it. */
function placesOf(object: t.ObjectExpression, facts: Facts): Node[] {
  const parent = parentOf(object);
  if (parent?.type !== 'VariableDeclarator' || parent.init !== object || parent.id.type !== 'Identifier') return [outerOf(object)];
  const binding = facts.bindings.resolve(parent.id);
  if (!binding || !facts.bindings.isConstant(binding)) return [];
  return facts.bindings.references(binding).map(outerOf);
}

/** What stands around a value without changing it, such as `as Options`. */
function outerOf(node: Node): Node {
  let at = node;
  for (let up = parentOf(at); up && unwrap(up) === node; up = parentOf(at)) at = up;
  return at;
}

/**
 * Where the parser is used: `app.use(parser)` for all, `app.use('/import', parser)` and `app.post('/import', parser, …)` for some routes.
 */
function scopeOfParser(call: Node, facts: Facts): boolean {
  const parent = parentOf(call);
  let places: Node[] = [call];
  if (parent?.type === 'VariableDeclarator' && parent.init === call && parent.id.type === 'Identifier') {
    const binding = facts.bindings.resolve(parent.id);
    places = binding ? [...facts.bindings.references(binding)] : [];
  }
  return places.some((place) => {
    const use = parentOf(place);
    if (!isCall(use) || use.callee === place || !isMember(use.callee) || memberName(use.callee) !== 'use') return false;
    const [first] = use.arguments;
    if (first !== place && !isRoot(first, facts)) return false;
    return !isFunction(constantOf(use.callee.object, facts.bindings) ?? use);
  });
}

function isRoot(path: Node | undefined, facts: Facts): boolean {
  if (!path) return false;
  const value = path.type === 'Identifier' ? (constantOf(path, facts.bindings) ?? path) : path;
  return value.type === 'StringLiteral' && (value.value === '/' || value.value === '*');
}

/**
 * hapi: `payload: { maxBytes }` of a route, or of `routes` for the whole server. Payloads that become files or streams, or of other types,
 * are not parsed as JSON: https://hapi.dev/api/#route.options.payload
 */
function scopeOfHapi(payload: t.ObjectExpression, facts: Facts): boolean | undefined {
  const property = parentOf(payload);
  if (property?.type !== 'ObjectProperty' || staticName(property.key, property.computed) !== 'payload') return undefined;
  if (!facts.handlers.handlers.some(({ framework }) => framework === 'hapi')) return undefined;
  for (const one of payload.properties) {
    if (one.type !== 'ObjectProperty') return undefined;
    const name = staticName(one.key, one.computed);
    if (name === 'output' || name === 'parse' || name === 'multipart') return undefined;
    if (name === 'allow' && !/json/.test(facts.source.slice(one.value))) return undefined;
  }
  const holder = parentOf(parentOf(property) ?? property);
  return holder?.type === 'ObjectProperty' && staticName(holder.key, holder.computed) === 'routes';
}

/** Next.js: `export const config = { api: { bodyParser: { sizeLimit: '50mb' } } }` */
function isConfigOfNext(object: t.ObjectExpression): boolean {
  const parser = parentOf(object);
  const api = parser && parentOf(parentOf(parser) ?? parser);
  const config = api && parentOf(parentOf(api) ?? api);
  return (
    parser?.type === 'ObjectProperty' &&
    staticName(parser.key, parser.computed) === 'bodyParser' &&
    api?.type === 'ObjectProperty' &&
    staticName(api.key, api.computed) === 'api' &&
    config?.type === 'VariableDeclarator' &&
    config.id.type === 'Identifier' &&
    config.id.name === 'config'
  );
}
