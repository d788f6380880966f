// What became of the calls of a run, in sentences for the user: a call that always throws measures the throw, and nothing else. Pure.
import type { Timing } from '../../protocol/evidence.ts';
import { durationOfNs } from '../judge/cost.ts';
import { recordsOf, type RunRecord, type ThrownValue } from '../parse/records.ts';

/** Fewer than these are the function's own business. */
const TELLING_SHARE = 0.5;

/** Of a generator, as the harness drains it. */
const MOST_ITEMS = '10,000';

/** Whether no call ever came to its end. */
export function allThrew(records: readonly RunRecord[]): boolean {
  const summaries = recordsOf(records, 'calls').at(-1)?.calls ?? [];
  return summaries.length > 0 && summaries.every(({ calls, thrown }) => calls > 0 && thrown === calls);
}

/** `texts`: the calls as source text, in the order of the run. */
export function callProblems(records: readonly RunRecord[], texts: readonly string[]): string[] {
  const summaries = recordsOf(records, 'calls').at(-1)?.calls ?? [];
  return summaries.flatMap(({ calls, thrown, firstError, cut }, index) => {
    if (cut) return [`\`${texts[index] ?? 'The call'}\` yielded more than ${MOST_ITEMS} items. Each call was stopped after that many.`];
    if (calls === 0 || thrown / calls < TELLING_SHARE) return [];
    const how = thrown === calls ? 'every time' : `in ${thrown} of ${calls} calls`;
    const name =
      firstError?.type === 'ReferenceError' && thrown === calls ? /^(\S+) is not defined/.exec(firstError.message)?.[1] : undefined;
    // Of the call itself, and not of what it calls.
    const remedy = name !== undefined && texts[index]?.includes(name) ? ` ${VISIBLE}` : '';
    return [`${threwWords(texts[index], how, firstError)}. The measurements include these calls.${remedy}`];
  });
}

const VISIBLE = 'A call can use the names at the top level of the file, `exports`, and `module.exports`.';

/** Why calls that never came to their end measure nothing, without a full stop; undefined where one did. */
export function vainReason(records: readonly RunRecord[], texts: readonly string[]): string | undefined {
  if (!allThrew(records)) return undefined;
  const [first] = recordsOf(records, 'calls').at(-1)?.calls ?? [];
  return threwWords(texts[0], 'every time', first?.firstError);
}

function threwWords(text: string | undefined, how: string, error: ThrownValue | undefined): string {
  const what = error
    ? `${error.type === '(not an Error)' ? '' : `${error.type}: `}${error.message.split('\n')[0] ?? ''}`.replace(/\.$/, '')
    : 'something';
  return `\`${text ?? 'The call'}\` threw ${how} (${what})`;
}

/** With fewer calls than these there is no confidence interval (`medianHalfWidth`). */
const ENOUGH_CALLS = 6;

/** A call that takes most of a profile's time is timed once, or a few times: nothing else would say so. */
export function fewCallsProblems(timing: Timing | undefined): string[] {
  if (!timing || timing.calls >= ENOUGH_CALLS || timing.halfWidth !== undefined) return [];
  return [
    `The time is that of ${timing.calls === 1 ? 'a single call' : `${timing.calls} calls`}, because calls take so long. It has no confidence interval. With more time for the profile, more calls are timed.`,
  ];
}

/** Code that V8 has not compiled yet takes up to some hundred times as long. */
const TELLING_FACTOR = 1000;
/** Less is what loading and compiling take, in ms. */
const TELLING_FIRST_MS = 5;
const NS_PER_MS = 1e6;

/** The least time of each call's first run, over the processes: what was held up once is left out. @param known of the runs before */
export function firstTimes(records: readonly RunRecord[], known: readonly (number | undefined)[]): (number | undefined)[] {
  const summaries = recordsOf(records, 'calls').at(-1)?.calls ?? [];
  const times = summaries.map(({ firstMs, thrown, calls }) => (thrown < calls ? firstMs : undefined));
  return Array.from({ length: Math.max(times.length, known.length) }, (_, i) => {
    const both = [times[i], known[i]].filter((ms) => ms !== undefined);
    return both.length === 0 ? undefined : Math.min(...both);
  });
}

/** A function that keeps its results is timed with what it kept. @param texts the calls as source text */
export function firstCallProblems(first: readonly (number | undefined)[], timing: Timing | undefined, texts: readonly string[]): string[] {
  return first.flatMap((ms, index) => {
    const ns = timing?.perCall ? timing.perCall.find(({ call }) => call === index)?.median : timing?.median;
    if (ms === undefined || ns === undefined || ms < TELLING_FIRST_MS || ms * NS_PER_MS < TELLING_FACTOR * ns) return [];
    return [
      `The first call of \`${texts[index] ?? 'the function'}\` took ${durationOfNs(ms * NS_PER_MS)}, and later ones ${durationOfNs(ns)}: they probably use what the first one kept or loaded. The time per call is that of later calls.`,
    ];
  });
}
