// The JSON schema of .nodometer/evidence.json, for editors and for reviews. Written to nodometer-evidence.schema.json by `npm run
// generate`.
import type { EvidenceFile, KeptProfile, KeptVerdict } from '../../protocol/kept-evidence.ts';
import { CALL_ORIGINS, VERDICT_KINDS } from '../../protocol/evidence.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** One description for each field, no more and no fewer. */
type Fields<T> = { readonly [K in keyof Required<T>]: Json };

const TEXT = { type: 'string' };
const HASH = { type: 'string', minLength: 1 };

const VERDICT: Fields<KeptVerdict> = {
  ruleId: { ...TEXT, description: 'Rule of the finding.' },
  messageId: { ...TEXT, description: "Which of the rule's messages." },
  code: { ...TEXT, description: "The finding's own source, white space taken together." },
  hash: { ...HASH, description: 'Of the normalised function around the finding: with another one the verdict is out of date.' },
  verdict: { enum: [...VERDICT_KINDS] },
  figure: { ...TEXT, description: 'One line with what was measured.' },
  grounds: { type: 'array', items: TEXT, description: 'What the verdict rests on, in sentences.' },
};

const TIMING: Fields<NonNullable<KeptProfile['timing']>> = {
  median: { type: 'number', minimum: 0, description: 'ns per call.' },
  halfWidth: { type: 'number', minimum: 0, description: 'Half of the 95 % confidence interval of the median, in ns.' },
  p99: { type: 'number', minimum: 0, description: '99 of 100 requests were answered within this many ns.' },
};

const PROFILE: Fields<KeptProfile> = {
  file: { ...TEXT, minLength: 1, description: "Relative to this project's folder, with slashes." },
  function: { ...TEXT, description: 'Its name; its requests where it has none; the command where a whole program was run.' },
  hash: { ...HASH, description: "Of the function's normalised source, or of the file where a whole program was run." },
  node: { ...TEXT, pattern: '^\\d+\\.\\d+\\.\\d+', description: 'Version of Node, without the v.' },
  v8: TEXT,
  platform: { ...TEXT, description: 'Operating system and architecture.' },
  cpu: TEXT,
  date: { ...TEXT, pattern: '^\\d{4}-\\d{2}-\\d{2}T', description: 'ISO 8601, UTC.' },
  budgetMs: { type: 'number', exclusiveMinimum: 0, description: 'For all runs together, in ms.' },
  origin: { enum: [...CALL_ORIGINS], description: 'Where the calls came from.' },
  calls: { type: 'array', items: TEXT, description: 'The calls, requests or command.' },
  timing: objectOf(TIMING, ['halfWidth', 'p99']),
  verdicts: { type: 'array', items: { $ref: '#/definitions/verdict' } },
};

const FILE: Fields<EvidenceFile> = {
  version: { const: 1 },
  profiles: {
    type: 'array',
    items: { $ref: '#/definitions/profile' },
    description: 'In the order of file, function and Node, so that changes make small diffs.',
  },
};

function objectOf<T>(fields: Fields<T>, optional: readonly (keyof T & string)[] = []): Json {
  return {
    type: 'object',
    additionalProperties: false,
    required: Object.keys(fields).filter((name) => !(optional as readonly string[]).includes(name)),
    properties: fields,
  };
}

export function evidenceSchema(): Json {
  const file = objectOf<EvidenceFile>(FILE) as { readonly [key: string]: Json };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Evidence of Nodometer (.nodometer/evidence.json)',
    description: 'What profiles have shown. Written by Nodometer; it may be committed.',
    ...file,
    definitions: { profile: objectOf<KeptProfile>(PROFILE, ['timing']), verdict: objectOf<KeptVerdict>(VERDICT) },
  };
}

export function renderEvidenceSchema(): string {
  return `${JSON.stringify(evidenceSchema(), null, 2)}\n`;
}
