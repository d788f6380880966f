// Runs test files in the order in which they are named, some at a time: `test-lane.ts 2 first.test.ts second.test.ts`. `node --test` sorts
// what it is given, and a long file that comes last leaves processors idle. With `--once-more`, the files of a few tests that fail are run
// once more, one by one, and named at the end: something else on the machine may have disturbed what they measure.
import { relative } from 'node:path';
import { Readable } from 'node:stream';
import { run } from 'node:test';
import { spec as Spec } from 'node:test/reporters';
import { sourcePlace } from './typescript/compiled.mjs';

interface TestLocation {
  file: string;
  line: number;
  column: number;
}

/** When more files fail, it is no chance. */
const MOST_ONCE_MORE = 3;

const repeats = process.argv.includes('--once-more');
const [concurrency = '1', ...files] = process.argv.slice(2).filter((argument) => argument !== '--once-more');

/** Node says where a test stands in the JavaScript that it ran. (Of what a test throws, it says where that is in the TypeScript.) */
async function* withPlaces(events: AsyncIterable<{ type: string; data: Partial<TestLocation> }>): AsyncGenerator {
  for await (const event of events) {
    const { file, line, column } = event.data;
    // A file that fails as a whole stands at 1:1.
    if (event.type !== 'test:fail' || !file?.endsWith('.ts') || !line || !column || line + column === 2) yield event;
    else yield { ...event, data: { ...event.data, ...sourcePlace(file, line, column) } };
  }
}

/** The files with a test that fails; a file that fails as a whole is one, too. */
async function failuresIn(some: readonly string[], atOnce: number): Promise<ReadonlySet<string>> {
  const failed = new Set<string>();
  const results = run({ files: [...some], concurrency: atOnce });
  results.on('test:fail', ({ todo, file, name }) => {
    if (todo === undefined || todo === false) failed.add(file ?? name);
  });
  const printed = Readable.from(withPlaces(results)).compose(new Spec());
  for await (const part of printed) process.stdout.write(part as string);
  return failed;
}

const failed = await failuresIn(files, Number(concurrency));
if (failed.size > 0) process.exitCode = 1;
// A helper that declares tests for others has none when it is run by itself.
const areTests = [...failed].every((file) => /\.test\.(?:ts|mjs)$/.test(file));
if (repeats && areTests && failed.size > 0 && failed.size <= MOST_ONCE_MORE) {
  const names = [...failed].map((file) => relative(process.cwd(), file)).join(', ');
  console.log(`\nFailed, and run once more, one by one: ${names}`);
  const again = await failuresIn([...failed], 1);
  if (again.size === 0) {
    process.exitCode = 0;
    console.log(`Passed only the second time; find out why: ${names}`);
  }
}
