// The Nodes that the samples are profiled on: those that NODOMETER_NODES names, and of what is missing one of each major from npm,
// installed once.
import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeNode } from '../../profiler/run/probe-node.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { runNpm } from '../npm.ts';
import { NODE_PACKAGES } from '../vscode/host/install.ts';
import { makeOnce } from '../vscode/host/once.ts';
import { nodesToTest } from './runs.ts';
import { dedent } from '../../analysis/testing/dedent.ts';

/** The latest of each major when this was written: the same on every machine, so that a verdict that changes is ours. */
const VERSIONS = ['20.20.2', '22.23.3', '24.21.0', '26.10.0'] as const;
const ROOT = fileURLToPath(new URL('../../', import.meta.url));

export const MAJORS: readonly number[] = VERSIONS.map(majorOf);

/**
 * Whether a Node takes one of many cases. The oldest takes all of them. Each case also runs on one of the others: the newest takes half,
 * those between a quarter each. All cases on all Nodes would take a slow machine more than the hour that CI has.
 * @param index of the case
 */
export function takesCase(major: number, index: number): boolean {
  const [oldest, ...others] = MAJORS;
  return major === oldest || others[Math.min(index % (others.length + 1), others.length - 1)] === major;
}

/** The oldest and the newest first, which take the longest. */
export const LONGEST_FIRST: readonly number[] = [MAJORS.at(0), MAJORS.at(-1), ...MAJORS.slice(1, -1)].filter((one) => one !== undefined);

function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

/** One of each major, in order. Throws an error that says what to do: a Node that is missing is never left out. */
export async function nodesOfMajors(): Promise<NodeBinary[]> {
  const named = await nodesToTest();
  const nodes: NodeBinary[] = [];
  for (const version of VERSIONS)
    nodes.push(named.find((node) => majorOf(node.version) === majorOf(version)) ?? (await installed(version)));
  return nodes;
}

async function installed(version: string): Promise<NodeBinary> {
  const platform = `${process.platform}-${process.arch}`;
  const name = NODE_PACKAGES[platform];
  const folder = join(process.env['NODOMETER_NODE_CACHE'] ?? join(ROOT, '.cache', 'nodes'), `${platform}-${version}`);
  const remedy = `What to do: name a Node ${majorOf(version)} in NODOMETER_NODES, or let this machine reach the npm registry once.`;
  if (name === undefined) throw new Error(`There is no npm package of Node for ${platform}. ${remedy}`);
  await makeOnce(
    folder,
    async (partial) => {
      console.error(`installing Node ${version} from npm (once) into ${folder}`);
      writeFileSync(join(partial, 'package.json'), '{ "private": true }');
      const problem = await runNpm(partial, ['install', `${name}@${version}`]);
      if (problem !== undefined)
        throw new Error(dedent`
        Node ${version} could not be had from npm: ${problem}
        ${remedy}
      `);
    },
    (line) => console.error(line),
  );
  const path = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node');
  assert.ok(existsSync(path), `${path} is not there. ${remedy}`);
  const outcome = await probeNode(path);
  assert.ok(outcome.ok, outcome.ok ? '' : `${outcome.reason} ${remedy}`);
  return outcome.node;
}
