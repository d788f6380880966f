// Procfiles: one process type per line.
import type { Span } from '../../protocol/finding.ts';
import { shellText, type CommandText } from './command-text.ts';

export interface ProcessType {
  name: string;
  command: CommandText;
  span: Span;
}

export function parseProcfile(path: string, text: string): ProcessType[] {
  const types: ProcessType[] = [];
  for (const match of text.matchAll(/^([A-Za-z0-9_-]+)[ \t]*:[ \t]*(\S[^\r\n]*)/gm)) {
    const command = (match[2] ?? '').trimEnd();
    const start = (match.index ?? 0) + match[0].length - (match[2] ?? '').length;
    types.push({ name: match[1] ?? '', command: shellText(path, command, start), span: { start, end: start + command.length } });
  }
  return types;
}
