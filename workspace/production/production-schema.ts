// The JSON schema of .nodometer/production.json, for editors and for reviews. Written to nodometer-production.schema.json by `npm run
// generate`.
import {
  PRODUCTION_KINDS,
  type KeptFunction,
  type KeptRoute,
  type ProductionFile,
  type ProductionSource,
} from '../../protocol/production.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** One description for each field, no more and no fewer. */
type Fields<T> = { readonly [K in keyof Required<T>]: Json };

const TEXT = { type: 'string' };
const AMOUNT = { type: 'number', minimum: 0 };

const FUNCTION: Fields<KeptFunction> = {
  file: { ...TEXT, minLength: 1, description: 'Path relative to the project folder, with forward slashes.' },
  function: { ...TEXT, description: 'The name of the function; empty if it has none.' },
  line: { type: 'integer', minimum: 1, description: 'The line where it starts, at the time of the import.' },
  hash: { ...TEXT, minLength: 1, description: 'Hash of its normalized source. If it differs, nothing is shown.' },
  total: { ...AMOUNT, description: 'Samples (or nanoseconds) with the function on the stack.' },
  self: { ...AMOUNT, description: 'Samples (or nanoseconds) in its own code.' },
  calls: { ...AMOUNT, description: 'How often it was called.' },
};

const ROUTE: Fields<KeptRoute> = {
  method: { ...TEXT, description: 'The method of the requests.' },
  route: { ...TEXT, description: 'The route, as the tracer recorded it.' },
  requests: { ...AMOUNT, description: 'The number of requests.' },
};

const SOURCE: Fields<ProductionSource> = {
  name: { ...TEXT, description: 'The name of the import. Another import with this name replaces it.' },
  kind: { enum: [...PRODUCTION_KINDS], description: 'The kind of file that was imported.' },
  date: { ...TEXT, pattern: '^\\d{4}-\\d{2}-\\d{2}T[\\d:.]+Z$', description: 'When it was recorded, in ISO 8601 format, UTC.' },
  commit: { ...TEXT, description: 'The commit that ran.' },
  total: { ...AMOUNT, description: 'All samples (or nanoseconds) in which the program was busy; all requests of spans.' },
  functions: { type: 'array', items: { $ref: '#/definitions/function' } },
  routes: { type: 'array', items: { $ref: '#/definitions/route' } },
};

const FILE: Fields<ProductionFile> = {
  version: { const: 1 },
  sources: { type: 'array', items: { $ref: '#/definitions/source' }, description: 'Sorted by name, so that diffs stay small.' },
};

function objectOf<T>(fields: Fields<T>, optional: readonly (keyof T & string)[] = []): { readonly [key: string]: Json } {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields).filter((name) => !(optional as readonly string[]).includes(name)),
    properties: fields,
  };
}

export function renderProductionSchema(): string {
  const schema = {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'What Nodometer imported from production (.nodometer/production.json)',
    description: 'Where a program spent its time. Written by `nodometer import`; can be committed.',
    ...objectOf<ProductionFile>(FILE),
    definitions: {
      source: objectOf<ProductionSource>(SOURCE, ['commit']),
      function: objectOf<KeptFunction>(FUNCTION, ['total', 'self', 'calls']),
      route: objectOf<KeptRoute>(ROUTE),
    },
  };
  return `${JSON.stringify(schema, null, 2)}\n`;
}
