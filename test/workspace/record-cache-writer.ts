// Writes the same cache again and again, until it is killed.
import { RecordCache } from '../../workspace/project-index/record-cache.ts';

const [path = '', name = ''] = process.argv.slice(2);
const log = (message: string): void => console.error(message);
for (let round = 0; ; round++) {
  const cache = new RecordCache({ path, key: 'k', now: () => Date.now(), log });
  for (let i = 0; i < 200; i++)
    cache.set(`/p/${i}.js`, { hash: 'h', result: JSON.stringify(`${name} ${round}`), summary: JSON.stringify('x'.repeat(2000)) });
  cache.save();
  if (round === 0) process.stdout.write('written\n');
}
