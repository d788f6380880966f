// Paths with parameters, as users type them (`/users/:id`), and as routes and OpenAPI files write them (`/users/{id}`).

/** Text, or a parameter. */
type Piece = string | { name: string };

export interface PathPattern {
  segments: readonly (readonly Piece[])[];
  /** The last segment may be missing: `/users/:id?`. */
  isLastOptional: boolean;
}

/**
 * `typed`: `{n}` is the number of the request, and brackets and stars are text. `known`: of a route. `template`: of an OpenAPI file, where
 * only braces hold parameters.
 */
export type PatternSource = 'typed' | 'known' | 'template';

export interface PathMatch {
  /** Characters of text that both have: more of them say more. */
  text: number;
  /** What the known path calls each parameter of the typed one, in order. */
  names: readonly string[];
}

// `/users/{id}:archive` has one, and a verb.
const TYPED_PARAMETER = /(?<![\w}]):([A-Za-z_]\w*)(?:\([^()]*\)|\{(?!n\}|\W?:)(?:[^{}]|\{[^{}]*\})*\})?[?*+]?|\{(?!n\})([^{}/?]+)\}/g;
const TEMPLATE_PARAMETER = /\{([^{}/]+)\}/g;
// `:id(\\d+)`, `:id{[0-9]+}` (Hono); in `:name{.:ending}` (Express 5), the braces hold an optional part.
const KNOWN_PARAMETER =
  /(?<!\w):([A-Za-z_]\w*)(?:\([^()]*\)|\{(?!\W?:)(?:[^{}]|\{[^{}]*\})*\})?[?*+]?|\{([^{}/]+)\}|\[([^[\]/]+)\]|\*(\w*)/g;
const PARAMETERS: Readonly<Record<PatternSource, RegExp>> = {
  typed: TYPED_PARAMETER,
  known: KNOWN_PARAMETER,
  template: TEMPLATE_PARAMETER,
};
const OPTIONAL = /:[A-Za-z_]\w*(?:\([^()]*\)|\{(?!\W?:)(?:[^{}]|\{[^{}]*\})*\})?$/;
/** Of Express 5: `/users{/:id}`. */
const OPTIONAL_GROUP = /\{\/:([A-Za-z_]\w*)\}$/;
/** Longer ones are no paths of routes. Our choice. */
const MOST_CHARACTERS = 2000;

/** `/users/:id?` is a path, `/users/1?all=1` one with a query. `query`: without its question mark; undefined where there is none. */
export function splitQuery(text: string): { path: string; query?: string } {
  for (let at = text.indexOf('?'); at !== -1; at = text.indexOf('?', at + 1)) {
    const next = text[at + 1];
    const isOfParameter = (next === undefined || next === '/' || next === '?') && OPTIONAL.test(text.slice(0, at));
    if (!isOfParameter) return { path: text.slice(0, at), query: text.slice(at + 1) };
  }
  return { path: text };
}

/** @param text a path without its query */
export function patternOf(text: string, source: PatternSource): PathPattern {
  const path = source === 'known' ? text.replace(OPTIONAL_GROUP, '/:$1?') : text;
  const segments = path
    .slice(0, MOST_CHARACTERS)
    .split('/')
    .slice(1)
    .map((segment) => piecesOf(segment, PARAMETERS[source]));
  return { segments, isLastOptional: source !== 'template' && path.endsWith('?') && OPTIONAL.test(path.slice(0, -1)) };
}

function piecesOf(segment: string, parameter: RegExp): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of segment.matchAll(parameter)) {
    if (match.index > at) pieces.push(segment.slice(at, match.index));
    pieces.push({ name: match.slice(1).find((name) => name !== undefined && name !== '') ?? '*' });
    at = match.index + match[0].length;
  }
  if (at < segment.length || pieces.length === 0) pieces.push(segment.slice(at));
  return pieces;
}

/** In order. */
export function parametersOf({ segments }: PathPattern): string[] {
  return segments.flat().flatMap((piece) => (typeof piece === 'string' ? [] : [piece.name]));
}

/** `/users/:id(\\d+)` and `/files/*` as `/users/{p0}` and `/files/{p0}`: what may be typed. @param path of a route */
export function withPlainParameters(path: string): string {
  let next = 0;
  return patternOf(path, 'known')
    .segments.map((pieces) => `/${pieces.map((piece) => (typeof piece === 'string' ? piece : `{p${next++}}`)).join('')}`)
    .join('');
}

/** With a text for each parameter, in order. They are encoded. */
export function filledWith({ segments }: PathPattern, values: readonly string[]): string {
  let next = 0;
  const textOf = (piece: Piece): string => (typeof piece === 'string' ? piece : encodeURIComponent(values[next++] ?? ''));
  return segments.map((pieces) => `/${pieces.map(textOf).join('')}`).join('');
}

/** With what a path has in the place of each segment that has a parameter; undefined where that one leaves something open, too. */
export function filledFrom({ segments }: PathPattern, path: string): string | undefined {
  const other = patternOf(path, 'typed').segments;
  if (other.length !== segments.length || other.flat().some((piece) => typeof piece !== 'string')) return undefined;
  return segments
    .map((pieces, i) => `/${(pieces.every((piece) => typeof piece === 'string') ? pieces : (other[i] ?? [])).join('')}`)
    .join('');
}

/** Whether the known path answers the typed one. A parameter that is typed stands for one of the known path, and never for its text. */
export function matchPath(typed: PathPattern, known: PathPattern): PathMatch | undefined {
  const isShort = known.isLastOptional && typed.segments.length === known.segments.length - 1;
  if (!isShort && typed.segments.length !== known.segments.length) return undefined;
  let text = 0;
  const names: string[] = [];
  for (const [i, pieces] of typed.segments.entries()) {
    const found = matchSegment(pieces, known.segments[i] ?? []);
    if (!found) return undefined;
    text += found.text;
    names.push(...found.names);
  }
  return { text, names };
}

function matchSegment(typed: readonly Piece[], known: readonly Piece[]): PathMatch | undefined {
  const [only] = typed;
  if (typed.length === 1 && typeof only === 'string') return takes(known, only) ? { text: textOf(known).length, names: [] } : undefined;
  if (typed.length !== known.length) return undefined;
  const names: string[] = [];
  for (const [i, piece] of typed.entries()) {
    const other = known[i];
    if (typeof piece === 'string' ? piece !== other : typeof other !== 'object') return undefined;
    if (typeof piece !== 'string' && typeof other === 'object') names.push(other.name);
  }
  return { text: textOf(known).length, names };
}

function textOf(pieces: readonly Piece[]): string {
  return pieces.map((piece) => (typeof piece === 'string' ? piece : '')).join('');
}

/** Whether `{name}.{ending}` takes `a.txt`: each parameter one character at least. */
function takes(pieces: readonly Piece[], text: string): boolean {
  let at = 0;
  let isOpen = false;
  for (const [i, piece] of pieces.entries()) {
    if (typeof piece !== 'string') {
      isOpen = true;
      continue;
    }
    const isLast = i === pieces.length - 1;
    const found = isLast && isOpen ? text.lastIndexOf(piece) : text.indexOf(piece, isOpen ? at + 1 : at);
    if (found === -1 || (isOpen ? found <= at : found !== at)) return false;
    at = found + piece.length;
    isOpen = false;
  }
  return isOpen ? at < text.length : at === text.length;
}
