// The calls and requests of a profile with longer lists and texts: what a run needs to tell how the time grows.
import { parseExpression, type ParserPlugin } from '@babel/parser';
import type { AttackText } from '../../protocol/attack.ts';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import { endOf, startOf, unwrap, type Node } from '../module/ast.ts';
import type { ScaledText } from './scaled-texts.ts';

const NEVER_LISTS: ReadonlySet<string> = new Set([
  'NumericLiteral',
  'StringLiteral',
  'BooleanLiteral',
  'NullLiteral',
  'BigIntLiteral',
  'TemplateLiteral',
  'RegExpLiteral',
  'FunctionExpression',
  'ArrowFunctionExpression',
  'ClassExpression',
  'SpreadElement',
]);

/** How deep in objects lists are looked for, and how deep elements are made other ones. */
const LIST_DEPTH = 4;
const ELEMENT_DEPTH = 8;
const NEXT_NUMBER = 1_000_000;
/**
 * Values that come so often each, on average, are one of a few: a status, a country. More elements bring no others. Our choice: what comes
 * less often may be a key that some elements share, and has new ones.
 */
const LEAST_REPEATED = 4;

/**
 * A copy of a value whose arrays have so many elements. They are repeated, and each repetition has texts and numbers of its own, the same
 * ones in all arrays: what was found in another list is found again. Where the elements have a few values again and again, they keep to
 * them (\`few\`, by where the value is in the element). Arrays in elements keep their length. With \`ofKeys\`, the value is an
 * object whose keys are the elements.
 */
const GROW = `((value, size, ofKeys) => {
  const isPlain = (one) => typeof one === 'object' && one !== null && Object.getPrototypeOf(one) === Object.prototype;
  const mapped = (one, change) => Object.fromEntries(Object.entries(one).map(([key, part]) => [key, change(part)]));
  const fewOf = (list) => {
    const all = new Map();
    const add = (one, path, depth) => {
      if (depth > ${ELEMENT_DEPTH}) return;
      if (typeof one === 'string' || typeof one === 'number') {
        const known = all.get(path) || { count: 0, values: new Set() };
        known.count += 1;
        known.values.add(one);
        all.set(path, known);
      } else if (Array.isArray(one)) one.forEach((part, i) => add(part, path + '/' + i, depth + 1));
      else if (isPlain(one)) Object.entries(one).forEach(([key, part]) => add(part, path + '/' + key, depth + 1));
    };
    if (list.length < size) list.forEach((one) => add(one, '', 0));
    return new Set([...all].filter(([, { count, values }]) => count >= ${LEAST_REPEATED} * values.size).map(([path]) => path));
  };
  const fresh = (one, round, few, path, depth) =>
    depth > ${ELEMENT_DEPTH} ? one
    : typeof one === 'string' ? (round === 0 || few.has(path) ? one : one + '~' + round)
    : typeof one === 'number' ? (few.has(path) ? one : one + round * ${NEXT_NUMBER})
    : Array.isArray(one) ? one.map((part, i) => fresh(part, round, few, path + '/' + i, depth + 1))
    : isPlain(one)
      ? Object.fromEntries(Object.entries(one).map(([key, part]) => [key, fresh(part, round, few, path + '/' + key, depth + 1)])) : one;
  const repeated = (list, few) => Array.from({ length: size }, (_, i) =>
    fresh(list[i % list.length], Math.floor(i / list.length), few, '', 0));
  const grow = (one, depth) =>
    Array.isArray(one) && one.length > 0
      ? repeated(one, fewOf(one))
      : isPlain(one) && depth < ${LIST_DEPTH} ? mapped(one, (part) => grow(part, depth + 1)) : one;
  const keyed = (entries) => Object.fromEntries(Array.from({ length: size }, (_, i) => {
    const [[key, part], round] = [entries[i % entries.length], Math.floor(i / entries.length)];
    return [round === 0 ? key : key + '~' + round, fresh(part, round, new Set(), '', 0)];
  }));
  return ofKeys && isPlain(value) && Object.keys(value).length > 0 ? keyed(Object.entries(value)) : grow(value, 0);
})`.replaceAll(/\n\s*/g, ' ');

/** A text with so many parts. Those of each repetition differ, as the elements of lists do. */
const SPLIT = `((text, separator, size) => {
  const parts = text.split(separator);
  const isFew = parts.length >= ${LEAST_REPEATED} * new Set(parts).size;
  return Array.from({ length: size }, (_, i) =>
    isFew ? parts[i % parts.length] : i < parts.length ? parts[i] : parts[i % parts.length] + '~' + Math.floor(i / parts.length)).join(separator);
})`.replaceAll(/\n\s*/g, ' ');

/** A copy of a value with another text in one place: what stands on the way is copied, and anything but plain objects is left alone. */
const REPLACE = `((value, keys, change) => {
  const at = (one, i) => {
    if (i === keys.length) return one === undefined || typeof one === 'string' ? change(one) : one;
    if (one !== undefined && (typeof one !== 'object' || one === null || Object.getPrototypeOf(one) !== Object.prototype)) return one;
    const inner = at(one?.[keys[i]], i + 1);
    return inner === undefined ? one : { ...one, [keys[i]]: inner };
  };
  return at(value, 0);
})`.replaceAll(/\n\s*/g, ' ');

/** The change of one text, as source text. */
function changeOf(text: ScaledText, size: number): string {
  return 'separator' in text
    ? `(text) => text === undefined ? text : ${SPLIT}(text, ${JSON.stringify(text.separator)}, ${size})`
    : `() => ${JSON.stringify(attackOfSize(text.attack, Math.min(size, text.most)))}`;
}

/** @param size in characters */
function attackOfSize({ prefix, pump, suffix }: AttackText, size: number): string {
  const room = Math.max(0, size - prefix.length - suffix.length);
  return prefix + pump.repeat(Math.floor(room / Math.max(1, pump.length))) + suffix;
}

/**
 * Undefined where no argument can be a list, or holds one of the texts. @param file for its language @param texts to be lengthened, too
 * @param ofKeys whether objects are lists of keys
 */
export function scaledCalls(
  calls: readonly string[],
  size: number,
  file: string,
  texts: readonly ScaledText[] = [],
  ofKeys = false,
): readonly string[] | undefined {
  const scaled = calls.map((call) => scaledCall(call, size, file, texts, ofKeys));
  return scaled.some((call, i) => call !== calls[i]) ? scaled : undefined;
}

function scaledCall(text: string, size: number, file: string, texts: readonly ScaledText[], ofKeys: boolean): string {
  const root = parsed(text, file);
  const call = root?.type === 'AwaitExpression' ? (root.argument as Node) : root;
  if (call?.type !== 'CallExpression' && call?.type !== 'NewExpression') return text;
  let scaled = '';
  let from = 0;
  for (const [index, argument] of (call.arguments as Node[]).entries()) {
    const value = text.slice(startOf(argument), endOf(argument));
    // What stands behind a spread has another number.
    if (argument.type === 'SpreadElement') break;
    const own = texts.filter(({ at }) => at.from === index);
    const isList = !isOfCharacters(texts) && !NEVER_LISTS.has(unwrap(argument).type);
    if (own.length === 0 && !isList) continue;
    const longer = own.reduce(
      (inner, one) => `${REPLACE}(${inner}, ${JSON.stringify(one.at.keys)}, ${changeOf(one, size)})`,
      isList ? `${GROW}(${value}, ${size}${ofKeys ? ', true' : ''})` : value,
    );
    scaled += text.slice(from, startOf(argument)) + longer;
    from = endOf(argument);
  }
  return scaled + text.slice(from);
}

/**
 * The first of the requests that has a list, or one of the texts, with so many elements; undefined where none has. Lists are those of a
 * body in JSON.
 */
export function scaledRequest(
  requests: readonly ProgramRequest[],
  size: number,
  texts: readonly ScaledText[] = [],
  ofKeys = false,
): ProgramRequest | undefined {
  for (const request of requests) {
    const listed = isOfCharacters(texts) ? request : withLists(request, size, ofKeys);
    const scaled = texts.length > 0 ? withTexts(listed, size, texts) : listed;
    if (scaled.path !== request.path || scaled.body !== request.body) return scaled;
  }
  return undefined;
}

/** Else they are about lists, and lists are longer, too. */
function isOfCharacters(texts: readonly ScaledText[]): boolean {
  return texts.some((text) => 'attack' in text);
}

function withLists(request: ProgramRequest, size: number, ofKeys: boolean): ProgramRequest {
  const body = bodyOf(request);
  if (body && ofKeys && isObject(body.value)) return { ...request, body: JSON.stringify(mapped(body.value, (part) => keyed(part, size))) };
  return body && hasList(body.value, 0) ? { ...request, body: JSON.stringify(grown(body.value, size)) } : request;
}

/** As `GROW` looks for them. */
function hasList(value: unknown, depth: number): boolean {
  if (Array.isArray(value)) return value.length > 0;
  return depth < LIST_DEPTH && isObject(value) && Object.values(value).some((part) => hasList(part, depth + 1));
}

function withTexts(request: ProgramRequest, size: number, texts: readonly ScaledText[]): ProgramRequest {
  let scaled = request;
  for (const one of texts) {
    const change = changed(one, size);
    if (one.at.from === 'query') scaled = withQuery(scaled, one.at.keys[0] ?? '', change);
    const body = one.at.from === 'body' ? bodyOf(scaled) : undefined;
    if (!body) continue;
    scaled = { ...scaled, body: JSON.stringify(replaced(body.value, one.at.keys, change)) };
  }
  return scaled;
}

function withQuery(request: ProgramRequest, name: string, change: ChangeText): ProgramRequest {
  const [path = '', query = ''] = request.path.split('?', 2);
  const parameters = new URLSearchParams(query);
  const text = change(parameters.get(name) ?? undefined);
  if (text === undefined) return request;
  parameters.set(name, text);
  return { ...request, path: `${path}?${parameters.toString()}` };
}

/** Only what is sent as JSON: texts of other types have a form of their own. */
function bodyOf({ body, headers = {} }: ProgramRequest): { value: unknown } | undefined {
  const type = headers['content-type'];
  if (body === undefined || (type !== undefined && !/\bjson\b/i.test(type))) return undefined;
  try {
    return { value: JSON.parse(body) as unknown };
  } catch {
    // The handler gets what the user wrote, and says so.
    return undefined;
  }
}

// The same as the source texts above, for what is sent from here.

function grown(value: unknown, size: number, depth = 0): unknown {
  if (Array.isArray(value) && value.length > 0) return repeated(value, size);
  return isObject(value) && depth < LIST_DEPTH ? mapped(value, (part) => grown(part, size, depth + 1)) : value;
}

function keyed(value: unknown, size: number): unknown {
  const entries = isObject(value) ? Object.entries(value) : [];
  if (entries.length === 0) return value;
  return Object.fromEntries(
    Array.from({ length: size }, (_, i) => {
      const [key, part] = entries[i % entries.length] ?? ['', undefined];
      const round = Math.floor(i / entries.length);
      return [round === 0 ? key : `${key}~${round}`, fresh(part, round, NONE)];
    }),
  );
}

const NONE: ReadonlySet<string> = new Set();

function repeated(list: readonly unknown[], size: number): unknown[] {
  const few = list.length < size ? fewOf(list) : NONE;
  return Array.from({ length: size }, (_, i) => fresh(list[i % list.length], Math.floor(i / list.length), few));
}

/** Where in the elements the same few values come again and again. */
function fewOf(list: readonly unknown[]): ReadonlySet<string> {
  const all = new Map<string, { count: number; values: Set<unknown> }>();
  const add = (value: unknown, path: string, depth: number): void => {
    if (depth > ELEMENT_DEPTH) return;
    if (typeof value === 'string' || typeof value === 'number') {
      const known = all.get(path) ?? { count: 0, values: new Set() };
      known.count += 1;
      known.values.add(value);
      all.set(path, known);
    } else if (Array.isArray(value)) for (const [i, part] of value.entries()) add(part, `${path}/${i}`, depth + 1);
    else if (isObject(value)) for (const [key, part] of Object.entries(value)) add(part, `${path}/${key}`, depth + 1);
  };
  for (const value of list) add(value, '', 0);
  return new Set([...all].filter(([, { count, values }]) => count >= LEAST_REPEATED * values.size).map(([path]) => path));
}

function fresh(value: unknown, round: number, few: ReadonlySet<string>, path = '', depth = 0): unknown {
  if (depth > ELEMENT_DEPTH) return value;
  if (typeof value === 'string') return round === 0 || few.has(path) ? value : `${value}~${round}`;
  if (typeof value === 'number') return few.has(path) ? value : value + round * NEXT_NUMBER;
  if (Array.isArray(value)) return value.map((part, i) => fresh(part, round, few, `${path}/${i}`, depth + 1));
  if (!isObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, fresh(part, round, few, `${path}/${key}`, depth + 1)]));
}

function replaced(value: unknown, keys: readonly string[], change: ChangeText): unknown {
  const [key, ...rest] = keys;
  if (key === undefined) return value === undefined || typeof value === 'string' ? change(value) : value;
  if (value !== undefined && !isObject(value)) return value;
  const inner = replaced(value?.[key], rest, change);
  // There is no text to be split.
  return inner === undefined ? value : { ...value, [key]: inner };
}

type ChangeText = (text: string | undefined) => string | undefined;

function changed(one: ScaledText, size: number): ChangeText {
  if ('attack' in one) return () => attackOfSize(one.attack, Math.min(size, one.most));
  return (text) => {
    const parts = text?.split(one.separator);
    if (!parts) return undefined;
    const isFew = parts.length >= LEAST_REPEATED * new Set(parts).size;
    const partAt = (i: number) =>
      isFew || i < parts.length ? parts[i % parts.length] : `${parts[i % parts.length]}~${Math.floor(i / parts.length)}`;
    return Array.from({ length: size }, (_, i) => partAt(i)).join(one.separator);
  };
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

function mapped(value: Record<string, unknown>, change: (part: unknown) => unknown): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, part]) => [key, change(part)]));
}

function parsed(text: string, file: string): Node | undefined {
  const plugins: ParserPlugin[] = /\.[cm]?tsx?$/i.test(file) ? ['typescript', 'topLevelAwait'] : ['topLevelAwait'];
  try {
    return parseExpression(text, { plugins, sourceType: 'module' }) as Node;
  } catch {
    return undefined;
  }
}
