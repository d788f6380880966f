// What became of the calls of a run, in sentences for the user: a call that always throws measures the throw, and nothing else. Pure.
import { recordsOf, type RunRecord } from '../parse/records.ts';

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
    const what = firstError
      ? `${firstError.type === '(not an Error)' ? '' : `${firstError.type}: `}${firstError.message.split('\n')[0] ?? ''}`.replace(/\.$/, '')
      : 'something';
    return [`\`${texts[index] ?? 'The call'}\` threw ${how} (${what}). The measurements include these calls.`];
  });
}
