// The outcome of `nodometer compare --load`, in the terminal or as Markdown.
import type { ProgramRequest } from '../../protocol/evidence.ts';
import type { LoadDifference, LoadPoint, LoadSide, LoadSweep, RequestOrigin } from '../../protocol/load.ts';
import { duration } from '../../profiler/judge/words.ts';
import { perSecondText } from '../../workspace/formats/load-text.ts';
import { requestSourceText } from '../../workspace/formats/request-source.ts';
import type { ProfileStyle } from '../../workspace/formats/profile-style.ts';
import { count } from '../../workspace/count.ts';

/** What was compared, and how. */
export interface ComparedLoad extends Partial<RequestOrigin> {
  command: string;
  request: ProgramRequest;
  node: string;
  connections: number;
  rate?: number;
  /** In ms, of each process. */
  measureMs: number;
  /** What is different in the second one. */
  note?: string;
}

export type LoadDifferenceReport = ComparedLoad & { difference: LoadDifference };
export type LoadSweepReport = ComparedLoad & { sweep: LoadSweep };

const PERCENT = 100;
const MORE_PROCESSES = 'The times vary too much to tell. Close other programs, or use more processes: --rounds 40.';
const KINDS = { slower: 'confirmed', faster: 'refuted', same: 'refuted', inconclusive: 'inconclusive' } as const;

/** Of the longest bar of a sweep, in characters. */
const BAR_WIDTH = 20;
const EIGHTHS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉'];

export function formatLoadDifference(report: LoadDifferenceReport, cwd: string, style: ProfileStyle): string {
  const { difference } = report;
  const { first, second, figure, low, high, confidence, problems } = difference;
  const lines = [
    ...titleOf(report, cwd, style),
    ...style.table(COLUMNS(figure), [rowOf(first, figure), rowOf(second, figure)]),
    '',
    style.verdict(KINDS[difference.verdict], sentenceOf(difference)),
    style.dim(
      `    ${(confidence * PERCENT).toFixed(1)} % interval of the ratio: ${ratio(low)} to ${ratio(high)}. Processes took turns; each gave one figure.`,
    ),
    ...problems.map((problem) => style.dim(`    ${problem}`)),
  ];
  if (difference.verdict === 'inconclusive') lines.push(style.dim(`    ${MORE_PROCESSES}`));
  return `${lines.join('\n')}\n`;
}

/** A row and a bar for each version, and which of them is enough. */
export function formatLoadSweep(report: LoadSweepReport, cwd: string, style: ProfileStyle): string {
  const { figure, points, confidence, problems, enough } = report.sweep;
  const most = Math.max(...points.map(({ median }) => median));
  const row = (point: LoadPoint): string[] => [
    ...rowOf(point, figure),
    point.toFirst ? `${ratio(point.toFirst.ratio)} (${ratio(point.toFirst.low)} to ${ratio(point.toFirst.high)})` : '',
    barOf(point.median / most),
  ];
  const lines = [
    ...titleOf(report, cwd, style),
    ...style.table([...COLUMNS(figure), 'to the first', ''], points.map(row)),
    '',
    style.verdict(enough === undefined ? KINDS.inconclusive : KINDS.same, sweepSentence(report.sweep)),
    ...worseSentences(report.sweep).map((sentence) => style.dim(`    ${sentence}`)),
    style.dim(
      `    In parentheses, the ${(confidence * PERCENT).toFixed(1)} % interval of the ratio, each for itself. Processes took turns; each gave one figure.`,
    ),
    ...problems.map((problem) => style.dim(`    ${problem}`)),
  ];
  if (enough === undefined) lines.push(style.dim(`    ${MORE_PROCESSES}`));
  return `${lines.join('\n')}\n`;
}

function sweepSentence({ points, best, enough, worse, figure }: LoadSweep): string {
  if (enough === undefined) {
    const left = points.filter((_, i) => !worse.includes(i)).map(({ name }) => name);
    return left.length < points.length ? `? Inconclusive: ${left.join(' or ')}` : '? Inconclusive';
  }
  const [first, chosen] = [points[0], points[enough]];
  if (enough === 0 || !first || !chosen?.toFirst)
    return best === 0 ? `✔ ${first?.name}: no other is shown to be better` : `✔ ${first?.name} is enough: no other is shown to be better`;
  return `✔ ${chosen.name}: ${ratio(chosen.toFirst.ratio)} ${whatOf(figure)} of ${first.name}. No other is shown to be better`;
}

function worseSentences({ points, worse, best, figure }: LoadSweep): string[] {
  const top = points[best];
  return worse.flatMap((i) => {
    const point = points[i];
    return point && top
      ? [`${point.name} is worse: ${ratio(point.median / top.median)} ${whatOf(figure)} of ${top.name}, by the medians.`]
      : [];
  });
}

function barOf(share: number): string {
  const eighths = Math.round(share * BAR_WIDTH * EIGHTHS.length);
  const bar = '█'.repeat(Math.floor(eighths / EIGHTHS.length)) + (EIGHTHS[eighths % EIGHTHS.length] ?? '');
  // Tables are aligned to the right.
  return bar.padEnd(BAR_WIDTH);
}

function titleOf(
  { command, request, source, notes = [], node, connections, rate, measureMs, note }: ComparedLoad,
  cwd: string,
  style: ProfileStyle,
): string[] {
  return [
    style.title(`${request.method} ${request.path} under load on Node ${node}`),
    style.dim(
      [
        command,
        count(connections, 'connection'),
        ...(rate === undefined ? [] : [`${rate} requests/s`]),
        `${duration(measureMs)} in each process`,
      ].join(' · '),
    ),
    ...(source ? [style.dim(requestSourceText(source, cwd))] : []),
    ...notes.map((text) => style.verdict('inconclusive', `! ${text}`)),
    ...(note === undefined ? [] : [style.dim(`Fix: ${note}`)]),
    '',
  ];
}

const COLUMNS = (figure: LoadDifference['figure']): string[] => [
  '',
  `${figure === 'rate' ? 'requests/s' : 'p99'}, median`,
  'lowest',
  'highest',
  'p50',
  'p99',
  'processes',
];

function rowOf({ name, median, figures, p50, p99 }: LoadSide, figure: LoadDifference['figure']): string[] {
  const text = (value: number): string => (figure === 'rate' ? perSecondText(value) : duration(value));
  return [name, text(median), text(Math.min(...figures)), text(Math.max(...figures)), duration(p50), duration(p99), String(figures.length)];
}

const whatOf = (figure: LoadDifference['figure']): string => (figure === 'rate' ? 'the requests per second' : 'the p99 latency');

function sentenceOf({ verdict, second, ratio: value, figure }: LoadDifference): string {
  if (verdict === 'inconclusive') return '? Inconclusive';
  if (verdict === 'same') return '✔ No difference shown';
  return `${verdict === 'slower' ? '✖ Slower' : '✔ Faster'} ${second.name}: ${ratio(value)} ${whatOf(figure)}`;
}

function ratio(value: number): string {
  return `${value.toFixed(2)}×`;
}
