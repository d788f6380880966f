// Fetches a Node from npm's registry, with the user's own npm, into a cache folder of the user's. Only ever called when the user has
// agreed.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { downloadFolder, executable, packageOf, type Machine } from './discovery.ts';
import { findNpm } from './npm.ts';

export type Download = { ok: true; path: string } | { ok: false; why: string };

/** What npm is started with, and what it says: given, so that tests need no network. */
export type RunNpm = (args: readonly string[], cwd: string, signal: AbortSignal | undefined) => Promise<{ code: number; error: string }>;

/** The packages are some 50 MB; npm gives up on its own before that, in ms. */
const MOST_MS = 600_000;

/** @param version `22`, `22.11.0` */
export async function downloadNode(
  version: string,
  machine: Machine,
  { runNpm = npmRunner(machine), signal }: { runNpm?: RunNpm; signal?: AbortSignal } = {},
): Promise<Download> {
  const folder = downloadFolder(machine);
  const name = packageOf(machine);
  if (name === undefined)
    return {
      ok: false,
      why: `Node ${version} was not downloaded: npm has no package for ${machine.platform} ${machine.arch} that Nodometer knows.`,
    };
  const target = join(folder, version);
  let partial;
  try {
    mkdirSync(folder, { recursive: true });
    partial = mkdtempSync(join(folder, '.partial-'));
  } catch (error) {
    return { ok: false, why: `Node ${version} could not be saved to ${folder}: ${(error as Error).message}.` };
  }
  try {
    const { code, error } = await runNpm(
      [
        'install',
        '--prefix',
        partial,
        '--no-save',
        '--no-audit',
        '--no-fund',
        '--ignore-scripts',
        '--loglevel=error',
        `${name}@${version}`,
      ],
      partial,
      signal,
    );
    if (signal?.aborted) return { ok: false, why: 'Stopped.' };
    const inside = join('node_modules', name, 'bin', executable(machine));
    if (code !== 0 || !machine.isFile(join(partial, inside)))
      return { ok: false, why: `Node ${version} could not be downloaded (npm package ${name}@${version})${reasonIn(error)}.` };
    // In one step: nobody ever sees half of one. An older one of the same name makes room.
    rmSync(target, { recursive: true, force: true });
    renameSync(partial, target);
    return { ok: true, path: join(target, inside) };
  } finally {
    rmSync(partial, { recursive: true, force: true });
  }
}

function reasonIn(error: string): string {
  const line = error
    .split('\n')
    .map((one) => one.replace(/^npm (?:error|ERR!)\s*/, '').trim())
    .find((one) => one !== '' && !/^code\b/.test(one));
  return line === undefined ? '' : `: ${line.replace(/\.$/, '')}`;
}

function npmRunner(machine: Machine): RunNpm {
  return (args, cwd, signal) =>
    new Promise((resolve) => {
      const npm = findNpm(machine);
      if (!npm) {
        resolve({ code: 1, error: 'npm was not found on the PATH' });
        return;
      }
      const { NODE_OPTIONS: _, ...env } = process.env;
      execFile(npm.node, [npm.cli, ...args], { cwd, env, timeout: MOST_MS, signal, windowsHide: true, shell: false }, (error, out, err) => {
        resolve({ code: error ? 1 : 0, error: error ? err || out || error.message : '' });
      });
    });
}
