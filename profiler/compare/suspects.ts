// What no rule reports and may cost time: a finding of the run where comparing shows that it does, else nothing.
import type { ProfileReport, SourcePlace } from '../../protocol/evidence.ts';
import type { SeenByRun, SeenKind, Unpredicted } from '../../protocol/seen-by-run.ts';
import { costSentence, costText } from '../judge/cost.ts';
import { median } from '../evidence/statistics.ts';
import { compareWith, costOf, isCost, MOST_COMPARED, type CostRequest, type Without } from './costs.ts';
import { CONFIDENCE, shiftBetween, type Shift } from './shift.ts';

/** What no rule reports and may cost time. */
export interface Suspect {
  kind: SeenKind;
  place: SourcePlace;
  /** What it is, for the line with the figure. */
  name: string;
  /** What was seen, as a sentence. */
  ground: string;
  remedy: string;
  /** The version that it is compared with is not the best one: it costs at least the difference. */
  isLeast?: boolean;
  without: Without;
}

/** The report with those that cost. Why one could not be compared is no matter of the user's, who never heard of it. */
export async function withCostsOfSuspects(
  report: ProfileReport,
  request: Omit<CostRequest, 'without'> & { suspects: readonly Suspect[] },
): Promise<ProfileReport> {
  const suspects = request.suspects.slice(0, MOST_COMPARED);
  const outcome = await compareWith(
    suspects.map(({ without }) => without),
    // V8 compiles some of them again and again, which costs many times as much where the program waits for it.
    { ...request, process: { ...request.process, isConcurrent: true } },
  );
  if (!outcome || !report.unpredicted) return report;
  const { own, others } = outcome;
  const findings = suspects.flatMap((suspect, i) => {
    const shift = shiftBetween(others[i] ?? [], own);
    return (shift && judgeSuspect(suspect, shift, median(own), own.length)) ?? [];
  });
  return { ...report, unpredicted: withFindings(report.unpredicted, findings) };
}

/** @param ns of a call with it. Exported for its test. */
export function judgeSuspect(suspect: Suspect, shift: Shift, ns: number, processes: number): SeenByRun | undefined {
  if (!isCost(shift, ns)) return undefined;
  const { kind, place, name, ground, remedy, isLeast, without } = suspect;
  const cost = costOf(shift, ns);
  const least = isLeast ? 'at least ' : '';
  return {
    kind,
    place,
    figure: `${name}: ${least}${costText(cost)}`,
    grounds: [
      ground,
      `Compared with ${without.description}, ${processes} processes each: it costs ${least}${costSentence(cost, CONFIDENCE)}.`,
    ],
    remedy,
    cost,
  };
}

/** The largest first. What is a finding now needs no sentence about the same line. */
function withFindings({ findings, remarks }: Unpredicted, more: readonly SeenByRun[]): Unpredicted {
  const isSameLine = (a: SourcePlace, b: SourcePlace): boolean => a.file === b.file && a.line === b.line;
  return {
    findings: [...findings, ...more].sort((a, b) => b.cost.ns - a.cost.ns),
    remarks: remarks.filter(({ place }) => !more.some((one) => isSameLine(one.place, place))),
  };
}
