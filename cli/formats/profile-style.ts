// What the forms of a profile have in common: how their parts are written, and the words for verdicts.
import type { VerdictKind } from '../../protocol/evidence.ts';

/** How one form writes its parts. */
export interface ProfileStyle {
  title(text: string): string;
  section(text: string): string;
  row(cells: readonly string[]): string;
  verdict(kind: VerdictKind, text: string): string;
  dim(text: string): string;
  /** Lines. `words`: the columns that are of words; the others are of figures. */
  table(head: readonly string[], rows: readonly (readonly string[])[], words?: readonly number[]): string[];
}
