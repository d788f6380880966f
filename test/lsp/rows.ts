// Findings of the terminal and of the editor in one form, so that they can be compared.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Diagnostic, WorkspaceDiagnosticReport } from 'vscode-languageserver/node';
import type { JsonFinding } from '../../cli/formats/json.ts';
import { rules } from '../../rules/index.ts';
import { run } from '../cli/support.ts';
import { uriOf, type Client } from './harness.ts';
import { languageOf } from './samples.ts';

export interface Row {
  file: string;
  /** `line:column-line:column`, from 1. */
  place: string;
  ruleId: string;
  severity: string;
  message: string;
  related: string[];
}

const SEVERITIES = ['', 'error', 'warning', 'hint'];

/** What `nodometer lint --format json` reports. */
export async function terminalRows(folder: string): Promise<Row[]> {
  const { code, out, err } = await run(['lint', '--format', 'json', '--exit-zero'], { cwd: folder, rules });
  assert.equal(code, 0, err);
  return sorted(rowsOf(out));
}

function rowsOf(out: string): Row[] {
  return (JSON.parse(out) as JsonFinding[]).map(({ file, line, column, endLine, endColumn, ruleId, severity, message, related }) => ({
    file,
    ruleId,
    severity,
    message,
    place: `${line}:${column}-${endLine}:${endColumn}`,
    related: related.map((one) => `${one.file}:${one.line}:${one.column} ${one.message}`),
  }));
}

export function diagnosticRows(uri: string, diagnostics: readonly Diagnostic[]): Row[] {
  return diagnostics.map(({ range: { start, end }, code, severity, message, relatedInformation = [] }) => ({
    file: fileURLToPath(uri),
    ruleId: String(code),
    severity: SEVERITIES[severity ?? 0] ?? '',
    message: (typeof message === 'string' ? message : message.value).replaceAll('\n', ' '),
    place: `${start.line + 1}:${start.character + 1}-${end.line + 1}:${end.character + 1}`,
    related: relatedInformation.map(
      ({ location, message: text }) =>
        `${fileURLToPath(location.uri)}:${location.range.start.line + 1}:${location.range.start.character + 1} ${text}`,
    ),
  }));
}

/** Opens each file and asks for its diagnostics. */
export async function documentRows(client: Client, files: readonly string[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const file of files) {
    const uri = uriOf(file);
    await client.open(uri, readFileSync(file, 'utf8'), { languageId: languageOf(file) });
    rows.push(...diagnosticRows(uri, await client.diagnose(uri)));
    await client.close(uri);
  }
  return sorted(rows);
}

/** Lints the whole workspace and asks what is known then. No document may be open. */
export async function workspaceRows(client: Client): Promise<Row[]> {
  const { findings } = await client.lintWorkspace();
  if (findings === 0) return [];
  const { items } = await client.connection.sendRequest<WorkspaceDiagnosticReport>('workspace/diagnostic', { previousResultIds: [] });
  const rows = items.flatMap((item) => (item.kind === 'full' ? diagnosticRows(item.uri, item.items) : []));
  assert.equal(rows.length, findings);
  return sorted(rows);
}

function sorted(rows: Row[]): Row[] {
  const key = ({ file, place, ruleId, message }: Row) =>
    `${file}\n${place
      .split(/[:-]/)
      .map((part) => part.padStart(6, '0'))
      .join(' ')}\n${ruleId}\n${message}`;
  return rows.sort((a, b) => (key(a) < key(b) ? -1 : 1));
}
