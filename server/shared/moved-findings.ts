// Takes findings along with edits: while text is half typed and cannot be read, the last good warnings stay where their code is.
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { TextDocumentContentChangeEvent } from 'vscode-languageserver/node';
import { changeBetween, moveFindings, moveSpan, type OffsetChange } from '../../analysis/module/moved-findings.ts';

export { changeBetween, moveFindings, moveSpan, type OffsetChange };

/** A change of the protocol as offsets. `document` must hold the text before it. */
export function toOffsetChange(document: TextDocument, change: TextDocumentContentChangeEvent): OffsetChange {
  if (!('range' in change)) return changeBetween(document.getText(), change.text);
  const a = document.offsetAt(change.range.start);
  const b = document.offsetAt(change.range.end);
  return { start: Math.min(a, b), removed: Math.abs(b - a), inserted: change.text.length };
}
