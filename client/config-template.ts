// The text of a new nodometer.config.json: valid as it stands, and with every commented line switched on.
import type { RuleEntry } from './rule-list.ts';

export const CONFIG_FILE = 'nodometer.config.json';

export function configTemplate(rules: readonly RuleEntry[]): string {
  const lines = rules.map(({ id, severity }) => `    // ${JSON.stringify(id)}: ${JSON.stringify(severity)}`);
  return `{
  // Node versions that this code runs on. Without this line the project's own word counts: engines.node, .nvmrc and the like.
  // "node": ">=20",

  // Larger files are skipped, in bytes.
  // "maxFileSize": 1048576,

  // Other severities for some of the files; a later entry wins.
  // "overrides": [{ "files": ["tools/**"], "rules": {} }],

  // Files and folders that are not linted, written as in a .gitignore.
  "ignores": [],

  // "off", "hint", "warning" or "error"; or an object with "severity" and "options".
  "rules": {
${lines.join(',\n')}
  }
}
`;
}
