// Short calls that seldom run, which are not reported: a request that fails, or the first one, waits for microseconds.
import type { Facts } from '../../../analysis/facts/index.ts';
import type { BlockingMatch } from '../blocking.ts';
import { isOnFailingPath } from './failing-paths.ts';
import { isSharedFolderMadeOnce } from './missing-folders.ts';

/** What asks about one entry of a folder, makes it, or changes it. */
const isOfOneEntry = ({ row }: BlockingMatch): boolean => {
  const name = row.path.at(-1);
  return name === 'mkdtempSync' || (row.single === 'hint' && name !== 'readdirSync');
};

/** Readers of unseen applications called these hints noise (bench/unseen-applications.md). */
export function isShortAndSeldom(match: BlockingMatch, facts: Facts): boolean {
  const { call, level, row } = match;
  // In nested loops, or in a function that calls itself.
  if (row.single === 'hint' ? level !== 'hint' : facts.hotness.isMultipliedInOneTurn(call)) return false;
  return isSharedFolderMadeOnce(call, facts) || (isOfOneEntry(match) && isOnFailingPath(call, facts));
}
