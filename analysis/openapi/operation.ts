// Which operation of an OpenAPI file a request asks for.
import { get, isObject, listIn, resolved, type Json, type OpenApiDocument } from './document.ts';
import { matchPath, patternOf, type PathMatch, type PathPattern } from './path-pattern.ts';

export interface Operation {
  /** `GET /users/{id}`, as the file has it. */
  title: string;
  operation: Json;
  /** Its own, and those of its path. */
  parameters: readonly Json[];
  match: PathMatch;
  /** The file names hosts, which are never asked. */
  hasHosts: boolean;
}

/** @param pattern the path as it was typed, with the base path of the file's servers or without it */
export function findOperation(document: OpenApiDocument, method: string, pattern: PathPattern): Operation | undefined {
  const paths = get(document.root, 'paths');
  const typed = withoutLastSlash(pattern);
  const search = new BaseSearch(document, typed);
  let best: { template: string; item: Json; operation: Json; slash: number; match: PathMatch; hasHost: boolean } | undefined;
  for (const [template, reference] of isObject(paths) ? Object.entries(paths) : []) {
    if (!template.startsWith('/')) continue;
    const item = resolved(document, reference);
    const operation = resolved(document, get(item, method.toLowerCase()));
    if (!isObject(item) || !isObject(operation)) continue;
    const known = withoutLastSlash(patternOf(template, 'template'));
    const slash = hasLastSlash(pattern) === template.endsWith('/') ? 1 : 0;
    const { bases, hasHost } = search.basesOf(item, operation);
    for (const { depth, match: base } of bases) {
      const rest = matchPath(restOf(typed, depth), known);
      if (!rest) continue;
      const text = base.text + rest.text;
      // `/users` and `/users/` may both be there.
      if (best && (best.match.text > text || (best.match.text === text && best.slash >= slash))) continue;
      best = { template, item, operation, slash, match: { text, names: [...base.names, ...rest.names] }, hasHost };
    }
  }
  if (!best) return undefined;
  const { template, item, operation, match, hasHost } = best;
  const hasHosts = hasHost || typeof get(document.root, 'host') === 'string';
  return { title: `${method} ${template}`, operation, parameters: parametersOf(document, item, operation), match, hasHosts };
}

/** Base paths that the typed path begins with. */
interface Bases {
  bases: readonly { /** In segments. */ depth: number; match: PathMatch }[];
  hasHost: boolean;
}

/** Of a list of servers: a file has one for all its operations, or the same few ones. */
class BaseSearch {
  readonly #document: OpenApiDocument;
  readonly #pattern: PathPattern;
  readonly #found = new Map<unknown, Bases>();

  constructor(document: OpenApiDocument, pattern: PathPattern) {
    this.#document = document;
    this.#pattern = pattern;
  }

  basesOf(item: Json, operation: Json): Bases {
    const { root, isSwagger } = this.#document;
    const list = isSwagger ? root : [operation, item, root].map((holder) => get(holder, 'servers')).find(isFilled);
    const known = this.#found.get(list);
    if (known) return known;
    const servers = isSwagger ? swaggerServers(root) : isFilled(list) ? serversIn(list) : [];
    // Two bases of as many segments leave the same rest.
    const byDepth = new Map<number, PathMatch>([[0, { text: 0, names: [] }]]);
    for (const { base } of servers) {
      const pattern = base === undefined || base === '/' ? undefined : patternOf(base, 'template');
      const depth = pattern?.segments.length ?? 0;
      const match = pattern && matchPath({ segments: this.#pattern.segments.slice(0, depth), isLastOptional: false }, pattern);
      if (match && (byDepth.get(depth)?.text ?? -1) < match.text) byDepth.set(depth, match);
    }
    const bases = [...byDepth].map(([depth, match]) => ({ depth, match }));
    const found = { bases, hasHost: servers.some(({ hasHost }) => hasHost) };
    this.#found.set(list, found);
    return found;
  }
}

function restOf({ segments }: PathPattern, depth: number): PathPattern {
  return { segments: segments.slice(depth), isLastOptional: false };
}

function hasLastSlash({ segments }: PathPattern): boolean {
  const last = segments.at(-1);
  return last?.length === 1 && last[0] === '';
}

/** `/users/` as `/users`, and `/` as no segment at all. */
function withoutLastSlash(pattern: PathPattern): PathPattern {
  return hasLastSlash(pattern) ? { ...pattern, segments: pattern.segments.slice(0, -1) } : pattern;
}

function isFilled(list: unknown): list is readonly unknown[] {
  return Array.isArray(list) && list.length > 0;
}

/** An operation's own parameter hides that of its path with the same name. */
function parametersOf(document: OpenApiDocument, item: Json, operation: Json): Json[] {
  const byPlace = new Map<string, Json>();
  for (const reference of [...listIn(item, 'parameters'), ...listIn(operation, 'parameters')]) {
    const parameter = resolved(document, reference);
    if (isObject(parameter)) byPlace.set(`${String(get(parameter, 'in'))} ${String(get(parameter, 'name'))}`, parameter);
  }
  return [...byPlace.values()];
}

interface Server {
  /** `/v1`; undefined where it has none. */
  base?: string;
  hasHost: boolean;
}

const HOST = /^(?:[A-Za-z][\w+.-]{0,20}:)?\/\/[^/?#]*/;
/** Longer ones are no addresses. */
const LONGEST_ADDRESS = 2000;

/** More of them are none that people have listed. Our choice. */
const MOST_SERVERS = 1000;
/** In characters. */
const LONGEST_VARIABLE = 200;

function swaggerServers(root: Json): Server[] {
  const base = get(root, 'basePath');
  return typeof base === 'string' && base.startsWith('/') ? [{ base: withoutSlash(base), hasHost: false }] : [];
}

function serversIn(list: readonly unknown[]): Server[] {
  return list.slice(0, MOST_SERVERS).flatMap((server): Server[] => {
    const url = get(server, 'url');
    if (typeof url !== 'string') return [];
    const variables = get(server, 'variables');
    const filled = url
      .slice(0, LONGEST_ADDRESS)
      .replace(/\{([^{}]{1,100})\}/g, (_, name: string) => String(get(get(variables, name), 'default') ?? '').slice(0, LONGEST_VARIABLE))
      .slice(0, LONGEST_ADDRESS);
    const path = withoutSlash(filled.replace(HOST, '').split(/[?#]/)[0] ?? '');
    return [{ ...(path.startsWith('/') && { base: path }), hasHost: HOST.test(filled) }];
  });
}

/** `/users/` is `/users`, and `/` stays. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
