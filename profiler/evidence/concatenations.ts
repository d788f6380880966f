// V8 keeps `Any` for a `+` of a string and a number, as it does for a mix of operands. Where the text shows that a string is built, that is
// no mix: the operator meets the same kinds each time. Pure.
import type { TypeFeedback } from '../../protocol/evidence.ts';

/** What ends an operand on the left, at the latest. */
const LEFT_END = /[=(,;{?:[]|\breturn\b/g;
const QUOTE = /['"`]/;
const QUOTED_RIGHT = /^\+=?\s*['"`]/;

/** @param textOf what runs */
export function withoutConcatenations(feedback: readonly TypeFeedback[], textOf: (file: string) => string | undefined): TypeFeedback[] {
  const lines = new Map<string, readonly string[]>();
  const isConcatenation = ({ place: { file, line, column } }: TypeFeedback): boolean => {
    let known = lines.get(file);
    if (!known) lines.set(file, (known = (textOf(file) ?? '').split(/\r\n|[\n\r\u2028\u2029]/)));
    const text = known[line - 1] ?? '';
    const right = text.slice(column - 1);
    if (!right.startsWith('+')) return false;
    if (QUOTED_RIGHT.test(right)) return true;
    const left = text.slice(0, column - 1);
    const end = [...left.replace(/(['"`])(?:\\.|(?!\1).)*\1/g, (quoted) => `"${'x'.repeat(quoted.length - 2)}"`).matchAll(LEFT_END)].at(-1);
    return QUOTE.test(left.slice(end ? end.index + end[0].length : 0));
  };
  return feedback.map((one) =>
    one.kind === 'operator' && one.mixed && isConcatenation(one) ? { ...one, seen: 'string concatenation', mixed: false } : one,
  );
}
