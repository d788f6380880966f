// The workspace's folders and the settings that hold in each.
import { sep } from 'node:path';
import semver from 'semver';
import { decodeSettings, type EditorSettings } from '../../protocol/settings.ts';
import type { AnyRule } from '../../analysis/rule.ts';
import { pathOfUri } from './documents.ts';

export interface Folder {
  uri: string;
  /** Absolute path; undefined for a folder that lies on no disk. */
  path: string | undefined;
}

export interface FoldersRequest {
  rules: readonly AnyRule[];
  /** The section `nodometer` of the settings that hold for a URI; undefined for those of the window. */
  fetch(scopeUri: string | undefined): Promise<unknown>;
  /** A value that could not be used: reported once, until it is mended. */
  warn(message: string): void;
}

export class Folders {
  readonly #request: FoldersRequest;
  #folders: readonly Folder[] = [];
  #settings = new Map<string, Promise<EditorSettings>>();
  /** By folder, so that a value that is still bad after a change of others is not reported again. */
  readonly #problems = new Map<string, ReadonlySet<string>>();

  constructor(request: FoldersRequest) {
    this.#request = request;
  }

  get all(): readonly Folder[] {
    return this.#folders;
  }

  set(uris: readonly string[]): void {
    this.#folders = [...new Set(uris)].map((uri) => ({ uri, path: uri.startsWith('file:') ? withoutEnd(pathOfUri(uri)) : undefined }));
  }

  change(added: readonly string[], removed: readonly string[]): void {
    this.set([...this.#folders.map(({ uri }) => uri).filter((uri) => !removed.includes(uri)), ...added]);
    this.#settings = new Map();
  }

  /** The innermost folder that holds a path. */
  findFolder(path: string): Folder | undefined {
    const holders = this.#folders.filter(
      (folder) =>
        folder.path !== undefined && (path === folder.path || path.startsWith(folder.path === sep ? sep : `${folder.path}${sep}`)),
    );
    return holders.sort((a, b) => (b.path?.length ?? 0) - (a.path?.length ?? 0))[0];
  }

  /** The same object until the settings change. */
  settingsFor(folder: Folder | undefined): Promise<EditorSettings> {
    const key = folder?.uri ?? '';
    let settings = this.#settings.get(key);
    if (!settings) this.#settings.set(key, (settings = this.#read(key, folder?.uri)));
    return settings;
  }

  /** Forgets the settings, because they have changed. */
  resetSettings(): void {
    this.#settings = new Map();
  }

  async #read(key: string, scopeUri: string | undefined): Promise<EditorSettings> {
    const { rules, fetch, warn } = this.#request;
    const { settings, problems } = decodeSettings(await fetch(scopeUri), {
      ruleIds: rules.map((rule) => rule.meta.id),
      isNodeRange: (text) => semver.validRange(text) !== null,
    });
    for (const problem of problems) if (![...this.#problems.values()].some((known) => known.has(problem))) warn(problem);
    this.#problems.set(key, new Set(problems));
    return settings;
  }
}

function withoutEnd(path: string): string {
  return path.length > 1 && path.endsWith(sep) ? path.slice(0, -1) : path;
}
