// The text of a new nodometer.config.json: valid as it stands, and with every commented line switched on.
import type { RuleEntry } from './rule-list.ts';

export const CONFIG_FILE = 'nodometer.config.json';

export function configTemplate(rules: readonly RuleEntry[]): string {
  const lines = rules.map(({ id, severity }) => `    // ${JSON.stringify(id)}: ${JSON.stringify(severity)}`);
  return `{
  // Node versions that this code runs on. The default comes from the project: engines.node, .nvmrc, and similar.
  // "node": ">=20",

  // Skip files that are larger than this, in bytes.
  // "maxFileSize": 1048576,

  // Other severities for some files. Later entries take precedence.
  // "overrides": [{ "files": ["tools/**"], "rules": {} }],

  // Files and folders to ignore, in .gitignore syntax.
  "ignores": [],

  // "off", "hint", "warning", or "error", or an object with "severity" and "options".
  "rules": {
${lines.join(',\n')}
  }
}
`;
}
