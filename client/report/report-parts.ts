// What a report is made of, and what its sections have in common.
import type { Profiled } from '../../protocol/editor.ts';
import type { ProfileReport, SourcePlace, VerdictKind } from '../../protocol/evidence.ts';
import type { Picture } from './report-pictures.ts';
import type { Translate } from '../translate.ts';

export interface Cell {
  text: string;
  /** A link to it. */
  place?: SourcePlace;
  /** Figures stand in columns of their own, at the right. */
  isFigure?: boolean;
  isCode?: boolean;
  verdict?: VerdictKind;
  /** Sentences below the text. */
  details?: readonly string[];
  /** Further sentences, for those who open them. */
  deeper?: { title: string; sentences: readonly string[] };
  /** Further places below the text, each with words of its own. */
  more?: readonly { text: string; place: SourcePlace }[];
}

export interface Table {
  columns: readonly { title: string; isFigure?: boolean }[];
  rows: readonly (readonly Cell[])[];
}

export interface Section {
  id: string;
  title: string;
  /** Only its title is seen at first, and this beside it: a few words, so that nobody opens it for nothing. */
  deeper?: string;
  text?: string;
  pictures?: readonly Picture[];
  table?: Table;
}

export interface ReportModel {
  title: string;
  /** Words beside figures, at the top. */
  figures: readonly { label: string; value: string; detail?: string }[];
  sections: readonly Section[];
  /** Machine, Node, date. */
  footer: readonly string[];
}

export interface ModelRequest {
  profiled: Pick<Profiled, 'report' | 'reasons'>;
  /** Runs of the same function before this one, the oldest first. */
  before: readonly ProfileReport[];
  /** Of the document: what lies behind was added for the run. */
  lineCount: number;
  /** As the user's workspace calls it. */
  pathOf(file: string): string;
  /** For people, in their own time zone. */
  dateOf(iso: string): string;
  t: Translate;
}

/** A longer table is cut, and says so. */
export const MOST_ROWS = 40;

export function placeCell(place: SourcePlace, { profiled: { report }, lineCount, pathOf, t }: ModelRequest): Cell {
  if (place.file !== report.target.file || report.program)
    return { text: report.program ? `${pathOf(place.file)}:${place.line}:${place.column}` : `${pathOf(place.file)}:${place.line}`, place };
  return place.line > lineCount ? { text: t('profiler code') } : { text: t('line {0}:{1}', place.line, place.column), place };
}

/** Whether it is not about the lines that were added for the run. */
export function isShown({ profiled: { report }, lineCount }: ModelRequest): (thing: { place: SourcePlace }) => boolean {
  return ({ place }) => place.file !== report.target.file || place.line <= lineCount;
}

export function cutText(rows: number, t: Translate): { text?: string } {
  return rows > MOST_ROWS ? { text: t('The first {0} of {1} are shown.', MOST_ROWS, rows) } : {};
}

/** What the shared sections ask for, for a measurement of a program that has nothing of V8's. */
export function asRequest(
  { machine, date, command, problems }: Pick<ProfileReport, 'machine' | 'date' | 'problems'> & { command: string },
  words: Pick<ModelRequest, 'pathOf' | 'dateOf' | 't'>,
): ModelRequest {
  const report: ProfileReport = {
    target: { file: '', origin: 'file', calls: [command] },
    machine,
    date,
    calls: 1,
    program: {
      command,
      exitCode: null,
      processes: 1,
      files: [],
      monomorphic: 0,
      aside: { packageDeopts: 0, coreDeopts: 0, cacheLines: 0 },
    },
    tiers: [],
    deopts: [],
    inlineCaches: [],
    mapEvents: [],
    syncCalls: [],
    exceptions: [],
    blocks: [],
    verdicts: [],
    unreadLines: 0,
    problems,
  };
  return { profiled: { report, reasons: {} }, before: [], lineCount: Infinity, ...words };
}
