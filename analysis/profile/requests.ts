// Which requests reach a function: what comments say, and the routes of the handlers that it is, lies in or is called by. Pure; nothing is
// made up
// but the values of a path's parameters.
import type { ProgramRequest } from '../../protocol/evidence.ts';
import { isFunction, isMember, memberName, parentOf, unwrap, type FunctionNode, type Node } from '../module/ast.ts';
import type { Unit } from '../facts/calls.ts';
import type { Handler } from '../facts/handlers/handler.ts';
import type { Facts } from '../facts/index.ts';
import { walkWithin } from '../module/module-index.ts';
import type { RequestAnswer } from '../project/answers/function-answer.ts';
import type { RootKind } from '../project/summary/format.ts';
import { commentsOf } from './calls.ts';

export type RequestSearch =
  | { ok: true; requests: readonly ProgramRequest[] }
  /** No handler of this file leads to the function. */
  | { ok: false; reached: false }
  /** `why` ends the sentence "It cannot be called because …". */
  | { ok: false; reached: true; why: string; remedy: string };

/** More requests than this would leave too little time for each. */
export const MOST_REQUESTS = 16;

const REQUEST = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+(\/\S*)(?:\s+(\S.*))?$/;
/** As curl writes it. */
const HEADER = /^-H\s+(["'])([^"':\s]+)\s{0,9}:\s{0,9}(.*?)\1(?:\s+|$)/;
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** Registered for every method. */
export const ANY_METHOD: ReadonlySet<string> = new Set(['ALL', 'ANY', 'USE', '*']);

/** What a text says of a request, and nothing else. */
export interface RequestParts {
  method: string;
  path: string;
  /** By lower-case names. */
  headers: Readonly<Record<string, string>>;
  body?: string;
}

/** `GET /users/1`, `POST /users -H "x-key: 1" {"name":"a"}`; undefined for what is no request. */
export function readRequestParts(text: string): RequestParts | undefined {
  const [, method, path, more] = REQUEST.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined) return undefined;
  const headers: Record<string, string> = {};
  let rest = more ?? '';
  for (let header = HEADER.exec(rest); header; header = HEADER.exec(rest)) {
    headers[(header[2] ?? '').toLowerCase()] = header[3] ?? '';
    rest = rest.slice(header[0].length);
  }
  return { method, path, headers, ...(rest !== '' && { body: rest }) };
}

/** The same as a request to send. @param body for one that names none of its own */
export function readRequest(text: string, body?: string): ProgramRequest | undefined {
  const parts = readRequestParts(text);
  return parts && requestOfParts({ ...(body !== undefined && { body }), ...parts });
}

/** Without a body, those that usually have one get an empty object. */
export function requestOfParts({ method, path, headers, body }: RequestParts): ProgramRequest {
  const sent = body ?? (WITH_BODY.has(method) ? '{}' : undefined);
  return {
    method,
    path: encodedPath(path),
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(sent !== undefined && { body: sent }),
  };
}

/** As browsers do it, which take characters that no address has. */
function encodedPath(path: string): string {
  return path.replace(/[^\x21-\x7e]+/gu, (text) => encodeURIComponent(text.replace(/\p{Cs}/gu, '\ufffd')));
}

/** As `readRequestParts` reads it. A header with both kinds of quotation marks cannot be written, and is left out. */
export function textOfRequest({ method, path, headers = {}, body }: ProgramRequest): string {
  const quoted = Object.entries(headers).flatMap(([name, value]) => {
    const quote = value.includes('"') ? "'" : '"';
    return value.includes(quote) ? [] : [`-H ${quote}${name}: ${value}${quote}`];
  });
  return [`${method} ${path}`, ...quoted, ...(body === undefined ? [] : [body])].join(' ');
}

const TAG = /^[\s*]*@profile\s+(\S.*)$/;

/** What `@profile GET /users/1` says at the function, or at one around it. */
export function requestsInComments(facts: Facts, fn: FunctionNode): ProgramRequest[] {
  return partsInComments(facts, fn).map(({ parts }) => requestOfParts(parts));
}

/** The same, with the line of each, from 1. */
export function partsInComments(facts: Facts, fn: FunctionNode): { parts: RequestParts; line: number }[] {
  for (let at: Node | undefined = fn; at; at = parentOf(at)) {
    if (!isFunction(at)) continue;
    const requests = commentsOf(facts, at).flatMap(({ value, start }) =>
      value.split(/\r\n|[\n\r]/).flatMap((text, i) => {
        const parts = readRequestParts((TAG.exec(text)?.[1] ?? '').replace(/(?<![\s*])[\s*]+$/, ''));
        return parts ? [{ parts, line: facts.source.positionAt(start ?? 0).line + i }] : [];
      }),
    );
    if (requests.length > 0) return requests.slice(0, MOST_REQUESTS);
  }
  return [];
}

/** Whether a function is a handler that requests reach by their path. `answer`: what the whole project knows of it. */
export function isAskedFor({ handlers }: Facts, fn: FunctionNode, answer: RequestAnswer | undefined): boolean {
  const isAsked = (kind: RootKind): boolean => kind === 'route' || kind === 'middleware';
  // Of a handler the project knows the registration, and no call on the way.
  return (
    handlers.handlers.some((one) => one.fn === fn && isAsked(one.kind)) ||
    (answer !== undefined && isAsked(answer.kind) && answer.related.length === 1)
  );
}

/** The requests that the routes of this file, or comments at their handlers, give. */
export function findRequests(facts: Facts, fn: FunctionNode, value = VALUE): RequestSearch {
  const handlers = facts.handlers.handlers.filter((handler) => leadsTo(facts, handler.fn, fn));
  if (handlers.length === 0) return { ok: false, reached: false };
  const found = new Map<string, ProgramRequest>();
  for (const handler of handlers) for (const request of requestsOf(facts, handler, value)) found.set(JSON.stringify(request), request);
  if (found.size > 0) return { ok: true, requests: [...found.values()].slice(0, MOST_REQUESTS) };
  return { ok: false, reached: true, ...whyNone(handlers) };
}

function whyNone(handlers: readonly Handler[]): { why: string; remedy: string } {
  const kinds = new Set(handlers.map(({ kind }) => kind));
  if (!kinds.has('route') && !kinds.has('middleware') && !kinds.has('signature')) {
    return kinds.has('socket')
      ? { why: 'it handles messages of a socket', remedy: 'Profile a plain function that it calls.' }
      : { why: 'it is called by a platform that does not run here', remedy: 'Profile a plain function that it calls.' };
  }
  return {
    why: 'it handles requests, but this file does not define its path',
    remedy:
      'Add a comment above it with a request that reaches it: `/** @profile GET /path */`. Headers and a body follow the path: `POST /path -H "x-key: 1" {}`.',
  };
}

function requestsOf(facts: Facts, handler: Handler, value: string): ProgramRequest[] {
  const fromComments = requestsInComments(facts, handler.fn);
  if (fromComments.length > 0) return fromComments;
  const own = requestsOfHandler(facts, handler, value);
  return value === VARIED ? own.map((request) => withReadNames(request, facts, handler.fn)) : own;
}

function requestsOfHandler(facts: Facts, handler: Handler, value: string): ProgramRequest[] {
  if (handler.route !== undefined) return requestsOfRoute(handler.kind === 'middleware' ? `GET ${handler.route}` : handler.route, value);
  // A server's only function gets all requests. Of those that it compares with nothing, not much is known.
  if (handler.kind === 'route' && handler.framework === 'node-http') {
    const paths = comparedPaths(handler.fn);
    return (paths.length > 0 ? paths : ['/']).flatMap((path) => readRequest(`GET ${path}`) ?? []);
  }
  if (handler.kind !== 'middleware') return [];
  const routes = facts.handlers.routeSites.flatMap(({ route }) => (route === undefined ? [] : requestsOfRoute(route, value)));
  return routes.length > 0 ? routes : [{ method: 'GET', path: '/' }];
}

/** `GET /users/:id, /people/:id` → `GET /users/1`, `GET /people/1`. */
export function requestsOfRoute(route: string, value = VALUE): ProgramRequest[] {
  const [, verb, paths] = /^(\S+)\s+(\S.*)$/.exec(route) ?? [];
  if (verb === undefined || paths === undefined) return [];
  // An action of Remix answers all methods but GET.
  const method = ANY_METHOD.has(verb.toUpperCase()) ? 'GET' : verb === 'ACTION' ? 'POST' : verb.toUpperCase();
  return paths.split(', ').flatMap((path) => {
    const filled = fillPath(path, value);
    return filled === undefined ? [] : (readRequest(`${method} ${filled}`) ?? []);
  });
}

const VALUE = '1';
/** The number of the request, where each is to have another value. */
export const VARIED = '{n}';
/** Takes its place while braces mean something else. */
const VARIED_WORD = 'nodometer-n';
const MOST_NAMES = 8;
const QUERY_READS = [/\bquery(?:\?\.|\.|\[['"])([A-Za-z_]\w{0,40})/g, /\bsearchParams\.get\(['"]([A-Za-z_][\w-]{0,40})['"]\)/g];
const BODY_READS = [/\bbody(?:\?\.|\.|\[['"])([A-Za-z_]\w{0,40})/g];
const TAKEN_APART = /\{([\w\s,:=]{1,200})\}\s?=\s?[\w.]{0,40}\b(query|body)\b/g;

/** A made-up request with a value for each name that the code reads from its query or its body. */
export function withReadNames(request: ProgramRequest, facts: Facts, fn: FunctionNode): ProgramRequest {
  const code = facts.source.slice(fn);
  const named = (patterns: readonly RegExp[], part: string): string[] => {
    const direct = patterns.flatMap((pattern) => [...code.matchAll(pattern)].map(([, name = '']) => name));
    const apart = [...code.matchAll(TAKEN_APART)].flatMap(([, names = '', from]) =>
      from === part ? names.split(',').flatMap((one) => /^\s*([A-Za-z_]\w*)/.exec(one)?.[1] ?? []) : [],
    );
    return [...new Set([...direct, ...apart])].filter((name) => !/^(?:length|toString|on|pipe)$/.test(name)).slice(0, MOST_NAMES);
  };
  const query = named(QUERY_READS, 'query').map((name) => `${name}=${VARIED}`);
  const body = named(BODY_READS, 'body').map((name) => [name, VARIED] as const);
  return {
    ...request,
    path: query.length === 0 ? request.path : `${request.path}${request.path.includes('?') ? '&' : '?'}${query.join('&')}`,
    ...(request.body === '{}' && body.length > 0 ? { body: JSON.stringify(Object.fromEntries(body)) } : {}),
  };
}

/** A path that the pattern takes; undefined for regular expressions, which only say what they refuse. */
export function fillPath(pattern: string, made = VALUE): string | undefined {
  const value = made === VARIED ? VARIED_WORD : made;
  const filled = pattern
    // Parameters of Express, Koa, Fastify, with a pattern of their own or without: `:id`, `:id(\\d+)`, `:id?`.
    .replace(/:[A-Za-z_]\w*(?:\([^()]*\))?[?*+]?/g, value)
    // Those of hapi: `{id}`, `{path*}`, `{parts*2}`.
    .replace(/\{\w+(?:\?|\*\d*)?\}/g, value)
    .replace(/\(\.\*\)|\*+\w*/g, value)
    // Optional parts of Express 5: `/users{/:id}`.
    .replace(/[{}]/g, '')
    .replace(/\?/g, '');
  if (/[\\^$()[\]|+]/.test(filled)) return undefined;
  return encodeURI(filled.startsWith('/') ? filled : `/${filled}`).replaceAll(VARIED_WORD, VARIED);
}

/** `request.url === '/list'`, `switch (pathname) { case '/list': … }`. */
function comparedPaths(fn: FunctionNode): string[] {
  const paths = new Set<string>();
  const note = (one: Node, other: Node): void => {
    const path = unwrap(one);
    if (path.type === 'StringLiteral' && path.value.startsWith('/') && isAddress(unwrap(other))) paths.add(encodeURI(path.value));
  };
  walkWithin(fn, (node) => {
    if (node.type === 'BinaryExpression' && (node.operator === '===' || node.operator === '==')) {
      note(node.left, node.right);
      note(node.right, node.left);
    } else if (node.type === 'SwitchStatement') for (const { test } of node.cases) if (test) note(test, node.discriminant);
  });
  return [...paths];
}

function isAddress(node: Node): boolean {
  const name = node.type === 'Identifier' ? node.name : isMember(node) ? memberName(node) : undefined;
  return name === 'url' || name === 'pathname' || name === 'path';
}

/** Whether running a unit may run the function: it is called on the way, or made by something that is. */
function leadsTo(facts: Facts, from: Unit, fn: FunctionNode): boolean {
  const around = new Set<Unit>();
  for (let at: Node | undefined = fn; at; at = parentOf(at)) if (isFunction(at)) around.add(at);
  return someReached(facts, from, (unit) => around.has(unit));
}

function someReached({ calls }: Facts, from: Unit, test: (unit: Unit) => boolean): boolean {
  const seen = new Set<Unit>([from]);
  for (const unit of seen) {
    if (test(unit)) return true;
    for (const { target } of calls.edgesFrom(unit)) seen.add(target);
  }
  return false;
}

/** Whether loading the file starts a server: its top level, or what that calls, calls `listen`, or `start` of hapi. */
export function startsServer(facts: Facts): boolean {
  // A server of hapi is started by `server.start()`.
  const isOfHapi = HAPI.test(facts.source.text);
  return someReached(facts, facts.module.program, (unit) =>
    facts.calls.callsIn(unit).some(({ callee }) => {
      const name = unwrap(callee as Node);
      return isMember(name) && (memberName(name) === 'listen' || (isOfHapi && memberName(name) === 'start'));
    }),
  );
}

const HAPI = /['"]@hapi\/hapi['"]/;
