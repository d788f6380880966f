// What a report says of the machine that it was made on.
import { cpus } from 'node:os';
import type { RunMachine } from '../../protocol/evidence.ts';
import type { NodeBinary } from '../plan/node-binary.ts';

export function machineOf({ version, v8, platform, arch }: NodeBinary): RunMachine {
  return { node: version, v8, platform: `${platform} ${arch}`, cpu: cpus()[0]?.model ?? 'unknown', cores: cpus().length };
}
