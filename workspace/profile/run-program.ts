// A file or an npm script as a program that can be run: what is started, where, and how people write it.
import { relative } from 'node:path';
import type { Machine } from '../../node-versions/discovery.ts';
import type { Target } from '../../profiler/plan/plan.ts';
import type { RunTarget } from '../../protocol/evidence.ts';
import { findScript, scriptCommand } from './npm-script.ts';

export interface RunProgram {
  target: Target & { type: 'file' | 'command' };
  /** As the report names it. */
  reported: RunTarget;
  /** As a person writes it. */
  command: string;
  /** Absolute. */
  cwd: string;
}

export type RunProgramOutcome = { ok: true; program: RunProgram } | { ok: false; why: string };

/** @param file absolute */
export function fileProgram(file: string, cwd: string, programArguments: readonly string[] = []): RunProgram {
  const command = ['node', relative(cwd, file) || file, ...programArguments].join(' ');
  return {
    target: { type: 'file', file, arguments: programArguments },
    reported: { file, origin: 'file', calls: [command] },
    command,
    cwd,
  };
}

/** The script of the nearest package.json. @param folder absolute; where to begin to look for it */
export function scriptProgram(
  name: string,
  folder: string,
  programArguments: readonly string[] = [],
  machine?: Machine,
): RunProgramOutcome {
  const found = findScript(name, folder);
  if (!found.ok) return found;
  const started = scriptCommand(found.script, programArguments, machine);
  if (!started.ok) return started;
  const command = [`npm run ${name}`, ...(programArguments.length > 0 ? ['--', ...programArguments] : [])].join(' ');
  const { manifest, folder: cwd } = found.script;
  const target = { type: 'command' as const, command: started.command };
  return { ok: true, program: { target, reported: { file: manifest, origin: 'script', calls: [command] }, command, cwd } };
}
