// The tables in README.md that come from the rules' own metadata and from the manifest's texts, between their marks.
import type { AnyRule, OptionSpec } from '../analysis/rule.ts';
import { COMMANDS } from '../protocol/editor.ts';
import { SETTINGS, type SettingSpec } from '../protocol/settings.ts';

/** The README's text with its tables made anew. `texts` is package.nls.json. Throws when a pair of marks is missing. */
export function renderReadme(readme: string, rules: readonly AnyRule[], texts: Readonly<Record<string, string>>): string {
  const tables = { rules: rulesTable(rules), options: optionsTable(rules), commands: commandsTable(texts), settings: settingsTable(texts) };
  return Object.entries(tables).reduce((text, [name, table]) => between(text, name, table), readme);
}

function between(text: string, name: string, table: string): string {
  const start = new RegExp(`<!-- ${name}:start [^>]*-->`).exec(text);
  const end = text.indexOf(`<!-- ${name}:end -->`);
  if (!start || end === -1) throw new Error(`README.md lacks the marks of "${name}"`);
  return `${text.slice(0, start.index + start[0].length)}\n${table}\n${text.slice(end)}`;
}

function rulesTable(rules: readonly AnyRule[]): string {
  const rows = rules.map(
    ({ meta }) =>
      `| [${meta.id}](rules/${meta.id}/README.md) | ${meta.summary} | ${meta.severity} | ${meta.fix} | ${meta.nodeRange === '*' ? 'any' : escapeCell(meta.nodeRange)} | ${meta.proof} |`,
  );
  return ['| rule | what it finds | severity | fixes | Node | proof |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function optionsTable(rules: readonly AnyRule[]): string {
  const rows = rules.flatMap(({ meta }) =>
    Object.entries(meta.options as Record<string, OptionSpec>).map(
      ([name, spec]) =>
        `| ${meta.id} | \`${name}\` | ${spec.type} | \`${JSON.stringify(spec.default)}\` | ${escapeCell(spec.description)} |`,
    ),
  );
  return ['| rule | option | type | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

function commandsTable(texts: Readonly<Record<string, string>>): string {
  const rows = Object.entries(COMMANDS).map(([name, id]) => `| ${texts.product}: ${texts[`commands.${name}`]} | \`${id}\` |`);
  return ['| in the command palette | id, for keys and tasks |', '|---|---|', ...rows].join('\n');
}

function settingsTable(texts: Readonly<Record<string, string>>): string {
  const rows = Object.entries<SettingSpec>(SETTINGS).map(
    ([key, spec]) => `| \`nodometer.${key}\` | ${valuesOf(spec)} | ${escapeCell(texts[`settings.${key}`] ?? '')} |`,
  );
  return ['| setting | values, the default first | meaning |', '|---|---|---|', ...rows].join('\n');
}

function valuesOf(spec: SettingSpec): string {
  const first = `\`${JSON.stringify(spec.default)}\``;
  if (spec.type === 'boolean') return `${first}, \`${String(!spec.default)}\``;
  if (spec.type === 'choice')
    return [first, ...spec.values.filter((value) => value !== spec.default).map((value) => `\`"${value}"\``)].join(', ');
  return spec.type === 'rules' ? `${first}, or rule ids with \`"off"\`, \`"hint"\`, \`"warning"\`, \`"error"\`` : first;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
