// A function as it is now and as it was at a commit, whose files lie in a folder of their own for the time.
import { basename } from 'node:path';
import { existsSync } from 'node:fs';
import type { Difference } from '../../protocol/evidence.ts';
import { compareVersions } from '../../profiler/compare/versions.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import { copyOfCommit } from '../../workspace/compare/git-copy.ts';
import { timedProcessOf } from '../../workspace/compare/timed-process.ts';
import { CommandError } from '../../workspace/errors.ts';
import type { PreparedTarget, TargetOutcome } from '../../workspace/profile/profile-target.ts';

export interface SinceCommitRequest {
  /** As it is now. */
  prepared: PreparedTarget;
  /** A branch, tag, or commit. */
  base: string;
  node: NodeBinary;
  /** The same function in a file of the copy. @param entry what starts its server @param typed the calls or requests of now */
  preparedAt(file: string, entry: string | undefined, typed: readonly string[]): TargetOutcome;
  options: Parameters<typeof compareVersions>[2] & { signal: AbortSignal };
}

export type SinceCommit = { ok: true; difference: Difference } | { ok: false /** A sentence. */; why: string };

export async function measureSinceCommit({ prepared, base, node, preparedAt, options }: SinceCommitRequest): Promise<SinceCommit> {
  const { target, program } = prepared;
  try {
    const copy = await copyOfCommit(target.file, base, options.signal);
    try {
      const name = `${base} (${copy.commit})`;
      const file = copy.pathOf(target.file);
      if (!existsSync(file)) return { ok: false, why: `${basename(target.file)} does not exist in ${name}.` };
      // Of requests, the entry tells all. A function is looked for by its name: what stands at its place there may be another.
      if (target.functionName === undefined && !program)
        return { ok: false, why: `The function has no name, so it cannot be found at ${name}. Name it first.` };
      const before = preparedAt(file, program && copy.pathOf(program.entry), target.calls);
      if (!before.ok) return { ok: false, why: `At ${name}: ${before.why}` };
      const compared = await compareVersions(
        { name, process: timedProcessOf(before.prepared, node) },
        { name: 'now', process: timedProcessOf(prepared, node) },
        options,
      );
      if (compared.ok) return compared;
      return { ok: false, why: compared.aborted ? 'Stopped.' : compared.reason };
    } finally {
      await copy.dispose();
    }
  } catch (error) {
    if (options.signal.aborted) return { ok: false, why: 'Stopped.' };
    if (error instanceof CommandError) return { ok: false, why: error.message };
    throw error;
  }
}
