// A nodometer.config.json that is open: its mistakes are shown where they stand.
import { basename } from 'node:path';
import { DiagnosticSeverity, type Diagnostic } from 'vscode-languageserver/node';
import { PRODUCT } from '../../protocol/editor.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { CONFIG_NAME } from '../../workspace/config/config-finder.ts';
import { decodeConfig } from '../../workspace/config/config-decode.ts';
import type { OpenDocument } from './documents.ts';

export function isConfigDocument({ path }: OpenDocument): boolean {
  return basename(path) === CONFIG_NAME;
}

/** One diagnostic for each mistake, from its place to the end of the word or bracket there. */
export function configDiagnostics({ path, text }: OpenDocument, rules: readonly AnyRule[]): Diagnostic[] {
  const decoded = decodeConfig(path, text.getText(), rules);
  if (decoded.ok) return [];
  return decoded.problems.map(({ line, column, message }): Diagnostic => {
    const start = { line: line - 1, character: column - 1 };
    const rest = text.getText({ start, end: { line, character: 0 } });
    const length = /^(?:"(?:[^"\\\r\n]|\\.)*"|[\w.+-]+|\S)/.exec(rest)?.[0].length ?? 1;
    return {
      range: { start, end: { line: start.line, character: start.character + length } },
      severity: DiagnosticSeverity.Error,
      source: PRODUCT,
      message,
    };
  });
}
