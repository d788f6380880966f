// `--node 20,22,path/to/node`: versions and paths as the command takes them; the Node that runs this unless said.
import { findRunNodes } from '../../cli/run-nodes.ts';
import { hostFor } from './host.ts';

export interface TruthNode {
  path: string;
  version: string;
  major: number;
}

export async function nodesFor(asked: string | undefined): Promise<TruthNode[]> {
  const names = (asked ?? '')
    .split(',')
    .map((name) => name.trim())
    .filter(Boolean);
  const nodes = await findRunNodes({ requested: names, mayDownload: false }, hostFor(process.cwd()).host);
  return nodes.map(({ path, version }) => ({ path, version, major: Number.parseInt(version, 10) }));
}
