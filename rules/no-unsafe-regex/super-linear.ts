// Asks scslre in how many ways a regular expression can try a text that it does not match. The library decides; this only reads its
// reports.
import { analyse, type Report } from 'scslre';

export interface Slowness {
  /**
   * `exponential`: each further character doubles the time, or nearly so. A number: the power of the text's length that the time grows
   * with.
   */
  degree: 'exponential' | number;
  /** A character that is repeated in a text that takes long. */
  character: string;
  /** The part of the expression that can be read in several ways. */
  part: string;
}

// Longer ones are generated (lists of words, grammars): their analysis takes seconds, and their author is a program.
const MAX_LENGTH = 1000;
// More reports say no more: one exponential part is enough, and degrees above four are all alike hopeless.
const MAX_REPORTS = 24;

/** The cheapest guard: what repeats nothing without limit, or only once, is not exponential, and of no high power. */
export function mayBeSlow(pattern: string): boolean {
  return pattern.length <= MAX_LENGTH && (pattern.match(/[+*]|\{\d+,\}/g)?.length ?? 0) >= 2;
}

export function findSlowness(pattern: string, flags: string): Slowness | undefined {
  if (!mayBeSlow(pattern)) return undefined;
  let reports: readonly Report[];
  try {
    // `v` and modifiers newer than the library's grammar are read as an error, and left alone.
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

/** Quantifiers that exchange characters with each other, each with each, and one more where the expression may begin anywhere. */
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
