// Asks a Node binary what it is and which flags it knows; anything else gets a sentence.
import { tmpdir } from 'node:os';
import { runChild } from './child.ts';
import type { NodeBinary } from '../plan/node-binary.ts';

export type ProbeOutcome = { ok: true; node: NodeBinary } | { ok: false; reason: string };

const PROBE_MS = 8000;
const PROBE_BYTES = 1024 * 1024;
const OLDEST_MAJOR = 18;
const MARK = 'nodometer-probe:';
const QUESTION = `process.stdout.write(${JSON.stringify(MARK)}+JSON.stringify({versions:process.versions,arch:process.arch,platform:process.platform,path:process.execPath}))`;

/** @param path absolute, or a name on the PATH */
export async function probeNode(path: string, signal?: AbortSignal, wallMs = PROBE_MS): Promise<ProbeOutcome> {
  const first = await ask(path, ['-e', QUESTION], signal, wallMs);
  if (!first.ok) return first;
  const what = decode(first.text);
  if (!what) return { ok: false, reason: `${path} is not a working Node binary.` };
  for (const [key, name] of [
    ['bun', 'Bun'],
    ['deno', 'Deno'],
    ['electron', 'Electron'],
  ] as const) {
    if (key in what.versions) return { ok: false, reason: `${path} is ${name}, not Node.` };
  }
  const { node: version, v8 } = what.versions;
  if (!version || !v8) return { ok: false, reason: `${path} is not a working Node binary.` };
  if (Number(version.split('.')[0]) < OLDEST_MAJOR)
    return { ok: false, reason: `${path} is Node ${version}. Profiling requires Node ${OLDEST_MAJOR} or newer.` };
  const [v8Options, help] = await Promise.all([
    ask(what.path, ['--v8-options'], signal, wallMs),
    ask(what.path, ['--help'], signal, wallMs),
  ]);
  if (!v8Options.ok) return v8Options;
  if (!help.ok) return help;
  return {
    ok: true,
    node: {
      path: what.path,
      version,
      v8,
      arch: what.arch,
      platform: what.platform,
      v8Flags: [...v8Options.text.matchAll(/^ {2}--(?:no-)?([\w-]+)/gm)].map((match) => (match[1] ?? '').replaceAll('_', '-')),
      nodeFlags: [...new Set([...help.text.matchAll(/(?:^ {2}|, )(--[\w-]+)/gm)].map((match) => match[1] ?? ''))],
    },
  };
}

async function ask(
  path: string,
  args: string[],
  signal: AbortSignal | undefined,
  wallMs: number,
): Promise<{ ok: true; text: string } | { ok: false; reason: string }> {
  const marker = `${MARK}${process.pid}-${Math.random()}`;
  const env: Record<string, string> = { NODOMETER_PROBE: marker };
  // Enough for a version manager's stand-in to find its Node, and nothing that changes what Node does.
  for (const name of Object.keys(process.env)) {
    const value = process.env[name];
    if (value !== undefined && !name.startsWith('NODE_') && name !== 'ELECTRON_RUN_AS_NODE') env[name] = value;
  }
  const { cause, code, stdout, error } = await runChild({
    executable: path,
    arguments: args,
    env,
    cwd: tmpdir(),
    marker,
    wallMs,
    outputBytes: PROBE_BYTES,
    signal,
  });
  if (cause === 'not-started') return { ok: false, reason: `${path} could not be started: ${error ?? 'no reason given'}.` };
  if (cause === 'aborted') return { ok: false, reason: 'Stopped.' };
  if (cause === 'time-limit')
    return { ok: false, reason: `${path} did not respond within ${wallMs / 1000} s, so it is not a working Node binary.` };
  if (cause !== 'exit' || code !== 0) return { ok: false, reason: `${path} is not a working Node binary.` };
  return { ok: true, text: stdout.text };
}

function decode(text: string): { versions: Readonly<Record<string, string>>; arch: string; platform: string; path: string } | undefined {
  const start = text.indexOf(MARK);
  if (start < 0) return undefined;
  try {
    const value: unknown = JSON.parse(text.slice(start + MARK.length));
    if (typeof value !== 'object' || value === null) return undefined;
    const { versions, arch, platform, path } = value as Record<string, unknown>;
    if (
      typeof versions !== 'object' ||
      versions === null ||
      typeof arch !== 'string' ||
      typeof platform !== 'string' ||
      typeof path !== 'string'
    )
      return undefined;
    return { versions: versions as Record<string, string>, arch, platform, path };
  } catch {
    return undefined;
  }
}
