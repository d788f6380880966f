// Which Node runs the language server, and which Node version the rules assume. It only decides; it gets what it needs as arguments.
import { isAbsolute, join } from 'node:path';
import { findNodeOnPath, type Machine } from '../../node-versions/discovery.ts';
import { canRunServer, OLDEST_NODE, type NodeVersions } from '../../node-versions/versions.ts';
import type { Translate } from '../translate.ts';

export interface NodeChoice {
  /** Program that runs the server; undefined: the Node inside VS Code. */
  runtime?: string;
  /** Version of the Node that the user runs programs with. */
  version?: string;
  /** Where that Node was found, for people. */
  source?: string;
  /** Why the setting is not followed, for people. */
  problem?: string;
}

export interface ChoiceDeps {
  machine: Machine;
  versions: NodeVersions;
  /** False in a workspace that is not trusted, and in one that is not on a disk: there, nothing is started. */
  mayRun: boolean;
  t: Translate;
}

/** `nodePath` is the setting of that name, empty when it is not set. */
export async function chooseNode(nodePath: string, { machine, versions, mayRun, t }: ChoiceDeps): Promise<NodeChoice> {
  if (!mayRun) return {};
  const setting = nodePath === '' ? {} : await fromSetting(expandHome(nodePath, machine), machine, versions, t);
  if (setting.runtime) return setting;
  const path = findNodeOnPath(machine);
  const version = path === undefined ? undefined : await versions.of(path);
  return { ...setting, ...(version ? { version, source: t('`node` on PATH') } : {}) };
}

async function fromSetting(path: string, machine: Machine, versions: NodeVersions, t: Translate): Promise<NodeChoice> {
  if (!isAbsolute(path))
    return { problem: t('`nodometer.nodePath` must be an absolute path, not "{0}". VS Code\'s own Node is used instead.', path) };
  if (!machine.isFile(path)) return { problem: t("`nodometer.nodePath`: file not found: {0}. VS Code's own Node is used instead.", path) };
  const version = await versions.of(path);
  if (!version) return { problem: t("`nodometer.nodePath`: {0} did not report a Node version. VS Code's own Node is used instead.", path) };
  if (!canRunServer(version))
    return {
      problem: t(
        "`nodometer.nodePath`: {0} is Node {1}, and Nodometer needs {2} or newer. VS Code's own Node is used instead.",
        path,
        version,
        OLDEST_NODE,
      ),
    };
  return { runtime: path, version, source: '`nodometer.nodePath`' };
}

/** With the user's folder in place of `~`. */
export function expandHome(path: string, { home }: Machine): string {
  return /^~[\\/]/.test(path) ? join(home, path.slice(1)) : path;
}
