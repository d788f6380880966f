// The view with all routes of the workspace: what each blocks on, how long it took, what profiles say. It asks the server when it is seen.
import {
  commands,
  EventEmitter,
  l10n,
  Range,
  ThemeColor,
  ThemeIcon,
  TreeItem,
  TreeItemCollapsibleState,
  Uri,
  window,
  workspace,
  type Disposable,
  type TreeDataProvider,
  type TreeView,
} from 'vscode';
import type { LanguageClient } from 'vscode-languageclient/node';
import {
  PRODUCT,
  ROUTES_REQUEST,
  ROUTES_VIEW,
  type EditorPosition,
  type IndexState,
  type KnownRoute,
  type LoadRoute,
  type ProfileTarget,
  type RouteFinding,
  type RoutesResult,
} from '../protocol/editor.ts';
import { pick } from './message.ts';
import type { Store } from './profile/profile-memory.ts';
import {
  findingWords,
  orderWord,
  ROUTES_ORDERS,
  routesMessage,
  routeWords,
  sortedRoutes,
  type EntryWords,
  type RoutesOrder,
} from './routes-model.ts';

export interface RoutesViewDeps {
  client(): LanguageClient | undefined;
  /** Of the workspace. */
  store: Store;
}

type Entry = { kind: 'route'; route: KnownRoute } | { kind: 'finding'; finding: RouteFinding };

const ORDER = 'routes.order';
/** Typing changes what is known many times; the view follows when it stops, in ms. */
const GATHER_MS = 300;
/** Colors are by the user's theme; the words say the same. */
const COLORS: Readonly<Partial<Record<EntryWords['icon'], string>>> = {
  flame: 'editorError.foreground',
  warning: 'editorWarning.foreground',
  info: 'editorInfo.foreground',
  pass: 'testing.iconPassed',
};

export class RoutesView implements TreeDataProvider<Entry>, Disposable {
  readonly #deps: RoutesViewDeps;
  readonly #changed = new EventEmitter<undefined>();
  readonly #view: TreeView<Entry>;
  readonly onDidChangeTreeData = this.#changed.event;
  #index: IndexState | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(deps: RoutesViewDeps) {
    this.#deps = deps;
    this.#view = window.createTreeView<Entry>(ROUTES_VIEW, { treeDataProvider: this, showCollapseAll: true });
    void commands.executeCommand('setContext', `${PRODUCT}.isActive`, true);
  }

  set index(index: IndexState) {
    const isAnother = index.kind !== this.#index?.kind;
    this.#index = index;
    if (isAnother) this.refresh();
  }

  /** VS Code asks again if the view can be seen, else when it is. */
  refresh(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#changed.fire(undefined), GATHER_MS);
  }

  dispose(): void {
    clearTimeout(this.#timer);
    this.#view.dispose();
    this.#changed.dispose();
  }

  async getChildren(entry?: Entry): Promise<Entry[]> {
    if (entry) return entry.kind === 'route' ? entry.route.places.map((finding) => ({ kind: 'finding', finding })) : [];
    const client = this.#deps.client();
    const result = await client?.sendRequest<RoutesResult>(ROUTES_REQUEST, {});
    this.#view.message = routesMessage(result, { index: this.#index, isRunning: client !== undefined }, l10n.t);
    return sortedRoutes(result?.routes ?? [], this.#order()).map((route) => ({ kind: 'route', route }));
  }

  getTreeItem(entry: Entry): TreeItem {
    return entry.kind === 'route' ? routeItem(entry.route) : findingItem(entry.finding);
  }

  async sort(): Promise<void> {
    const current = this.#order();
    const choices = ROUTES_ORDERS.map((order) => ({
      label: orderWord(order, l10n.t),
      order,
      ...(order === current ? { description: l10n.t('current') } : {}),
    }));
    const chosen = await pick(choices, { title: l10n.t('Sort Routes') });
    if (!chosen) return;
    await this.#deps.store.update(ORDER, chosen.order);
    this.#changed.fire(undefined);
  }

  /** Shows the handler of an entry, too: what is measured stands in its file. */
  async targetOf(entry: unknown): Promise<ProfileTarget | undefined> {
    const { route } = (typeof entry === 'object' && entry !== null ? entry : {}) as { route?: KnownRoute };
    const target = route?.handler;
    if (target) await window.showTextDocument(Uri.parse(target.uri), { selection: rangeOf(target.position, target.position) });
    return target;
  }

  /** What an entry is asked under load; undefined for what is none, or has no path. */
  loadOf(entry: unknown): LoadRoute | undefined {
    const { route } = (typeof entry === 'object' && entry !== null ? entry : {}) as { route?: KnownRoute };
    if (route?.request === undefined) return undefined;
    return { uri: route.uri, request: route.request, ...(route.route === undefined ? {} : { route: route.route }) };
  }

  #order(): RoutesOrder {
    const kept = this.#deps.store.get<string>(ORDER);
    return ROUTES_ORDERS.find((order) => order === kept) ?? 'findings';
  }
}

function routeItem(route: KnownRoute): TreeItem {
  const words = routeWords(route, placeOf(route.uri, route.position), l10n.t);
  const item = itemOf(words, route.places.length > 0 ? TreeItemCollapsibleState.Collapsed : TreeItemCollapsibleState.None);
  item.contextValue = route.handler ? 'route.profiled' : 'route';
  item.command = openCommand(route.uri, route.position, route.position);
  return item;
}

function findingItem(finding: RouteFinding): TreeItem {
  const item = itemOf(findingWords(finding, placeOf(finding.uri, finding.range.start), l10n.t), TreeItemCollapsibleState.None);
  item.contextValue = 'finding';
  item.command = openCommand(finding.uri, finding.range.start, finding.range.end);
  return item;
}

function itemOf({ label, description, tooltip, icon }: EntryWords, state: TreeItemCollapsibleState): TreeItem {
  const item = new TreeItem(label, state);
  const color = COLORS[icon];
  item.description = description;
  item.tooltip = tooltip;
  item.iconPath = new ThemeIcon(icon, color === undefined ? undefined : new ThemeColor(color));
  item.accessibilityInformation = { label: tooltip };
  return item;
}

function openCommand(uri: string, start: EditorPosition, end: EditorPosition): NonNullable<TreeItem['command']> {
  return { command: 'vscode.open', title: l10n.t('Open'), arguments: [Uri.parse(uri), { selection: rangeOf(start, end) }] };
}

function rangeOf(start: EditorPosition, end: EditorPosition): Range {
  return new Range(start.line, start.character, end.line, end.character);
}

/** `lib/store.js:12`. */
function placeOf(uri: string, { line }: EditorPosition): string {
  return `${workspace.asRelativePath(Uri.parse(uri))}:${line + 1}`;
}
