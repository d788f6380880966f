// The outcome of `nodometer compare`, in the terminal or as Markdown.
import type { Difference } from '../../protocol/evidence.ts';
import { NOT_TO_MISS } from '../../profiler/compare/difference.ts';
import { durationOfNs } from '../../profiler/judge/cost.ts';
import type { ProfileStyle } from '../../workspace/formats/profile-style.ts';

export interface DifferenceReport {
  functionName?: string;
  /** Relative. */
  file: string;
  node: string;
  calls: readonly string[];
  /** What is different in the second one. */
  note?: string;
  difference: Difference;
}

const PERCENT = 100;
/** With so many, a few processes that were disturbed no longer decide. */
const ENOUGH_ROUNDS = 40;
/** As `--rounds` takes them. */
const MOST_ROUNDS = 200;

export function formatDifference({ functionName, file, node, calls, note, difference }: DifferenceReport, style: ProfileStyle): string {
  const { first, second, per, low, high, confidence } = difference;
  const lines = [
    style.title(`${functionName ?? file} on Node ${node}`),
    style.dim(`${{ call: 'Calls', request: 'Requests', run: 'Command' }[per]}: ${calls.join('; ')}`),
    ...(note === undefined ? [] : [style.dim(`Fix: ${note}`)]),
    '',
    ...style.table(
      ['', `time per ${per}`, 'lowest', 'highest', 'processes'],
      [first, second].map(({ name, median, figures }) => [
        name,
        durationOfNs(median),
        durationOfNs(Math.min(...figures)),
        durationOfNs(Math.max(...figures)),
        String(figures.length),
      ]),
    ),
    '',
    style.verdict(KINDS[difference.verdict], sentenceOf(difference)),
    style.dim(
      `    ${(confidence * PERCENT).toFixed(1)} % interval of the difference: ${durationOfNs(low)} to ${durationOfNs(high)} per ${per}. Processes took turns; each gave one figure.`,
    ),
  ];
  const more = `--rounds ${Math.min(MOST_ROUNDS, Math.max(ENOUGH_ROUNDS, first.figures.length * 2))}`;
  if (difference.verdict === 'inconclusive')
    lines.push(style.dim(`    The times vary too much to tell. Close other programs, or use more processes: ${more}.`));
  // Neighbors on the same processor double the times of some processes and not of others.
  else if (difference.verdict === 'same' && low < -NOT_TO_MISS * first.median)
    lines.push(
      style.dim(
        `    It is not slower by ${NOT_TO_MISS * PERCENT} % or more, but it may be faster: the times vary too much to tell. Use more processes: ${more}.`,
      ),
    );
  return `${lines.join('\n')}\n`;
}

const KINDS = { slower: 'confirmed', faster: 'refuted', same: 'refuted', inconclusive: 'inconclusive' } as const;

function sentenceOf({ verdict, second, ns, ratio, per }: Difference): string {
  const factor = ratio === undefined ? '' : `, ${ratio.toFixed(2)}× the time`;
  if (verdict === 'inconclusive') return '? Inconclusive';
  if (verdict === 'same') return '✔ No difference shown';
  return `${verdict === 'slower' ? '✖ Slower' : '✔ Faster'} ${second.name}: by ${durationOfNs(Math.abs(ns))} per ${per}${factor}`;
}
