// The generated tables of the README and the pages in docs/, between their marks.
import type { AnyRule, OptionSpec } from '../analysis/rule.ts';
import { FRAMEWORKS } from '../knowledge/frameworks.ts';
import { MESSAGE_MODELS } from '../knowledge/message-handlers.ts';
import { SERVER_PACKAGES } from '../knowledge/server-packages.ts';
import { COMMANDS } from '../protocol/editor.ts';
import { SETTINGS, type SettingSpec } from '../protocol/settings.ts';

/** Which page holds which tables. */
export const PAGES: Readonly<Record<string, readonly string[]>> = {
  'README.md': ['rules'],
  'docs/configuration.md': ['options'],
  'docs/editor.md': ['commands', 'settings'],
  'docs/frameworks.md': ['frameworks', 'messages'],
};

/** A page's text with its tables made anew. `texts` is package.nls.json. Throws when marks are missing, or a cell is empty. */
export function renderPage(path: string, page: string, rules: readonly AnyRule[], texts: Readonly<Record<string, string>>): string {
  const tables: Readonly<Record<string, () => Table>> = {
    rules: () => rulesTable(rules),
    options: () => optionsTable(rules),
    commands: () => commandsTable(texts),
    settings: () => settingsTable(texts),
    frameworks: frameworksTable,
    messages: messagesTable,
  };
  return (PAGES[path] ?? []).reduce((text, name) => between(path, text, name, written(`${path}, ${name}`, tables[name]?.() ?? [])), page);
}

/** Rows of cells; the first is the head. */
export type Table = readonly (readonly string[])[];

/** In Markdown. Throws for an empty cell: it says nothing, and hides that somebody forgot a text. */
export function written(name: string, [head = [], ...rows]: Table): string {
  for (const row of rows) {
    const at = row.findIndex((cell) => cell.trim() === '');
    if (at !== -1) throw new Error(`the table "${name}" has an empty cell: "${head[at]}" of "${row[0]}"`);
  }
  return [head, head.map(() => '---'), ...rows].map((row, i) => (i === 1 ? `|${row.join('|')}|` : `| ${row.join(' | ')} |`)).join('\n');
}

function between(path: string, text: string, name: string, table: string): string {
  const start = new RegExp(`<!-- ${name}:start [^>]*-->`).exec(text);
  const end = text.indexOf(`<!-- ${name}:end -->`);
  if (!start || end === -1) throw new Error(`${path} lacks the marks of "${name}"`);
  return `${text.slice(0, start.index + start[0].length)}\n${table}\n${text.slice(end)}`;
}

function rulesTable(rules: readonly AnyRule[]): Table {
  const rows = rules.map(({ meta }) => [
    `[${meta.id}](rules/${meta.id}/README.md)`,
    meta.summary,
    meta.isPrediction ? `hint; ${meta.severity} once measured` : [meta.severity, ...(meta.otherSeverities ?? [])].join(', '),
    meta.fix,
    meta.nodeRange === '*' ? 'any' : escapeCell(meta.nodeRange),
    meta.proof,
  ]);
  return [['rule', 'what it finds', 'severity', 'fixes', 'Node', 'proof'], ...rows];
}

function optionsTable(rules: readonly AnyRule[]): Table {
  const rows = rules.flatMap(({ meta }) =>
    Object.entries(meta.options as Record<string, OptionSpec>).map(([name, spec]) => [
      meta.id,
      `\`${name}\``,
      spec.type,
      `\`${JSON.stringify(spec.default)}\``,
      escapeCell(spec.description),
    ]),
  );
  return [['rule', 'option', 'type', 'default', 'meaning'], ...rows];
}

function commandsTable(texts: Readonly<Record<string, string>>): Table {
  const rows = Object.entries(COMMANDS).map(([name, id]) => {
    const title = texts[`commands.${name}`] ?? '';
    return [title && `${texts.product}: ${title}`, `\`${id}\``];
  });
  return [['command', 'ID, for keyboard shortcuts'], ...rows];
}

function settingsTable(texts: Readonly<Record<string, string>>): Table {
  const rows = Object.entries<SettingSpec>(SETTINGS).map(([key, spec]) => [
    `\`nodometer.${key}\``,
    valuesOf(spec),
    escapeCell(texts[`settings.${key}`] ?? ''),
  ]);
  return [['setting', 'values (default first)', 'meaning'], ...rows];
}

function frameworksTable(): Table {
  const models = FRAMEWORKS.map(({ id, packages, source }) => [id, packages, source] as const);
  const others = SERVER_PACKAGES.filter(({ framework, kind }) => framework === undefined && kind !== 'platform').map(
    ({ name, source }) => [name, [name], source] as const,
  );
  const rows = [...models, ...others].map(([id, packages, source]) => [
    id,
    packages.map((name) => `\`${name}\``).join(', '),
    `<${source}>`,
  ]);
  return [['framework', 'packages', 'documentation'], ...rows];
}

function messagesTable(): Table {
  const byFramework = new Map<string, { packages: Set<string>; kinds: Set<string> }>();
  for (const { framework, packages, kind } of MESSAGE_MODELS) {
    const known = byFramework.get(framework) ?? { packages: new Set(), kinds: new Set() };
    for (const name of packages) known.packages.add(name);
    byFramework.set(framework, { ...known, kinds: known.kinds.add(kind) });
  }
  const rows = [...byFramework].map(([framework, { packages, kinds }]) => [
    framework,
    [...packages].map((name) => `\`${name}\``).join(', '),
    [...kinds].join(', '),
  ]);
  return [['library', 'packages', 'kind of handler'], ...rows];
}

function valuesOf(spec: SettingSpec): string {
  const first = `\`${JSON.stringify(spec.default)}\``;
  if (spec.type === 'boolean') return `${first}, \`${String(!spec.default)}\``;
  if (spec.type === 'choice')
    return [first, ...spec.values.filter((value) => value !== spec.default).map((value) => `\`"${value}"\``)].join(', ');
  return spec.type === 'rules' ? `${first}, or rule IDs with \`"off"\`, \`"hint"\`, \`"warning"\`, \`"error"\`` : first;
}

function escapeCell(text: string): string {
  return text.replaceAll('|', '\\|');
}
