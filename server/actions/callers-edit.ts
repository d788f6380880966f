// The change of several files that converts a blocking call with its callers, as the protocol has it: to be looked at before it is made.
import type { AnnotatedTextEdit, TextDocumentEdit, WorkspaceEdit } from 'vscode-languageserver/node';
import { asLabel } from '../../protocol/safe-text.ts';
import type { ConvertOutcome } from '../index-thread/convert-callers.ts';

export interface CallersEditAbilities {
  /** Whether edits may name the version of the text that they are for. */
  documentChanges: boolean;
  /** Whether edits may say that they want to be confirmed. */
  changeAnnotations: boolean;
}

export interface CallersEditContext {
  toUri(path: string): string;
  /** Of an open document; null for what is not open. */
  versionOf(path: string): number | null;
  abilities: CallersEditAbilities;
}

/** Names the annotation within one edit. */
const ANNOTATION = 'callers';

export function callersEdit(
  { title, files }: ConvertOutcome & { kind: 'edits' },
  { toUri, versionOf, abilities }: CallersEditContext,
): WorkspaceEdit {
  if (!abilities.documentChanges) return { changes: Object.fromEntries(files.map(({ path, edits }) => [toUri(path), [...edits]])) };
  const documentChanges = files.map(
    ({ path, edits }): TextDocumentEdit => ({
      textDocument: { uri: toUri(path), version: versionOf(path) },
      edits: abilities.changeAnnotations ? edits.map((edit): AnnotatedTextEdit => ({ ...edit, annotationId: ANNOTATION })) : [...edits],
    }),
  );
  if (!abilities.changeAnnotations) return { documentChanges };
  return {
    documentChanges,
    changeAnnotations: {
      [ANNOTATION]: {
        label: asLabel(title),
        needsConfirmation: true,
        description: 'While these functions wait, other requests run and may change shared state.',
      },
    },
  };
}
