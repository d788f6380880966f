// The report of a measurement of the event loop: delay, blocks with the code that caused them, garbage collection apart.
import type { LagReport, LoopDelay } from '../../protocol/evidence.ts';
import { amount, delayTime, milliseconds } from './figures.ts';
import { blockTable, delayText, footer, problems } from './report-model.ts';
import { asRequest, type ReportModel, type Section } from './report-parts.ts';
import { delayPictures } from './report-pictures.ts';
import type { PageWords } from './report-panel.ts';

export interface LagModelRequest extends PageWords {
  report: LagReport;
}

export function lagModel({ report, ...words }: LagModelRequest): ReportModel {
  const { t } = words;
  const { command, delay } = report;
  const blocks = { label: t('blocks over {0}', milliseconds(delay.threshold)), value: amount(delay.blocks) };
  const figures = isUnmeasured(delay)
    ? [blocks]
    : [
        { label: 'p50', value: delayTime(delay.p50) },
        { label: 'p90', value: delayTime(delay.p90) },
        { label: 'p99', value: delayTime(delay.p99) },
        { label: t('longest'), value: delayTime(delay.max) },
        { label: t('utilization'), value: `${Math.round(delay.utilization * 100)} %` },
        blocks,
      ];
  const watched = isUnmeasured(delay) ? [] : [t('monitored for {0}', milliseconds(delay.window))];
  return {
    title: t('Event loop lag of {0}', command),
    figures,
    sections: sections(report, words),
    footer: [...watched, ...footer(report, words)],
  };
}

function isUnmeasured({ window }: LoopDelay): boolean {
  return window === 0;
}

function sections(report: LagReport, words: PageWords): Section[] {
  const { t } = words;
  const { delay, blocks, startUpBlocks, gc } = report;
  const request = asRequest(report, words);
  const noBlocks = t('Nothing blocked the event loop for longer than {0}.', milliseconds(delay.threshold));
  return [
    {
      id: 'delay',
      title: t('Event loop delay'),
      ...(isUnmeasured(delay)
        ? {
            text: blocks.some(({ endless }) => endless)
              ? t('Unknown: the event loop was blocked until the program was stopped.')
              : t('Not measured: the program ended too early.'),
          }
        : { text: delayText(delay, t), pictures: delayPictures(delay, t) }),
    },
    { id: 'blocks', title: t('Longest blocks'), ...(blocks.length > 0 ? { table: blockTable(blocks, request) } : { text: noBlocks }) },
    ...(startUpBlocks.length > 0
      ? [
          {
            id: 'start-up',
            title: t('During startup'),
            text: t('These occur before any request.'),
            table: blockTable(startUpBlocks, request),
          },
        ]
      : []),
    {
      id: 'gc',
      title: t('Garbage collection'),
      text:
        gc.count === 0
          ? t('None.')
          : gc.count === 1
            ? t('Once, {0}.', milliseconds(gc.totalMs))
            : t('{0} times, {1} in total, {2} at most.', amount(gc.count), milliseconds(gc.totalMs), milliseconds(gc.maxMs)),
    },
    ...problems(request),
  ];
}
