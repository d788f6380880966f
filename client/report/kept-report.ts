// The last report as the workspace keeps it: after a reload the page shows it again, and nothing is run for that.
import { CONTEXT_KEYS, type EditorPosition } from '../../protocol/editor.ts';
import type { Store } from '../profile/profile-memory.ts';
import type { FilePrint } from './file-prints.ts';
import type { Picture } from './report-pictures.ts';
import type { ReportModel } from './report-parts.ts';

/** What "Profile again" runs, when the user asks for it. */
export type RunAgain =
  | {
      kind: 'function' | 'compare';
      uri: string;
      position: EditorPosition;
      name?: string;
      /** As the user typed them. */
      calls?: readonly string[];
    }
  | { kind: 'trace' | 'lag'; uri: string; script?: string }
  | { kind: 'load'; uri: string; script?: string; request: string };

export interface Report {
  /** Of the tab. */
  title: string;
  model: ReportModel;
  /** For a file of the user's. */
  markdown: string;
  /** ISO 8601, UTC. */
  date: string;
  again: RunAgain;
  /** The files whose code ran, as they were. */
  prints: readonly FilePrint[];
  /** Absolute path. */
  cpuProfile?: string;
}

const KEY = 'profile.report';
/** VS Code warns from 512 KiB on, and reads all of it when the extension starts. In characters of JSON. */
export const MOST_KEPT = 256 * 1024;

export class KeptReport {
  readonly #store: Store;
  /** Of the extension: another version may write other reports. */
  readonly #version: string;

  constructor(store: Store, version: string) {
    this.#store = store;
    this.#version = version;
  }

  get(): Report | undefined {
    const kept = this.#store.get<{ version: string; report: Report }>(KEY);
    return kept?.version === this.#version ? kept.report : undefined;
  }

  async set(report: Report | undefined): Promise<void> {
    const small = report && withinLimit(report);
    await this.#store.update(KEY, small && { version: this.#version, report: small });
  }
}

/** The values of VS Code's context keys for the commands about a report. */
export function reportContext(report: Report | undefined): Readonly<Record<string, boolean>> {
  return { [CONTEXT_KEYS.hasReport]: report !== undefined, [CONTEXT_KEYS.hasCpuProfile]: report?.cpuProfile !== undefined };
}

/** Without its pictures where they make it too large, the largest kind first; undefined where its words alone are. */
export function withinLimit(report: Report, most: number = MOST_KEPT): Report | undefined {
  const kinds = new Map<Picture['kind'], number>();
  for (const picture of report.model.sections.flatMap(({ pictures = [] }) => pictures))
    kinds.set(picture.kind, (kinds.get(picture.kind) ?? 0) + JSON.stringify(picture).length);
  const largestFirst = [...kinds].sort(([, a], [, b]) => b - a).map(([kind]) => kind);
  for (let left = 0; left <= largestFirst.length; left++) {
    const small = withoutPictures(report, largestFirst.slice(0, left));
    if (JSON.stringify(small).length <= most) return small;
  }
  return undefined;
}

function withoutPictures(report: Report, kinds: readonly Picture['kind'][]): Report {
  if (kinds.length === 0) return report;
  const sections = report.model.sections.map(({ pictures, ...section }) => {
    const left = pictures?.filter(({ kind }) => !kinds.includes(kind)) ?? [];
    return left.length > 0 ? { ...section, pictures: left } : section;
  });
  return { ...report, model: { ...report.model, sections } };
}
