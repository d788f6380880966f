// What `nodometer import` has kept of the functions and routes that findings are in.
import type { Finding } from '../protocol/finding.ts';
import type { Production } from '../protocol/production.ts';
import type { LintRun } from '../workspace/lint-run.ts';
import { FileProduction } from '../workspace/production/file-production.ts';
import { ProductionStores } from '../workspace/production/production-store.ts';
import type { Report } from './report.ts';

export function productionOf(
  { sources }: Pick<LintRun, 'sources'>,
  files: Report['files'],
  warn: (message: string) => void,
): ReadonlyMap<Finding, Production> {
  const stores = new ProductionStores(warn);
  const known = new Map<Finding, Production>();
  for (const { file, findings } of files) {
    const own = stores.forFile(file);
    const imported = own && FileProduction.of(own, file, sources.get(file)?.text ?? '');
    for (const finding of findings) {
      const production = imported?.ofFinding(finding);
      if (production) known.set(finding, production);
    }
  }
  return known;
}
