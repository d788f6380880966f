// The report of a comparison: the same function on several Nodes, side by side.
import { nameOfTarget, type ComparisonRow, type ProfileReport, type VerdictKind } from '../../protocol/evidence.ts';
import { TIER_NAMES } from '../profile/evidence-notes.ts';
import { amount, bytes, time } from './figures.ts';
import { verdictWord } from './report-model.ts';
import type { Cell, ReportModel, Section } from './report-parts.ts';
import { nodesPicture } from './report-pictures.ts';
import type { PageWords } from './report-panel.ts';

export interface ComparisonModelRequest extends PageWords {
  rows: readonly ComparisonRow[];
  reports: readonly ProfileReport[];
}

export function comparisonModel({ rows, reports, ...words }: ComparisonModelRequest): ReportModel {
  const { t, pathOf, dateOf } = words;
  const [report] = reports;
  const target = report?.target;
  const machine = report
    ? [report.machine.platform, t('{0}, {1} cores', report.machine.cpu, report.machine.cores), dateOf(report.date)]
    : [];
  return {
    title: t(
      '{0} in {1} on {2} Node versions',
      (target && nameOfTarget(target)) ?? t('a function'),
      pathOf(target?.file ?? ''),
      rows.length,
    ),
    figures: figures(rows, words),
    sections: [table(rows, words), ...verdictSections(rows, words), ...failures(rows, words), ...calls(reports, words)],
    footer: machine,
  };
}

/** Nothing is called fastest where the intervals meet. */
function figures(rows: readonly ComparisonRow[], { t }: PageWords): ReportModel['figures'] {
  const timed = rows.flatMap(({ node, timing }) => (timing ? [{ node, timing }] : [])).sort((a, b) => a.timing.median - b.timing.median);
  const [fastest] = timed;
  const slowest = timed.at(-1);
  if (!fastest || !slowest || timed.length < 2) return [];
  const isApart =
    fastest.timing.median + (fastest.timing.halfWidth ?? Infinity) < slowest.timing.median - (slowest.timing.halfWidth ?? Infinity);
  if (!isApart) return [{ label: t('between these Node versions'), value: t('no clear difference') }];
  return [
    { label: t('fastest: Node {0}', fastest.node), value: time(fastest.timing.median) },
    { label: t('slowest: Node {0}', slowest.node), value: time(slowest.timing.median) },
  ];
}

interface Column {
  title: string;
  isFigure?: boolean;
  text(row: ComparisonRow): string;
  /** Left out where no row has anything to say. */
  isOptional?: boolean;
}

function columnsOf(rows: readonly ComparisonRow[], { t }: PageWords): readonly Column[] {
  const count = (n: number): string => (n === 0 ? '' : amount(n));
  return [
    {
      title: t('Per call'),
      isFigure: true,
      text: ({ timing }) => (timing ? `${time(timing.median)}${timing.halfWidth === undefined ? '' : ` ± ${time(timing.halfWidth)}`}` : ''),
    },
    { title: baselineTitle(rows, t), isFigure: true, text: (row) => factorText(row, t) },
    { title: t('Highest tier'), text: ({ tier }) => (tier ? TIER_NAMES[tier] : t('none')) },
    { title: t('Deopts'), isFigure: true, text: ({ deopts }) => amount(deopts) },
    { title: t('Megamorphic'), isFigure: true, text: ({ megamorphic }) => amount(megamorphic) },
    { title: t('Blocking calls'), isFigure: true, isOptional: true, text: ({ blockingCalls }) => count(blockingCalls) },
    {
      title: t('Allocated'),
      isFigure: true,
      isOptional: true,
      text: ({ timing }) => (timing?.allocated === undefined ? '' : bytes(timing.allocated)),
    },
  ];
}

function table(rows: readonly ComparisonRow[], words: PageWords): Section {
  const { t } = words;
  const columns = columnsOf(rows, words).filter(({ isOptional, text }) => !isOptional || rows.some((row) => text(row) !== ''));
  const body = rows.map((row): Cell[] => [
    { text: row.node, details: row.failure === undefined ? [] : [row.failure] },
    ...columns.map(
      ({ text, isFigure }): Cell => ({ text: row.failure === undefined ? text(row) : '–', ...(isFigure ? { isFigure } : {}) }),
    ),
  ]);
  const picture = nodesPicture(rows, t);
  const text = t(
    'Median of the samples with the 95 % confidence interval. If the intervals of two Node versions overlap, there is no clear difference.',
  );
  return {
    id: 'comparison',
    title: t('Comparison'),
    text,
    ...(picture ? { pictures: [picture] } : {}),
    table: {
      columns: [{ title: t('Node') }, ...columns.map(({ title, isFigure }) => ({ title, ...(isFigure ? { isFigure } : {}) }))],
      rows: body,
    },
  };
}

/** Says of what the factors are: the time on the first Node that was timed. */
function baselineTitle(rows: readonly ComparisonRow[], t: PageWords['t']): string {
  const first = rows.find(({ timing, factor }) => timing !== undefined && factor === undefined);
  return first ? t('Time vs. Node {0}', first.node) : t('Time vs. first');
}

function factorText({ factor, isApart }: ComparisonRow, t: PageWords['t']): string {
  if (factor === undefined) return '';
  return isApart ? `${factor.toFixed(2)}×` : t('no clear difference');
}

/** A row for each warning, a column for each Node. */
function verdictSections(rows: readonly ComparisonRow[], { t, pathOf }: PageWords): Section[] {
  const ran = rows.filter(({ failure }) => failure === undefined);
  const findings = new Map<
    string,
    { cells: Map<string, { kind: VerdictKind; figure: string }>; first: ComparisonRow['verdicts'][number] }
  >();
  for (const { node, verdicts } of ran) {
    for (const verdict of verdicts) {
      const key = JSON.stringify([verdict.ruleId, verdict.messageId, verdict.place]);
      const entry = findings.get(key) ?? { cells: new Map(), first: verdict };
      findings.set(key, entry);
      entry.cells.set(node, { kind: verdict.verdict, figure: verdict.figure });
    }
  }
  if (findings.size === 0) return [];
  const body = [...findings.values()].map(({ cells, first }): Cell[] => [
    {
      text: `${pathOf(first.place.file)}:${first.place.line}:${first.place.column}`,
      place: first.place,
      details: [first.ruleId],
    },
    ...ran.map(({ node }): Cell => {
      const cell = cells.get(node);
      return cell ? { text: verdictWord(cell.kind, t), verdict: cell.kind, details: [cell.figure] } : { text: '' };
    }),
  ]);
  return [
    {
      id: 'verdicts',
      title: t('Verdicts'),
      table: { columns: [{ title: t('Location') }, ...ran.map(({ node }) => ({ title: t('Node {0}', node) }))], rows: body },
    },
  ];
}

function failures(rows: readonly ComparisonRow[], { t }: PageWords): Section[] {
  const failed = rows.filter(({ failure }) => failure !== undefined);
  return failed.length === 0
    ? []
    : [
        {
          id: 'problems',
          title: t('Could not be run'),
          table: {
            columns: [{ title: t('Problem') }],
            rows: failed.map(({ node, failure }) => [{ text: `Node ${node}: ${failure ?? ''}` }]),
          },
        },
      ];
}

function calls([report]: readonly ProfileReport[], { t }: PageWords): Section[] {
  return report
    ? [
        {
          id: 'calls',
          title: t('Calls'),
          table: { columns: [{ title: t('Call') }], rows: report.target.calls.map((text) => [{ text, isCode: true }]) },
        },
      ]
    : [];
}
