// The request that a route is put under load with: what the user typed, and for the rest what a comment at the handler or an OpenAPI file
// says.
import { relative } from 'node:path';
import type { Facts } from '../../analysis/facts/index.ts';
import {
  filledFrom,
  matchPath,
  parametersOf,
  patternOf,
  splitQuery,
  withPlainParameters,
  type PathPattern,
} from '../../analysis/openapi/path-pattern.ts';
import { requestOfOperation } from '../../analysis/openapi/request.ts';
import { isHeader, type TypedRequest } from '../../analysis/openapi/typed-request.ts';
import { functionsIn } from '../../analysis/profile/functions.ts';
import { ANY_METHOD, partsInComments, readRequestParts, requestOfParts, type RequestParts } from '../../analysis/profile/requests.ts';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { LoadReport, RequestOrigin, RequestSource } from '../../protocol/load.ts';
import type { Limited } from '../time-limit.ts';
import { openApiFilesIn, readOpenApiFile } from './openapi-files.ts';

/** A route with the functions that answer it. */
export interface HandledRoute {
  /** `GET /users/:id`. */
  route: string;
  /** Of the program's own package. */
  isOwn: boolean;
  handlers: readonly { file: string; start: number }[];
}

export interface LoadRequestSearch {
  typed: TypedRequest;
  /** Of the program: where its OpenAPI file may be, the nearest first. Absolute. */
  folders: readonly string[];
  /** Absolute path of the OpenAPI file that the user named. It goes before comments. */
  openApi?: string;
  cwd: string;
  /** Those of the project; asked only where they matter. */
  routes(): Promise<readonly HandledRoute[]>;
  /** Undefined where the file cannot be read or parsed. */
  factsOf(file: string): Facts | undefined;
  /** For reading files, where the thread has others to answer. */
  limited?: Limited;
}

export type LoadRequestOutcome = ({ ok: true; request: ProgramRequest } & RequestOrigin) | { ok: false; why: string };

/** @param body for a request that has none of its own */
export function typedRequestOf({ method, path, headers, body: own }: RequestParts, body?: string): TypedRequest {
  const text = own ?? body;
  return { method, ...splitQuery(path), headers, ...(text !== undefined && { body: text }) };
}

/** Of a route of the project, as if somebody had typed it; undefined where its path cannot be said. */
export function typedRoute(route: string): TypedRequest | undefined {
  const [, verb = '', paths = ''] = /^(\S+)\s+(\S.*)$/.exec(route) ?? [];
  const [path = ''] = paths.split(', ');
  const method = ANY_METHOD.has(verb.toUpperCase()) ? 'GET' : verb.toUpperCase();
  const read = readRequestParts(`${method} ${withPlainParameters(path)}`);
  return read && { method, path: read.path, headers: {} };
}

export function sentRequestOf({ method, path, query, headers, body }: TypedRequest): ProgramRequest {
  return requestOfParts({
    method,
    path: query === undefined ? path : `${path}?${query}`,
    headers,
    ...(body !== undefined && { body }),
  });
}

/** What had to be known of the request stands before what was found out. */
export function withOrigin(report: LoadReport, { source, notes }: RequestOrigin): LoadReport {
  return { ...report, ...(source && { source }), problems: [...notes, ...report.problems] };
}

interface Completed {
  request: TypedRequest;
  source: RequestSource;
  notes: readonly string[];
}

/** What is typed stays as it is, part by part. The first that knows the route gives all of the rest. */
export async function loadRequestOf(search: LoadRequestSearch): Promise<LoadRequestOutcome> {
  const { typed, openApi, cwd, limited = atLeisure } = search;
  const notes: string[] = [];
  let completed: Completed | undefined;
  if (openApi !== undefined) {
    const read = readOpenApiFile(openApi, relative(cwd, openApi) || openApi);
    if (!read.ok) return read;
    completed = fromOpenApi(typed, read.file, read.document);
    if (!completed) notes.push(`\`${relative(cwd, openApi) || openApi}\` has no operation \`${typed.method} ${typed.path}\`.`);
  }
  completed ??= await fromComments(search);
  if (!completed && openApi === undefined) {
    for (const file of openApiFilesIn(search.folders)) {
      const shown = relative(cwd, file) || file;
      const slow = { ok: false, why: `\`${shown}\` takes too long to read.` } as const;
      const read = limited<{ ok: true; completed?: Completed } | { ok: false; why: string }>(slow, () => {
        const one = readOpenApiFile(file, shown);
        return one.ok ? { ok: true, completed: fromOpenApi(typed, one.file, one.document) } : one;
      });
      if (!read.ok) notes.push(read.why);
      else completed = read.completed;
      if (completed) break;
    }
  }
  const request = completed?.request ?? typed;
  const open = parametersOf(patternOf(request.path, 'typed'));
  if (open.length > 0) return { ok: false, why: whyOpen(request, open, notes) };
  return {
    ok: true,
    request: sentRequestOf(request),
    ...(completed && completed.source.parts.length > 0 && { source: completed.source }),
    notes: [...notes, ...(completed?.notes ?? [])],
  };
}

const NOT_SENDABLE = 'A header of the comment at the handler was left out: HTTP does not allow its name or a character of its value.';

const atLeisure: Limited = (_, work) => work();

function whyOpen({ method, path }: TypedRequest, open: readonly string[], notes: readonly string[]): string {
  const example = sentRequestOf({ method, path: path.replace(/(?<![\w}]):[A-Za-z_]\w*[?*+]?|\{(?!n\})[^{}]+\}/g, '1'), headers: {} }).path;
  const names = open.map((name) => `\`${name}\``).join(', ');
  return [
    ...notes,
    `\`${method} ${path}\` has ${open.length === 1 ? 'a parameter' : 'parameters'} without a value: ${names}.`,
    `Specify a path with values (\`--route "${method} ${example}"\`), add a comment above the handler (\`/** @profile ${method} ${example} */\`), or add an \`example\` to an OpenAPI file of the project.`,
  ].join(' ');
}

function fromOpenApi(typed: TypedRequest, file: string, document: Parameters<typeof requestOfOperation>[0]): Completed | undefined {
  const found = requestOfOperation(document, typed);
  if (!found) return undefined;
  const { request, operation, parts, madeUp, hasHosts, notes } = found;
  return { request, source: { kind: 'openapi', file, operation, parts, madeUp, hasHosts }, notes };
}

async function fromComments({ typed, routes, factsOf }: LoadRequestSearch): Promise<Completed | undefined> {
  const pattern = patternOf(typed.path, 'typed');
  for (const { known, handlers } of matchingRoutes(typed.method, pattern, await routes())) {
    for (const { file, start } of handlers) {
      const facts = factsOf(file);
      const handler = facts && functionsIn(facts).find(({ span }) => span.start === start);
      for (const { parts, line } of handler ? partsInComments(facts, handler.fn) : []) {
        const told = typedRequestOf(parts);
        const path = told.method === typed.method && matchPath(patternOf(told.path, 'typed'), known) && filledFrom(pattern, told.path);
        if (path === false || path === undefined) continue;
        const headers = Object.entries(told.headers);
        const sendable = headers.filter(([name, value]) => isHeader(name, value));
        const { request, taken } = completedBy(typed, { ...told, headers: Object.fromEntries(sendable) }, path);
        const source = { kind: 'comment', file, line, parts: taken, madeUp: [], hasHosts: false } as const;
        return { request, source, notes: sendable.length < headers.length ? [NOT_SENDABLE] : [] };
      }
    }
  }
  return undefined;
}

/** Those with most text in common first: `/users/me` before `/users/:id`. Other programs of a repository may have a route of the same name. */
function matchingRoutes(
  method: string,
  pattern: PathPattern,
  routes: readonly HandledRoute[],
): { known: PathPattern; handlers: HandledRoute['handlers'] }[] {
  const matching = routes
    .flatMap(({ route, isOwn, handlers }) => {
      const [, verb = '', paths = ''] = /^(\S+)\s+(\S.*)$/.exec(route) ?? [];
      if (verb.toUpperCase() !== method && !ANY_METHOD.has(verb.toUpperCase())) return [];
      return paths.split(', ').flatMap((path) => {
        const known = patternOf(path, 'known');
        const match = matchPath(pattern, known);
        return match ? [{ known, isOwn, handlers, text: match.text }] : [];
      });
    })
    .sort((a, b) => b.text - a.text);
  const own = matching.filter(({ isOwn }) => isOwn);
  return own.length > 0 ? own : matching;
}

function completedBy(typed: TypedRequest, told: TypedRequest, path: string): { request: TypedRequest; taken: string[] } {
  const query = typed.query ?? told.query;
  const body = typed.body ?? told.body;
  const headers = Object.keys(told.headers).filter((name) => !Object.hasOwn(typed.headers, name));
  return {
    request: {
      method: typed.method,
      path,
      ...(query !== undefined && { query }),
      headers: { ...told.headers, ...typed.headers },
      ...(body !== undefined && { body }),
    },
    taken: [
      ...(path === typed.path ? [] : ['path']),
      ...(typed.query === undefined && told.query !== undefined ? ['query'] : []),
      ...headers.map((name) => `header ${name}`),
      ...(typed.body === undefined && told.body !== undefined ? ['body'] : []),
    ],
  };
}
