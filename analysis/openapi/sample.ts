// A value for a schema: the one that the file gives, or the plainest of its type.
import type { Budget } from './budget.ts';
import { get, isObject, listIn, resolved, type Json, type OpenApiDocument } from './document.ts';

export interface Sample {
  value: unknown;
  /** What only types gave, by its path, such as `items[].count`; empty for the value itself. */
  madeUp: readonly string[];
}

const DEEPEST = 32;
/** Of all schemas that are looked at for one value. */
const MOST_SCHEMAS = 5000;
const MOST_ITEMS = 100;
/** Of an enumeration, or of a list of types, for one that is not null. */
const MOST_LOOKED_AT = 100;
/** Longer ones are no texts that people send. */
const LONGEST_TEXT = 10_000;
/** Of a property's name, in what is made up. */
const LONGEST_SHOWN = 100;
const TEXT = 'string';

/**
 * Texts by format. None of them leads a server that fetches addresses to another machine: RFC 2606 and RFC 5737 reserve the names and the
 * numbers.
 */
const FORMATS: Readonly<Record<string, string>> = {
  byte: 'YQ==',
  date: '2024-01-01',
  'date-time': '2024-01-01T00:00:00Z',
  duration: 'P1D',
  email: 'user@example.com',
  hostname: 'example.com',
  'idn-email': 'user@example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  time: '00:00:00Z',
  uri: 'http://127.0.0.1/',
  url: 'http://127.0.0.1/',
  uuid: '123e4567-e89b-12d3-a456-426614174000',
};

/** @param text what stands for a text of which nothing is known; undefined where no value can be given */
export function sampleOf(document: OpenApiDocument, schema: unknown, budget: Budget, text = TEXT): Sample | undefined {
  const sampler = new Sampler(document, budget, text);
  const value = sampler.value(schema, '', 0);
  return value === NOTHING || sampler.isSpent ? undefined : { value, madeUp: [...sampler.madeUp] };
}

const NOTHING = Symbol('no value');
type Sampled = unknown | typeof NOTHING;

class Sampler {
  readonly madeUp = new Set<string>();
  readonly #document: OpenApiDocument;
  readonly #budget: Budget;
  readonly #text: string;
  /** The schemas around the one that is looked at: one that stands in itself has no end. */
  readonly #around = new Set<unknown>();
  #left = MOST_SCHEMAS;

  constructor(document: OpenApiDocument, budget: Budget, text: string) {
    this.#document = document;
    this.#budget = budget;
    this.#text = text;
  }

  /** Required parts may be missing then. */
  get isSpent(): boolean {
    return this.#left < 0 || !this.#budget.take(0);
  }

  value(reference: unknown, path: string, depth: number): Sampled {
    const schema = resolved(this.#document, reference);
    const beside = this.#document.hasSiblings && isObject(reference) && reference !== schema ? givenIn(reference) : NOTHING;
    this.#left -= 1;
    if (!isObject(schema) || this.#around.has(schema) || depth > DEEPEST || this.isSpent) return NOTHING;
    this.#around.add(schema);
    const given = beside === NOTHING ? givenIn(schema) : beside;
    const value = given === NOTHING ? this.#made(schema, path, depth) : given;
    this.#around.delete(schema);
    return value;
  }

  #made(schema: Json, path: string, depth: number): Sampled {
    const parts = listIn(schema, 'allOf');
    if (!this.#budget.take(parts.length)) return NOTHING;
    if (parts.length > 0) {
      const known = parts.map((part) => resolved(this.#document, part)).filter(isObject);
      return this.#asOne(schema, known, path, depth);
    }
    let mayBeNull = false;
    for (const reference of [...listIn(schema, 'oneOf'), ...listIn(schema, 'anyOf')]) {
      const option = resolved(this.#document, reference);
      if (isObject(option) && typeOf(option) === 'null') {
        mayBeNull = true;
        continue;
      }
      const value = isObject(option) ? this.#asOne(schema, [option], path, depth) : NOTHING;
      if (value !== NOTHING) return this.#budget.take(sizeOfTag(value, schema)) ? tagged(value, schema, reference) : NOTHING;
      if (!this.#budget.take(1)) return NOTHING;
    }
    if (mayBeNull) return this.#noted(path, null);
    switch (typeOf(schema)) {
      case 'object':
        return this.#object(schema, path, depth);
      case 'array':
        return this.#list(schema, path, depth);
      case 'boolean':
        return this.#noted(path, true);
      case 'integer':
      case 'number':
        return this.#noted(path, numberFor(schema, typeOf(schema) === 'integer'));
      case 'null':
        return this.#noted(path, null);
      case 'string': {
        const text = textFor(schema, this.#text);
        return text === undefined ? NOTHING : this.#noted(path, text);
      }
      case undefined:
        return depth === 0 && this.#text === TEXT ? {} : this.#noted(path, this.#text);
      default:
        return NOTHING;
    }
  }

  /** A schema with others merged into it. */
  #asOne(schema: Json, parts: readonly Json[], path: string, depth: number): Sampled {
    // A part of itself has been left out by then.
    if (parts.some((part) => this.#around.has(part))) return NOTHING;
    if (this.isSpent || ![schema, ...parts].every((one) => this.#budget.take(sizeOf(one)))) return NOTHING;
    for (const part of parts) this.#around.add(part);
    const value = this.value(merged(schema, parts), path, depth + 1);
    for (const part of parts) this.#around.delete(part);
    return value;
  }

  #noted(path: string, value: unknown): unknown {
    this.madeUp.add(path);
    return value;
  }

  /** What is required, and what the file has an example of. */
  #object(schema: Json, path: string, depth: number): unknown {
    const properties = get(schema, 'properties');
    const required = new Set(listIn(schema, 'required').filter((name) => typeof name === 'string'));
    const found: [string, unknown][] = [];
    if (!this.#budget.take(sizeOf(schema))) return {};
    const names = new Set([...(isObject(properties) ? Object.keys(properties) : []), ...required]);
    for (const name of names) {
      const reference = get(properties, name) ?? {};
      const property = resolved(this.#document, reference);
      const holders = this.#document.hasSiblings ? [reference, property] : [property];
      if (holders.some((one) => get(one, 'readOnly') === true)) continue;
      const shown = name.slice(0, LONGEST_SHOWN);
      if (!required.has(name) && !holders.some((one) => get(one, 'example') !== undefined || listIn(one, 'examples').length > 0)) continue;
      const value = this.value(reference, path === '' ? shown : `${path}.${shown}`, depth + 1);
      if (value !== NOTHING) found.push([name, value]);
    }
    return Object.fromEntries(found);
  }

  #list(schema: Json, path: string, depth: number): unknown {
    const least = Math.min(Math.max(finite(get(schema, 'minItems')) ?? 1, 1), finite(get(schema, 'maxItems')) ?? MOST_ITEMS, MOST_ITEMS);
    const item = least < 1 ? NOTHING : this.value(get(schema, 'items') ?? {}, `${path}[]`, depth + 1);
    if (item === NOTHING) return [];
    if (least > 1 && get(schema, 'uniqueItems') === true) {
      const items = resolved(this.#document, get(schema, 'items'));
      const listed = listIn(items, 'enum').slice(0, MOST_LOOKED_AT);
      const distinct =
        listed.length > 0 ? [...new Set([item, ...listed])].filter((one) => one !== null) : distinctItems(item, items, least);
      if (listed.length === 0 && distinct.length > 1) this.#noted(`${path}[]`, distinct);
      return distinct.slice(0, least);
    }
    return Array.from({ length: least }, () => item);
  }
}

/** As many as are known to differ. */
function distinctItems(first: unknown, schema: unknown, count: number): unknown[] {
  if (['const', ...COMBINING].some((name) => get(schema, name) !== undefined)) return [first];
  const numbers = Array.from({ length: count - 1 }, (_, i) => i + 1);
  const step = finite(get(schema, 'multipleOf')) ?? 1;
  if (typeof first === 'number') {
    const most = numberOf(schema, 'maximum') ?? Infinity;
    const limit = get(schema, 'exclusiveMaximum');
    const fits = (one: number): boolean => one <= most && !(limit === true && one === most) && !(typeof limit === 'number' && one >= limit);
    return [first, ...numbers.map((i) => first + i * step).filter(fits)];
  }
  const most = finite(get(schema, 'maxLength')) ?? LONGEST_TEXT;
  const isFree = ['format', 'pattern'].every((name) => get(schema, name) === undefined);
  if (typeof first !== 'string' || !isFree) return [first];
  return [first, ...numbers.map((i) => `${first}${i}`).filter((text) => text.length <= most)];
}

/** What the file itself gives as a value. */
function givenIn(schema: Json): Sampled {
  for (const name of ['example', 'x-example']) if (get(schema, name) !== undefined) return get(schema, name);
  const [example] = listIn(schema, 'examples');
  if (example !== undefined) return example;
  for (const name of ['default', 'const']) if (get(schema, name) !== undefined) return get(schema, name);
  const values = listIn(schema, 'enum');
  return values.length === 0 ? NOTHING : (values.slice(0, MOST_LOOKED_AT).find((value) => value !== null) ?? null);
}

const COMBINING = ['allOf', 'oneOf', 'anyOf', '$ref'];

/** All properties of all parts. An example of a part alone is none of the whole. */
function merged(schema: Json, parts: readonly Json[]): Json {
  const own = Object.fromEntries(Object.entries(schema).filter(([name]) => !COMBINING.includes(name)));
  const only = parts.length === 1 && get(own, 'properties') === undefined;
  const others = parts.map((part) =>
    Object.fromEntries(Object.entries(part).filter(([name]) => only || !['example', 'examples', 'default'].includes(name))),
  );
  const all: Json[] = [...others, own];
  const properties = all.flatMap((one) => Object.entries(isObject(get(one, 'properties')) ? (get(one, 'properties') as Json) : {}));
  const required = all.flatMap((one) => listIn(one, 'required'));
  const nested = all.flatMap((one) => listIn(one, 'allOf'));
  return {
    ...Object.fromEntries(all.flatMap((one) => Object.entries(one))),
    ...(properties.length > 0 && { properties: Object.fromEntries(properties) }),
    ...(required.length > 0 && { required }),
    ...(nested.length > 0 && { allOf: nested }),
  };
}

/** In entries. */
function sizeOf(schema: Json): number {
  const properties = get(schema, 'properties');
  const lists = ['required', 'allOf'].map((name) => listIn(schema, name).length);
  return (
    lists.reduce((sum, length) => sum + length, Object.keys(schema).length) + (isObject(properties) ? Object.keys(properties).length : 0)
  );
}

function sizeOfTag(value: unknown, schema: Json): number {
  const discriminator = get(schema, 'discriminator');
  const mapping = get(discriminator, 'mapping');
  if (discriminator === undefined || !isObject(value)) return 0;
  return Object.keys(value).length + (isObject(mapping) ? Object.keys(mapping).length : 0);
}

/** Which of several it is stands in a property. */
function tagged(value: unknown, schema: Json, reference: unknown): unknown {
  const discriminator = get(schema, 'discriminator');
  const name = get(discriminator, 'propertyName');
  const target = get(reference, '$ref');
  if (typeof name !== 'string' || typeof target !== 'string' || !isObject(value)) return value;
  const mapping = get(discriminator, 'mapping');
  const mapped = Object.entries(isObject(mapping) ? mapping : {}).find(([, to]) => to === target)?.[0];
  return Object.fromEntries([...Object.entries(value), [name, mapped ?? target.slice(target.lastIndexOf('/') + 1)]]);
}

export function typeOf(schema: unknown): string | undefined {
  const type = get(schema, 'type');
  const [first] = (Array.isArray(type) ? type.slice(0, MOST_LOOKED_AT) : [type]).filter((one) => one !== 'null');
  if (typeof first === 'string') return first;
  if (type === 'null' || (Array.isArray(type) && type.length > 0)) return 'null';
  if (get(schema, 'properties') !== undefined || get(schema, 'required') !== undefined) return 'object';
  if (get(schema, 'items') !== undefined) return 'array';
  if (['format', 'pattern', 'minLength'].some((name) => get(schema, name) !== undefined)) return 'string';
  return ['minimum', 'maximum', 'multipleOf'].some((name) => get(schema, name) !== undefined) ? 'number' : undefined;
}

function textFor(schema: Json, plain: string): string | undefined {
  const format = get(schema, 'format');
  if (format === 'binary') return undefined;
  const formatted = typeof format === 'string' && Object.hasOwn(FORMATS, format) ? FORMATS[format] : undefined;
  if (formatted !== undefined) return formatted;
  const least = finite(get(schema, 'minLength')) ?? 0;
  if (least > LONGEST_TEXT) return undefined;
  const long = plain.length >= least ? plain : plain.repeat(Math.ceil(least / plain.length)).slice(0, least);
  return long.slice(0, Math.max(finite(get(schema, 'maxLength')) ?? LONGEST_TEXT, 0));
}

/** 1, or what is nearest to it within the limits. */
function numberFor(schema: Json, isWhole: boolean): number {
  const limit = (name: string, exclusive: string, towards: 1 | -1): number | undefined => {
    const bound = finite(get(schema, name));
    const flag = get(schema, exclusive);
    // A flag beside the limit until OpenAPI 3.0, a limit of its own since.
    const open = flag === true ? bound : finite(flag);
    const beyond = open === undefined ? undefined : isWhole ? (towards === 1 ? Math.floor(open) + 1 : Math.ceil(open) - 1) : open + towards;
    const closed = bound === undefined || !isWhole ? bound : towards === 1 ? Math.ceil(bound) : Math.floor(bound);
    const known = [beyond, closed].filter((one) => one !== undefined);
    return known.length === 0 ? undefined : towards === 1 ? Math.max(...known) : Math.min(...known);
  };
  const least = limit('minimum', 'exclusiveMinimum', 1);
  const most = limit('maximum', 'exclusiveMaximum', -1);
  const near = Math.min(Math.max(1, least ?? 1), most ?? Infinity);
  const [low, high] = [numberOf(schema, 'minimum', 'exclusiveMinimum'), numberOf(schema, 'maximum', 'exclusiveMaximum')];
  // Between 0 and 1, for example.
  const isNarrow = !isWhole && least !== undefined && near < least && low !== undefined && high !== undefined;
  const within = isNarrow ? (low + high) / 2 : near;
  const step = finite(get(schema, 'multipleOf'));
  if (step === undefined || step <= 0) return within;
  const fits = (one: number): boolean => Number.isFinite(one) && one >= (least ?? -Infinity) && one <= (most ?? Infinity);
  return [Math.ceil, Math.floor].map((round) => round(within / step) * step).find(fits) ?? within;
}

function numberOf(schema: unknown, ...names: readonly string[]): number | undefined {
  return names.map((name) => finite(get(schema, name))).find((value) => value !== undefined);
}

function finite(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}
