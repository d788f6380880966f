// Which findings a baseline knows, and which of its entries are gone.
import type { Finding } from '../../protocol/finding.ts';
import { CodePrints, type CodePrint } from '../../analysis/run/code-print.ts';
import { hashOf } from '../hash.ts';
import { nameIn, type KnownEntry } from './baseline-file.ts';

/** Characters of code that an entry shows. */
const SHOWN_CODE = 100;

export interface PlacedFinding {
  finding: Finding;
  /** The finding as an entry, without what people add to it. */
  entry: Omit<KnownEntry, 'date' | 'reason'>;
  /** Undefined where the syntax is not known. */
  isInFunction: boolean | undefined;
}

/** The findings of one file as entries of a baseline in `folder`. */
export function placeFindings(findings: readonly Finding[], text: string, folder: string): PlacedFinding[] {
  if (findings.length === 0) return [];
  const prints = new CodePrints(findings[0]?.file ?? '', text);
  return findings.map((finding) => {
    const print = prints.of(finding.span);
    return { finding, entry: entryOf(finding, text, print, folder), isInFunction: print.isInFunction };
  });
}

function entryOf(
  { ruleId, file, span, functionName, route, routes }: Finding,
  text: string,
  { code, around }: CodePrint,
  folder: string,
): PlacedFinding['entry'] {
  const shown = text.slice(span.start, span.end).replace(/\s+/g, ' ');
  return {
    file: nameIn(folder, file),
    rule: ruleId,
    ...(functionName === undefined ? {} : { function: functionName }),
    routes: [...(routes ?? (route === undefined ? [] : [route]))].sort(),
    code: shown.length > SHOWN_CODE ? `${shown.slice(0, SHOWN_CODE - 1)}…` : shown,
    print: hashOf(code),
    around: hashOf(around),
  };
}

export interface Matched {
  known: ReadonlyMap<Finding, KnownEntry>;
  /** Entries of which no finding was there. */
  unmatched: readonly KnownEntry[];
}

type Entry = PlacedFinding['entry'];

/**
 * Each entry knows one finding at most, so a finding that is new is not covered by one that was fixed. Better matches come first: they
 * decide which of several equal places is the new one.
 */
export function matchKnown(
  placed: readonly PlacedFinding[],
  entries: readonly KnownEntry[],
  /** Whether the run has looked for an entry where it was: otherwise nothing tells that it has moved. */
  isLookedFor: (entry: KnownEntry) => boolean,
): Matched {
  const known = new Map<Finding, KnownEntry>();
  const open = new Set(entries);
  for (const isMatch of MATCHES) {
    const byKey = groupBy([...open], keyOf);
    for (const { finding, entry } of placed) {
      if (known.has(finding)) continue;
      const found = byKey
        .get(keyOf(entry))
        ?.find((one) => open.has(one) && isMatch(one, entry) && (one.file === entry.file || isLookedFor(one)));
      if (!found) continue;
      known.set(finding, found);
      open.delete(found);
    }
  }
  return { known, unmatched: [...open] };
}

/** Rule, code, and function. A line is no part of it. */
function keyOf({ rule, print, function: fn }: Entry): string {
  return JSON.stringify([rule, print, fn]);
}

const MATCHES: readonly ((was: Entry, is: Entry) => boolean)[] = [
  (was, is) => was.file === is.file && was.around === is.around && was.routes.join() === is.routes.join(),
  // One more route that leads to the place, or one less, does not make it new.
  (was, is) => was.file === is.file && haveCommonRoute(was.routes, is.routes),
  // A route with another name.
  (was, is) => was.file === is.file && was.around === is.around,
  // A function that has moved to another file, as it was.
  (was, is) => was.around === is.around && haveCommonRoute(was.routes, is.routes),
];

/** Where a route is not known, it does not tell places apart. */
function haveCommonRoute(a: readonly string[], b: readonly string[]): boolean {
  return a.length === 0 || b.length === 0 || a.some((route) => b.includes(route));
}

function groupBy<T>(all: readonly T[], keyOfOne: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const key = keyOfOne(one);
    const group = groups.get(key);
    if (group) group.push(one);
    else groups.set(key, [one]);
  }
  return groups;
}
