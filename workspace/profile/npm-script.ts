// An npm script as a command that can be started without a shell of our own, with the Node programs that it starts.
import { isRecord } from '../../protocol/unknown-values.ts';
import { dirname, join } from 'node:path';
import { MOST_BYTES, readTextFile } from '../../files/read-text-file.ts';
import { findNpm } from '../../node-versions/npm.ts';
import type { Machine } from '../../node-versions/discovery.ts';
import { thisMachine } from '../../node-versions/versions.ts';
import { didYouMean } from '../config/closest-name.ts';

export interface NpmScript {
  name: string;
  /** Absolute path of the package.json. */
  manifest: string;
  /** Its folder, where the script runs. */
  folder: string;
  /** What it does, as written. */
  text: string;
}

export type ScriptOutcome = { ok: true; script: NpmScript } | { ok: false; why: string };

/** The scripts of the nearest package.json, in the folder itself or above. */
export function findScripts(folder: string): { manifest: string; scripts: readonly NpmScript[] } | undefined {
  for (let at = folder; ; at = dirname(at)) {
    const manifest = join(at, 'package.json');
    const found = scriptsIn(manifest);
    if (found) return { manifest, scripts: Object.entries(found).map(([name, text]) => ({ name, manifest, folder: at, text })) };
    if (dirname(at) === at) return undefined;
  }
}

function scriptsIn(manifest: string): Record<string, string> | undefined {
  const reading = readTextFile(manifest, MOST_BYTES.settings);
  if (!reading.ok && reading.problem === 'missing') return undefined;
  let value: unknown;
  try {
    value = reading.ok ? JSON.parse(reading.text.replace(/^\uFEFF/, '')) : undefined;
  } catch {
    // One that cannot be read has no scripts.
    return {};
  }
  const scripts = isRecord(value) ? value.scripts : undefined;
  if (!isRecord(scripts)) return {};
  return Object.fromEntries(Object.entries(scripts).filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

export function findScript(name: string, folder: string): ScriptOutcome {
  const found = findScripts(folder);
  if (!found) return { ok: false, why: `Script \`${name}\` not found: there is no package.json in ${folder} or its parent folders.` };
  const script = found.scripts.find((one) => one.name === name);
  if (script) return { ok: true, script };
  const names = found.scripts.map((one) => one.name);
  const rest = names.length === 0 ? 'It has no scripts.' : didYouMean(name, names).trim() || `Available scripts: ${names.join(', ')}.`;
  return { ok: false, why: `Script \`${name}\` not found in ${found.manifest}. ${rest}` };
}

/** npm itself runs on its own Node; the programs of the script find the Node of the run first on their PATH. */
export function scriptCommand(
  { name }: NpmScript,
  args: readonly string[],
  machine: Machine = thisMachine(),
): { ok: true; command: [string, ...string[]] } | { ok: false; why: string } {
  const npm = findNpm(machine);
  if (!npm) return { ok: false, why: 'npm was not found on the PATH.' };
  return { ok: true, command: [npm.node, npm.cli, 'run', name, ...(args.length > 0 ? ['--', ...args] : [])] };
}
