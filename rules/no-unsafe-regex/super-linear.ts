// In how many ways a regular expression can try a text that it does not match: what scslre reports, and what counted steps show.
import { analyse, type Report } from 'scslre';
import { findAttack, type FoundAttack } from './attack.ts';

export interface Slowness {
  /** `exponential`: each further character about doubles the time. A number: the time grows with this power of the text's length. */
  degree: 'exponential' | number;
  /** The repeated character of a text that takes long. */
  character: string;
  /** The part of the expression that can match in several ways. */
  part: string;
  /** A text that takes so long, where one was found. */
  text?: FoundAttack;
}

// Longer expressions are generated (word lists, grammars). Their analysis takes seconds, and a program wrote them.
const MAX_LENGTH = 1000;
// More reports say nothing new: one exponential part is enough, and degrees above four are equally bad.
const MAX_REPORTS = 24;

/** The cheapest check: an expression without an unlimited repetition takes linear time. */
export function mayBeSlow(pattern: string): boolean {
  return pattern.length <= MAX_LENGTH && /[+*]|\{\d+,\}/.test(pattern);
}

/**
 * @param isEverywhere whether the search goes on behind a match
 * @param mayContain whether such a text may occur at all. The library does not ask: its word counts unless the texts that take longest are
 *   found to be others.
 */
export function findSlowness(
  pattern: string,
  flags: string,
  isEverywhere: boolean,
  mayContain?: (text: string) => boolean,
): Slowness | undefined {
  if (!mayBeSlow(pattern)) return undefined;
  const library = askLibrary(pattern, flags);
  const hints = library ? [library.character] : [];
  const attack = findAttack(pattern, flags, isEverywhere, hints, mayContain);
  const isOfOthers =
    library && mayContain && attack?.degree !== 'exponential' && powerOf(findAttack(pattern, flags, isEverywhere, hints)) > powerOf(attack);
  const told = isOfOthers ? undefined : library;
  if (told?.degree === 'exponential') return { ...told, ...(attack?.degree === 'exponential' && { text: attack }) };
  if (!attack) return told;
  // The library cannot tell by which text. Where it knows of a higher power, the text that was found shows at least its own.
  const isHigher = told !== undefined && attack.degree !== 'exponential' && told.degree > attack.degree;
  return isHigher ? { ...told, text: attack } : { degree: attack.degree, character: attack.pump, part: attack.part, text: attack };
}

function powerOf(attack: FoundAttack | undefined): number {
  return attack?.degree === 'exponential' ? Number.POSITIVE_INFINITY : (attack?.degree ?? 1);
}

function askLibrary(pattern: string, flags: string): Slowness | undefined {
  let reports: readonly Report[];
  try {
    // The library cannot parse `v` and newer modifiers. Such expressions are skipped.
    reports = analyse({ source: pattern, flags }, { maxReports: MAX_REPORTS }).reports;
  } catch {
    return undefined;
  }
  const exponential = reports.find((report) => report.exponential);
  if (exponential) return { degree: 'exponential', character: exponential.character.pick, part: partOf(exponential) };
  const worst = reports.find((report) => report.type !== 'Move');
  return worst && { degree: degreeOf(reports), character: worst.character.pick, part: partOf(worst) };
}

function partOf(report: Report): string {
  return report.type === 'Self' ? report.parentQuant.raw : report.type === 'Trade' ? report.startQuant.raw : report.quant.raw;
}

/** The quantifiers that can all exchange characters with one another, plus one if the expression may start anywhere. */
function degreeOf(reports: readonly Report[]): number {
  const edges = new Map<unknown, Set<unknown>>();
  for (const report of reports) {
    if (report.type !== 'Trade') continue;
    for (const [from, to] of [
      [report.startQuant, report.endQuant],
      [report.endQuant, report.startQuant],
    ]) {
      const others = edges.get(from) ?? new Set();
      others.add(to);
      edges.set(from, others);
    }
  }
  let most = 1;
  for (const [start, others] of edges) {
    const group: unknown[] = [start];
    for (const other of others) if (group.every((member) => member === other || edges.get(member)?.has(other))) group.push(other);
    most = Math.max(most, group.length);
  }
  return most + (reports.some((report) => report.type === 'Move') ? 1 : 0);
}
