// The built command, server, and extension, for tests that run them as their users do.
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build, type BuildResult } from '../scripts/build.ts';
import { BUILD_OF_RUN } from '../scripts/build-of-run.ts';
import { makeOnce } from './vscode/host/once.ts';

/**
 * In a folder of its own, which a test may break. Within a run of the tests, the first that asks builds, and the others get copies: a build
 * takes 2.4 s of processor time, and twenty test files want one.
 */
export async function builtIn(folder: string): Promise<Pick<BuildResult, 'command'>> {
  const shared = process.env[BUILD_OF_RUN];
  if (shared === undefined) return build(folder);
  await makeOnce(
    shared,
    async (partial) => void (await build(partial)),
    () => undefined,
  );
  rmSync(folder, { recursive: true, force: true });
  cpSync(shared, folder, { recursive: true });
  return { command: join(folder, 'nodometer.js') };
}
