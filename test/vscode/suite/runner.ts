// Runs tests inside VS Code's extension host: one after the other, each within a limit, and tells the outside what came of them.
import { writeFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { inspect } from 'node:util';

/** More than any step needs on a slow machine: only what hangs takes as long. */
const TEST_LIMIT_MS = 300_000;

export interface TestResult {
  name: string;
  /** Absent when it passed. */
  error?: string;
}

export type Tests = Readonly<Record<string, () => Promise<void>>>;

/** Environment variable: the file that the results are written to. */
export const RESULTS_FILE = 'NODOMETER_SUITE_RESULTS';
/** Environment variable: the file with what the terminal says about the same folder. */
export const EXPECTED_FILE = 'NODOMETER_SUITE_EXPECTED';

/** Environment variable: for how many milliseconds a suite waits for what should come; a suite that is to fail need not wait long. */
export const WAIT_LIMIT = 'NODOMETER_SUITE_WAIT';

export async function runTests(tests: Tests): Promise<void> {
  const results: TestResult[] = [];
  for (const [name, test] of Object.entries(tests)) {
    const begin = performance.now();
    const result = await runTest(name, test);
    results.push(result);
    for (const line of [
      `${result.error === undefined ? '✔' : '✖'} ${name} (${Math.round(performance.now() - begin)} ms)`,
      ...(result.error ?? '').split('\n').filter(Boolean),
    ])
      console.log(`suite: ${line}`);
  }
  const file = process.env[RESULTS_FILE];
  if (file) writeFileSync(file, JSON.stringify(results));
  const failed = results.filter((result) => result.error !== undefined);
  if (failed.length > 0)
    throw new Error(`${failed.length} of ${results.length} tests failed: ${failed.map((result) => result.name).join('; ')}`);
}

async function runTest(name: string, test: () => Promise<void>): Promise<TestResult> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise<never>((_, reject) => (timer = setTimeout(() => reject(new Error('it hangs')), TEST_LIMIT_MS)));
  try {
    await Promise.race([test(), limit]);
    return { name };
  } catch (error) {
    return { name, error: error instanceof Error ? (error.stack ?? error.message) : inspect(error) };
  } finally {
    clearTimeout(timer);
  }
}
