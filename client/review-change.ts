// A change of several files: shown as VS Code shows a commit, and made when the user says so.
import {
  commands,
  l10n,
  type Uri,
  window,
  workspace,
  WorkspaceEdit,
  type CodeAction,
  type Disposable,
  type Range,
  type TextDocument,
  type TextDocumentContentProvider,
  type TextEdit,
} from 'vscode';
import { ACROSS_FILES, PRODUCT } from '../protocol/editor.ts';
import { pick, tell } from './message.ts';

/** Not in the palette: it needs the change. */
export const REVIEW_COMMAND = `${PRODUCT}.reviewChange`;
const SCHEME = `${PRODUCT}-review`;

/**
 * Takes the change of a resolved action for the user to look at, where it reaches into other files. VS Code's own preview comes up with
 * every
 * change unticked (seen in 1.139), and `Apply` then makes none of them.
 */
export function reviewed<A extends CodeAction>(action: A | null | undefined, data: unknown): A | null | undefined {
  if (!action?.edit || typeof data !== 'object' || data === null || !('make' in data) || data.make !== ACROSS_FILES) return action;
  action.command = { command: REVIEW_COMMAND, title: action.title, arguments: [action.title, action.edit] };
  action.edit = undefined;
  return action;
}

interface Changed {
  document: TextDocument;
  before: string;
  edits: readonly TextEdit[];
}

export class ChangeReview implements TextDocumentContentProvider, Disposable {
  /** What files will be, by the URI under which that is shown. */
  readonly #texts = new Map<string, string>();
  readonly #registrations: readonly Disposable[];
  #count = 0;

  constructor() {
    this.#registrations = [
      workspace.registerTextDocumentContentProvider(SCHEME, this),
      commands.registerCommand(REVIEW_COMMAND, (title: unknown, edit: unknown) =>
        typeof title === 'string' && edit instanceof WorkspaceEdit ? this.review(title, edit) : undefined,
      ),
    ];
  }

  provideTextDocumentContent(uri: Uri): string | undefined {
    return this.#texts.get(uri.toString());
  }

  /** Whether the change was made. */
  async review(title: string, edit: WorkspaceEdit): Promise<boolean> {
    const files: Changed[] = [];
    for (const [uri, edits] of edit.entries()) {
      const document = await workspace.openTextDocument(uri);
      files.push({ document, before: document.getText(), edits });
    }
    const query = String(++this.#count);
    const rows = files.map(({ document, before, edits }): [Uri, Uri, Uri] => {
      const after = document.uri.with({ scheme: SCHEME, query });
      this.#texts.set(after.toString(), textAfter(document, before, edits));
      return [document.uri, document.uri, after];
    });
    try {
      await commands.executeCommand('vscode.changes', title, rows);
      const apply = { icon: 'check', label: l10n.t('Apply to {0} files', files.length) };
      const discard = { icon: 'discard', label: l10n.t('Discard') };
      const choice = await pick([apply, discard], {
        title,
        placeHolder: l10n.t('While these functions wait, other requests run and may change shared state.'),
        ignoreFocusOut: true,
      });
      if (choice !== apply) return false;
      if (files.some(({ document, before }) => document.isClosed || document.getText() !== before)) {
        tell('warning', l10n.t('Nodometer: a file has changed, so nothing was converted. Try again.'));
        return false;
      }
      const change = new WorkspaceEdit();
      for (const { document, edits } of files) change.set(document.uri, [...edits]);
      return await workspace.applyEdit(change, { isRefactoring: true });
    } finally {
      for (const [, , after] of rows) this.#texts.delete(after.toString());
      // VS Code puts the number of files behind the title.
      await window.tabGroups.close(window.tabGroups.all.flatMap(({ tabs }) => tabs.filter(({ label }) => label.startsWith(title))));
    }
  }

  dispose(): void {
    for (const one of this.#registrations) one.dispose();
  }
}

/** Edits do not overlap; those at one place are made in their order. */
function textAfter(document: TextDocument, before: string, edits: readonly TextEdit[]): string {
  const at = ({ start, end }: Range): [number, number] => [document.offsetAt(start), document.offsetAt(end)];
  let text = '';
  let done = 0;
  for (const { range, newText } of [...edits].sort(
    (a, b) => a.range.start.compareTo(b.range.start) || a.range.end.compareTo(b.range.end),
  )) {
    const [start, end] = at(range);
    text += before.slice(done, start) + newText;
    done = end;
  }
  return text + before.slice(done);
}
