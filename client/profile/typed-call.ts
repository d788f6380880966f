// A call that the user types: looked over before it is sent. The server parses it; here only what is plainly unfinished is held back.
import type { Translate } from '../translate.ts';

/** What is called in `shop.total(1)`: `shop.total`. */
export function calleeOf(call: string): string {
  return call.split('(')[0]?.trim() ?? '';
}

/** A handler is called by a request, which may have a body: `GET /users/1`. */
const REQUEST = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)\s+\/\S*(?:\s+\S.*)?$/;

/** Why the text is no call and no request, or undefined when it may be one. */
export function problemOfCall(text: string, t: Translate): string | undefined {
  const call = text.trim();
  if (call === '') return t('Enter a call, for example {0}.', 'total([1, 2])');
  if (REQUEST.test(call)) return undefined;
  if (!call.includes('(')) return t('A call needs parentheses around its arguments.');
  const open = openBracket(call);
  if (open === 'string') return t('Unterminated string.');
  if (open !== undefined) return t('{0} is not matched.', open);
  return undefined;
}

const PAIRS: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** The first bracket without its partner, `string` when a string has no end. */
function openBracket(text: string): string | undefined {
  const stack: string[] = [];
  for (let i = 0; i < text.length; i++) {
    const character = text.charAt(i);
    if (character === '"' || character === "'" || character === '`') {
      const end = endOfString(text, i);
      if (end === undefined) return 'string';
      i = end;
    } else if ('([{'.includes(character)) stack.push(character);
    else if (character in PAIRS && stack.pop() !== PAIRS[character]) return character;
  }
  return stack.at(-1);
}

function endOfString(text: string, start: number): number | undefined {
  for (let i = start + 1; i < text.length; i++) {
    if (text.charAt(i) === '\\') i++;
    else if (text.charAt(i) === text.charAt(start)) return i;
  }
  return undefined;
}
