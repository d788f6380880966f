// The language-status items: the state of the document in front, and the Node that the rules think of.
import { languages, l10n, LanguageStatusSeverity, window, type Disposable, type LanguageStatusItem } from 'vscode';
import { PRODUCT, type IndexState, type StatusParams } from '../../protocol/editor.ts';
import { asLabel, asNotice, asOneLine } from '../../protocol/safe-text.ts';
import { documentSelector, statusSelector, unlintedKind } from './document-selector.ts';
import type { NodeChoice } from './node-choice.ts';
import type { ServerState } from './server-session.ts';
import { labelOf, nodeView, shortened, stateView, type StatusFacts, type StatusView } from './status-text.ts';

const SEVERITY = {
  information: LanguageStatusSeverity.Information,
  warning: LanguageStatusSeverity.Warning,
  error: LanguageStatusSeverity.Error,
};

export class Status implements Disposable {
  readonly #state: LanguageStatusItem;
  readonly #nodeItem: LanguageStatusItem;
  readonly #documents = new Map<string, StatusParams>();
  readonly #subscription: Disposable;
  #server: ServerState = { kind: 'starting' };
  #node: NodeChoice = {};
  #index: IndexState | undefined;
  readonly #runs = { linting: 0, profiling: 0 };

  constructor(folderSchemes: readonly string[]) {
    this.#state = languages.createLanguageStatusItem(`${PRODUCT}.state`, statusSelector(folderSchemes));
    this.#state.name = l10n.t('Nodometer');
    this.#nodeItem = languages.createLanguageStatusItem(`${PRODUCT}.node`, documentSelector(folderSchemes));
    this.#nodeItem.name = l10n.t('Nodometer: Node');
    this.#subscription = window.onDidChangeActiveTextEditor(() => this.#show());
    this.#show();
  }

  set folderSchemes(folderSchemes: readonly string[]) {
    this.#state.selector = statusSelector(folderSchemes);
    this.#nodeItem.selector = documentSelector(folderSchemes);
  }

  set server(server: ServerState) {
    this.#server = server;
    // A new server tells of every document again.
    if (server.kind !== 'running') {
      this.#documents.clear();
      this.#index = undefined;
    }
    this.#show();
  }

  set node(node: NodeChoice) {
    this.#node = node;
    this.#show();
  }

  set index(index: IndexState) {
    this.#index = index;
    this.#show();
  }

  set document(status: StatusParams) {
    this.#documents.set(status.uri, status);
    this.#show();
  }

  forget(uri: string): void {
    this.#documents.delete(uri);
  }

  /** Shows that the workspace is linted, or a function profiled, until the promise settles. */
  async during<T>(run: Promise<T>, work: 'linting' | 'profiling'): Promise<T> {
    this.#runs[work]++;
    this.#show();
    try {
      return await run;
    } finally {
      this.#runs[work]--;
      this.#show();
    }
  }

  dispose(): void {
    for (const item of [this.#state, this.#nodeItem, this.#subscription]) item.dispose();
  }

  #show(): void {
    const front = window.activeTextEditor?.document.uri;
    const uri = front?.toString();
    const facts: StatusFacts = {
      server: this.#server,
      document: uri === undefined ? undefined : this.#documents.get(uri),
      unlinted: front && unlintedKind(front),
      index: this.#index,
      lintingWorkspace: this.#runs.linting > 0,
      profiling: this.#runs.profiling > 0,
      node: this.#node,
    };
    fill(this.#state, stateView(facts, l10n.t));
    fill(this.#nodeItem, nodeView(facts, l10n.t));
  }
}

function fill(item: LanguageStatusItem, view: StatusView): void {
  item.text = asLabel(view.text);
  item.detail = shortened(asNotice(view.detail));
  item.severity = SEVERITY[view.severity];
  item.busy = view.busy;
  item.command = { command: view.command.id, title: view.command.title };
  item.accessibilityInformation = { label: asOneLine(labelOf(view, l10n.t)) };
}
