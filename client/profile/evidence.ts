// What profiles found, at the ends of the lines. An edit of the function grays it until it is undone or run again.
import {
  DecorationRangeBehavior,
  MarkdownString,
  Range,
  ThemeColor,
  window,
  workspace,
  type DecorationOptions,
  type Disposable,
  type TextDocument,
} from 'vscode';
import type { Note } from './evidence-notes.ts';
import { Heat } from './heat.ts';
import { moved, shownNotes, track, type LinesOf, type ShownNote, type TrackedEvidence } from './tracked-evidence.ts';
import type { Translate } from '../translate.ts';

const COLORS = {
  plain: 'nodometer.evidenceForeground',
  problem: 'nodometer.evidenceProblemForeground',
  stale: 'nodometer.evidenceStaleForeground',
} as const;

export class Evidence implements Disposable {
  readonly #t: Translate;
  readonly #decoration = window.createTextEditorDecorationType({ rangeBehavior: DecorationRangeBehavior.ClosedClosed });
  readonly #heat = new Heat();
  readonly #byDocument = new Map<string, readonly TrackedEvidence[]>();
  readonly #subscriptions: readonly Disposable[];

  constructor(t: Translate) {
    this.#t = t;
    this.#subscriptions = [
      this.#decoration,
      this.#heat,
      window.onDidChangeVisibleTextEditors(() => this.#showAll()),
      workspace.onDidCloseTextDocument(({ uri }) => this.#byDocument.delete(uri.toString())),
      workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const evidence = this.#byDocument.get(document.uri.toString());
        if (!evidence || contentChanges.length === 0) return;
        // Changes of one event are listed from the end to the start: none of them moves another.
        this.#byDocument.set(
          document.uri.toString(),
          evidence.map((one) => contentChanges.reduce(moved, one)),
        );
        this.#show(document);
      }),
    ];
  }

  /** `first` and `last`: lines of the function, from 0. Another run of the same function is replaced. */
  show(document: TextDocument, key: string, lines: { first: number; last: number }, notes: readonly Note[]): void {
    const others = (this.#byDocument.get(document.uri.toString()) ?? []).filter((one) => one.key !== key);
    this.#byDocument.set(document.uri.toString(), [...others, track(key, lines.first, lines.last, notes, linesOf(document))]);
    this.#show(document);
  }

  clear(): void {
    this.#byDocument.clear();
    this.#showAll();
  }

  dispose(): void {
    for (const one of this.#subscriptions) one.dispose();
  }

  #showAll(): void {
    for (const document of new Set(window.visibleTextEditors.map(({ document }) => document))) this.#show(document);
  }

  #show(document: TextDocument): void {
    const notes = (this.#byDocument.get(document.uri.toString()) ?? []).flatMap((evidence) => shownNotes(evidence, linesOf(document)));
    const options = notes.map((note) => this.#optionsOf(note, document));
    const hot = notes.flatMap(({ line, share, stale }) => (share === undefined || stale ? [] : [{ line, share }]));
    for (const editor of window.visibleTextEditors) {
      if (editor.document !== document) continue;
      editor.setDecorations(this.#decoration, options);
      this.#heat.show(editor, hot);
    }
  }

  #optionsOf({ line, text, tone, hover, stale }: ShownNote, document: TextDocument): DecorationOptions {
    const { range } = document.lineAt(line);
    const end = range.end;
    // One character is enough for the hover to belong to the end of the line, where the words are.
    const place = new Range(end.with({ character: Math.max(0, end.character - 1) }), end);
    // What is marked for its share of the time alone has no words.
    const words = stale && text !== '' ? this.#t('{0} (code has changed)', text) : text;
    return {
      range: place,
      hoverMessage: new MarkdownString(stale ? `${this.#t('The code has changed since this was measured.')}\n\n${hover}` : hover),
      renderOptions: {
        after: {
          contentText: words,
          color: new ThemeColor(COLORS[stale ? 'stale' : tone]),
          margin: '0 0 0 2.5em',
          fontStyle: stale ? 'italic' : 'normal',
        },
      },
    };
  }
}

function linesOf(document: TextDocument): LinesOf {
  return (first, last) =>
    first >= document.lineCount
      ? ''
      : document.getText(new Range(first, 0, last, document.lineAt(Math.min(last, document.lineCount - 1)).text.length));
}
