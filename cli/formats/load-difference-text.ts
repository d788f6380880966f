// The outcome of `nodometer compare --load`, in the terminal or as Markdown.
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { LoadDifference, LoadSide } from '../../protocol/load.ts';
import { duration } from '../../profiler/judge/words.ts';
import { perSecondText } from '../../workspace/formats/load-text.ts';
import type { ProfileStyle } from '../../workspace/formats/profile-style.ts';
import { count } from '../../workspace/count.ts';

export interface LoadDifferenceReport {
  command: string;
  request: ProgramRequest;
  node: string;
  connections: number;
  rate?: number;
  /** In ms, of each process. */
  measureMs: number;
  /** What is different in the second one. */
  note?: string;
  difference: LoadDifference;
}

const PERCENT = 100;
const KINDS = { slower: 'confirmed', faster: 'refuted', same: 'refuted', inconclusive: 'inconclusive' } as const;

export function formatLoadDifference(report: LoadDifferenceReport, style: ProfileStyle): string {
  const { command, request, node, connections, rate, measureMs, note, difference } = report;
  const { first, second, figure, low, high, confidence, problems } = difference;
  const text = (value: number): string => (figure === 'rate' ? perSecondText(value) : duration(value));
  const what = figure === 'rate' ? 'requests/s' : 'p99';
  const row = ({ name, median, figures, p50, p99 }: LoadSide): string[] => [
    name,
    text(median),
    text(Math.min(...figures)),
    text(Math.max(...figures)),
    duration(p50),
    duration(p99),
    String(figures.length),
  ];
  const lines = [
    style.title(`${request.method} ${request.path} under load on Node ${node}`),
    style.dim(
      [
        command,
        count(connections, 'connection'),
        ...(rate === undefined ? [] : [`${rate} requests/s`]),
        `${duration(measureMs)} in each process`,
      ].join(' · '),
    ),
    ...(note === undefined ? [] : [style.dim(`Fix: ${note}`)]),
    '',
    ...style.table(['', `${what}, median`, 'lowest', 'highest', 'p50', 'p99', 'processes'], [row(first), row(second)]),
    '',
    style.verdict(KINDS[difference.verdict], sentenceOf(difference)),
    style.dim(
      `    ${(confidence * PERCENT).toFixed(1)} % interval of the ratio: ${ratio(low)} to ${ratio(high)}. Processes took turns; each gave one figure.`,
    ),
    ...problems.map((problem) => style.dim(`    ${problem}`)),
  ];
  if (difference.verdict === 'inconclusive')
    lines.push(style.dim('    It cannot be told. Close other programs, or use more processes: --rounds 40.'));
  return `${lines.join('\n')}\n`;
}

function sentenceOf({ verdict, second, ratio: value, figure }: LoadDifference): string {
  if (verdict === 'inconclusive') return '? Inconclusive';
  if (verdict === 'same') return '✔ No difference shown';
  const what = figure === 'rate' ? 'the requests per second' : 'the p99 latency';
  return `${verdict === 'slower' ? '✖ Slower' : '✔ Faster'} ${second.name}: ${ratio(value)} ${what}`;
}

function ratio(value: number): string {
  return `${value.toFixed(2)}×`;
}
