// What runs saw and no rule predicted, as it is kept, and found again as long as the code is unchanged.
import type { SeenByRun } from '../../protocol/seen-by-run.ts';
import type { KeptProfile, KeptSeen } from '../../protocol/kept-evidence.ts';
import type { Span } from '../../protocol/finding.ts';
import { Facts } from '../../analysis/facts/index.ts';
import { ModuleIndex } from '../../analysis/module/module-index.ts';
import { parse } from '../../analysis/module/parse.ts';
import { Source } from '../../analysis/module/source.ts';
import { FindingPlaces } from '../../analysis/run/evidence.ts';
import { hashOf } from '../hash.ts';

/** Of the file that the facts are about. */
export function keptSeen(findings: readonly SeenByRun[], facts: Facts): KeptSeen[] {
  const places = new FindingPlaces(facts, hashOf);
  const { source } = facts;
  return findings
    .filter(({ place }) => place.file === source.file && place.line <= source.lineCount)
    .map(({ kind, place: { line }, figure, grounds, remedy, cost }) => {
      const span = codeSpan(source, line);
      return { kind, line, code: places.codeOf(span), hash: places.hashAround(span), figure, grounds, remedy, cost };
    });
}

export interface FoundSeen {
  /** The code of the line. */
  span: Span;
  seen: KeptSeen;
  profile: KeptProfile;
}

/**
 * On the lines of the text as it is now. What was seen of code that is another now is left out. Of several profiles of one line the newest
 * counts.
 */
export function findSeen(profiles: readonly KeptProfile[], file: string, text: string): FoundSeen[] {
  const kept = profiles
    .flatMap((profile) => (profile.seen ?? []).map((seen) => ({ profile, seen })))
    .sort((a, b) => (a.profile.date < b.profile.date ? 1 : -1));
  if (kept.length === 0) return [];
  const source = new Source(file, text);
  // By their text first: reading the file is only worth it where a line is still there.
  const lines = new Map<string, number[]>();
  for (let line = 1; line <= source.lineCount; line++) {
    const code = collapsed(source.lineText(line));
    lines.set(code, [...(lines.get(code) ?? []), line]);
  }
  if (!kept.some(({ seen }) => lines.has(seen.code))) return [];
  const outcome = parse(file, text);
  if (!outcome.ok) return [];
  // Which Node the project runs on matters to rules, and not to places.
  const places = new FindingPlaces(new Facts(new ModuleIndex(outcome.ast), source, { nodeRange: '*', nodeRangeSource: '' }), hashOf);
  const found = new Map<string, FoundSeen>();
  for (const { profile, seen } of kept) {
    const same = (lines.get(seen.code) ?? []).filter((line) => places.hashAround(codeSpan(source, line)) === seen.hash);
    // Of lines that look the same the nearest.
    const [line] = same.sort((a, b) => Math.abs(a - seen.line) - Math.abs(b - seen.line));
    if (line === undefined) continue;
    const key = `${line} ${seen.kind}`;
    if (!found.has(key)) found.set(key, { span: codeSpan(source, line), seen, profile });
  }
  return [...found.values()].sort((a, b) => a.span.start - b.span.start);
}

function codeSpan(source: Source, line: number): Span {
  const text = source.lineText(line);
  const start = source.offsetAt({ line, column: 1 }) + (text.length - text.trimStart().length);
  return { start, end: start + text.trim().length };
}

function collapsed(line: string): string {
  return line.trim().replace(/\s+/g, ' ');
}
