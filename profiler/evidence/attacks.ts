// Findings with a text of their own that takes long: each is tried where the runs came to its place, and what that shows has the word.
import type { Verdict } from '../../protocol/evidence.ts';
import { judgeAttack } from '../judge/attack.ts';
import { TOO_LITTLE } from '../judge/cost.ts';
import { OTHER_DATA } from '../judge/loop-time.ts';
import { UNMEASURED_KINDS } from '../judge/verdict.ts';
import type { Hypothesis } from '../judge/hypothesis.ts';
import type { NodeBinary } from '../plan/node-binary.ts';
import { runAttack } from '../run/attack.ts';

/** For each text, in ms: one that takes longer is killed, and a server that stands still for so long is proof enough. */
const WALL_MS = 5000;
/** In one profile. */
const MOST_ATTACKS = 4;

export interface AttackedProfile {
  node: NodeBinary;
  hypotheses: readonly Hypothesis[];
  signal?: AbortSignal;
  progress?(): void;
}

/** @param verdicts in the order of the hypotheses */
export async function withAttacks(
  verdicts: readonly Verdict[],
  { node, hypotheses, signal, progress }: AttackedProfile,
): Promise<Verdict[]> {
  const judged = [...verdicts];
  let tried = 0;
  for (const [i, { attack }] of hypotheses.entries()) {
    const verdict = judged[i];
    // What a request did by itself says more, and what did not run is not in question.
    if (!attack || !verdict || verdict.verdict === 'confirmed' || verdict.verdict === 'not-reached' || tried === MOST_ATTACKS) continue;
    if (signal?.aborted) break;
    tried += 1;
    progress?.();
    const opinion = judgeAttack(attack, await runAttack(node, attack, { wallMs: WALL_MS, signal }), node.version);
    if (opinion) judged[i] = withOpinion(verdict, opinion);
  }
  return judged;
}

function withOpinion({ cost: _, ...verdict }: Verdict, { ground, ...opinion }: NonNullable<ReturnType<typeof judgeAttack>>): Verdict {
  // What the run did not measure, the text has decided.
  const known = verdict.grounds.filter((one) => !one.startsWith(UNMEASURED_KINDS));
  const said = known.map((one) => one.replace(TOO_LITTLE, '').replace(opinion.verdict === 'confirmed' ? OTHER_DATA : '', ''));
  return { ...verdict, ...opinion, grounds: [ground, ...said] };
}
