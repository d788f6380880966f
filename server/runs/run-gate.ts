// What everything that runs the user's code has in common: nothing without trust, a way to stop it, progress, a Node that answers.
import type { CancellationToken } from 'vscode-languageserver/node';
import { findDeoptReason } from '../../knowledge/deopt-reasons.ts';
import type { ReasonWords, RunFailure } from '../../protocol/editor.ts';
import type { DeoptGroup } from '../../protocol/evidence.ts';
import { probeNode } from '../../profiler/run/probe-node.ts';
import type { NodeBinary } from '../../profiler/plan/node-binary.ts';
import type { Progress } from '../workers/workspace-lint.ts';

export const NOT_TRUSTED: RunFailure = {
  ok: false,
  why: 'Profiling runs code, and this workspace is not trusted.',
  remedy: 'To trust it, run "Workspaces: Manage Workspace Trust".',
};

export interface StoppableRun {
  signal: AbortSignal;
  /** Says how far it is. */
  report(done: number, total: number, what: string): void;
}

/**
 * Whether a run ends with the thread that has started it, as `profiler/run/guard.ts` sees to it. Elsewhere, only the main thread hears of
 * the end of the process.
 */
export function isGuarded(platform: string): boolean {
  return platform !== 'win32';
}

const PERCENT = 100;

/** Runs `work` with a signal that the client's cancellation aborts, and shows how far it is. */
export async function stoppable<T>(
  title: string,
  token: CancellationToken,
  progress: Progress | undefined,
  work: (run: StoppableRun) => Promise<T>,
): Promise<T> {
  const stop = new AbortController();
  if (token.isCancellationRequested) stop.abort();
  const cancellation = token.onCancellationRequested(() => stop.abort());
  progress?.begin(title, 0, 'checking Node', true);
  try {
    return await work({
      signal: stop.signal,
      report: (done, total, what) => progress?.report(Math.floor((done / total) * PERCENT), `${what} (${done + 1} of ${total})`),
    });
  } finally {
    cancellation.dispose();
    progress?.done();
  }
}

export async function nodeFor(path: string | undefined, signal: AbortSignal): Promise<{ ok: true; node: NodeBinary } | RunFailure> {
  const probe = await probeNode(path ?? 'node', signal);
  return probe.ok ? probe : { ok: false, why: probe.reason, remedy: 'To choose another Node, run "Nodometer: Select Node".' };
}

/** V8's words in plain ones, for those reasons that are known. */
export function reasonsOf(deopts: readonly DeoptGroup[]): Record<string, ReasonWords> {
  return Object.fromEntries(
    deopts.flatMap(({ reason }) => {
      const known = findDeoptReason(reason);
      return known ? [[reason, { meaning: known.meaning, remedy: known.remedy }]] : [];
    }),
  );
}
