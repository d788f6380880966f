// From an operation of an OpenAPI file to a request. What was typed stays; what the file does not require is left out.
import { Budget } from './budget.ts';
import { get, isObject, isUnicode, jsonOf, listIn, resolved, shownName, type Json, type OpenApiDocument } from './document.ts';
import { findOperation, type Operation } from './operation.ts';
import { filledWith, parametersOf, patternOf } from './path-pattern.ts';
import { sampleOf, typeOf } from './sample.ts';
import { securityNotes } from './security.ts';
import { isHeader, type TypedRequest } from './typed-request.ts';

export interface RequestOfOperation {
  request: TypedRequest;
  /** `GET /users/{id}`, as the file has it. */
  operation: string;
  /** What the file gave: `path id`, `query limit`, `header x-key`, `body`. */
  parts: readonly string[];
  /** Those of them, or properties of the body, that were made up from types alone. */
  madeUp: readonly string[];
  /** Parameters of the path without a value. */
  missing: readonly string[];
  hasHosts: boolean;
  /** What the user must know or provide, one sentence each. */
  notes: readonly string[];
}

/** Undefined where no operation of the file answers the request. */
export function requestOfOperation(document: OpenApiDocument, typed: TypedRequest): RequestOfOperation | undefined {
  const operation = findOperation(document, typed.method, patternOf(typed.path, 'typed'));
  return operation && new RequestBuilder(document, typed, operation).build();
}

/** OpenAPI says that parameters of these names are to be ignored. The others belong to the connection. */
const NOT_FROM_FILE: ReadonlySet<string> = new Set([
  'accept',
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'expect',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);
const JSON_TYPE = /^(?:application|text)\/(?:[\w.!#$&^-]{1,100}\+)?json\s*(?:;|$)/i;
const WITH_BODY: ReadonlySet<string> = new Set(['POST', 'PUT', 'PATCH']);
/** For texts in paths: most often they are IDs. As a profile fills paths. */
const ID = '1';
/** Between the items of a list, by the names that Swagger 2 and OpenAPI 3 have for them. */
const SEPARATORS: Readonly<Record<string, string>> = { pipeDelimited: '|', pipes: '|', spaceDelimited: ' ', ssv: ' ', tsv: '\t' };
const MOST_MADE_UP = 12;
/** Of a parameter, in characters: Node takes 16 KB for all headers and the path. */
const LONGEST_VALUE = 8000;
/** Of an object in the query. Our choice. */
const MOST_PAIRS = 100;
/** Of one place. Our choice. */
const MOST_REQUIRED = 100;

interface Value {
  value: unknown;
  madeUp: readonly string[];
}

class RequestBuilder {
  readonly #document: OpenApiDocument;
  readonly #typed: TypedRequest;
  readonly #found: Operation;
  readonly #budget = new Budget();
  readonly #parts: string[] = [];
  readonly #madeUp: string[] = [];
  readonly #notes: string[] = [];

  constructor(document: OpenApiDocument, typed: TypedRequest, found: Operation) {
    this.#document = document;
    this.#typed = typed;
    this.#found = found;
  }

  build(): RequestOfOperation {
    const { method } = this.#typed;
    const { path, missing } = this.#path();
    const query = this.#query();
    const headers = this.#headers();
    const { body, type } = this.#body();
    const request: TypedRequest = {
      method,
      path,
      ...(query !== undefined && { query }),
      headers: { ...headers, ...(type !== undefined && { 'content-type': type }), ...this.#typed.headers },
      ...(body !== undefined && { body }),
    };
    return {
      request,
      operation: shownName(this.#found.title),
      parts: this.#parts.map(shownName),
      madeUp: this.#madeUp.slice(0, MOST_MADE_UP).map(shownName),
      missing,
      hasHosts: this.#found.hasHosts,
      notes: [...this.#notes, ...securityNotes(this.#document, this.#found.operation, request)],
    };
  }

  #path(): { path: string; missing: string[] } {
    const { path } = this.#typed;
    const pattern = patternOf(path, 'typed');
    const { names } = this.#found.match;
    const typedNames = parametersOf(pattern);
    if (typedNames.length === 0) return { path, missing: [] };
    const missing: string[] = [];
    const values = names.map((name, i) => {
      const parameter = this.#found.parameters.find((one) => get(one, 'in') === 'path' && get(one, 'name') === name);
      const value = parameter && this.#valueOf(parameter, ID);
      const text = value && textsOf(value.value)?.join(this.#separatorOf(parameter));
      if (!value || text === undefined || text === '' || !isUnicode(text)) {
        missing.push(typedNames[i] ?? name);
        return '';
      }
      this.#took(`path ${name}`, value.madeUp);
      return text;
    });
    return missing.length > 0 ? { path, missing } : { path: filledWith(pattern, values), missing };
  }

  #query(): string | undefined {
    const { query } = this.#typed;
    if (query !== undefined) return query;
    const pairs = this.#required('query').flatMap((parameter) => {
      const name = nameOf(parameter);
      const value = this.#valueOf(parameter);
      const found = value && this.#pairsOf(name, value.value, parameter);
      if (!value || !found?.flat().every(isUnicode)) {
        this.#notes.push(`The operation requires the query parameter \`${shownName(name)}\`, for which the file has no value.`);
        return [];
      }
      this.#took(`query ${name}`, value.madeUp);
      return found;
    });
    return pairs.length === 0
      ? undefined
      : pairs.map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`).join('&');
  }

  #headers(): Record<string, string> {
    const found: [string, string][] = [];
    const cookies: string[] = [];
    for (const parameter of [...this.#required('header'), ...this.#required('cookie')]) {
      const isCookie = get(parameter, 'in') === 'cookie';
      const name = isCookie ? nameOf(parameter) : nameOf(parameter).toLowerCase();
      const target = isCookie ? 'cookie' : name;
      if (Object.hasOwn(this.#typed.headers, target) || (!isCookie && NOT_FROM_FILE.has(name))) continue;
      const value = this.#valueOf(parameter);
      const text = value && textsOf(value.value)?.join(this.#separatorOf(parameter));
      if (!value || text === undefined || !isHeader(name, text) || (isCookie && !isUnicode(text))) {
        this.#notes.push(
          `The operation requires the ${isCookie ? 'cookie' : 'header'} \`${shownName(name)}\`, for which the file has no value.`,
        );
        continue;
      }
      this.#took(`${isCookie ? 'cookie' : 'header'} ${name}`, value.madeUp);
      if (isCookie) cookies.push(`${name}=${encodeURIComponent(text)}`);
      else found.push([name, text]);
    }
    if (cookies.length > 0) found.push(['cookie', cookies.join('; ')]);
    return Object.fromEntries(found);
  }

  #body(): { body?: string; type?: string } {
    const { body, method, headers } = this.#typed;
    const typedType = headers['content-type'];
    if (body !== undefined) return { body };
    const media = this.#media();
    if (!media || (!WITH_BODY.has(method) && !(method === 'DELETE' && media.isRequired))) return {};
    if (media.schema === undefined || (typedType !== undefined && !JSON_TYPE.test(typedType))) {
      if (media.schema === undefined)
        this.#notes.push(
          `The operation takes a body of the type \`${shownName(media.type)}\`, which only you can provide, with its \`content-type\`.`,
        );
      return {};
    }
    const value = this.#valueOf(media.schema);
    const isText = typeOf(resolved(this.#document, get(media.schema, 'schema'))) === 'string';
    const text = value && jsonOf(isText ? value.value : asParsed(value.value));
    if (!value || text === undefined) {
      this.#notes.push('The operation takes a body for which the file has no value of a usable size.');
      return {};
    }
    this.#took(
      'body',
      value.madeUp.map((path) => (path === '' || path.startsWith('[') ? `body${path}` : `body.${path}`)),
    );
    return { body: text, ...(/^application\/json$/i.test(media.type) || typedType !== undefined ? {} : { type: media.type }) };
  }

  /** How the operation takes its body: as JSON where it can. `schema`: what has the example or the schema; undefined for other types. */
  #media(): { type: string; schema?: Json; isRequired: boolean } | undefined {
    const { operation, parameters } = this.#found;
    if (this.#document.isSwagger) {
      const types = [listIn(operation, 'consumes'), listIn(this.#document.root, 'consumes')].find((list) => list.length > 0);
      const json = types === undefined ? 'application/json' : types.find(isJsonType);
      const parameter = parameters.find((one) => get(one, 'in') === 'body');
      const form = parameters.some((one) => get(one, 'in') === 'formData');
      if (!parameter && !form) return undefined;
      const isRequired = get(parameter, 'required') === true;
      if (parameter && typeof json === 'string') return { type: json, schema: parameter, isRequired };
      return { type: form ? 'multipart/form-data' : String(types?.[0]), isRequired };
    }
    const body = resolved(this.#document, get(operation, 'requestBody'));
    const content = get(body, 'content');
    const types = isObject(content) ? Object.keys(content) : [];
    const isRequired = get(body, 'required') === true;
    const json = types.find(isJsonType) ?? types.find((type) => type === '*/*');
    if (json === undefined) return types[0] === undefined ? undefined : { type: types[0], isRequired };
    const schema = get(content, json);
    return { type: json === '*/*' ? 'application/json' : json, schema: isObject(schema) ? schema : {}, isRequired };
  }

  #required(place: string): Json[] {
    return this.#found.parameters
      .filter((one) => get(one, 'in') === place && get(one, 'required') === true && typeof get(one, 'name') === 'string')
      .slice(0, MOST_REQUIRED);
  }

  /** Of a parameter, or of what a body is made of. */
  #valueOf(holder: Json, text?: string): Value | undefined {
    for (const name of ['example', 'x-example']) if (get(holder, name) !== undefined) return { value: get(holder, name), madeUp: [] };
    const examples = get(holder, 'examples');
    for (const reference of isObject(examples) ? Object.values(examples) : []) {
      const value = get(resolved(this.#document, reference), 'value');
      if (value !== undefined) return { value, madeUp: [] };
    }
    const content = get(holder, 'content');
    if (isObject(content) && get(holder, 'schema') === undefined) {
      const [media] = Object.values(content);
      const value = isObject(media) ? this.#valueOf(media) : undefined;
      return value && { ...value, value: jsonOf(value.value) };
    }
    // Until Swagger 2, the type stands in the parameter itself.
    const isOwnType = this.#document.isSwagger && get(holder, 'schema') === undefined;
    const schema = get(holder, 'schema');
    return isOwnType || schema !== undefined ? sampleOf(this.#document, isOwnType ? holder : schema, this.#budget, text) : undefined;
  }

  /** As the file wants lists and objects in a query: by default, the name once for each item. */
  #pairsOf(name: string, value: unknown, parameter: Json): [string, string][] | undefined {
    if (isObject(value)) {
      const isDeep = get(parameter, 'style') === 'deepObject';
      const entries = Object.entries(value)
        .slice(0, MOST_PAIRS)
        .filter((entry): entry is [string, string | number | boolean] => isPlain(entry[1]));
      const pairs = entries.map(([key, one]): [string, string] => [isDeep ? `${name}[${key}]` : key, String(one)]);
      return pairs.reduce((sum, [key, text]) => sum + key.length + text.length, 0) > LONGEST_VALUE ? undefined : pairs;
    }
    const texts = textsOf(value);
    if (!texts) return undefined;
    if (this.#isRepeated(parameter)) return texts.map((text) => [name, text]);
    return [[name, texts.join(this.#separatorOf(parameter))]];
  }

  /** A list as its name once for each item. Swagger 2 has commas unless it says otherwise. */
  #isRepeated(parameter: Json): boolean {
    if (this.#document.isSwagger) return get(parameter, 'collectionFormat') === 'multi';
    return (
      get(parameter, 'explode') === true ||
      (get(parameter, 'explode') !== false && !Object.hasOwn(SEPARATORS, String(get(parameter, 'style'))))
    );
  }

  #separatorOf(parameter: Json): string {
    const format = String(get(parameter, this.#document.isSwagger ? 'collectionFormat' : 'style'));
    return Object.hasOwn(SEPARATORS, format) ? (SEPARATORS[format] ?? ',') : ',';
  }

  #took(part: string, madeUp: readonly string[]): void {
    this.#parts.push(part);
    if (madeUp.length > 0) this.#madeUp.push(...(part === 'body' ? madeUp : [part]));
  }
}

function isJsonType(type: unknown): boolean {
  return typeof type === 'string' && JSON_TYPE.test(type) && isHeader('content-type', type);
}

function nameOf(parameter: Json): string {
  return String(get(parameter, 'name'));
}

/** Some files have the JSON of an example as text. */
function asParsed(value: unknown): unknown {
  if (typeof value !== 'string' || !/^\s*[[{]/.test(value)) return value;
  try {
    return JSON.parse(value);
  } catch {
    // It is a text.
    return value;
  }
}

/** Of a value, or of the items of a list. */
function textsOf(value: unknown): string[] | undefined {
  const list: readonly unknown[] = Array.isArray(value) ? value : [value];
  if (list.length === 0 || list.length > LONGEST_VALUE) return undefined;
  const texts: string[] = [];
  let characters = 0;
  for (const one of list) {
    if (!isPlain(one)) return undefined;
    const text = String(one);
    characters += text.length + 1;
    if (characters > LONGEST_VALUE) return undefined;
    texts.push(text);
  }
  return texts;
}

function isPlain(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
}
