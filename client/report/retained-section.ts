// What stays in memory of each call or request: a picture for each finding that it was counted for.
import type { Verdict } from '../../protocol/evidence.ts';
import type { Retained, RetainedUnit } from '../../protocol/retained.ts';
import type { Translate } from '../translate.ts';
import { amount } from './figures.ts';
import { placeCell, type ModelRequest, type Section } from './report-parts.ts';
import type { SlicesPicture } from './report-pictures.ts';

/** More pictures than these are not looked at. */
const MOST_PICTURES = 4;

export function retained(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  const counted = report.verdicts.flatMap((verdict) => (verdict.retained ? [{ verdict, retained: verdict.retained }] : []));
  if (counted.length === 0) return [];
  return [
    {
      id: 'retained',
      title: t('What stays in memory'),
      text: t('Counted at the end of each round, after a forced garbage collection.'),
      pictures: counted.slice(0, MOST_PICTURES).map((one) => picture(one.verdict, one.retained, request)),
    },
  ];
}

function picture(verdict: Verdict, { unit, per, points }: Retained, request: ModelRequest): SlicesPicture {
  const { t } = request;
  const last = points.at(-1);
  return {
    kind: 'slices',
    slices: points.map(({ calls, count }) => ({ at: calls, value: count })),
    axis: per === 'request' ? t('requests') : t('calls'),
    valueAxis: unitWords(unit, t),
    alt: t(
      '{0}: {1} after {2} ({3})',
      placeCell(verdict.place, request).text,
      `${amount(last?.count ?? 0)} ${unitWords(unit, t)}`,
      `${amount(last?.calls ?? 0)} ${per === 'request' ? t('requests') : t('calls')}`,
      points.map(({ count }) => amount(count)).join(', '),
    ),
  };
}

function unitWords(unit: RetainedUnit, t: Translate): string {
  const words: Readonly<Record<RetainedUnit, string>> = {
    entry: t('entries'),
    listener: t('listeners'),
    timer: t('timers'),
    session: t('sessions'),
  };
  return words[unit];
}
