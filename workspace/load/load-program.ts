// Which program is put under load, and what it is asked.
import { dirname } from 'node:path';
import { TYPESCRIPT_FILE } from '../../analysis/module/parse.ts';
import { isHeader } from '../../analysis/openapi/typed-request.ts';
import { readRequestParts, requestOfParts, type RequestParts } from '../../analysis/profile/requests.ts';
import type { Machine } from '../../node-versions/discovery.ts';
import type { LoadedProgram } from '../../profiler/load/served.ts';
import type { ProgramRequest } from '../../protocol/evidence.ts';
import { findScripts } from '../profile/npm-script.ts';
import { findLoading } from '../profile/profile-typescript.ts';
import { fileProgram, scriptProgram } from '../profile/run-program.ts';
import type { ProjectFinder } from '../project.ts';

export interface LoadTarget {
  program: Omit<LoadedProgram, 'node'>;
  /** As a person writes it. */
  command: string;
  /** Absolute: the file that is started, or the package.json of the script. */
  file: string;
}

export type LoadTargetOutcome = { ok: true; target: LoadTarget } | { ok: false; why: string };

const START = 'start';

/** @param entry absolute; without it and a script, the script `start` of the nearest package.json is run */
export function loadTarget(
  { entry, script, programArguments }: { entry?: string; script?: string; programArguments: readonly string[] },
  { cwd, machine, projects }: { cwd: string; machine?: Machine; projects: ProjectFinder },
): LoadTargetOutcome {
  if (entry !== undefined) {
    const { target, command } = fileProgram(entry, cwd, programArguments);
    const { root, manifest } = projects.infoFor(dirname(entry), undefined);
    const loading = TYPESCRIPT_FILE.test(entry) ? findLoading({ file: entry, root, isModule: manifest?.type === 'module' }) : undefined;
    return { ok: true, target: { program: { target, cwd, ...(loading && { loading }) }, command, file: entry } };
  }
  const name = script ?? START;
  if (script === undefined && !findScripts(cwd)?.scripts.some((one) => one.name === START))
    return {
      ok: false,
      why: 'It is unclear which program to start. Specify its file (`--entry server.js`) or its script (`--script dev`).',
    };
  const found = scriptProgram(name, cwd, programArguments, machine);
  if (!found.ok) return found;
  const { target, command, cwd: folder, reported } = found.program;
  return { ok: true, target: { program: { target, cwd: folder }, command, file: reported.file } };
}

/** `parts`: what was typed. `request`: what is sent where nothing else is known. */
export type RouteOutcome = { ok: true; parts: RequestParts; request: ProgramRequest } | { ok: false; why: string };

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, or OPTIONS';

/**
 * `GET /users/1`, `/users/1`, `POST /users -H "x-key: 1" {"name":"a"}`. What names a host is refused: Nodometer puts nobody under load but
 * the program that it has started.
 */
export function readRoute(text: string, body?: string): RouteOutcome {
  const trimmed = text.trim();
  const [first = '', second = ''] = trimmed.split(/\s+/, 2);
  const path = /^[A-Za-z]+$/.test(first) ? second : first;
  if (path.startsWith('//') || /^[a-z][\w+.-]*:/i.test(path))
    return {
      ok: false,
      why: `\`${trimmed}\` names a host. \`nodometer load\` sends requests only to the program that it starts, on 127.0.0.1. Specify the path alone: \`--route "GET /users/1"\`.`,
    };
  const parts = readRequestParts(trimmed.startsWith('/') ? `GET ${trimmed}` : trimmed);
  const header = Object.entries(parts?.headers ?? {}).find(([name, value]) => !isHeader(name, value));
  if (header)
    return { ok: false, why: `The header \`${header[0]}\` cannot be sent: HTTP does not allow its name or a character of its value.` };
  if (parts) return { ok: true, parts, request: requestOfParts({ ...(body !== undefined && { body }), ...parts }) };
  return { ok: false, why: `\`--route\` must be a method (${METHODS}) and a path, such as "GET /users/1", not \`${trimmed}\`.` };
}
