// The panel beside the editor with the report of the last profile. It comes back with the window, and says when it is out of date.
import { randomBytes } from 'node:crypto';
import { commands, env, l10n, Range, Uri, ViewColumn, window, workspace, type Disposable, type WebviewPanel } from 'vscode';
import { COMMANDS, REPORT_VIEW } from '../../protocol/editor.ts';
import type { SourcePlace } from '../../protocol/evidence.ts';
import { changedSince } from './file-prints.ts';
import { setContext } from '../set-context.ts';
import { reportContext, type KeptReport, type Report } from './kept-report.ts';
import type { ReportModel } from './report-parts.ts';
import { reportPage, staleText, type PageMessage, type StaleMessage } from './report-view.ts';
import { workspaceFiles } from './workspace-files.ts';
import type { Translate } from '../translate.ts';

/** How a model calls files and times. */
export interface PageWords {
  pathOf(file: string): string;
  dateOf(iso: string): string;
  t: Translate;
}

/** What a page is made of. */
export interface ShownPage extends Omit<Report, 'model'> {
  model(words: PageWords): ReportModel;
}

export interface PanelDeps {
  /** Holds the page's script and style. */
  folder: Uri;
  kept: KeptReport;
}

const NONCE_BYTES = 18;
/** Nobody reads while typing. */
const REST_MS = 300;

export class ReportPanel implements Disposable {
  readonly #deps: PanelDeps;
  readonly #subscriptions: readonly Disposable[];
  #panel: WebviewPanel | undefined;
  #report: Report | undefined;
  #places: readonly SourcePlace[] = [];
  #wasClosed = false;
  /** Of the report's files, as far as they were looked at. */
  readonly #changed = new Set<string>();
  readonly #toLookAt = new Set<string>();
  #look: ReturnType<typeof setTimeout> | undefined;

  constructor(deps: PanelDeps) {
    this.#deps = deps;
    this.#report = deps.kept.get();
    const look = ({ fsPath }: Uri): void => {
      if (this.#report?.prints.some(({ file }) => file === fsPath)) this.#lookLater([fsPath]);
    };
    this.#subscriptions = [
      workspace.onDidChangeTextDocument(({ document: { uri } }) => look(uri)),
      workspace.onDidOpenTextDocument(({ uri }) => look(uri)),
      workspace.onDidCloseTextDocument(({ uri }) => look(uri)),
      // Other programs may have written the files meanwhile.
      window.onDidChangeWindowState(({ focused }) => {
        if (focused) this.#lookLater(this.#files());
      }),
    ];
  }

  /** The last one, also of the time before a reload. */
  get report(): Report | undefined {
    return this.#report;
  }

  /** A sentence; empty where the files are still as they were. */
  async staleText(files: readonly string[] = this.#files()): Promise<string> {
    const report = this.#report;
    const prints = report?.prints.filter(({ file }) => files.includes(file)) ?? [];
    const changed = new Set(await changedSince(prints, workspaceFiles));
    if (this.#report !== report) return '';
    for (const { file } of prints) {
      if (changed.has(file)) this.#changed.add(file);
      else this.#changed.delete(file);
    }
    return this.#changed.size === 0
      ? ''
      : staleText(
          [...this.#changed].map((file) => workspace.asRelativePath(file)),
          l10n.t,
        );
  }

  /** A panel that the user closed stays closed, and the answer is false. */
  show({ model, ...page }: ShownPage): boolean {
    const words = {
      pathOf: (file: string) => workspace.asRelativePath(file),
      dateOf: (iso: string) => new Date(iso).toLocaleString(env.language, { dateStyle: 'medium', timeStyle: 'short' }),
      t: l10n.t,
    };
    this.#report = { ...page, model: model(words) };
    this.#changed.clear();
    void this.#deps.kept.set(this.#report);
    setContext(reportContext(this.#report));
    if (this.#wasClosed) return false;
    this.#showReport(this.#report, false);
    return true;
  }

  /** False where there is none. */
  showAgain(): boolean {
    if (this.#report) this.#showReport(this.#report, true);
    return this.#report !== undefined;
  }

  /** A panel that VS Code has brought back. Shows what was kept, and runs nothing. */
  restore(panel: WebviewPanel): void {
    // There is one panel: the newer one counts.
    if (this.#panel) return panel.dispose();
    this.#panel = panel;
    this.#listen(panel);
    if (this.#report) return this.#render(panel, this.#report);
    this.#render(panel, {
      title: l10n.t('Profile'),
      model: {
        title: l10n.t('Profile'),
        figures: [],
        sections: [
          {
            id: 'kept',
            title: l10n.t('No report'),
            text: l10n.t('This report was not kept when the window was closed. Profile again to get a new one.'),
          },
        ],
        footer: [],
      },
    });
  }

  async clear(): Promise<void> {
    this.#panel?.dispose();
    this.#wasClosed = false;
    this.#report = undefined;
    this.#changed.clear();
    setContext(reportContext(undefined));
    await this.#deps.kept.set(undefined);
  }

  dispose(): void {
    clearTimeout(this.#look);
    for (const one of this.#subscriptions) one.dispose();
    this.#panel?.dispose();
  }

  #showReport(report: Report, takesFocus: boolean): void {
    const panel = (this.#panel ??= this.#create());
    this.#render(panel, report);
    panel.reveal(panel.viewColumn ?? ViewColumn.Beside, !takesFocus);
  }

  #render(panel: WebviewPanel, { title, model }: Pick<Report, 'title' | 'model'>): void {
    const uriOf = (name: string): string => panel.webview.asWebviewUri(Uri.joinPath(this.#deps.folder, name)).toString();
    const { html, places } = reportPage({
      model,
      source: panel.webview.cspSource,
      nonce: randomBytes(NONCE_BYTES).toString('base64'),
      script: uriOf('report.js'),
      style: uriOf('report-style.css'),
      language: env.language,
      t: l10n.t,
    });
    this.#places = places;
    panel.title = title;
    panel.webview.html = html;
  }

  #create(): WebviewPanel {
    const panel = window.createWebviewPanel(
      REPORT_VIEW,
      l10n.t('Profile'),
      { viewColumn: ViewColumn.Beside, preserveFocus: true },
      { enableFindWidget: true },
    );
    this.#wasClosed = false;
    this.#listen(panel);
    return panel;
  }

  #listen(panel: WebviewPanel): void {
    // A panel that was brought back knows none of these.
    panel.webview.options = { enableScripts: true, localResourceRoots: [this.#deps.folder] };
    panel.onDidDispose(() => {
      this.#panel = undefined;
      this.#wasClosed = true;
    });
    panel.webview.onDidReceiveMessage((message: Partial<PageMessage> | undefined) => this.#answer(message ?? {}));
  }

  #answer(message: Partial<PageMessage>): void {
    switch (message.type) {
      case 'reveal': {
        const place = typeof message.place === 'number' ? this.#places[message.place] : undefined;
        if (place) void reveal(place);
        break;
      }
      case 'ready':
        void this.#tellStale(this.#files());
        break;
      case 'again':
        void commands.executeCommand(COMMANDS.profileAgain);
        break;
      case 'export':
        void commands.executeCommand(COMMANDS.exportReport);
    }
  }

  #files(): readonly string[] {
    return this.#report?.prints.map(({ file }) => file) ?? [];
  }

  #lookLater(files: readonly string[]): void {
    clearTimeout(this.#look);
    // A page that is not there asks when it is shown.
    if (!this.#panel) return;
    for (const file of files) this.#toLookAt.add(file);
    this.#look = setTimeout(() => {
      const some = [...this.#toLookAt];
      this.#toLookAt.clear();
      void this.#tellStale(some);
    }, REST_MS);
  }

  async #tellStale(files: readonly string[]): Promise<void> {
    const report = this.#report;
    if (!report) return;
    const text = await this.staleText(files);
    if (this.#report !== report) return;
    const message: StaleMessage = { type: 'stale', text };
    await this.#panel?.webview.postMessage(message);
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
