// The JSON schema of nodometer.config.json, made from the rules' own metadata. Written to nodometer.schema.json by `npm run generate`.
import type { AnyRule, OptionSpec } from '../../analysis/rule.ts';
import { SEVERITIES } from '../../protocol/finding.ts';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

export function configSchema(rules: readonly AnyRule[]): Json {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Nodometer configuration (nodometer.config.json)',
    type: 'object',
    additionalProperties: false,
    properties: {
      $schema: {
        type: 'string',
        description: 'Path of this schema for editors, such as `./node_modules/nodometer/nodometer.schema.json`.',
      },
      node: {
        type: 'string',
        description:
          'Semver range of the Node versions that the code runs on, such as `>=20`. Overrides `engines.node`, `.nvmrc`, and similar sources.',
      },
      rules: { $ref: '#/definitions/rules' },
      ignores: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        description: 'Files and folders to ignore, as .gitignore patterns relative to the folder of this file.',
      },
      overrides: {
        type: 'array',
        description: 'Rule settings for specific files. Later entries take precedence.',
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['files', 'rules'],
          properties: {
            files: {
              type: 'array',
              minItems: 1,
              items: { type: 'string', minLength: 1 },
              description: 'Globs relative to the folder of this file. A glob without a slash matches file names in every folder.',
            },
            rules: { $ref: '#/definitions/rules' },
          },
        },
      },
      maxFileSize: {
        type: 'integer',
        minimum: 1,
        description: 'Maximum file size in bytes. Larger files are skipped. Default: 1048576 (1 MiB).',
      },
    },
    definitions: {
      severity: {
        enum: [...SEVERITIES],
        description:
          'off: disabled. hint: shown, but never affects the exit code. warning: counted by --max-warnings. error: causes exit code 1.',
      },
      rules: {
        type: 'object',
        additionalProperties: false,
        properties: Object.fromEntries(rules.map((rule) => [rule.meta.id, ruleSchema(rule)])),
      },
    },
  };
}

function ruleSchema({ meta }: AnyRule): Json {
  const options = Object.entries(meta.options as Readonly<Record<string, OptionSpec>>);
  return {
    description: `${meta.summary}. Default: ${meta.severity}.`,
    anyOf: [
      { $ref: '#/definitions/severity' },
      {
        type: 'object',
        additionalProperties: false,
        properties: {
          severity: { $ref: '#/definitions/severity' },
          options: {
            type: 'object',
            additionalProperties: false,
            properties: Object.fromEntries(options.map(([name, spec]) => [name, optionSchema(spec)])),
          },
        },
      },
    ],
  };
}

function optionSchema(spec: OptionSpec): Json {
  const about = { description: spec.description, default: spec.default as Json };
  switch (spec.type) {
    case 'boolean':
      return { type: 'boolean', ...about };
    case 'number':
      return { type: 'number', ...(spec.minimum === undefined ? {} : { minimum: spec.minimum }), ...about };
    case 'string':
      return { type: 'string', ...(spec.values ? { enum: [...spec.values] } : {}), ...about };
    case 'string[]':
      return { type: 'array', items: { type: 'string' }, ...about };
  }
}

export function renderConfigSchema(rules: readonly AnyRule[]): string {
  return `${JSON.stringify(configSchema(rules), undefined, 2)}\n`;
}
