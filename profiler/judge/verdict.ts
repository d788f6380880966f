// From what a run brought to light to a verdict on each finding. Pure. Silence refutes only where the code is known to have run.
import type { EvidenceKind, Verdict } from '../../protocol/evidence.ts';
import { judgeDeopts } from './deoptimizations.ts';
import type { Counted, Executions, Hypothesis, Judge, Opinion, Run } from './hypothesis.ts';
import { judgeBlocks, judgeExceptions, judgeRuns, judgeStarvation, judgeSyncIo } from './loop-time.ts';
import { notReached } from './silence.ts';
import { judgeBounds, judgeCaches, judgeElements, judgeFeedback, judgeMaps } from './v8-states.ts';

const OPERANDS_UNTOLD: Opinion = {
  verdict: 'inconclusive',
  figure: 'no deopt, operand types unknown',
  ground:
    'V8 kept the optimized code. This run did not record operand types, and V8 may have optimized for several types. Profile the function itself to find out.',
};

const UNCOUNTED: Opinion = {
  verdict: 'inconclusive',
  figure: 'not counted',
  ground:
    'Nothing was observed here. V8 does not count how often default values, arguments behind `?.`, and right sides of `??=` run, so this code may not have run at all.',
};

export function judge(hypothesis: Hypothesis, run: Run, executions: Executions): Verdict {
  const { ruleId, messageId, range, remedy } = hypothesis;
  const own = [range, ...(hypothesis.extent ?? [])];
  const isUnreached =
    hypothesis.kinds.every((kind) => own.every(({ start }) => executions(start, kind) === 0)) && !isMadeAtLoad(hypothesis);
  const opinions = hypothesis.kinds.flatMap((kind): (Opinion & { kind: EvidenceKind })[] => {
    const counted: Counted = (place) => executions(place, kind);
    // What meets the values may have run often with the others.
    const opinion =
      isUnreached && OPINIONS[kind]
        ? notReached([{ start: range.start, end: range.start }], counted)
        : OPINIONS[kind]?.(hypothesis, run, counted);
    return opinion ? [{ kind, ...opinion }] : [];
  });
  // Code that was optimized for a mix of operands stays optimized: where the operands are unknown, that it did refutes nothing.
  if (hypothesis.kinds.includes('feedback') && opinions.find(({ kind }) => kind === 'feedback')?.verdict !== 'refuted') {
    for (const one of opinions) if (one.kind === 'deopt' && one.verdict === 'refuted') Object.assign(one, OPERANDS_UNTOLD);
  }
  // That what is around it ran says nothing.
  if (hypothesis.isUncounted) for (const one of opinions) if (one.verdict === 'refuted') Object.assign(one, UNCOUNTED);
  const chosen =
    opinions.find((one) => one.verdict === 'not-reached') ??
    opinions.find((one) => one.verdict === 'confirmed') ??
    opinions.find((one) => one.verdict === 'seen') ??
    opinions.find((one) => one.verdict === 'refuted') ??
    opinions[0];
  const verdict = chosen?.verdict ?? 'inconclusive';
  const figure = chosen?.figure ?? 'not measured by this run';
  // Two kinds of evidence may have the same to say.
  const grounds = [...new Set(opinions.filter((one) => one.verdict === verdict || one === chosen).map((one) => one.ground))];
  if (!chosen) grounds.push(unmeasured(hypothesis));
  return {
    ruleId,
    messageId,
    place: range.start,
    verdict,
    figure,
    grounds,
    ...(remedy === undefined ? {} : { remedy }),
    ...(chosen?.cost && { cost: chosen.cost }),
  };
}

/** What no run measures, or this one did not: `loop-delay`, if its server ended before. */
function unmeasured({ kinds }: Hypothesis): string {
  return kinds.length === 0 ? UNJUDGED : `${UNMEASURED_KINDS}${kinds.join(' or ')}.`;
}

const UNJUDGED = 'No run of a function or a program measures what this costs. The page of the rule says how to measure it.';
/** Begins the sentence; it no longer holds where an attack confirms. */
export const UNMEASURED_KINDS = 'This run did not measure what would confirm or refute this: ';

/** Objects may be made while the program is loaded, which is not counted, and met afterwards. */
function isMadeAtLoad({ keys = [] }: Hypothesis): boolean {
  return keys.length > 0;
}

/** By kind of evidence. A kind without a row is judged by no run: its findings stay inconclusive. */
const OPINIONS: Readonly<Partial<Record<EvidenceKind, Judge>>> = {
  'sync-io': judgeSyncIo,
  'inline-cache': judgeCaches,
  deopt: judgeDeopts,
  'map-transition': judgeMaps,
  feedback: judgeFeedback,
  elements: judgeElements,
  bounds: judgeBounds,
  runs: judgeRuns,
  exceptions: judgeExceptions,
  microtasks: judgeStarvation,
  'loop-delay': judgeBlocks,
};
