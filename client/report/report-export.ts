// The report as a file of the user's: its name, and what stands in it.
import { posix } from 'node:path';
import type { Report } from './kept-report.ts';

const KINDS = { function: 'profile', compare: 'compare', trace: 'trace', lag: 'lag', load: 'load' } as const;
const MOST_NAME = 60;

/** `profile-total-2026-01-02.md`. */
export function exportName({ again, date }: Pick<Report, 'again' | 'date'>): string {
  const named = 'position' in again ? again.name : again.kind === 'load' ? again.request : again.script;
  // Letters of all languages are letters of file names.
  const what = (named ?? posix.basename(decodeURIComponent(again.uri))).replaceAll(/[^\p{L}\p{N}_$.-]+/gu, '-').slice(0, MOST_NAME);
  return `${KINDS[again.kind]}-${what}-${date.slice(0, 'yyyy-mm-dd'.length)}.md`;
}

/** @param stale a sentence; empty where the report is up to date */
export function exportText({ markdown }: Pick<Report, 'markdown'>, stale: string): string {
  return stale === '' ? markdown : markdown.replace(/^(#.*)\n/, (title) => `${title}\n> ${stale}\n`);
}
