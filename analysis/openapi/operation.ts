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
  let best: Operation | undefined;
  for (const [template, reference] of isObject(paths) ? Object.entries(paths) : []) {
    if (!template.startsWith('/')) continue;
    const item = resolved(document, reference);
    const operation = resolved(document, get(item, method.toLowerCase()));
    if (!isObject(item) || !isObject(operation)) continue;
    const servers = serversOf(document, item, operation);
    const bases = new Set(['', ...servers.flatMap(({ base }) => base ?? [])]);
    for (const base of bases) {
      const match = matchPath(pattern, patternOf(withoutSlash(base + template), 'known'));
      if (!match || (best && best.match.text >= match.text)) continue;
      const hasHosts = servers.some(({ hasHost }) => hasHost) || typeof get(document.root, 'host') === 'string';
      best = { title: `${method} ${template}`, operation, parameters: parametersOf(document, item, operation), match, hasHosts };
    }
  }
  return best;
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

function serversOf({ root, isSwagger }: OpenApiDocument, item: Json, operation: Json): Server[] {
  if (isSwagger) {
    const base = get(root, 'basePath');
    return typeof base === 'string' && base.startsWith('/') ? [{ base: withoutSlash(base), hasHost: false }] : [];
  }
  const servers = [operation, item, root].map((holder) => listIn(holder, 'servers')).find((list) => list.length > 0) ?? [];
  return servers.flatMap((server): Server[] => {
    const url = get(server, 'url');
    if (typeof url !== 'string') return [];
    const variables = get(server, 'variables');
    const filled = url
      .slice(0, LONGEST_ADDRESS)
      .replace(/\{([^{}]{1,100})\}/g, (_, name: string) => String(get(get(variables, name), 'default') ?? ''));
    const path = withoutSlash(filled.replace(HOST, '').split(/[?#]/)[0] ?? '');
    return [{ ...(path.startsWith('/') && { base: path }), hasHost: HOST.test(filled) }];
  });
}

/** `/users/` is `/users`, and `/` stays. */
function withoutSlash(path: string): string {
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
