// What the forms of a profile have in common: how their parts are written, and the words for verdicts.
import type { VerdictKind } from '../../protocol/evidence.ts';

/** How one form writes its parts. */
export interface ProfileStyle {
  title(text: string): string;
  section(text: string): string;
  row(cells: readonly string[]): string;
  verdict(kind: VerdictKind, text: string): string;
  dim(text: string): string;
  /** Lines that keep their columns. */
  code(lines: readonly string[]): string[];
  /** Lines. `words`: the columns that are of words; the others are of figures. */
  table(head: readonly string[], rows: readonly (readonly string[])[], words?: readonly number[]): string[];
}

/** For reports that are kept or sent. */
export const MARKDOWN: ProfileStyle = {
  title: (text) => `# ${text}`,
  section: (text) => `## ${text}\n`,
  row: (cells) => `- ${cells.filter(Boolean).join(' · ')}`,
  verdict: (_, text) => `- **${text}**`,
  // Longer than any fence in the code itself.
  code: (lines) => {
    const fence = '`'.repeat(Math.max(3, ...lines.map((line) => (/`+/.exec(line)?.[0].length ?? 0) + 1)));
    return [`${fence}text`, ...lines, fence];
  },
  dim: (text) => (text.startsWith('    ') ? `  - ${text.trim()}` : `\n${text.trim()}\n`),
  table: (head, rows, words = [0]) =>
    [head, head.map((_, i) => (words.includes(i) ? '---' : '---:')), ...rows].map(
      (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
    ),
};
