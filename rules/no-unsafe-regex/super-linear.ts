// Asks scslre in how many ways a regular expression can try a text that it does not match. The library decides; this module only reads its
// reports.
import { analyse, type Report } from 'scslre';

export interface Slowness {
  /** `exponential`: each further character about doubles the time. A number: the time grows with this power of the text's length. */
  degree: 'exponential' | number;
  /** The repeated character of a text that takes long. */
  character: string;
  /** The part of the expression that can match in several ways. */
  part: string;
}

// Longer expressions are generated (word lists, grammars). Their analysis takes seconds, and a program wrote them.
const MAX_LENGTH = 1000;
// More reports say nothing new: one exponential part is enough, and degrees above four are equally bad.
const MAX_REPORTS = 24;

/** The cheapest check: an expression with fewer than two unlimited repetitions is neither exponential nor of a high degree. */
export function mayBeSlow(pattern: string): boolean {
  return pattern.length <= MAX_LENGTH && (pattern.match(/[+*]|\{\d+,\}/g)?.length ?? 0) >= 2;
}

export function findSlowness(pattern: string, flags: string): Slowness | undefined {
  if (!mayBeSlow(pattern)) return undefined;
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
