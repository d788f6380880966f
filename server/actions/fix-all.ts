// Makes all fixes of a kind in one text, as the few edits that lead there.
import type { TextEdit } from 'vscode-languageserver/node';
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { Edit, Finding, FixKind } from '../../protocol/finding.ts';
import { fixText, type RejectedEdit } from '../../workspace/fix.ts';
import { toTextEdits } from '../shared/convert.ts';
import { minimalEdits } from '../shared/minimal-edits.ts';

export interface FixAllRequest {
  text: string;
  /** The strongest kind that may be made. */
  kind: FixKind;
  /** Only this rule's fixes. */
  ruleId?: string;
  /** All findings of a text that stands in for the file's own. */
  lint(text: string): readonly Finding[];
  /** What a change would break, in words, or undefined when it is sound. */
  findDamage(before: string, after: string): string | undefined;
}

export interface FixAllOutcome {
  text: string;
  /** Of the text given; not overlapping, in order. */
  edits: readonly Edit[];
  made: number;
  rejected: readonly RejectedEdit[];
}

export function fixAll({ text, kind, ruleId, lint, findDamage }: FixAllRequest): FixAllOutcome {
  const outcome = fixText({
    text,
    allowed: kind,
    findDamage,
    lint: (one) => (ruleId === undefined ? lint(one) : lint(one).filter((finding) => finding.ruleId === ruleId)),
  });
  return { ...outcome, edits: minimalEdits(text, outcome.text) };
}

/** `document` must hold the text that was fixed. */
export function fixAllEdits(document: TextDocument, outcome: Pick<FixAllOutcome, 'edits'>): TextEdit[] {
  return toTextEdits(document, outcome.edits);
}
