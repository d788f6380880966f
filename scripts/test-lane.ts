// Runs test files in the order in which they are named, some at a time: `test-lane.ts 2 first.test.ts second.test.ts`. `node --test` sorts
// what it is given, and a long file that comes last leaves processors idle.
import { run } from 'node:test';
import { spec as Spec } from 'node:test/reporters';

const [concurrency = '1', ...files] = process.argv.slice(2);
const results = run({ files, concurrency: Number(concurrency) });
results.on('test:fail', ({ todo }) => {
  if (todo === undefined || todo === false) process.exitCode = 1;
});
results.compose(new Spec()).pipe(process.stdout);
