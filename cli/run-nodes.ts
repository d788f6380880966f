// `--node 20,22,/opt/node26/bin/node`: versions and paths become Nodes that can be measured, or a message that says what to do.
import { homedir } from 'node:os';
import { downloadNode } from '../node-versions/download.ts';
import type { Machine } from '../node-versions/discovery.ts';
import { thisMachine, NodeVersions } from '../node-versions/versions.ts';
import { findWanted } from '../node-versions/wanted.ts';
import { probeNode } from '../profiler/run/probe-node.ts';
import type { NodeBinary } from '../profiler/plan/node-binary.ts';
import { CommandError, Interrupted } from '../workspace/errors.ts';
import type { Host } from './host.ts';

export interface RequestedNodes {
  /** Empty for the Node that runs the command. */
  requested: readonly string[];
  /** Whether what is missing may be fetched from npm's registry. */
  mayDownload: boolean;
}

export async function findRunNodes({ requested, mayDownload }: RequestedNodes, host: Host): Promise<NodeBinary[]> {
  const paths = requested.length === 0 ? [host.nodePath] : await pathsOf(requested, mayDownload, host);
  const found: NodeBinary[] = [];
  for (const path of paths) {
    const outcome = await probeNode(path, host.signal);
    if (host.signal.aborted) throw new Interrupted('Stopped.');
    if (!outcome.ok)
      throw new CommandError(`${outcome.reason} \`--node\` accepts versions and paths of Node binaries, separated by commas.`);
    found.push(outcome.node);
  }
  return found;
}

async function pathsOf(requested: readonly string[], mayDownload: boolean, host: Host): Promise<string[]> {
  const machine = machineOf(host);
  const say = (message: string) => host.stderr.write(`nodometer: ${message}\n`);
  const download = async (version: string) => {
    say(`downloading Node ${version} from the npm registry; it is cached for later runs.`);
    return downloadNode(version, machine, { signal: host.signal });
  };
  const wanted = await findWanted(requested, {
    machine,
    versions: new NodeVersions(),
    cwd: host.cwd,
    ...(mayDownload ? { download } : {}),
  });
  if (host.signal.aborted) throw new Interrupted('Stopped.');
  const missing = wanted.filter((one) => !one.ok);
  if (missing.length > 0) {
    const remedy =
      missing.some(({ isMissing }) => isMissing) && !mayDownload
        ? ' Install it with a version manager, specify its path, or use `--download-node` to download it from the npm registry.'
        : '';
    throw new CommandError(`${missing.map(({ why }) => why).join(' ')}${remedy}`);
  }
  return wanted.flatMap((one) => (one.ok ? [one.path] : []));
}

/** As the host's environment shows it. */
export function machineOf({ env, platform }: Host): Machine {
  return { ...thisMachine(), env, platform: platform as NodeJS.Platform, home: env.HOME ?? env.USERPROFILE ?? homedir() };
}
