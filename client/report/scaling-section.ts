// How the time grows with the input: a curve for each finding that it was measured for.
import type { Verdict } from '../../protocol/evidence.ts';
import type { ScaledUnit, Scaling } from '../../protocol/scaling.ts';
import type { Translate } from '../translate.ts';
import { amount, time } from './figures.ts';
import { placeCell, type ModelRequest, type Section } from './report-parts.ts';
import type { CurvePicture } from './report-pictures.ts';

/** More pictures than these are not looked at. */
const MOST_PICTURES = 4;
const NS_PER_MS = 1e6;

export function scaling(request: ModelRequest): Section[] {
  const {
    profiled: { report },
    t,
  } = request;
  const measured = report.verdicts.flatMap((verdict) => (verdict.scaling ? [{ verdict, scaling: verdict.scaling }] : []));
  if (measured.length === 0) return [];
  const limits = [...new Set(measured.flatMap(({ scaling: { limit } }) => limit ?? []))];
  return [
    {
      id: 'scaling',
      title: t('How the time grows'),
      text: [t('Each point is the median of several measurements. The dashed line shows linear growth.'), ...limits].join(' '),
      pictures: measured.slice(0, MOST_PICTURES).map((one) => picture(one.verdict, one.scaling, request)),
    },
  ];
}

function picture(verdict: Verdict, { unit, per, points, exponent }: Scaling, request: ModelRequest): CurvePicture {
  const { t } = request;
  const power = t(
    'n^{0} ({1} to {2})',
    ...([exponent.value, exponent.low, exponent.high].map((n) => n.toFixed(2)) as [string, string, string]),
  );
  const units = unitWords(unit, t);
  return {
    kind: 'curve',
    points: points.map(({ size, ns, low, high }) => ({ at: size, value: ns / NS_PER_MS, low: low / NS_PER_MS, high: high / NS_PER_MS })),
    axis: units,
    valueAxis: per === 'request' ? t('ms per request') : per === 'call' ? t('ms per call') : t('ms per text'),
    legend: { measured: t('measured: {0}', power), linear: t('linear') },
    alt: t(
      '{0}: the time grows with {1}. {2}',
      placeCell(verdict.place, request).text,
      power,
      points.map(({ size, ns }) => `${amount(size)} ${units}: ${time(ns)}`).join('; '),
    ),
  };
}

function unitWords(unit: ScaledUnit, t: Translate): string {
  return unit === 'element' ? t('elements') : t('characters');
}
