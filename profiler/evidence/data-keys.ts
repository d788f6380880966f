// Keys that come from data, such as ids of sessions and addresses, are left out of reports: these are kept and sent, in each format. What
// is judged is judged before.
import type { ProfileReport } from '../../protocol/evidence.ts';
import { shownKeys } from '../../protocol/shown-shapes.ts';

export function withoutDataKeys<T extends Pick<ProfileReport, 'inlineCaches' | 'mapEvents'>>(report: T): T {
  return {
    ...report,
    inlineCaches: report.inlineCaches.map((cache) => ({
      ...cache,
      property: shown(cache.property),
      shapes: cache.shapes.map((shape) => (shape.properties ? { ...shape, properties: shownKeys(shape.properties) } : shape)),
    })),
    mapEvents: report.mapEvents.map((event) => (event.property === undefined ? event : { ...event, property: shown(event.property) })),
  };
}

/** None is known at an access with several keys. */
function shown(property: string): string {
  return property === '' ? '' : (shownKeys([property])[0] ?? '');
}
