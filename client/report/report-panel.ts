// The panel beside the editor with the report of the last profile.
import { randomBytes } from 'node:crypto';
import { commands, env, l10n, Range, Uri, ViewColumn, window, workspace, type Disposable, type WebviewPanel } from 'vscode';
import type { SourcePlace } from '../../protocol/evidence.ts';
import type { ReportModel } from './report-model.ts';
import { reportPage, type RevealMessage } from './report-view.ts';
import type { Translate } from '../translate.ts';

/** How a model calls files and times. */
export interface PageWords {
  pathOf(file: string): string;
  dateOf(iso: string): string;
  t: Translate;
}

export interface ShownPage {
  /** Of the tab. */
  title: string;
  model(words: PageWords): ReportModel;
}

const NONCE_BYTES = 18;

export class ReportPanel implements Disposable {
  /** Holds the page's script and style. */
  readonly #folder: Uri;
  #panel: WebviewPanel | undefined;
  #places: readonly SourcePlace[] = [];
  #wasClosed = false;

  constructor(folder: Uri) {
    this.#folder = folder;
  }

  /** `asked`: by the user. Otherwise a panel that the user closed stays closed, and the answer is false. */
  show(page: ShownPage, asked: boolean): boolean {
    if (!asked && this.#wasClosed) return false;
    const panel = (this.#panel ??= this.#create());
    const model = page.model({
      pathOf: (file) => workspace.asRelativePath(file),
      dateOf: (iso) => new Date(iso).toLocaleString(env.language, { dateStyle: 'medium', timeStyle: 'short' }),
      t: l10n.t,
    });
    const uriOf = (name: string): string => panel.webview.asWebviewUri(Uri.joinPath(this.#folder, name)).toString();
    const { html, places } = reportPage({
      model,
      source: panel.webview.cspSource,
      nonce: randomBytes(NONCE_BYTES).toString('base64'),
      script: uriOf('report.js'),
      style: uriOf('report-style.css'),
      language: env.language,
    });
    this.#places = places;
    panel.title = page.title;
    panel.webview.html = html;
    panel.reveal(panel.viewColumn ?? ViewColumn.Beside, !asked);
    return true;
  }

  close(): void {
    this.#panel?.dispose();
    this.#wasClosed = false;
  }

  dispose(): void {
    this.#panel?.dispose();
  }

  #create(): WebviewPanel {
    const panel = window.createWebviewPanel(
      'nodometer.report',
      l10n.t('Profile'),
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableScripts: true, localResourceRoots: [this.#folder], enableFindWidget: true },
    );
    this.#wasClosed = false;
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#wasClosed = true;
    });
    panel.webview.onDidReceiveMessage((message: Partial<RevealMessage> | undefined) => {
      const place = message?.type === 'reveal' && typeof message.place === 'number' ? this.#places[message.place] : undefined;
      if (place) void reveal(place);
    });
    return panel;
  }
}

async function reveal({ file, line, column }: SourcePlace): Promise<void> {
  const uri = Uri.file(file);
  // VS Code shows it with a viewer of its own.
  if (file.endsWith('.cpuprofile')) return void (await commands.executeCommand('vscode.open', uri, ViewColumn.One));
  const shown = window.visibleTextEditors.find(({ document }) => document.uri.toString() === uri.toString());
  const start = { line: Math.max(0, line - 1), character: Math.max(0, column - 1) };
  await window.showTextDocument(uri, {
    viewColumn: shown?.viewColumn ?? ViewColumn.One,
    selection: new Range(start.line, start.character, start.line, start.character),
  });
}
