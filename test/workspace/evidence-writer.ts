// Keeps profiles in the evidence file of a folder, as a command does: started several times at once by evidence.test.ts.
import { join } from 'node:path';
import type { ProfileReport } from '../../protocol/evidence.ts';
import { EvidenceStore } from '../../workspace/profile/evidence-store.ts';
import type { PreparedTarget } from '../../workspace/profile/profile-target.ts';

const [root = '', writer = '', count = '0'] = process.argv.slice(2);
const store = new EvidenceStore(root, (message) => console.error(message));
for (let i = 0; i < Number(count); i++) {
  const report = {
    target: { file: join(root, 'a.js'), functionName: `f${writer}_${i}`, origin: 'typed', calls: [] },
    machine: { node: '24.0.0', v8: '13', platform: 'linux', cpu: 'x' },
    date: '2026-11-23T00:00:00.000Z',
    verdicts: [],
  } as unknown as ProfileReport;
  const prepared = { normalized: 'x', keptVerdicts: () => [], keptSeen: () => [] } as unknown as PreparedTarget;
  store.keep(report, prepared, 1000);
}
