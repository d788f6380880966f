// An OpenAPI 3 or Swagger 2 file as plain values. Nothing in it is trusted: references stay within the file, and each walk has a limit.
import { nestingOf } from '../deployment/json-tree.ts';
import { plainYaml } from './plain-yaml.ts';

export type Json = Readonly<Record<string, unknown>>;

export interface OpenApiDocument {
  root: Json;
  /** Swagger 2 has other places for bodies, types, and the base path. */
  isSwagger: boolean;
  /** Since OpenAPI 3.1, what stands beside the reference of a schema counts. */
  hasSiblings: boolean;
  /** What references stand for, by their texts: thousands may be the same long one. */
  pointed: Map<string, unknown>;
}

/** `why` continues a sentence that begins with the file's name. */
export type OpenApiReading = { ok: true; document: OpenApiDocument } | { ok: false; why: string };

// The YAML parser takes seconds for a thousand levels.
const DEEPEST_BRACKETS = 200;
const WIDEST_INDENT = /^[ \t]{400}/m;
/** `- - - - x`: levels on one line. */
const DEEPEST_LINE = /^[ \t]*(?:[-?:] ){50}/m;

/** @param name the file's name: its ending says JSON or YAML */
export function readOpenApi(name: string, text: string): OpenApiReading {
  const plain = text.replace(/^\uFEFF/, '');
  const reading = /\.json$/i.test(name) ? readJson(plain) : readYaml(plain);
  if (!reading.ok) return reading;
  const root = reading.value;
  if (!isObject(root)) return { ok: false, why: 'is not an OpenAPI file: it holds no object' };
  const isSwagger = typeof root.swagger === 'string' || typeof root.swagger === 'number';
  const version = String((isSwagger ? root.swagger : root.openapi) ?? '');
  if (!(isSwagger ? /^2(?:\.|$)/ : /^3(?:\.|$)/).test(version))
    return {
      ok: false,
      why:
        version === ''
          ? 'is not an OpenAPI file: it has neither `openapi` nor `swagger`'
          : `has version ${version.slice(0, 20)}, but only OpenAPI 3 and Swagger 2 are read`,
    };
  return { ok: true, document: { root, isSwagger, hasSiblings: !isSwagger && !/^3(?:\.0|$)/.test(version), pointed: new Map() } };
}

type Reading = { ok: true; value: unknown } | { ok: false; why: string };

function readJson(text: string): Reading {
  try {
    return { ok: true, value: JSON.parse(text) };
  } catch (error) {
    const [, position] = /position (\d{1,12})/.exec(error instanceof Error ? error.message : '') ?? [];
    return { ok: false, why: `is not valid JSON${position === undefined ? '' : ` (line ${lineAt(text, Number(position))})`}` };
  }
}

function lineAt(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length;
}

function readYaml(text: string): Reading {
  if (WIDEST_INDENT.test(text) || DEEPEST_LINE.test(text) || nestingOf(text) > DEEPEST_BRACKETS)
    return { ok: false, why: 'is nested too deeply' };
  return plainYaml(text);
}

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const MOST_SHOWN = 80;

/** A name from the file, for sentences: nothing in it ends a code span, or makes a link. */
export function shownName(name: string): string {
  return name.slice(0, MOST_SHOWN).replace(/[^\p{L}\p{N} .:,_@+~/{}[\]*-]/gu, '·');
}

/** A property of its own. */
export function get(value: unknown, name: string): unknown {
  return isObject(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

export function listIn(value: unknown, name: string): readonly unknown[] {
  const list = get(value, name);
  return Array.isArray(list) ? list : [];
}

/** A reference may name one that names another. A few steps are enough. */
const MOST_STEPS = 20;

/** What a value, or the reference in its place, stands for; undefined where that is in another file, or nowhere. */
export function resolved({ root, pointed }: OpenApiDocument, value: unknown): unknown {
  let at = value;
  for (let step = 0; step < MOST_STEPS; step += 1) {
    const reference = get(at, '$ref');
    if (typeof reference !== 'string') return at;
    if (!reference.startsWith('#')) return undefined;
    if (!pointed.has(reference)) pointed.set(reference, pointedAt(root, reference.slice(1)));
    at = pointed.get(reference);
  }
  return undefined;
}

function pointedAt(root: unknown, pointer: string): unknown {
  let at = root;
  for (const part of pointer.split('/').slice(1)) {
    const name = decoded(part).replaceAll('~1', '/').replaceAll('~0', '~');
    at = Array.isArray(at) ? at[Number(name)] : get(at, name);
  }
  return at;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that encodes nothing stands for itself.
    return text;
  }
}

/** Half a surrogate pair has no encoding. */
export function isUnicode(text: string): boolean {
  return !/\p{Cs}/u.test(text);
}

const MOST_NODES = 20_000;
const DEEPEST_VALUE = 64;
/** In characters. */
const LONGEST_JSON = 1024 * 1024;

/** As JSON; undefined for what would be too large: aliases and references let a short file stand for a long text. */
export function jsonOf(value: unknown): string | undefined {
  let left = MOST_NODES;
  let characters = 0;
  const fits = (one: unknown, depth: number): boolean => {
    left -= 1;
    if (typeof one === 'string') characters += one.length;
    if (left < 0 || depth > DEEPEST_VALUE || characters > LONGEST_JSON) return false;
    if (Array.isArray(one)) return one.every((item) => fits(item, depth + 1));
    return !isObject(one) || Object.entries(one).every(([name, item]) => fits(name, depth) && fits(item, depth + 1));
  };
  return fits(value, 0) ? JSON.stringify(value) : undefined;
}
