// Keeps imports in the file of a folder, as a command does: started several times at once by production-store.test.ts.
import { updateProduction } from '../../workspace/production/production-store.ts';

const [path = '', writer = '', count = '0'] = process.argv.slice(2);
for (let i = 0; i < Number(count); i++) {
  const name = `${writer}-${i}`;
  const source = { name, kind: 'spans' as const, date: '2026-11-21T00:00:00.000Z', total: 1, functions: [], routes: [] };
  updateProduction(path, (before) => [...before, source], console.error);
}
