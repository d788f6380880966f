// The tables in README.md that come from the rules' own metadata, between their marks.
import type { AnyRule, OptionSpec } from '../analysis/rule.ts';

/** The README's text with its tables made anew. Throws when a pair of marks is missing. */
export function renderReadme(readme: string, rules: readonly AnyRule[]): string {
  return between(between(readme, 'rules', rulesTable(rules)), 'options', optionsTable(rules));
}

function between(text: string, name: string, table: string): string {
  const start = new RegExp(`<!-- ${name}:start [^>]*-->`).exec(text);
  const end = text.indexOf(`<!-- ${name}:end -->`);
  if (!start || end === -1) throw new Error(`README.md lacks the marks of "${name}"`);
  return `${text.slice(0, start.index + start[0].length)}\n${table}\n${text.slice(end)}`;
}

function rulesTable(rules: readonly AnyRule[]): string {
  const rows = rules.map(({ meta }) => `| [${meta.id}](rules/${meta.id}/README.md) | ${meta.summary} | ${meta.severity} | ${meta.fix} | ${meta.nodeRange === '*' ? 'any' : escapeCell(meta.nodeRange)} | ${meta.proof} |`);
  return ['| rule | what it finds | severity | fixes | Node | proof |', '|---|---|---|---|---|---|', ...rows].join('\n');
}

function optionsTable(rules: readonly AnyRule[]): string {
  const rows = rules.flatMap(({ meta }) => Object.entries(meta.options as Record<string, OptionSpec>).map(([name, spec]) => `| ${meta.id} | \`${name}\` | ${spec.type} | \`${JSON.stringify(spec.default)}\` | ${escapeCell(spec.description)} |`));
  return ['| rule | option | type | default | meaning |', '|---|---|---|---|---|', ...rows].join('\n');
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
