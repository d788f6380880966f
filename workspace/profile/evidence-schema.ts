// The JSON schema of .nodometer/evidence.json, for editors and for reviews. Written to nodometer-evidence.schema.json by `npm run
// generate`.
import type { EvidenceFile, KeptFix, KeptProfile, KeptSeen, KeptVerdict } from '../../protocol/kept-evidence.ts';
import {
  CALL_ORIGINS,
  COST_METHODS,
  COST_UNITS,
  DIFFERENCE_UNITS,
  DIFFERENCES,
  VERDICT_KINDS,
  type Cost,
} from '../../protocol/evidence.ts';
import { RETAINED_UNITS, type RetainedRate, type Slope } from '../../protocol/retained.ts';
import { SEEN_KINDS } from '../../protocol/seen-by-run.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };
/** One description for each field, no more and no fewer. */
type Fields<T> = { readonly [K in keyof Required<T>]: Json };

const TEXT = { type: 'string' };
const HASH = { type: 'string', minLength: 1 };

const COST: Fields<Cost> = {
  ns: { type: 'number', description: 'Nanoseconds.' },
  per: { enum: [...COST_UNITS], description: 'What it was measured for.' },
  low: { type: 'number', description: 'Lower end of the interval, in nanoseconds.' },
  high: { type: 'number', description: 'Upper end of the interval, in nanoseconds.' },
  share: { type: 'number', minimum: 0, maximum: 1, description: 'Share of the time of the call, the request, or the program.' },
  method: {
    enum: [...COST_METHODS],
    description:
      'timed: the code itself; compared: against the same calls without it, in fresh processes; calibrated: the count, times the cost of one.',
  },
};

const SLOPE: Fields<Slope> = {
  value: { type: 'number' },
  low: { type: 'number', description: 'Lower end of the 95 % interval.' },
  high: { type: 'number', description: 'Upper end of the 95 % interval.' },
};

const RETAINED: Fields<RetainedRate> = {
  unit: { enum: [...RETAINED_UNITS], description: 'What stays.' },
  per: { enum: ['call', 'request'], description: 'What it was measured for.' },
  rate: { ...(objectOf(SLOPE) as object), description: 'How many of them each call or request leaves.' },
  bytes: { ...(objectOf(SLOPE) as object), description: 'Bytes of the heap that each call or request leaves behind.' },
};

const VERDICT: Fields<KeptVerdict> = {
  ruleId: { ...TEXT, description: 'The rule of the finding.' },
  messageId: { ...TEXT, description: 'The message of the rule.' },
  code: { ...TEXT, description: 'The source of the finding, with whitespace collapsed.' },
  hash: { ...HASH, description: 'Hash of the normalized function around the finding. If it differs, the verdict is outdated.' },
  verdict: { enum: [...VERDICT_KINDS] },
  figure: { ...TEXT, description: 'The measured figure, in one line.' },
  grounds: { type: 'array', items: TEXT, description: 'The reasons for the verdict, in sentences.' },
  cost: objectOf(COST, ['low', 'high', 'share']),
  retained: objectOf(RETAINED, ['bytes']),
};

const SEEN: Fields<KeptSeen> = {
  kind: { enum: [...SEEN_KINDS], description: 'What the run saw.' },
  line: { type: 'integer', minimum: 1, description: 'The line at the time of the run.' },
  code: { ...TEXT, description: 'The source of the line, with whitespace collapsed.' },
  hash: { ...HASH, description: 'Hash of the normalized function around the line. If it differs, the entry is ignored.' },
  figure: { ...TEXT, description: 'The measured figure, in one line.' },
  grounds: { type: 'array', items: TEXT, description: 'What the figure is based on, in sentences.' },
  remedy: { ...TEXT, description: 'What to do about it.' },
  cost: objectOf(COST, ['low', 'high', 'share']),
};

const TIMING: Fields<NonNullable<KeptProfile['timing']>> = {
  median: { type: 'number', minimum: 0, description: 'Nanoseconds per call.' },
  halfWidth: { type: 'number', minimum: 0, description: 'Half of the 95 % confidence interval of the median, in nanoseconds.' },
  p99: {
    type: 'number',
    minimum: 0,
    description: 'The 99th percentile, in nanoseconds: 99 of 100 requests were answered within this time.',
  },
};

const PROFILE: Fields<KeptProfile> = {
  file: { ...TEXT, minLength: 1, description: 'Path relative to the project folder, with forward slashes.' },
  function: {
    ...TEXT,
    description: 'The name of the function, its requests if it has no name, or the command if a whole program was run.',
  },
  hash: { ...HASH, description: 'Hash of the normalized source of the function, or of the file if a whole program was run.' },
  node: { ...TEXT, pattern: '^\\d+\\.\\d+\\.\\d+', description: 'Node version, without the leading v.' },
  v8: TEXT,
  platform: { ...TEXT, description: 'Operating system and architecture.' },
  cpu: TEXT,
  date: { ...TEXT, pattern: '^\\d{4}-\\d{2}-\\d{2}T', description: 'Date and time in ISO 8601 format, UTC.' },
  budgetMs: { type: 'number', exclusiveMinimum: 0, description: 'Time for all runs together, in milliseconds.' },
  origin: { enum: [...CALL_ORIGINS], description: 'The origin of the calls.' },
  calls: { type: 'array', items: TEXT, description: 'The calls, requests, or command.' },
  timing: objectOf(TIMING, ['halfWidth', 'p99']),
  verdicts: { type: 'array', items: { $ref: '#/definitions/verdict' } },
  seen: { type: 'array', items: { $ref: '#/definitions/seen' }, description: 'What the run saw and no rule predicted, with its cost.' },
};

const FIX: Fields<KeptFix> = {
  file: { ...TEXT, minLength: 1, description: 'Path relative to the project folder, with forward slashes.' },
  function: { ...TEXT, description: 'The name of the function.' },
  hash: { ...HASH, description: 'Hash of the normalized source of the function with the fix or change.' },
  ruleId: { ...TEXT, description: 'The rule whose fix it is. Missing for a change.' },
  base: { ...TEXT, description: 'The branch, tag, or commit that a change was compared with. Missing for a fix.' },
  node: { ...TEXT, pattern: '^\\d+\\.\\d+\\.\\d+', description: 'Node version, without the leading v.' },
  date: { ...TEXT, pattern: '^\\d{4}-\\d{2}-\\d{2}T', description: 'Date and time in ISO 8601 format, UTC.' },
  result: { enum: [...DIFFERENCES], description: 'The effect of the fix or change on the function.' },
  per: { enum: [...DIFFERENCE_UNITS], description: 'What the times are for.' },
  before: { type: 'number', description: 'Median of the processes without the fix or change, in nanoseconds.' },
  after: { type: 'number', description: 'Median of the processes with the fix or change, in nanoseconds.' },
  low: { type: 'number', description: 'Lower end of the interval of the difference, in nanoseconds.' },
  high: { type: 'number', description: 'Upper end of the interval of the difference, in nanoseconds.' },
  confidence: { type: 'number', minimum: 0, maximum: 1, description: 'Confidence level of the interval.' },
};

const FILE: Fields<EvidenceFile> = {
  version: { const: 1 },
  profiles: {
    type: 'array',
    items: { $ref: '#/definitions/profile' },
    description: 'Sorted by file, function, and Node version, so that diffs stay small.',
  },
  fixes: { type: 'array', items: { $ref: '#/definitions/fix' }, description: 'Fixes and changes that were measured.' },
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
  const file = objectOf<EvidenceFile>(FILE, ['fixes']) as { readonly [key: string]: Json };
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Nodometer evidence (.nodometer/evidence.json)',
    description: 'Results of profiles. Written by Nodometer; can be committed.',
    ...file,
    definitions: {
      profile: objectOf<KeptProfile>(PROFILE, ['timing', 'seen']),
      verdict: objectOf<KeptVerdict>(VERDICT, ['cost', 'retained']),
      seen: objectOf<KeptSeen>(SEEN),
      fix: objectOf<KeptFix>(FIX, ['ruleId', 'base']),
    },
  };
}

export function renderEvidenceSchema(): string {
  return `${JSON.stringify(evidenceSchema(), null, 2)}\n`;
}
