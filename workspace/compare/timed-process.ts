// A function that is ready to be run, as a version that is timed in turns with others.
import type { TimedProcess } from '../../profiler/compare/in-turns.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import type { PreparedTarget } from '../profile/profile-target.ts';

export function timedProcessOf({ target, text, calls, program, format, loading }: PreparedTarget, node: NodeBinary): TimedProcess {
  return { node, file: target.file, text, calls, program, format, loading };
}
