// What the run saw and no rule predicted, as a section of the report.
import type { SeenKind } from '../../protocol/seen-by-run.ts';
import { placeCell, type Cell, type ModelRequest, type Section } from './report-parts.ts';

/** With a cost first. */
export function seenByRun(request: ModelRequest): Section[] {
  const {
    profiled: {
      report: { unpredicted },
    },
    t,
  } = request;
  if (!unpredicted || unpredicted.findings.length + unpredicted.remarks.length === 0) return [];
  const words: Readonly<Record<SeenKind, string>> = {
    block: t('event loop blocked'),
    'blocking-call': t('blocking call'),
    'large-json': t('large JSON'),
    exceptions: t('exceptions'),
    'ready-values': t('waiting for ready values'),
    'class-per-call': t('class created per call'),
    'deopt-loop': t('repeated deoptimization'),
  };
  const rows = [
    ...unpredicted.findings.map(({ kind, place, figure, grounds, remedy }): Cell[] => [
      { text: words[kind], verdict: 'confirmed' },
      placeCell(place, request),
      { text: figure, details: [remedy], deeper: { title: t('How this was found'), sentences: grounds } },
    ]),
    ...unpredicted.remarks.map(({ place, text }): Cell[] => [
      { text: t('cost not measured'), verdict: 'seen' },
      placeCell(place, request),
      { text },
    ]),
  ];
  const columns = [{ title: t('Kind') }, { title: t('Location') }, { title: t('Measured') }];
  return [{ id: 'seen', title: t('Seen by the run'), text: t('No rule predicted this.'), table: { columns, rows } }];
}
