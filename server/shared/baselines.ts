// Which findings of a file its baseline knows, and where one is accepted.
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Finding } from '../../protocol/finding.ts';
import type { EditorSettings } from '../../protocol/settings.ts';
import {
  BASELINE_FILE,
  folderOfBaseline,
  nameIn,
  readBaseline,
  writeBaseline,
  type KnownEntry,
} from '../../workspace/baseline/baseline-file.ts';
import { matchKnown, placeFindings } from '../../workspace/baseline/known-findings.ts';
import { findRepositoryRoot } from '../../workspace/discovery/git-ignore.ts';
import { CommandError } from '../../workspace/errors.ts';

/** How known findings are shown. */
export interface KnownFindings {
  /** By place of the finding among the file's. */
  entries: ReadonlyMap<number, KnownEntry>;
  as: Exclude<EditorSettings['baseline'], 'show'>;
}

interface Baseline {
  /** Absolute path. */
  path: string;
  folder: string;
  byFile: ReadonlyMap<string, readonly KnownEntry[]>;
  /** Of files that are not there any more: their code may have moved. */
  moved: readonly KnownEntry[];
}

/** Made anew when files change: what is read is kept. */
export class Baselines {
  readonly #log: (message: string) => void;
  /** The workspace folder that holds a path: where a baseline is looked for if there is no repository. */
  readonly #folderOf: (path: string) => string | undefined;
  readonly #paths = new Map<string, string | undefined>();
  readonly #read = new Map<string, Baseline | undefined>();

  constructor(folderOf: (path: string) => string | undefined, log: (message: string) => void) {
    this.#folderOf = folderOf;
    this.#log = log;
  }

  /** Undefined where nothing is known. @param text what the findings' places count in */
  knownIn(file: string, text: string, findings: readonly Finding[], as: EditorSettings['baseline']): KnownFindings | undefined {
    if (as === 'show' || findings.length === 0) return undefined;
    const path = this.#find(file);
    const baseline = path === undefined ? undefined : this.#load(path);
    if (!baseline) return undefined;
    const entries = [...(baseline.byFile.get(nameIn(baseline.folder, file)) ?? []), ...baseline.moved];
    if (entries.length === 0) return undefined;
    const { known } = matchKnown(placeFindings(findings, text, baseline.folder), entries, () => true);
    const byPlace = new Map<number, KnownEntry>();
    for (const [i, finding] of findings.entries()) {
      const entry = known.get(finding);
      if (entry) byPlace.set(i, entry);
    }
    return byPlace.size > 0 ? { entries: byPlace, as } : undefined;
  }

  /**
   * Adds an entry to the file's baseline, which is made if there is none. Gives its path.
   * @throws CommandError for a baseline that cannot be read or written
   */
  accept(file: string, text: string, findings: readonly Finding[], index: number, date: string, reason: string | undefined): string {
    const path = this.#find(file) ?? join(this.#folderOf(file) ?? dirname(file), BASELINE_FILE);
    const before = readBaseline(path);
    const placed = placeFindings(findings, text, folderOfBaseline(path));
    const { known } = matchKnown(placed, before ?? [], () => false);
    const one = placed[index];
    if (one && !known.has(one.finding))
      writeBaseline(path, before, [...(before ?? []), { ...one.entry, date, ...(reason === undefined ? {} : { reason }) }]);
    return path;
  }

  /** The nearest one above the file, up to the root of the repository. */
  #find(file: string): string | undefined {
    const start = dirname(file);
    if (!this.#paths.has(start)) {
      const end = findRepositoryRoot(start) ?? this.#folderOf(file) ?? start;
      let found: string | undefined;
      for (let at = start; found === undefined; at = dirname(at)) {
        if (existsSync(join(at, BASELINE_FILE))) found = join(at, BASELINE_FILE);
        if (at === end || dirname(at) === at) break;
      }
      this.#paths.set(start, found);
    }
    return this.#paths.get(start);
  }

  #load(path: string): Baseline | undefined {
    if (!this.#read.has(path)) this.#read.set(path, this.#readFrom(path));
    return this.#read.get(path);
  }

  #readFrom(path: string): Baseline | undefined {
    const folder = folderOfBaseline(path);
    try {
      const byFile = new Map<string, KnownEntry[]>();
      for (const entry of readBaseline(path) ?? []) {
        const own = byFile.get(entry.file);
        if (own) own.push(entry);
        else byFile.set(entry.file, [entry]);
      }
      const gone = [...byFile].filter(([name]) => !existsSync(join(folder, ...name.split('/'))));
      return { path, folder, byFile, moved: gone.flatMap(([, entries]) => entries) };
    } catch (error) {
      if (!(error instanceof CommandError)) throw error;
      this.#log(error.message);
      return undefined;
    }
  }
}
